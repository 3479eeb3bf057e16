"""The best way to rearrange the tiles of a region among its own cells: branch and bound with a bound by colours.

Cells are filled in order. What is still to come is bounded by counting sides. Of each colour, let D be the sides that
face empty cells and U the sides of the tiles that are left. Sides of D must be matched by sides of U, and sides of U
may be matched by each other; so at least D - U sides stay unmatched if that is positive, and otherwise one if U - D is
odd. An unmatched edge has two unmatched sides. Laying a tile changes the counts of at most eight colours.

Without a frame, sides of U may also face the wall, and only the sides of D count, each for an edge of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.randomness import below
from puzzles import EMPTY
from puzzles.compiled import inlined, jit
from solvers.errors import SolverError
from solvers.regions.ground import Ground, Rectangle, check_regions

MOST_TILES = 256
"""The most cells of a region."""
DEFAULT_LIMIT = 200_000


class RegionScratch(NamedTuple):
    """Working memory of `rearrange`: a row a cell of the region."""

    work: NDArray[np.uint16]
    """The board while it is searched."""
    best: NDArray[np.uint16]
    """The best content of each cell."""
    tiles: NDArray[np.int32]
    """The tiles of the region."""
    used: NDArray[np.bool_]
    at: NDArray[np.int32]
    """The next choice to try."""
    lost: NDArray[np.int32]
    """The unmatched edges so far."""
    facing: NDArray[np.int32]
    """Per colour, the sides that face empty cells: D."""
    left: NDArray[np.int32]
    """Per colour, the sides of tiles that are left: U."""


def make_region_scratch(ground: Ground) -> RegionScratch:
    """Return working memory for regions of a puzzle."""
    size = ground.rows * ground.cols
    tiles, at, lost = np.zeros((3, MOST_TILES + 1), dtype=np.int32)
    facing, left = np.zeros((2, ground.colours), dtype=np.int32)
    work, best = np.zeros(size, dtype=np.uint16), np.zeros(MOST_TILES, dtype=np.uint16)
    return RegionScratch(work, best, tiles, np.zeros(MOST_TILES, dtype=np.bool_), at, lost, facing, left)


def cells_of(ground: Ground, region: Rectangle) -> NDArray[np.int32]:
    """Return the cells of a rectangle that are not pinned, row by row.

    Raises:
        SolverError: The rectangle leaves the board, or has too many cells.
    """
    check_regions(ground.rows, ground.cols, [region])
    top, left, height, width = region
    index = np.arange(ground.rows * ground.cols, dtype=np.int32).reshape(ground.rows, ground.cols)
    within = index[top : top + height, left : left + width].ravel()
    cells: NDArray[np.int32] = within[ground.pins[within] == EMPTY]
    if len(cells) > MOST_TILES:
        raise SolverError(f"a region has at most {MOST_TILES} cells that are not pinned; found {len(cells)}")
    return cells


@jit
def rearrange(
    rng: np.random.Generator,
    ground: Ground,
    board: NDArray[np.uint16],
    cells: NDArray[np.int32],
    limit: int,
    scratch: RegionScratch,
) -> tuple[int, bool, int]:
    """Rearrange the tiles of some cells so that the fewest edges are unmatched; the board is never made worse.

    Args:
        rng: Chooses the order in which tiles are tried.
        ground: The puzzle.
        board: A complete board; changed in place if there is a better arrangement.
        cells: The cells in the order of filling, none of them pinned.
        limit: The most tiles to lay.
        scratch: Working memory.

    Returns:
        The edges gained, whether it is proved that no arrangement is better than the result, and the tiles laid.
    """
    count, work = len(cells), scratch.work
    for cell in range(len(board)):
        work[cell] = board[cell]
    for k in range(count):
        scratch.tiles[k], scratch.used[k] = board[cells[k]] >> 2, False
        scratch.best[k] = board[cells[k]]
        work[cells[k]] = EMPTY
    for k in range(count - 1):
        other = k + below(rng, count - k)
        scratch.tiles[k], scratch.tiles[other] = scratch.tiles[other], scratch.tiles[k]
    before = 0
    for k in range(count):
        before += _unmatched(ground, work, cells[k], board[cells[k]])
        work[cells[k]] = board[cells[k]]
    for k in range(count):
        work[cells[k]] = EMPTY
    loose = _count_sides(ground, cells, scratch)
    best, proved, nodes = before, True, 0
    for budget in range((loose + 1) // 2 if ground.framed else loose, before):  # the first that suffices is the least
        best, proved, spent = _search(ground, cells, budget + 1, loose, limit // 2 - nodes, scratch)
        nodes += spent
        if best <= budget:
            proved = True
            break
        best = before
        if not proved:
            break
    if not proved:
        best, proved, spent = _search(ground, cells, before, loose, limit - nodes, scratch)
        nodes += spent
    for k in range(count):
        board[cells[k]] = scratch.best[k]
    return before - best, proved, nodes


@jit
def _search(
    ground: Ground, cells: NDArray[np.int32], most: int, loose: int, limit: int, scratch: RegionScratch
) -> tuple[int, bool, int]:
    """Search for arrangements with fewer than `most` unmatched edges; return the fewest, and whether all were tried."""
    count, work, at, lost = len(cells), scratch.work, scratch.at, scratch.lost
    best, nodes, depth = most, 0, 0
    at[0] = lost[0] = 0
    while depth >= 0:
        cell = cells[depth]
        if work[cell] != EMPTY:  # take the last choice back
            loose += _lay(ground, work, cell, work[cell], False, scratch)
            scratch.used[(at[depth] - 1) % count] = False
        one, place = -1, at[depth]
        while place < 4 * count * _WAYS and one < 0:  # by unmatched edges, by rotation, by tile
            wanted, turn, k = place // (4 * count), place // count & 3, place % count
            place += 1
            if lost[depth] + wanted >= best:
                break
            candidate = 4 * scratch.tiles[k] + turn
            if scratch.used[k] or (ground.framed and ground.grey[candidate] != ground.walls[cell]):
                continue
            if _unmatched(ground, work, cell, candidate) == wanted:
                one = candidate
        at[depth] = place
        if one < 0:
            depth -= 1
            continue
        if nodes >= limit:
            for k in range(depth - 1, -1, -1):
                _lay(ground, work, cells[k], work[cells[k]], False, scratch)
            for k in range(count):
                scratch.used[k] = False
            return best, False, nodes
        nodes += 1
        lost[depth + 1] = lost[depth] + (place - 1) // (4 * count)
        loose += _lay(ground, work, cell, one, True, scratch)
        scratch.used[(place - 1) % count] = True
        rest = (loose + 1) // 2 if ground.framed else loose
        if lost[depth + 1] + rest >= best:
            continue
        if depth + 1 == count:
            best = lost[count]
            for k in range(count):
                scratch.best[k] = work[cells[k]]
            continue
        depth += 1
        at[depth] = 0
    return best, True, nodes


_WAYS = 5
"""A tile has 0 to 4 unmatched edges."""


@inlined
def _unmatched(ground: Ground, work: NDArray[np.uint16], cell: int, one: int) -> int:
    """Return the unmatched edges of an oriented tile with the tiles around a cell."""
    found = 0
    for side in range(4):
        near = ground.near[cell, side]
        if near < len(work) and work[near] != EMPTY:
            shown = ground.sides[side, one]
            found += int(shown == 0 or shown != ground.sides[(side + 2) & 3, work[near]])
    return found


@inlined
def _count_sides(ground: Ground, cells: NDArray[np.int32], scratch: RegionScratch) -> int:
    """Count the sides that face the empty region and those of its tiles; return the loose ones of all colours."""
    scratch.facing[:], scratch.left[:] = 0, 0
    for k in range(len(cells)):
        for side in range(4):
            near = ground.near[cells[k], side]
            if near < len(scratch.work) and scratch.work[near] != EMPTY:
                scratch.facing[ground.sides[(side + 2) & 3, scratch.work[near]]] += 1
            scratch.left[ground.sides[side, 4 * scratch.tiles[k]]] += 1
    loose = 0
    for colour in range(1, ground.colours):
        loose += _loose(ground.framed, scratch, colour)
    return loose


@inlined
def _loose(framed: bool, scratch: RegionScratch, colour: int) -> int:
    """Return a lower bound of the unmatched sides of a colour."""
    missing = scratch.facing[colour] - scratch.left[colour]
    return missing if missing > 0 else -missing & 1 if framed else 0


@inlined
def _lay(ground: Ground, work: NDArray[np.uint16], cell: int, one: int, down: bool, scratch: RegionScratch) -> int:
    """Lay a tile, or take it up; return the change of the loose sides."""
    change, sign = 0, 1 if down else -1
    for side in range(4):
        shown = ground.sides[side, one]
        near = ground.near[cell, side]
        if shown:
            change -= _loose(ground.framed, scratch, shown)
            scratch.left[shown] -= sign
            if near < len(work) and work[near] == EMPTY:
                scratch.facing[shown] += sign
            change += _loose(ground.framed, scratch, shown)
        if near < len(work) and work[near] != EMPTY:
            there = ground.sides[(side + 2) & 3, work[near]]
            if there:
                change -= _loose(ground.framed, scratch, there)
                scratch.facing[there] -= sign
                change += _loose(ground.framed, scratch, there)
    work[cell] = one if down else EMPTY
    return change
