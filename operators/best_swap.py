"""The best *swap and rotate* move of a cell, for local search.

It is found without scoring any board: if two cells do not touch, the best rotation of each tile in the other's cell
does not depend on the other tile. Only the at most four cells that share an edge with the first need all 16 pairs of
rotations.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.bits import popcount
from operators.holes import equal_sides, matches, walls_of, wanted
from operators.lattice import BYTE, Lattice, side_code
from operators.randomness import below
from operators.swap import partners_by_kind, turned
from puzzles.compiled import inlined, jit

NO_MOVE = -9
"""The gain if there is no move: less than that of any move, which loses at most eight edges."""
_MISFIT = -100  # more than the other tile of a move can gain
_APART = -1


class Swaps(NamedTuple):
    """A board with precomputed data that makes its swap and rotate moves cheap to compare."""

    cells: NDArray[np.uint16]
    """`tile * 4 + rotation` of each cell, followed by the wall."""
    around: NDArray[np.uint32]
    """The packed side codes that would match all neighbours of each cell; the wall's entry is unused."""
    walls: NDArray[np.uint32]
    """The highest bit of each side of each cell that faces the wall."""
    grey: NDArray[np.uint32]
    """The walls that only grey may face: all of them on a framed board, otherwise none."""
    partners: NDArray[np.int32]
    """The cells that can exchange their tile with another, grouped by kind."""
    first: NDArray[np.int32]
    last: NDArray[np.int32]
    """The range in `partners` of the cells of each cell's kind."""
    fixed: NDArray[np.bool_]
    """The cells without a move: pinned cells, and a cell that is the only one of its kind and cannot be rotated."""


class Swap(NamedTuple):
    """A move of a cell. If its partner is the cell itself, its tile is only rotated."""

    gain: int
    """The change of the score; NO_MOVE if every move is tabu."""
    partner: int
    here: np.uint16
    """The content of the cell after the move."""
    there: np.uint16
    """The content of the partner after the move."""


@jit
def make_swaps(lattice: Lattice, framed: bool, cells: NDArray[np.uint16]) -> Swaps:
    """Return the moves of a copy of a board.

    Args:
        lattice: The board's shape and tiles.
        framed: Whether grey is on the rim and nowhere else, which is then preserved: corner, border and inner tiles
            stay in cells of their kind.
        cells: The board's cells; a wall after them is ignored.
    """
    tiles = lattice.rows * lattice.cols
    walled = np.full(tiles + 1, 4 * tiles, dtype=np.uint16)
    walled[:tiles] = cells[:tiles]
    around, walls = np.zeros(tiles + 1, dtype=np.uint32), np.zeros(tiles, dtype=np.uint32)
    for cell in range(tiles):
        around[cell], walls[cell] = wanted(lattice, walled, cell), walls_of(lattice, cell)
    partners, first, last = partners_by_kind(lattice, framed)
    grey, fixed = walls if framed else np.zeros_like(walls), lattice.pinned.copy()
    swaps = Swaps(walled, around, walls, grey, partners, first, last, fixed)
    for cell in range(tiles):
        if first[cell] == last[cell]:
            movable = False
            for turn in range(1, 4):
                oriented = turned(walled[cell], walled[cell] + turn)
                movable |= _worth(lattice, swaps, cell, oriented, np.uint32(0)) != _MISFIT
            fixed[cell] |= not movable
    return swaps


@inlined
def put(lattice: Lattice, swaps: Swaps, cell: int, oriented: np.uint16) -> None:
    """Place an oriented tile in a cell; the caller places the previous tile elsewhere."""
    swaps.cells[cell] = oriented
    for side in range(4):
        near, shift = lattice.near[cell][side], np.uint32(8 * ((side + 2) & 3))
        shown = side_code(lattice.codes[oriented], side) << shift
        swaps.around[near] = (swaps.around[near] & ~(BYTE << shift)) | shown


@inlined
def most_violated(rng: np.random.Generator, lattice: Lattice, swaps: Swaps) -> int:
    """Return a random cell among those with the most unmatched edges, or -1 if there is none.

    Cells without a move are not considered: the search would not terminate.
    """
    most, chosen, ties = 1, -1, 0
    for cell in range(len(swaps.walls)):
        found = _violations(lattice, swaps, cell)
        if found < most:
            continue
        ties = ties * (found == most) + 1
        most = found
        if below(rng, ties) == 0:
            chosen = cell
    return chosen


@inlined
def _violations(lattice: Lattice, swaps: Swaps, cell: int) -> int:
    """Return the number of unmatched edges of a cell; 0 for a cell without a move."""
    if swaps.fixed[cell]:
        return 0
    equal = equal_sides(lattice.codes[swaps.cells[cell]] ^ swaps.around[cell])
    return 4 - popcount(np.uint64(equal | swaps.walls[cell]))


@inlined
def best_swap(
    rng: np.random.Generator,
    lattice: Lattice,
    swaps: Swaps,
    cell: int,
    until: NDArray[np.int64],
    now: int,
    aspiration: int,
) -> Swap:
    """Return the best move of a cell: a swap with another tile, both rotated freely, or a rotation of its own tile.

    Ties are broken uniformly at random.

    Args:
        rng: Source of randomness.
        lattice: The board's shape and tiles.
        swaps: The board.
        cell: The cell, which is not pinned.
        until: Per tile and cell, the last iteration at which the tile may not be placed there.
        now: The current iteration.
        aspiration: A tabu move is allowed if it gains more than this.
    """
    cells, around, walls = swaps.cells, swaps.around, swaps.walls
    tile = cells[cell]
    before = matches(lattice.codes[tile] ^ around[cell], walls[cell])
    best, chosen, ties, way = NO_MOVE, cell, 0, 0
    for turn in range(1, 4):
        gain = _worth(lattice, swaps, cell, turned(tile, tile + turn), np.uint32(0)) - before
        if gain < best or (gain <= aspiration and until[tile >> 2, cell] >= now):
            continue
        ties = ties * (gain == best) + 1
        best = gain
        if below(rng, ties) == 0:
            way = turn
    for k in range(swaps.first[cell], swaps.last[cell]):
        partner = swaps.partners[k]
        if partner == cell:
            continue
        held, side = cells[partner], _side_towards(lattice, cell, partner)
        if side == _APART:
            here, there = _best_turn(lattice, swaps, cell, held), _best_turn(lattice, swaps, partner, tile)
            gain = here + there - before - matches(lattice.codes[held] ^ around[partner], walls[partner])
        else:
            gain = _best_turns(lattice, swaps, cell, partner, side)
        if gain < best or (gain <= aspiration and (until[tile >> 2, partner] >= now or until[held >> 2, cell] >= now)):
            continue
        ways = _ways(lattice, swaps, cell, partner, gain)
        number = popcount(np.uint64(ways))
        ties = ties * (gain == best) + number
        best = gain
        drawn = below(rng, ties)
        if drawn < number:
            chosen, way = partner, _nth_bit(ways, drawn)
    if chosen == cell:
        return Swap(best, cell, turned(tile, tile + way), turned(tile, tile + way))
    return Swap(best, chosen, turned(cells[chosen], way), turned(tile, way >> 2))


@inlined
def _side_towards(lattice: Lattice, cell: int, other: int) -> int:
    """Return the side of a cell that another cell is on; _APART if they share no edge."""
    for side in range(4):
        if lattice.near[cell][side] == other:
            return side
    return _APART


@inlined
def _worth(lattice: Lattice, swaps: Swaps, cell: int, turned: np.uint16, ignored: np.uint32) -> int:
    """Return the edges that an oriented tile matches, except ignored sides; _MISFIT if it violates the frame."""
    equal, grey = equal_sides(lattice.codes[turned] ^ swaps.around[cell]), swaps.grey[cell]
    return popcount(np.uint64(equal & ~swaps.walls[cell] & ~ignored)) if equal & grey == grey else _MISFIT


@inlined
def _best_turn(lattice: Lattice, swaps: Swaps, cell: int, tile: np.uint16) -> int:
    """Return the most edges that a tile can match in a cell."""
    best = _MISFIT
    for turn in range(4):
        best = max(best, _worth(lattice, swaps, cell, turned(tile, turn), np.uint32(0)))
    return best


@inlined
def _together(
    lattice: Lattice, swaps: Swaps, cell: int, partner: int, side: int, here: np.uint16, there: np.uint16
) -> int:
    """Return the number of edges that two oriented tiles match in two cells, counting a shared edge once."""
    if side == _APART:
        nothing = np.uint32(0)
        return _worth(lattice, swaps, cell, here, nothing) + _worth(lattice, swaps, partner, there, nothing)
    back = (side + 2) & 3
    worth = _worth(lattice, swaps, cell, here, BYTE << np.uint32(8 * side))
    worth += _worth(lattice, swaps, partner, there, BYTE << np.uint32(8 * back))
    return worth + int(side_code(lattice.codes[here], side) == side_code(lattice.codes[there], back))


@inlined
def _best_turns(lattice: Lattice, swaps: Swaps, cell: int, partner: int, side: int) -> int:
    """Return the gain of the best of all 16 ways to exchange two tiles."""
    tile, held = swaps.cells[cell], swaps.cells[partner]
    best = _MISFIT
    for second in range(4):
        for first in range(4):
            here, there = turned(held, first), turned(tile, second)
            best = max(best, _together(lattice, swaps, cell, partner, side, here, there))
    return best - _together(lattice, swaps, cell, partner, side, tile, held)


@inlined
def _ways(lattice: Lattice, swaps: Swaps, cell: int, partner: int, gain: int) -> int:
    """Return the pairs of rotations with which an exchange has this gain, as a set of 16 bits."""
    tile, held = swaps.cells[cell], swaps.cells[partner]
    side = _side_towards(lattice, cell, partner)
    after = gain + _together(lattice, swaps, cell, partner, side, tile, held)
    ways = 0
    for second in range(4):
        for first in range(4):
            worth = _together(lattice, swaps, cell, partner, side, turned(held, first), turned(tile, second))
            ways |= int(worth == after) << (4 * second + first)
    return ways


@inlined
def _nth_bit(bits: int, n: int) -> int:
    """Return the position of the set bit that has n set bits below it."""
    for _ in range(n):
        bits &= bits - 1
    return popcount(np.uint64(~bits & (bits - 1)))
