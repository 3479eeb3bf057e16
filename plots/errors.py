"""The exception of the plots room."""

from puzzles.errors import EvoError


class PlotError(EvoError):
    """Data that a picture cannot be drawn from."""
