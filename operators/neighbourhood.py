"""Sets of cells that do not touch, whose tiles a move in the very large neighbourhood of Schaus and Deville takes out.

A set is chosen at random. With a given probability a cell is drawn as an end of an unmatched edge, as in Wauters et
al., so that cells with many unmatched edges are preferred in proportion to their number. Alternatively, the set is all
black or all white squares of the checkerboard.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.assignment import AssignmentScratch, make_assignment_scratch, make_weights
from operators.bits import WORD, lowest
from operators.lattice import Lattice
from operators.randomness import below, uniform
from puzzles.compiled import inlined

MATCHES = 5
"""Number of different weights: a tile matches 0 to 4 of its neighbours."""
_ONE = np.uint64(1)


class NeighbourhoodScratch(NamedTuple):
    """Working memory of the moves, allocated once and reused."""

    cell_at: NDArray[np.int32]
    """The cell of each bit of a lattice's edges."""
    free: NDArray[np.int32]
    """The cells that are not pinned."""
    order: NDArray[np.int32]
    """The same cells, shuffled as far as they were drawn."""
    ends: NDArray[np.int32]
    """The cells on both sides of each unmatched edge."""
    barred: NDArray[np.bool_]
    """The cells that are chosen, touch a chosen cell, or may not be chosen."""
    chosen: NDArray[np.int32]
    holes: NDArray[np.int32]
    """The chosen cells that currently exchange their tiles with each other."""
    tiles: NDArray[np.uint16]
    """The tiles of these cells, rotated at random."""
    around: NDArray[np.uint32]
    """Per hole, the side codes that match all its neighbours."""
    walls: NDArray[np.uint32]
    """Per hole, the sides that face the wall."""
    weights: NDArray[np.uint8]
    turns: NDArray[np.uint8]
    """Per tile and hole, the number of turns with which the tile matches best."""
    columns: NDArray[np.int32]
    assignment: AssignmentScratch


def make_neighbourhood_scratch(lattice: Lattice, most: int, penalty: int = 0) -> NeighbourhoodScratch:
    """Return working memory for sets of up to `most` cells, with tabu moves penalised by `penalty` edges."""
    cells = lattice.rows * lattice.cols
    most = max(1, min(most, (cells + 1) // 2))
    free = np.flatnonzero(~lattice.pinned).astype(np.int32)
    cell_at = np.full(WORD * lattice.counted.shape[1], -1, dtype=np.int32)
    cell_at[lattice.bit] = np.arange(len(lattice.bit))
    return NeighbourhoodScratch(
        cell_at,
        free,
        free.copy(),
        np.zeros(4 * cells, dtype=np.int32),
        np.zeros(cells + 1, dtype=np.bool_),
        np.zeros(most, dtype=np.int32),
        np.zeros(most, dtype=np.int32),
        np.zeros(most, dtype=np.uint16),
        np.zeros(most, dtype=np.uint32),
        np.zeros(most, dtype=np.uint32),
        make_weights(most),
        make_weights(most),
        np.zeros(most, dtype=np.int32),
        make_assignment_scratch(most, MATCHES + penalty),
    )


def are_scattered(lattice: Lattice, cells: Sequence[int]) -> bool:
    """Return whether cells are distinct, on the board and not pinned, and no two of them share an edge."""
    chosen = set(cells)
    if len(chosen) < len(cells) or not chosen <= set(np.flatnonzero(~lattice.pinned).tolist()):
        return False
    return all(chosen.isdisjoint(lattice.near[cell].tolist()) for cell in chosen)


@inlined
def choose_scattered(
    rng: np.random.Generator,
    lattice: Lattice,
    edges: NDArray[np.uint64],
    size: int,
    violated: float,
    tabu: NDArray[np.int64],
    now: int,
    scratch: NeighbourhoodScratch,
) -> int:
    """Choose up to `size` cells at random, none of them pinned, no two with a common edge; return their number.

    Fewer are chosen only if every other cell touches one of them or may not be chosen, or if the scratch has no room
    for more.

    Args:
        rng: Source of randomness.
        lattice: The board.
        edges: Which edges of the board match.
        size: Number of cells.
        violated: Probability of drawing a cell as an end of an unmatched edge, as long as there are any.
        tabu: Per cell, the last iteration at which it may not be chosen; empty if all cells may be chosen.
        now: The current iteration.
        scratch: Working memory; the chosen cells are the first in `scratch.chosen`.
    """
    order, barred, chosen = scratch.order, scratch.barred, scratch.chosen
    for cell in range(len(lattice.pinned)):
        barred[cell] = lattice.pinned[cell]
    for cell in range(len(tabu)):
        barred[cell] |= tabu[cell] >= now
    for k in range(len(order)):
        order[k] = scratch.free[k]  # the choice depends on the generator alone
    ends = _list_ends(lattice, edges, scratch) if violated > 0 else 0
    count, drawn, size = 0, 0, min(size, len(chosen))
    while count < size and drawn < len(order):
        if ends and uniform(rng) < violated:
            other = below(rng, ends)
            ends -= 1
            cell = scratch.ends[other]
            scratch.ends[other] = scratch.ends[ends]
        else:
            other = drawn + below(rng, len(order) - drawn)
            order[drawn], order[other] = order[other], order[drawn]
            cell = order[drawn]
            drawn += 1
        if barred[cell]:
            continue
        barred[cell] = True
        for near in lattice.near[cell]:
            barred[near] = True
        chosen[count] = cell
        count += 1
    return count


@inlined
def choose_checkerboard(rng: np.random.Generator, lattice: Lattice, scratch: NeighbourhoodScratch) -> int:
    """Choose all black or all white squares that are not pinned; return their number."""
    return choose_colour(lattice, below(rng, 2), scratch)


@inlined
def choose_colour(lattice: Lattice, colour: int, scratch: NeighbourhoodScratch) -> int:
    """Choose all squares of one colour of the checkerboard, 0 or 1, that are not pinned; return their number."""
    count = 0
    for cell in scratch.free:
        if (lattice.row[cell] + lattice.col[cell]) & 1 == colour:
            scratch.chosen[count] = cell
            count += 1
    return count


@inlined
def _list_ends(lattice: Lattice, edges: NDArray[np.uint64], scratch: NeighbourhoodScratch) -> int:
    """List the cells on both sides of each unmatched inner edge; return the length of the list."""
    count = 0
    for way in range(2):
        step = 1 if way == 0 else lattice.stride
        for word in range(lattice.margin, edges.shape[1] - lattice.margin):
            unmatched = lattice.counted[way, word] & ~edges[way, word]
            while unmatched:
                bit = WORD * word + lowest(unmatched)
                unmatched &= unmatched - _ONE
                scratch.ends[count], scratch.ends[count + 1] = scratch.cell_at[bit], scratch.cell_at[bit + step]
                count += 2
    return count
