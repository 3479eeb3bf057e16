"""Relaxed instances (section 5 of Schaus and Deville): some cells are left out, which makes the rest soluble.

A relaxed position is left empty and demands nothing of its neighbours. Every other cell gets a tile, each tile lies
once, and every edge between two cells that are not relaxed matches. Grey stays on the rim even so: corner tiles go into
corners, rim tiles on the rim with grey outward, inner tiles inside. So the tiles that are left are of the kinds that
the relaxed positions need, and are put there optimally, as those positions do not touch.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from operators.lattice import Lattice, make_lattice
from operators.single_boards import replaced
from puzzles import EMPTY, GREY, Hint, Puzzle
from solvers.errors import SolverError

_SIDES = np.array([1, 2, 4, 8])


class Outcome(NamedTuple):
    """What came of an attempt to solve a relaxed problem."""

    cells: NDArray[np.uint16]
    """The largest partial assignment, row by row: `tile * 4 + rotation`, 65535 where nothing lies."""
    solved: bool
    """Whether every cell that is not relaxed has a tile, and all edges between such cells match."""
    exhausted: bool
    """Whether it is known that there is no solution."""
    placed: int
    """How many cells have a tile, with the pinned ones."""
    nodes: int
    """How many decisions were tried."""


def relaxed_positions(
    puzzle: Puzzle, rng: np.random.Generator, count: int, *, pins: Iterable[Hint] = ()
) -> NDArray[np.int64]:
    """Choose `count` cells at random, none of them pinned, no two with a common edge.

    Raises:
        SolverError: There are not so many such cells.
    """
    return scattered_positions(make_lattice(puzzle, pins), rng, count)


def scattered_positions(lattice: Lattice, rng: np.random.Generator, count: int) -> NDArray[np.int64]:
    """Choose `count` cells of a lattice; see `relaxed_positions`."""
    barred = np.append(lattice.pinned, True)  # the wall is never chosen
    chosen: list[int] = []
    for cell in rng.permutation(lattice.rows * lattice.cols).tolist():
        if len(chosen) < count and not barred[cell]:
            chosen.append(cell)
            barred[cell] = barred[lattice.near[cell]] = True
    if len(chosen) < count:  # then only one colour of the checkerboard can hold so many
        colours = [np.flatnonzero(~lattice.pinned & ((lattice.row + lattice.col) % 2 == colour)) for colour in (0, 1)]
        roomy = [colour for colour in colours if len(colour) >= count]
        if not roomy:
            raise SolverError(f"{count} positions are to be relaxed; there are not so many that do not touch")
        return np.sort(rng.choice(roomy[int(rng.integers(len(roomy)))], count, replace=False))
    return np.array(chosen, dtype=np.int64)


def domains(puzzle: Puzzle, lattice: Lattice) -> NDArray[np.bool_]:
    """Which oriented tiles may lie in which cell, before any edge is looked at; shape (cells, oriented tiles).

    A pinned cell has its own tile only, and no other cell has it.
    """
    if puzzle.framed:
        walls = (lattice.near == puzzle.size) @ _SIDES
        grey = (puzzle.sides == GREY).T @ _SIDES
        possible: NDArray[np.bool_] = walls[:, np.newaxis] == grey
    else:
        possible = np.ones((puzzle.size, 4 * puzzle.size), dtype=np.bool_)
    held = lattice.pins[lattice.pinned]
    possible.reshape(puzzle.size, puzzle.size, 4)[:, held >> 2] = False
    possible[lattice.pinned] = False
    possible[np.flatnonzero(lattice.pinned), held] = True
    return possible


def relaxed_mask(lattice: Lattice, relaxed: ArrayLike) -> NDArray[np.bool_]:
    """The relaxed positions as a mask over the cells."""
    size, positions = lattice.rows * lattice.cols, np.asarray(relaxed, dtype=np.int64)
    wrong = positions[(positions < 0) | (positions >= size)]
    if len(wrong):
        raise SolverError(f"cell {wrong[0]} is to be relaxed; the board has cells 0 to {size - 1}")
    mask = np.zeros(size, dtype=np.bool_)
    mask[positions] = True
    if (mask & lattice.pinned).any():
        raise SolverError(
            f"cell {np.flatnonzero(mask & lattice.pinned)[0]} is to be relaxed, but a hint is pinned there"
        )
    return mask


def complete(
    puzzle: Puzzle, rng: np.random.Generator, cells: NDArray[np.uint16], *, pins: Iterable[Hint] = ()
) -> NDArray[np.uint16]:
    """Fill the empty cells of a partial board at random with the tiles that are left, each where its kind belongs.

    Where no two of the empty cells touch, as when a relaxed problem was solved, the tiles are put there optimally.

    Args:
        puzzle: The puzzle of the board.
        rng: Source of randomness.
        cells: The partial board, row by row; the pinned cells are filled first.
        pins: Hints to keep in place.

    Returns:
        The complete board, row by row.
    """
    lattice = make_lattice(puzzle, pins)
    board = np.where(lattice.pinned, lattice.pins, np.asarray(cells, dtype=np.uint16))
    laid = board[board != EMPTY] >> 2
    if len(np.unique(laid)) < len(laid):
        raise SolverError("a tile lies twice on the board that is to be completed, or is pinned elsewhere")
    holes = np.flatnonzero(board == EMPTY)
    left = rng.permutation(np.setdiff1d(np.arange(puzzle.size), laid))
    fitting = domains(puzzle, lattice).reshape(puzzle.size, puzzle.size, 4)
    for hole in rng.permutation(holes).tolist():
        first = int(fitting[hole, left].any(axis=1).argmax())  # or any tile, where there are too few of a kind
        tile = left[first]
        turns = np.flatnonzero(fitting[hole, tile]) if fitting[hole, tile].any() else np.arange(4)
        board[hole] = 4 * tile + rng.choice(turns)
        left = np.delete(left, first)
    if len(holes) and not np.isin(lattice.near[holes], holes).any():
        return replaced(rng, puzzle, board.reshape(puzzle.shape), holes.tolist()).ravel()
    return board
