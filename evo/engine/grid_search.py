"""`GridEvolution`: evolution on Sudoku and Battleship as a search that can be suspended and resumed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from evo.engine.evolution_search import evolve, sample_diversity
from evo.engine.grid_engine import GridEngine
from evo.engine.grid_problem import GridProblem
from solvers import Progress, State


class GridEvolution:
    """Runs an evolutionary algorithm until it finds a solution or its budget is spent; see `solvers.Search`.

    Args:
        problem: The puzzle and the settings.
        rng: The source of randomness.
    """

    individuals = ("cells",)

    def __init__(self, problem: GridProblem, rng: np.random.Generator) -> None:
        self.rng = rng
        self._problem, self._engine = problem, GridEngine(problem, rng)

    def reports(self) -> Iterator[Progress]:
        """Continue the evolution, and report on the initial population, then on every generation."""
        for progress in evolve(self._engine, self._problem.settings):
            yield progress
            if progress.best_score == self._problem.puzzle.max_score:
                return

    def state(self) -> State:
        """Return the population, the best board so far, and the counters."""
        return self._engine.state()

    def restore(self, state: State) -> None:
        """Continue from the state of another search."""
        self._engine.restore(state)

    def diversity(self, evaluations: int) -> float:
        """Return the mean share of cells in which two individuals differ, estimated from a sample."""
        return sample_diversity(self._engine.population.cells[:evaluations], max(self._problem.puzzle.shape) + 8)

    def fitness(self) -> NDArray[np.int64]:
        """Return the fitness of each individual, to be minimised."""
        return self._engine.population.fitness

    def front(self) -> NDArray[np.int32]:
        """Return nothing: there is only one objective."""
        return np.zeros((0, 3), dtype=np.int32)
