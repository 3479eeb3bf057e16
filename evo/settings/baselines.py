"""Settings of the searches that the paper compares evolution with: random search and exhaustive search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self

import numpy as np

from evo.settings.base import PaperSettings

if TYPE_CHECKING:
    from puzzles import Puzzle
    from solvers import Search


class RAND(PaperSettings):
    """Random search: every evaluation is a new random board."""

    algorithm: Literal["RAND"] = "RAND"

    def make_search(self, puzzle: Puzzle, rng: np.random.Generator) -> Search:
        """Return a random search."""
        from solvers import RandomSearch

        pins = puzzle.pinned_hints(self.pins)
        return RandomSearch(puzzle, rng, self.evaluations, pins=pins, edges=self.edges)

    @classmethod
    def tiny(cls) -> list[Self]:
        """Return settings of twelve boards."""
        return [cls(evaluations=12)]


class ES(PaperSettings):
    """Exhaustive search (section III-A)."""

    algorithm: Literal["ES"] = "ES"
    pins: Literal["none", "mandatory", "all"] = "mandatory"
    refill: bool = False
    """Open in the paper: whether the cells left blank at the end are filled with the remaining tiles."""

    def make_search(self, puzzle: Puzzle, rng: np.random.Generator) -> Search:
        """Return an exhaustive search; mandatory hints are pinned only where the puzzle has one."""
        from solvers import ExhaustiveSearch

        without = self.pins == "mandatory" and not any(hint.mandatory for hint in puzzle.hints)
        pins = () if without else puzzle.pinned_hints(self.pins)
        return ExhaustiveSearch(puzzle, rng, self.evaluations, pins=pins, refill=self.refill, edges=self.edges)

    @classmethod
    def tiny(cls) -> list[Self]:
        """Return settings of twelve dead ends, without and with refill."""
        return [cls(evaluations=12), cls(evaluations=12, refill=True)]
