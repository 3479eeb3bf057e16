"""The summary of an experiment, with one line per row, beside the paper's results."""

from __future__ import annotations

import numpy as np
import pandas as pd

from evo.analysis.runs import early
from evo.experiments.rows import Row, rows_of
from evo.settings.paper import TABLE_2
from operators import edge_count
from puzzles import Puzzle, load
from puzzles.protocols import AnyPuzzle

_COLUMNS = [
    *Row._fields,
    *("runs", "done", "max", "min", "mean", "deviation", "true_max", "true_mean", "evaluations", "seconds"),
    *("paper_max", "paper_min", "paper_mean", "paper_deviation", "difference"),
]

PAPER_BUDGET = 50_000_000
"""The number of evaluations of each run of Table II."""


def paper_table() -> pd.DataFrame:
    """Return Table II as a frame, with "" where an algorithm has no initialisation or fitness."""
    return pd.DataFrame(TABLE_2).fillna({"init": "", "fitness": ""})


def is_papers(puzzle: AnyPuzzle) -> bool:
    """Return whether a puzzle is the paper's, so that results can be compared with the paper's."""
    tiles = load("eternity2").tiles
    return isinstance(puzzle, Puzzle) and puzzle.tiles.shape == tiles.shape and bool((puzzle.tiles == tiles).all())


def beside_paper(runs: pd.DataFrame) -> str:
    """Return how the budget of some runs compares with that of the paper's, as a sentence."""
    ended_early = early(runs)
    made = sorted((ended_early["evaluations"] if len(ended_early) else runs["budget"]).unique())
    here = f"{made[0]:,}" if len(made) == 1 else f"{made[0]:,} to {made[-1]:,}"
    also = ", as here" if made == [PAPER_BUDGET] else f"; runs here {'used' if len(ended_early) else 'have'} {here}"
    counted = "Its scores are of 450 edges, those that its program seems to have counted."
    return f"The paper's results are from 10 runs of {PAPER_BUDGET:,} evaluations each{also}. {counted}"


def counting_note(puzzle: AnyPuzzle, edges: str, *, both: bool = True) -> str:
    """Return what the scores of runs count that do not count all edges, as a sentence.

    Args:
        puzzle: The puzzle of the runs.
        edges: Which edges count.
        both: Whether the reader sees the true scores too.
    """
    counted, total = edge_count(puzzle.shape, edges), puzzle.max_score
    true = f"; true scores are of all {total} edges of the same boards" if both else f", of {total} in all"
    return f"Scores are of the {counted} edges that count{true}."


def summary(runs: pd.DataFrame, paper: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return summary statistics of each row, computed from its completed runs.

    The deviation is the population standard deviation (it divides by the number of runs), because the paper's is: all
    of its 30 printed deviations are possible for ten whole numbers with the printed mean, but only 12 would be if it
    divided by one less.

    Args:
        runs: One line per run.
        paper: The result of `paper_table`, or None to leave the paper's columns empty.

    Returns:
        One line per row, in the order of rows: its setting, init and fitness; the number of runs and of completed runs;
        the maximum, minimum, mean and deviation of the best scores; the maximum and mean of the true scores of the same
        boards, which count all edges; the median of evaluations and seconds; the paper's four statistics, and the
        difference of the means. Unknown values are NaN.
    """
    keys = list(Row._fields)
    done = runs[runs["state"] == "done"]
    lines = pd.DataFrame(rows_of(runs), columns=keys)
    counts = runs.groupby(keys).agg(runs=("state", "size"))
    scores = done.groupby(keys)["best_score"].agg(["size", "max", "min", "mean"]).rename(columns={"size": "done"})
    scores["deviation"] = done.groupby(keys)["best_score"].std(ddof=0).where(scores["done"] > 1)
    true = done.groupby(keys)["true_score"].agg(true_max="max", true_mean="mean")
    middle = done.groupby(keys)[["evaluations", "seconds"]].median()
    for part in (counts, scores, true, middle, _printed(paper)):
        lines = lines.merge(part.reset_index(), how="left", on=keys)
    lines["done"] = lines["done"].fillna(0).astype(np.int64)
    lines["difference"] = lines["mean"] - lines["paper_mean"]
    return lines[_COLUMNS]


def _printed(paper: pd.DataFrame | None) -> pd.DataFrame:
    table = paper_table().iloc[:0] if paper is None else paper
    names = {name: f"paper_{name}" for name in ("max", "min", "mean", "deviation")}
    return table.set_index(list(Row._fields))[list(names)].rename(columns=names)
