"""A record as a study: what is kept of an experiment can be tabulated, compared and drawn like the experiment."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Literal

import pandas as pd

from evo.analysis.record import Recorded
from evo.analysis.study import BestBoard, Over, Study
from evo.experiments.frames import KEYS
from evo.experiments.rows import labelled, rows_of
from evo.experiments.trace import Point
from operators import score_text
from puzzles import Puzzle


class RecordStudy(Study):
    """The results of a record. It has convergence curves in place of traces, and no settings.

    Args:
        record: The record.
    """

    def __init__(self, record: Recorded) -> None:
        self.record = record
        self.stores = []
        self.runs = labelled(record.runs)
        self.settings = list(dict.fromkeys(row.setting for row in rows_of(self.runs)))
        self.curves = record.curves
        """The result of `plots.convergence.convergence_curves`."""
        self.trace = labelled(pd.DataFrame(columns=[*KEYS, *Point._fields]))
        self.fronts = labelled(pd.DataFrame(columns=[*KEYS, "score", "blocks", "complete"]))

    @property
    def name(self) -> str:
        """The name of the experiment."""
        return self.record.name

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        return self.record.puzzle

    @property
    def over(self) -> Over:
        """The measure over which the curves are."""
        return "seconds" if self.record.over == "seconds" else "evaluations"

    @property
    def edges(self) -> str:
        """Which edges count in the scores."""
        return self.record.edges

    def showing(self, rows: Collection[str]) -> RecordStudy:
        """Return the study of some rows only."""
        shown = super().showing(rows)
        assert isinstance(shown, RecordStudy)
        shown.curves = self.curves.merge(shown.runs[["setting", "init", "fitness"]].drop_duplicates())
        return shown

    def _beginnings(self) -> list[str]:
        begun = f"{datetime.fromisoformat(self.record.facts.begun):%Y-%m-%d %H:%M %Z}"
        return [f"The record of an experiment that was started on {begun} with seed {self.record.facts.seed}."]

    def row_settings(self) -> dict[str, dict[str, object]]:
        """Return nothing: a record does not keep the settings."""
        return {}

    def best(self) -> BestBoard:
        """Return the best board of the record."""
        return self._board_of(self.record.best)

    def best_boards(self) -> list[BestBoard]:
        """Return the best board of each algorithm, in descending order of scores."""
        best = self.record.table.groupby("algorithm")["score"].idxmax()
        ranked = sorted(best, key=lambda at: -int(self.record.table["score"][at]))
        return [self._board_of(int(at)) for at in ranked]

    def facts(self, name: Literal["versions", "machine"]) -> dict[str, str]:
        """Return the versions or the machine of the runs."""
        found = self.record.facts.versions if name == "versions" else self.record.facts.machine
        return dict(found)

    def _board_of(self, at: int) -> BestBoard:
        line = self.record.runs.iloc[at]
        board = self.record.boards[at]
        label = " ".join(part for part in (line["setting"], line["init"], line["fitness"]) if part)
        return BestBoard(f"{label}, run {line['run']}: {score_text(board, self.edges)}", board, self.record.links[at])
