"""Pictures of boards and experiments, drawn with matplotlib, and the HTML report that contains them.

Each kind of picture has a module with a function that computes its numbers from a tidy frame and a function that draws
them. Frames of experiments are sorted by row and have the columns label and short_label, the names of the rows.
"""

from plots.boards import draw_board, save_board

__all__ = ["draw_board", "save_board"]
