"""What all settings have in common."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Share = Annotated[float, Field(ge=0, le=1)]
Sizes = tuple[Annotated[int, Field(ge=1, le=16383)], Annotated[int, Field(ge=1, le=16383)]]


class Frozen(BaseModel):
    """Values that are checked strictly and never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class RunSettings(Frozen):
    """What a run of every algorithm has."""

    evaluations: Annotated[int, Field(ge=1, le=10**15)] = 50_000_000
    """The budget: how many times a fitness may be worked out."""
    seed: Annotated[int, Field(ge=0)] = 1
    pins: Literal["none", "mandatory", "all"] = "none"
    """Which of the puzzle's hints stay where they belong. The paper's evolutionary algorithms use none."""


def check_order(key: str, bounds: tuple[int, int]) -> None:
    """Refuse bounds whose least is more than their greatest."""
    if bounds[0] > bounds[1]:
        raise ValueError(f"{key}: the least, {bounds[0]}, is more than the greatest, {bounds[1]}")
