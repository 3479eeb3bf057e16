"""Parts of a board that are worth transplanting: fully matched components, and rectangles; and what they would gain."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.lattice import Lattice, side_code
from operators.neighbourhood import NeighbourhoodScratch
from operators.randomness import below
from operators.refill import make_refill_scratch
from puzzles.compiled import inlined


class WellFormed(NamedTuple):
    """How parts are chosen for well-formed crossover, with working memory."""

    components: float
    """The probability that parts are fully matched components; otherwise they are rectangles."""
    tries: int
    """The number of parts of which the best is transplanted."""
    differing: NDArray[np.int32]
    """The cells in which the parents differ."""
    chosen: NDArray[np.int32]
    """The cells of a part."""
    best: NDArray[np.int32]
    """The cells of the best part so far."""
    inside: NDArray[np.bool_]
    """Which cells belong to a part; the wall does not."""
    rim: NDArray[np.int32]
    """Cells beside a growing component; some more than once."""
    refill: NeighbourhoodScratch


def make_well_formed(lattice: Lattice, components: float, tries: int) -> WellFormed:
    """Return how parts of a board are chosen for well-formed crossover.

    Args:
        lattice: The board.
        components: The probability that parts are fully matched components; otherwise they are rectangles.
        tries: The number of parts of which the best is transplanted.
    """
    cells = lattice.rows * lattice.cols
    return WellFormed(
        components,
        tries,
        np.zeros(cells, np.int32),
        np.zeros(cells, np.int32),
        np.zeros(cells, np.int32),
        np.zeros(cells + 1, np.bool_),
        np.zeros(4 * cells + 1, np.int32),
        make_refill_scratch(lattice),
    )


@inlined
def list_differing(one: NDArray[np.uint16], other: NDArray[np.uint16], found: NDArray[np.int32]) -> int:
    """List the cells in which two boards differ; return their number."""
    count = 0
    for cell in range(len(found)):
        if one[cell] != other[cell]:
            found[count] = cell
            count += 1
    return count


@inlined
def choose_rectangle(rng: np.random.Generator, lattice: Lattice, height: int, width: int, how: WellFormed) -> int:
    """Choose a random rectangle of a given size; return its number of cells."""
    top, left = below(rng, lattice.rows - height + 1), below(rng, lattice.cols - width + 1)
    count = 0
    for row in range(top, top + height):
        for cell in range(row * lattice.cols + left, row * lattice.cols + left + width):
            how.chosen[count], how.inside[cell] = cell, True
            count += 1
    return count


@inlined
def grow_component(
    rng: np.random.Generator,
    lattice: Lattice,
    mother: NDArray[np.uint16],
    father: NDArray[np.uint16],
    differing: int,
    size: int,
    how: WellFormed,
) -> int:
    """Grow a component of at most `size` cells in which the parents differ; return their number.

    It begins at a random one of the `differing` cells. A random cell beside it is added if all edges between them match
    in the father; so all edges within a component match.
    """
    how.rim[0] = how.differing[below(rng, differing)]
    waiting, count = 1, 0
    while count < size and waiting:
        k = below(rng, waiting)
        cell = how.rim[k]
        waiting -= 1
        how.rim[k] = how.rim[waiting]
        if how.inside[cell] or mother[cell] == father[cell] or not _joins(lattice, father, cell, how.inside):
            continue
        how.chosen[count], how.inside[cell] = cell, True
        count += 1
        for near in lattice.near[cell]:
            if near < lattice.rows * lattice.cols and not how.inside[near]:
                how.rim[waiting] = near
                waiting += 1
    return count


@inlined
def _joins(lattice: Lattice, cells: NDArray[np.uint16], cell: int, inside: NDArray[np.bool_]) -> bool:
    """Return whether all edges between a cell and a component match."""
    whole = True
    for side in range(4):
        near = lattice.near[cell][side]
        whole &= not inside[near] or edge_matches(lattice, cells[cell], cells[near], side)
    return whole


@inlined
def edge_matches(lattice: Lattice, here: np.uint16, there: np.uint16, side: int) -> bool:
    """Return whether an oriented tile matches another one on its given side; grey matches nothing but the wall."""
    ours, theirs = lattice.codes[here], lattice.codes[there]
    return bool(side_code(ours, side) == side_code(theirs, (side + 2) & 3))


@inlined
def gain_of(
    lattice: Lattice, mother: NDArray[np.uint16], father: NDArray[np.uint16], count: int, how: WellFormed
) -> int:
    """Return how many edges more match around the chosen cells, counted twice, if the father's tiles are put there.

    What the holes elsewhere lose is not known before they are filled.
    """
    gain, wall = 0, lattice.rows * lattice.cols
    for k in range(count):
        cell = how.chosen[k]
        for side in range(4):
            near = lattice.near[cell][side]
            if near == wall or side_code(lattice.uncounted[cell], side):
                continue
            within = how.inside[near]
            after = edge_matches(lattice, father[cell], father[near] if within else mother[near], side)
            before = edge_matches(lattice, mother[cell], mother[near], side)
            gain += (int(after) - int(before)) * (1 if within else 2)  # an edge within is seen from both of its cells
    return gain
