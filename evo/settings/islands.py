"""Settings of islands: several populations of one run, which exchange individuals from time to time."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from evo.settings.base import Evaluations, Frozen, RunSettings


class IslandSettings(Frozen):
    """How many islands a run has, and what they exchange."""

    count: Annotated[int, Field(ge=2, le=1024)]
    """The number of islands: each has a population of its own, and an equal part of the evaluations."""
    every: Evaluations
    """The number of evaluations of an island between two exchanges."""
    migrants: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    """The number of individuals that an island sends to each of its neighbours: copies of its fittest ones, which
    replace the least fit ones there."""
    topology: Literal["ring", "random", "complete"] = "ring"
    """Who sends to whom: each island to the next one; in a ring that is drawn anew each time; or each to all others."""

    @property
    def sources(self) -> int:
        """The number of islands from which each receives migrants."""
        return self.count - 1 if self.topology == "complete" else 1


class PopulationSettings(RunSettings):
    """The settings of algorithms that evolve a population, which may live on islands."""

    islands: IslandSettings | None = None
    """Islands; by default a run has one population. With worker processes or Dask, its islands work in parallel."""

    @model_validator(mode="after")
    def _islands_fit(self) -> PopulationSettings:
        how, size = self.islands, int(getattr(self, "population"))  # noqa: B009 - a field of every subclass
        if how is None:
            return self
        if self.evaluations // how.count < size:
            raise ValueError(
                f"islands.count: {self.evaluations} evaluations do not suffice for {how.count} populations of {size}"
            )
        if how.every < size:
            raise ValueError(f"islands.every: expected at least the population, {size}; found {how.every}")
        if how.migrants * how.sources >= size:
            raise ValueError(
                f"islands.migrants: {how.migrants * how.sources} individuals cannot come to a population of {size}"
            )
        return self
