"""Tidy data frames of an experiment: one line per run, per trace point, or per member of a Pareto front.

`RUN_SCHEMA` is the schema of every frame of runs, whether the runs come from an experiment, a record or a CSV file.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pandas as pd

from evo.errors import StoreError
from evo.experiments.plan import Run
from evo.experiments.store import Record, Store
from evo.experiments.trace import Point


class Column(NamedTuple):
    """A column of a frame of runs."""

    name: str
    kind: Literal["text", "whole", "number"]
    """The type of its values: text, whole numbers, or numbers that may be missing (NaN)."""
    recorded_as: str = ""
    """Its name in the table of a record; "" for a column that records do not keep."""
    since: int = 1
    """The first format of records that has it."""


RUN_SCHEMA = (
    Column("setting", "text", "setting"),
    Column("algorithm", "text", "algorithm"),
    Column("init", "text", "init"),
    Column("fitness", "text", "fitness"),
    Column("run", "whole", "run"),
    Column("seed", "whole", "seed"),
    Column("budget", "whole", "budget"),
    Column("evaluations", "whole", "evaluations"),
    Column("best_score", "whole", "score"),
    Column("true_score", "whole", "true_score", since=2),
    Column("edges", "text", "edges", since=2),
    Column("seconds", "number", "seconds"),
    Column("seconds_limit", "number", "seconds_limit"),
    Column("state", "text"),
    Column("board_url", "text"),
    Column("error", "text"),
    Column("version", "text", "version"),
)
"""The columns of a frame of runs, in order."""
RUN_COLUMNS = [column.name for column in RUN_SCHEMA]
RECORDED_AS = {column.name: column.recorded_as for column in RUN_SCHEMA if column.recorded_as}
"""The columns that a record keeps, and their names in its table."""
KEYS = ["setting", "algorithm", "init", "fitness", "run"]
"""The columns that identify a run in every frame."""


def results(directory: str | Path) -> pd.DataFrame:
    """Return one line per run: its identity, its progress and its best score; the columns of `RUN_SCHEMA`.

    Raises:
        StoreError: The directory does not hold an experiment, or the experiment is damaged.
    """
    rows = []
    for run, record in Store(directory).records():
        rows.append(
            _keys(run)
            | {
                "seed": run.settings["seed"],
                "budget": run.settings["evaluations"],
                "evaluations": record.evaluations,
                "best_score": record.best_score,
                "true_score": record.true_score if record.true_score >= 0 else record.best_score,
                "edges": run.edges,
                "seconds": record.seconds,
                "seconds_limit": math.nan if run.seconds is None else run.seconds,
                "state": record.state,
                "board_url": record.board_url,
                "error": record.error,
                "version": record.versions.get("evo", ""),
            }
        )
    frame = pd.DataFrame(rows, columns=RUN_COLUMNS)
    frame.attrs["directory"] = str(directory)
    return frame


def traces(directory: str | Path) -> pd.DataFrame:
    """Return one line per trace point of each run.

    Raises:
        StoreError: The directory does not hold an experiment, or the experiment is damaged.
    """
    store = Store(directory)
    found = [(run, _whole_trace(store, run, record)) for run, record in store.records()]
    columns: dict[str, list[Any]] = {key: [] for key in KEYS}
    for run, points in found:
        for key, value in _keys(run).items():
            columns[key] += [value] * len(points)
    rows = [point for _, points in found for point in points]
    return pd.DataFrame(columns).join(pd.DataFrame(rows, columns=list(Point._fields)))


def fronts(directory: str | Path) -> pd.DataFrame:
    """Return one line per non-dominated triple of objectives in the final population of each run.

    Raises:
        StoreError: The directory does not hold an experiment, or the experiment is damaged.
    """
    rows = [[*_keys(run).values(), *point] for run, record in Store(directory).records() for point in record.front]
    return pd.DataFrame(rows, columns=[*KEYS, "score", "blocks", "complete"])


def _whole_trace(store: Store, run: Run, record: Record) -> list[Point]:
    """Return the trace of a run; that of a completed run must cover the whole run."""
    points = store.points(run)
    ends = (points[0].evaluations, points[-1].evaluations, points[-1].best) if points else None
    if record.state == "done" and ends != (1, record.evaluations, record.best_score):
        raise StoreError(f"{store.file(run, 'trace.csv')}: does not cover the whole run, although the run is done")
    return points


def _keys(run: Run) -> dict[str, Any]:
    return {key: getattr(run, key) for key in KEYS}
