"""`Evolution`: an evolutionary algorithm as a search that can be put down and taken up again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from evo.engine.algorithms import Engine, aiea, ga, moea
from evo.engine.native_engine import NativeEngine
from evo.engine.problem import EvolutionSettings, Problem
from evo.settings.evolution import GA, MOEA
from operators import Population, differing_cells, dominators
from puzzles import Puzzle
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
        """Go on evolving; reports of the initial population as it comes about, then of every generation."""
        return evolve(self._engine, self._engine.problem.settings)

    def state(self) -> State:
        """The population and the best board so far."""
        return self._engine.state()

    def restore(self, state: State) -> None:
        """Go on from where another search stood."""
        self._engine.restore(state)

    def diversity(self, evaluations: int) -> float:
        """The share of cells in which two individuals differ, on average; of a sample when there are many.

        Args:
            evaluations: What the last report said: fewer than the population has individuals while it comes about.
        """
        cells = self._engine.population.cells[:evaluations, :-1]
        if len(cells) < 2:
            return float("nan")
        return differing_cells(cells[:: -(-len(cells) // _SAMPLE)], 4 * cells.shape[1])

    def front(self) -> NDArray[np.int32]:
        """The objectives that no individual of the population exceeds in all: each triple once, in order."""
        objectives = self._engine.population.objectives
        return np.unique(objectives[dominators(objectives) == 0], axis=0)


def evolve(engine: Engine, settings: EvolutionSettings) -> Iterator[Progress]:
    """Run an evolutionary algorithm on an engine, and tell how it goes: as it begins, and after every generation.

    An engine that has evaluations behind it, such as one restored from a checkpoint, goes on from where it is.
    """
    for _ in algorithm(engine, settings):
        population = engine.population
        if engine.evaluations == population.size:
            yield from _first_reports(population, engine.problem.puzzle)
        scores = population.objectives[:, 0]
        mean, worst = float(scores.mean()), int(scores.min())
        yield Progress(engine.evaluations, *engine.best, mean, worst, engine.problem.puzzle)


def _first_reports(population: Population, puzzle: Puzzle) -> Iterator[Progress]:
    """Reports of an initial population as it came about: of the first individual, and of each that beat all before."""
    scores = population.objectives[:-1, 0]  # the last one is reported with the whole population
    leaders = np.flatnonzero(np.diff(np.maximum.accumulate(scores), prepend=-1))
    for leader in leaders.tolist():
        before = scores[: leader + 1]
        cells = population.cells[leader, :-1].reshape(puzzle.shape).copy()
        yield Progress(leader + 1, int(scores[leader]), cells, float(before.mean()), int(before.min()), puzzle)


def algorithm(engine: Engine, settings: EvolutionSettings) -> Iterator[None]:
    """The algorithm that settings are for."""
    if isinstance(settings, GA):
        return ga(engine, settings)
    if isinstance(settings, MOEA):
        return moea(engine, settings)
    return aiea(engine, settings)
