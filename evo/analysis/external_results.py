"""Results of other programs, read from a CSV file and added to a frame of runs."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from evo.errors import ConfigError
from evo.experiments.frames import RUN_COLUMNS, RUN_SCHEMA, Column
from evo.experiments.rows import Row, rows_of
from operators import EDGES
from puzzles.errors import FileError
from puzzles.file_io import read_bytes
from puzzles.formats.reading import shortened

_REQUIRED = ("setting", "best_score")
_MOST = 2**63 - 1


def read_foreign(path: str | Path) -> pd.DataFrame:
    """Return a frame of runs from a CSV file with a header and one line per run.

    The columns setting and best_score are required. The other columns of a frame of runs (init, fitness, run,
    evaluations, seconds, ...) are read if present, so that the printed results of an experiment can be read; any
    further columns are ignored. Runs without a number are numbered in order; other missing whole numbers are 0, and
    missing seconds are NaN. Scores are of all edges unless the column edges says otherwise; then true_score is required
    too. Lines whose state is not "done" are skipped; without that column, all runs count as done.

    Args:
        path: The CSV file, in UTF-8.

    Raises:
        ConfigError: The file cannot be read or is not such a table; the message names the file, line and column.
    """
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except FileError as error:
        raise ConfigError(f"{path}: {error}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is not UTF-8 text") from None
    lines = _lines(path, text)
    runs = [_run(place, values) for place, values in lines if values.get("state", "done").lower() == "done"]
    if not runs:
        raise ConfigError(f"{path}: contains no completed run")
    frame = pd.DataFrame(runs, columns=RUN_COLUMNS)
    counted = frame.groupby(list(Row._fields)).cumcount() + 1
    frame["run"] = frame["run"].where(frame["run"] > 0, counted)
    return frame


def add_foreign(runs: pd.DataFrame, path: str | Path, max_score: int) -> pd.DataFrame:
    """Return a frame of runs with the runs of a CSV file appended.

    Args:
        runs: One line per run.
        path: The CSV file, as `read_foreign` reads it.
        max_score: The number of edges of the puzzle that count in the experiment.

    Raises:
        ConfigError: The file is wrong, a score exceeds the maximum or counts other edges than the experiment's, or a
            row of the file has the name of a row of the experiment, so that their runs would be mixed up.
    """
    foreign = read_foreign(path)
    for edges in foreign["edges"].unique():
        if len(runs) and edges != runs["edges"].iloc[0]:
            raise ConfigError(
                f"{path}: edges: the scores count {edges!r} edges, but those of the experiment count "
                f"{runs['edges'].iloc[0]!r}; they cannot be compared"
            )
    ours = rows_of(runs)
    for row in rows_of(foreign):
        alike = [one for one in ours if one.setting == row.setting]
        # A row that does not state its init or fitness could be any of the rows of that setting.
        if row in alike or (alike and any(not getattr(row, key) and getattr(alike[0], key) for key in Row._fields)):
            raise ConfigError(f"{path}: {row.label!r} is already among the results; give it another name")
    if len(foreign) and int(foreign["best_score"].max()) > max_score:
        raise ConfigError(f"{path}: has a score of {foreign['best_score'].max()}, but the maximum is {max_score}")
    return pd.concat([runs, foreign], ignore_index=True) if len(runs) else foreign


def _lines(path: str | Path, text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each line that is not blank as values by column, with its location for error messages."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(path, header)
        for cells in reader:
            place = f"{path}, line {reader.line_num}"
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(header):
                raise ConfigError(f"{place}: {len(cells)} columns; expected {len(header)} as in the first line")
            yield place, {name: cell.strip() for name, cell in zip(header, cells, strict=True)}
    except csv.Error as error:
        raise ConfigError(f"{path}, line {reader.line_num}: {error}") from None


def _check_header(path: str | Path, header: list[str]) -> None:
    for name in _REQUIRED:
        if name not in header:
            raise ConfigError(f"{path}, line 1: no column {name!r}; found {shortened(', '.join(header)) or 'nothing'}")
    for name in RUN_COLUMNS:
        if header.count(name) > 1:
            raise ConfigError(f"{path}, line 1: column {name!r} occurs twice")


def _run(place: str, values: dict[str, str]) -> dict[str, object]:
    if not values["setting"]:
        raise ConfigError(f"{place}, column setting: is empty; expected a name")
    if not values["best_score"]:
        raise ConfigError(f"{place}, column best_score: is empty; expected a whole number")
    run = {column.name: _value(place, column, values.get(column.name, "")) for column in RUN_SCHEMA}
    run["algorithm"] = run["algorithm"] or run["setting"]
    return run | _scores(place, values, run) | {"state": "done", "error": ""}


def _scores(place: str, values: dict[str, str], run: dict[str, Any]) -> dict[str, object]:
    """Return which edges count in the score of a run, by default all, and its score with all edges."""
    edges, best = run["edges"] or "all", run["best_score"]
    if edges not in EDGES:
        raise ConfigError(f"{place}, column edges: {shortened(edges)!r} is not one of {', '.join(EDGES)}")
    if edges != "all" and not values.get("true_score"):
        raise ConfigError(f"{place}, column true_score: is empty; expected the score with all edges")
    true = run["true_score"] if values.get("true_score") else best
    if true < best or (edges == "all" and true != best):
        raise ConfigError(f"{place}, column true_score: {true} does not fit a best_score of {best} ({edges} edges)")
    return {"edges": edges, "true_score": true}


def _value(place: str, column: Column, text: str) -> object:
    """Return the value of a cell, or the default of its type if the cell is empty or missing."""
    if column.kind == "text":
        if not text.isprintable():
            raise ConfigError(f"{place}, column {column.name}: contains characters that cannot be printed")
        return text
    if column.kind == "whole":
        return _whole(place, column.name, text) if text else 0
    return _number(place, column.name, text) if text else math.nan


def _whole(place: str, name: str, text: str) -> int:
    """Return a whole number, which other programs may write as 380.0 or 5e7."""
    value = int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else _number(place, name, text)
    if value != int(value) or value > _MOST:
        raise ConfigError(f"{place}, column {name}: {shortened(text)!r} is not a whole number")
    return int(value)


def _number(place: str, name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise ConfigError(f"{place}, column {name}: {shortened(text)!r} is not a number of 0 or more")
    return value
