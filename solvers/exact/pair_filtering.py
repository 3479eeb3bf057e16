"""Filtering by colour pairs (sections 3 and 4 of Benoist and Bourreau): what placing a tile changes, and implies.

A tile *offers* the pairs of colours that it has on consecutive sides, clockwise, and on opposite sides. An empty cell
*demands* the pairs of colours that its neighbours, or the rim, show it. Both are sets with counters, so that placing a
tile takes a constant number of set operations whatever the size of the board. If more cells demand a pair than tiles
offer it, the board is contradictory; if one cell demands it and one tile offers it, the tile lies there; if as many
demand it as offer it, these tiles are *preempted*: they are lost for all other pairs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.bits import lowest
from puzzles.compiled import inlined, jit

UNKNOWN, FREE_SIDE = -1, -2
"""What a side of an empty cell is shown: nothing yet, or nothing ever, on the rim of a board without a frame."""
NOT_PREEMPTED = -1
PAIRS = 6
"""Four clockwise pairs and two opposite ones."""
TRAIL, TODO, FORCED, EMPTY_CELLS, CROWDED, WORK = range(6)
"""Indices of the counters: lengths of the trail, of the pairs to check and of the pairs to instantiate; empty cells;
empty cells with three known sides or more; and set operations made."""
_PLACED, _DEMANDED, _SUPPLIED, _KNOWN, _PREEMPTED = range(5)
_ONE, _NONE = np.uint64(1), np.uint64(0)


class PairTables(NamedTuple):
    """What does not change."""

    sides: NDArray[np.int64]
    """Per oriented tile and side, the colour."""
    turns: NDArray[np.int64]
    """Per tile, the number of rotations that look different."""
    pairs: NDArray[np.int64]
    """Per tile, the pairs that it offers, each once; -1 fills the row."""
    near: NDArray[np.int64]
    lower_twin: NDArray[np.int64]
    """Per tile, the next lower tile that is identical; -1 if there is none."""
    most_shared: NDArray[np.int64]
    """Per number of tiles, the largest number of edges that they can share: h(M)."""
    colours: int
    """The number of colours, grey included."""
    opposite: bool
    preemption: bool
    shared_edges: bool


class PairState(NamedTuple):
    """The partial board, and the sets of its colour pairs."""

    known: NDArray[np.int64]
    """Per cell and side, the colour that a neighbour or the rim shows, UNKNOWN or FREE_SIDE."""
    known_count: NDArray[np.int64]
    board: NDArray[np.int64]
    """Per cell, the oriented tile; -1 if it is empty."""
    offer: NDArray[np.int64]
    """Per pair, the number of tiles that offer it."""
    offered: NDArray[np.uint64]
    """Per pair, these tiles as a set."""
    demand: NDArray[np.int64]
    demanded: NDArray[np.uint64]
    """Per pair, the cells that demand it."""
    preempted: NDArray[np.int64]
    """Per pair, the number of tiles offered that another pair has preempted."""
    preempted_by: NDArray[np.int64]
    """Per tile, the pair that has preempted it."""
    colour_left: NDArray[np.int64]
    """Per colour, the sides of tiles that are not placed."""
    colour_tiles: NDArray[np.int64]
    """Per colour, the tiles with such sides."""
    colour_demand: NDArray[np.int64]
    """Per colour, the sides of empty cells that are known to have it."""
    trail: NDArray[np.int64]
    """What was changed, to be undone: kind, cell or tile, pair or side."""
    todo: NDArray[np.int64]
    forced: NDArray[np.int64]
    counts: NDArray[np.int64]


@inlined
def clockwise(tables: PairTables, first: int, second: int) -> int:
    """Return the number of the pair of two colours in clockwise order."""
    return first * tables.colours + second


@inlined
def opposite(tables: PairTables, one: int, other: int) -> int:
    """Return the number of the pair of two opposite colours, in any order."""
    return (tables.colours + min(one, other)) * tables.colours + max(one, other)


@inlined
def cell_pair(tables: PairTables, state: PairState, cell: int, number: int) -> int:
    """Return one of the six pairs that a cell demands, by its number; -1 if it is not known."""
    if number < 4:
        first, second = state.known[cell, number], state.known[cell, (number + 1) & 3]
        return clockwise(tables, first, second) if first >= 0 and second >= 0 else -1
    one, other = state.known[cell, number - 4], state.known[cell, number - 2]
    return opposite(tables, one, other) if tables.opposite and one >= 0 and other >= 0 else -1


@inlined
def fits(tables: PairTables, state: PairState, cell: int, value: int) -> bool:
    """Return whether an oriented tile shows what is known of a cell, and grey nowhere else."""
    for side in range(4):
        known, colour = state.known[cell, side], tables.sides[value, side]
        if (known >= 0 and known != colour) or (known == UNKNOWN and colour == 0):
            return False
    return True


@inlined
def _note(state: PairState, kind: int, what: int, where: int) -> None:
    length = state.counts[TRAIL]
    state.trail[length, 0], state.trail[length, 1], state.trail[length, 2] = kind, what, where
    state.counts[TRAIL] = length + 1
    state.counts[WORK] += 1


@inlined
def _contains(sets: NDArray[np.uint64], row: int, element: int) -> bool:
    return bool((sets[row, element >> 6] >> np.uint64(element & 63)) & _ONE != _NONE)


@inlined
def _toggle(sets: NDArray[np.uint64], row: int, element: int | np.int64) -> None:
    sets[row, element >> 6] ^= _ONE << np.uint64(element & 63)


@inlined
def _first(sets: NDArray[np.uint64], row: int) -> int:
    """Return the lowest element of a set that is not empty."""
    word = 0
    while sets[row, word] == _NONE:
        word += 1
    return (word << 6) + lowest(sets[row, word])


@inlined
def _supply(tables: PairTables, state: PairState, tile: int | np.int64, sign: int) -> None:
    """Add a tile to the offers of its pairs, or remove it."""
    owner = state.preempted_by[tile]
    for k in range(PAIRS):
        pair = tables.pairs[tile, k]
        if pair < 0:
            break
        state.offer[pair] += sign
        _toggle(state.offered, pair, tile)
        if owner != NOT_PREEMPTED and owner != pair:
            state.preempted[pair] += sign
    if tables.shared_edges:
        for side in range(4):
            colour, repeated = tables.sides[4 * tile, side], False
            for before in range(side):
                repeated = repeated or tables.sides[4 * tile, before] == colour
            state.colour_left[colour] += sign
            state.colour_tiles[colour] += 0 if repeated else sign


@inlined
def _know(tables: PairTables, state: PairState, cell: int, side: int, colour: int) -> None:
    """Tell an empty cell the colour of a side: it may demand up to three more pairs, which are to be checked."""
    state.known[cell, side] = colour
    state.known_count[cell] += 1
    state.colour_demand[colour] += 1
    if state.known_count[cell] == 3:
        state.counts[CROWDED] += 1
    _note(state, _KNOWN, cell, side)
    for number in (side, (side + 3) & 3, 4 + (side & 1)):
        pair = cell_pair(tables, state, cell, number)
        if pair >= 0 and not _contains(state.demanded, pair, cell):
            state.demand[pair] += 1
            _toggle(state.demanded, pair, cell)
            _note(state, _DEMANDED, cell, pair)
            state.todo[state.counts[TODO]] = pair
            state.counts[TODO] += 1


@jit
def place(tables: PairTables, state: PairState, cell: int, value: int | np.int64) -> bool:
    """Place an oriented tile that fits, and check the pairs that this concerns; return False on a contradiction."""
    tile = value >> 2
    state.counts[TODO] = 0
    state.board[cell] = value
    state.counts[EMPTY_CELLS] -= 1
    if state.known_count[cell] >= 3:
        state.counts[CROWDED] -= 1
    _supply(tables, state, tile, -1)
    for side in range(4):
        if state.known[cell, side] >= 0:
            state.colour_demand[state.known[cell, side]] -= 1
    _note(state, _PLACED, cell, 0)
    for number in range(PAIRS):
        pair = cell_pair(tables, state, cell, number)
        if pair >= 0 and _contains(state.demanded, pair, cell):
            state.demand[pair] -= 1
            _toggle(state.demanded, pair, cell)
            _note(state, _SUPPLIED, cell, pair)
    for side in range(4):
        near = tables.near[cell, side]
        if near >= 0 and state.board[near] < 0:
            _know(tables, state, near, (side + 2) & 3, tables.sides[value, side])
    for k in range(PAIRS):
        if tables.pairs[tile, k] >= 0:
            state.todo[state.counts[TODO]] = tables.pairs[tile, k]
            state.counts[TODO] += 1
    return _check_pairs(tables, state) and (not tables.shared_edges or _check_shared(tables, state, value))


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
        if offer < demand or (alone and offer - state.preempted[pair] < demand):
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
    for word in range(state.offered.shape[1]):
        left = state.offered[pair, word]
        while left != _NONE:
            tile = (word << 6) + lowest(left)
            left &= left - _ONE
            if state.preempted_by[tile] != NOT_PREEMPTED:
                continue
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
            return False
    return True


@inlined
def is_first_twin(tables: PairTables, state: PairState, tile: int) -> bool:
    """Return whether no identical tile with a lower number is left."""
    twin = tables.lower_twin[tile]
    while twin >= 0:
        if _contains(state.offered, tables.pairs[twin, 0], twin):
            return False
        twin = tables.lower_twin[twin]
    return True


@jit
def propagate(tables: PairTables, state: PairState) -> bool:
    """Place the tiles that are forced by a pair which one cell demands and one tile offers."""
    while state.counts[FORCED] > 0:
        state.counts[FORCED] -= 1
        pair = state.forced[state.counts[FORCED]]
        if state.offer[pair] != 1 or state.demand[pair] != 1:
            continue
        cell, tile = _first(state.demanded, pair), _first(state.offered, pair)
        chosen, ways = 0, 0
        for value in range(4 * tile, 4 * tile + tables.turns[tile]):
            if fits(tables, state, cell, value):
                chosen, ways = value, ways + 1
        if ways == 0 or (ways == 1 and not place(tables, state, cell, chosen)):
            return False
    return True


@jit
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
            state.board[what] = -1
            counts[EMPTY_CELLS] += 1
            if state.known_count[what] >= 3:
                counts[CROWDED] += 1
            _supply(tables, state, tile, 1)
            for side in range(4):
                if state.known[what, side] >= 0:
                    state.colour_demand[state.known[what, side]] += 1
        elif kind == _KNOWN:
            state.colour_demand[state.known[what, where]] -= 1
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
            _toggle(state.demanded, where, what)
