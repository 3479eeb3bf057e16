"""Holes in a board: the sides that would match all neighbours, four of them packed in one word.

A match is the highest bit of the side's byte, so that matches are counted, and walls excluded, four at a time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.bits import popcount
from operators.lattice import Lattice, side_code
from puzzles import EMPTY
from puzzles.compiled import inlined, jit
from puzzles.scoring import WALL

_SEVEN, EIGHTH = np.uint32(0x7F7F7F7F), np.uint32(0x80808080)
_GREY = ~WALL
"""The codes of a tile with four grey sides: the inverse of the wall's."""
_NOTHING = np.array([254, 253, 253, 254], dtype=np.uint8).view(np.uint32)[0]
"""Codes that no tile has on that side (`puzzles.scoring`): wanted where an edge does not count."""


@jit
def is_framed(lattice: Lattice, cells: NDArray[np.uint16]) -> bool:
    """Return whether the frame is valid: every side that faces the wall is grey, and no other side is."""
    for cell in range(lattice.rows * lattice.cols):
        if equal_sides(lattice.codes[cells[cell]] ^ _GREY) != walls_of(lattice, cell):
            return False
    return True


@inlined
def wanted(lattice: Lattice, cells: NDArray[np.uint16], cell: int) -> np.uint32:
    """Return the packed side codes that would match all neighbours of a cell at edges that count."""
    packed = np.uint32(0)
    for side in range(4):
        there = lattice.codes[cells[lattice.near[cell][side]]]
        packed |= side_code(there, (side + 2) & 3) << np.uint32(8 * side)
    return np.uint32((packed & ~lattice.uncounted[cell]) | (_NOTHING & lattice.uncounted[cell]))


@inlined
def wanted_so_far(lattice: Lattice, cells: NDArray[np.uint16], cell: int) -> np.uint32:
    """Return the same for a board that is not complete: nothing matches a side whose neighbour is empty."""
    packed = np.uint32(0)
    for side in range(4):
        there, shift = cells[lattice.near[cell][side]], np.uint32(8 * side)
        code = side_code(_NOTHING, side)
        if there != EMPTY:
            code = side_code(lattice.codes[there], (side + 2) & 3)
        packed |= code << shift
    return np.uint32((packed & ~lattice.uncounted[cell]) | (_NOTHING & lattice.uncounted[cell]))


@inlined
def walls_of(lattice: Lattice, cell: int) -> np.uint32:
    """Return the sides of a cell that face the wall, as the highest bit of their bytes."""
    walls = np.uint32(0)
    for side in range(4):
        if lattice.near[cell][side] == lattice.rows * lattice.cols:
            walls |= np.uint32(0x80) << np.uint32(8 * side)
    return walls


@inlined
def equal_sides(differing: np.uint32) -> np.uint32:
    """Return which of four packed bytes are zero, as the highest bit of each."""
    nonzero = ((differing & _SEVEN) + _SEVEN) | differing
    return np.uint32(~nonzero & EIGHTH)


@inlined
def packed_sides(sides: np.uint32) -> int:
    """Return sides, given as the highest bits of their bytes, as a number below 16."""
    return int(np.int64(((sides >> np.uint32(7)) * np.uint32(0x01020408)) >> np.uint32(24)) & 15)


@inlined
def matches(differing: np.uint32, ignored: np.uint32) -> int:
    """Return the number of zero bytes among four packed ones, except those whose highest bit is in `ignored`."""
    return popcount(np.uint64(equal_sides(differing) & ~ignored))
