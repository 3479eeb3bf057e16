"""The trace of a run: which reports become rows, and rows as lines of an append-only log.

There is a row at evaluation 1, at each improvement, periodically, and at the end. An improvement is dated by the report
that contains it: the end of a generation, or of 10,000 evaluations. Periodic rows are due after numbers of evaluations,
so that a trace does not depend on the speed of the machine or on interruptions; only its seconds do.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evo.errors import StoreError
from solvers import PopulationSearch, Progress, Search

GROWTH, SHARE = 10, 100
"""A row is due after a tenth more evaluations, or a hundredth of the budget, whichever comes first."""


class Point(NamedTuple):
    """A row of a trace."""

    evaluations: int
    seconds: float
    best: int
    mean: float
    worst: int
    diversity: float
    """The mean share of cells in which two individuals differ; NaN if there is no population."""

    def line(self) -> str:
        """Return the row as a line of the log."""
        seconds, mean, diversity = f"{self.seconds:.3f}", f"{self.mean:.4f}", f"{self.diversity:.5f}"
        return f"{self.evaluations},{seconds},{self.best},{mean},{self.worst},{diversity}\n"


HEADER = ",".join(Point._fields) + "\n"
WHOLE = ("evaluations", "best", "worst")
"""The columns of whole numbers."""
_WHOLE = [Point._fields.index(name) for name in WHOLE]


def point_of(search: Search | PopulationSearch | None, progress: Progress, seconds: float) -> Point:
    """Return the row of a report, with the diversity of the search's population if it has one."""
    diversity = search.diversity(progress.evaluations) if isinstance(search, PopulationSearch) else float("nan")
    return Point(progress.evaluations, seconds, progress.best_score, progress.mean, progress.worst, diversity)


class Recorder:
    """Decides which reports of a search become rows.

    Args:
        budget: The evaluations of the whole run.
        state: The state of an earlier recorder, to continue from there.
    """

    def __init__(self, budget: int, state: dict[str, Any] | None = None) -> None:
        self._budget = budget
        start = state or {"seen": 0, "best": -1, "due": 0, "written": 0}
        self._seen, self._best = int(start["seen"]), int(start["best"])
        self._due, self._written = int(start["due"]), int(start["written"])

    def state(self) -> dict[str, int]:
        """Return the state as plain values."""
        return {"seen": self._seen, "best": self._best, "due": self._due, "written": self._written}

    def is_new(self, progress: Progress) -> bool:
        """Return whether a report is new: a resumed search may repeat reports."""
        return progress.evaluations > self._seen

    def wants(self, progress: Progress) -> bool:
        """Return whether a new report becomes a row."""
        self._seen = progress.evaluations
        if progress.best_score <= self._best and progress.evaluations < self._due:
            return False
        self._note(progress)
        return True

    def wants_last(self, progress: Progress) -> bool:
        """Return whether the last report, if it has not become a row yet, becomes one."""
        if self._written == progress.evaluations:
            return False
        self._note(progress)
        return True

    def _note(self, progress: Progress) -> None:
        done = progress.evaluations
        self._best, self._written = progress.best_score, done
        if done >= self._due:
            self._due = done + max(1, min(done // GROWTH, self._budget // SHARE))


def parse_rows(text: str, *, falling: bool = False) -> NDArray[np.float64]:
    """Return the rows of a log as an array with the columns of `Point`; the arguments are those of `parse`.

    It takes a fifth of the time and of the memory.
    """
    whole = text[: text.rfind("\n") + 1]
    lines = whole[len(HEADER) :].split("\n")[:-1]
    columns = len(Point._fields)
    if whole.startswith(HEADER) and all(line.count(",") == columns - 1 for line in lines):
        with suppress(ValueError):
            rows = np.array(list(map(float, ",".join(lines).split(",") if lines else []))).reshape(-1, columns)
            counts = rows[:, _WHOLE]
            rising = np.diff(counts[:, 0]) > 0, falling or np.diff(counts[:, 1]) >= 0
            if np.all(counts == np.floor(counts)) and np.all(np.abs(counts) < 2**53) and all(map(np.all, rising)):
                return rows
    return np.array(parse(text, falling=falling), dtype=np.float64).reshape(-1, columns)


def parse(text: str, *, falling: bool = False) -> list[Point]:
    """Return the rows of a log. A truncated last line is ignored.

    Args:
        text: The log.
        falling: Whether the score may fall, as that of a run does that reports its current population.

    Raises:
        StoreError: Another line is not a row.
    """
    lines = text.split("\n")
    del lines[-1]  # what follows the last newline: nothing, or a truncated line
    if not lines:
        return []
    if lines[0] + "\n" != HEADER:
        raise StoreError("line 1: is not the header of a trace")
    points: list[Point] = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            evaluations, seconds, best, mean, worst, diversity = line.split(",")
            point = Point(int(evaluations), float(seconds), int(best), float(mean), int(worst), float(diversity))
        except ValueError:
            raise StoreError(f"line {number}: is not a row of a trace") from None
        if points and point.evaluations <= points[-1].evaluations:
            raise StoreError(f"line {number}: evaluations do not increase")
        if points and point.best < points[-1].best and not falling:
            raise StoreError(f"line {number}: the best score decreases")
        points.append(point)
    return points
