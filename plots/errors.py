"""The exception of the plots room."""

from puzzles.errors import EvoError


class PlotError(EvoError):
    """The data for a picture are missing, or a picture cannot be drawn as requested."""
