"""`Search`: the interface of every search: it reports its progress, and can be suspended and resumed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from solvers.errors import SolverError
from solvers.progress import Progress

State = dict[str, NDArray[Any]]
"""The state of a search, apart from its random generator: named arrays of numbers."""


class Search(Protocol):
    """A search for the best board, with a budget of evaluations."""

    rng: np.random.Generator

    def reports(self) -> Iterator[Progress]:
        """Run the search from its current state until the budget is spent, yielding reports.

        The first report is of evaluation 1. A search that was resumed may repeat reports.
        """

    def state(self) -> State:
        """Return a copy of the state. It may only be called between two reports."""

    def restore(self, state: State) -> None:
        """Resume from the state of another search with the same settings.

        Raises:
            SolverError: The state does not belong to such a search.
        """


@runtime_checkable
class PopulationSearch(Protocol):
    """What a search that holds a population can tell besides; any search may implement it."""

    def diversity(self, evaluations: int) -> float:
        """Return the mean share of cells in which two individuals differ, after this number of evaluations."""

    def front(self) -> NDArray[np.int32]:
        """Return the objectives of all individuals that no other dominates."""


def matching(state: State, like: State) -> State:
    """Return a state after checking that its names, shapes and types are those of another.

    Raises:
        SolverError: They differ.
    """
    if state.keys() != like.keys():
        raise SolverError(f"the state has the arrays {', '.join(state) or '(none)'}; expected {', '.join(like)}")
    for name, array in state.items():
        if (array.shape, array.dtype) != (like[name].shape, like[name].dtype):
            found, expected = (f"{one.dtype} of shape {one.shape}" for one in (array, like[name]))
            raise SolverError(f"{name} is {found}; expected {expected}")
    return state
