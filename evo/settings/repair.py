"""Settings of repair: what becomes of individuals besides variation."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field, model_validator

from evo.settings.base import Frozen, Share

_EVERY = re.compile("every ([1-9][0-9]{0,8}) generations?")


class RepairSettings(Frozen):
    """Repair: moves that never make a board worse, in the very large neighbourhood (`docs/vlns.md`) or of regions."""

    kind: Literal["vlns", "regions"] = "vlns"
    """What a move does: it takes tiles out that do not touch and puts them back optimally; or it rearranges the tiles
    of a random rectangle optimally (`docs/matheuristics.md`)."""
    region: tuple[Annotated[int, Field(ge=1, le=256)], Annotated[int, Field(ge=1, le=256)]] = (3, 3)
    """The rows and columns of a rectangle."""
    limit: Annotated[int, Field(ge=1, le=10**9)] = 2_000
    """The number of tiles that the search for the best arrangement of a rectangle may lay."""
    cells: Literal["scattered", "checkerboard"] = "scattered"
    """Which tiles a move takes out: some that do not touch, or all on black or on white squares of the checkerboard."""
    size: Annotated[int, Field(ge=1, le=8192)] = 16
    """The number of scattered tiles that a move takes out."""
    violated: Share = 0.9
    """The probability that a tile is chosen among those with unmatched edges."""
    moves: Annotated[int, Field(ge=1, le=1_000_000)] = 20
    """The number of moves of one repair."""
    when: str = "offspring"
    """What is repaired: `offspring`, each child before it joins the population; `elite`, the fittest after each
    generation; `every k generations`, any individual after every k-th generation (AIEA: every k-th report)."""
    share: Share = 1.0
    """The probability that an individual is repaired; for `elite`, its share of the population, at least one."""

    @property
    def every(self) -> int:
        """The number of generations between two repairs of any individual; 0 if repair is not periodic."""
        found = _EVERY.fullmatch(self.when)
        return int(found[1]) if found else 0

    @model_validator(mode="after")
    def _is_known(self) -> RepairSettings:
        if self.when not in ("offspring", "elite") and not self.every:
            raise ValueError(f"repair.when: {self.when!r} is not one of offspring, elite, every 10 generations")
        if self.region[0] * self.region[1] > 256:
            raise ValueError(f"repair.region: expected at most 256 cells; found {self.region[0]}x{self.region[1]}")
        if self.when == "elite" and "share" not in self.model_fields_set:
            raise ValueError("repair.share: is missing; it sets the share of the population that is the elite")
        return self
