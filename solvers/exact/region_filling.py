"""Filling a region of a board anew, so that all of its edges match: a move for large neighbourhood search (section 7).

Benoist and Bourreau remark that a tree search can be such a move. A rectangle of a complete board is emptied, and edge
filtering looks for a way to put its tiles back such that all edges inside it, and those to the cells around it, match.
The search is on a puzzle of its own: the rectangle, and around it a ring of pinned tiles that show what the neighbours
show. Grey is an ordinary colour there: a rectangle whose tiles have as many grey sides as lie on the rim has them all
there, and one with more or fewer cannot be filled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import DOWN, GREY, LEFT, RIGHT, UP, Hint, Puzzle
from solvers.errors import SolverError
from solvers.exact.coloured_tiles import MOST
from solvers.exact.edge_filtering import EdgeFiltering
from solvers.exact.enumerator import EXHAUSTED, OVER


class Region(NamedTuple):
    """A rectangle of cells."""

    row: int
    col: int
    rows: int
    cols: int


class Filling(NamedTuple):
    """What became of a region."""

    cells: NDArray[np.uint16] | None
    """The board with the region filled; None if no way was found."""
    impossible: bool
    """Whether there is no way to fill it."""
    nodes: int


def fill_region(
    puzzle: Puzzle, cells: NDArray[np.uint16], region: Region, rng: np.random.Generator, nodes: int = 10_000
) -> Filling:
    """Fill a region of a complete board with its own tiles, so that all edges in it and around it match.

    Args:
        puzzle: The puzzle.
        cells: The board, flat or in rows; edges elsewhere may be mismatches.
        region: The rectangle; with the ring around it, it may have 64 cells: 6x6, for example.
        rng: Shuffles the order in which tiles are tried.
        nodes: The most nodes of the search.

    Raises:
        SolverError: The region is not on the board, or too large; or the tiles have no grey sides for the rim.
    """
    top, left, rows, cols = region
    if not (0 <= top < top + rows <= puzzle.rows and 0 <= left < left + cols <= puzzle.cols):
        raise SolverError(f"expected a region on a board of {puzzle.rows}x{puzzle.cols}; found {region}")
    if (rows + 2) * (cols + 2) > MOST:
        raise SolverError(f"expected a region of at most {MOST} cells with the ring around it; found {rows}x{cols}")
    if not puzzle.framed:
        raise SolverError(f"{puzzle.name}: expected tiles with grey sides for the rim; found none")
    board = np.array(cells, dtype=np.uint16).reshape(puzzle.shape)
    taken = board[top : top + rows, left : left + cols].ravel()
    rim = cols * ((top == 0) + (top + rows == puzzle.rows)) + rows * ((left == 0) + (left + cols == puzzle.cols))
    if np.count_nonzero(puzzle.tiles[taken >> 2] == GREY) != rim:
        return Filling(None, True, 0)
    ring, pins = _ring(puzzle, board, region)
    order = [*ring, *(puzzle.tiles[taken >> 2] + 1).tolist()]
    small = Puzzle(rows + 2, cols + 2, np.array(order), name="region", strict=False)
    search = EdgeFiltering(small, rng, nodes, pins=pins, limit=1)
    for _ in search.reports():
        pass
    found, tally = search.solutions(), search.tally()
    if not found:
        return Filling(None, int(search.state()["numbers"][OVER]) == EXHAUSTED, tally.nodes)
    inner = found[0].reshape(small.shape)[1:-1, 1:-1].astype(np.int64)
    filled = board.copy()
    filled[top : top + rows, left : left + cols] = 4 * (taken[(inner >> 2) - len(ring)] >> 2) + inner % 4
    return Filling(filled.reshape(np.shape(cells)), False, tally.nodes)


def _ring(puzzle: Puzzle, board: NDArray[np.uint16], region: Region) -> tuple[list[list[int]], list[Hint]]:
    """Return the tiles around a region, all colours one higher, and where they are pinned.

    Towards the region they show what the neighbours show, or grey on the rim; elsewhere a colour of their own.
    """
    top, left, rows, cols = region
    own = int(puzzle.tiles.max()) + 2
    tiles: list[list[int]] = []
    pins: list[Hint] = []
    for row in range(rows + 2):
        for col in range(cols + 2):
            if 1 <= row <= rows and 1 <= col <= cols:
                continue
            tile = [own] * 4
            towards = _towards(row, col, rows, cols)
            if towards is not None:
                at = top + row - 1, left + col - 1
                on_board = 0 <= at[0] < puzzle.rows and 0 <= at[1] < puzzle.cols
                tile[towards] = 1 + (int(puzzle.sides[towards, board[at]]) if on_board else GREY)
            pins.append(Hint(len(tiles), row, col, 0))
            tiles.append(tile)
    return tiles, pins


def _towards(row: int, col: int, rows: int, cols: int) -> int | None:
    """Return the side of a ring's cell that touches the region; None at a corner of the ring."""
    if 1 <= col <= cols:
        return DOWN if row == 0 else UP
    if 1 <= row <= rows:
        return RIGHT if col == 0 else LEFT
    return None
