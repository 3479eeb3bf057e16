"""Settings of the local searches of Schaus and Deville. Their paper gives no numbers; docs/vlns.md explains these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from pydantic import Discriminator, Field, Tag, model_validator

from evo.settings.base import Frozen, RunSettings, Share, check_order
from evo.settings.construction import BeamInit
from evo.settings.messages import TAG
from evo.settings.regions import RegionInit
from solvers.exact.cp_sat import DEFAULT_EFFORT
from solvers.exact.first_fail import DEFAULT_NODES
from solvers.local.multi_neighbourhood import MnlsOptions
from solvers.local.swap_tabu import DEFAULT_TENURE
from solvers.local.vlns_tabu import MOST_PENALTY, VlnsOptions

if TYPE_CHECKING:
    from puzzles import Puzzle
    from solvers import Search

Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
Tenure = tuple[Annotated[int, Field(ge=0, le=1_000_000)], Annotated[int, Field(ge=0, le=1_000_000)]]
_DEFAULT, _MNLS = VlnsOptions(), MnlsOptions()


class CpSettings(Frozen):
    """Constraint programming for the initial board (section 5): some positions are relaxed, the rest is solved."""

    relaxed: Annotated[int, Field(ge=0, le=8192)] = 0
    """The number of random, non-adjacent positions that are left out and then filled optimally."""
    solver: Literal["first_fail", "cp_sat"] = "first_fail"
    """Depth-first search with first fail, as in the paper; or CP-SAT of OR-tools (the extra `exact`), which falls back
    to first fail if it does not finish."""
    nodes: Annotated[int, Field(ge=1, le=10**12)] = DEFAULT_NODES
    """The number of nodes that first fail may visit; then the deepest partial assignment is completed at random."""
    effort: Annotated[float, Field(gt=0, le=1_000_000)] = DEFAULT_EFFORT
    """The time limit of CP-SAT in its deterministic seconds, which are about as long as real ones."""


def _kind_of_start(value: Any) -> str:
    if isinstance(value, BeamInit | RegionInit):
        return TAG + value.kind
    if isinstance(value, dict):
        return TAG + ("beam" if value.get("kind") == "beam" else "regions")
    return TAG + "name"


StartInit = Annotated[
    Annotated[Literal["random", "framed", "knowledge", "cp"], Tag(TAG + "name")]
    | Annotated[BeamInit, Tag(TAG + "beam")]
    | Annotated[RegionInit, Tag(TAG + "regions")],
    Discriminator(_kind_of_start),
]


class LocalSettings(RunSettings):
    """What the local searches have in common: how the initial board is made."""

    init: StartInit = "random"
    """At random, at random with every tile in a cell of its kind (framed), with knowledge, by constraint programming,
    by a beam, or region by region."""
    cp: CpSettings = CpSettings()
    """What `init = "cp"` means."""

    def warm_up(self) -> list[Self]:
        """Return these settings with twelve moves."""
        small: dict[str, Any] = {"evaluations": 12, "cp": self.cp.model_copy(update={"nodes": 2, "relaxed": 0})}
        if isinstance(self.init, BeamInit):
            small["init"] = self.init.model_copy(update={"width": 1})
        if isinstance(self.init, RegionInit):
            small["init"] = self.init.small()
        return [self.model_copy(update=small)]

    @classmethod
    def tiny(cls) -> list[Self]:
        """Return settings with each kind of initial board."""
        inits: list[dict[str, Any]] = [{"init": init} for init in ("random", "framed", "knowledge", "cp")]
        return [one for init in inits for one in cls(**init).warm_up()]


class VLNS(LocalSettings):
    """Tabu search in the very large neighbourhood (Algorithm 1); `solvers.VlnsOptions` describes each number."""

    algorithm: Literal["VLNS"] = "VLNS"
    size: Annotated[int, Field(ge=1, le=8192)] = _DEFAULT.size
    violated: Share = _DEFAULT.violated
    cell_tenure: Tenure = _DEFAULT.cell_tenure
    move_tenure: Tenure = _DEFAULT.move_tenure
    penalty: Annotated[int, Field(ge=0, le=MOST_PENALTY)] = _DEFAULT.penalty
    plateau: Count = _DEFAULT.plateau
    shake: Annotated[int, Field(ge=1, le=1_000_000)] = _DEFAULT.shake
    patience: Count = _DEFAULT.patience
    intensifications: Count = _DEFAULT.intensifications

    @model_validator(mode="after")
    def _ordered(self) -> VLNS:
        check_order("cell_tenure", self.cell_tenure)
        check_order("move_tenure", self.move_tenure)
        if self.intensifications and not (self.patience and self.plateau):
            raise ValueError("intensifications: need patience and plateau to be set as well")
        return self

    def make_search(self, puzzle: Puzzle, rng: np.random.Generator) -> Search:
        """Return a tabu search in the very large neighbourhood."""
        from evo.engine.initial_boards import start_of
        from solvers import VlnsOptions, VlnsTabu

        pins = puzzle.pinned_hints(self.pins)
        options = VlnsOptions(**{name: getattr(self, name) for name in VlnsOptions._fields})
        start = start_of(puzzle, self, pins)
        return VlnsTabu(puzzle, rng, self.evaluations, start=start, options=options, pins=pins)


class TABU(LocalSettings):
    """Plain tabu search on swap and rotate moves: the paper's second attempt, and the baseline."""

    algorithm: Literal["TABU"] = "TABU"
    tenure: Tenure = DEFAULT_TENURE

    @model_validator(mode="after")
    def _ordered(self) -> TABU:
        check_order("tenure", self.tenure)
        return self

    def make_search(self, puzzle: Puzzle, rng: np.random.Generator) -> Search:
        """Return a tabu search with swaps."""
        from evo.engine.initial_boards import start_of
        from solvers import SwapTabu

        pins = puzzle.pinned_hints(self.pins)
        start = start_of(puzzle, self, pins)
        return SwapTabu(puzzle, rng, self.evaluations, start=start, tenure=self.tenure, pins=pins)


class MNLS(LocalSettings):
    """Multi-neighbourhood local search of Salassa et al. (docs/matheuristics.md); a restart makes a new initial board.

    `solvers.local.multi_neighbourhood.MnlsOptions` describes each number.
    """

    algorithm: Literal["MNLS"] = "MNLS"
    sequence: Annotated[tuple[Literal["TA", "BO", "BW", "TSR", "RO", "RB"], ...], Field(min_length=1)] = (
        "TA",
        "BO",
        "BW",
        "TSR",
        "RO",
    )
    ta_size: Annotated[int, Field(ge=1, le=8192)] = _MNLS.ta_size
    ta_moves: Annotated[int, Field(ge=1, le=1_000_000_000)] = _MNLS.ta_moves
    violated: Share = _MNLS.violated
    ties: bool = _MNLS.ties
    region: tuple[Annotated[int, Field(ge=1, le=256)], Annotated[int, Field(ge=1, le=256)]] = _MNLS.region
    ro_moves: Annotated[int, Field(ge=1, le=1_000_000)] = _MNLS.ro_moves
    ro_limit: Annotated[int, Field(ge=1, le=10**12)] = _MNLS.ro_limit
    rb_moves: Annotated[int, Field(ge=1, le=1_000_000_000)] = _MNLS.rb_moves
    rb_cells: tuple[Annotated[int, Field(ge=2, le=64)], Annotated[int, Field(ge=2, le=64)]] = _MNLS.rb_cells
    rb_width: Annotated[int, Field(ge=1, le=1_000_000)] = _MNLS.rb_width
    patience: Count = _MNLS.patience
    border: Literal["compiled", "milp", "scip", "cp-sat"] = "compiled"
    """What rearranges borders: a search for rings, which proves those that nearly fit; or an integer program besides,
    for those that it does not prove, solved by HiGHS in scipy, or by SCIP or CP-SAT in OR-tools (the extra `exact`)."""
    border_seconds: Annotated[float, Field(gt=0, le=1_000_000)] = 60.0
    """The time limit of such an integer program; a run that meets it cannot be repeated exactly."""

    def make_search(self, puzzle: Puzzle, rng: np.random.Generator) -> Search:
        """Return a local search in several neighbourhoods."""
        from evo.engine.initial_boards import start_of
        from evo.engine.region_boards import border_of
        from solvers.local.multi_neighbourhood import MultiNeighbourhood

        pins = puzzle.pinned_hints(self.pins)
        options = MnlsOptions(**{name: getattr(self, name) for name in MnlsOptions._fields})
        start = start_of(puzzle, self, pins)
        border = border_of(puzzle, self, pins)
        return MultiNeighbourhood(puzzle, rng, self.evaluations, start=start, options=options, border=border, pins=pins)

    def warm_up(self) -> list[Self]:
        """Return these settings with a move in each neighbourhood."""
        moves = {"ta_moves": 2, "ro_moves": 1, "ro_limit": 20, "rb_moves": 1}
        small = {"evaluations": 12, **moves, "patience": min(1, self.patience)}
        return [one.model_copy(update=small) for one in super().warm_up()]

    @classmethod
    def tiny(cls) -> list[Self]:
        """Return settings with each kind of initial board."""
        inits: list[Any] = [BeamInit(), RegionInit(thrift=0.2), RegionInit(region=(2, 0))]
        return [*super().tiny(), *(one for init in inits for one in cls(init=init, patience=1).warm_up())]
