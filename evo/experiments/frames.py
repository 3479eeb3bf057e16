"""Tidy data frames of an experiment: one line per run, per trace point, or per member of a Pareto front.

`RUN_SCHEMA` is the schema of every frame of runs, whether the runs come from an experiment, a record or a CSV file.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evo.errors import StoreError
from evo.experiments.plan import Run
from evo.experiments.several import Source, experiment_names, opened, shown_settings
from evo.experiments.store import Record, Store
from evo.experiments.trace import WHOLE, Point


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


def results(directory: Source | Sequence[Source]) -> pd.DataFrame:
    """Return one line per run: its identity, its progress and its best score; the columns of `RUN_SCHEMA`.

    Args:
        directory: The directory of an experiment, or several such directories. With several, a column `experiment`
            comes first, and a setting that occurs in more than one is called after its experiment, such as
            "GA_1@quick".

    Raises:
        StoreError: A directory does not hold an experiment, or the experiment is damaged.
        ConfigError: The experiments cannot be put side by side: their puzzles differ, or the edges that count.
    """
    stores = opened(directory)
    rows, experiments = [], []
    for experiment, _, run, record, keys in _runs(stores):
        experiments.append(experiment)
        rows.append(
            keys
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
    if len(stores) > 1:
        frame.insert(0, "experiment", experiments)
    else:
        frame.attrs["directory"] = str(stores[0].path)
    return frame


def traces(directory: Source | Sequence[Source]) -> pd.DataFrame:
    """Return one line per trace point of each run; the arguments are those of `results`.

    The columns of text are categorical: there may be millions of lines.

    Raises:
        StoreError: A directory does not hold an experiment, or the experiment is damaged.
        ConfigError: The experiments cannot be put side by side.
    """
    stores = opened(directory)
    names = (["experiment"] if len(stores) > 1 else []) + KEYS
    identities: list[list[Any]] = []
    found: list[NDArray[np.float64]] = []
    for experiment, store, run, record, keys in _runs(stores):
        found.append(_whole_trace(store, run, record))
        identity = {"experiment": experiment} | keys
        identities.append([identity[name] for name in names])
    lengths = [len(rows) for rows in found]
    points = np.concatenate([np.empty((0, len(Point._fields))), *found])
    found.clear()
    columns: dict[str, Any] = {}
    for at, name in enumerate(names):
        of_runs = pd.Series([identity[at] for identity in identities], dtype="int64" if name == "run" else "category")
        columns[name] = of_runs.repeat(lengths).array
    for at, name in enumerate(Point._fields):
        columns[name] = points[:, at].astype(np.int64 if name in WHOLE else np.float64)
    return pd.DataFrame(columns)


def fronts(directory: Source | Sequence[Source]) -> pd.DataFrame:
    """Return one line per non-dominated triple of objectives in the final population of each run.

    The arguments are those of `results`.

    Raises:
        StoreError: A directory does not hold an experiment, or the experiment is damaged.
        ConfigError: The experiments cannot be put side by side.
    """
    stores = opened(directory)
    names = (["experiment"] if len(stores) > 1 else []) + KEYS
    rows = []
    for experiment, _, _, record, keys in _runs(stores):
        identity = {"experiment": experiment} | keys
        rows += [[*(identity[name] for name in names), *point] for point in record.front]
    return pd.DataFrame(rows, columns=[*names, "score", "blocks", "complete"])


def _whole_trace(store: Store, run: Run, record: Record) -> NDArray[np.float64]:
    """Return the trace of a run; that of a completed run must cover the whole run."""
    rows = store.rows(run)
    best = Point._fields.index("best")
    ends = (rows[0, 0], rows[-1, 0], rows[-1, best]) if len(rows) else None
    if record.state == "done" and ends != (1, record.evaluations, record.best_score):
        raise StoreError(f"{store.file(run, 'trace.csv')}: does not cover the whole run, although the run is done")
    return rows


def _runs(stores: list[Store]) -> Iterator[tuple[str, Store, Run, Record, dict[str, Any]]]:
    """Yield every run with the name of its experiment, its store, its record, and the columns that identify it."""
    for experiment, store, shown in zip(experiment_names(stores), stores, shown_settings(stores), strict=True):
        for run, record in store.records():
            keys = {key: getattr(run, key) for key in KEYS}
            yield experiment, store, run, record, keys | {"setting": shown[run.setting]}
