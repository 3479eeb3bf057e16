"""Settings of mutation: with which probability a mutant is made by which operator."""

from __future__ import annotations

from math import fsum, isclose

from pydantic import model_validator

from evo.settings.base import Frozen, Share


class MutationMixture(Frozen):
    """The probability of each mutation; together they are 1. Each is a function `mutate_NAME` in a DEAP toolbox."""

    exchange: Share = 0.0
    """Two regions of the same size exchange their tiles (section III-B of the paper)."""
    rotation: Share = 0.0
    """A square region is rotated with its tiles (section III-B of the paper)."""

    @model_validator(mode="after")
    def _adds_up(self) -> MutationMixture:
        total = fsum(self.shares.values())
        if not isclose(total, 1, abs_tol=1e-9):
            raise ValueError(f"mutate: the shares of a mixture add up to 1; found {round(total, 9):g}")
        return self

    @property
    def shares(self) -> dict[str, float]:
        """The share of every mutation, in the order of `MUTATIONS`."""
        return {name: getattr(self, name) for name in MUTATIONS}


MUTATIONS = tuple(MutationMixture.model_fields)
"""The names of the mutations; their order is that of the numbers in `evo.engine.mutations`."""
PAPER_MUTATIONS = MutationMixture(exchange=0.5, rotation=0.5)
"""The paper's: exchange or rotation, with equal probability."""
