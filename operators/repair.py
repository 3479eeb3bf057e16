"""Repair by the very large neighbourhood of Schaus and Deville: tiles taken out and put back optimally.

Where no two of the cells share an edge, what a tile is worth in a cell does not depend on the other tiles, and the best
of all k! * 4^k ways to put them back is an assignment problem (`operators.assignment`). The score never falls.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.assignment import assign
from operators.frame import count_sides, equal_sides, is_framed, sides_at_wall
from operators.lattice import Lattice, refresh_edges, side_code
from operators.neighbourhood import (
    MATCHES,
    NeighbourhoodScratch,
    choose_checkerboard,
    choose_scattered,
    make_neighbourhood_scratch,
)
from operators.population import Population, evaluate
from operators.variation import below
from puzzles._numba import inlined, jit

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


@jit
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
    if not framed:
        scratch.holes[:count] = scratch.chosen[:count]
        return _replace(rng, lattice, False, cells, places, edges, count, tabu, now, scratch)
    gained = 0
    for walls in range(_MOST_WALLS):
        part = 0
        for k in range(count):
            if count_sides(sides_at_wall(lattice, scratch.chosen[k])) == walls:
                scratch.holes[part] = scratch.chosen[k]
                part += 1
        if part:
            gained += _replace(rng, lattice, True, cells, places, edges, part, tabu, now, scratch)
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
    penalty = scratch.assignment.weighing.shape[1] - MATCHES
    gained = 0
    for k in range(count):
        tiles[k] = (cells[holes[k]] & 0xFFFC) | below(rng, 4)
    for hole in range(count):
        cell = holes[hole]
        around, walls = _wanted(lattice, cells, cell), sides_at_wall(lattice, cell)
        gained -= count_sides(equal_sides(lattice.codes[cells[cell]], around) & ~walls)
        for k in range(count):
            _weigh(lattice, framed, scratch, k, hole, around, walls)
            if penalty and not (len(tabu.until) and tabu.until[holes[k], cell] > now):
                scratch.weights[k, hole] += penalty
    assign(scratch.weights, count, columns, scratch.assignment)
    for k in range(count):
        cell, tile = holes[columns[k]], scratch.turned[k, columns[k]]
        cells[cell] = tile
        places[tile >> 2] = cell
        if len(tabu.until) and cell != holes[k]:
            tabu.until[cell, holes[k]] = now + tabu.least + below(rng, tabu.most - tabu.least + 1)
    for hole in range(count):
        cell = holes[hole]
        around, walls = _wanted(lattice, cells, cell), sides_at_wall(lattice, cell)
        gained += count_sides(equal_sides(lattice.codes[cells[cell]], around) & ~walls)
    refresh_edges(lattice, cells, edges, holes, count)
    return gained


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
        matching = equal_sides(lattice.codes[turned], around)
        if framed and matching & walls != walls:
            continue  # another side than grey would face the wall
        found = count_sides(matching & ~walls)
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
