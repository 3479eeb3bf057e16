"""Brute force on half of the board (section 5 of Schaus and Deville): the black squares of a checkerboard.

Every way to place and rotate tiles on the black squares is tried; the white squares do not touch, and are filled
optimally by an assignment. So n!/(n/2)! * 4^(n/2) placements represent all n! * 4^n boards. The result is the best
score of any board, whether its frame is valid or not. This is feasible for tiny boards only.
"""

from __future__ import annotations

from math import perm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.assignment import AssignmentScratch, assign, make_assignment_scratch, make_weights
from operators.lattice import Lattice, make_lattice, side_code
from puzzles import Puzzle
from puzzles.compiled import inlined, jit
from solvers.errors import SolverError

MOST_PLACEMENTS = 10**8
CHUNK = 100_000
"""Placements per compiled call: compiled code cannot be interrupted."""
_LEVELS = 5  # a tile matches 0 to 4 of its neighbours


class Optimum(NamedTuple):
    """The best board of a puzzle."""

    score: int
    cells: NDArray[np.uint16]
    """A board with this score, as a matrix."""
    placements: int
    """Number of placements of the black squares tried."""


class Squares(NamedTuple):
    """The two halves of a board, and the best so far."""

    black: NDArray[np.int64]
    white: NDArray[np.int64]
    cells: NDArray[np.uint16]
    """The current board, followed by the wall."""
    left: NDArray[np.uint16]
    """The tiles; those that are not on black squares are at the end."""
    weights: NDArray[np.uint8]
    """Per remaining tile and white square, the most edges that can match."""
    turns: NDArray[np.uint16]
    """The rotation with that many matches."""
    columns: NDArray[np.int32]
    best_cells: NDArray[np.uint16]
    best_score: NDArray[np.int64]


def placements(puzzle: Puzzle) -> int:
    """Return the number of ways to place and rotate tiles on the black squares, which are never more than the white."""
    black = puzzle.size // 2
    turns: int = 4**black
    return perm(puzzle.size, black) * turns


def brute_force(puzzle: Puzzle) -> Optimum:
    """Find the best score of all boards of a tiny puzzle by trying every placement of the black squares.

    Raises:
        SolverError: There are too many placements.
    """
    total = placements(puzzle)
    if total > MOST_PLACEMENTS:
        raise SolverError(
            f"a board of {puzzle.rows}x{puzzle.cols} has {total:.3g} placements of its black squares; "
            f"at most {MOST_PLACEMENTS:.0g} are tried"
        )
    lattice = make_lattice(puzzle)
    odd = (lattice.row + lattice.col) % 2 == 1  # never more than the even ones
    white, scratch = np.flatnonzero(~odd), make_assignment_scratch(int((~odd).sum()), _LEVELS)
    squares = Squares(
        np.flatnonzero(odd),
        white,
        np.full(puzzle.size + 1, 4 * puzzle.size, dtype=np.uint16),
        np.arange(puzzle.size, dtype=np.uint16),
        make_weights(len(white)),
        np.zeros((len(white), len(white)), dtype=np.uint16),
        np.zeros(len(white), dtype=np.int32),
        np.zeros(puzzle.size, dtype=np.uint16),
        np.array([-1]),
    )
    for first in range(0, total, CHUNK):
        try_placements(lattice, squares, scratch, first, min(total, first + CHUNK))
    return Optimum(int(squares.best_score[0]), squares.best_cells.reshape(puzzle.shape), total)


@jit
def try_placements(lattice: Lattice, squares: Squares, scratch: AssignmentScratch, first: int, last: int) -> None:
    """Try the placements numbered from `first` up to `last`, and keep the best board."""
    for number in range(first, last):
        _place_black(squares, number)
        _weigh_white(lattice, squares)
        score = assign(squares.weights, len(squares.white), squares.columns, scratch)
        if score > squares.best_score[0]:
            squares.best_score[0] = score
            _keep(squares)


@inlined
def _place_black(squares: Squares, number: int) -> None:
    """Place the tiles encoded by a number: each digit selects one of the remaining tiles and its rotation."""
    left = squares.left
    for tile in range(len(left)):
        left[tile] = tile
    for k in range(len(squares.black)):
        choices = 4 * (len(left) - k)
        digit = number % choices
        number //= choices
        at = k + (digit >> 2)
        left[k], left[at] = left[at], left[k]
        squares.cells[squares.black[k]] = 4 * left[k] + (digit & 3)


@inlined
def _weigh_white(lattice: Lattice, squares: Squares) -> None:
    """Compute the most edges that each remaining tile can match in each white square; all neighbours are black."""
    wall = lattice.rows * lattice.cols
    for column in range(len(squares.white)):
        near = lattice.near[squares.white[column]]
        for row in range(len(squares.white)):
            best = -1
            for turn in range(4):
                value = 4 * squares.left[len(squares.black) + row] + turn
                found = 0
                for side in range(4):
                    if near[side] != wall:
                        there = side_code(lattice.codes[squares.cells[near[side]]], (side + 2) & 3)
                        found += side_code(lattice.codes[value], side) == there
                if found > best:
                    best = found
                    squares.turns[row, column] = turn
            squares.weights[row, column] = best


@inlined
def _keep(squares: Squares) -> None:
    for k in range(len(squares.black)):
        squares.best_cells[squares.black[k]] = squares.cells[squares.black[k]]
    for row in range(len(squares.white)):
        column = squares.columns[row]
        tile = squares.left[len(squares.black) + row]
        squares.best_cells[squares.white[column]] = 4 * tile + squares.turns[row, column]
