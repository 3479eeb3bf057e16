"""What a person looks at: pictures made with matplotlib."""

from plots.boards import draw_board, save_board

__all__ = ["draw_board", "save_board"]
