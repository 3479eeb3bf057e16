"""Settings of searches for all solutions (docs/enumeration.md). An evaluation is a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from evo.settings.base import Evaluations, RunSettings
from solvers.exact.pair_tables import PairOptions

if TYPE_CHECKING:
    from puzzles import Hint, Puzzle
    from solvers import Search

_PAIRS = PairOptions()
_Count = Annotated[int, Field(ge=0, le=10**9)]


class EnumerationSettings(RunSettings):
    """What all enumerators have: how many solutions they look for, and in which part of the tree."""

    evaluations: Evaluations = 10**15
    limit: _Count = 0
    """The number of solutions after which the search ends; 0 means all."""
    fix_corner: bool = False
    """Whether the corner piece with the lowest number stays at the top left: then a board is not found again in its
    other rotations."""
    part: _Count = 0
    """Which part of the tree is searched."""
    parts: Annotated[int, Field(ge=1, le=10**6)] = 1
    """The number of parts into which the tree is divided."""
    split: Annotated[int, Field(ge=1, le=10**9)] = 4
    """The level whose nodes are dealt to the parts in turn."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.part >= self.parts:
            raise ValueError(
                f"part: expected 0 to {self.parts - 1}, as there are {self.parts} parts; found {self.part}"
            )
        if self.fix_corner and self.pins != "none":
            raise ValueError("fix_corner: cannot be combined with pins, which fix the rotation already")
        return self

    def pinned(self, puzzle: Puzzle) -> tuple[Hint, ...]:
        """Return the hints that stay in place, the fixed corner included."""
        from solvers.exact.symmetry import corner_hint

        return (corner_hint(puzzle),) if self.fix_corner else puzzle.pinned_hints(self.pins)

    def _arguments(self, puzzle: Puzzle) -> dict[str, Any]:
        from solvers import Division

        division = Division(self.part, self.parts, self.split)
        return {"pins": self.pinned(puzzle), "limit": self.limit, "division": division}

    @classmethod
    def tiny(cls) -> list[Self]:
        """Return settings of twelve nodes."""
        small: dict[str, Any] = {"evaluations": 12}
        return [cls(**small)]


class BACKTRACKER(EnumerationSettings):
    """Row-major backtracking with sets of tiles in 64-bit words."""

    algorithm: Literal["BACKTRACKER"] = "BACKTRACKER"

    def make_search(self, puzzle: Puzzle, rng: np.random.Generator) -> Search:
        """Return a backtracker."""
        from solvers import Backtracker

        return Backtracker(puzzle, rng, self.evaluations, **self._arguments(puzzle))


class EDGE_FILTERING(EnumerationSettings):  # noqa: N801  # an algorithm's class has the algorithm's name
    """Search with arc consistency on the colours of edges."""

    algorithm: Literal["EDGE_FILTERING"] = "EDGE_FILTERING"

    def make_search(self, puzzle: Puzzle, rng: np.random.Generator) -> Search:
        """Return a search with edge filtering."""
        from solvers import EdgeFiltering

        return EdgeFiltering(puzzle, rng, self.evaluations, **self._arguments(puzzle))


class COLOUR_PAIRS(EnumerationSettings):  # noqa: N801  # an algorithm's class has the algorithm's name
    """Filtering by colour pairs (Benoist and Bourreau); `solvers.PairOptions` describes each component."""

    algorithm: Literal["COLOUR_PAIRS"] = "COLOUR_PAIRS"
    opposite: bool = _PAIRS.opposite
    preemption: bool = _PAIRS.preemption
    shared_edges: bool = _PAIRS.shared_edges
    patterns: bool = _PAIRS.patterns
    cycles: bool = _PAIRS.cycles
    backjumping: bool = _PAIRS.backjumping
    heuristic: Literal["MinOffer", "MinExpectedOffer", "MinExpectedGap", "MinExpectedRatio", "MaxExpectedFiltering"] = (
        "MinExpectedGap"
    )
    shaving: Annotated[int, Field(ge=0, le=10**6)] = _PAIRS.shaving

    def make_search(self, puzzle: Puzzle, rng: np.random.Generator) -> Search:
        """Return a search with colour pairs."""
        from solvers import ColourPairs

        options = PairOptions(**{name: getattr(self, name) for name in PairOptions._fields})
        return ColourPairs(puzzle, rng, self.evaluations, options=options, **self._arguments(puzzle))


class PORTFOLIO(EnumerationSettings):
    """The backtracker, for a short budget unless the frame has few colours, then edge filtering."""

    algorithm: Literal["PORTFOLIO"] = "PORTFOLIO"
    short: Annotated[int, Field(ge=0, le=10**15)] = 0
    """The largest number of nodes of the backtracker; 0: 20 million, or more where the frame has few colours."""

    @model_validator(mode="after")
    def _has_one_part(self) -> Self:
        if self.parts > 1:
            raise ValueError("parts: a portfolio cannot be divided; use EDGE_FILTERING or BACKTRACKER")
        return self

    def make_search(self, puzzle: Puzzle, rng: np.random.Generator) -> Search:
        """Return a portfolio of both."""
        from solvers import Portfolio

        pins = self.pinned(puzzle)
        return Portfolio(puzzle, rng, self.evaluations, short=self.short, pins=pins, limit=self.limit)

    @classmethod
    def tiny(cls) -> list[Self]:
        """Return settings of twelve nodes, some of either engine."""
        return [cls(evaluations=12, short=5)]
