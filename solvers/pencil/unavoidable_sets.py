"""The small unavoidable sets of a 9x9 Sudoku grid: cells of which a puzzle must give one, lest there be a second way.

They lie within the cells of a few numbers, rows, columns or boxes. All solutions of a puzzle that gives all other cells
are compared with the grid, and of the cells in which they differ the smallest sets are kept.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from solvers.pencil.sudoku_bands import solve_lines

_SOLUTIONS = 2_000  # of one region that are looked at


def small_unavoidable_sets(grid: NDArray[np.int64], largest: int) -> list[frozenset[int]]:
    """Return unavoidable sets of at most `largest` cells, none within another, the smallest first.

    They are nearly all of them, not provably all.

    Args:
        grid: The filled grid, row by row.
        largest: The number of cells that a set may have.
    """
    rows, cols = np.divmod(np.arange(81), 9)
    boxes = rows // 3 * 3 + cols // 3
    found: set[bytes] = set()
    for units, sizes in ((grid - 1, (2, 3, 4)), (rows, (2, 3)), (cols, (2, 3)), (boxes, (3, 4))):
        for size in sizes:
            free = np.array([np.isin(units, chosen) for chosen in combinations(range(9), size)])
            counts, solutions = solve_lines(np.where(free, 0, grid).astype(np.uint8), _SOLUTIONS)
            for count, others in zip(counts, solutions, strict=True):
                different = others[:count] != grid
                lengths = different.sum(axis=1)
                found.update(row.tobytes() for row in different[(lengths > 0) & (lengths <= largest)])
    sets = sorted(
        (np.flatnonzero(np.frombuffer(row, dtype=np.bool_)).tolist() for row in found), key=lambda s: (len(s), s)
    )
    kept: list[frozenset[int]] = []
    for members in map(frozenset, sets):
        if not any(smaller <= members for smaller in kept):
            kept.append(members)
    return kept
