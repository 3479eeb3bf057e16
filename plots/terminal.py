"""Boards in a terminal: four by four coloured dots for each tile, with two dots in a character."""

from __future__ import annotations

import numpy as np
from rich.color import Color
from rich.style import Style
from rich.text import Text

from puzzles import DOWN, LEFT, RIGHT, UP, Board
from puzzles.palette import colour_rgb

# The side that each dot of a tile shows: a pinwheel, since four by four dots have no exact diagonals.
_PINWHEEL = np.array(
    [[UP, UP, UP, RIGHT], [LEFT, UP, RIGHT, RIGHT], [LEFT, LEFT, DOWN, RIGHT], [LEFT, DOWN, DOWN, DOWN]]
)


def board_text(board: Board) -> Text:
    """Return a board as coloured half blocks, `4 * cols` characters wide and `2 * rows` lines high."""
    rows, cols = board.puzzle.shape
    dots = board.sides[_PINWHEEL]  # dot row, dot column, row, column
    picture = dots.transpose(2, 0, 3, 1).reshape(4 * rows, 4 * cols)
    placed = np.kron(board.placed, np.ones((4, 4), dtype=np.bool_))
    text = Text(no_wrap=True)
    for top in range(0, 4 * rows, 2):
        for col in range(4 * cols):
            if placed[top, col]:
                upper, lower = (Color.from_rgb(*colour_rgb(int(picture[dot, col]))) for dot in (top, top + 1))
                text.append("\N{UPPER HALF BLOCK}", Style(color=upper, bgcolor=lower))
            else:
                text.append(" ")
        text.append("\n")
    return text
