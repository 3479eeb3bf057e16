"""Settings of the evolutionary algorithms: the paper's three, with its values as defaults, and a memetic one.

What the paper leaves open is a setting too; `docs/fidelity.md` tells how the defaults were chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from evo.settings import user_code
from evo.settings.base import Evaluations, PaperSettings, Share, Sizes, check_generation, check_order
from evo.settings.construction import BeamInit, SearchInit
from evo.settings.islands import IslandSettings, PopulationSettings
from evo.settings.messages import TAG
from evo.settings.mutations import (
    MUTATIONS,
    PAPER_MUTATIONS,
    MutationMixture,
    PrefixSettings,
    RebuildSettings,
    WellFormedSettings,
)
from evo.settings.regions import RegionInit
from evo.settings.repair import RepairSettings
from operators import PATHS

if TYPE_CHECKING:
    from puzzles import Puzzle
    from solvers import Search

Positive = Annotated[int, Field(ge=1, le=10_000_000)]
Difference = Annotated[int, Field(ge=0, le=65_535)]
MOST_DISTINCT = 100
"""The largest tournament without replacement, which has to remember the individuals that it has drawn."""


def _kind_of_init(value: Any) -> str:
    if isinstance(value, str):
        return TAG + ("code" if user_code.is_reference(value) else "name")
    kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
    return TAG + (kind if kind in ("regions", "search") else "beam")


def _kind_of_path(value: Any) -> str:
    return TAG + ("name" if isinstance(value, str) else "cells")


def _kind_of_mate(value: Any) -> str:
    return TAG + ("code" if user_code.is_reference(value) else "name")


def _kind_of_mutate(value: Any) -> str:
    return TAG + ("code" if isinstance(value, str) else "mixture")


OwnFunction = Annotated[str, AfterValidator(user_code.pinned)]
"""A reference to a function in a file of the user's own, such as "my_operators.py:well_formed"."""
Init = Annotated[
    Annotated[Literal["random", "knowledge", "search"], Tag(TAG + "name")]
    | Annotated[OwnFunction, Tag(TAG + "code")]
    | Annotated[BeamInit, Tag(TAG + "beam")]
    | Annotated[RegionInit, Tag(TAG + "regions")]
    | Annotated[SearchInit, Tag(TAG + "search")],
    Discriminator(_kind_of_init),
]
Mutate = Annotated[
    Annotated[OwnFunction, Tag(TAG + "code")] | Annotated[MutationMixture, Tag(TAG + "mixture")],
    Discriminator(_kind_of_mutate),
]
Mate = Annotated[
    Annotated[Literal["well_formed"], Tag(TAG + "name")] | Annotated[OwnFunction, Tag(TAG + "code")],
    Discriminator(_kind_of_mate),
]
Path = Annotated[
    Annotated[str, Tag(TAG + "name")] | Annotated[tuple[int, ...], Tag(TAG + "cells")],
    Discriminator(_kind_of_path),
]


class _Evolution(PopulationSettings, PaperSettings):
    population: Annotated[int, Field(ge=2, le=10_000_000)] = 10_000
    tournament: Positive = 3
    init: Init = "random"
    """How initial boards are made; a function of the user's own is (rng, sides, board) and fills the board."""
    path: Path = "zigzag"
    """Open in the paper: the path of initialisation with knowledge, and by search; a name, or every cell once."""
    framed: bool = True
    """Open in the paper: whether initialisation with knowledge, or by search, puts grey sides on the rim only."""
    mutation_sizes: Sizes = (1, 10)
    replacement: bool = True
    """Open in the paper: whether a tournament may draw the same individual more than once."""
    exchange: Literal["together", "size_first"] = "size_first"
    """Open in the paper: whether the size and the places of two regions are drawn together until they do not overlap,
    which favours small regions, or the size first, uniformly among those that fit, and then the places."""
    turns: Literal["any", "quarter"] = "any"
    """Open in the paper: whether a region is turned by one, two or three quarters, or always by one."""
    reported: Literal["best", "final"] = "best"
    """Open in the paper: whose score a run reports: that of the best board so far, or of the best one in the current,
    and so in the end the final, population."""
    repair: RepairSettings | None = None
    """Repair, which the paper proposes as future work; its own algorithms have none."""
    mutate: Mutate | None = None
    """How mutants are made: by a mixture of mutations, such as `{ exchange = 0.8, rotation = 0.2 }`, or by a mutation
    of the user's own, (rng, board). By default by region exchange or rotation, equally often, as in the paper."""

    selection: Literal["tournament", "lexicase"] = "tournament"
    """How parents, and individuals to mutate or to clone, are selected: by tournaments, or by lexicase selection over
    the scores of regions (docs/evolution.md)."""
    keep_frame: bool = False
    """Whether exchange, rotation and crossover keep a frame that is valid; the paper's need not."""
    apart: Difference = 0
    """Boards of like score that differ in fewer cells are near copies: a clone or a child can replace only the board of
    which it is one, and an elite has no two of them (docs/evolution.md). 0 lets near copies in."""
    like: Difference = 3
    """The greatest difference between like scores."""
    rebuild: RebuildSettings = RebuildSettings()
    """The mutation `rebuild`, if it is in the mixture."""
    prefix: PrefixSettings = PrefixSettings()
    """The mutation `prefix`, if it is in the mixture."""

    @model_validator(mode="after")
    def _fits_together(self) -> _Evolution:
        if self.tournament > self.population:
            raise ValueError(f"tournament: {self.tournament} individuals cannot be drawn from {self.population}")
        if not self.replacement and self.tournament > MOST_DISTINCT:
            raise ValueError(
                f"tournament: without replacement at most {MOST_DISTINCT} are drawn; found {self.tournament}"
            )
        if self.evaluations < self.population:
            raise ValueError(f"evaluations: {self.evaluations} do not suffice for a population of {self.population}")
        if isinstance(self.path, str) and self.path not in PATHS:
            raise ValueError(f"path: {self.path!r} is not one of {', '.join(PATHS)}")
        check_order("mutation_sizes", self.mutation_sizes)
        return self

    @property
    def mixture(self) -> MutationMixture:
        """The mixture of mutations; the paper's if there is none."""
        return self.mutate if isinstance(self.mutate, MutationMixture) else PAPER_MUTATIONS

    def make_search(self, puzzle: Puzzle, rng: np.random.Generator) -> Search:
        """Return the evolution of a population by these settings."""
        from evo.engine.evolution_search import EvolutionSearch
        from evo.engine.problem import make_problem

        return EvolutionSearch(make_problem(puzzle, self._whole()), rng)

    def check(self, puzzle: Puzzle) -> None:
        """Refuse settings that do not fit a puzzle; a search would allocate a whole population."""
        from evo.engine.problem import make_problem

        make_problem(puzzle, self._whole())

    def _whole(self) -> EvolutionSettings:
        assert isinstance(self, EvolutionSettings)
        return self

    def notes(self) -> list[str]:
        """Return whether an operator of the user's own makes the run slow."""
        from evo.engine.engines import slow_engine
        from evo.engine.problem import own_operators

        return [slow_engine(name) for name in own_operators(self._whole()).plain]

    def warm_up(self) -> list[Self]:
        """Return these settings with a population of four, one generation, and a repair of one move."""
        small: dict[str, Any] = {
            "prefix": self.prefix.model_copy(update={"width": 2}),
            "population": 4,
            "tournament": 2,
            "mutation_sizes": (1, 1),
            "evaluations": 20,
        }
        if self.repair is not None:
            few = {"moves": 1, "size": 2, "share": 1.0, "region": (2, 2), "limit": 20}
            small["repair"] = self.repair.model_copy(update=few)
        if isinstance(self.init, BeamInit):
            small["init"] = self.init.model_copy(update={"width": 1})
        if isinstance(self.init, RegionInit):
            small["init"] = self.init.small()
        if isinstance(self.init, SearchInit):
            small["init"] = SearchInit(nodes=20)
        return [self.model_copy(update=small | self._small_generation())]

    def _small_generation(self) -> dict[str, Any]:
        return {}

    @classmethod
    def tiny(cls) -> list[Self]:
        """Return settings with each kind of initialisation, of repair and of mutation."""
        kinds: list[dict[str, Any]] = [
            {"init": "random", "repair": RepairSettings()},
            {"init": "knowledge", "repair": RepairSettings(when="elite", share=0.5)},
            {"init": BeamInit(), "repair": RepairSettings(when="every 2 generations", cells="checkerboard")},
            {"init": RegionInit(), "repair": RepairSettings(kind="regions", when="elite", share=0.5)},
            {"init": SearchInit(), "mutate": MutationMixture(rebuild=1.0), "selection": "lexicase", "apart": 3}
            | ({} if cls is AIEA else {"mate": "well_formed"}),
            {
                "mutate": MutationMixture(**dict.fromkeys(MUTATIONS[:4], 0.1), rebuild=0.3, prefix=0.3),
                "keep_frame": True,
            },
        ]
        islands = {"islands": IslandSettings(count=2, every=5), "evaluations": 40}
        single = [one for kind in kinds for one in cls(**kind).warm_up()]
        return [*single, *(one.model_copy(update=islands) for one in single[:1])]


class _Generational(_Evolution):
    crossover: Annotated[int, Field(ge=0)] = 9_000
    mutation: Annotated[int, Field(ge=0)] = 999
    elite: Annotated[int, Field(ge=0)] = 1
    crossover_sizes: Sizes = (2, 8)
    refill: Literal["random", "kept"] = "random"
    """Open in the paper: whether tiles that fill a child's holes are turned at random or keep their rotation."""
    mutant_tournament: Positive = 2
    """Open in the paper: the size of the tournament that chooses whom to mutate; 1 is a uniform choice."""
    partner_tournament: Positive | None = None
    """Open in the paper: the size of the tournament that chooses the second parent, who gives the region; 1 is a
    uniform choice, and None the size of the first parent's tournament."""
    distinct_parents: bool = False
    """Open in the paper: whether the second parent is drawn again until it is another individual than the first."""
    mate: Mate | None = None
    """The crossover: `well_formed`, or one of the user's own, (rng, mother, father, child); by default the paper's."""
    well_formed: WellFormedSettings = WellFormedSettings()
    """The crossover `well_formed`, if it is used."""

    @model_validator(mode="after")
    def _adds_up(self) -> _Generational:
        if self.distinct_parents and self.selection == "lexicase":
            raise ValueError("distinct_parents: lexicase selection may find the same parent every time")
        check_generation(self.population, self.crossover, self.mutation, self.elite)
        if self.mutant_tournament > self.population:
            raise ValueError(f"mutant_tournament: {self.mutant_tournament} is more than the population")
        if self.partner_tournament is not None and self.partner_tournament > self.population:
            raise ValueError(f"partner_tournament: {self.partner_tournament} is more than the population")
        alike = self.tournament == (self.partner_tournament or self.tournament) == self.population
        if self.distinct_parents and not self.replacement and alike:
            raise ValueError("distinct_parents: a tournament of all has the same winner every time")
        check_order("crossover_sizes", self.crossover_sizes)
        return self

    def _small_generation(self) -> dict[str, Any]:
        sizes = {"crossover": 2, "mutation": 1, "elite": 1}
        tournaments = {"mutant_tournament": min(2, self.mutant_tournament), "partner_tournament": None}
        return sizes | tournaments | {"crossover_sizes": (1, 1)}


class GA(_Generational):
    """The genetic algorithm (section III-B)."""

    algorithm: Literal["GA"] = "GA"
    fitness: Literal["normal", "combined"] = "normal"


class MOEA(_Generational):
    """The multiobjective algorithm (section III-D). It compares individuals by dominance."""

    algorithm: Literal["MOEA"] = "MOEA"
    ties: Literal["distance", "first"] = "distance"
    """Open in the paper: which member of the front wins a tournament: the most distant, or the first one drawn."""
    mutation: Annotated[int, Field(ge=0)] = 990
    elite: Annotated[int, Field(ge=0)] = 10


class AIEA(_Evolution):
    """The artificial immune algorithm (section III-C)."""

    algorithm: Literal["AIEA"] = "AIEA"
    fitness: Literal["normal", "combined"] = "normal"
    fewest_mutations: Annotated[int, Field(ge=1, le=1000)] = 1
    """Open in the paper: the mutations of a clone of the fittest individual."""
    most_mutations: Annotated[int, Field(ge=1, le=1000)] = 50
    """Open in the paper: the mutations of a clone of the least fit individual."""

    @model_validator(mode="after")
    def _ordered(self) -> AIEA:
        if self.fewest_mutations > self.most_mutations:
            raise ValueError(f"fewest_mutations: {self.fewest_mutations} is more than most_mutations")
        return self


class MEMETIC(_Evolution):
    """A steady-state algorithm past the paper: it starts from searched boards and rebuilds regions of them."""

    algorithm: Literal["MEMETIC"] = "MEMETIC"
    evaluations: Evaluations = 1_000_000
    population: Annotated[int, Field(ge=2, le=1_000_000)] = 1_000
    tournament: Positive = 2
    fitness: Literal["normal", "combined"] = "normal"
    init: Init = "search"
    path: Path = "row"
    mutate: Mutate | None = MutationMixture(rebuild=1.0)
    crossover: Share = 0.0
    """The probability that a child has two parents; otherwise it is a mutated copy of one."""
    crossover_sizes: Sizes = (2, 6)
    mate: Mate | None = None
    """The crossover: `well_formed`, or one of the user's own, (rng, mother, father, child); by default the paper's."""
    well_formed: WellFormedSettings = WellFormedSettings()
    """The crossover `well_formed`, if it is used."""
    apart: Difference = 6
    """A child that differs in fewer cells from a board of like score can replace that board only; 0 for any child."""
    replaces: Literal["worst", "parent"] = "worst"
    """Whom a child replaces, if it is not less fit: the least fit individual, or its own parent."""
    patience: Annotated[int, Field(ge=0, le=1_000_000)] = 50
    """The population is made anew after this many children for each individual without a fitter one; 0 for never."""

    @model_validator(mode="after")
    def _is_steady(self) -> MEMETIC:
        check_order("crossover_sizes", self.crossover_sizes)
        if self.repair is not None and self.repair.kind == "regions" and self.repair.when == "offspring":
            raise ValueError("repair.when: children are not repaired by regions; use elite, or every 10 generations")
        return self


EvolutionSettings = GA | AIEA | MOEA | MEMETIC
