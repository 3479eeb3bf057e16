"""Initialisation by search: as far as a limited depth-first search gets, then first fit, then assignment.

The tiles are in random order, and each is a bit; for each colour and side there is the set of tiles that show it there.
So the tiles that fit a cell are found for all of them at once, and the first of them is the lowest bit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.bits import WORD, lowest
from operators.errors import OperatorError
from operators.holes import equal_sides, packed_sides, walls_of
from operators.initialise import shuffled_tiles
from operators.lattice import Lattice, side_code
from operators.neighbourhood import NeighbourhoodScratch
from operators.refill import fill_holes, make_refill_scratch
from puzzles import EMPTY
from puzzles.compiled import inlined, jit
from puzzles.scoring import GREY_LEFT_UP, GREY_RIGHT_DOWN, WALL

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_GREY = ~WALL


class Search(NamedTuple):
    """The way and the limit of a search, with working memory that is allocated once."""

    nodes: int
    """The number of tiles that the search may lay."""
    route: NDArray[np.int64]
    """The cells that are not pinned, in the order in which they are filled."""
    framed: bool
    showing: NDArray[np.uint64]
    """By side code and side, the tiles that show it there; the sides are there twice, for turned tiles."""
    walled: NDArray[np.uint64]
    """By sides that face the wall and turn, the tiles that are grey there and nowhere else."""
    open: NDArray[np.uint64]
    """By step and turn, the tiles that fit and have not been tried."""
    free: NDArray[np.uint64]
    """The tiles that are not on the board."""
    laid: NDArray[np.int64]
    """By step, four times the number of the tile laid, plus its turn."""
    deepest: NDArray[np.int64]
    """The same for the longest beginning of a board so far."""
    left: NDArray[np.uint16]
    """The tiles for the holes."""
    refill: NeighbourhoodScratch


def make_search(lattice: Lattice, path: NDArray[np.int64], framed: bool, nodes: int) -> Search:
    """Return how initial boards are searched for.

    Args:
        lattice: The board.
        path: The order in which cells are filled.
        framed: Whether grey sides must be on the rim and nowhere else.
        nodes: The number of tiles that the search may lay.

    Raises:
        OperatorError: The number of nodes is negative.
    """
    if nodes < 0:
        raise OperatorError(f"nodes of a search: expected 0 or more; found {nodes}")
    route = path[~lattice.pinned[path]]
    cells, words = lattice.rows * lattice.cols, max(1, -(-len(route) // WORD))
    return Search(
        nodes,
        route,
        framed,
        np.zeros((256, 8, words), np.uint64),
        np.zeros((16, 4, words), np.uint64),
        np.zeros((len(route) + 1, 4, words), np.uint64),
        np.zeros(words, np.uint64),
        np.zeros(cells, np.int64),
        np.zeros(cells, np.int64),
        np.zeros(cells, np.uint16),
        make_refill_scratch(lattice),
    )


@jit
def search_board(rng: np.random.Generator, lattice: Lattice, how: Search, cells: NDArray[np.uint16]) -> None:
    """Fill a board by search: the tiles in random order, in the first rotation that fits.

    A tile fits if its sides match the neighbouring tiles placed so far and, if `framed`, are grey on the rim and
    nowhere else. From the deepest point of the search on, each cell is given the first tile that fits; cells that no
    tile fits stay empty until the end, and are then filled by assignment.
    """
    tiles = shuffled_tiles(rng, lattice)
    for cell in range(lattice.rows * lattice.cols):
        cells[cell] = lattice.pins[cell]
    _gather(lattice, tiles, how)
    depth = _descend(lattice, tiles, how, cells)
    for step in range(depth, len(how.route)):
        _open(lattice, how, step, cells)
        _lay_first(tiles, how, step, cells)
    count = 0
    for k in range(len(tiles)):
        if how.free[k >> 6] >> np.uint64(k & 63) & _ONE:
            how.left[count] = tiles[k]
            count += 1
    fill_holes(rng, lattice, how.framed, cells, how.left, count, how.refill)


@jit
def fill_by_search(rng: np.random.Generator, lattice: Lattice, how: Search, cells: NDArray[np.uint16]) -> None:
    """Fill each row of `cells` by search."""
    for individual in range(len(cells)):
        search_board(rng, lattice, how, cells[individual])


@inlined
def _gather(lattice: Lattice, tiles: NDArray[np.uint16], how: Search) -> None:
    """Enter the tiles into the sets by colour and side, and by the sides on which they are grey."""
    how.showing[:], how.walled[:], how.free[:] = _ZERO, _ZERO, _ZERO
    for k in range(len(tiles)):
        word, bit = k >> 6, _ONE << np.uint64(k & 63)
        how.free[word] |= bit
        for side in range(4):
            code = side_code(lattice.codes[tiles[k]], side)
            if code != GREY_LEFT_UP and code != GREY_RIGHT_DOWN:
                how.showing[code, side, word] |= bit
                how.showing[code, side + 4, word] |= bit
        for turn in range(4):
            turned = (tiles[k] & 0xFFFC) | ((tiles[k] + turn) & 3)
            how.walled[packed_sides(equal_sides(lattice.codes[turned] ^ _GREY)), turn, word] |= bit


@inlined
def _descend(lattice: Lattice, tiles: NDArray[np.uint16], how: Search, cells: NDArray[np.uint16]) -> int:
    """Search until the nodes are used up, and leave the longest beginning found on the board; return its length."""
    depth = most = nodes = 0
    _open(lattice, how, 0, cells)
    while nodes < how.nodes and depth < len(how.route):
        if _lay_first(tiles, how, depth, cells):
            nodes += 1
            depth += 1
            if depth > most:
                most = depth
                for step in range(depth):
                    how.deepest[step] = how.laid[step]
            _open(lattice, how, depth, cells)
        elif depth == 0:
            break
        else:
            depth -= 1
            _take_back(how, depth, cells)
    while depth:
        depth -= 1
        _take_back(how, depth, cells)
    for step in range(most):
        _lay(tiles, how, step, how.deepest[step], cells)
    return most


@inlined
def _open(lattice: Lattice, how: Search, step: int, cells: NDArray[np.uint16]) -> None:
    """Find the tiles that fit the cell of a step next to what is on the board."""
    if step == len(how.route):
        return
    cell, wall = how.route[step], lattice.rows * lattice.cols
    walls = packed_sides(walls_of(lattice, cell))
    for turn in range(4):
        fitting = how.open[step, turn]
        for word in range(len(fitting)):
            fitting[word] = how.free[word] & (how.walled[walls, turn, word] if how.framed else ~_ZERO)
        for side in range(4):
            near = lattice.near[cell][side]
            if near != wall and cells[near] != EMPTY:
                code = side_code(lattice.codes[cells[near]], (side + 2) & 3)
                showing = how.showing[code, side - turn + 4]
                for word in range(len(fitting)):
                    fitting[word] &= showing[word]


@inlined
def _lay_first(tiles: NDArray[np.uint16], how: Search, step: int, cells: NDArray[np.uint16]) -> bool:
    """Lay the first tile that fits and has not been tried in the cell of a step; return whether there is one."""
    fitting = how.open[step]
    for word in range(len(how.free)):
        some = fitting[0, word] | fitting[1, word] | fitting[2, word] | fitting[3, word]
        if some:
            rank = lowest(some)
            turn, bit = 0, _ONE << np.uint64(rank)
            while not fitting[turn, word] & bit:
                turn += 1
            fitting[turn, word] ^= bit
            _lay(tiles, how, step, (WORD * word + rank) * 4 + turn, cells)
            return True
    return False


@inlined
def _lay(tiles: NDArray[np.uint16], how: Search, step: int, choice: int, cells: NDArray[np.uint16]) -> None:
    """Lay a tile: `choice` is four times its place in the list, plus its turn."""
    rank, turn = choice >> 2, choice & 3
    how.laid[step] = choice
    how.free[rank >> 6] ^= _ONE << np.uint64(rank & 63)
    cells[how.route[step]] = (tiles[rank] & 0xFFFC) | ((tiles[rank] + turn) & 3)


@inlined
def _take_back(how: Search, step: int, cells: NDArray[np.uint16]) -> None:
    """Take the tile of a step off the board."""
    rank = how.laid[step] >> 2
    how.free[rank >> 6] ^= _ONE << np.uint64(rank & 63)
    cells[how.route[step]] = EMPTY
