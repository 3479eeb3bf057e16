"""The exception of the solvers room."""

from puzzles.errors import EvoError


class SolverError(EvoError):
    """A search that was given arguments or a state it cannot work with."""
