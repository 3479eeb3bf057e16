"""The summary of an experiment, a line per row, beside the figures that the paper prints."""

from __future__ import annotations

import numpy as np
import pandas as pd

from evo.analysis.runs import early
from evo.experiments.rows import Row, rows_of
from evo.settings.paper import TABLE_2
from puzzles import Puzzle, load

_COLUMNS = [
    *Row._fields,
    *("runs", "done", "max", "min", "mean", "deviation", "evaluations", "seconds"),
    *("paper_max", "paper_min", "paper_mean", "paper_deviation", "difference"),
]

PAPER_BUDGET = 50_000_000
"""The evaluations of every run of Table II."""


def paper_table() -> pd.DataFrame:
    """Table II as a frame, with "" where an algorithm has no init or no fitness."""
    return pd.DataFrame(TABLE_2).fillna({"init": "", "fitness": ""})


def is_papers(puzzle: Puzzle) -> bool:
    """Whether a puzzle is the paper's, so that its figures can stand beside the results."""
    tiles = load("eternity2").tiles
    return puzzle.tiles.shape == tiles.shape and bool((puzzle.tiles == tiles).all())


def beside_paper(runs: pd.DataFrame) -> str:
    """What to know when the paper's figures stand beside those of runs."""
    ended_early = early(runs)
    made = sorted((ended_early["evaluations"] if len(ended_early) else runs["budget"]).unique())
    here = f"{made[0]:,}" if len(made) == 1 else f"{made[0]:,} to {made[-1]:,}"
    also = ", as here" if made == [PAPER_BUDGET] else f"; here a run {'made' if len(ended_early) else 'has'} {here}"
    return f"The paper's figures are of 10 runs of {PAPER_BUDGET:,} evaluations{also}."


def summary(runs: pd.DataFrame, paper: pd.DataFrame | None = None) -> pd.DataFrame:
    """What came out of each row: only runs that are done enter its figures.

    The deviation divides by the number of runs, not by one less, because the paper's does: all of its 30 printed
    deviations are possible for ten whole numbers with the printed mean if so, and only 12 otherwise.

    Args:
        runs: One row per run.
        paper: Table II as `paper_table` gives it, or None where the paper's figures are not to be shown.

    Returns:
        A line per setting, init and fitness, the paper's first and in its order: how many runs there are and are done;
        the greatest, least and mean best score and its deviation; the median of evaluations and seconds; the paper's
        four figures, and how far the mean is above the paper's. What is not known is NaN.
    """
    keys = list(Row._fields)
    done = runs[runs["state"] == "done"]
    lines = pd.DataFrame(rows_of(runs), columns=keys)
    counts = runs.groupby(keys).agg(runs=("state", "size"))
    scores = done.groupby(keys)["best_score"].agg(["size", "max", "min", "mean"]).rename(columns={"size": "done"})
    scores["deviation"] = done.groupby(keys)["best_score"].std(ddof=0).where(scores["done"] > 1)
    middle = done.groupby(keys)[["evaluations", "seconds"]].median()
    for part in (counts, scores, middle, _printed(paper)):
        lines = lines.merge(part.reset_index(), how="left", on=keys)
    lines["done"] = lines["done"].fillna(0).astype(np.int64)
    lines["difference"] = lines["mean"] - lines["paper_mean"]
    return lines[_COLUMNS]


def _printed(paper: pd.DataFrame | None) -> pd.DataFrame:
    table = paper_table().iloc[:0] if paper is None else paper
    names = {name: f"paper_{name}" for name in ("max", "min", "mean", "deviation")}
    return table.set_index(list(Row._fields))[list(names)].rename(columns=names)
