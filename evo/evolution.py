"""`Evolution`: an evolutionary algorithm as a search that can be put down and taken up again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from evo.algorithms import Engine, aiea, ga, moea
from evo.native import NativeEngine
from evo.problem import EvolutionSettings, Problem
from evo.settings import GaSettings, MoeaSettings
from operators import differing_cells, dominators
from solvers import Progress, State

_SAMPLE = 1_000
"""Diversity is worked out from about so many individuals, evenly spread over the population."""


class Evolution:
    """An algorithm on the native engine; `solvers.Search` says what it can do.

    Args:
        problem: What to evolve, and how.
        rng: Where randomness comes from.
    """

    def __init__(self, problem: Problem, rng: np.random.Generator) -> None:
        self.rng = rng
        self._engine = NativeEngine(problem, rng)

    def reports(self) -> Iterator[Progress]:
        """Go on evolving; reports of the first individual, of the initial population, of every generation."""
        return evolve(self._engine, self._engine.problem.settings)

    def state(self) -> State:
        """The population and the best board so far."""
        return self._engine.state()

    def restore(self, state: State) -> None:
        """Go on from where another search stood."""
        self._engine.restore(state)

    def diversity(self) -> float:
        """The share of cells in which two individuals differ, on average; of a sample when there are many."""
        cells = self._engine.population.cells[:, :-1]
        return differing_cells(cells[:: -(-len(cells) // _SAMPLE)], 4 * cells.shape[1])

    def front(self) -> NDArray[np.int32]:
        """The objectives that no individual of the population exceeds in all: each triple once, in order."""
        objectives = self._engine.population.objectives
        return np.unique(objectives[dominators(objectives) == 0], axis=0)


def evolve(engine: Engine, settings: EvolutionSettings) -> Iterator[Progress]:
    """Run an evolutionary algorithm on an engine, and tell how it goes: at first, and after every generation or so.

    An engine that has evaluations behind it, such as one restored from a checkpoint, goes on from where it is.
    """
    fresh = engine.evaluations == 0
    for _ in algorithm(engine, settings):
        scores = engine.population.objectives[:, 0]
        best, best_cells = engine.best
        if fresh and engine.evaluations > 1:
            first = int(scores[0])
            yield Progress(1, first, engine.population.cells[0, :-1].reshape(best_cells.shape).copy(), first, first)
            fresh = False
        yield Progress(engine.evaluations, best, best_cells, float(scores.mean()), int(scores.min()))


def algorithm(engine: Engine, settings: EvolutionSettings) -> Iterator[None]:
    """The algorithm that settings are for."""
    if isinstance(settings, GaSettings):
        return ga(engine, settings)
    if isinstance(settings, MoeaSettings):
        return moea(engine, settings)
    return aiea(engine, settings)
