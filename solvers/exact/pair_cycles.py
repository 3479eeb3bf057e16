"""The cycle rule of `ColourPairs`: frame tiles that can only touch each other must not close a ring of their own (4.2).

If two sides along the frame are left of a colour, and no cell demands it there, then these sides touch: the two tiles
are linked. A cycle of links among fewer tiles than the frame has is a contradiction.
"""

from __future__ import annotations

import numpy as np

from operators.bits import lowest
from puzzles.compiled import inlined, uncounted
from solvers.exact.pair_reasons import blame_cell, clear
from solvers.exact.pair_state import PairState, PairTables

_ONE, _NONE = np.uint64(1), np.uint64(0)


@inlined
def _links(state: PairState, colour: int) -> bool:
    """Return whether the sides of a colour that are left along the frame must touch each other."""
    return bool(state.ring_left[colour] == 2 and state.ring_demand[colour] == 0)


@inlined
def _other_tile(state: PairState, colour: int, tile: int) -> int:
    """Return a tile other than the given one with a side of a colour along the frame; -1 if there is none."""
    for word in range(state.ring_tiles.shape[1]):
        left = state.ring_tiles[colour, word]
        while left != _NONE:
            found = (word << 6) + lowest(left)
            left &= left - _ONE
            if found != tile:
                return found
    return -1


@uncounted
def is_closed(tables: PairTables, state: PairState, colour: int) -> bool:
    """Return whether the link of a colour belongs to a cycle that is too short; a tile cannot be linked to itself."""
    if tables.ring_length == 0 or not _links(state, colour):
        return False
    first = _other_tile(state, colour, -1)
    tile, link, length = _other_tile(state, colour, first), colour, 2
    while tile >= 0:
        link = tables.ring[tile, 0] + tables.ring[tile, 1] - link
        if not _links(state, link):
            return False
        tile = _other_tile(state, link, tile)
        if tile == first:
            return length < tables.ring_length
        length += 1
    return True


@uncounted
def explain_cycle(tables: PairTables, state: PairState, colour: int) -> None:
    """Explain the cycle that the link of a colour belongs to: by all cells of the frame with a colour of its links."""
    clear(state.reason)
    first = _other_tile(state, colour, -1)
    tile, link = _other_tile(state, colour, first), colour
    while True:
        for placed in range(len(state.place_of)):
            if state.place_of[placed] >= 0 and (tables.ring[placed, 0] == link or tables.ring[placed, 1] == link):
                blame_cell(state, state.place_of[placed])
        if tile < 0 or tile == first:
            return
        link = tables.ring[tile, 0] + tables.ring[tile, 1] - link
        tile = _other_tile(state, link, tile)
