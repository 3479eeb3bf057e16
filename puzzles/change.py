"""Exact incremental scoring, compiled: how the three objectives change when some cells of a board change.

Only the edges, blocks and tiles that touch a changed cell are looked at, on the board before and on the board after.
"""

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import inlined, jit
from puzzles.errors import PuzzleError
from puzzles.puzzle import DOWN, EMPTY, GREY, LEFT, RIGHT, UP


def objectives_change(
    sides: NDArray[np.uint8], before: NDArray[np.uint16], after: NDArray[np.uint16], changed: NDArray[np.int64]
) -> tuple[int, int, int]:
    """The exact change in score, blocks and complete from one board to another.

    Args:
        sides: A puzzle's side table.
        before: A board, shape (rows, cols).
        after: The board that came of it.
        changed: Flat indices (`row * cols + col`) of the cells that may differ.
    """
    cells = np.unique(changed)
    if before.shape != after.shape or (cells.size and not 0 <= cells[0] <= cells[-1] < before.size):
        raise PuzzleError(f"boards of {before.shape} and {after.shape}, or changed cells that are not on them")
    marks = np.zeros(before.size, dtype=np.uint8)
    return change_with_marks(sides, before, after, cells, marks)


@jit
def change_with_marks(
    sides: NDArray[np.uint8],
    before: NDArray[np.uint16],
    after: NDArray[np.uint16],
    changed: NDArray[np.int64],
    marks: NDArray[np.uint8],
) -> tuple[int, int, int]:
    """`objectives_change` for compiled loops, each changed cell given once.

    `marks` has a zero per cell, and is all zeros again afterwards.
    """
    for cell in changed:
        marks[cell] = 1
    score_after, blocks_after, complete_after = _objectives_around(sides, after, changed, marks)
    score_before, blocks_before, complete_before = _objectives_around(sides, before, changed, marks)
    for cell in changed:
        marks[cell] = 0
    return score_after - score_before, blocks_after - blocks_before, complete_after - complete_before


@jit
def _objectives_around(
    sides: NDArray[np.uint8], board: NDArray[np.uint16], changed: NDArray[np.int64], marks: NDArray[np.uint8]
) -> tuple[int, int, int]:
    """The part of the three objectives that the marked cells have a say in.

    An edge, block or tile that several marked cells touch is counted by the first of them, in flat order.
    """
    rows, cols = board.shape
    score = blocks = complete = 0
    for cell in changed:
        row, col = cell // cols, cell % cols
        score += edge_right(sides, board, row, col) + edge_down(sides, board, row, col)
        if col > 0 and not marks[cell - 1]:
            score += edge_right(sides, board, row, col - 1)
        if row > 0 and not marks[cell - cols]:
            score += edge_down(sides, board, row - 1, col)

        for block_row in range(max(row - 1, 0), min(row, rows - 2) + 1):
            for block_col in range(max(col - 1, 0), min(col, cols - 2) + 1):
                if _first_mark_of_block(marks, cols, block_row, block_col) == cell:
                    blocks += block_matches(sides, board, block_row, block_col)

        complete += tile_complete(sides, board, row, col)
        if row > 0 and _first_mark_around(marks, rows, cols, row - 1, col) == cell:
            complete += tile_complete(sides, board, row - 1, col)
        if col > 0 and _first_mark_around(marks, rows, cols, row, col - 1) == cell:
            complete += tile_complete(sides, board, row, col - 1)
        if col < cols - 1 and _first_mark_around(marks, rows, cols, row, col + 1) == cell:
            complete += tile_complete(sides, board, row, col + 1)
        if row < rows - 1 and _first_mark_around(marks, rows, cols, row + 1, col) == cell:
            complete += tile_complete(sides, board, row + 1, col)
    return score, blocks, complete


@inlined
def _first_mark_of_block(marks: NDArray[np.uint8], cols: int, row: int, col: int) -> int:
    corner = row * cols + col
    for cell in (corner, corner + 1, corner + cols):
        if marks[cell]:
            return cell
    return corner + cols + 1


@inlined
def _first_mark_around(marks: NDArray[np.uint8], rows: int, cols: int, row: int, col: int) -> int:
    """The first marked neighbour of a cell, or -1 when the cell is marked itself or has none."""
    cell = row * cols + col
    if marks[cell]:
        return -1
    if row > 0 and marks[cell - cols]:
        return cell - cols
    if col > 0 and marks[cell - 1]:
        return cell - 1
    if col < cols - 1 and marks[cell + 1]:
        return cell + 1
    if row < rows - 1 and marks[cell + cols]:
        return cell + cols
    return -1


@inlined
def edge_right(sides: NDArray[np.uint8], board: NDArray[np.uint16], row: int, col: int) -> int:
    """1 when the edge between this cell and the one to its right matches."""
    if col >= board.shape[1] - 1:
        return 0
    here, there = board[row, col], board[row, col + 1]
    if here == EMPTY or there == EMPTY:
        return 0
    colour = sides[RIGHT, here]
    return int(colour != GREY and colour == sides[LEFT, there])


@inlined
def edge_down(sides: NDArray[np.uint8], board: NDArray[np.uint16], row: int, col: int) -> int:
    """1 when the edge between this cell and the one below matches."""
    if row >= board.shape[0] - 1:
        return 0
    here, there = board[row, col], board[row + 1, col]
    if here == EMPTY or there == EMPTY:
        return 0
    colour = sides[DOWN, here]
    return int(colour != GREY and colour == sides[UP, there])


@inlined
def block_matches(sides: NDArray[np.uint8], board: NDArray[np.uint16], row: int, col: int) -> int:
    """1 when the four inner edges of the 2x2 block with this top left cell match."""
    return (
        edge_right(sides, board, row, col)
        & edge_right(sides, board, row + 1, col)
        & edge_down(sides, board, row, col)
        & edge_down(sides, board, row, col + 1)
    )


@inlined
def tile_complete(sides: NDArray[np.uint8], board: NDArray[np.uint16], row: int, col: int) -> int:
    """1 when all four sides of this tile are right."""
    rows, cols = board.shape
    cell = board[row, col]
    if cell == EMPTY:
        return 0
    up = edge_down(sides, board, row - 1, col) if row > 0 else int(sides[UP, cell] == GREY)
    left = edge_right(sides, board, row, col - 1) if col > 0 else int(sides[LEFT, cell] == GREY)
    right = edge_right(sides, board, row, col) if col < cols - 1 else int(sides[RIGHT, cell] == GREY)
    down = edge_down(sides, board, row, col) if row < rows - 1 else int(sides[DOWN, cell] == GREY)
    return up & left & right & down
