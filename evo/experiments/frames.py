"""Tidy data frames out of the store: one row per run, per trace point, per member of a front."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pandas as pd

from evo.errors import StoreError
from evo.experiments.plan import Run
from evo.experiments.store import Record, Store
from evo.experiments.trace import Point

KEYS = ["setting", "algorithm", "init", "fitness", "run"]
"""What tells the rows of all frames to which run they belong."""


def results(directory: str | Path) -> pd.DataFrame:
    """One row per run: what it is, how far it is, and its best score.

    Raises:
        StoreError: The directory holds no experiment, or a damaged one.
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
                "seconds": record.seconds,
                "seconds_limit": math.nan if run.seconds is None else run.seconds,
                "state": record.state,
                "board_url": record.board_url,
                "error": record.error,
            }
        )
    frame = pd.DataFrame(rows)
    frame.attrs["directory"] = str(directory)
    return frame


def traces(directory: str | Path) -> pd.DataFrame:
    """One row per trace point of each run.

    Raises:
        StoreError: The directory holds no experiment, or a damaged one.
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
    """One row per triple of objectives that nothing in a run's final population dominates.

    Raises:
        StoreError: The directory holds no experiment, or a damaged one.
    """
    rows = [[*_keys(run).values(), *point] for run, record in Store(directory).records() for point in record.front]
    return pd.DataFrame(rows, columns=[*KEYS, "score", "blocks", "complete"])


def _whole_trace(store: Store, run: Run, record: Record) -> list[Point]:
    """The trace of a run, which must tell of all of it when the run is done."""
    points = store.points(run)
    ends = (points[0].evaluations, points[-1].evaluations, points[-1].best) if points else None
    if record.state == "done" and ends != (1, record.evaluations, record.best_score):
        raise StoreError(f"{store.file(run, 'trace.csv')}: does not tell of the whole run, which is done")
    return points


def _keys(run: Run) -> dict[str, Any]:
    return {key: getattr(run, key) for key in KEYS}
