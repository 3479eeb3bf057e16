"""Repair by the very large neighbourhood of Schaus and Deville: tiles taken out and put back optimally.

Where no two of the cells share an edge, what a tile is worth in a cell does not depend on the other tiles, and the best
of all k! * 4^k ways to put them back is an assignment problem (`operators.assignment`). The score never falls.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.assignment import assign
from operators.bits import popcount
from operators.holes import equal_sides, is_framed, matches, walls_of, wanted
from operators.lattice import Lattice, refresh_edges
from operators.neighbourhood import (
    MATCHES,
    NeighbourhoodScratch,
    choose_checkerboard,
    choose_scattered,
    make_neighbourhood_scratch,
)
from operators.population import Population, evaluate
from operators.randomness import below
from puzzles.compiled import inlined, jit

_MOST_WALLS = 4


class Repair(NamedTuple):
    """How an individual is repaired."""

    share: float
    """How likely an individual is repaired."""
    moves: int
    size: int
    """How many tiles a move takes out."""
    violated: float
    """How likely each of them is taken for its unmatched edges."""
    checkerboard: bool
    """Whether a move takes out all black or all white squares instead."""


class MoveTabu(NamedTuple):
    """Which moves are tabu: the second list of Schaus and Deville."""

    until: NDArray[np.int64]
    """Per pair of cells, until when a tile that lies in the first may not go to the second; empty: all may."""
    least: int
    most: int
    """How long a move is tabu that would undo one: between these bounds, at random."""


def make_repair_scratch(lattice: Lattice, how: Repair) -> NeighbourhoodScratch:
    """Working memory of `repair`."""
    return make_neighbourhood_scratch(lattice, lattice.rows * lattice.cols if how.checkerboard else how.size)


@jit
def repair(
    rng: np.random.Generator,
    lattice: Lattice,
    weights: NDArray[np.int64],
    how: Repair,
    population: Population,
    individual: int,
    scratch: NeighbourhoodScratch,
) -> None:
    """Repair an individual whose edges are up to date, and evaluate it; its frame stays valid if it is."""
    cells, places, edges = population.cells[individual], population.places[individual], population.edges[individual]
    framed = is_framed(lattice, cells)
    anywhere, anyhow = np.zeros(0, dtype=np.int64), MoveTabu(np.zeros((0, 0), dtype=np.int64), 0, 0)
    for _ in range(how.moves):
        if how.checkerboard:
            count = choose_checkerboard(rng, lattice, scratch)
        else:
            count = choose_scattered(rng, lattice, edges, how.size, how.violated, anywhere, 0, scratch)
        replace_optimally(rng, lattice, framed, cells, places, edges, count, anyhow, 0, scratch)
    evaluate(lattice, weights, population, individual)


@inlined
def replace_optimally(
    rng: np.random.Generator,
    lattice: Lattice,
    framed: bool,
    cells: NDArray[np.uint16],
    places: NDArray[np.uint16],
    edges: NDArray[np.uint64],
    count: int,
    tabu: MoveTabu,
    now: int,
    scratch: NeighbourhoodScratch,
) -> int:
    """Take the tiles out of the chosen cells and put them back so that most edges match; returns the edges gained.

    The tiles are first turned at random, and of several best rotations the first is taken; so repeated moves wander
    over plateaus. A tile that stays is never tabu: the score does not fall on account of a tabu list either.

    Args:
        rng: Where randomness comes from.
        lattice: The board.
        framed: Whether grey is on the rim and nowhere else, and is to stay so: tiles then keep to corners, to the rim
            and to the inside.
        cells: The board's cells, with the wall behind them; changed in place.
        places: Where each tile lies; changed with the cells.
        edges: Which edges match; changed with the cells.
        count: How many cells are in `scratch.chosen`; no two of them touch.
        tabu: Moves to avoid; those that would undo this one are added.
        now: The time for the tabu list.
        scratch: Working memory, whose penalty is what a tabu move must gain to be made nonetheless.
    """
    gained = 0
    for walls in range(_MOST_WALLS if framed else 1):
        part = 0
        for k in range(count):
            if not framed or popcount(np.uint64(walls_of(lattice, scratch.chosen[k]))) == walls:
                scratch.holes[part] = scratch.chosen[k]
                part += 1
        if part:
            gained += _replace(rng, lattice, framed, cells, places, edges, part, tabu, now, scratch)
    return gained


@inlined
def _replace(
    rng: np.random.Generator,
    lattice: Lattice,
    framed: bool,
    cells: NDArray[np.uint16],
    places: NDArray[np.uint16],
    edges: NDArray[np.uint64],
    count: int,
    tabu: MoveTabu,
    now: int,
    scratch: NeighbourhoodScratch,
) -> int:
    """Exchange the tiles of some holes optimally; any of them may go into any."""
    holes, tiles, columns = scratch.holes, scratch.tiles, scratch.columns
    gained = 0
    for hole in range(count):
        cell = holes[hole]
        tiles[hole] = (cells[cell] & 0xFFFC) | below(rng, 4)
        scratch.around[hole], scratch.walls[hole] = wanted(lattice, cells, cell), walls_of(lattice, cell)
        gained -= matches(lattice.codes[cells[cell]] ^ scratch.around[hole], scratch.walls[hole])
    for k in range(count):
        _weigh(lattice, framed, scratch, k, count)
    _penalise(tabu, now, count, scratch)
    assign(scratch.weights, count, columns, scratch.assignment)
    for k in range(count):
        hole = columns[k]
        cell, tile = holes[hole], (tiles[k] & 0xFFFC) | ((tiles[k] + scratch.turns[k, hole]) & 3)
        cells[cell] = tile
        places[tile >> 2] = cell
        gained += matches(lattice.codes[tile] ^ scratch.around[hole], scratch.walls[hole])
        if len(tabu.until) and cell != holes[k]:
            tabu.until[cell, holes[k]] = now + tabu.least + below(rng, tabu.most - tabu.least + 1)
    refresh_edges(lattice, cells, edges, holes, count)
    return gained


@inlined
def _weigh(lattice: Lattice, framed: bool, scratch: NeighbourhoodScratch, k: int, count: int) -> None:
    """How many edges a tile can match in each hole, and turned how: of equals, the first from how it is turned now.

    No branches and no look-ups in the loop: the processor weighs several holes at a time.
    """
    tile, codes = scratch.tiles[k], lattice.codes
    base = tile & 0xFFFC
    first, second = codes[tile], codes[base | ((tile + 1) & 3)]
    third, fourth = codes[base | ((tile + 2) & 3)], codes[base | ((tile + 3) & 3)]
    for hole in range(count):
        around, walls = scratch.around[hole], scratch.walls[hole]
        grey = walls if framed else np.uint32(0)
        best = max(
            max(_worth(first, around, walls, grey, 3), _worth(second, around, walls, grey, 2)),
            max(_worth(third, around, walls, grey, 1), _worth(fourth, around, walls, grey, 0)),
        )
        scratch.weights[k, hole] = np.uint8(best >> np.uint32(2) & np.uint32(7))
        scratch.turns[k, hole] = np.uint8(np.uint32(3) - (best & np.uint32(3)))


@inlined
def _worth(codes: np.uint32, around: np.uint32, walls: np.uint32, grey: np.uint32, before: int) -> np.uint32:
    """The edges that a turned tile matches, as a number that is the greater the more; `before` tells equals apart.

    All that has grey where grey must be is above all that has not.
    """
    matching = equal_sides(codes ^ around)
    found = (((matching & ~walls) >> np.uint32(7)) * np.uint32(0x01010101)) >> np.uint32(24) & np.uint32(7)
    right = np.uint32(32) if matching & grey == grey else np.uint32(0)
    return np.uint32(right | (found << np.uint32(2)) | np.uint32(before))


@inlined
def _penalise(tabu: MoveTabu, now: int, count: int, scratch: NeighbourhoodScratch) -> None:
    """Make all moves but tabu ones heavier: a weight is never below nothing."""
    penalty = scratch.assignment.weighing.shape[1] - MATCHES
    if penalty == 0:
        return
    for k in range(count):
        for hole in range(count):
            if len(tabu.until) == 0 or tabu.until[scratch.holes[k], scratch.holes[hole]] < now:
                scratch.weights[k, hole] += penalty
