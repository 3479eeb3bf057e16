"""Initial boards (section III-F): at random, and with knowledge (Algorithm 3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.lattice import Lattice, side_code
from operators.randomness import uniform
from puzzles import DOWN, EMPTY, RIGHT
from puzzles.compiled import inlined, jit
from puzzles.scoring import GREY_LEFT_UP, GREY_RIGHT_DOWN


@jit
def shuffled_tiles(rng: np.random.Generator, lattice: Lattice) -> NDArray[np.uint16]:
    """The tiles that are not pinned, in random order and random rotations."""
    tiles = lattice.rows * lattice.cols
    taken = np.zeros(tiles, dtype=np.bool_)
    for pin in lattice.pins:
        if pin != EMPTY:
            taken[pin >> 2] = True
    free = np.empty(tiles, dtype=np.uint16)
    count = 0
    for tile in range(tiles):
        if not taken[tile]:
            draw = uniform(rng) * (count + 1)  # its whole part chooses the place, the rest the rotation
            place = int(draw)
            free[count] = free[place]
            free[place] = tile * 4 + int((draw - place) * 4)
            count += 1
    return free[:count]


@jit
def random_board(rng: np.random.Generator, lattice: Lattice, cells: NDArray[np.uint16]) -> None:
    """Random initialisation: every tile in a random cell and rotation; pinned tiles where they belong."""
    tiles = shuffled_tiles(rng, lattice)
    count = 0
    for cell in range(lattice.rows * lattice.cols):
        if lattice.pinned[cell]:
            cells[cell] = lattice.pins[cell]
        else:
            cells[cell] = tiles[count]
            count += 1


@jit
def knowledge_board(
    rng: np.random.Generator, lattice: Lattice, path: NDArray[np.int64], framed: bool, cells: NDArray[np.uint16]
) -> None:
    """Initialisation with knowledge (Algorithm 3): along the path, put the first tile of a shuffled list that fits.

    A tile fits when its sides match the tiles around that are there already and, if `framed`, are grey on the rim and
    nowhere else. Cells that no tile fits stay empty until the end, and then take what is left of the list.
    """
    tiles = shuffled_tiles(rng, lattice)
    for cell in range(lattice.rows * lattice.cols):
        cells[cell] = lattice.pins[cell]
    left = place_along(lattice, path, framed, cells, tiles, len(tiles))
    for cell in path:
        if cells[cell] == EMPTY:
            left -= 1
            cells[cell] = tiles[left]


@jit
def place_along(
    lattice: Lattice,
    path: NDArray[np.int64],
    framed: bool,
    cells: NDArray[np.uint16],
    tiles: NDArray[np.uint16],
    count: int,
) -> int:
    """Put the first of the `count` tiles that fits on each empty cell of a path; returns how many tiles are left.

    The tiles that are left keep their order, at the front of the list.
    """
    for cell in path:
        if cells[cell] != EMPTY:
            continue
        for k in range(count):
            turned = fitting_turn(lattice, cells, cell, tiles[k], framed)
            if turned != EMPTY:
                cells[cell] = turned
                for after in range(k, count - 1):
                    tiles[after] = tiles[after + 1]
                count -= 1
                break
    return count


@inlined
def fitting_turn(lattice: Lattice, cells: NDArray[np.uint16], cell: int, tile: np.uint16, framed: bool) -> np.uint16:
    """The first rotation of a tile, from the one it has in the list on, that fits a cell; EMPTY when none does."""
    for turn in range(4):
        turned = np.uint16((tile & 0xFFFC) | ((tile + turn) & 3))
        if fits(lattice, cells, cell, turned, framed):
            return turned
    return np.uint16(EMPTY)


@inlined
def fits(lattice: Lattice, cells: NDArray[np.uint16], cell: int, turned: np.uint16, framed: bool) -> bool:
    """Whether an oriented tile matches all that is around a cell already."""
    wall = lattice.rows * lattice.cols
    near, codes = lattice.near[cell], lattice.codes[turned]
    for side in range(4):
        code = side_code(codes, side)
        grey = code == (GREY_RIGHT_DOWN if side in (RIGHT, DOWN) else GREY_LEFT_UP)
        if near[side] == wall:
            if framed and not grey:
                return False
            continue
        if grey and framed:
            return False
        there = cells[near[side]]
        if there != EMPTY and (grey or code != side_code(lattice.codes[there], (side + 2) & 3)):
            return False
    return True
