"""`Search`: what every search of the workbench can do: tell how it goes, be put down, and be taken up again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from solvers.errors import SolverError
from solvers.progress import Progress

State = dict[str, NDArray[Any]]
"""Where a search stands, besides its generator: named arrays of plain numbers."""


class Search(Protocol):
    """A search of boards, with a budget of evaluations."""

    rng: np.random.Generator

    def reports(self) -> Iterator[Progress]:
        """Go on from where the search stands, and report again and again, until the budget is spent.

        The first report of all is of evaluation 1. A search that was taken up again may repeat reports.
        """

    def state(self) -> State:
        """Where the search stands: a copy. Only between two reports."""

    def restore(self, state: State) -> None:
        """Put the search, which has the same settings, to where another one stood.

        Raises:
            SolverError: The state is not one of such a search.
        """


@runtime_checkable
class PopulationSearch(Protocol):
    """What a search that holds a population can tell besides; any search may implement it."""

    def diversity(self, evaluations: int) -> float:
        """Return the mean share of cells in which two individuals differ, after this number of evaluations."""

    def front(self) -> NDArray[np.int32]:
        """Return the objectives of all individuals that no other dominates."""


def matching(state: State, like: State) -> State:
    """A state, checked to have the names, shapes and types of another.

    Raises:
        SolverError: It does not.
    """
    if state.keys() != like.keys():
        raise SolverError(f"holds {', '.join(state) or 'nothing'} where {', '.join(like)} are expected")
    for name, array in state.items():
        if (array.shape, array.dtype) != (like[name].shape, like[name].dtype):
            found, expected = (f"{one.dtype} of shape {one.shape}" for one in (array, like[name]))
            raise SolverError(f"{name} is {found} where {expected} is expected")
    return state
