"""Generators of Sudoku and Battleship puzzles whose solution is proved to be unique."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.pencil import Battleship, Sudoku
from puzzles.pencil.battleship import UNKNOWN, WATER, ship_cells
from puzzles.pencil.rules import Cell, Grid
from puzzles.pencil.sudoku import usual_box
from solvers.errors import SolverError
from solvers.pencil import sudoku_search
from solvers.pencil.battleship_models import gbm
from solvers.pencil.search import Search
from solvers.pencil.solving import usual_engine
from solvers.pencil.sudoku_bands import remove_clues

_PATIENCE = 5  # chunks of the search for a second solution, after which a clue is kept
_SEARCHED = 12  # sides up to which a grid is found by search; larger ones are shuffled from a regular one
_FLEETS = {6: (3, 2, 1), 8: (3, 3, 2, 1), 10: (4, 3, 2, 1), 15: (5, 4, 3, 2, 1)}  # Table 4.2
_TRIES = 500


def sudoku(rng: np.random.Generator, side: int, clues: int | None = None, box: tuple[int, int] | None = None) -> Sudoku:
    """Return a Sudoku with a unique solution.

    Args:
        rng: The source of randomness.
        side: The number of rows.
        clues: The number of clues to stop at. By default clues are removed until none can be, up to a side of 9, and
            until half of the cells are left on larger grids.
        box: The shape of a box; the usual one by default.

    Raises:
        SolverError: No more clues could be removed before their number was reached.
    """
    shape = box or usual_box(side)
    wanted = clues if clues is not None else (0 if side <= 9 else side * side // 2)
    if not 0 <= wanted <= side * side:
        raise SolverError(f"the number of clues {wanted} is not within 0..{side * side}")
    grid = np.array(_full_grid(rng, side, shape))
    order = rng.permutation(side * side)
    if shape == (3, 3):
        grid = remove_clues(grid.ravel().astype(np.uint8), order, wanted).reshape(side, side)
    for cell in order.tolist() if shape != (3, 3) else ():
        if (grid > 0).sum() <= wanted:
            break
        kept, grid[divmod(cell, side)] = int(grid[divmod(cell, side)]), 0
        if not _unique(grid, shape):
            grid[divmod(cell, side)] = kept
    left = int((grid > 0).sum())
    if clues is not None and left > clues:
        raise SolverError(f"no puzzle with {clues} clues was found from this seed; {left} is the least")
    return Sudoku(tuple(map(tuple, grid.tolist())), shape)


def _unique(grid: NDArray[Any], box: tuple[int, int]) -> bool:
    """Return whether a second solution is excluded; False also if that takes too long."""
    found, patience = 0, _PATIENCE
    for solution in sudoku_search.solutions(Sudoku(tuple(map(tuple, grid.tolist())), box)):
        found, patience = found + (solution is not None), patience - (solution is None)
        if found > 1 or patience == 0:
            return False
    return True


def _full_grid(rng: np.random.Generator, side: int, box: tuple[int, int]) -> Grid:
    high, wide = box
    start = np.zeros((side, side), dtype=int)
    if side <= _SEARCHED:
        for k in range(min(side // high, side // wide)):  # boxes on the diagonal do not see each other
            cells = start[k * high : (k + 1) * high, k * wide : (k + 1) * wide]
            cells[:] = (rng.permutation(side) + 1).reshape(high, wide)
        found = next((g for g in sudoku_search.solutions(Sudoku(tuple(map(tuple, start.tolist())), box)) if g), None)
        if found is not None:
            return found
    rows = [p * high + i for p in rng.permutation(side // high) for i in rng.permutation(high)]
    cols = [q * wide + j for q in rng.permutation(side // wide) for j in rng.permutation(wide)]
    numbers = (rng.permutation(side) + 1).tolist()
    return tuple(tuple(numbers[(i * wide + i // high + j) % side] for j in cols) for i in rows)


def battleship(
    rng: np.random.Generator, side: int, fleet: tuple[tuple[int, int], ...] | None = None, hints: int = 0
) -> Battleship:
    """Return a Battleship puzzle with a unique solution.

    Hints are added where another solution differs, until there is none.

    Args:
        rng: The source of randomness.
        side: The number of rows and columns.
        fleet: Pairs of a ship length and a number of ships; by default that of Table 4.2 for the next smaller size.
        hints: The least number of hints.

    Raises:
        SolverError: The fleet could not be placed.
    """
    if fleet is None:
        known = max((size for size in _FLEETS if size <= side), default=6)
        fleet = tuple((length, count) for length, count in enumerate(_FLEETS[known], start=1))
    sea = _placed(rng, side, fleet)
    shown = np.full(sea.shape, UNKNOWN)
    counts = [tuple((sea != WATER).sum(axis=axis).tolist()) for axis in (1, 0)]
    cells = [tuple(cell) for cell in np.argwhere(shown == UNKNOWN).tolist()]
    for k in rng.permutation(len(cells))[:hints]:
        shown[cells[k]] = sea[cells[k]]
    while True:
        puzzle = Battleship(counts[0], counts[1], fleet, tuple(map(tuple, shown.tolist())))
        other = _other(puzzle, tuple(map(tuple, sea.tolist())))
        if other is None:
            return puzzle
        differing = np.argwhere(np.array(other) != sea).tolist()
        cell = tuple(differing[int(rng.integers(len(differing)))])
        shown[cell] = sea[cell]


def _other(puzzle: Battleship, solution: Grid) -> Grid | None:
    """Return a solution that differs from a known one, or None if it is proved that there is none."""
    model = gbm(puzzle)
    search = Search(model, usual_engine(puzzle, model))
    for values in search.solutions():
        found: Grid = model.decode(values)
        if found != solution:
            return found
    return None


def _placed(rng: np.random.Generator, side: int, fleet: tuple[tuple[int, int], ...]) -> NDArray[np.int64]:
    """Return a sea with a fleet in it, the longest ships placed first."""
    lengths = [length for length, count in sorted(fleet, reverse=True) for _ in range(count)]
    for _ in range(_TRIES):
        sea = np.zeros((side, side), dtype=int)
        if all(_place(rng, sea, length) for length in lengths):
            return sea
    raise SolverError(f"the fleet could not be placed into a sea of {side}x{side}")


def _place(rng: np.random.Generator, sea: NDArray[np.int64], length: int) -> bool:
    side = len(sea)

    def free(cell: Cell) -> bool:
        return not sea[max(cell[0] - 1, 0) : cell[0] + 2, max(cell[1] - 1, 0) : cell[1] + 2].any()

    places = [
        ship
        for vertical in (False, True)
        for i in range(side - (length - 1) * vertical)
        for j in range(side - (length - 1) * (not vertical))
        for ship in [ship_cells((i, j), length, vertical)]
        if all(free(cell) for cell, _ in ship)
    ]
    if not places:
        return False
    for cell, kind in places[int(rng.integers(len(places)))]:
        sea[cell] = kind
    return True
