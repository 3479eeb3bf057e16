"""`Strip`: cells in the order in which a search fills them, and the tables of what each tile costs in each cell.

A strip is a chain of cells, each linked to the one before it, or a ladder: two such chains side by side, which are
filled column by column. A search that fills it knows the colours on the cut between filled and empty cells, one for a
chain, two or three for a ladder, and needs to know nothing else of the cells behind the cut.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import DOWN, EMPTY, LEFT, RIGHT, UP
from puzzles.compiled import inlined
from solvers.errors import SolverError
from solvers.regions.ground import Ground, Rectangle

NONE = -1
UNIT = 4096
"""The cost of an unmatched edge: costs and prices are whole numbers, so that bounds are exact."""


class Strip(NamedTuple):
    """The cells of a strip in the order of filling, and the sides by which each is linked to others of the strip."""

    cells: NDArray[np.int32]
    enter: NDArray[np.int8]
    """The side towards the previous cell of the same chain; NONE at its beginning."""
    leave: NDArray[np.int8]
    """The side towards the next cell of the same chain; NONE at its end."""
    across: NDArray[np.int8]
    """The side towards the cell beside it in a ladder; NONE in a chain."""
    ladder: bool


class Tables(NamedTuple):
    """What each tile costs in each cell of a strip, and where it leads: rows belong to the cells of the strip."""

    choices: NDArray[np.int32]
    """The number of oriented tiles that may lie in each cell."""
    tile: NDArray[np.int32]
    """The oriented tiles that may lie there, sorted by the colours that they show to the cut."""
    base: NDArray[np.int32]
    """The number of sides that do not match tiles around the strip."""
    match: NDArray[np.int32]
    """The colour shown to the previous cell of the chain."""
    cross: NDArray[np.int32]
    """The colour that the second cell of a column shows to the first."""
    follow: NDArray[np.int32]
    """Where the tile leads: the index of the colours it adds to the cut."""
    first: NDArray[np.int32]
    """Per pair of colours, cross and match, where the tiles that show them begin."""


def strip_of(rows: int, cols: int, rectangle: Rectangle) -> Strip:
    """Return a rectangle as a strip along its longer side.

    Raises:
        SolverError: Both sides are longer than two cells.
    """
    top, left, height, width = rectangle
    if min(height, width) > 2:
        raise SolverError(f"a strip has one or two rows or columns; found a region of {height}x{width} cells")
    index = np.arange(rows * cols).reshape(rows, cols)[top : top + height, left : left + width]
    back, ahead, beside = (LEFT, RIGHT, DOWN) if height <= width else (UP, DOWN, RIGHT)
    lanes = index if height <= width else index.T
    return _linked(lanes, back, ahead, beside)


def _linked(lanes: NDArray[np.int64], back: int, ahead: int, beside: int) -> Strip:
    wide, length = lanes.shape
    enter, leave, across = (np.full((length, wide), NONE, dtype=np.int8) for _ in range(3))
    enter[1:], leave[:-1] = back, ahead
    if wide == 2:
        across[:, 0], across[:, 1] = beside, (beside + 2) % 4
    cells = np.ascontiguousarray(lanes.T).ravel().astype(np.int32)
    return Strip(cells, enter.ravel(), leave.ravel(), across.ravel(), wide == 2)


def make_tables(ground: Ground, length: int) -> Tables:
    """Return room for the tables of a strip of up to so many cells."""
    most, codes = ground.sides.shape[1], ground.colours + 1
    tile, base, match, cross, follow = np.zeros((5, length, most), dtype=np.int32)
    first = np.zeros((length, codes * codes + 1), dtype=np.int32)
    return Tables(np.zeros(length, dtype=np.int32), tile, base, match, cross, follow, first)


@inlined
def is_second(strip: Strip, at: int) -> bool:
    """Return whether a cell is the second of its column, which has to match two cells of the strip."""
    return strip.ladder and at & 1 == 1


@inlined
def fill_tables(
    ground: Ground,
    strip: Strip,
    board: NDArray[np.uint16],
    used: NDArray[np.bool_],
    order: NDArray[np.int32],
    tables: Tables,
) -> None:
    """Compute the tables of a strip.

    Args:
        ground: The puzzle.
        strip: The strip.
        board: The board, whose cells in the strip are ignored; other cells that are EMPTY cost nothing.
        used: The tiles that may not be used; all pinned tiles are among them.
        order: All oriented tiles, in the order in which tiles that look alike are listed.
        tables: Where the result is written.
    """
    codes = ground.colours + 1  # grey shown ahead has a code of its own, which no tile shows back
    wall, grey = ground.rows * ground.cols, ground.colours
    for at in range(len(strip.cells)):
        cell, first = strip.cells[at], tables.first[at]
        first[:] = 0
        second, pin = is_second(strip, at), ground.pins[cell]
        for sweep in range(2):
            for k in range(len(order)):
                one = order[k]
                if pin != EMPTY and one != pin:
                    continue
                if pin == EMPTY and (used[one >> 2] or (ground.framed and ground.grey[one] != ground.walls[cell])):
                    continue
                enter, leave, across = strip.enter[at], strip.leave[at], strip.across[at]
                match = ground.sides[enter, one] if enter != NONE else 0
                cross = ground.sides[across, one] if second else 0
                bucket = cross * codes + match
                if sweep == 0:
                    first[bucket + 1] += 1
                    continue
                ahead = ground.sides[leave, one] if leave != NONE else 0
                if leave != NONE and ahead == 0:
                    ahead = grey
                if strip.ladder and not second:
                    below = ground.sides[across, one]
                    ahead = ahead * codes + (below if below else grey)
                base = 0
                for side in range(4):
                    near = ground.near[cell, side]
                    if side in (enter, leave, across) or near == wall:
                        continue
                    there = board[near]
                    if there != EMPTY:
                        shown = ground.sides[side, one]
                        base += shown == 0 or shown != ground.sides[(side + 2) & 3, there]
                place = first[bucket]
                first[bucket] += 1
                tables.tile[at, place], tables.base[at, place] = one, base
                tables.match[at, place], tables.cross[at, place] = match, cross
                tables.follow[at, place] = ahead
            if sweep == 0:
                for bucket in range(codes * codes):
                    first[bucket + 1] += first[bucket]
                tables.choices[at] = first[codes * codes]
        for bucket in range(codes * codes, 0, -1):
            first[bucket] = first[bucket - 1]
        first[0] = 0
