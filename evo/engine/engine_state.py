"""The state of an evolution, in a form that both engines write and read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers import SolverError, State
from solvers.search import matching

NOT_WHOLE = "an individual does not have every tile exactly once, and pinned tiles in their cells"
"""What is wrong with a state that holds such an individual."""


def make_state(counters: tuple[int, ...], cells: NDArray[np.uint16], best: NDArray[np.uint16]) -> State:
    """Return the state of an engine: its counters, its individuals and the best board so far."""
    return {"numbers": np.array(counters), "cells": cells, "best_cells": best}


def parts_of(state: State, like: State) -> tuple[list[int], NDArray[np.uint16], NDArray[np.uint16]]:
    """Return the arguments that `make_state` was called with.

    Args:
        state: The state to read.
        like: A state of the engine that is to continue.

    Raises:
        SolverError: The state is not one of such an engine.
    """
    numbers, cells, best = matching(state, like).values()
    if numbers.min() < 0:
        raise SolverError("the numbers of evaluations and generations must not be negative")
    counters: list[int] = numbers.tolist()
    return counters, cells, best
