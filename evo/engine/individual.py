"""`Individual`: one board as DEAP sees it. It holds its arrays; it is not one."""

from __future__ import annotations

from typing import Any

import numpy as np
from deap import base
from numpy.typing import NDArray

from operators import Lattice, Population, make_population
from operators.population import copy_individual


class Minimised(base.Fitness):  # type: ignore[misc]  # deap ships no types
    """The fitness of GA and AIEA: one whole number, to be minimised."""

    weights = (-1.0,)


class ThreeObjectives(base.Fitness):  # type: ignore[misc]  # deap ships no types
    """The fitness of MOEA: score, 2x2 blocks and complete tiles, to be maximised."""

    weights = (1.0, 1.0, 1.0)


class Individual:
    """A board, what makes it cheap to vary and score, and its DEAP fitness.

    Attributes:
        row: A population of one, which the compiled operators work on.
        fitness: DEAP's fitness; without values until the individual is evaluated.
        rank: What tournaments compare, lower being better; set when the population is ranked.
    """

    __slots__ = ("fitness", "lattice", "rank", "row")

    def __init__(self, lattice: Lattice, fitness: base.Fitness) -> None:
        self.lattice = lattice
        self.row = make_population(lattice, 1)
        self.fitness = fitness
        self.rank: int | None = None

    @property
    def board(self) -> NDArray[np.uint16]:
        """The matrix of `tile * 4 + rotation`. An operator of your own may write to it."""
        return self.row.cells[0, :-1].reshape(self.lattice.rows, self.lattice.cols)

    def __deepcopy__(self, memo: dict[int, Any]) -> Individual:
        copy = Individual(self.lattice, type(self.fitness)(self.fitness.values if self.fitness.valid else ()))
        copy_individual(self.row, 0, copy.row, 0)
        copy.rank = self.rank
        return copy

    def __eq__(self, other: object) -> bool:
        """Equal boards: what DEAP's HallOfFame needs to tell individuals apart."""
        return isinstance(other, Individual) and bool((self.row.cells == other.row.cells).all())

    def __hash__(self) -> int:
        return hash(self.row.cells.tobytes())

    def __repr__(self) -> str:
        values = self.fitness.values if self.fitness.valid else "not evaluated"
        return f"<Individual {self.lattice.rows}x{self.lattice.cols}, fitness {values}>"


def stacked(individuals: list[Individual]) -> Population:
    """Individuals as one population: a copy."""
    fields = zip(*(individual.row for individual in individuals), strict=True)
    return Population(*(np.concatenate(field) for field in fields))
