"""Repair in the very large neighbourhood of Schaus and Deville: tiles are taken out and put back optimally.

If no two of the cells share an edge, the value of a tile in a cell does not depend on the other tiles, and finding the
best of all k! * 4^k ways to put them back is an assignment problem (`operators.assignment`). The score never falls.
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
    """Options of `repair`."""

    share: float
    """Probability that an individual is repaired."""
    moves: int
    size: int
    """Number of tiles that a move takes out."""
    violated: float
    """Probability with which each of them is chosen for its unmatched edges."""
    checkerboard: bool
    """Whether a move takes out all black or all white squares of the checkerboard instead."""


class MoveTabu(NamedTuple):
    """The tabu moves: the second list of Schaus and Deville."""

    until: NDArray[np.int64]
    """Per pair of cells, the last iteration at which a tile may not move from the first to the second; empty if none is
    tabu."""
    least: int
    most: int
    """Bounds of the random number of iterations for which undoing a move is tabu."""


def make_repair_scratch(lattice: Lattice, how: Repair) -> NeighbourhoodScratch:
    """Return working memory for `repair`."""
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
    """Repair an individual whose edges are up to date, and evaluate it; a valid frame stays valid."""
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
    """Take out the tiles of the chosen cells and put them back so that the most edges match; return the edges gained.

    The tiles are first rotated at random, and of several best rotations the first is used, so that repeated moves cross
    plateaus. A tile that stays is never tabu, so the score does not fall with a tabu list either.

    Args:
        rng: Source of randomness.
        lattice: The board.
        framed: Whether grey is on the rim and nowhere else, which is then preserved: corner, border and inner tiles
            stay in cells of their kind.
        cells: The board's cells, followed by the wall; changed in place.
        places: The cell of each tile; updated with the cells.
        edges: Which edges match; updated with the cells.
        count: Number of cells in `scratch.chosen`; no two of them touch.
        tabu: Moves to avoid; those that would undo this one are added.
        now: The current iteration.
        scratch: Working memory; its penalty is the number of edges by which a tabu move must beat the others.
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
    """Exchange the tiles of the first `count` holes optimally, any tile into any hole; return the edges gained."""
    holes, tiles, columns = scratch.holes, scratch.tiles, scratch.columns
    gained = 0
    for hole in range(count):
        cell = holes[hole]
        tiles[hole] = (cells[cell] & 0xFFFC) | below(rng, 4)
        scratch.around[hole], scratch.walls[hole] = wanted(lattice, cells, cell), walls_of(lattice, cell)
        gained -= matches(lattice.codes[cells[cell]] ^ scratch.around[hole], scratch.walls[hole])
    for k in range(count):
        weigh(lattice, framed, scratch, k, count)
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
def weigh(lattice: Lattice, framed: bool, scratch: NeighbourhoodScratch, k: int, count: int) -> None:
    """Compute the most edges that a tile can match in each hole, and the first rotation, from its own on, that does.

    The loop has no branches and no look-ups, so that the processor handles several holes at a time.
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
    """Return a key that grows with the number of edges that an oriented tile matches; `before` breaks ties.

    Tiles that respect the frame have higher keys than all others.
    """
    matching = equal_sides(codes ^ around)
    found = (((matching & ~walls) >> np.uint32(7)) * np.uint32(0x01010101)) >> np.uint32(24) & np.uint32(7)
    right = np.uint32(32) if matching & grey == grey else np.uint32(0)
    return np.uint32(right | (found << np.uint32(2)) | np.uint32(before))


@inlined
def _penalise(tabu: MoveTabu, now: int, count: int, scratch: NeighbourhoodScratch) -> None:
    """Penalise tabu moves by raising the weights of all others, because weights cannot be negative."""
    penalty = scratch.assignment.weighing.shape[1] - MATCHES
    if penalty == 0:
        return
    for k in range(count):
        for hole in range(count):
            if len(tabu.until) == 0 or tabu.until[scratch.holes[k], scratch.holes[hole]] < now:
                scratch.weights[k, hole] += penalty
