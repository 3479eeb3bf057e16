"""A study: the frames of one experiment, and what tables, reports and pictures say about them."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import pandas as pd

from evo.analysis.comparison import By, compare, notes
from evo.analysis.conclusions import Conclusion, conclusions
from evo.analysis.equal_seconds import after_seconds, notes_after
from evo.analysis.external_results import add_foreign
from evo.analysis.summary import beside_paper, counting_note, is_papers, paper_table, summary
from evo.errors import ConfigError
from evo.experiments.frames import fronts, results, traces
from evo.experiments.rows import Row, labelled, rows_of
from evo.experiments.store import Store
from operators import edge_count, score_text

if TYPE_CHECKING:
    from evo.experiments.plan import Run
    from evo.experiments.store import Record
    from puzzles import Board

Over = Literal["evaluations", "seconds"]
"""The measure of progress: a column of the trace."""


class BestBoard(NamedTuple):
    """The best board of some runs."""

    caption: str
    board: Board
    url: str


class Study:
    """The results of an experiment, ready to be tabulated, compared and drawn.

    All frames are sorted by row and have the columns label and short_label.

    Args:
        directory: The directory of the experiment.

    Raises:
        StoreError: The directory does not hold an experiment, or the experiment is damaged.
    """

    def __init__(self, directory: str | Path) -> None:
        self.store = Store(directory)
        self.runs = labelled(results(directory))
        """One line per run."""

    @cached_property
    def trace(self) -> pd.DataFrame:
        """One line per trace point."""
        return labelled(traces(self.store.path))

    @cached_property
    def fronts(self) -> pd.DataFrame:
        """One line per non-dominated triple of objectives of each run."""
        return labelled(fronts(self.store.path))

    @property
    def settings(self) -> list[str]:
        """The names of the settings, in the order of rows."""
        return list(dict.fromkeys(row.setting for row in rows_of(self.runs)))

    @property
    def over(self) -> Over:
        """The measure over which the runs should be shown: seconds if any run has a time limit."""
        return "seconds" if any(run.seconds is not None for run in self.store.runs) else "evaluations"

    @property
    def edges(self) -> str:
        """Which edges count in the scores."""
        return self.store.edges

    @cached_property
    def paper(self) -> pd.DataFrame | None:
        """The paper's results if the puzzle is the paper's, otherwise None."""
        return paper_table() if is_papers(self.store.puzzle) else None

    def comparable_trace(self, over: Over = "evaluations") -> pd.DataFrame:
        """Return the trace points that can be shown together in one picture over evaluations or seconds."""
        return comparable(self.trace, self.runs, over)

    def compare(
        self, by: By, *, foreign: str | Path | None = None, seconds: float | None = None
    ) -> tuple[pd.DataFrame, list[str]]:
        """Compare the rows of the experiment, as `evo.analysis.compare` does.

        Args:
            by: The property in which the two sides of a comparison differ.
            foreign: A CSV file with runs of other programs, which take part in the comparison.
            seconds: Compare the best scores after this many seconds of computing, not the final ones.

        Returns:
            The comparison, and notes that a reader needs to interpret it.

        Raises:
            ConfigError: There is nothing to compare, or the CSV file is wrong.
        """
        runs = self.runs
        if foreign is not None:
            runs = labelled(add_foreign(runs, foreign, edge_count(self.store.puzzle.shape, self.edges)))
        if seconds is None:
            return compare(runs, by), notes(runs)
        said = notes_after(runs, self.trace, seconds)
        runs = after_seconds(runs, self.trace, seconds)
        judged = rows_of(runs)
        if len(judged) < 2:
            why = "; ".join([f"only {judged[0].label} can be judged after {seconds:g} seconds", *said])
            raise ConfigError(f"there is nothing to compare: {why}")
        return compare(runs, by), said

    def summary(self) -> pd.DataFrame:
        """Return the summary of the rows, with the row's label first; without the paper's columns if they are empty."""
        table = summary(self.runs, self.paper)
        table.insert(0, "row", [row.label for row in rows_of(self.runs)])
        dropped = list(Row._fields)
        if self.edges == "all":
            dropped += ["true_max", "true_mean"]
        if self.paper is None:
            dropped += [name for name in table if name.startswith("paper")] + ["difference"]
        return table.drop(columns=dropped)

    def notes(self) -> list[str]:
        """Return what a reader of the summary needs to know, one sentence each."""
        said = [f"{note[0].upper()}{note[1:]}." for note in notes(self.runs)]
        if self.edges != "all":
            said.append(counting_note(self.store.puzzle, self.edges))
        if self.paper is not None:
            said.append(beside_paper(self.runs))
        started = f"{datetime.fromisoformat(self.store.created):%Y-%m-%d %H:%M %Z}"
        return [f"The experiment was started on {started} with seed {self.store.seed}.", *said]

    def conclusions(self) -> list[Conclusion]:
        """Return the tests of the paper's conclusions, or nothing if the puzzle is not the paper's."""
        return conclusions(self.runs) if self.paper is not None else []

    def row_settings(self) -> dict[str, dict[str, object]]:
        """Return the settings of each row, by the label of the row."""
        first = {Row(run.setting, run.init, run.fitness): run for run in self.store.runs if run.run == 1}
        found = {}
        for row in rows_of(self.runs):
            limit = {} if first[row].seconds is None else {"seconds": first[row].seconds}
            found[row.label] = {key: value for key, value in first[row].settings.items() if key != "seed"} | limit
        return found

    def best(self) -> BestBoard:
        """Return the best board of the experiment.

        Raises:
            ConfigError: No run has a board yet.
        """
        found = self._best_board(*max(self.store.records(), key=lambda pair: pair[1].best_score))
        if found is None:
            raise ConfigError(f"{self.store.path}: no run has a board yet")
        return found

    def best_boards(self) -> list[BestBoard]:
        """Return the best board of each algorithm, in descending order of scores."""
        best: dict[str, tuple[Run, Record]] = {}
        for run, record in self.store.records():
            if record.best_score > (best[run.algorithm][1].best_score if run.algorithm in best else -1):
                best[run.algorithm] = run, record
        ranked = sorted(best.values(), key=lambda pair: -pair[1].best_score)
        return [found for pair in ranked if (found := self._best_board(*pair)) is not None]

    def facts(self, name: Literal["versions", "machine"]) -> dict[str, str]:
        """Return the versions or the machine of the runs; values that differ between runs are joined by commas."""
        found: dict[str, dict[str, None]] = {}
        for _, record in self.store.records():
            for key, value in getattr(record, name).items():
                found.setdefault(key, {})[str(value)] = None
        return {key.replace("_", " "): ", ".join(values) for key, values in found.items()}

    def _best_board(self, run: Run, record: Record) -> BestBoard | None:
        board = self.store.board(run)
        if board is None:
            return None
        caption = f"{run.label}, run {run.run}: {score_text(board, run.edges)}"
        return BestBoard(caption, board, record.board_url)


def comparable(trace: pd.DataFrame, runs: pd.DataFrame, over: Over = "evaluations") -> pd.DataFrame:
    """Return the trace points that can be shown together in one picture.

    A run that has just started would misrepresent its row. If some runs of a row are done, only those count; otherwise
    the traces of its runs are cut where the slowest of them is.

    Args:
        trace: One line per trace point.
        runs: One line per run.
        over: The measure of progress by which traces are cut.
    """
    keys = list(Row._fields)
    points = trace.merge(runs[[*keys, "run", "state", over]], on=[*keys, "run"], suffixes=("", "_made"))
    done = points["state"] == "done"
    some_done = done.groupby([points[key] for key in keys]).transform("any")
    reached = points.groupby(keys)[f"{over}_made"].transform("min")
    kept = done | (~some_done & (points[over] <= reached))
    return points.loc[kept, list(trace.columns)]
