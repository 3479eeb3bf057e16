"""Which inner edges count: all of them, or those that the paper's program seems to have counted.

The figures of Munoz, Gutierrez and Sanchis fit a program that looked, for each cell but those of the last row and the
last column, at the edges to its right and below it: 450 of Eternity II's 480 edges (docs/reproduction). On any board,
these are all inner edges but the horizontal ones of the last row and the vertical ones of the last column.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.errors import OperatorError
from puzzles import DOWN, LEFT, RIGHT, UP, Board, Puzzle
from puzzles.protocols import AnyBoard, AnyPuzzle
from puzzles.tiles import GREY

EDGES = ("all", "paper")


def counted_edges(shape: tuple[int, int], edges: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which edges to the right of cells count, shape (rows, cols - 1), and which below, (rows - 1, cols).

    Raises:
        OperatorError: `edges` is not one of EDGES.
    """
    if edges not in EDGES:
        raise OperatorError(f"edges {edges!r} is not one of {', '.join(EDGES)}")
    rows, cols = shape
    beside, below = np.ones((rows, cols - 1), dtype=np.bool_), np.ones((rows - 1, cols), dtype=np.bool_)
    if edges == "paper":
        beside[-1], below[:, -1] = False, False
    return beside, below


def edge_count(shape: tuple[int, int], edges: str) -> int:
    """Return the number of edges that count: the highest score that is possible."""
    return int(sum(part.sum() for part in counted_edges(shape, edges)))


def most_score(puzzle: AnyPuzzle, edges: str) -> int:
    """Return the highest score that is possible: the number of edges that count, or of whatever else a score counts."""
    return edge_count(puzzle.shape, edges) if isinstance(puzzle, Puzzle) else puzzle.max_score


def counted_score(board: AnyBoard, edges: str) -> int:
    """Return the number of matching edges of a board among those that count; other candidates have only one score."""
    if not isinstance(board, Board):
        return board.score
    beside, below = counted_edges(board.puzzle.shape, edges)
    sides = board.sides
    right, down = sides[RIGHT, :, :-1], sides[DOWN, :-1]
    matching_beside = (right == sides[LEFT, :, 1:]) & (right != GREY)
    matching_below = (down == sides[UP, 1:]) & (down != GREY)
    return int((matching_beside & beside).sum() + (matching_below & below).sum())


def score_text(board: AnyBoard, edges: str) -> str:
    """Return the score of a board as text: "403 of 480"; with both scores where not all edges count."""
    score = f"{board.score} of {board.puzzle.max_score}"
    if edges == "all":
        return score
    return f"{counted_score(board, edges)} of {edge_count(board.puzzle.shape, edges)} counted edges ({score} in all)"
