"""The DEAP engine: the same algorithms, one individual at a time, with whatever the toolbox contains."""

from __future__ import annotations

from typing import Any

import numpy as np
from deap import base
from numpy.typing import NDArray

from evo.engine.engine_state import NOT_WHOLE, make_state, parts_of
from evo.engine.native_kernels import clone_mutations
from evo.engine.problem import Individuals, Problem
from evo.settings.evolution import MOEA
from operators import OperatorError
from solvers import SolverError, State


class DeapEngine:
    """Evolves populations of DEAP individuals; see `evo.engine.algorithms.Engine` for its methods."""

    def __init__(self, toolbox: base.Toolbox) -> None:
        self.toolbox = toolbox
        self.rng: np.random.Generator = toolbox.rng
        self.problem: Problem = toolbox.problem
        self.settings = toolbox.problem.settings
        self.evaluations = self.generation = self.idle = 0
        self._best_score, self._best_cells = -1, np.zeros((0, 0), dtype=np.uint16)
        self.individuals: list[Any] = []
        self._next: list[Any] = []
        self._kept = 0

    @property
    def population(self) -> Individuals:
        """A copy of the individuals as arrays. Their fitness comes from the toolbox's `evaluate`."""
        population: Any = self.problem.stacked(self.individuals)
        if not isinstance(self.settings, MOEA):
            fitness = np.array([_whole(one.fitness.values[0]) for one in self.individuals])
            population = population._replace(fitness=fitness)
        found: Individuals = population
        return found

    @property
    def best(self) -> tuple[int, NDArray[np.uint16]]:
        """The score to report, and the first board that has it: the best so far, or of the current population."""
        if self.settings.reported == "best":
            return self._best_score, self._best_cells
        leader = max(self.individuals, key=lambda one: int(one.score))
        return leader.score, leader.board.copy()

    def initialise(self) -> None:
        """Make and evaluate the initial population."""
        self.individuals = self.toolbox.population()
        for individual in self.individuals:
            self._evaluate(individual)
        self.idle = 0

    def state(self) -> State:
        """Return the individuals, the best board so far and the counters; everything else follows from the cells."""
        problem = self.toolbox.problem
        size, cells = problem.puzzle.size, np.zeros((self.settings.population, problem.puzzle.size), dtype=np.uint16)
        for row, individual in zip(cells, self.individuals, strict=False):
            row[:] = individual.board.ravel()
        best = self._best_cells.ravel().copy() if self._best_cells.size else np.zeros(size, dtype=np.uint16)
        return make_state((self.evaluations, self.generation, self.idle), cells, best)

    def restore(self, state: State) -> None:
        """Continue from the state of another engine for the same problem.

        Raises:
            SolverError: The state is not one of such an engine.
        """
        (self.evaluations, self.generation, self.idle), cells, best = parts_of(state, self.state())
        if not self.evaluations:
            return
        *self.individuals, leader = [self._restored(row) for row in (*cells, best)]
        self._best_score, self._best_cells = leader.score, leader.board.copy()

    def _restored(self, cells: NDArray[np.uint16]) -> Any:
        individual = self.problem.blank()
        individual.board[:] = cells.reshape(individual.board.shape)
        try:
            self.problem.recount(individual)
        except OperatorError:
            raise SolverError(NOT_WHOLE) from None
        individual.fitness.values = self.toolbox.evaluate(individual)
        self.problem.recount(individual)  # whatever the toolbox's evaluation has done
        return individual

    def keep(self, individuals: NDArray[np.int64]) -> None:
        """Copy individuals to the next generation."""
        self._kept = len(individuals)
        self._next += [self.toolbox.clone(self.individuals[k]) for k in individuals.tolist()]

    def cross(self, count: int, rank: NDArray[np.int64]) -> None:
        """Add children of parents selected by tournament to the next generation."""
        self._rank(rank)
        for _ in range(count):
            [mother], [father] = (
                self.toolbox.select(self.individuals, 1),
                self.toolbox.select_partner(self.individuals, 1),
            )
            while self.settings.distinct_parents and father is mother:
                [father] = self.toolbox.select_partner(self.individuals, 1)
            child, _ = self.toolbox.mate(self.toolbox.clone(mother), father)
            self._next.append(child)

    def mutate(self, count: int, rank: NDArray[np.int64]) -> None:
        """Add mutated copies of individuals selected by tournament to the next generation."""
        self._rank(rank)
        for _ in range(count):
            [original] = self.toolbox.select_mutant(self.individuals, 1)
            [mutant] = self.toolbox.mutate(self.toolbox.clone(original))
            self._next.append(mutant)

    def turn(self) -> None:
        """Make the next generation the population; repair its children if so configured."""
        kept, children = self._next[: self._kept], self._next[self._kept :]
        self.individuals, self._next = kept + self._born(children), []

    def clone(self, steps: int) -> None:
        """Make steps of clonal selection (Algorithm 2, lines 8 to 17)."""
        settings = self.settings
        for _ in range(steps):
            fitness = [_whole(individual.fitness.values[0]) for individual in self.individuals]
            self._rank(np.array(fitness))
            [individual_to_clone] = self.toolbox.select(self.individuals, 1)
            clone = self.toolbox.clone(individual_to_clone)
            fit, minfit, maxfit = _whole(clone.fitness.values[0]), min(fitness), max(fitness)
            times = int(clone_mutations(fit, minfit, maxfit, settings.fewest_mutations, settings.most_mutations))
            for _ in range(times):
                [clone] = self.toolbox.mutate(clone)
            [clone] = self._born([clone])
            if settings.apart:
                individual_to_remove = self.toolbox.replace(self.individuals, individual_to_clone, clone)
            else:
                [individual_to_remove] = self.toolbox.select_removed(self.individuals, 1)
            if individual_to_remove is not None:
                place = next(k for k, other in enumerate(self.individuals) if other is individual_to_remove)
                self.individuals[place] = clone

    def breed(self, steps: int) -> None:
        """Make children one by one, each of which may replace an individual."""
        least = min(_whole(individual.fitness.values[0]) for individual in self.individuals)
        for _ in range(steps):
            self._rank(np.array([_whole(individual.fitness.values[0]) for individual in self.individuals]))
            [mother] = self.toolbox.select(self.individuals, 1)
            child = self.toolbox.clone(mother)
            if self.settings.crossover > 0 and self.rng.random() < self.settings.crossover:
                [father] = self.toolbox.select_partner(self.individuals, 1)
                child, _ = self.toolbox.mate(child, father)
            else:
                [child] = self.toolbox.mutate(child)
            [child] = self._born([child])
            self.idle += 1
            replaced = self.toolbox.replace(self.individuals, mother, child)
            if replaced is None:
                continue
            place = next(k for k, other in enumerate(self.individuals) if other is replaced)
            self.individuals[place] = child
            if _whole(child.fitness.values[0]) < least:
                least, self.idle = _whole(child.fitness.values[0]), 0

    def repair(self, individuals: NDArray[np.int64]) -> None:
        """Repair individuals of the population."""
        for k in individuals.tolist():
            self.individuals[k] = self._evaluate(self.toolbox.repair(self.individuals[k]))
            self.evaluations += self.toolbox.problem.repair.moves - 1  # the last board is evaluated like all others

    def _born(self, children: list[Any]) -> list[Any]:
        """Repair the children that are drawn, as far as the budget allows, and evaluate all of them."""
        problem, drawn = self.problem, range(0)
        if problem.settings.repair is None:
            drawn = range(len(children))  # by default it does nothing; a user may have registered a repair
        elif problem.repairs_offspring:
            left = self.settings.evaluations - self.evaluations - len(children)
            lots = self.rng.random(len(children))
            drawn = np.flatnonzero(lots < problem.repair.share)[: left // problem.repair.moves].tolist()
        for k in drawn:
            children[k] = self.toolbox.repair(children[k])
            self.evaluations += problem.repair.moves
        return [self._evaluate(child) for child in children]

    def _evaluate(self, individual: Any) -> Any:
        individual.fitness.values = self.toolbox.evaluate(individual)
        self.evaluations += 1
        # The score is counted here, whatever the toolbox uses as the fitness.
        self.problem.recount(individual)
        if individual.score > self._best_score:
            self._best_score, self._best_cells = individual.score, individual.board.copy()
        return individual

    def _rank(self, rank: NDArray[np.int64]) -> None:
        for individual, of_one in zip(self.individuals, rank.tolist(), strict=True):
            individual.rank = of_one


def _whole(value: float) -> float | int:
    """Return a fitness value as an integer if it is one, so that nothing depends on rounding."""
    return int(value) if float(value).is_integer() else value
