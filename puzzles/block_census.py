"""Census: the number of small blocks that can be built from a set of pieces.

The Eternity II community uses these counts to check transcriptions: a single wrong side changes them. A block is
counted once per way to fill it with distinct pieces so that all inner edges match and grey lies exactly on the rim;
the orientation is fixed (the top left corner, the top edge), since all four give the same count.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import jit
from puzzles.errors import PuzzleError
from puzzles.puzzle import Puzzle
from puzzles.tiles import DOWN, GREY, LEFT, RIGHT, UP

LIMIT = 100_000_000
"""A census stops with an error after trying this many pieces."""


class Census(NamedTuple):
    """The counts of a puzzle."""

    corner_2x2: int
    edge_2x2: int
    inner_2x2: int
    """In a fixed orientation; each block up to rotation is counted four times."""
    corner_3x3: int


def census(puzzle: Puzzle, limit: int = LIMIT) -> Census:
    """Count the valid 2x2 corner, edge and interior blocks and the 3x3 corners of a puzzle.

    Args:
        puzzle: The pieces; the board's shape does not matter.
        limit: The largest number of pieces to try in total.

    Raises:
        PuzzleError: There are too many blocks to count, as in a puzzle with very few colours.
    """
    oriented, starts = _by_left_and_up(puzzle)
    counts, budget = [], np.array([min(limit, 2**62)])
    for size, grey_top, grey_left in ((2, True, True), (2, True, False), (2, False, False), (3, True, True)):
        placed, used = np.zeros((size, size), dtype=np.int64), np.zeros(puzzle.size, dtype=np.bool_)
        counts.append(_count(0, grey_top, grey_left, puzzle.sides, oriented, starts, placed, used, budget))
        if budget[0] < 0:
            raise PuzzleError(f"{puzzle.name} has too many {size}x{size} blocks: stopped after trying {limit:,} pieces")
    return Census(*counts)


def _by_left_and_up(puzzle: Puzzle) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the oriented tiles sorted by (left, up) colours, and where each pair of colours starts in that order."""
    colours = int(puzzle.tiles.max()) + 1
    width = colours + 1
    pair = puzzle.sides[LEFT].astype(np.int64) * width + puzzle.sides[UP]
    starts = np.searchsorted(np.sort(pair), np.arange(colours * width)).reshape(colours, width)
    return np.argsort(pair, kind="stable"), starts


@jit
def _count(
    cell: int,
    grey_top: bool,
    grey_left: bool,
    sides: NDArray[np.uint8],
    oriented: NDArray[np.int64],
    starts: NDArray[np.int64],
    placed: NDArray[np.int64],
    used: NDArray[np.bool_],
    budget: NDArray[np.int64],
) -> int:
    """Return the number of ways to fill the cells of a block from `cell` on, row by row."""
    size, colours = len(placed), len(starts)
    if cell == size * size:
        return 1
    row, col = cell // size, cell % size
    first_left, last_left = 1, colours - 1  # any colour but grey, unless a neighbour or the rim determines it
    first_up, last_up = 1, colours - 1
    if col > 0:
        first_left = last_left = int(sides[RIGHT, placed[row, col - 1]])
    elif grey_left:
        first_left = last_left = GREY
    if row > 0:
        first_up = last_up = int(sides[DOWN, placed[row - 1, col]])
    elif grey_top:
        first_up = last_up = GREY
    count = 0
    for left in range(first_left, last_left + 1):
        for candidate in range(starts[left, first_up], starts[left, last_up + 1]):
            tile = oriented[candidate]
            budget[0] -= 1
            if budget[0] < 0:
                return 0
            if not used[tile // 4] and sides[RIGHT, tile] != GREY and sides[DOWN, tile] != GREY:
                used[tile // 4] = True
                placed[row, col] = tile
                count += _count(cell + 1, grey_top, grey_left, sides, oriented, starts, placed, used, budget)
                used[tile // 4] = False
    return count
