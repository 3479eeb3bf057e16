"""The very large neighbourhood of Schaus and Deville: tiles that do not touch, taken out and put back optimally.

Where no two of the cells share an edge, what a tile is worth in a cell does not depend on the other tiles, and the best
of all k! * 4^k ways to put them back is an assignment problem (`operators.assignment`). The score never falls.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.assignment import AssignmentScratch, assign, make_assignment_scratch
from operators.bits import popcount
from operators.lattice import Lattice, side_code
from operators.variation import below
from puzzles._numba import inlined, jit

_LEVELS = 5  # a tile matches 0 to 4 of its neighbours
_SEVEN, _EIGHTH = np.uint32(0x7F7F7F7F), np.uint32(0x80808080)
_MOST_WALLS = 4


class NeighbourhoodScratch(NamedTuple):
    """Working memory of the moves, to be had once and used over and over."""

    order: NDArray[np.int32]
    """The cells that may be chosen; shuffled as far as they were drawn."""
    barred: NDArray[np.bool_]
    """The cells that are chosen, or touch one that is."""
    chosen: NDArray[np.int32]
    holes: NDArray[np.int32]
    """Those of the chosen cells that exchange their tiles with each other."""
    tiles: NDArray[np.uint16]
    """The tiles that were there, turned at random."""
    weights: NDArray[np.int32]
    turned: NDArray[np.uint16]
    """Per tile and hole, the tile as it matches best there."""
    columns: NDArray[np.int32]
    assignment: AssignmentScratch


def make_neighbourhood_scratch(lattice: Lattice, most: int) -> NeighbourhoodScratch:
    """Working memory for sets of up to so many cells."""
    cells = lattice.rows * lattice.cols
    most = max(1, min(most, (cells + 1) // 2))
    return NeighbourhoodScratch(
        np.flatnonzero(~lattice.pinned).astype(np.int32),
        np.zeros(cells + 1, dtype=np.bool_),
        np.zeros(most, dtype=np.int32),
        np.zeros(most, dtype=np.int32),
        np.zeros(most, dtype=np.uint16),
        np.zeros((most, most), dtype=np.int32),
        np.zeros((most, most), dtype=np.uint16),
        np.zeros(most, dtype=np.int32),
        make_assignment_scratch(most, _LEVELS),
    )


@jit
def choose_scattered(rng: np.random.Generator, lattice: Lattice, size: int, scratch: NeighbourhoodScratch) -> int:
    """Choose up to `size` cells at random, none of them pinned, no two with a common edge; returns how many there are.

    Fewer are chosen only when every other cell touches one of them, or there is no room in the scratch for more.
    """
    order, barred, chosen = scratch.order, scratch.barred, scratch.chosen
    barred[:] = False
    count, size = 0, min(size, len(chosen))
    for drawn in range(len(order)):
        if count == size:
            break
        other = drawn + below(rng, len(order) - drawn)
        order[drawn], order[other] = order[other], order[drawn]
        cell = order[drawn]
        if barred[cell]:
            continue
        barred[cell] = True
        for near in lattice.near[cell]:
            barred[near] = True
        chosen[count] = cell
        count += 1
    return count


@jit
def replace_optimally(
    rng: np.random.Generator,
    lattice: Lattice,
    framed: bool,
    cells: NDArray[np.uint16],
    places: NDArray[np.uint16],
    count: int,
    scratch: NeighbourhoodScratch,
) -> int:
    """Take the tiles out of the chosen cells and put them back so that most edges match; returns the edges gained.

    The tiles are first turned at random, and of several best rotations the first is taken; so repeated moves wander
    over plateaus.

    Args:
        rng: Where randomness comes from.
        lattice: The board.
        framed: Whether grey is on the rim and nowhere else, and is to stay so: tiles then keep to corners, to the rim
            and to the inside.
        cells: The board's cells, with the wall behind them; changed in place.
        places: Where each tile lies; changed with the cells.
        count: How many cells are in `scratch.chosen`; no two of them touch.
        scratch: Working memory.
    """
    if not framed:
        scratch.holes[:count] = scratch.chosen[:count]
        return _replace(rng, lattice, False, cells, places, count, scratch)
    gained = 0
    for walls in range(_MOST_WALLS):
        part = 0
        for k in range(count):
            if popcount(np.uint64(_walls(lattice, scratch.chosen[k]))) == walls:
                scratch.holes[part] = scratch.chosen[k]
                part += 1
        if part:
            gained += _replace(rng, lattice, True, cells, places, part, scratch)
    return gained


@inlined
def _replace(
    rng: np.random.Generator,
    lattice: Lattice,
    framed: bool,
    cells: NDArray[np.uint16],
    places: NDArray[np.uint16],
    count: int,
    scratch: NeighbourhoodScratch,
) -> int:
    """Exchange the tiles of some holes optimally; any of them may go into any."""
    holes, tiles = scratch.holes, scratch.tiles
    before = 0
    for k in range(count):
        tiles[k] = (cells[holes[k]] & 0xFFFC) | below(rng, 4)
    for hole in range(count):
        cell = holes[hole]
        around, walls = _wanted(lattice, cells, cell), _walls(lattice, cell)
        before += _matches(lattice.codes[cells[cell]] ^ around, walls)
        for k in range(count):
            _weigh(lattice, framed, scratch, k, hole, around, walls)
    after = assign(scratch.weights, count, scratch.columns, scratch.assignment)
    for k in range(count):
        cell, tile = holes[scratch.columns[k]], scratch.turned[k, scratch.columns[k]]
        cells[cell] = tile
        places[tile >> 2] = cell
    return after - before


@inlined
def _weigh(
    lattice: Lattice,
    framed: bool,
    scratch: NeighbourhoodScratch,
    k: int,
    hole: int,
    around: np.uint32,
    walls: np.uint32,
) -> None:
    """How many edges a tile can match in a hole, and turned how: of equals, the first from how it is turned now."""
    tile, best = scratch.tiles[k], -1
    for turn in range(4):
        turned = np.uint16((tile & 0xFFFC) | ((tile + turn) & 3))
        differing = lattice.codes[turned] ^ around
        if framed and _matches(differing, ~walls & _EIGHTH) != popcount(np.uint64(walls)):
            continue  # another side than grey would face the wall
        found = _matches(differing, walls)
        if found > best:
            best = found
            scratch.weights[k, hole], scratch.turned[k, hole] = found, turned


@inlined
def _wanted(lattice: Lattice, cells: NDArray[np.uint16], cell: int) -> np.uint32:
    """The side codes that would match all that is around a cell, packed."""
    packed = np.uint32(0)
    for side in range(4):
        there = lattice.codes[cells[lattice.near[cell][side]]]
        packed |= side_code(there, (side + 2) & 3) << np.uint32(8 * side)
    return packed


@inlined
def _walls(lattice: Lattice, cell: int) -> np.uint32:
    """The highest bit of each side of a cell that faces the wall."""
    walls = np.uint32(0)
    for side in range(4):
        if lattice.near[cell][side] == lattice.rows * lattice.cols:
            walls |= np.uint32(0x80) << np.uint32(8 * side)
    return walls


@inlined
def _matches(differing: np.uint32, ignored: np.uint32) -> int:
    """How many of four packed bytes are zero, leaving out those whose highest bit is to be ignored."""
    nonzero = ((differing & _SEVEN) + _SEVEN) | differing
    return popcount(np.uint64(~nonzero & _EIGHTH & ~ignored))
