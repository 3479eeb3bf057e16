"""How runs stand, in words: what status lines, progress bars and pages say about runs and numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evo.experiments.plan import Run
    from evo.experiments.store import Record


def count(number: float) -> str:
    """Return a large number in short form, such as "1.2 M"."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g} {letter}"
    return f"{number:.0f}"


def plural(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless the number is 1."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def duration(seconds: float) -> str:
    """Return a duration in short form, such as "12 s", "2:05 min" or "1:02:03"."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d} min"


def share(run: Run, record: Record) -> float:
    """Return the share of a run that is done, by the budget that will be spent first."""
    if record.state == "done":
        return 1.0
    if record.solutions >= 0:
        return record.tree_share
    by_time = record.seconds / run.seconds if run.seconds else 0.0
    return float(min(1.0, max(by_time, record.evaluations / run.settings["evaluations"])))


def scores(run: Run, record: Record) -> str:
    """Return the best score of a run, with that of all edges if not all count."""
    return f"{record.best_score}" + ("" if run.edges == "all" else f" ({record.true_score} of all edges)")


def outcome(run: Run, record: Record) -> str:
    """Return a line about how a run ended."""
    name = f"{run.label}, run {run.run}"
    if record.state == "failed":
        return f"{name}: failed: {record.error}"
    if record.best_score < 0:
        return f"{name}: {record.state} before its first result"
    reached = f"{scores(run, record)} after {record.evaluations:,} evaluations, {duration(record.seconds)}"
    return f"{name}: {reached}" if record.state == "done" else f"{name}: {record.state} at {reached}"
