"""The rows of an experiment: what a row is called, in which order rows are shown, and the scores of its runs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evo.experiments.labels import row_label
from evo.settings.paper import TABLE_2

Scores = NDArray[np.float64]
INITS = ("random", "knowledge")
FITNESSES = ("normal", "combined")
_SPENT = 0.9
"""A budget is spent up to a generation that does not fit into it any more."""


class Row(NamedTuple):
    """What the runs of a row have in common; init and fitness are "" where the algorithm has none."""

    setting: str
    init: str = ""
    fitness: str = ""

    @property
    def label(self) -> str:
        """The row as people read it, such as "GA_1 random combined"."""
        return row_label(*self)


PAPER_ROWS = [Row(result.setting, result.init or "", result.fitness or "") for result in TABLE_2]
"""The rows of Table II, in its order."""


def rows_of(runs: pd.DataFrame) -> list[Row]:
    """The rows that a frame of runs has: those of the paper in its order, then other settings as they come."""
    there = dict.fromkeys(Row(*names) for names in zip(*(runs[name] for name in Row._fields), strict=True))
    others = [row for row in there if row not in PAPER_ROWS]
    settings = list(dict.fromkeys(row.setting for row in others))
    others.sort(key=lambda row: (settings.index(row.setting), _place(row.init, INITS), _place(row.fitness, FITNESSES)))
    return [row for row in PAPER_ROWS if row in there] + others


def scores_of(runs: pd.DataFrame) -> dict[Row, Scores]:
    """The best scores of the runs that are done, by row, in the order of `rows_of`."""
    done = runs[runs["state"] == "done"]
    groups = {Row(*names): group for names, group in done.groupby(list(Row._fields), sort=False)["best_score"]}
    return {row: groups[row].to_numpy(np.float64) for row in rows_of(done)}


def early(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs that ended well before their evaluations were spent: out of time, or with nothing left to try."""
    return runs[(runs["state"] == "done") & (runs["evaluations"] < _SPENT * runs["budget"])]


def out_of_time(runs: pd.DataFrame) -> pd.DataFrame:
    """Those of `early` that ended because their seconds were over."""
    ended = early(runs)
    return ended[ended["seconds"] >= ended["seconds_limit"]]


def some_labels(rows: list[Row]) -> str:
    """The first rows by name, and how many more there are."""
    more = f" and {len(rows) - 2} more" if len(rows) > 2 else ""
    return ", ".join(row.label for row in rows[:2]) + more


def _place(name: str, order: tuple[str, ...]) -> int:
    return order.index(name) if name in order else len(order)
