"""Regions that are emptied and filled again: rectangles, and blobs that grow over unmatched cells.

A region lies around a cell with an unmatched edge. Its cells are listed in the order in which they are filled: a
rectangle row by row or column by column, a blob so that each cell has as many filled neighbours as can be.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.errors import OperatorError
from operators.lattice import Lattice
from operators.misfits import random_misfit, unmatched
from operators.randomness import below, uniform
from puzzles.compiled import inlined

MOST_CELLS = 64
"""The most cells of a region: their tiles are the bits of one word."""
OUTSIDE = -1
_NARROWEST, _WIDTHS = 2, 9
"""The least width of a rectangle, and the number of different widths."""


class Regions(NamedTuple):
    """How regions are chosen, and working memory for it."""

    least: int
    most: int
    """Bounds of the number of cells of a region; a rectangle has at most the number drawn."""
    rectangles: float
    """The probability that a region is a rectangle."""
    chosen: NDArray[np.int32]
    """The cells of the region, in the order in which they are filled."""
    place: NDArray[np.int32]
    """The place of each cell in that order, or OUTSIDE; the wall's is OUTSIDE."""
    misfits: NDArray[np.int32]
    rim: NDArray[np.int32]
    """Cells beside a growing blob; some more than once."""
    filled: NDArray[np.int32]
    """By place in a blob, the number of sides of the cell whose neighbour is not empty."""


def make_regions(lattice: Lattice, sizes: tuple[int, int], rectangles: float) -> Regions:
    """Return how regions of a board are chosen.

    Args:
        lattice: The board.
        sizes: The least and the greatest number of cells of a region.
        rectangles: The probability that a region is a rectangle; the others are blobs.

    Raises:
        OperatorError: The sizes are invalid, or larger than the board.
    """
    (least, most), cells = sizes, lattice.rows * lattice.cols
    if not 2 <= least <= most <= min(MOST_CELLS, cells):
        limit = f"the {cells} cells of a {lattice.rows}x{lattice.cols} board" if cells < MOST_CELLS else f"{MOST_CELLS}"
        raise OperatorError(f"regions of {least} to {most} cells: expected 2 <= least <= greatest <= {limit}")
    return Regions(
        least,
        most,
        rectangles,
        np.zeros(most, np.int32),
        np.full(cells + 1, OUTSIDE, np.int32),
        np.zeros(cells + 1, np.int32),
        np.zeros(4 * most + 1, np.int32),
        np.zeros(most, np.int32),
    )


@inlined
def choose_region(rng: np.random.Generator, lattice: Lattice, cells: NDArray[np.uint16], regions: Regions) -> int:
    """Choose a region around a random unmatched cell, or any cell if there is none; return its number of cells.

    Pinned cells are left out. The caller resets `regions.place` of the chosen cells.
    """
    cell = random_misfit(rng, lattice, cells, regions.misfits)
    size = regions.least + below(rng, regions.most - regions.least + 1)
    if uniform(rng) < regions.rectangles:
        count = _choose_rectangle(rng, lattice, cell, size, regions)
    else:
        count = _grow_blob(rng, lattice, cells, cell, size, regions)
        _order_blob(rng, lattice, count, regions)
    for k in range(count):
        regions.place[regions.chosen[k]] = k
    return count


@inlined
def _choose_rectangle(rng: np.random.Generator, lattice: Lattice, cell: int, size: int, regions: Regions) -> int:
    """Choose a rectangle of at most `size` cells that contains a cell."""
    rows, cols = lattice.rows, lattice.cols
    width = min(_NARROWEST + below(rng, _WIDTHS), cols, size)
    height = min(size // width, rows)
    top = min(max(int(lattice.row[cell]) - below(rng, height), 0), rows - height)
    left = min(max(int(lattice.col[cell]) - below(rng, width), 0), cols - width)
    by_rows = below(rng, 2) == 0
    count = 0
    for k in range(height * width):
        row, col = (k // width, k % width) if by_rows else (k % height, k // height)
        inside = (top + row) * cols + left + col
        if not lattice.pinned[inside]:
            regions.chosen[count] = inside
            count += 1
    return count


@inlined
def _grow_blob(
    rng: np.random.Generator, lattice: Lattice, cells: NDArray[np.uint16], cell: int, size: int, regions: Regions
) -> int:
    """Grow a blob of at most `size` cells from a cell; of two cells beside it, the one with more unmatched edges."""
    chosen, place, rim = regions.chosen, regions.place, regions.rim
    rim[0] = cell
    waiting, count = 1, 0
    while count < size and waiting:
        k, other = below(rng, waiting), below(rng, waiting)
        if unmatched(lattice, cells, rim[other]) > unmatched(lattice, cells, rim[k]):
            k = other
        grown = rim[k]
        waiting -= 1
        rim[k] = rim[waiting]
        if place[grown] != OUTSIDE or lattice.pinned[grown]:
            continue
        chosen[count], place[grown] = grown, count
        count += 1
        for near in lattice.near[grown]:
            if near < len(lattice.pinned) and place[near] == OUTSIDE:
                rim[waiting] = near
                waiting += 1
    return count


@inlined
def _order_blob(rng: np.random.Generator, lattice: Lattice, count: int, regions: Regions) -> None:
    """Order the cells of a blob: always one of those with the most filled neighbours next."""
    chosen, place, filled = regions.chosen, regions.place, regions.filled
    for k in range(count):
        filled[k] = 0
        for near in lattice.near[chosen[k]]:
            filled[k] += place[near] == OUTSIDE
    for k in range(count):
        best, ties = k, 1
        for other in range(k + 1, count):
            if filled[other] > filled[best]:
                best, ties = other, 1
            elif filled[other] == filled[best]:
                ties += 1
                if below(rng, ties) == 0:
                    best = other
        cell = chosen[best]
        chosen[best], filled[best] = chosen[k], filled[k]
        place[chosen[best]] = best
        chosen[k] = cell
        place[cell] = k
        for near in lattice.near[cell]:
            if place[near] > k:
                filled[place[near]] += 1
