"""The parts of a child's key before the late part of a beam search, compiled: mismatches, concentration, look-ahead."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import inlined
from solvers.construct.beam_states import States, Weights
from solvers.construct.route import NONE, OWN, Route


@inlined
def entry_of(route: Route, query: int, frontier: NDArray[np.uint8], state: int) -> int:
    """Return the index in `heads` of the tiles of a query for a state."""
    first, second = route.by[query, 0], route.by[query, 1]
    if second != NONE:
        entry = int(frontier[state, first]) * route.colours + int(frontier[state, second])
    else:
        entry = int(frontier[state, first]) if first != NONE else 0
    return entry + int(route.table[query])


@inlined
def matches(route: Route, step: int, query: int, frontier: NDArray[np.uint8], state: int, code: int) -> bool:
    """Return whether the sides of a tile that match are exactly those of the query."""
    matched = 0
    for side in range(4):
        slot = route.known[step, side]
        if slot != NONE and frontier[state, slot] == route.sides[code, side]:
            matched |= 1 << side
    return matched == int(route.matched[query])


@inlined
def lost_concentration(route: Route, weights: Weights, left: NDArray[Any], state: int, code: int) -> np.float32:
    """Return the loss of concentration when a tile is used."""
    lost = np.float32(0)
    if not route.twice[code]:
        for side in range(4):
            colour = route.sides[code, side]
            lost += weights.loss[colour, left[state, colour]]
        return lost
    for side in range(4):
        colour = route.sides[code, side]
        before = left[state, colour]
        for other in range(side):
            before -= route.sides[code, other] == colour
        lost += weights.loss[colour, before]
    return lost


@inlined
def outlook(route: Route, step: int, weights: Weights, states: States, state: int, code: int) -> float:
    """Return the cost of the next cell if at most one unused tile fits it once this tile is placed."""
    query = route.first_query[step + 1]
    entry = route.table[query]
    first, second = route.by_ahead[step, 0], route.by_ahead[step, 1]
    if first != NONE:
        colour = int(_ahead(route, states.frontier, state, code, first))
        if second != NONE:
            colour = colour * route.colours + int(_ahead(route, states.frontier, state, code, second))
        entry += colour
    found = 0
    for place in range(route.heads[entry], route.heads[entry + 1]):
        other = route.fitting[place]
        tile = other >> 2
        if tile == code >> 2 or states.used[state, tile >> 6] >> np.uint64(tile & 63) & np.uint64(1):
            continue
        if not route.listed[query] and not _fits_ahead(route, step, states.frontier, state, code, other):
            continue
        found += 1
        if found == 2:
            return 0.0
    return weights.one_fits if found else weights.none_fits


@inlined
def _ahead(route: Route, frontier: NDArray[np.uint8], state: int, code: int, source: int) -> np.uint8:
    """Return a colour next to the next cell: of the tile being placed, or from the state."""
    return np.uint8(route.opens[code, source - OWN] if source >= OWN else frontier[state, source])


@inlined
def _fits_ahead(route: Route, step: int, frontier: NDArray[np.uint8], state: int, code: int, other: int) -> bool:
    """Return whether another tile matches all known sides of the next cell once a tile is placed."""
    for side in range(4):
        source = route.ahead[step, side]
        if source != NONE and _ahead(route, frontier, state, code, source) != route.sides[other, side]:
            return False
    return True
