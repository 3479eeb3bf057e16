"""Settings of mutation: with which probability a mutant is made by which operator, and how operators rebuild."""

from __future__ import annotations

from math import fsum, isclose
from typing import Annotated

from pydantic import Field, model_validator

from evo.settings.base import Frozen, Share, check_order
from operators.paths import PATHS


class MutationMixture(Frozen):
    """The probability of each mutation; together they are 1. Each is a function `mutate_NAME` in a DEAP toolbox."""

    exchange: Share = 0.0
    """Two regions of the same size exchange their tiles (section III-B of the paper)."""
    rotation: Share = 0.0
    """A square region is rotated with its tiles (section III-B of the paper)."""
    directed_exchange: Share = 0.0
    """`exchange` of a region that contains a random unmatched cell with any other one."""
    directed_rotation: Share = 0.0
    """`rotation` of a region that contains a random unmatched cell."""
    rebuild: Share = 0.0
    """A region around an unmatched cell is emptied, and filled with its own tiles by a narrow beam."""
    prefix: Share = 0.0
    """The tiles of the first cells along a path are kept, and a beam builds the rest."""

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


_Cells = Annotated[int, Field(ge=2, le=64)]
_Width = Annotated[int, Field(ge=1, le=1_000_000)]


class RebuildSettings(Frozen):
    """How the mutation `rebuild` chooses and fills regions (docs/evolution.md)."""

    cells: tuple[_Cells, _Cells] = (6, 30)
    """The least and the greatest number of cells of a region."""
    width: _Width = 10
    """The number of states that the beam keeps."""
    rectangles: Share = 0.7
    """The probability that a region is a rectangle; the others are blobs that grow over unmatched cells."""

    @model_validator(mode="after")
    def _ordered(self) -> RebuildSettings:
        check_order("rebuild.cells", self.cells)
        return self


class PrefixSettings(Frozen):
    """How the mutation `prefix` builds the rest of a board (docs/evolution.md)."""

    kept: tuple[Share, Share] = (0.1, 0.7)
    """The least and the greatest share of a board that is kept."""
    width: _Width = 256
    """The number of states that the beam keeps."""
    path: str = "rows_columns"
    """The path along which boards are kept and built."""

    @model_validator(mode="after")
    def _fits_together(self) -> PrefixSettings:
        check_order("prefix.kept", self.kept)
        if self.path not in PATHS:
            raise ValueError(f"prefix.path: {self.path!r} is not one of {', '.join(PATHS)}")
        return self


class WellFormedSettings(Frozen):
    """How the crossover `well_formed` chooses the part of the father that it transplants (docs/evolution.md)."""

    components: Share = 1.0
    """The probability that parts are fully matched components of the father; otherwise they are rectangles."""
    tries: Annotated[int, Field(ge=1, le=1_000)] = 4
    """The number of parts of which the best is transplanted; all have sizes by `crossover_sizes`."""
