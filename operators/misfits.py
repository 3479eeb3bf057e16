"""Misfits: the cells of a board that have an unmatched edge, from which directed operators choose."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.bits import popcount
from operators.holes import EIGHTH, equal_sides, walls_of, wanted
from operators.lattice import Lattice
from operators.randomness import below
from puzzles.compiled import inlined


@inlined
def unmatched(lattice: Lattice, cells: NDArray[np.uint16], cell: int) -> int:
    """Return the number of edges of a cell that count and do not match."""
    equal = equal_sides(lattice.codes[cells[cell]] ^ wanted(lattice, cells, cell))
    ignored = equal | walls_of(lattice, cell) | (lattice.uncounted[cell] & EIGHTH)
    return 4 - popcount(np.uint64(ignored))


@inlined
def list_misfits(lattice: Lattice, cells: NDArray[np.uint16], found: NDArray[np.int32]) -> int:
    """List the cells with an unmatched edge that are not pinned; return their number."""
    count = 0
    for cell in range(lattice.rows * lattice.cols):
        found[count] = cell  # overwritten unless the count goes up: avoids a branch
        count += int(not lattice.pinned[cell] and unmatched(lattice, cells, cell) > 0)
    return count


@inlined
def random_misfit(
    rng: np.random.Generator, lattice: Lattice, cells: NDArray[np.uint16], misfits: NDArray[np.int32]
) -> int:
    """Return a random cell with an unmatched edge that is not pinned; any cell if there is none.

    Args:
        rng: Source of randomness.
        lattice: The board.
        cells: Its cells, followed by the wall.
        misfits: Working memory, with an entry for each cell and one more.
    """
    count = list_misfits(lattice, cells, misfits)
    return int(misfits[below(rng, count)]) if count else below(rng, lattice.rows * lattice.cols)
