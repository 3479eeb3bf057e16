"""Relaxed instances (section 5 of Schaus and Deville): some cells are left out, so that the rest can be solved.

A relaxed position stays empty and does not constrain its neighbours. Every other cell has a tile, each tile is used at
most once, and every edge between two cells that are not relaxed matches. The frame is still required: corner tiles are
in corners, border tiles on the rim with grey outward, inner tiles inside. So the remaining tiles are of the kinds that
the relaxed positions need, and are placed there optimally, as these positions do not touch.
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
    """The outcome of an attempt to solve a relaxed instance."""

    cells: NDArray[np.uint16]
    """The largest partial assignment, row by row: `tile * 4 + rotation`, or EMPTY."""
    solved: bool
    """Whether every cell that is not relaxed has a tile, and all edges between such cells match."""
    exhausted: bool
    """Whether it is proved that there is no solution."""
    placed: int
    """Number of cells that have a tile, including the pinned ones."""
    nodes: int
    """Number of decisions tried."""


def relaxed_positions(
    puzzle: Puzzle, rng: np.random.Generator, count: int, *, pins: Iterable[Hint] = ()
) -> NDArray[np.int64]:
    """Choose `count` cells at random, none of them pinned, no two with a common edge.

    Raises:
        SolverError: The board has fewer such cells.
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
    if len(chosen) < count:  # then only the squares of one colour of the checkerboard can be enough
        colours = [np.flatnonzero(~lattice.pinned & ((lattice.row + lattice.col) % 2 == colour)) for colour in (0, 1)]
        roomy = [colour for colour in colours if len(colour) >= count]
        if not roomy:
            raise SolverError(f"{count} positions to relax: the board has fewer free cells that do not touch")
        return np.sort(rng.choice(roomy[int(rng.integers(len(roomy)))], count, replace=False))
    return np.array(chosen, dtype=np.int64)


def domains(puzzle: Puzzle, lattice: Lattice) -> NDArray[np.bool_]:
    """Return which oriented tiles may be placed in which cell, ignoring edges; shape (cells, oriented tiles).

    A pinned cell allows its own tile only, and no other cell allows it.
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
    """Return the relaxed positions as a mask over the cells.

    Raises:
        SolverError: A position is outside the board, or pinned.
    """
    size, positions = lattice.rows * lattice.cols, np.asarray(relaxed, dtype=np.int64)
    wrong = positions[(positions < 0) | (positions >= size)]
    if len(wrong):
        raise SolverError(f"cannot relax cell {wrong[0]}: the board has cells 0 to {size - 1}")
    mask = np.zeros(size, dtype=np.bool_)
    mask[positions] = True
    if (mask & lattice.pinned).any():
        raise SolverError(f"cannot relax cell {np.flatnonzero(mask & lattice.pinned)[0]}: a hint is pinned there")
    return mask


def complete(
    puzzle: Puzzle, rng: np.random.Generator, cells: NDArray[np.uint16], *, pins: Iterable[Hint] = ()
) -> NDArray[np.uint16]:
    """Fill the empty cells of a partial board at random with the remaining tiles, each in a cell of its kind.

    If no two empty cells touch, as when a relaxed instance was solved, the tiles are placed optimally.

    Args:
        puzzle: The puzzle of the board.
        rng: Source of randomness.
        cells: The partial board, row by row; the pinned cells are filled first.
        pins: Hints to keep in place.

    Returns:
        The complete board, row by row.

    Raises:
        SolverError: A tile is on the partial board twice, or is pinned to another cell.
    """
    lattice = make_lattice(puzzle, pins)
    board = np.where(lattice.pinned, lattice.pins, np.asarray(cells, dtype=np.uint16))
    laid = board[board != EMPTY] >> 2
    if len(np.unique(laid)) < len(laid):
        raise SolverError("cannot complete the board: a tile is on it twice, or is pinned to another cell")
    holes = np.flatnonzero(board == EMPTY)
    left = rng.permutation(np.setdiff1d(np.arange(puzzle.size), laid))
    fitting = domains(puzzle, lattice).reshape(puzzle.size, puzzle.size, 4)
    for hole in rng.permutation(holes).tolist():
        first = int(fitting[hole, left].any(axis=1).argmax())  # or any tile, if there are too few of this kind
        tile = left[first]
        turns = np.flatnonzero(fitting[hole, tile]) if fitting[hole, tile].any() else np.arange(4)
        board[hole] = 4 * tile + rng.choice(turns)
        left = np.delete(left, first)
    if len(holes) and not np.isin(lattice.near[holes], holes).any():
        return replaced(rng, puzzle, board.reshape(puzzle.shape), holes.tolist()).ravel()
    return board
