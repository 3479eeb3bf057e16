"""Diversity of a population."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import jit


@jit
def differing_cells(cells: NDArray[np.uint16], values: int) -> float:
    """Return the fraction of cells in which two individuals differ in tile or rotation, averaged over all pairs.

    The result is exact. Counting the values per cell makes the cost linear in the number of individuals.

    Args:
        cells: One individual per row.
        values: An upper bound on the values of cells, exclusive.
    """
    individuals, places = cells.shape
    if individuals < 2 or places == 0:
        return 0.0
    counts = np.zeros(values, dtype=np.int64)
    alike = 0
    for place in range(places):
        for individual in range(individuals):
            value = cells[individual, place]
            alike += counts[value]  # pairs with the individuals before it
            counts[value] += 1
        for individual in range(individuals):
            counts[cells[individual, place]] = 0
    pairs = individuals * (individuals - 1) // 2
    return float(1 - alike / (pairs * places))
