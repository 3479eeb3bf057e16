"""Filtering by colour pairs (sections 3 and 4 of Benoist and Bourreau): what placing a tile changes, and implies.

A tile *offers* the pairs of colours that it has on consecutive sides, clockwise, and on opposite sides. An empty cell
*demands* the pairs of colours that its neighbours, or the rim, show it. Both are sets with counters, so that placing a
tile takes a constant number of set operations whatever the size of the board. If more cells demand a pair than tiles
offer it, the board is contradictory; if one cell demands it and one tile offers it, the tile lies there; if as many
demand it as offer it, these tiles are *preempted*: they are lost for all other pairs.
"""

from __future__ import annotations

import numpy as np

from operators.bits import lowest
from puzzles.compiled import inlined, uncounted
from solvers.exact.pair_cycles import explain_cycle, is_closed
from solvers.exact.pair_reasons import (
    conclude,
    explain_colour,
    explain_last,
    explain_misfit,
    explain_preempted,
    explain_shortage,
)
from solvers.exact.pair_state import (
    CROWDED,
    EMPTY_CELLS,
    FORCED,
    NOT_PREEMPTED,
    PAIRS,
    TODO,
    TRAIL,
    UNKNOWN,
    WORK,
    PairState,
    PairTables,
    cell_pair,
    contains,
    first_of,
    fits,
    toggle,
)

_PLACED, _DEMANDED, _SUPPLIED, _KNOWN, _PREEMPTED = range(5)
_ONE, _NONE = np.uint64(1), np.uint64(0)


@inlined
def _note(state: PairState, kind: int, what: int, where: int) -> None:
    length = state.counts[TRAIL]
    state.trail[length, 0], state.trail[length, 1], state.trail[length, 2] = kind, what, where
    state.counts[TRAIL] = length + 1
    state.counts[WORK] += 1


@inlined
def _supply(tables: PairTables, state: PairState, tile: int | np.int64, sign: int) -> None:
    """Add a tile to the offers of its pairs, or remove it."""
    owner = state.preempted_by[tile]
    for k in range(PAIRS):
        pair = tables.pairs[tile, k]
        if pair < 0:
            break
        state.offer[pair] += sign
        toggle(state.offered, pair, tile)
        if owner != NOT_PREEMPTED and owner != pair:
            state.preempted[pair] += sign
    if tables.shared_edges:
        for side in range(4):
            colour, repeated = tables.sides[4 * tile, side], False
            for before in range(side):
                repeated = repeated or tables.sides[4 * tile, before] == colour
            state.colour_left[colour] += sign
            state.colour_tiles[colour] += 0 if repeated else sign
    if tables.ring_length > 0 and tables.ring[tile, 0] > 0:
        one, other = tables.ring[tile, 0], tables.ring[tile, 1]
        state.ring_left[one] += sign
        state.ring_left[other] += sign
        toggle(state.ring_tiles, one, tile)
        if other != one:
            toggle(state.ring_tiles, other, tile)


@inlined
def _demand_colours(tables: PairTables, state: PairState, cell: int, sign: int) -> None:
    """Add the known sides of a cell to the demands of their colours, or remove them."""
    for side in range(4):
        colour = state.known[cell, side]
        if colour >= 0:
            state.colour_demand[colour] += sign
            state.ring_demand[colour] += sign * tables.along[cell, side]


@inlined
def _know(tables: PairTables, state: PairState, cell: int, side: int, colour: int) -> None:
    """Tell an empty cell the colour of a side: it may demand up to three more pairs, which are to be checked."""
    state.known[cell, side] = colour
    state.known_count[cell] += 1
    state.colour_demand[colour] += 1
    state.ring_demand[colour] += tables.along[cell, side]
    if state.known_count[cell] == 3:
        state.counts[CROWDED] += 1
    _note(state, _KNOWN, cell, side)
    for number in (side, (side + 3) & 3, 4 + (side & 1)):
        pair = cell_pair(tables, state, cell, number)
        if pair >= 0 and not contains(state.demanded, pair, cell):
            state.demand[pair] += 1
            toggle(state.demanded, pair, cell)
            _note(state, _DEMANDED, cell, pair)
            state.todo[state.counts[TODO]] = pair
            state.counts[TODO] += 1


@uncounted
def place(tables: PairTables, state: PairState, cell: int, value: int | np.int64) -> bool:
    """Place an oriented tile that fits, and check the pairs that this concerns.

    The caller has set the reason for the cell. On a contradiction, its reason is left behind.

    Returns:
        False on a contradiction.
    """
    tile = value >> 2
    state.place_of[tile] = cell
    state.counts[TODO] = 0
    state.board[cell] = value
    state.counts[EMPTY_CELLS] -= 1
    if state.known_count[cell] >= 3:
        state.counts[CROWDED] -= 1
    _supply(tables, state, tile, -1)
    _demand_colours(tables, state, cell, -1)
    _note(state, _PLACED, cell, 0)
    for number in range(PAIRS):
        pair = cell_pair(tables, state, cell, number)
        if pair >= 0 and contains(state.demanded, pair, cell):
            state.demand[pair] -= 1
            toggle(state.demanded, pair, cell)
            _note(state, _SUPPLIED, cell, pair)
    for side in range(4):
        near = tables.near[cell, side]
        if near >= 0 and state.board[near] < 0:
            _know(tables, state, near, (side + 2) & 3, tables.sides[value, side])
    for k in range(PAIRS):
        if tables.pairs[tile, k] >= 0:
            state.todo[state.counts[TODO]] = tables.pairs[tile, k]
            state.counts[TODO] += 1
    if not _check_pairs(tables, state) or (tables.shared_edges and not _check_shared(tables, state, value)):
        return False
    return tables.ring_length == 0 or _check_cycles(tables, state, tile)


@inlined
def _check_pairs(tables: PairTables, state: PairState) -> bool:
    """Apply contradiction, instantiation and preemption to the pairs that changed, until nothing follows."""
    counts = state.counts
    while counts[TODO] > 0:
        counts[TODO] -= 1
        pair = state.todo[counts[TODO]]
        demand, offer = state.demand[pair], state.offer[pair]
        counts[WORK] += 1
        if demand == 0:
            continue
        alone = tables.preemption and counts[CROWDED] == 0  # otherwise a cell may serve two demands with one tile
        if offer < demand:
            if tables.backjumping:
                explain_shortage(tables, state, pair, True)
            return False
        if alone and offer - state.preempted[pair] < demand:
            if tables.backjumping:
                explain_preempted(tables, state, pair)
            return False
        if offer == demand:
            if demand == 1:
                state.forced[counts[FORCED]] = pair
                counts[FORCED] += 1
            if alone:
                _preempt(tables, state, pair)
    return True


@inlined
def _preempt(tables: PairTables, state: PairState, pair: int) -> None:
    """Reserve all tiles that offer a pair for it; the other pairs that they offer are to be checked."""
    explained = not tables.backjumping
    for word in range(state.offered.shape[1]):
        left = state.offered[pair, word]
        while left != _NONE:
            tile = (word << 6) + lowest(left)
            left &= left - _ONE
            if state.preempted_by[tile] != NOT_PREEMPTED:
                continue
            if not explained:
                explain_shortage(tables, state, pair, True)
                explained = True
            for at in range(len(state.reason)):
                state.preempted_because[tile, at] = state.reason[at]
            state.preempted_by[tile] = pair
            _note(state, _PREEMPTED, tile, pair)
            for k in range(PAIRS):
                other = tables.pairs[tile, k]
                if other >= 0 and other != pair:
                    state.preempted[other] += 1
                    if state.demand[other] > 0:
                        state.todo[state.counts[TODO]] = other
                        state.counts[TODO] += 1


@inlined
def _check_shared(tables: PairTables, state: PairState, value: int | np.int64) -> bool:
    """Apply the bound on shared edges to the colours of a tile: sides that no cell demands must touch each other."""
    for side in range(4):
        colour = tables.sides[value, side]
        if colour == 0:
            continue
        left, demand = state.colour_left[colour], state.colour_demand[colour]
        if left < demand or left - demand > 2 * tables.most_shared[state.colour_tiles[colour]]:
            if tables.backjumping:
                explain_colour(tables, state, colour)
            return False
    return True


@inlined
def _check_cycles(tables: PairTables, state: PairState, tile: int | np.int64) -> bool:
    """Apply the cycle rule to the colours of a tile of the frame: only their links are new."""
    for k in range(2):
        colour = tables.ring[tile, k]
        if colour > 0 and is_closed(tables, state, colour):
            if tables.backjumping:
                explain_cycle(tables, state, colour)
            return False
    return True


@uncounted
def propagate(tables: PairTables, state: PairState) -> bool:
    """Place the tiles that are forced by a pair which one cell demands and one tile offers."""
    while state.counts[FORCED] > 0:
        state.counts[FORCED] -= 1
        pair = state.forced[state.counts[FORCED]]
        if state.offer[pair] != 1 or state.demand[pair] != 1:
            continue
        cell, tile = first_of(state.demanded, pair), first_of(state.offered, pair)
        chosen, ways = 0, 0
        for value in range(4 * tile, 4 * tile + tables.turns[tile]):
            if fits(tables, state, cell, value):
                chosen, ways = value, ways + 1
        if ways == 0:
            if tables.backjumping:
                explain_misfit(tables, state, pair, cell, tile)
            return False
        if ways == 1:
            if tables.backjumping:
                explain_last(tables, state, pair, cell, tile)
                conclude(state, cell)
            if not place(tables, state, cell, chosen):
                return False
    return True


@uncounted
def undo(tables: PairTables, state: PairState, mark: int) -> None:
    """Undo everything that was noted after a mark."""
    counts = state.counts
    counts[FORCED] = 0
    while counts[TRAIL] > mark:
        counts[TRAIL] -= 1
        entry = counts[TRAIL]
        kind, what, where = state.trail[entry, 0], state.trail[entry, 1], state.trail[entry, 2]
        if kind == _PLACED:
            tile = state.board[what] >> 2
            state.board[what] = state.place_of[tile] = -1
            counts[EMPTY_CELLS] += 1
            if state.known_count[what] >= 3:
                counts[CROWDED] += 1
            _supply(tables, state, tile, 1)
            _demand_colours(tables, state, what, 1)
        elif kind == _KNOWN:
            state.colour_demand[state.known[what, where]] -= 1
            state.ring_demand[state.known[what, where]] -= tables.along[what, where]
            state.known[what, where] = UNKNOWN
            state.known_count[what] -= 1
            if state.known_count[what] == 2:
                counts[CROWDED] -= 1
        elif kind == _PREEMPTED:
            state.preempted_by[what] = NOT_PREEMPTED
            for k in range(PAIRS):
                pair = tables.pairs[what, k]
                if pair >= 0 and pair != where:
                    state.preempted[pair] -= 1
        else:
            state.demand[where] += 1 if kind == _SUPPLIED else -1
            toggle(state.demanded, where, what)
