"""Exact scoring of whole boards and populations, compiled.

The three objectives of a board (Munoz, Gutierrez and Sanchis, section III-D):

1. score: matching inner edges; a grey side never matches;
2. blocks: 2x2 blocks whose four inner edges all match;
3. complete: tiles whose four sides all match. A side on the rim of the board matches if it is grey.

How a board is scored in 200 ns (16x16): the board is laid out flat with a wall cell behind each row and a wall row
above and below. A wall's sides match exactly the grey sides that face it, so every question about a cell becomes a
comparison of two bytes, with no special case at the rim, and the processor compares 64 cells at a time.
"""

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import jit
from puzzles.errors import PuzzleError
from puzzles.tiles import GREY

LANES = 64  # cells counted together; a byte cannot overflow in counting twice as many

# A right or down side is only ever compared with a left or up side, so the two may encode grey and empty differently.
# Equal codes match: a colour with the same colour, grey with the wall it faces, an empty cell with nothing.
# In the order up, right, down, left:
GREY_LEFT_UP, GREY_RIGHT_DOWN = 255, 0
_GREY_CODES = np.array([GREY_LEFT_UP, GREY_RIGHT_DOWN, GREY_RIGHT_DOWN, GREY_LEFT_UP], dtype=np.uint8)
_WALL_CODES = np.array([GREY_RIGHT_DOWN, GREY_LEFT_UP, GREY_LEFT_UP, GREY_RIGHT_DOWN], dtype=np.uint8)
_EMPTY_CODES = np.array([253, 254, 254, 253], dtype=np.uint8)
WALL = _WALL_CODES.view(np.uint32)[0]


def pack_sides(sides: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """Return the side table as one word of four codes per oriented tile; the last word is an empty cell."""
    codes = np.concatenate([np.where(sides.T == GREY, _GREY_CODES, sides.T), _EMPTY_CODES[np.newaxis]])
    return np.ascontiguousarray(codes).view(np.uint32).ravel()


def score_population(sides: NDArray[np.uint8], boards: NDArray[np.uint16]) -> NDArray[np.int32]:
    """Return the three objectives of every board.

    Args:
        sides: A puzzle's side table.
        boards: Population of boards, shape (count, rows, cols); EMPTY cells are allowed.

    Returns:
        An array of shape (count, 3): score, blocks, complete.
    """
    if boards.ndim != 3 or boards.dtype != np.uint16:
        raise PuzzleError(f"expected uint16 boards of shape (count, rows, cols); got {boards.dtype} {boards.shape}")
    objectives = np.empty((len(boards), 3), dtype=np.int32)
    score_packed(pack_sides(sides), np.ascontiguousarray(boards), objectives)
    return objectives


@jit
def score_packed(packed: NDArray[np.uint32], boards: NDArray[np.uint16], objectives: NDArray[np.int32]) -> None:
    """Compute `score_population` on a packed side table, into an array of the caller."""
    count, rows, cols = boards.shape
    stride = cols + 1
    chunks = ((rows + 2) * stride + LANES - 1) // LANES
    length = chunks * LANES
    cells = np.full(length + stride, WALL, dtype=np.uint32)
    codes = cells.view(np.uint8)
    # Separate arrays instead of rows of one, so that the compiler knows that they do not overlap.
    up, right = np.zeros(length + stride, dtype=np.uint8), np.zeros(length + stride, dtype=np.uint8)
    down, left = np.zeros(length + stride, dtype=np.uint8), np.zeros(length + stride, dtype=np.uint8)
    h, v = np.zeros(length + stride, dtype=np.uint8), np.zeros(length + stride, dtype=np.uint8)
    inner_h, inner_v = np.zeros(length + stride, dtype=np.uint8), np.zeros(length + stride, dtype=np.uint8)
    for row in range(rows):  # inner_h, inner_v: which edges are not on the rim
        start = (row + 1) * stride
        inner_h[start : start + cols - 1] = 1
        inner_v[start : start + cols] = row < rows - 1
    empty = len(packed) - 1
    for board in range(count):
        for row in range(rows):
            line = cells[(row + 1) * stride :]
            source = boards[board, row]
            for col in range(cols):
                cell = source[col]
                line[col] = packed[cell if cell < empty else empty]
        for i in range(length):
            up[i], right[i], down[i], left[i] = codes[4 * i], codes[4 * i + 1], codes[4 * i + 2], codes[4 * i + 3]
        _equal(right[:length], left[1:], h)  # h[i]: the edge to the right of cell i matches
        _equal(down[:length], up[stride:], v)  # v[i]: the edge below cell i matches
        objectives[board, 0] = _count_pairs(h, inner_h, v, inner_v, chunks)
        objectives[board, 1] = _count_all(h, h[stride:], v, v[1:], chunks)
        objectives[board, 2] = _count_all(h[stride - 1 :], h[stride:], v, v[stride:], chunks)


@jit
def _equal(a: NDArray[np.uint8], b: NDArray[np.uint8], equal: NDArray[np.uint8]) -> None:
    for i in range(len(a)):
        equal[i] = a[i] == b[i]


@jit
def _count_pairs(
    a: NDArray[np.uint8], b: NDArray[np.uint8], c: NDArray[np.uint8], d: NDArray[np.uint8], chunks: int
) -> int:
    """Return the number of positions that are 1 in both a and b, plus the number that are 1 in both c and d."""
    total = 0
    for chunk in range(chunks):
        start = chunk * LANES
        x, y, z, w = a[start:], b[start:], c[start:], d[start:]
        part = np.uint8(0)
        for i in range(LANES):
            part = np.uint8(part + (x[i] & y[i]) + (z[i] & w[i]))
        total += int(part)
    return total


@jit
def _count_all(
    a: NDArray[np.uint8], b: NDArray[np.uint8], c: NDArray[np.uint8], d: NDArray[np.uint8], chunks: int
) -> int:
    """Return the number of positions that are 1 in all four arrays."""
    total = 0
    for chunk in range(chunks):
        start = chunk * LANES
        x, y, z, w = a[start:], b[start:], c[start:], d[start:]
        part = np.uint8(0)
        for i in range(LANES):
            part = np.uint8(part + (x[i] & y[i] & z[i] & w[i]))
        total += int(part)
    return total
