"""What a hole in a board wants: the sides that would match all around it, four of them in one word.

A side's match is the highest bit of its byte, so that matches are counted, and walls left out, four at a time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.bits import popcount
from operators.lattice import Lattice, side_code
from puzzles.compiled import inlined, jit
from puzzles.scoring import WALL

_SEVEN, EIGHTH = np.uint32(0x7F7F7F7F), np.uint32(0x80808080)
_GREY = ~WALL
"""The codes of a tile that is grey all around: a wall's, upside down."""


@jit
def is_framed(lattice: Lattice, cells: NDArray[np.uint16]) -> bool:
    """Whether a board is valid at its rim: every side that faces the wall is grey, and no other side is."""
    for cell in range(lattice.rows * lattice.cols):
        if equal_sides(lattice.codes[cells[cell]] ^ _GREY) != walls_of(lattice, cell):
            return False
    return True


@inlined
def wanted(lattice: Lattice, cells: NDArray[np.uint16], cell: int) -> np.uint32:
    """The side codes that would match all that is around a cell, packed."""
    packed = np.uint32(0)
    for side in range(4):
        there = lattice.codes[cells[lattice.near[cell][side]]]
        packed |= side_code(there, (side + 2) & 3) << np.uint32(8 * side)
    return packed


@inlined
def walls_of(lattice: Lattice, cell: int) -> np.uint32:
    """The highest bit of each side of a cell that faces the wall."""
    walls = np.uint32(0)
    for side in range(4):
        if lattice.near[cell][side] == lattice.rows * lattice.cols:
            walls |= np.uint32(0x80) << np.uint32(8 * side)
    return walls


@inlined
def equal_sides(differing: np.uint32) -> np.uint32:
    """The highest bit of each of four packed bytes that is zero."""
    nonzero = ((differing & _SEVEN) + _SEVEN) | differing
    return np.uint32(~nonzero & EIGHTH)


@inlined
def matches(differing: np.uint32, ignored: np.uint32) -> int:
    """How many of four packed bytes are zero, leaving out those whose highest bit is to be ignored."""
    return popcount(np.uint64(equal_sides(differing) & ~ignored))
