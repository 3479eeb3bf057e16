"""Export of traces as IOHprofiler files, which IOHanalyzer and the iohinspector package read.

Each row of the experiment is an algorithm for IOHprofiler and has a folder of its own, with a JSON file that describes
the runs and a text file with their traces: on each line, a number of evaluations and the score that the run reported.
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
"""The version of the format; readers reject versions before 0.3.3."""
_FUNCTION = 1
_INSTANCE = 1
_MOST_CELLS = 65_535
_LONGEST = 80


def export_ioh(
    runs: pd.DataFrame,
    trace: pd.DataFrame,
    puzzle_name: str,
    cells: int,
    max_score: int,
    out: str | Path,
    *,
    edges: str = "all",
) -> list[Path]:
    """Write the traces of all completed runs to a new folder.

    The puzzle is function 1 with a single instance, the dimension is its number of cells, and the score is maximised.
    The runs of a row are in the order of their numbers. Only names are taken from the settings, because iohinspector
    evaluates other attributes as Python code.

    Args:
        runs: One line per run.
        trace: One line per trace point.
        puzzle_name: The name of the function; only its letters, digits, "-" and "_" are kept.
        cells: The number of cells of the board.
        max_score: The maximum score, which is part of the algorithms' descriptions: the number of edges that count.
        out: A folder that does not exist yet or is empty.
        edges: Which edges count; the descriptions say so unless all do.

    Returns:
        The paths of the JSON files, one per row.

    Raises:
        ConfigError: The folder is not empty or cannot be written, or there is nothing to write.
    """
    if not 1 <= cells <= _MOST_CELLS:
        raise ConfigError(f"IOHprofiler files hold boards of 1 to {_MOST_CELLS} cells; found {cells}")
    keys = [*Row._fields, "run"]
    done = runs[runs["state"] == "done"][keys]
    wanted = pd.MultiIndex.from_frame(trace[keys]).isin(pd.MultiIndex.from_frame(done))
    points = trace[wanted].sort_values(["run", "evaluations"], ignore_index=True)
    if points.empty:
        raise ConfigError("there is nothing to export: no completed run has a trace")
    _check_first_points(points)
    folder = _new_folder(Path(out))
    function = safe_name(puzzle_name, "puzzle")
    by_row = {Row(*names): group for names, group in points.groupby(list(Row._fields), sort=False, observed=True)}
    rows = rows_of(points)
    names = _distinct([row.label for row in rows], str)
    folders = _distinct([safe_name(row.label, "row") for row in rows], str.casefold)  # some file systems ignore case
    written = []
    for row, name, sub in zip(rows, names, folders, strict=True):
        info = f"{function}, greatest score {max_score}" + ("" if edges == "all" else " (of the edges that count)")
        written.append(_write_row(folder / sub, by_row[row], function, cells, {"name": name, "info": info}))
    return written


def safe_name(text: str, otherwise: str) -> str:
    """Return text as a file name for any system, with "_" in place of all but letters, digits, "-" and "_".

    Args:
        text: The text.
        otherwise: The name to use if nothing of the text is left.
    """
    return re.sub(r"[^A-Za-z0-9_-]+", "_", text).strip("_")[:_LONGEST] or otherwise


def _distinct(names: list[str], seen_as: Callable[[str], str]) -> list[str]:
    """Return the names, with a number appended to those that would look the same as an earlier one."""
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
    """Check that every trace starts at evaluation 1, by which readers tell runs apart."""
    first = points.groupby([*Row._fields, "run"], observed=True)["evaluations"].min()
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
            raise ConfigError(f"{folder}: already exists and is not empty")
    except (OSError, ValueError) as error:
        if isinstance(error, ConfigError):
            raise
        raise ConfigError(f"{folder}: cannot be written: {getattr(error, 'strerror', None) or error}") from None
    return folder


def _write_row(folder: Path, points: pd.DataFrame, function: str, cells: int, algorithm: dict[str, str]) -> Path:
    """Write the traces of a row, and then the JSON file that refers to them."""
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
    best = run.loc[run["best"].idxmax()]  # the first point that reaches it
    at = {"evals": int(best["evaluations"]), "y": int(best["best"]), "x": []}
    return {"instance": _INSTANCE, "evals": int(run["evaluations"].iloc[-1]), "best": at}


def _as_text(run: pd.DataFrame) -> str:
    pairs = zip(run["evaluations"].tolist(), run["best"].tolist(), strict=True)
    return "evaluations raw_y\n" + "".join(f"{evaluations} {best}\n" for evaluations, best in pairs)
