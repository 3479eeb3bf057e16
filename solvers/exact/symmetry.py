"""Rotations of whole boards: a fixed corner that excludes them, and counts up to rotation."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from puzzles import Board, Hint, Puzzle
from solvers.errors import SolverError


def corner_hint(puzzle: Puzzle) -> Hint:
    """Return the hint that puts the corner piece with the lowest number into the top left corner.

    Raises:
        SolverError: The board is not square or has no frame; a single corner then does not represent all boards.
    """
    if puzzle.rows != puzzle.cols or puzzle.rows < 2 or "corner" not in puzzle.kinds:
        raise SolverError("a corner can only be fixed on a square board with a frame")
    tile = puzzle.kinds.index("corner")
    sides = puzzle.sides[:, 4 * tile : 4 * tile + 4]
    rotation = int(np.flatnonzero((sides[0] == 0) & (sides[3] == 0))[0])
    return Hint(tile, 0, 0, rotation)


def count_up_to_rotation(puzzle: Puzzle, solutions: Iterable[NDArray[np.uint16]]) -> int:
    """Return the number of different boards among solutions, where a board and its rotations count once.

    Rotations are quarter turns on a square board, half turns on another; boards are compared by their colours.
    """
    step = 1 if puzzle.rows == puzzle.cols else 2
    seen = set()
    for cells in solutions:
        board = Board(puzzle, cells.reshape(puzzle.shape))
        seen.add(min(board.rotated(turns).sides.tobytes() for turns in range(0, 4, step)))
    return len(seen)
