"""The one exception of the solvers room."""


class SolverError(ValueError):
    """Something that a search cannot do; the message says what was found and what was expected."""
