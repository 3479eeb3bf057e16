"""Region crossover (section III-B, Algorithm 1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.frame import NEVER, grey_sides, turns_between, wall_sides
from operators.holes import is_framed
from operators.lattice import Lattice, refresh_edges
from operators.mutation import turned
from operators.population import Population, Scratch, copy_individual, evaluate
from operators.randomness import below, uniform
from operators.variation import Variation
from puzzles.compiled import inlined


@inlined
def region_crossover(
    rng: np.random.Generator,
    lattice: Lattice,
    variation: Variation,
    weights: NDArray[np.int64],
    mothers: Population,
    mother: int,
    fathers: Population,
    father: int,
    children: Population,
    child: int,
    scratch: Scratch,
) -> None:
    """Write the evaluated child of two parents into `children`.

    Algorithm 1: choose a region; outside it the child is a copy of its mother, inside it of its father. Tiles of the
    region that were elsewhere in the mother leave holes there, which are filled at random with the mother's tiles that
    lost their cell. If both parents have the pinned tiles in place, so has the child. If a frame is to be kept and
    those of both parents are valid, tiles of the rim go to the rim and face the wall.
    """
    copy_individual(mothers, mother, children, child)
    height, width = crossover_size(rng, variation)
    top, left = below(rng, lattice.rows - height + 1), below(rng, lattice.cols - width + 1)
    mother_cells, mother_places = mothers.cells[mother], mothers.places[mother]
    father_cells, father_places = fathers.cells[father], fathers.places[father]
    cells, places = children.cells[child], children.places[child]
    changed, holes, spare = scratch.changed, scratch.holes, scratch.spare
    changes = hole_count = spare_count = 0
    for row in range(top, top + height):
        for cell in range(row * lattice.cols + left, row * lattice.cols + left + width):
            ours, theirs = mother_cells[cell], father_cells[cell]
            if ours == theirs:
                continue
            was_at = mother_places[theirs >> 2]
            holes[hole_count] = was_at  # overwritten unless the count goes up: avoids a branch
            hole_count += _outside(lattice, was_at, top, left, height, width)
            spare[spare_count] = ours
            spare_count += _outside(lattice, father_places[ours >> 2], top, left, height, width)
            cells[cell], places[theirs >> 2] = theirs, cell
            changed[changes] = cell
            changes += 1
    framed = variation.keep_frame and is_framed(lattice, mother_cells) and is_framed(lattice, father_cells)
    for k in range(hole_count):
        cell = holes[k]
        if framed:
            pick, tile = _fitting(rng, lattice, variation, spare, spare_count, cell)
        else:
            draw = uniform(rng) * spare_count  # its whole part chooses the tile, the rest the rotation
            pick = int(draw)
            tile = spare[pick]
            if variation.random_refill:
                tile = np.uint16((tile & 0xFFFC) | int((draw - pick) * 4))
        spare_count -= 1
        spare[pick] = spare[spare_count]
        cells[cell], places[tile >> 2] = tile, cell
        changed[changes] = cell
        changes += 1
    if changes:
        refresh_edges(lattice, cells, children.edges[child], changed, changes)
        evaluate(lattice, weights, children, child)


@inlined
def crossover_size(rng: np.random.Generator, variation: Variation) -> tuple[int, int]:
    """Return a random height and width of a region to cross over."""
    height = variation.cross_low_rows + below(rng, variation.cross_high_rows - variation.cross_low_rows + 1)
    width = variation.cross_low_cols + below(rng, variation.cross_high_cols - variation.cross_low_cols + 1)
    return height, width


@inlined
def _outside(lattice: Lattice, cell: int, top: int, left: int, height: int, width: int) -> int:
    """Return 1 if a cell is outside the region. Unsigned, negative numbers are large, which saves a comparison."""
    row = np.uint64(int(lattice.row[cell]) - top) >= np.uint64(height)
    col = np.uint64(int(lattice.col[cell]) - left) >= np.uint64(width)
    return int(row | col)


@inlined
def _fitting(
    rng: np.random.Generator,
    lattice: Lattice,
    variation: Variation,
    spare: NDArray[np.uint16],
    count: int,
    cell: int,
) -> tuple[int, np.uint16]:
    """Return a random one of the first `count` spare tiles that keep the frame on a cell, and how it is laid there."""
    walls, fitting = wall_sides(lattice, cell), 0
    for k in range(count):
        fitting += turns_between(grey_sides(lattice, spare[k]), walls) != NEVER
    draw = uniform(rng) * fitting
    pick, rank = -1, int(draw)
    while rank >= 0:  # there is one: region and holes have as many cells on the rim as tiles
        pick += 1
        rank -= turns_between(grey_sides(lattice, spare[pick]), walls) != NEVER
    tile = turned(spare[pick], turns_between(grey_sides(lattice, spare[pick]), walls))
    if walls == 0 and variation.random_refill:
        tile = np.uint16((tile & 0xFFFC) | int((draw - int(draw)) * 4))
    return pick, tile
