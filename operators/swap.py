"""Random *swap and rotate* moves of Schaus and Deville: two tiles exchange their cells, each with a free rotation.

On a framed board, with grey on the rim and nowhere else, tiles stay in cells of their kind, and the board stays framed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.bits import popcount
from operators.holes import equal_sides, walls_of, wanted
from operators.lattice import Lattice, refresh_edges
from operators.randomness import below
from puzzles.compiled import inlined, jit

_KINDS = 4  # by the walls around a cell: inner, rim, corner (or on a board one cell wide, strip), end


@jit
def partners_by_kind(lattice: Lattice, framed: bool) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Return the cells that can exchange their tile with another, by kind, and the range of each cell's kind."""
    tiles, count = lattice.rows * lattice.cols, 0
    partners = np.empty(tiles, dtype=np.int32)
    first, last = np.zeros(tiles, dtype=np.int32), np.zeros(tiles, dtype=np.int32)
    for kind in range(_KINDS if framed else 1):
        start = count
        for cell in range(tiles):
            if not lattice.pinned[cell] and (not framed or popcount(np.uint64(walls_of(lattice, cell))) == kind):
                partners[count] = cell
                count += 1
        if count - start == 1:
            count = start  # the only cell of its kind
        for k in range(start, count):
            first[partners[k]], last[partners[k]] = start, count
    return partners[:count], first, last


@jit
def swap_randomly(
    rng: np.random.Generator,
    lattice: Lattice,
    framed: bool,
    cells: NDArray[np.uint16],
    places: NDArray[np.uint16],
    edges: NDArray[np.uint64],
    count: int,
) -> None:
    """Make random swap and rotate moves: two random cells exchange their tiles, each rotated at random.

    Pinned cells take no part. If no two cells can exchange their tiles, the board is unchanged.

    Args:
        rng: Source of randomness.
        lattice: The board.
        framed: Whether grey is on the rim and nowhere else, which is then preserved: cells swap within their kind.
        cells: The board's cells, followed by the wall; changed in place.
        places: The cell of each tile; updated with the cells.
        edges: Which edges match; updated with the cells.
        count: Number of moves to make.
    """
    partners, first, last = partners_by_kind(lattice, framed)
    changed = np.empty(2, dtype=np.int32)
    for _ in range(count if len(partners) else 0):
        cell = partners[below(rng, len(partners))]
        start = first[cell]
        other = partners[start + below(rng, last[cell] - start - 1)]
        if other == cell:
            other = partners[last[cell] - 1]  # drawn from all but the last, so that all others are equally likely
        here, there = cells[cell], cells[other]
        cells[cell] = _turned_randomly(rng, lattice, framed, cells, cell, there)
        cells[other] = _turned_randomly(rng, lattice, framed, cells, other, here)
        places[there >> 2], places[here >> 2] = cell, other
        changed[0], changed[1] = cell, other
        refresh_edges(lattice, cells, edges, changed, 2)


@inlined
def _turned_randomly(
    rng: np.random.Generator, lattice: Lattice, framed: bool, cells: NDArray[np.uint16], cell: int, tile: np.uint16
) -> np.uint16:
    """Return a tile rotated at random for a cell; if `framed`, so that grey faces the wall."""
    grey = walls_of(lattice, cell) if framed else np.uint32(0)
    around, turn = wanted(lattice, cells, cell), below(rng, 4)
    for _ in range(3):
        if equal_sides(lattice.codes[turned(tile, turn)] ^ around) & grey == grey:
            break
        turn += 1
    return turned(tile, turn)


@inlined
def turned(tile: np.uint16, turn: int) -> np.uint16:
    """Return a tile in a given rotation, modulo four, regardless of its current one.

    In a loop, `turn` must not exceed four: on processors with AVX-512, LLVM 22 then reads past the tile's four
    rotations instead of wrapping around.
    """
    return np.uint16((tile & 0xFFFC) | (turn & 3))
