"""The exception of the solvers room."""

from puzzles.errors import EvoError


class SolverError(EvoError):
    """A search was given invalid arguments or an invalid state."""
