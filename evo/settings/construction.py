"""Settings of searches that build boards cell by cell: beam search and backtracking (docs/champion.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from evo.settings.base import Evaluations, Frozen, RunSettings, Share, Sizes, check_order
from evo.settings.islands import IslandSettings, PopulationSettings
from operators import PATHS
from solvers.construct.backtrack import BacktrackOptions
from solvers.construct.beam import BeamOptions

if TYPE_CHECKING:
    from puzzles import Puzzle
    from solvers import Search

_Weight = Annotated[float, Field(ge=0, le=100)]
_DEFAULT = BeamOptions()._asdict()
_RECORD = BacktrackOptions()._asdict()


class KeySettings(Frozen):
    """The key by which a beam ranks states, and its early width; `solvers.BeamOptions` describes each number."""

    early_width: Annotated[float, Field(gt=0, le=1)] = _DEFAULT["early_width"]
    early_part: Share = _DEFAULT["early_part"]
    concentration: _Weight = _DEFAULT["concentration"]
    exponent: Annotated[float, Field(ge=1, le=4)] = _DEFAULT["exponent"]
    border: _Weight = _DEFAULT["border"]
    noise: _Weight = _DEFAULT["noise"]
    none_fits: _Weight = _DEFAULT["none_fits"]
    one_fits: _Weight = _DEFAULT["one_fits"]
    late_rows: Annotated[float, Field(ge=0, le=65_535)] = _DEFAULT["late_rows"]
    completions: _Weight = _DEFAULT["completions"]
    along: _Weight = _DEFAULT["along"]
    across: _Weight = _DEFAULT["across"]


Orders = Annotated[tuple[str, ...], Field(min_length=1)]


class BeamInit(Frozen):
    """Initialisation by beam search: every board is built by a narrow beam of its own."""

    kind: Literal["beam"] = "beam"
    width: Annotated[int, Field(ge=1, le=1_000_000)] = 64
    orders: Orders = ("rows_columns", "row", "column", "zigzag")
    """The paths along which boards are built, with equal probability."""
    concentration: tuple[_Weight, _Weight] = (0.05, 0.2)
    """The range from which the weight of concentration of each board is drawn."""

    @model_validator(mode="after")
    def _fits_together(self) -> BeamInit:
        check_orders("init.orders", self.orders)
        check_order("init.concentration", self.concentration)
        return self


class SearchInit(Frozen):
    """Initialisation by a limited depth-first search, first fit, and assignment (docs/evolution.md)."""

    kind: Literal["search"] = "search"
    nodes: Annotated[int, Field(ge=0, le=1_000_000_000)] = 10_000
    """The number of tiles that the search for a board may lay; 0 means first fit alone."""


class BEAM(PopulationSettings):
    """A population search over boards built by beam search and rebuilt from parts. An evaluation is a board."""

    algorithm: Literal["BEAM"] = "BEAM"
    evaluations: Evaluations = 100
    width: Annotated[int, Field(ge=1, le=100_000_000)] = _DEFAULT["width"]
    """The number of states that a beam keeps after the early part."""
    orders: Orders = ("rows_columns",)
    """The paths along which boards are built, with equal probability."""
    key: KeySettings = KeySettings()
    population: Annotated[int, Field(ge=1, le=100_000)] = 4
    fresh: Share = 0.3
    """The probability that a board is built from scratch; 1 means independent restarts."""
    tournament: Annotated[int, Field(ge=1, le=100_000)] = 2
    """The number of boards drawn, with replacement; the best of them is rebuilt."""
    cut: tuple[Share, Share] = (0.1, 0.4)
    """The minimum and maximum share of a board that is kept when the rest is rebuilt."""
    region: Share = 0.0
    """The probability that a region is rebuilt and everything around it is kept."""
    region_cells: Sizes = (60, 120)
    """The minimum and maximum number of cells of a region."""

    @model_validator(mode="after")
    def _fits_together(self) -> BEAM:
        check_orders("orders", self.orders)
        check_order("cut", self.cut)
        check_order("region_cells", self.region_cells)
        return self

    @property
    def beam(self) -> BeamOptions:
        """How boards are built."""
        return BeamOptions(width=self.width, **self.key.model_dump())

    def make_search(self, puzzle: Puzzle, rng: np.random.Generator) -> Search:
        """Return a population search over constructions."""
        from evo.engine.beam_population import BeamPopulationSearch

        return BeamPopulationSearch(puzzle, self, rng)

    @classmethod
    def tiny(cls) -> list[Self]:
        """Return settings of three boards, whose parts and regions are built again."""
        small: dict[str, Any] = {"evaluations": 3, "width": 2, "population": 1, "fresh": 0.0, "region_cells": (1, 2)}
        islands = {"islands": IslandSettings(count=2, every=2), "evaluations": 8, "population": 2}
        return [cls(**small), cls(**small, region=1.0), cls(**small | islands)]


class BACKTRACK(RunSettings):
    """Depth-first search with a mismatch budget; see `solvers.BacktrackOptions`. An evaluation is a node."""

    algorithm: Literal["BACKTRACK"] = "BACKTRACK"
    evaluations: Evaluations = 1_000_000_000
    path: str = "blocks"
    mismatches: tuple[Share, ...] = _RECORD["mismatches"]
    favoured_border: Annotated[int, Field(ge=0, le=100)] = _RECORD["favoured_border"]
    favoured_inner: Annotated[int, Field(ge=0, le=100)] = _RECORD["favoured_inner"]
    favoured_sets: Annotated[int, Field(ge=1, le=100_000)] = _RECORD["favoured_sets"]
    quota: tuple[tuple[Share, Share], ...] = _RECORD["quota"]
    opening: Share = _RECORD["opening"]
    opening_nodes: Evaluations = _RECORD["opening_nodes"]

    @model_validator(mode="after")
    def _fits_together(self) -> BACKTRACK:
        check_orders("path", (self.path,))
        return self

    def make_search(self, puzzle: Puzzle, rng: np.random.Generator) -> Search:
        """Return a depth-first search."""
        from solvers import Backtrack

        options = BacktrackOptions(**{name: getattr(self, name) for name in _RECORD})
        pins = puzzle.pinned_hints(self.pins)
        return Backtrack(puzzle, rng, self.evaluations, options=options, path=self.path, pins=pins)

    @classmethod
    def tiny(cls) -> list[Self]:
        """Return settings of twelve nodes."""
        return [cls(evaluations=12)]


def check_orders(key: str, orders: tuple[str, ...]) -> None:
    """Refuse the name of a path that does not exist."""
    for order in orders:
        if order not in PATHS:
            raise ValueError(f"{key}: {order!r} is not one of {', '.join(PATHS)}")
