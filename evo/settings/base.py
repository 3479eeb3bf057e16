"""What the settings of all algorithms have in common, and how an algorithm joins the registry.

An algorithm is a subclass of `RunSettings` and the search that it makes. `evo.settings.registry` finds the subclasses;
nothing else needs to know their names.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from evo.errors import ConfigError, EvoError
from evo.settings.messages import as_tuples, sentences

if TYPE_CHECKING:
    from puzzles.protocols import AnyPuzzle
    from solvers import Search

Share = Annotated[float, Field(ge=0, le=1)]
Sizes = tuple[Annotated[int, Field(ge=1, le=16383)], Annotated[int, Field(ge=1, le=16383)]]
Evaluations = Annotated[int, Field(ge=1, le=10**15)]


if TYPE_CHECKING:
    _Model = BaseModel  # type checkers know the arguments of the classes from their fields
else:

    class _Checked(type(BaseModel)):
        """Makes `GA(population=0)` raise ConfigError, and `GA(mutation_sizes=[1, 5])` accept lists for tuples."""

        def __call__(cls, **values: Any) -> Any:
            try:
                return super().__call__(**as_tuples(values))
            except ValidationError as error:
                raise ConfigError(sentences(cls, error)) from None

    class _Model(BaseModel, metaclass=_Checked):
        pass


class Frozen(_Model):
    """Values that are checked strictly and cannot be changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class RunSettings(Frozen):
    """The settings that every algorithm has, and the interface through which the workbench uses an algorithm.

    A subclass gives `algorithm` its name, a `Literal` with a default, adds its own settings as fields, and implements
    `make_search` and `tiny`.
    """

    algorithm: str
    """The name by which settings files choose the algorithm."""
    evaluations: Evaluations = 50_000_000
    """The budget: how many times a fitness may be computed."""
    seed: Annotated[int, Field(ge=0)] = 1
    pins: Literal["none", "mandatory", "all"] = "none"
    """Which of the puzzle's hints stay in their cells. The paper's evolutionary algorithms use none."""

    _reference: str = PrivateAttr(default="")
    """The file and the class, for an algorithm of the user's own that settings refer to by its file."""

    kind_of_puzzle: ClassVar[str] = "an edge-matching puzzle"
    """What the algorithm solves, in words."""

    @classmethod
    def load_puzzle(cls, source: str | None) -> AnyPuzzle:
        """Return the puzzle that a name or a path means; by default the one that the algorithm is usually run on.

        Raises:
            EvoError: It cannot be read, or is not of the kind that the algorithm solves.
        """
        from puzzles import load

        return load("eternity2" if source is None else source)

    @classmethod
    def solves(cls, puzzle: AnyPuzzle) -> bool:
        """Return whether a puzzle is of the kind that the algorithm solves."""
        from puzzles import Puzzle

        return isinstance(puzzle, Puzzle)

    @abstractmethod
    def make_search(self, puzzle: Any, rng: np.random.Generator) -> Search:
        """Return the search of these settings, at its start.

        Args:
            puzzle: A puzzle that the algorithm `solves`: a `puzzles.Puzzle`, unless a subclass says otherwise.
            rng: The source of randomness.

        Raises:
            EvoError: The settings do not fit the puzzle.
        """

    @classmethod
    @abstractmethod
    def tiny(cls) -> list[Self]:
        """Return the smallest settings whose runs compile and touch everything that the algorithm has."""

    def warm_up(self) -> list[Self]:
        """Return small settings whose runs compile what a run of these settings needs; by default all of `tiny`."""
        return self.tiny()

    def notes(self) -> list[str]:
        """Return what a user should know before a run of these settings begins."""
        return []

    def check(self, puzzle: Any) -> None:
        """Refuse settings that do not fit a puzzle, without allocating much memory if that can be avoided.

        Raises:
            EvoError: They do not fit.
        """
        self.make_search(puzzle, np.random.default_rng(self.seed))


class PaperSettings(RunSettings):
    """The settings that the paper's algorithms have in common: GA, AIEA, MOEA, RAND and ES."""

    edges: Literal["all", "paper"] = "all"
    """Which inner edges count: all, as the paper describes, or those that its program seems to have counted: all but
    the horizontal ones of the last row and the vertical ones of the last column (docs/reproduction)."""


def make_search(puzzle: AnyPuzzle, settings: RunSettings, rng: np.random.Generator | None = None) -> Search:
    """Return the search of some settings, at its start.

    Args:
        puzzle: The puzzle to solve.
        settings: The algorithm and its settings.
        rng: The source of randomness; by default a new generator with the setting `seed`.

    Raises:
        ConfigError: The settings do not fit the puzzle.
    """
    check_kind(puzzle, settings)
    rng = np.random.default_rng(settings.seed) if rng is None else rng
    try:
        if getattr(settings, "islands", None) is not None:
            from evo.engine.islands import IslandSearch
            from evo.settings.islands import PopulationSettings

            assert isinstance(settings, PopulationSettings)
            return IslandSearch(puzzle, settings, rng)
        return settings.make_search(puzzle, rng)
    except ConfigError:
        raise
    except EvoError as error:
        raise ConfigError(f"{puzzle.name}: {error}") from None


def check_fits(puzzle: AnyPuzzle, settings: RunSettings) -> None:
    """Refuse settings that do not fit a puzzle.

    Raises:
        ConfigError: They do not fit.
    """
    check_kind(puzzle, settings)
    try:
        settings.check(puzzle)
    except ConfigError:
        raise
    except EvoError as error:
        raise ConfigError(f"{puzzle.name}: {error}") from None


def check_kind(puzzle: AnyPuzzle, settings: RunSettings) -> None:
    """Refuse a puzzle that is not of the kind that an algorithm solves.

    Raises:
        ConfigError: It is not.
    """
    if not settings.solves(puzzle):
        raise ConfigError(f"{puzzle.name}: {settings.algorithm} solves {settings.kind_of_puzzle}, which this is not")


def check_order(key: str, bounds: tuple[float, float]) -> None:
    """Refuse bounds of which the lower one is greater than the upper one."""
    if bounds[0] > bounds[1]:
        raise ValueError(f"{key}: the minimum, {bounds[0]}, is greater than the maximum, {bounds[1]}")


def check_generation(population: int, crossover: int, mutation: int, elite: int) -> None:
    """Refuse a generation whose parts do not add up to the population, or that never changes."""
    total = crossover + mutation + elite
    if total != population:
        raise ValueError(
            f"population: {population} is not crossover + mutation + elite ({crossover} + {mutation} + {elite} ="
            f" {total})"
        )
    if crossover + mutation == 0:
        raise ValueError("elite: a generation that is all elite never changes")
