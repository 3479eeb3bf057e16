"""`Lattice`: a puzzle and its board as arrays for compiled operators; and the matching edges of a board as bits.

An individual has two bit sets: h, whether the edge to the right of each cell matches, and v, whether the edge below it
does. A cell's bit is at `row * stride + col` plus an offset, with a wall after each row and above and below the board;
a wall matches the grey side that faces it. When a few cells change, only the bits around them are updated; when many
do, whole rows are, which needs no look-up of neighbours and is ten times as fast per cell. All three objectives are
then counted from a few machine words: no objective costs more than a few dozen instructions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.bits import WORD, add_bits, bits_above, bits_below, popcount, set_bit
from operators.counting import counted_edges
from operators.errors import OperatorError
from puzzles import DOWN, LEFT, RIGHT, UP, Hint, Puzzle
from puzzles.compiled import inlined
from puzzles.scoring import WALL, pack_sides

BYTE = np.uint32(255)
_FEW = 12
"""If fewer than one in this many cells changed, updating the bits around them is faster than setting all bits."""


class Lattice(NamedTuple):
    """The board's geometry and the tiles' colours, as arrays for compiled code."""

    rows: int
    cols: int
    codes: NDArray[np.uint32]
    """Side codes of each oriented tile, as in `puzzles.scoring`; the last one is the wall's."""
    near: NDArray[np.uint16]
    """The cells up, right, down and left of each cell; `rows * cols` is the wall."""
    row: NDArray[np.uint16]
    col: NDArray[np.uint16]
    bit: NDArray[np.int32]
    """The position of each cell's bit."""
    stride: int
    """Distance between the bits of a cell and the cell below it."""
    margin: int
    """Number of words without cells before the first cell, and after the last."""
    counted: NDArray[np.uint64]
    """The bits of h and of v that are inner edges and count."""
    uncounted: NDArray[np.uint32]
    """The sides of each cell at inner edges that do not count, as whole bytes of a packed word."""
    cells: NDArray[np.uint64]
    """The bits of cells, as opposed to walls."""
    pinned: NDArray[np.bool_]
    """Which cells may not change."""
    has_pins: bool
    """Whether there is any such cell."""
    pins: NDArray[np.uint16]
    """The content of the pinned cells; EMPTY elsewhere."""


def make_lattice(puzzle: Puzzle, pins: Iterable[Hint] = (), edges: str = "all") -> Lattice:
    """Return the lattice of a puzzle.

    Args:
        puzzle: The puzzle.
        pins: Hints whose tiles operators must keep in place; none by default, as in the paper.
        edges: Which inner edges count; see `operators.counting`.

    Raises:
        OperatorError: The board has a single cell.
    """
    rows, cols = puzzle.shape
    if puzzle.size < 2:
        raise OperatorError("a board of one cell cannot be varied; expected at least two cells")
    stride = cols + 1 if (cols + 1) % WORD else cols + 2
    margin = stride // WORD + 1
    words = 2 * margin + ((rows + 1) * stride) // WORD + 1
    index = np.arange(puzzle.size).reshape(rows, cols)
    row, col = np.divmod(index, cols)
    bit = margin * WORD + (row + 1) * stride + col
    walled = np.pad(index, 1, constant_values=puzzle.size)
    near = {UP: walled[:-2, 1:-1], RIGHT: walled[1:-1, 2:], DOWN: walled[2:, 1:-1], LEFT: walled[1:-1, :-2]}
    pinned = np.full(puzzle.size, 65535, dtype=np.uint16)
    for hint in pins:
        pinned[hint.row * cols + hint.col] = hint.tile * 4 + hint.rotation
    codes = pack_sides(puzzle.sides)
    codes[-1] = WALL  # individuals have no empty cells
    beside, below = counted_edges(puzzle.shape, edges)
    return Lattice(
        rows,
        cols,
        codes,
        np.stack([near[side].ravel() for side in range(4)], axis=1).astype(np.uint16),
        row.ravel().astype(np.uint16),
        col.ravel().astype(np.uint16),
        bit.ravel().astype(np.int32),
        stride,
        margin,
        np.stack([_bit_set(bit[:, :-1][beside], words), _bit_set(bit[:-1][below], words)]),
        _uncounted_sides(beside, below),
        _bit_set(bit, words),
        pinned != 65535,
        bool((pinned != 65535).any()),
        pinned,
    )


def _uncounted_sides(beside: NDArray[np.bool_], below: NDArray[np.bool_]) -> NDArray[np.uint32]:
    sides = np.zeros((len(beside), below.shape[1], 4), dtype=np.uint8)
    sides[:, :-1, RIGHT] = sides[:, 1:, LEFT] = np.where(beside, 0, 255)
    sides[:-1, :, DOWN] = sides[1:, :, UP] = np.where(below, 0, 255)
    return sides.view(np.uint32).ravel()


def _bit_set(positions: NDArray[np.int64], words: int) -> NDArray[np.uint64]:
    bits = np.zeros((words, WORD), dtype=np.uint8)
    bits.ravel()[positions.ravel()] = 1
    return np.packbits(bits, axis=1, bitorder="little").view("<u8").ravel().astype(np.uint64)


@inlined
def refresh_edges(
    lattice: Lattice, cells: NDArray[np.uint16], edges: NDArray[np.uint64], changed: NDArray[np.int32], count: int
) -> None:
    """Update the bits after the first `count` cells of `changed` have changed."""
    if count * _FEW < lattice.rows * lattice.cols:
        set_edges_around(lattice, cells, edges, changed, count)
    else:
        set_all_edges(lattice, cells, edges)


@inlined
def set_all_edges(lattice: Lattice, cells: NDArray[np.uint16], edges: NDArray[np.uint64]) -> None:
    """Set all bits, row by row."""
    h, v = edges[0], edges[1]
    h[:], v[:] = 0, 0
    _set_row(lattice, cells, h, v, 0, False)  # a separate call, so that the compiler removes the branch from both loops
    for row in range(1, lattice.rows):
        _set_row(lattice, cells, h, v, row, True)
    codes, size = lattice.codes, lattice.rows * lattice.cols
    for first in range(size - lattice.cols, size, WORD):
        below = np.uint64(0)
        for k in range(min(WORD, size - first)):
            below |= np.uint64(side_code(codes[cells[first + k]], DOWN) == side_code(codes[-1], UP)) << np.uint64(k)
        add_bits(v, int(lattice.bit[first]), below)


@inlined
def _set_row(
    lattice: Lattice, cells: NDArray[np.uint16], h: NDArray[np.uint64], v: NDArray[np.uint64], row: int, inner: bool
) -> None:
    """Set the bits of the edges beside and above the cells of a row; `inner` rows have a row above."""
    codes, cols = lattice.codes, lattice.cols
    wall = here = up = codes[-1]
    for first in range(row * cols, (row + 1) * cols, WORD):
        beside = above = np.uint64(0)
        for k in range(min(WORD, (row + 1) * cols - first)):
            left, here = here, codes[cells[first + k]]
            if inner:
                up = codes[cells[first + k - cols]]
            beside |= np.uint64(side_code(left, RIGHT) == side_code(here, LEFT)) << np.uint64(k)
            above |= np.uint64(side_code(up, DOWN) == side_code(here, UP)) << np.uint64(k)
        add_bits(h, int(lattice.bit[first]) - 1, beside)
        add_bits(v, int(lattice.bit[first]) - lattice.stride, above)
    set_bit(h, int(lattice.bit[(row + 1) * cols - 1]), side_code(here, RIGHT) == side_code(wall, LEFT))


@inlined
def set_edges_around(
    lattice: Lattice, cells: NDArray[np.uint16], edges: NDArray[np.uint64], changed: NDArray[np.int32], count: int
) -> None:
    """Set the bits around the first `count` cells of `changed`."""
    h, v = edges[0], edges[1]
    for k in range(count):
        cell = changed[k]
        near, bit = lattice.near[cell], int(lattice.bit[cell])
        here = lattice.codes[cells[cell]]
        up, right = lattice.codes[cells[near[UP]]], lattice.codes[cells[near[RIGHT]]]
        down, left = lattice.codes[cells[near[DOWN]]], lattice.codes[cells[near[LEFT]]]
        set_bit(h, bit, side_code(here, RIGHT) == side_code(right, LEFT))
        set_bit(h, bit - 1, side_code(left, RIGHT) == side_code(here, LEFT))
        set_bit(v, bit, side_code(here, DOWN) == side_code(down, UP))
        set_bit(v, bit - lattice.stride, side_code(up, DOWN) == side_code(here, UP))


@inlined
def side_code(codes: np.uint32, side: int) -> np.uint32:
    """Return the code of one side from a packed word."""
    return (codes >> np.uint32(8 * side)) & BYTE


@inlined
def count_objectives(lattice: Lattice, edges: NDArray[np.uint64], objectives: NDArray[np.int32]) -> None:
    """Count score, 2x2 blocks and complete tiles from the bits of an individual.

    The upper left cell of a block has a counted edge on its right and below it, whichever edges count.
    """
    h, v, stride = edges[0], edges[1], lattice.stride
    score = blocks = complete = 0
    for word in range(lattice.margin, len(h) - lattice.margin):
        right, below = h[word], v[word]
        score += popcount(right & lattice.counted[0, word]) + popcount(below & lattice.counted[1, word])
        block = right & lattice.counted[0, word] & below & lattice.counted[1, word]
        blocks += popcount(block & bits_above(h, word, stride) & bits_above(v, word, 1))
        tile = right & below & lattice.cells[word]
        complete += popcount(tile & bits_below(h, word, 1) & bits_below(v, word, stride))
    objectives[0], objectives[1], objectives[2] = score, blocks, complete
