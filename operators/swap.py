"""The *swap and rotate* move of Schaus and Deville, at random: two tiles exchange their cells, each turned at will.

On a framed board, with grey on the rim and nowhere else, tiles keep to their kind, and the board stays framed.
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
    """The cells that can exchange their tile with another, kind by kind; and where each cell's kind is among them."""
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
            count = start  # alone of its kind
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
    """Make some random swap and rotate moves: two random cells exchange their tiles, each turned at random.

    Pinned cells take no part. Nothing happens on a board where no two cells can exchange their tiles.

    Args:
        rng: Where randomness comes from.
        lattice: The board.
        framed: Whether grey is on the rim and nowhere else, and is to stay so: cells then swap with their kind.
        cells: The board's cells, with the wall behind them; changed in place.
        places: Where each tile lies; changed with the cells.
        edges: Which edges match; changed with the cells.
        count: How many moves to make.
    """
    partners, first, last = partners_by_kind(lattice, framed)
    changed = np.empty(2, dtype=np.int32)
    for _ in range(count if len(partners) else 0):
        cell = partners[below(rng, len(partners))]
        start = first[cell]
        other = partners[start + below(rng, last[cell] - start - 1)]
        if other == cell:
            other = partners[last[cell] - 1]  # drawn from all but the last, so that each of the others is as likely
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
    """A tile turned at random for a cell; if `framed`, so that grey faces the wall."""
    grey = walls_of(lattice, cell) if framed else np.uint32(0)
    around, turn = wanted(lattice, cells, cell), below(rng, 4)
    for _ in range(3):
        if equal_sides(lattice.codes[turned(tile, turn)] ^ around) & grey == grey:
            break
        turn += 1
    return turned(tile, turn)


@inlined
def turned(tile: np.uint16, turn: int) -> np.uint16:
    """A tile in a given rotation, whatever its rotation was; rotations go round after four.

    In a loop, `turn` must not count beyond four: on processors with AVX-512, LLVM 22 then reads on behind the tile's
    four rotations instead of going round.
    """
    return np.uint16((tile & 0xFFFC) | (turn & 3))
