"""`GridProblem`: evolution on Sudoku and Battleship puzzles, whose individuals are matrices of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from deap import base
from numpy.typing import ArrayLike, NDArray

from evo.engine.individual import Minimised
from evo.engine.problem import OwnOperators
from evo.errors import ConfigError
from operators import OperatorError
from operators.pencil.grid import Grid, is_whole, make_grid, score
from operators.repair import Repair
from puzzles.pencil import PencilTask

if TYPE_CHECKING:
    from evo.settings.pencil import PencilEvolution

BROKEN = "an operator returned cells that break the rules which the operators of this puzzle keep"
_NO_REPAIR = Repair(0.0, 0, 1, 0.0, False)
_NOTHING_OWN = OwnOperators(None, None, None)


class GridPopulation(NamedTuple):
    """Individuals as a structure of arrays: row i of each array belongs to individual i."""

    cells: NDArray[np.uint16]
    """The cells of each individual, row by row."""
    objectives: NDArray[np.int32]
    """The score, in a column of its own."""
    fitness: NDArray[np.int64]
    """What is missing to the greatest score; to be minimised."""

    @property
    def size(self) -> int:
        """The number of individuals."""
        return len(self.fitness)


def make_grid_population(cells: int, size: int) -> GridPopulation:
    """Return a population whose cells are still to be written."""
    return GridPopulation(
        np.zeros((size, cells), dtype=np.uint16), np.zeros((size, 1), dtype=np.int32), np.zeros(size, dtype=np.int64)
    )


def copy_rows(source: GridPopulation, individuals: ArrayLike, target: GridPopulation, first: int) -> None:
    """Copy individuals to consecutive places of another population."""
    chosen = np.asarray(individuals)
    arrays: list[tuple[NDArray[Any], NDArray[Any]]] = list(zip(source, target, strict=True))
    for from_array, to_array in arrays:
        to_array[first : first + len(chosen)] = from_array[chosen]


class GridIndividual:
    """A candidate as a DEAP individual.

    Attributes:
        row: A population of one, on which the compiled operators work.
        fitness: The DEAP fitness; it has no values until the individual is evaluated.
        rank: The rank that tournaments compare, lower being better; set when the population is ranked.
    """

    __slots__ = ("fitness", "rank", "row", "shape")

    def __init__(self, shape: tuple[int, int]) -> None:
        self.shape = shape
        self.row = make_grid_population(shape[0] * shape[1], 1)
        self.fitness: base.Fitness = Minimised()
        self.rank: int | None = None

    @property
    def board(self) -> NDArray[np.uint16]:
        """The matrix of cells. An operator may write to it."""
        matrix: NDArray[np.uint16] = self.row.cells[0].reshape(self.shape)
        return matrix

    @property
    def score(self) -> int:
        """The score, as of the last evaluation."""
        return int(self.row.objectives[0, 0])

    def __deepcopy__(self, memo: dict[int, Any]) -> GridIndividual:
        copy = GridIndividual(self.shape)
        copy_rows(self.row, [0], copy.row, 0)
        copy.fitness.values = self.fitness.values if self.fitness.valid else ()
        copy.rank = self.rank
        return copy

    def __eq__(self, other: object) -> bool:
        """Return whether the cells are equal, which is how DEAP's HallOfFame compares individuals."""
        return isinstance(other, GridIndividual) and bool((self.row.cells == other.row.cells).all())

    def __hash__(self) -> int:
        return hash(self.row.cells.tobytes())


@dataclass(frozen=True)
class GridProblem:
    """A Sudoku or Battleship puzzle and settings, as tables for compiled code; see `evo.engine.problem.Problem`."""

    puzzle: PencilTask
    settings: PencilEvolution
    grid: Grid
    repair: Repair = _NO_REPAIR
    own: OwnOperators = _NOTHING_OWN

    @property
    def repairs_offspring(self) -> bool:
        """Whether children are repaired."""
        return False

    @property
    def mutant_tournament(self) -> int:
        """The size of the tournament that selects the individuals to mutate."""
        return self.settings.tournament

    @property
    def partner_tournament(self) -> int:
        """The size of the tournament that selects the second parent of a child."""
        return self.settings.tournament

    def blank(self) -> GridIndividual:
        """Return an individual whose board is not filled yet."""
        return GridIndividual(self.puzzle.shape)

    def recount(self, individual: GridIndividual) -> None:
        """Recompute everything about an individual from its cells."""
        if not is_whole(self.grid, individual.row.cells[0]):
            raise OperatorError(BROKEN)
        individual.row.objectives[0, 0] = score(self.grid, individual.row.cells[0])
        individual.row.fitness[0] = self.puzzle.max_score - individual.score

    def stacked(self, individuals: list[GridIndividual]) -> GridPopulation:
        """Return a copy of individuals as one population."""
        rows = zip(*(individual.row for individual in individuals), strict=True)
        return GridPopulation(*(np.concatenate(parts) for parts in rows))

    @property
    def mutation_names(self) -> list[str]:
        """The names of the mutations of a mixture: there is only one kind of mutation."""
        return []

    def operators(self, rng: np.random.Generator, toolbox: base.Toolbox) -> Any:
        """Return the operators as DEAP calls them."""
        from evo.engine.grid_operators import GridOperators

        return GridOperators(self, rng)


def make_grid_problem(puzzle: PencilTask, settings: PencilEvolution) -> GridProblem:
    """Return a puzzle and settings, prepared for both engines.

    Raises:
        ConfigError: The candidates of the puzzle cannot be varied.
    """
    return GridProblem(puzzle, settings, grid_of(puzzle))


def grid_of(puzzle: PencilTask) -> Grid:
    """Return the tables of a puzzle.

    Raises:
        ConfigError: The candidates of the puzzle cannot be varied.
    """
    try:
        return make_grid(puzzle.puzzle)
    except OperatorError as error:
        raise ConfigError(f"{puzzle.name}: {error}") from None
