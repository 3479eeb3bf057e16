"""The exception of the operators room."""

from puzzles.errors import EvoError

BROKEN_BOARD = "an operator broke a board: every tile must be on it exactly once, and pinned tiles in their cells"


class OperatorError(EvoError):
    """An operator was given invalid arguments, or produced an invalid board."""
