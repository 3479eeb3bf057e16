"""The operators of Sudoku and Battleship as DEAP calls them; they call the same compiled functions as `GridEngine`."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

import numpy as np

from evo.engine.toolbox import Selection
from operators.pencil.grid import cross, fill
from operators.pencil.grid import mutate as vary

if TYPE_CHECKING:
    from evo.engine.grid_problem import GridIndividual, GridProblem


class GridOperators(Selection):
    """`individual`, `evaluate`, `mate`, `mutate` and `select` of a toolbox."""

    def __init__(self, problem: GridProblem, rng: np.random.Generator) -> None:
        super().__init__(problem, rng)
        self.grid = problem.grid

    def individual(self) -> GridIndividual:
        """Return a random individual."""
        individual: GridIndividual = self.problem.blank()
        fill(self.rng, self.grid, individual.row.cells[0])
        return individual

    def evaluate(self, individual: GridIndividual) -> tuple[float, ...]:
        """Return the fitness of an individual, computed from its cells alone."""
        self.problem.recount(individual)
        return (float(individual.row.fitness[0]),)

    def mate(self, one: GridIndividual, other: GridIndividual) -> tuple[GridIndividual, GridIndividual]:
        """Turn the first individual into the child of both; the second is not changed."""
        mother = deepcopy(one)
        cross(self.rng, self.grid, mother.row.cells[0], other.row.cells[0], one.row.cells[0])
        one.rank = None
        return one, other

    def mutate(self, individual: GridIndividual, times: int = 1) -> tuple[GridIndividual]:
        """Mutate an individual a number of times."""
        for _ in range(times):
            vary(self.rng, self.grid, individual.row.cells[0], 1)
        individual.rank = None
        return (individual,)
