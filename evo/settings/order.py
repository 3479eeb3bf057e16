"""Settings of evolution on orders of tiles, which a decoder turns into boards (docs/evolution.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from pydantic import Discriminator, Field, Tag, model_validator

from evo.settings import user_code
from evo.settings.base import Evaluations, Share
from evo.settings.construction import check_orders
from evo.settings.evolution import OwnFunction
from evo.settings.islands import IslandSettings, PopulationSettings
from evo.settings.messages import TAG

if TYPE_CHECKING:
    from puzzles import Puzzle
    from solvers import Search


def _kind_of_decoder(value: Any) -> str:
    return TAG + ("code" if user_code.is_reference(value) else "name")


Decoder = Annotated[
    Annotated[Literal["first_fit", "search", "beam"], Tag(TAG + "name")] | Annotated[OwnFunction, Tag(TAG + "code")],
    Discriminator(_kind_of_decoder),
]


class ORDER(PopulationSettings):
    """Evolution of orders of tiles, which a decoder turns into boards. An evaluation is a decoded board."""

    algorithm: Literal["ORDER"] = "ORDER"
    evaluations: Evaluations = 100_000
    scheme: Literal["steady", "brkga", "random"] = "steady"
    """How orders evolve: one child at a time, which replaces the worst; in generations, as random keys with biased
    crossover; or not at all: every order is random."""
    population: Annotated[int, Field(ge=2, le=1_000_000)] = 100
    decoder: Decoder = "search"
    """What turns an order into a board: first fit along the path; a depth-first search along it, then first fit; a beam
    whose ties the order breaks; or a function of the user's own, (rng, sides, order, board)."""
    nodes: Annotated[int, Field(ge=1, le=10**9)] = 10_000
    """The number of tiles that the search of `decoder = "search"` may place."""
    width: Annotated[int, Field(ge=1, le=1_000_000)] = 32
    """The number of states that the beam of `decoder = "beam"` keeps."""
    path: str = "row"
    """The path along which boards are built."""
    mate: Literal["ordered", "partially_matched"] = "ordered"
    """The crossover of `scheme = "steady"`: DEAP's `cxOrdered` or `cxPartialyMatched`, compiled."""
    shuffle: Share = 0.005
    """The probability that a child's tile changes places with another one, as in DEAP's `mutShuffleIndexes`."""
    tournament: Annotated[int, Field(ge=1, le=1_000_000)] = 2
    """The size of the tournaments that choose the parents of `scheme = "steady"`."""
    elite: Share = 0.2
    """The share of a generation of `scheme = "brkga"` that is kept, and has one parent of every child."""
    mutants: Share = 0.1
    """The share of a generation of `scheme = "brkga"` that is random."""
    bias: Share = 0.7
    """The probability that a child of `scheme = "brkga"` takes a key from its parent of the elite."""

    @model_validator(mode="after")
    def _fits_together(self) -> ORDER:
        check_orders("path", (self.path,))
        if self.scheme != "steady" and self.mate != "ordered":
            raise ValueError(
                f"mate: {self.mate} is a crossover of permutations, which scheme = {self.scheme!r} does not cross over"
            )
        if self.tournament > self.population:
            raise ValueError(f"tournament: {self.tournament} individuals cannot be drawn from {self.population}")
        kept, new = self.generation
        if self.scheme == "brkga" and not (0 < kept < self.population and kept + new < self.population):
            raise ValueError(
                f"elite: of {self.population} individuals {kept} are kept and {new} are random; expected at least one "
                "that is kept, one that is not, and one child"
            )
        return self

    @property
    def generation(self) -> tuple[int, int]:
        """The numbers of individuals that a generation of `scheme = "brkga"` keeps, and makes at random."""
        return round(self.elite * self.population), round(self.mutants * self.population)

    def make_search(self, puzzle: Puzzle, rng: np.random.Generator) -> Search:
        """Return the evolution of a population of orders."""
        from evo.engine.order_search import OrderSearch

        return OrderSearch(puzzle, self, rng)

    def warm_up(self) -> list[Self]:
        """Return these settings with a population of five and two generations."""
        small = {"population": 5, "tournament": 2, "evaluations": 14, "nodes": 5, "width": 2}
        return [self.model_copy(update=small | {"elite": 0.2, "mutants": 0.2})]

    @classmethod
    def tiny(cls) -> list[Self]:
        """Return settings with each scheme, decoder and crossover."""
        kinds: list[dict[str, Any]] = [
            {},
            {"decoder": "first_fit", "mate": "partially_matched", "path": "spiral_in"},
            {"decoder": "beam", "scheme": "brkga"},
            {"scheme": "random"},
        ]
        islands = {"islands": IslandSettings(count=2, every=6), "evaluations": 28}
        single = [one for kind in kinds for one in cls(**kind).warm_up()]
        return [*single, *(one.model_copy(update=islands) for one in single[:1])]
