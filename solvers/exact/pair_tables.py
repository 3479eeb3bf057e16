"""Tables of `ColourPairs`: the pairs that each tile offers, and the state of an empty board."""

from __future__ import annotations

from math import isqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import jit
from solvers.exact.coloured_tiles import ColouredTiles
from solvers.exact.pair_state import (
    CROWDED,
    EMPTY_CELLS,
    FREE_SIDE,
    NOT_PREEMPTED,
    PAIRS,
    UNKNOWN,
    WORK,
    PairState,
    PairTables,
    cell_pair,
)

_ONE, _NONE = np.uint64(1), np.uint64(0)


class PairOptions(NamedTuple):
    """The components of the paper's algorithm; the defaults are its best."""

    opposite: bool = True
    """Whether opposite colours are pairs as well (section 3.2)."""
    preemption: bool = True
    """Whether tiles are reserved for a pair that as many cells demand as tiles offer (section 4.1)."""
    shared_edges: bool = True
    """Whether the bound h(M) on shared edges is checked (section 4.2)."""
    cycles: bool = True
    """Whether tiles of the frame that can only touch each other must not close a ring of their own (section 4.2)."""
    patterns: bool = True
    """Whether cells in highly constrained patterns are chosen first (section 5.1)."""
    heuristic: str = "MinExpectedGap"
    """One of `solvers.exact.pair_choice.HEURISTICS`."""
    backjumping: bool = True
    """Whether a failure returns to the last decision that its reason contains (section 5.2)."""
    shaving: int = 3
    """Cells with at most this many tiles are shaved: each is tried, and what fails is excluded. 0 means none."""


def most_shared_edges(tiles: int) -> int:
    """Return h(M): the largest number of edges that M square tiles can share (section 4.2)."""
    side = isqrt(tiles)
    rest = tiles - side * side
    return 2 * side * (side - 1) + (0 if rest == 0 else 2 * rest - 1 if rest <= side else 2 * rest - 2)


def make_pair_tables(tiles: ColouredTiles, tried: NDArray[np.int32], options: PairOptions) -> PairTables:
    """Return the tables of a puzzle, its tiles numbered in the order in which they are tried."""
    size, order = tiles.puzzle.size, tried.tolist()
    colours = int(tiles.puzzle.tiles.max()) + 1
    sides = tiles.puzzle.sides.T.astype(np.int64).reshape(size, 4, 4)[order].reshape(4 * size, 4)
    pairs = np.full((size, PAIRS), -1, dtype=np.int64)
    for tile in range(size):
        up, right, down, left = sides[4 * tile].tolist()
        found = [one * colours + other for one, other in ((up, right), (right, down), (down, left), (left, up))]
        if options.opposite:
            found += [(colours + min(one)) * colours + max(one) for one in ((up, down), (right, left))]
        distinct = list(dict.fromkeys(found))
        pairs[tile, : len(distinct)] = distinct
    last: dict[int, int] = {}
    twin = np.full(size, -1, dtype=np.int64)
    for number, tile in enumerate(order):
        twin[number] = last.get(int(tiles.classes[tile]), -1)
        last[int(tiles.classes[tile])] = number
    shared = np.array([most_shared_edges(count) for count in range(size + 1)])
    every = np.zeros((2 * colours**2, (size + 63) // 64), dtype=np.uint64)
    for tile in range(size):
        every[pairs[tile][pairs[tile] >= 0], tile >> 6] |= _ONE << np.uint64(tile & 63)
    rows, cols = tiles.puzzle.shape
    has_ring = options.cycles and tiles.puzzle.framed and min(rows, cols) > 1
    return PairTables(
        sides,
        tiles.turns[order].astype(np.int64),
        pairs,
        tiles.near,
        twin,
        shared,
        colours,
        every,
        _ring(sides[::4]) if has_ring else np.zeros((size, 2), dtype=np.int64),
        tiles.along,
        2 * (rows + cols) - 4 if has_ring else 0,
        options.opposite,
        options.preemption,
        options.shared_edges and tiles.puzzle.framed,  # sides on a rim without a frame need not touch anything
        options.backjumping,
    )


def _ring(tiles: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the two colours of each tile of the frame that are next to a grey side, not grey; 0 for other tiles."""
    ring = np.zeros((len(tiles), 2), dtype=np.int64)
    for number, tile in enumerate(tiles):
        beside = (tile > 0) & ((np.roll(tile, 1) == 0) | (np.roll(tile, -1) == 0))
        if beside.sum() == 2:
            ring[number] = tile[beside]
    return ring


def make_pair_state(tiles: ColouredTiles, tables: PairTables) -> PairState:
    """Return the empty board, whose rim is known to its cells; pins are placed later, by compiled code."""
    size, pairs = tiles.puzzle.size, 2 * tables.colours**2
    words = (size + 63) // 64
    levels = size // 64 + 1  # the last level is that of a trial
    rim = tiles.near < 0
    outside = FREE_SIDE if not tiles.puzzle.framed else 0
    known = np.where(rim, outside, UNKNOWN).astype(np.int64)
    state = PairState(
        known,
        (known >= 0).sum(axis=1).astype(np.int64),
        np.full(size, -1, dtype=np.int64),
        np.zeros(pairs, dtype=np.int64),
        np.zeros((pairs, words), dtype=np.uint64),
        np.zeros(pairs, dtype=np.int64),
        np.zeros((pairs, words), dtype=np.uint64),
        np.zeros(pairs, dtype=np.int64),
        np.full(size, NOT_PREEMPTED, dtype=np.int64),
        np.zeros(tables.colours, dtype=np.int64),
        np.zeros(tables.colours, dtype=np.int64),
        np.zeros(tables.colours, dtype=np.int64),
        np.zeros(tables.colours, dtype=np.int64),
        np.zeros((tables.colours, words), dtype=np.uint64),
        np.zeros(tables.colours, dtype=np.int64),
        np.full(size, -1, dtype=np.int64),
        np.zeros((size, levels), dtype=np.uint64),
        np.zeros((size, levels), dtype=np.uint64),
        np.zeros(levels, dtype=np.uint64),
        np.zeros((32 * size + 64, 3), dtype=np.int64),
        np.zeros(8 * size + 64, dtype=np.int64),
        np.zeros(32 * size + 64, dtype=np.int64),
        np.zeros(WORK + 1, dtype=np.int64),
    )
    state.counts[EMPTY_CELLS] = size
    begin(tables, state)
    return state


@jit
def begin(tables: PairTables, state: PairState) -> None:
    """Fill the offers of all tiles, and the demands of the corners."""
    size = len(state.board)
    for tile in range(size):
        for k in range(PAIRS):
            pair = tables.pairs[tile, k]
            if pair >= 0:
                state.offer[pair] += 1
                state.offered[pair, tile >> 6] |= _ONE << np.uint64(tile & 63)
        for side in range(4):
            colour, repeated = tables.sides[4 * tile, side], False
            for before in range(side):
                repeated = repeated or tables.sides[4 * tile, before] == colour
            state.colour_left[colour] += 1
            state.colour_tiles[colour] += 0 if repeated else 1
        for k in range(2 if tables.ring_length > 0 and tables.ring[tile, 0] > 0 else 0):
            state.ring_left[tables.ring[tile, k]] += 1
            state.ring_tiles[tables.ring[tile, k], tile >> 6] |= _ONE << np.uint64(tile & 63)
    for cell in range(size):
        if state.known_count[cell] >= 3:
            state.counts[CROWDED] += 1
        for number in range(PAIRS):
            pair = cell_pair(tables, state, cell, number)
            bit = _ONE << np.uint64(cell & 63)
            if pair >= 0 and state.demanded[pair, cell >> 6] & bit == _NONE:
                state.demand[pair] += 1
                state.demanded[pair, cell >> 6] |= bit
