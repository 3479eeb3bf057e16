"""`EvolutionSearch`: an evolutionary algorithm as a search that can be suspended and resumed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evo.engine.algorithms import Engine, aiea, ga, memetic, moea
from evo.engine.deap_engine import DeapEngine
from evo.engine.native_engine import NativeEngine
from evo.engine.problem import Individuals, TileProblem
from evo.engine.toolbox import toolbox_of
from evo.settings.evolution import GA, MEMETIC, MOEA
from evo.settings.pencil import PENCIL_GA
from operators import differing_cells, dominators
from puzzles.protocols import AnyPuzzle
from solvers import Progress, State

_SAMPLE = 1_000
"""Diversity is estimated from about this many individuals, evenly spread over the population."""


class EvolutionSearch:
    """Runs an evolutionary algorithm; see `solvers.Search`.

    The native engine runs it, unless an operator of the user's own is plain Python: then the DEAP engine does.

    Args:
        problem: The puzzle and the settings.
        rng: The source of randomness.
    """

    individuals = ("cells",)

    def __init__(self, problem: TileProblem, rng: np.random.Generator) -> None:
        self.rng = rng
        self._problem = problem
        self._engine: NativeEngine | DeapEngine
        self._engine = DeapEngine(toolbox_of(problem, rng)) if problem.own.plain else NativeEngine(problem, rng)

    def reports(self) -> Iterator[Progress]:
        """Continue the evolution, and report on the initial population as it grows, then on every generation."""
        return evolve(self._engine, self._problem.settings)

    def state(self) -> State:
        """Return the population, the best board so far, and the counters."""
        return self._engine.state()

    def restore(self, state: State) -> None:
        """Continue from the state of another search."""
        self._engine.restore(state)

    def diversity(self, evaluations: int) -> float:
        """Return the mean share of cells in which two individuals differ, estimated from a sample.

        Args:
            evaluations: Those of the last report; fewer than the population has individuals while it is being made.
        """
        cells = self._engine.population.cells[:evaluations, :-1]
        return sample_diversity(cells, 4 * cells.shape[1])

    def fitness(self) -> NDArray[np.int64]:
        """Return the fitness of each individual, to be minimised; of MOEA, the combined fitness."""
        return self._engine.population.fitness

    def front(self) -> NDArray[np.int32]:
        """Return the objectives of all individuals that no other dominates: each triple once, in order."""
        objectives = self._engine.population.objectives
        return np.unique(objectives[dominators(objectives) == 0], axis=0)


def sample_diversity(cells: NDArray[np.uint16], values: int) -> float:
    """Return the mean share of cells in which two individuals differ, estimated from a sample; NaN of fewer than two.

    Args:
        cells: One individual per row.
        values: An upper bound on the values of cells, exclusive.
    """
    if len(cells) < 2:
        return float("nan")
    return differing_cells(cells[:: -(-len(cells) // _SAMPLE)], values)


def evolve(engine: Engine, settings: Any) -> Iterator[Progress]:
    """Run an evolutionary algorithm on an engine, and report on the initial population and on every generation.

    An engine that has made evaluations already, such as one restored from a checkpoint, continues from there.
    """
    for _ in algorithm(engine, settings):
        population = engine.population
        if engine.evaluations == population.size:
            yield from _first_reports(population, engine.problem.puzzle)
        scores = population.objectives[:, 0]
        mean, worst = float(scores.mean()), int(scores.min())
        yield Progress(engine.evaluations, *engine.best, mean, worst, engine.problem.puzzle)


def _first_reports(population: Individuals, puzzle: AnyPuzzle) -> Iterator[Progress]:
    """Report on an initial population as it was made: on the first individual, and on each that beat all before it."""
    scores = population.objectives[:-1, 0]  # the last one is reported with the whole population
    leaders = np.flatnonzero(np.diff(np.maximum.accumulate(scores), prepend=-1))
    for leader in leaders.tolist():
        before = scores[: leader + 1]
        cells = population.cells[leader, : puzzle.size].reshape(puzzle.shape).copy()
        yield Progress(leader + 1, int(scores[leader]), cells, float(before.mean()), int(before.min()), puzzle)


def algorithm(engine: Any, settings: Any) -> Iterator[None]:
    """Return the loop of the algorithm that settings are for."""
    if isinstance(settings, GA | PENCIL_GA):
        return ga(engine, settings)
    if isinstance(settings, MOEA):
        return moea(engine, settings)
    if isinstance(settings, MEMETIC):
        return memetic(engine, settings)
    return aiea(engine, settings)
