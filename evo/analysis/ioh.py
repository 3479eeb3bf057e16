"""Traces as IOHprofiler files, which the IOHanalyzer and the iohinspector package load.

Each row of the experiment is an algorithm to IOHprofiler, in a folder of its own: a JSON file about the runs, and
beside it their traces as text, one number of evaluations and the best score until then to a line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from evo.errors import ConfigError
from evo.experiments.rows import Row, rows_of
from puzzles.errors import FileError
from puzzles.file_io import write_bytes

_VERSION = "0.3.5"
"""Of the format: readers refuse what is older than 0.3.3."""
_FUNCTION = 1
_INSTANCE = 1
_MOST_CELLS = 65_535
_LONGEST = 80


def export_ioh(
    runs: pd.DataFrame, trace: pd.DataFrame, puzzle_name: str, cells: int, max_score: int, out: str | Path
) -> list[Path]:
    """Write the traces of all runs that are done into a new folder.

    The puzzle is function 1 and its one instance, the dimension is its number of cells, and the score is maximised. The
    runs of a row come in the order of their numbers. Nothing but names is taken from the settings, because iohinspector
    evaluates other attributes as Python.

    Args:
        runs: One row per run.
        trace: One row per trace point.
        puzzle_name: What the function is called; letters, digits, "-" and "_" of it are kept.
        cells: How many cells the board has.
        max_score: The greatest score there is, which goes into the algorithms' descriptions.
        out: A folder that is not there yet, or is empty.

    Returns:
        The JSON files, one per row.

    Raises:
        ConfigError: The folder has something in it or cannot be written, or there is nothing to write.
    """
    if not 1 <= cells <= _MOST_CELLS:
        raise ConfigError(f"IOHprofiler files hold boards of 1 to {_MOST_CELLS} cells; found {cells}")
    keys = [*Row._fields, "run"]
    done = runs[runs["state"] == "done"][keys]
    wanted = pd.MultiIndex.from_frame(trace[keys]).isin(pd.MultiIndex.from_frame(done))
    points = trace[wanted].sort_values(["run", "evaluations"], ignore_index=True)
    if points.empty:
        raise ConfigError("no run that is done has a trace: there is nothing to export")
    _check_first_points(points)
    folder = _new_folder(Path(out))
    function = safe_name(puzzle_name, "puzzle")
    by_row = {Row(*names): group for names, group in points.groupby(list(Row._fields), sort=False)}
    rows = rows_of(points)
    names = _distinct([row.label for row in rows], str)
    folders = _distinct([safe_name(row.label, "row") for row in rows], str.casefold)  # as some file systems do
    written = []
    for row, name, sub in zip(rows, names, folders, strict=True):
        info = f"{function}, greatest score {max_score}"
        written.append(_write_row(folder / sub, by_row[row], function, cells, {"name": name, "info": info}))
    return written


def safe_name(text: str, otherwise: str) -> str:
    """A text as the name of a file on any system: letters, digits, "-" and "_" of it, other characters as "_"."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", text).strip("_")[:_LONGEST] or otherwise


def _distinct(names: list[str], seen_as: Callable[[str], str]) -> list[str]:
    """The names, with a number after those that would look the same as one before."""
    taken: set[str] = set()
    distinct = []
    for name in names:
        number, candidate = 1, name
        while seen_as(candidate) in taken:
            number += 1
            candidate = f"{name}-{number}"
        taken.add(seen_as(candidate))
        distinct.append(candidate)
    return distinct


def _check_first_points(points: pd.DataFrame) -> None:
    """Readers tell runs apart by their first evaluation, so each run must have it."""
    first = points.groupby([*Row._fields, "run"])["evaluations"].min()
    wrong = first[first != 1]
    if len(wrong):
        *names, run = wrong.index[0]
        raise ConfigError(
            f"the trace of {Row(*names).label}, run {run}, starts at evaluation {wrong.iloc[0]}, not at 1"
        )


def _new_folder(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ConfigError(f"{folder}: is there already and is not empty")
    except (OSError, ValueError) as error:
        if isinstance(error, ConfigError):
            raise
        raise ConfigError(f"{folder}: cannot be written: {getattr(error, 'strerror', None) or error}") from None
    return folder


def _write_row(folder: Path, points: pd.DataFrame, function: str, cells: int, algorithm: dict[str, str]) -> Path:
    """Write the traces of a row, and then the JSON file that makes them known."""
    traces = [run for _, run in points.groupby("run")]
    data = Path(f"data_f{_FUNCTION}_{function}") / f"IOHprofiler_f{_FUNCTION}_DIM{cells}.dat"
    about = {
        "version": _VERSION,
        "suite": "edge_matching",
        "function_id": _FUNCTION,
        "function_name": function,
        "maximization": True,
        "algorithm": algorithm,
        "experiment_attributes": [],
        "run_attributes": [],
        "attributes": ["evaluations", "raw_y"],
        "scenarios": [{"dimension": cells, "path": data.as_posix(), "runs": [_about(run) for run in traces]}],
    }
    target = folder / f"IOHprofiler_f{_FUNCTION}_{function}.json"
    lines = "".join(_as_text(run) for run in traces)
    try:
        (folder / data).parent.mkdir(parents=True)
        write_bytes(folder / data, lines.encode())
        return write_bytes(target, json.dumps(about, indent=1).encode())
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written: {error.strerror or error}") from None
    except FileError as error:
        raise ConfigError(f"{folder}: {error}") from None


def _about(run: pd.DataFrame) -> dict[str, Any]:
    best = run.loc[run["best"].idxmax()]  # the first point that has it
    at = {"evals": int(best["evaluations"]), "y": int(best["best"]), "x": []}
    return {"instance": _INSTANCE, "evals": int(run["evaluations"].iloc[-1]), "best": at}


def _as_text(run: pd.DataFrame) -> str:
    pairs = zip(run["evaluations"].tolist(), run["best"].tolist(), strict=True)
    return "evaluations raw_y\n" + "".join(f"{evaluations} {best}\n" for evaluations, best in pairs)
