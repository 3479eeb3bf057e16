"""Settings of the searches for Sudoku and Battleship: evolution, simulated annealing, tabu search, an exact solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from evo.errors import NoPuzzleError
from evo.settings.base import Evaluations, RunSettings, check_generation, check_order
from evo.settings.islands import PopulationSettings

if TYPE_CHECKING:
    from puzzles.pencil import PencilTask
    from puzzles.protocols import AnyPuzzle
    from solvers import Search

Positive = Annotated[int, Field(ge=1, le=10_000_000)]
Temperature = Annotated[float, Field(gt=0, le=1000)]


class PencilSettings(RunSettings):
    """What all searches for Sudoku and Battleship have: the puzzle has to be named, and its clues always stay."""

    kind_of_puzzle: ClassVar[str] = "a Sudoku or Battleship puzzle"
    evaluations: Evaluations = 5_000_000
    """The budget: how many candidates may be scored. A run ends earlier if it finds a solution."""
    pins: Literal["none"] = "none"
    """Not for these puzzles, whose clues always stay."""

    @classmethod
    def load_puzzle(cls, source: str | None) -> PencilTask:
        """Return the one puzzle of a file, address, game ID or line."""
        from puzzles.pencil import PencilTask

        if source is None:
            raise NoPuzzleError("puzzle: is missing; name the file, address or line of a Sudoku or Battleship puzzle")
        return PencilTask.load(source)

    @classmethod
    def solves(cls, puzzle: AnyPuzzle) -> bool:
        """Return whether this is a Sudoku or a Battleship puzzle."""
        from puzzles.pencil import PencilTask

        return isinstance(puzzle, PencilTask)


class PencilEvolution(PencilSettings, PopulationSettings):
    """What both evolutionary algorithms have."""

    population: Annotated[int, Field(ge=2, le=1_000_000)] = 1000
    tournament: Positive = 2
    fewest_mutations: Annotated[int, Field(ge=1, le=1000)] = 1
    """Of clones only: the mutations of a clone of the fittest individual."""
    most_mutations: Annotated[int, Field(ge=1, le=1000)] = 10
    """Of clones only: the mutations of a clone of the least fit individual."""

    # What the loops and DEAP's engine ask for, and these puzzles have only one answer to.
    repair: ClassVar[None] = None
    apart: ClassVar[int] = 0
    like: ClassVar[int] = 0
    reported: ClassVar[str] = "best"
    replacement: ClassVar[bool] = True
    distinct_parents: ClassVar[bool] = False

    @model_validator(mode="after")
    def _fits_together(self) -> PencilEvolution:
        if self.tournament > self.population:
            raise ValueError(f"tournament: {self.tournament} individuals cannot be drawn from {self.population}")
        if self.evaluations < self.population:
            raise ValueError(f"evaluations: {self.evaluations} do not suffice for a population of {self.population}")
        check_order("most_mutations", (self.fewest_mutations, self.most_mutations))
        return self

    def make_search(self, puzzle: PencilTask, rng: np.random.Generator) -> Search:
        """Return the evolution of a population by these settings."""
        from evo.engine.grid_problem import make_grid_problem
        from evo.engine.grid_search import GridEvolution

        return GridEvolution(make_grid_problem(puzzle, self), rng)

    def check(self, puzzle: PencilTask) -> None:
        """Refuse settings that do not fit a puzzle."""
        from evo.engine.grid_problem import make_grid_problem

        make_grid_problem(puzzle, self)

    @classmethod
    def tiny(cls) -> list[Self]:
        """Return settings with a population of four and two generations."""
        small: dict[str, Any] = {"population": 4, "tournament": 2, "evaluations": 12}
        return [cls(**small | cls._small_generation())]

    @classmethod
    def _small_generation(cls) -> dict[str, Any]:
        return {}


class PENCIL_GA(PencilEvolution):  # noqa: N801  # the name by which settings files choose it
    """The genetic algorithm of `evo.GA` with crossover by boxes or regions."""

    algorithm: Literal["PENCIL_GA"] = "PENCIL_GA"
    crossover: Annotated[int, Field(ge=0)] = 300
    mutation: Annotated[int, Field(ge=0)] = 699
    elite: Annotated[int, Field(ge=0)] = 1

    @model_validator(mode="after")
    def _adds_up(self) -> PENCIL_GA:
        check_generation(self.population, self.crossover, self.mutation, self.elite)
        return self

    @classmethod
    def _small_generation(cls) -> dict[str, Any]:
        return {"crossover": 2, "mutation": 1, "elite": 1}


class PENCIL_AIEA(PencilEvolution):  # noqa: N801
    """The artificial immune algorithm of `evo.AIEA`."""

    algorithm: Literal["PENCIL_AIEA"] = "PENCIL_AIEA"


class PENCIL_SA(PencilSettings):  # noqa: N801
    """Simulated annealing: the temperature falls geometrically from the hottest to the coldest, again and again."""

    algorithm: Literal["PENCIL_SA"] = "PENCIL_SA"
    hottest: Temperature = 0.7
    coldest: Temperature = 0.2
    cycle: Annotated[int, Field(ge=1, le=10**12)] = 200_000
    """The number of evaluations in which the temperature falls once."""

    @model_validator(mode="after")
    def _ordered(self) -> PENCIL_SA:
        check_order("coldest", (self.coldest, self.hottest))
        return self

    def make_search(self, puzzle: PencilTask, rng: np.random.Generator) -> Search:
        """Return a simulated annealing."""
        from evo.engine.grid_problem import grid_of
        from solvers.local.grid_local import GridAnnealing

        temperatures = (self.hottest, self.coldest)
        return GridAnnealing(puzzle, grid_of(puzzle), rng, self.evaluations, temperatures, self.cycle)

    @classmethod
    def tiny(cls) -> list[Self]:
        """Return settings with twelve evaluations."""
        return [cls(evaluations=12)]


class PENCIL_TABU(PencilSettings):  # noqa: N801
    """Tabu search: the best of some random moves, of which none only puts back values that were there lately."""

    algorithm: Literal["PENCIL_TABU"] = "PENCIL_TABU"
    candidates: Annotated[int, Field(ge=1, le=100_000)] = 150
    """The number of moves of which the best is made."""
    tenure: tuple[Annotated[int, Field(ge=0, le=10**6)], Annotated[int, Field(ge=0, le=10**6)]] = (10, 40)
    """For how many moves a value may not return to its cell: at random between these."""

    @model_validator(mode="after")
    def _ordered(self) -> PENCIL_TABU:
        check_order("tenure", self.tenure)
        return self

    def make_search(self, puzzle: PencilTask, rng: np.random.Generator) -> Search:
        """Return a tabu search."""
        from evo.engine.grid_problem import grid_of
        from solvers.local.grid_local import GridTabu

        return GridTabu(puzzle, grid_of(puzzle), rng, self.evaluations, self.candidates, self.tenure)

    @classmethod
    def tiny(cls) -> list[Self]:
        """Return settings with twelve evaluations."""
        return [cls(evaluations=12, candidates=3)]


class PENCIL_EXACT(PencilSettings):  # noqa: N801
    """The exact solvers of `evo pencil solve`: they tell besides whether a solution is the only one, or there is none.

    An evaluation is a solution that was looked for, and the first report is of the clues alone.
    """

    algorithm: Literal["PENCIL_EXACT"] = "PENCIL_EXACT"
    model: str | None = None
    """A model of `solvers.pencil`; by default the fastest."""
    engine: str | None = None
    """An engine; by default the fastest that is installed."""
    limit: Annotated[float, Field(gt=0, le=10**9)] = 3600.0
    """The time limit in seconds."""

    def make_search(self, puzzle: PencilTask, rng: np.random.Generator) -> Search:
        """Return an exact search."""
        from evo.engine.exact_search import ExactSearch

        return ExactSearch(puzzle, rng, self.model, self.engine, self.limit)

    @classmethod
    def tiny(cls) -> list[Self]:
        """Return settings with a small limit."""
        return [cls(evaluations=2, limit=1.0)]

    def warm_up(self) -> list[Self]:
        """Return these settings with a small limit."""
        return [self.model_copy(update={"limit": 0.5})]
