"""`Grid`: a Sudoku or a Battleship puzzle as tables for compiled code, and the operators that serve both.

A candidate is a flat array of cells. That of a Sudoku holds every number once in each box, and the clues; that of
Battleship is a sea with the whole fleet, whose ships neither touch nor contradict a hint. Operators keep this, and the
score counts the rest: in every row and column, the cells that need not change for it to be right, and the hints met.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.errors import OperatorError
from operators.pencil import battleship, sudoku
from puzzles.compiled import inlined, jit
from puzzles.pencil import Battleship, Sudoku
from puzzles.pencil.battleship import UNKNOWN
from puzzles.pencil.rules import at
from puzzles.pencil.sudoku import units


class Grid(NamedTuple):
    """The tables of a puzzle. Those of the other kind are empty."""

    is_sudoku: bool
    rows: int
    cols: int
    given: NDArray[np.int64]
    """The clue or the hint of each cell, or -1."""
    boxes: NDArray[np.int64]
    """Sudoku: the cells of each box, box by box in rows."""
    boxes_beside: int
    """Sudoku: the number of boxes in a row of boxes."""
    swaps: NDArray[np.int64]
    """Sudoku: the pairs of cells in a box that are not clues."""
    row_counts: NDArray[np.int64]
    """Battleship: the counts, -1 where there is none."""
    col_counts: NDArray[np.int64]
    ships: NDArray[np.int64]
    """Battleship: the length of each ship, the longest first."""


def make_grid(puzzle: Sudoku | Battleship) -> Grid:
    """Return the tables of a puzzle.

    Raises:
        OperatorError: Its candidates cannot be made: a clue appears twice in a box.
    """
    none = np.zeros(0, dtype=np.int64)
    pairs = np.zeros((0, 2), dtype=np.int64)
    if isinstance(puzzle, Battleship):
        rows, cols = puzzle.shape
        given = np.array(puzzle.hints, dtype=np.int64).ravel()
        ships = np.array([length for length, count in reversed(puzzle.fleet) for _ in range(count)], dtype=np.int64)
        counts = [np.array(found, dtype=np.int64) for found in (puzzle.row_counts, puzzle.column_counts)]
        return Grid(False, rows, cols, given, pairs, 0, pairs, counts[0], counts[1], ships)
    side = puzzle.side
    clues = np.array(puzzle.clues, dtype=np.int64).ravel()
    boxes = [[i * side + j for i, j in cells] for name, cells in units(side, puzzle.box) if name.startswith("the box")]
    swaps = []
    for cells in boxes:
        found = [int(clues[cell]) for cell in cells if clues[cell]]
        if len(set(found)) < len(found):
            twice = next(number for number in found if found.count(number) > 1)
            where = at(divmod(cells[0], side))
            raise OperatorError(f"the box at {where} has the clue {twice} twice, so no filling of it can be varied")
        free = [cell for cell in cells if not clues[cell]]
        swaps += [(one, other) for k, one in enumerate(free) for other in free[k + 1 :]]
    given = np.where(clues > 0, clues, -1)
    moves = np.array(swaps, dtype=np.int64).reshape(-1, 2)
    return Grid(True, side, side, given, np.array(boxes), side // puzzle.box[1], moves, none, none, none)


def max_score(grid: Grid) -> int:
    """Return the score of a solution."""
    if grid.is_sudoku:
        return 2 * grid.rows * grid.cols
    known = [int((counts != UNKNOWN).sum()) for counts in (grid.row_counts, grid.col_counts)]
    return known[0] * grid.cols + known[1] * grid.rows + int((grid.given != UNKNOWN).sum())


@jit
def score(grid: Grid, cells: NDArray[np.uint16]) -> int:
    """Return the score of a candidate, or of a grid that is filled in part."""
    if grid.is_sudoku:
        return sudoku.score(grid.rows, cells)
    return battleship.score(grid, cells)


@jit
def fill(rng: np.random.Generator, grid: Grid, cells: NDArray[np.uint16]) -> None:
    """Fill a random candidate."""
    if grid.is_sudoku:
        sudoku.fill(rng, grid, cells)
    else:
        battleship.fill(rng, grid, cells)


@inlined
def mutate(rng: np.random.Generator, grid: Grid, cells: NDArray[np.uint16], times: int) -> None:
    """Change a candidate a number of times: swap two numbers in a box, or move a ship."""
    for _ in range(times):
        if grid.is_sudoku:
            sudoku.swap(rng, grid, cells)
        else:
            battleship.move_ship(rng, grid, cells)


@jit
def cross(
    rng: np.random.Generator,
    grid: Grid,
    mother: NDArray[np.uint16],
    father: NDArray[np.uint16],
    child: NDArray[np.uint16],
) -> None:
    """Fill a child: a region of the father, a rectangle of whole boxes or of the sea, in a copy of the mother."""
    if grid.is_sudoku:
        sudoku.cross(rng, grid, mother, father, child)
    else:
        battleship.cross(rng, grid, mother, father, child)


@jit
def is_whole(grid: Grid, cells: NDArray[np.uint16]) -> bool:
    """Return whether cells are a candidate that operators can vary."""
    if grid.is_sudoku:
        return sudoku.is_whole(grid, cells)
    return battleship.is_whole(grid, cells)
