"""Operators on seas with the whole fleet, whose ships neither touch each other nor contradict a hint."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from operators.errors import OperatorError
from operators.randomness import below
from puzzles.compiled import inlined, jit
from puzzles.pencil.battleship import BOTTOM, BUOY, HULL, LEFT, RIGHT, SHIP, TOP, WATER

CROWDED = "the fleet was not placed without contradicting a hint or touching, in a thousand attempts"
_TRIES, _SEAS = 100, 1000
"""How often a place for a ship is drawn before it is given up, and how many seas are begun."""


@inlined
def score(grid: Any, cells: NDArray[np.uint16]) -> int:
    """Return the cells of counted rows and columns that need not change, and the hints that are met."""
    total = 0
    for row in range(grid.rows):
        if grid.row_counts[row] >= 0:
            found = 0
            for col in range(grid.cols):
                found += cells[row * grid.cols + col] != WATER
            total += grid.cols - abs(found - grid.row_counts[row])
    for col in range(grid.cols):
        if grid.col_counts[col] >= 0:
            found = 0
            for row in range(grid.rows):
                found += cells[row * grid.cols + col] != WATER
            total += grid.rows - abs(found - grid.col_counts[col])
    for cell in range(len(grid.given)):
        hint = grid.given[cell]
        if hint == SHIP:
            total += cells[cell] != WATER
        else:
            total += hint == cells[cell]
    return total


@inlined
def _kind(length: int, k: int, vertical: bool) -> int:
    """Return the cell type of the k-th cell of a ship."""
    if length == 1:
        return BUOY
    if k == 0:
        return TOP if vertical else LEFT
    if k == length - 1:
        return BOTTOM if vertical else RIGHT
    return HULL


@inlined
def _fits(grid: Any, cells: NDArray[np.uint16], row: int, col: int, length: int, vertical: bool) -> bool:
    """Return whether a ship can be put there: inside the sea, next to no other, and against no hint."""
    high, wide = (length, 1) if vertical else (1, length)
    if row < 0 or col < 0 or row + high > grid.rows or col + wide > grid.cols:
        return False
    for r in range(max(row - 1, 0), min(row + high + 1, grid.rows)):
        for c in range(max(col - 1, 0), min(col + wide + 1, grid.cols)):
            if cells[r * grid.cols + c] != WATER:
                return False
    for k in range(length):
        cell = (row + k) * grid.cols + col if vertical else row * grid.cols + col + k
        hint = grid.given[cell]
        if hint >= 0 and hint != SHIP and hint != _kind(length, k, vertical):
            return False
    return True


@inlined
def _write(grid: Any, cells: NDArray[np.uint16], row: int, col: int, length: int, vertical: bool, put: bool) -> None:
    """Put a ship into the sea, or take it out."""
    for k in range(length):
        cell = (row + k) * grid.cols + col if vertical else row * grid.cols + col + k
        cells[cell] = _kind(length, k, vertical) if put else WATER


@inlined
def _length(grid: Any, cells: NDArray[np.uint16], row: int, col: int, vertical: bool) -> int:
    """Return how many cells with ships follow one another from a cell on."""
    length = 0
    while row < grid.rows and col < grid.cols and cells[row * grid.cols + col] != WATER:
        length += 1
        row, col = (row + 1, col) if vertical else (row, col + 1)
    return length


@jit
def _place(rng: np.random.Generator, grid: Any, cells: NDArray[np.uint16], length: int) -> bool:
    """Put a ship at a random place; return False if none was found."""
    for _ in range(_TRIES):
        vertical = below(rng, 2) == 1
        row, col = below(rng, grid.rows), below(rng, grid.cols)
        if _fits(grid, cells, row, col, length, vertical):
            _write(grid, cells, row, col, length, vertical, True)
            return True
    return False


@jit
def fill(rng: np.random.Generator, grid: Any, cells: NDArray[np.uint16]) -> None:
    """Place the fleet at random, the longest ships first."""
    for _ in range(_SEAS):
        cells[:] = WATER
        placed = True
        for length in grid.ships:
            placed = placed and _place(rng, grid, cells, length)
        if placed:
            return
    raise OperatorError(CROWDED)


@jit
def move_ship(rng: np.random.Generator, grid: Any, cells: NDArray[np.uint16]) -> None:
    """Move a random ship: half of the time by a step or a turn, otherwise anywhere; it stays if there is no place."""
    if not len(grid.ships):
        return
    wanted, cell = below(rng, len(grid.ships)), -1
    while wanted >= 0:
        cell += 1
        wanted -= cells[cell] == LEFT or cells[cell] == TOP or cells[cell] == BUOY
    row, col, vertical = cell // grid.cols, cell % grid.cols, cells[cell] == TOP
    length = _length(grid, cells, row, col, vertical)
    _write(grid, cells, row, col, length, vertical, False)
    if below(rng, 2) == 0:
        down, right, turned = below(rng, 3) - 1, below(rng, 3) - 1, below(rng, 2) == 1
        if _fits(grid, cells, row + down, col + right, length, turned):
            _write(grid, cells, row + down, col + right, length, turned, True)
            return
    elif _place(rng, grid, cells, length):
        return
    _write(grid, cells, row, col, length, vertical, True)


@jit
def cross(
    rng: np.random.Generator,
    grid: Any,
    mother: NDArray[np.uint16],
    father: NDArray[np.uint16],
    child: NDArray[np.uint16],
) -> None:
    """Fill a child with the father's ships in a random rectangle, then the mother's ships that fit.

    The rest of the fleet is placed at random; if that fails, the child is the mother's copy.
    """
    high, wide = 1 + below(rng, grid.rows), 1 + below(rng, grid.cols)
    top, left = below(rng, grid.rows - high + 1), below(rng, grid.cols - wide + 1)
    child[:] = WATER
    missing = grid.ships.copy()
    for parent in range(2):
        source = father if parent == 0 else mother
        for cell in range(len(source)):
            if source[cell] != LEFT and source[cell] != TOP and source[cell] != BUOY:
                continue
            row, col, vertical = cell // grid.cols, cell % grid.cols, source[cell] == TOP
            if parent == 0 and not (top <= row < top + high and left <= col < left + wide):
                continue
            length = _length(grid, source, row, col, vertical)
            if _fits(grid, child, row, col, length, vertical) and _cross_out(missing, length):
                _write(grid, child, row, col, length, vertical, True)
    for length in missing:
        if length and not _place(rng, grid, child, length):
            child[:] = mother
            return


@inlined
def _cross_out(missing: NDArray[np.int64], length: int) -> bool:
    """Set an entry of a length to 0; return whether there was one."""
    for k in range(len(missing)):
        if missing[k] == length:
            missing[k] = 0
            return True
    return False


@jit
def is_whole(grid: Any, cells: NDArray[np.uint16]) -> bool:
    """Return whether a sea has the whole fleet, and no ships that touch or contradict a hint."""
    left, missing = cells.copy(), grid.ships.copy()
    for cell in range(len(left)):
        if left[cell] == WATER:
            continue
        row, col, vertical = cell // grid.cols, cell % grid.cols, left[cell] == TOP
        length = _length(grid, left, row, col, vertical)
        for k in range(length):
            if left[cell + k * (grid.cols if vertical else 1)] != _kind(length, k, vertical):
                return False
        _write(grid, left, row, col, length, vertical, False)
        if not _fits(grid, left, row, col, length, vertical) or not _cross_out(missing, length):
            return False
    return bool((missing == 0).all())
