"""Selections from a frame of runs: the scores of each row, and the runs that ended before their budget was spent."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evo.experiments.rows import Row, rows_of

Scores = NDArray[np.float64]
_SPENT = 0.9
"""The share of its budget that a run uses at least, unless it ends early: the last generation may not fit into it."""


def scores_of(runs: pd.DataFrame) -> dict[Row, Scores]:
    """Return the best scores of the completed runs of each row, in the order of rows."""
    done = runs[runs["state"] == "done"]
    groups = {Row(*names): group for names, group in done.groupby(list(Row._fields), sort=False)["best_score"]}
    return {row: groups[row].to_numpy(np.float64) for row in rows_of(done)}


def early(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the completed runs that ended well before their budget of evaluations was spent.

    Such a run reached its time limit or had nothing left to try.
    """
    return runs[(runs["state"] == "done") & (runs["evaluations"] < _SPENT * runs["budget"])]


def out_of_time(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the runs of `early` that ended because they reached their time limit."""
    ended = early(runs)
    return ended[ended["seconds"] >= ended["seconds_limit"]]
