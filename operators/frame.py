"""The frame: sides that face the wall, and whether grey lies there and nowhere else; four sides of a tile at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.bits import popcount
from operators.lattice import Lattice
from puzzles._numba import inlined, jit
from puzzles.scoring import WALL

EIGHTH = np.uint32(0x80808080)
"""The highest bit of each of four packed bytes: sets of sides are made of these bits."""
_SEVEN = np.uint32(0x7F7F7F7F)
_GREY = ~WALL
"""The codes of a tile that is grey all around: a wall's are theirs upside down."""


@jit
def is_framed(lattice: Lattice, cells: NDArray[np.uint16]) -> bool:
    """Whether a board is valid at its rim: every side that faces the wall is grey, and no other side is."""
    for cell in range(lattice.rows * lattice.cols):
        if equal_sides(lattice.codes[cells[cell]], _GREY) != sides_at_wall(lattice, cell):
            return False
    return True


@inlined
def sides_at_wall(lattice: Lattice, cell: int) -> np.uint32:
    """The sides of a cell that face the wall, as a set."""
    walls = np.uint32(0)
    for side in range(4):
        if lattice.near[cell][side] == lattice.rows * lattice.cols:
            walls |= np.uint32(0x80) << np.uint32(8 * side)
    return walls


@inlined
def equal_sides(codes: np.uint32, others: np.uint32) -> np.uint32:
    """The sides in which two packed words agree, as a set."""
    differing = codes ^ others
    nonzero = ((differing & _SEVEN) + _SEVEN) | differing
    return ~nonzero & EIGHTH


@inlined
def count_sides(sides: np.uint32) -> int:
    """How many sides are in a set."""
    return popcount(np.uint64(sides))
