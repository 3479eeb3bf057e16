"""The view that a reader has chosen: what the switches of the page say, read from the address of a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol
from urllib.parse import urlencode

from evo.analysis.comparison import By
from evo.analysis.study import Over

BYS: dict[By, str] = {"fitness": "fitness", "init": "initialisation", "setting": "setting"}
"""What rows can be compared by, and its name on the page."""


class Query(Protocol):
    """The part of an address after the question mark."""

    def get(self, key: str, default: str, /) -> str:
        """Return the last value of a key."""

    def getlist(self, key: str) -> list[str]:
        """Return all values of a key."""


@dataclass(frozen=True)
class View:
    """What a reader wants to see of an experiment. Everything unknown in an address is ignored."""

    over: Over = "evaluations"
    scale: Literal["logarithmic", "linear"] = "logarithmic"
    by: By = "setting"
    rows: tuple[int, ...] | None = None
    """The rows to be shown, by their position; None for all."""
    numbers: bool = False
    mismatches: bool = True
    hints: bool = False

    @classmethod
    def of(cls, query: Query, over: Over, by: By) -> View:
        """Return the view that an address asks for.

        Args:
            query: The part of the address after the question mark.
            over: The x axis if the address does not name one.
            by: What is compared if the address does not say it.
        """
        chosen = query.get("over", over)
        compared = query.get("by", by)
        rows = tuple(sorted({int(row) for row in query.getlist("row") if row.isascii() and row.isdigit()}))
        switched = query.get("switched", "") == "yes"  # a box that is not ticked does not occur in an address
        return cls(
            over="seconds" if chosen == "seconds" else "evaluations",
            scale="linear" if query.get("scale", "") == "linear" else "logarithmic",
            by=compared if compared in BYS else by,
            rows=rows if switched and "all" not in query.getlist("row") else None,
            numbers=query.get("numbers", "") == "yes",
            mismatches=query.get("mismatches", "" if switched else "yes") == "yes",
            hints=query.get("hints", "") == "yes",
        )

    def shows(self, row: int) -> bool:
        """Return whether the row at a position is shown."""
        return self.rows is None or row in self.rows

    def query(self, **more: str) -> str:
        """Return the view as the part of an address after the question mark.

        Args:
            more: Further keys and values.
        """
        ticked = {name: "yes" for name in ("numbers", "mismatches", "hints") if getattr(self, name)}
        keys: Mapping[str, str] = {"over": self.over, "scale": self.scale, "by": self.by, **ticked, **more}
        rows = ["all"] if self.rows is None else list(map(str, self.rows))
        return urlencode([*keys.items(), ("switched", "yes"), *(("row", row) for row in rows)])
