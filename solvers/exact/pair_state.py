"""The state of `ColourPairs`: a partial board, and which tiles offer and which cells demand each pair of colours."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.bits import lowest
from puzzles.compiled import inlined

UNKNOWN, FREE_SIDE = -1, -2
"""What a side of an empty cell is shown: nothing yet, or nothing ever, on the rim of a board without a frame."""
NOT_PREEMPTED = -1
PAIRS = 6
"""Four clockwise pairs and two opposite ones."""
TRAIL, TODO, FORCED, EMPTY_CELLS, CROWDED, WORK = range(6)
"""Indices of the counters: lengths of the trail, of the pairs to check and of the pairs to instantiate; empty cells;
empty cells with three known sides or more; and set operations made."""
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
    every: NDArray[np.uint64]
    """Per pair, all tiles that offer it, placed or not, as a set."""
    ring: NDArray[np.int64]
    """Per tile of the frame, its two colours along the frame; 0 for other tiles."""
    along: NDArray[np.bool_]
    """Per cell and side, whether the edge lies along the frame."""
    ring_length: int
    """The number of cells of the frame; 0 if cycles in it are not looked for."""
    opposite: bool
    preemption: bool
    shared_edges: bool
    backjumping: bool
    """Whether reasons are recorded."""


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
    ring_left: NDArray[np.int64]
    """Per colour, the sides along the frame of tiles that are not placed."""
    ring_tiles: NDArray[np.uint64]
    """Per colour, the tiles with such sides, as a set."""
    ring_demand: NDArray[np.int64]
    """Per colour, the sides along the frame of empty cells that are known to have it."""
    place_of: NDArray[np.int64]
    """Per tile, its cell; -1 if it is not placed."""
    because: NDArray[np.uint64]
    """Per cell that is not empty, the reason for its tile: a set of decisions, by their levels."""
    preempted_because: NDArray[np.uint64]
    """Per tile that is preempted, the reason."""
    reason: NDArray[np.uint64]
    """The reason that was computed last, such as that of a contradiction."""
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
def contains(sets: NDArray[np.uint64], row: int, element: int) -> bool:
    """Return whether a set has an element."""
    return bool((sets[row, element >> 6] >> np.uint64(element & 63)) & _ONE != _NONE)


@inlined
def toggle(sets: NDArray[np.uint64], row: int, element: int | np.int64) -> None:
    """Add an element to a set, or remove it."""
    sets[row, element >> 6] ^= _ONE << np.uint64(element & 63)


@inlined
def first_of(sets: NDArray[np.uint64], row: int) -> int:
    """Return the lowest element of a set that is not empty."""
    word = 0
    while sets[row, word] == _NONE:
        word += 1
    return (word << 6) + lowest(sets[row, word])


@inlined
def is_first_twin(tables: PairTables, state: PairState, tile: int) -> bool:
    """Return whether no identical tile with a lower number is left."""
    twin = tables.lower_twin[tile]
    while twin >= 0:
        if contains(state.offered, tables.pairs[twin, 0], twin):
            return False
        twin = tables.lower_twin[twin]
    return True
