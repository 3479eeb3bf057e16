"""The progress of a running experiment: bars in a terminal, plain lines in a pipe."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from evo.experiments.plan import Run
from evo.experiments.store import Record
from evo.experiments.words import count, duration, outcome, scores, share

_LINE_SECONDS = 30.0
"""How often the overall progress is printed to a pipe, in seconds."""


class Tally:
    """The overall progress of an experiment."""

    def __init__(self, records: list[tuple[Run, Record]]) -> None:
        self._shares = {run.id: share(run, record) for run, record in records}
        self._evaluations = {run.id: record.evaluations for run, record in records}
        self._done = sum(record.state == "done" for _, record in records)
        self._total = len(records)
        self._best, self._best_text = -1, ""
        for run, record in records:
            self._note_best(run, record)
        self._start, self._share_before = time.monotonic(), sum(self._shares.values())
        self._evaluations_before = sum(self._evaluations.values())

    def note(self, run: Run, record: Record) -> None:
        """Update the progress with the record of a run."""
        self._shares[run.id] = share(run, record)
        self._evaluations[run.id] = record.evaluations
        self._note_best(run, record)
        self._done += record.state == "done"

    def _note_best(self, run: Run, record: Record) -> None:
        if record.best_score > self._best:
            self._best, self._best_text = record.best_score, f"best {scores(run, record)}, "

    @property
    def share(self) -> float:
        """The share of the work that is done, from 0 to 1."""
        return sum(self._shares.values()) / self._total

    def __str__(self) -> str:
        elapsed = max(time.monotonic() - self._start, 1e-9)
        speed = (sum(self._evaluations.values()) - self._evaluations_before) / elapsed
        gained = sum(self._shares.values()) - self._share_before
        left = (
            f"{duration(elapsed / gained * self._total * (1 - self.share))} left"
            if gained > 0
            else "preparing; the first run compiles"
        )
        return f"{self._done}/{self._total} runs, {self._best_text}{count(max(speed, 0))}/s, {left}"


class Lines:
    """Plain lines on standard error: one for each run that ends, and now and then the overall progress."""

    def __init__(self, records: list[tuple[Run, Record]]) -> None:
        self._tally = Tally(records)
        self._told = time.monotonic()

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Do nothing: there is nothing to clean up."""

    def started(self, run: Run, record: Record) -> None:
        """Print nothing: a run is reported when it ends."""

    def advanced(self, run: Run, record: Record) -> None:
        """Print the overall progress if it was not printed recently."""
        self._tally.note(run, record)
        if time.monotonic() - self._told >= _LINE_SECONDS:
            self._told = time.monotonic()
            print(f"evo: {self._tally}", file=sys.stderr)

    def ended(self, run: Run, record: Record) -> None:
        """Print how a run ended."""
        self._tally.note(run, record)
        print(f"evo: {outcome(run, record)}", file=sys.stderr)


class Bars:
    """A bar for each active run and one for all runs, with the best score, the speed and the time left."""

    def __init__(self, records: list[tuple[Run, Record]]) -> None:
        self._tally = Tally(records)
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(24),
            TextColumn("{task.percentage:>3.0f}%  {task.fields[said]}", markup=False),
        )
        self._progress = Progress(*columns, console=Console(stderr=True))
        self._overall = self._progress.add_task("all", total=1.0, said=str(self._tally))
        self._bars: dict[str, TaskID] = {}

    def __enter__(self) -> Bars:
        self._progress.update(self._overall, completed=self._tally.share)
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._progress.stop()

    def started(self, run: Run, record: Record) -> None:
        """Show a bar for a run."""
        name = f"{run.label}, run {run.run}"
        self._bars[run.id] = self._progress.add_task(name, total=1.0, said="")
        self._show(run, record)

    def advanced(self, run: Run, record: Record) -> None:
        """Move the bars."""
        self._tally.note(run, record)
        self._show(run, record)

    def ended(self, run: Run, record: Record) -> None:
        """Replace the bar of a run by a line."""
        self._tally.note(run, record)
        self._progress.remove_task(self._bars.pop(run.id))
        self._progress.console.print(outcome(run, record), markup=False, highlight=False)
        self._progress.update(self._overall, completed=self._tally.share, said=str(self._tally))

    def _show(self, run: Run, record: Record) -> None:
        best = f"best {scores(run, record)}" if record.best_score >= 0 else "starting"
        speed = f", {count(record.evaluations / record.seconds)}/s" if record.seconds else ""
        self._progress.update(self._bars[run.id], completed=share(run, record), said=best + speed)
        self._progress.update(self._overall, completed=self._tally.share, said=str(self._tally))
