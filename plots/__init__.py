"""Pictures of boards and experiments, drawn with matplotlib, and the HTML report that contains them.

Each kind of picture has a module with a function that computes its numbers from a tidy frame and a function that draws
them. Frames of experiments are sorted by row and have the columns label and short_label, the names of the rows.
"""

from typing import TYPE_CHECKING

from puzzles.lazy_names import lazy_names

if TYPE_CHECKING:  # the one list of public names; `lazy_names` reads it from this file
    from plots.boards import draw_board as draw_board
    from plots.boards import save_board as save_board

if not TYPE_CHECKING:  # type checkers would take any name for one that exists
    __all__, __getattr__, __dir__ = lazy_names(__name__)
