"""`Individual`: one board as a DEAP individual. It holds arrays; it is not one itself."""

from __future__ import annotations

from typing import Any

import numpy as np
from deap import base
from numpy.typing import NDArray

from operators import Lattice, Population, make_population
from operators.population import copy_individual


class Minimised(base.Fitness):  # type: ignore[misc]  # deap ships no types
    """The fitness of GA and AIEA: one integer, to be minimised."""

    weights = (-1.0,)


class ThreeObjectives(base.Fitness):  # type: ignore[misc]  # deap ships no types
    """The fitness of MOEA: score, 2x2 blocks and complete tiles, to be maximised."""

    weights = (1.0, 1.0, 1.0)


class Individual:
    """A board with the tables that make it cheap to vary and score, and its DEAP fitness.

    Attributes:
        row: A population of one, on which the compiled operators work.
        fitness: The DEAP fitness; it has no values until the individual is evaluated.
        rank: The rank that tournaments compare, lower being better; set when the population is ranked.
    """

    __slots__ = ("fitness", "lattice", "rank", "row")

    def __init__(self, lattice: Lattice, fitness: base.Fitness) -> None:
        self.lattice = lattice
        self.row = make_population(lattice, 1)
        self.fitness = fitness
        self.rank: int | None = None

    @property
    def board(self) -> NDArray[np.uint16]:
        """The matrix of `tile * 4 + rotation`. An operator may write to it."""
        return self.row.cells[0, :-1].reshape(self.lattice.rows, self.lattice.cols)

    @property
    def score(self) -> int:
        """The number of matching edges that count, as of the last evaluation."""
        return int(self.row.objectives[0, 0])

    def __deepcopy__(self, memo: dict[int, Any]) -> Individual:
        copy = Individual(self.lattice, type(self.fitness)(self.fitness.values if self.fitness.valid else ()))
        copy_individual(self.row, 0, copy.row, 0)
        copy.rank = self.rank
        return copy

    def __eq__(self, other: object) -> bool:
        """Return whether the boards are equal, which is how DEAP's HallOfFame compares individuals."""
        return isinstance(other, Individual) and bool((self.row.cells == other.row.cells).all())

    def __hash__(self) -> int:
        return hash(self.row.cells.tobytes())

    def __repr__(self) -> str:
        values = self.fitness.values if self.fitness.valid else "not evaluated"
        return f"<Individual {self.lattice.rows}x{self.lattice.cols}, fitness {values}>"


def stacked(individuals: list[Individual]) -> Population:
    """Return a copy of individuals as one population."""
    fields = zip(*(individual.row for individual in individuals), strict=True)
    return Population(*(np.concatenate(field) for field in fields))
