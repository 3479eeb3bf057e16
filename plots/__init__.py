"""What a person looks at: pictures made with matplotlib, a module for each kind, and the report they go into.

Each kind has a function that computes the numbers from a tidy frame, and one that draws them.
"""

from plots.boards import draw_board, save_board

__all__ = ["draw_board", "save_board"]
