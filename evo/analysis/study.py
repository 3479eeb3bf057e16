"""A study: the frames of one or several experiments, and what tables, reports and pictures say about them."""

from __future__ import annotations

import copy
from collections.abc import Collection, Sequence
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
from evo.experiments.several import Source, experiment_names, opened, shown_settings
from operators import most_score, score_text

if TYPE_CHECKING:
    from evo.experiments.plan import Run
    from evo.experiments.store import Record, Store
    from puzzles.protocols import AnyBoard, AnyPuzzle

Over = Literal["evaluations", "seconds"]
"""The measure of progress: a column of the trace."""


class BestBoard(NamedTuple):
    """The best board of some runs."""

    caption: str
    board: AnyBoard
    url: str


class Study:
    """The results of an experiment, or of several side by side, ready to be tabulated, compared and drawn.

    All frames are sorted by row and have the columns label and short_label.

    Args:
        source: The directory of an experiment, or several of them.

    Raises:
        StoreError: A directory does not hold an experiment, or the experiment is damaged.
        ConfigError: The experiments cannot be put side by side.
    """

    def __init__(self, source: Source | Sequence[Source]) -> None:
        self.stores = opened(source)
        self.runs = labelled(results(self.stores))
        """One line per run."""
        self.settings = list(dict.fromkeys(row.setting for row in rows_of(self.runs)))
        """The names of the settings, in the order of rows."""

    @property
    def store(self) -> Store:
        """The experiment, or the first of several."""
        return self.stores[0]

    @property
    def name(self) -> str:
        """The name of the experiment; those of several are joined."""
        return " and ".join(experiment_names(self.stores))

    @property
    def puzzle(self) -> AnyPuzzle:
        """The puzzle, which is the same in all experiments."""
        return self.store.puzzle

    @cached_property
    def trace(self) -> pd.DataFrame:
        """One line per trace point."""
        return labelled(traces(self.stores))

    @cached_property
    def fronts(self) -> pd.DataFrame:
        """One line per non-dominated triple of objectives of each run."""
        return labelled(fronts(self.stores))

    @property
    def over(self) -> Over:
        """The measure over which the runs should be shown: seconds if any run has a time limit."""
        return (
            "seconds" if any(run.seconds is not None for store in self.stores for run in store.runs) else "evaluations"
        )

    @property
    def edges(self) -> str:
        """Which edges count in the scores."""
        return self.store.edges

    def showing(self, rows: Collection[str]) -> Study:
        """Return the study of some rows only, whose settings keep their looks in pictures.

        Args:
            rows: The labels of the rows.
        """
        shown = copy.copy(self)
        for name in ("runs", "trace", "fronts"):
            frame = getattr(self, name)
            setattr(shown, name, frame[frame["label"].isin(rows)].reset_index(drop=True))
        return shown

    @cached_property
    def paper(self) -> pd.DataFrame | None:
        """The paper's results if the puzzle is the paper's, otherwise None."""
        return paper_table() if is_papers(self.puzzle) else None

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
            runs = labelled(add_foreign(runs, foreign, most_score(self.puzzle, self.edges)))
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
            said.append(counting_note(self.puzzle, self.edges))
        if self.paper is not None:
            said.append(beside_paper(self.runs))
        return [*self._beginnings(), *said]

    def _beginnings(self) -> list[str]:
        """Return when each experiment was started, one sentence each."""
        names = experiment_names(self.stores) if len(self.stores) > 1 else ["The experiment"]
        begun = [f"{datetime.fromisoformat(store.created):%Y-%m-%d %H:%M %Z}" for store in self.stores]
        return [
            f"{name} was started on {when} with seed {store.seed}."
            for name, when, store in zip(names, begun, self.stores, strict=True)
        ]

    def conclusions(self) -> list[Conclusion]:
        """Return the tests of the paper's conclusions, or nothing if the puzzle is not the paper's."""
        return conclusions(self.runs) if self.paper is not None else []

    def row_settings(self) -> dict[str, dict[str, object]]:
        """Return the settings of each row, by the label of the row."""
        first = {
            Row(shown[run.setting], run.init, run.fitness): run
            for store, shown in zip(self.stores, shown_settings(self.stores), strict=True)
            for run in store.runs
            if run.run == 1
        }
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
        store, run, record = max(self._records(), key=lambda found: found[2].best_score)
        best = self._best_board(store, run, record)
        if best is None:
            raise ConfigError(f"{store.path}: no run has a board yet")
        return best

    def best_boards(self) -> list[BestBoard]:
        """Return the best board of each algorithm, in descending order of scores."""
        best: dict[str, tuple[Store, Run, Record]] = {}
        for store, run, record in self._records():
            if record.best_score > (best[run.algorithm][2].best_score if run.algorithm in best else -1):
                best[run.algorithm] = store, run, record
        ranked = sorted(best.values(), key=lambda found: -found[2].best_score)
        return [board for found in ranked if (board := self._best_board(*found)) is not None]

    def facts(self, name: Literal["versions", "machine"]) -> dict[str, str]:
        """Return the versions or the machine of the runs; values that differ between runs are joined by commas."""
        found: dict[str, dict[str, None]] = {}
        for _, _, record in self._records():
            for key, value in getattr(record, name).items():
                found.setdefault(key, {})[str(value)] = None
        return {key.replace("_", " "): ", ".join(values) for key, values in found.items()}

    def heartbeats(self) -> dict[tuple[str, int], str]:
        """Return the time of the last sign of life of each run that is running, by the label of its row and number."""
        return {
            (Row(shown[run.setting], run.init, run.fitness).label, run.run): record.heartbeat
            for store, shown in zip(self.stores, shown_settings(self.stores), strict=True)
            for run, record in store.records()
            if record.state == "running"
        }

    def _records(self) -> list[tuple[Store, Run, Record]]:
        return [(store, run, record) for store in self.stores for run, record in store.records()]

    def _best_board(self, store: Store, run: Run, record: Record) -> BestBoard | None:
        board = store.board(run)
        if board is None:
            return None
        label = run.label if len(self.stores) == 1 else f"{run.label} of {store.name}"
        caption = f"{label}, run {run.run}: {score_text(board, run.edges)}"
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
    made = runs[[*keys, "run", "state", over]].astype({key: trace[key].dtype for key in keys})
    points = trace.merge(made, on=[*keys, "run"], suffixes=("", "_made"))
    done = points["state"] == "done"
    some_done = done.groupby([points[key] for key in keys], observed=True).transform("any")
    reached = points.groupby(keys, observed=True)[f"{over}_made"].transform("min")
    kept = done | (~some_done & (points[over] <= reached))
    return points.loc[kept, list(trace.columns)]
