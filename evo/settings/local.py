"""Settings of the local searches of Schaus and Deville. The paper gives no numbers: docs/vlns.md tells of these."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from evo.settings.base import Frozen, RunSettings, Share, check_order
from solvers.local.vlns_tabu import MOST_PENALTY

Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
Tenure = tuple[Annotated[int, Field(ge=0, le=1_000_000)], Annotated[int, Field(ge=0, le=1_000_000)]]


class CpSettings(Frozen):
    """Constraint programming for the initial board (section 5): some positions are relaxed, the rest is solved."""

    relaxed: Annotated[int, Field(ge=0, le=8192)] = 0
    """How many positions, chosen at random, no two of which touch, are left out, and then filled optimally."""
    solver: Literal["first_fail", "cp_sat"] = "first_fail"
    """Depth-first search with first fail, as in the paper; or OR-tools' CP-SAT (the extra `exact`), which also falls
    back to first fail when it does not finish."""
    nodes: Annotated[int, Field(ge=1, le=10**12)] = 50_000
    """How many nodes first fail may visit; then the deepest partial assignment is completed at random."""
    effort: Annotated[float, Field(gt=0, le=1_000_000)] = 30.0
    """How long CP-SAT may work, in its deterministic seconds, which are about as long as real ones."""


class _LocalSettings(RunSettings):
    init: Literal["random", "knowledge", "cp"] = "random"
    cp: CpSettings = CpSettings()
    """What `init = "cp"` means."""


class VLNS(_LocalSettings):
    """Tabu search in the very large neighbourhood (Algorithm 1); `solvers.VlnsTabu` says what each number is."""

    algorithm: Literal["VLNS"] = "VLNS"
    size: Annotated[int, Field(ge=1, le=8192)] = 32
    violated: Share = 0.9
    cell_tenure: Tenure = (0, 2)
    move_tenure: Tenure = (1, 10)
    penalty: Annotated[int, Field(ge=0, le=MOST_PENALTY)] = 4
    plateau: Count = 300
    shake: Annotated[int, Field(ge=1, le=1_000_000)] = 6
    patience: Count = 10
    intensifications: Count = 0

    @model_validator(mode="after")
    def _ordered(self) -> VLNS:
        check_order("cell_tenure", self.cell_tenure)
        check_order("move_tenure", self.move_tenure)
        if self.intensifications and not (self.patience and self.plateau):
            raise ValueError("intensifications: there are none without patience and plateau")
        return self


class TABU(_LocalSettings):
    """Plain tabu search on swap and rotate moves: the paper's second attempt, and the baseline."""

    algorithm: Literal["TABU"] = "TABU"
    tenure: Tenure = (1, 5)

    @model_validator(mode="after")
    def _ordered(self) -> TABU:
        check_order("tenure", self.tenure)
        return self
