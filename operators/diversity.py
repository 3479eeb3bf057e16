"""How different the individuals of a population are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import jit


@jit
def differing_cells(cells: NDArray[np.uint16], values: int) -> float:
    """The share of cells in which two individuals differ, in tile or rotation, on average over all pairs.

    Exact: per cell it counts how often each value occurs, so that n individuals cost n, not n squared.

    Args:
        cells: One individual a row.
        values: More than the greatest value of a cell.
    """
    individuals, places = cells.shape
    if individuals < 2 or places == 0:
        return 0.0
    counts = np.zeros(values, dtype=np.int64)
    alike = 0
    for place in range(places):
        for individual in range(individuals):
            value = cells[individual, place]
            alike += counts[value]  # with so many before it
            counts[value] += 1
        for individual in range(individuals):
            counts[cells[individual, place]] = 0
    pairs = individuals * (individuals - 1) // 2
    return float(1 - alike / (pairs * places))
