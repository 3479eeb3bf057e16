"""Holes of a board filled with the tiles that are left, by assignment.

The value of a tile in a hole is the number of neighbours that it matches, not counting other holes. So the assignment
is optimal if no two holes touch; where they do, the edges between them are left to chance.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.assignment import assign
from operators.bits import popcount
from operators.holes import equal_sides, walls_of, wanted_so_far
from operators.lattice import Lattice
from operators.neighbourhood import NeighbourhoodScratch, make_neighbourhood_scratch
from operators.randomness import below
from operators.repair import weigh
from puzzles import EMPTY
from puzzles.compiled import inlined
from puzzles.scoring import WALL

_KINDS = 5  # cells and tiles by the number of their grey sides
_MOST_HOLES = 256
_GREY = ~WALL


def make_refill_scratch(lattice: Lattice) -> NeighbourhoodScratch:
    """Return working memory for `fill_holes`; more holes than it has room for are filled in parts."""
    return make_neighbourhood_scratch(lattice, _MOST_HOLES)


@inlined
def fill_holes(
    rng: np.random.Generator,
    lattice: Lattice,
    framed: bool,
    cells: NDArray[np.uint16],
    tiles: NDArray[np.uint16],
    count: int,
    scratch: NeighbourhoodScratch,
) -> None:
    """Fill the empty cells of a board with as many tiles so that the most edges match.

    Args:
        rng: Source of randomness.
        lattice: The board.
        framed: Whether tiles with grey sides belong on the rim, and no others.
        cells: The board's cells, followed by the wall; changed in place.
        tiles: The tiles that are left, in any rotation; their order is changed.
        count: Number of tiles, and of empty cells.
        scratch: Working memory.
    """
    for grey in range(0 if framed else _KINDS, _KINDS + 1):  # at last whatever is left, if the frame cannot be kept
        kept = framed and grey < _KINDS
        part = 1
        while count and part:
            part = _list_holes(lattice, cells, grey if kept else -1, scratch)
            left = _list_tiles(lattice, tiles, count, grey if kept else -1, part, scratch)
            part = count - left
            if part:
                _fill(rng, lattice, kept, cells, part, scratch)
            count = left


@inlined
def _list_holes(lattice: Lattice, cells: NDArray[np.uint16], grey: int, scratch: NeighbourhoodScratch) -> int:
    """List empty cells with a number of walls, or with any if that is -1; return how many, as far as there is room."""
    count = 0
    for cell in range(lattice.rows * lattice.cols):
        if cells[cell] == EMPTY and count < len(scratch.holes):
            if grey < 0 or popcount(np.uint64(walls_of(lattice, cell))) == grey:
                scratch.holes[count] = cell
                count += 1
    return count


@inlined
def _list_tiles(
    lattice: Lattice, tiles: NDArray[np.uint16], count: int, grey: int, most: int, scratch: NeighbourhoodScratch
) -> int:
    """Move up to `most` tiles with a number of grey sides, or any, into the scratch; return how many are left."""
    taken = left = 0
    for k in range(count):
        sides = equal_sides(lattice.codes[tiles[k]] ^ _GREY)
        if taken < most and (grey < 0 or popcount(np.uint64(sides)) == grey):
            scratch.tiles[taken] = tiles[k]
            taken += 1
        else:
            tiles[left] = tiles[k]
            left += 1
    return left


@inlined
def _fill(
    rng: np.random.Generator,
    lattice: Lattice,
    framed: bool,
    cells: NDArray[np.uint16],
    count: int,
    scratch: NeighbourhoodScratch,
) -> None:
    """Fill the first `count` holes of the scratch with its tiles."""
    for k in range(count):
        cell = scratch.holes[k]
        scratch.tiles[k] = (scratch.tiles[k] & 0xFFFC) | below(rng, 4)
        scratch.around[k], scratch.walls[k] = wanted_so_far(lattice, cells, cell), walls_of(lattice, cell)
    for k in range(count):
        weigh(lattice, framed, scratch, k, count)
    assign(scratch.weights, count, scratch.columns, scratch.assignment)
    for k in range(count):
        hole, tile = scratch.columns[k], scratch.tiles[k]
        cells[scratch.holes[hole]] = (tile & 0xFFFC) | ((tile + scratch.turns[k, hole]) & 3)
