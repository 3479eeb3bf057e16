"""Operators on filled Sudoku grids, each box of which is a permutation of the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from operators.randomness import below
from puzzles.compiled import inlined


@inlined
def score(side: int, cells: NDArray[np.uint16]) -> int:
    """Return the number of different numbers in each row and column, added up; 0 stands for an empty cell."""
    total = 0
    for line in range(side):
        in_row = in_col = np.int64(1)
        for k in range(side):
            bit = np.int64(1) << np.int64(cells[line * side + k])
            total += (in_row & bit) == 0
            in_row |= bit
            bit = np.int64(1) << np.int64(cells[k * side + line])
            total += (in_col & bit) == 0
            in_col |= bit
    return total


@inlined
def fill(rng: np.random.Generator, grid: Any, cells: NDArray[np.uint16]) -> None:
    """Fill every box with its clues and a random order of the other numbers."""
    for box in grid.boxes:
        used = np.int64(0)
        for cell in box:
            if grid.given[cell] > 0:
                used |= np.int64(1) << grid.given[cell]
        number = 0
        for cell in box:
            if grid.given[cell] > 0:
                cells[cell] = grid.given[cell]
                continue
            number += 1
            while used >> number & 1:
                number += 1
            cells[cell] = number
        free = 0
        for cell in box:  # shuffle: each free cell is exchanged with one of those up to it
            if grid.given[cell] < 0:
                free += 1
                other = _free_cell(grid, box, below(rng, free))
                cells[cell], cells[other] = cells[other], cells[cell]


@inlined
def _free_cell(grid: Any, box: NDArray[np.int64], number: int) -> int:
    """Return the cell of a box that has so many cells without clues before it."""
    k = -1
    while number >= 0:
        k += 1
        number -= grid.given[box[k]] < 0
    return int(box[k])


@inlined
def swap(rng: np.random.Generator, grid: Any, cells: NDArray[np.uint16]) -> None:
    """Exchange the numbers of two cells of a box that are not clues, if there are such cells."""
    if len(grid.swaps):
        pair = below(rng, len(grid.swaps))
        one, other = grid.swaps[pair, 0], grid.swaps[pair, 1]
        cells[one], cells[other] = cells[other], cells[one]


@inlined
def cross(
    rng: np.random.Generator,
    grid: Any,
    mother: NDArray[np.uint16],
    father: NDArray[np.uint16],
    child: NDArray[np.uint16],
) -> None:
    """Fill a child with a rectangle of whole boxes of the father, and the mother's other boxes."""
    wide = grid.boxes_beside
    high = len(grid.boxes) // wide
    height, width = 1 + below(rng, high), 1 + below(rng, wide)
    top, left = below(rng, high - height + 1), below(rng, wide - width + 1)
    for box in range(len(grid.boxes)):
        row, col = box // wide, box % wide
        inside = top <= row < top + height and left <= col < left + width
        for cell in grid.boxes[box]:
            child[cell] = father[cell] if inside else mother[cell]


@inlined
def is_whole(grid: Any, cells: NDArray[np.uint16]) -> bool:
    """Return whether every box has every number once, and the clues are kept."""
    whole = True
    for box in grid.boxes:
        found = np.int64(0)
        for cell in box:
            number = np.int64(cells[cell])
            if not 1 <= number <= grid.rows or (grid.given[cell] > 0 and grid.given[cell] != number):
                whole = False
            else:
                found |= np.int64(1) << number
        whole = whole and found == (np.int64(1) << (grid.rows + 1)) - 2
    return whole
