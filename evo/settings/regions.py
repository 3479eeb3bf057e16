"""Settings of constructors that solve a board region by region (docs/matheuristics.md), after Salassa et al."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field

from evo.settings.base import Evaluations, Frozen, RunSettings
from solvers.construct.greedy_regions import BeamOverRegions
from solvers.regions.strip_solver import StripOptions

if TYPE_CHECKING:
    from puzzles import Puzzle
    from solvers import Search

_Weight = Annotated[float, Field(ge=0, le=100)]
_Many = Annotated[int, Field(ge=1, le=1_000_000)]
_STRIP, _BEAM = StripOptions(), BeamOverRegions()


class RegionSettings(Frozen):
    """How a board is divided into regions, and how these are filled."""

    region: tuple[_Many, Annotated[int, Field(ge=0, le=1_000_000)]] = (1, 0)
    """The rows and columns of a region; 0 columns means whole rows. Regions are filled row by row; those at the end of
    the board may be smaller."""
    engine: Literal["compiled", "milp", "scip", "cp-sat"] = "compiled"
    """Compiled code, for regions of one or two rows or columns; or integer programs for all rectangles, solved by HiGHS
    in scipy, or by SCIP or CP-SAT in OR-tools (the extra `exact`)."""
    seconds: Annotated[float, Field(gt=0, le=1_000_000)] = 60.0
    """The time limit of an integer program. Compiled code has limits of nodes, with which runs can be repeated."""
    backtracks: Annotated[int, Field(ge=0, le=1_000_000_000)] = 0
    """Algorithm 2: the number of regions to solve without mismatches, with backtracking, before the rest is filled
    greedily. The paper limits the time instead. 0 means Algorithm 1."""
    backtrack_limit: Annotated[int, Field(ge=1, le=10**12)] = 30_000
    """The nodes of a search of Algorithm 2 for a strip without mismatches, after which it goes back as if there were
    none. Greedy fillings have the limit below."""
    width: _Many = _BEAM.width
    """The number of boards that a beam over regions keeps; 1 in the paper."""
    fillings: _Many = _BEAM.fillings
    """The number of optimal fillings of the next region that each of them is given; 1 in the paper."""
    concentration: _Weight = _BEAM.concentration
    """The weight of concentration in the choice of boards; see `solvers.construct.greedy_regions`."""
    thrift: _Weight = _STRIP.thrift
    """How strongly rare colours decide among optimal strips; see `solvers.regions.strip_solver`."""
    limit: Annotated[int, Field(ge=1, le=10**12)] = _STRIP.limit
    """The nodes of a search for a strip, after which it gives up proving that the strip is optimal."""

    def small(self) -> Self:
        """Return these settings with the least work that uses the same code."""
        few = {"width": min(2, self.width), "fillings": min(2, self.fillings), "backtracks": min(2, self.backtracks)}
        return self.model_copy(update=few)


class RegionInit(RegionSettings):
    """Initialisation region by region: every board is built on its own."""

    kind: Literal["regions"] = "regions"


class REGIONS(RunSettings):
    """Boards built region by region: Algorithms 1 and 2, and a beam over strips. An evaluation is a board."""

    algorithm: Literal["REGIONS"] = "REGIONS"
    evaluations: Evaluations = 1
    regions: RegionSettings = RegionSettings()

    def make_search(self, puzzle: Puzzle, rng: np.random.Generator) -> Search:
        """Return a search that builds boards region by region."""
        from evo.engine.region_boards import constructor_of
        from solvers.construct.region_search import RegionSearch

        pins = puzzle.pinned_hints(self.pins)
        construct = constructor_of(puzzle, self.regions, pins)
        return RegionSearch(puzzle, rng, self.evaluations, construct=construct, pins=pins)

    def warm_up(self) -> list[Self]:
        """Return these settings with two boards."""
        return [self.model_copy(update={"evaluations": 2, "regions": self.regions.small()})]

    @classmethod
    def tiny(cls) -> list[Self]:
        """Return settings of chains and ladders, greedy, with backtracking, and with a beam."""
        kinds: list[dict[str, Any]] = [
            {"backtracks": 5},
            {"region": (2, 0), "thrift": 0.3},
            {"region": (5, 2), "width": 2, "fillings": 2, "thrift": 0.2, "concentration": 0.1},
        ]
        return [cls(evaluations=3, regions=RegionSettings(**kind)) for kind in kinds]
