"""Frames that operators keep: a tile of the rim can only go where its grey sides face the wall again."""

from __future__ import annotations

import numpy as np

from operators.holes import equal_sides, packed_sides, walls_of
from operators.lattice import Lattice
from puzzles.compiled import inlined
from puzzles.scoring import WALL

NEVER = -1
_GREY = ~WALL


@inlined
def rotated_sides(sides: int, turns: int) -> int:
    """Return sides, given as a number below 16, after 0 to 3 quarter turns clockwise."""
    return ((sides << turns) | (sides >> (4 - turns))) & 15


@inlined
def turns_between(sides: int, wanted: int) -> int:
    """Return the fewest quarter turns that make some sides others, or NEVER."""
    if sides == wanted:
        return 0
    if rotated_sides(sides, 1) == wanted:
        return 1
    if rotated_sides(sides, 2) == wanted:
        return 2
    return 3 if rotated_sides(sides, 3) == wanted else NEVER


@inlined
def wall_sides(lattice: Lattice, cell: int) -> int:
    """Return the sides of a cell that face the wall, as a number below 16."""
    return packed_sides(walls_of(lattice, cell))


@inlined
def grey_sides(lattice: Lattice, held: np.uint16) -> int:
    """Return the sides on which an oriented tile is grey, as a number below 16."""
    return packed_sides(equal_sides(lattice.codes[held] ^ _GREY))
