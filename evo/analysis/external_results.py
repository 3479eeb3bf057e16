"""Results of other programs, from a CSV file, as further rows of a frame of runs."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from evo.errors import ConfigError
from evo.experiments.frames import RUN_COLUMNS, RUN_SCHEMA, Column
from evo.experiments.rows import Row, rows_of
from puzzles.errors import FileError
from puzzles.file_io import read_bytes
from puzzles.formats.reading import shortened

_REQUIRED = ("setting", "best_score")
_MOST = 2**63 - 1


def read_foreign(path: str | Path) -> pd.DataFrame:
    """A frame of runs from a CSV file with a line of column names and then a line per run.

    The columns setting and best_score are needed. Those that a frame of runs has besides (init, fitness, run,
    evaluations, seconds ...) are taken where they are there, so that the table of another experiment can be read;
    others are ignored. Runs without a number are numbered as they come; any other number that is not known is 0, and
    seconds are NaN. Runs count as done, and lines whose column state says otherwise are left out.

    Raises:
        ConfigError: The file cannot be read or is not such a table; the message names the file, line and column.
    """
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except FileError as error:
        raise ConfigError(f"{path}: {error}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: is not a text in UTF-8") from None
    lines = _lines(path, text)
    runs = [_run(place, values) for place, values in lines if values.get("state", "done").lower() == "done"]
    if not runs:
        raise ConfigError(f"{path}: has no run that is done")
    frame = pd.DataFrame(runs, columns=RUN_COLUMNS)
    counted = frame.groupby(list(Row._fields)).cumcount() + 1
    frame["run"] = frame["run"].where(frame["run"] > 0, counted)
    return frame


def add_foreign(runs: pd.DataFrame, path: str | Path, max_score: int) -> pd.DataFrame:
    """A frame of runs, and those of a foreign CSV file after them.

    Args:
        runs: One row per run.
        path: The file.
        max_score: The greatest score that there is.

    Raises:
        ConfigError: As in `read_foreign`; or a score is impossible; or a row of the file has the name of one that is
            there already, and its runs would silently become that row's.
    """
    foreign = read_foreign(path)
    ours = rows_of(runs)
    for row in rows_of(foreign):
        alike = [one for one in ours if one.setting == row.setting]
        # A row that does not tell its init or fitness would be taken for any of those with its name.
        if row in alike or (alike and any(not getattr(row, key) and getattr(alike[0], key) for key in Row._fields)):
            raise ConfigError(f"{path}: {row.label!r} is among the results already; give it another name")
    if len(foreign) and int(foreign["best_score"].max()) > max_score:
        raise ConfigError(f"{path}: has a score of {foreign['best_score'].max()}, and {max_score} is the most there is")
    return pd.concat([runs, foreign], ignore_index=True) if len(runs) else foreign


def _lines(path: str | Path, text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Each line that is not blank, as values by column, with its place to name in messages."""
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
            raise ConfigError(f"{path}, line 1: column {name!r} is there twice")


def _run(place: str, values: dict[str, str]) -> dict[str, object]:
    if not values["setting"]:
        raise ConfigError(f"{place}, column setting: is empty; expected a name")
    if not values["best_score"]:
        raise ConfigError(f"{place}, column best_score: is empty; expected a whole number")
    run = {column.name: _value(place, column, values.get(column.name, "")) for column in RUN_SCHEMA}
    return run | {"algorithm": run["algorithm"] or run["setting"], "state": "done", "error": ""}


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
    """A whole number, which other programs may write as 380.0 or 5e7."""
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
