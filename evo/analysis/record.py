"""The record of an experiment: what its tables and pictures are made of, small enough to be kept for good.

Four files in a folder, all named after the experiment:

    table2.json          what it was: puzzle, seed, when it ran, versions, machine
    table2.csv           one row per run that is done
    table2-curves.csv    the best score as evaluations go by, or seconds where these are limited: its median and
                         quartiles over the runs of each row
    table2-boards.txt    a link to the best board of each run, in the order of table2.csv

A record is believed only when every board has no piece twice and scores what the table says.
"""

from __future__ import annotations

import io
import json
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
from pydantic import ConfigDict, TypeAdapter, ValidationError

from evo.errors import ConfigError, StoreError
from evo.experiments.frames import RECORDED_AS, RUN_COLUMNS, RUN_SCHEMA
from puzzles import PUZZLES, Board, Puzzle, PuzzleError, load
from puzzles.errors import FileError
from puzzles.file_io import naming, read_bytes, write_bytes

if TYPE_CHECKING:
    from evo.analysis.study import Study

FORMAT = 1
_CURVE_COLUMNS = ["setting", "algorithm", "init", "fitness", "runs", "{over}", "lower", "median", "upper"]
_TEXTS: dict[str, Any] = {column.recorded_as: str for column in RUN_SCHEMA if column.kind == "text"}


@dataclass(frozen=True)
class Facts:
    """What an experiment was, besides its runs: the content of its JSON file."""

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)

    format: int
    name: str
    puzzle: str
    """The name of one of the project's puzzles."""
    seed: int
    begun: str
    ended: str
    versions: dict[str, str]
    machine: dict[str, str]


_FACTS = TypeAdapter(Facts)


@dataclass(frozen=True)
class Recorded:
    """An experiment that was recorded."""

    facts: Facts
    table: pd.DataFrame
    """One line per run, with the columns that `RECORDED_AS` names."""
    curves: pd.DataFrame
    """From `plots.convergence.convergence_curves`."""
    links: list[str]
    """The best board of each run."""

    @property
    def name(self) -> str:
        """The name of the experiment."""
        return self.facts.name

    @cached_property
    def puzzle(self) -> Puzzle:
        """What was to be solved."""
        return load(self.facts.puzzle)

    @cached_property
    def boards(self) -> list[Board]:
        """The best board of each run."""
        return [Board.from_url(link, self.puzzle) for link in self.links]

    @property
    def over(self) -> str:
        """What the curves go over: evaluations, or seconds."""
        return _over(self.curves)

    @property
    def runs(self) -> pd.DataFrame:
        """The runs as a frame like that of `evo.results`."""
        named = self.table.rename(columns={recorded: name for name, recorded in RECORDED_AS.items()})
        return named.assign(state="done", board_url=self.links, error="")[RUN_COLUMNS]


def paths_of(folder: Path, name: str) -> tuple[Path, Path, Path, Path]:
    """The files of a record: facts, runs, curves, boards."""
    return (
        folder / f"{name}.json",
        folder / f"{name}.csv",
        folder / f"{name}-curves.csv",
        folder / f"{name}-boards.txt",
    )


def recorded_in(folder: Path) -> list[str]:
    """The names of the records of a folder."""
    return sorted(path.stem for path in folder.glob("*.json") if path.with_suffix(".csv").exists())


def is_record(folder: Path) -> bool:
    """Return whether a folder holds records rather than an experiment."""
    return not (folder / "experiment.json").exists() and bool(recorded_in(folder))


def recorded(study: Study, curves: pd.DataFrame) -> Recorded:
    """Return the record of an experiment's completed runs.

    Args:
        study: The experiment.
        curves: Its convergence curves: the columns setting, algorithm, init, fitness, runs, evaluations or seconds,
            lower, median and upper.

    Raises:
        ConfigError: No run is done, or the puzzle is not one of the project's.
    """
    store = study.store
    if store.puzzle.name not in PUZZLES:
        known = ", ".join(PUZZLES)
        raise ConfigError(f"{store.path}: the puzzle {store.puzzle.name} cannot be recorded; expected one of {known}")
    kept = study.runs[study.runs["state"] == "done"]
    if kept.empty:
        raise ConfigError(f"{store.path}: no run is done yet")
    found = {(run.label, run.run): (run, record) for run, record in store.records()}
    done = [found[key] for key in zip(kept["label"], kept["run"], strict=True)]
    last = max(record.heartbeat for _, record in done)
    versions, machine = study.facts("versions"), study.facts("machine")
    facts = Facts(FORMAT, store.name, store.puzzle.name, store.seed, store.created, last, versions, machine)
    boards = [store.board(run) for run, _ in done]
    links = [board.to_url(pieces=False) for board in boards if board is not None]
    table = kept[list(RECORDED_AS)].rename(columns=RECORDED_AS).reset_index(drop=True)
    return Recorded(facts, table, curves, links)


def write_record(record: Recorded, folder: Path, *, force: bool = False) -> list[Path]:
    """Write a record, once it is sound.

    Raises:
        StoreError: A board is not what the table says of it.
        FileError: A file cannot be written, or already exists.
    """
    _check(record)
    facts = json.dumps(asdict(record.facts), indent=2, ensure_ascii=False) + "\n"
    table = record.table.to_csv(index=False, lineterminator="\n", float_format="%.6g")
    curves = record.curves[_curve_columns(record.over)].to_csv(index=False, lineterminator="\n", float_format="%.6g")
    boards = "".join(f"{link}\n" for link in record.links)
    paths = paths_of(folder, record.name)
    for path, content in zip(paths, (facts, table, curves, boards), strict=True):
        with naming(path):
            write_bytes(path, content.encode(), force=force)
    return list(paths)


def read_record(folder: Path, name: str) -> Recorded:
    """Read a record, and recount its boards.

    Raises:
        StoreError: It is damaged, or not sound.
        FileError: A file cannot be read.
    """
    facts_path, table_path, curves_path, boards_path = paths_of(folder, name)
    try:
        facts = _FACTS.validate_json(_text(facts_path))
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(str(part) for part in problem["loc"])
        raise StoreError(f"{facts_path}: {where}: {problem['msg']}") from None
    if facts.format != FORMAT or facts.name != name:
        raise StoreError(f"{facts_path}: is not a record of {name} that this version can read")
    table, curves = _frame(table_path), _frame(curves_path)
    for path, frame, columns in (
        (table_path, table, list(RECORDED_AS.values())),
        (curves_path, curves, _curve_columns(_over(curves))),
    ):
        if list(frame.columns) != columns:
            raise StoreError(f"{path}: expected the columns {', '.join(columns)}")
        for name in columns:
            if name not in _TEXTS and not pd.api.types.is_numeric_dtype(frame[name]):
                raise StoreError(f"{path}: {name}: expected numbers")
    record = Recorded(facts, table, curves, _text(boards_path).split())
    _check(record)
    return record


def _check(record: Recorded) -> None:
    """Recount every board: nothing else here can be told apart from a slip of the pen."""
    if len(record.links) != len(record.table):
        raise StoreError(f"{record.name}: {len(record.table)} runs, but {len(record.links)} boards")
    for number, (link, score) in enumerate(zip(record.links, record.table["score"], strict=True), start=1):
        try:
            found = Board.from_url(link, record.puzzle).verify()
        except PuzzleError as error:
            raise StoreError(f"{record.name}: board {number}: {error}") from None
        if found.duplicates or found.score != score:
            twice = f"{len(found.duplicates)} pieces are there twice, " if found.duplicates else ""
            raise StoreError(f"{record.name}: board {number}: {twice}{found.score} edges match; the table says {score}")


def _text(path: Path) -> str:
    with naming(path):
        try:
            return read_bytes(path).decode()
        except UnicodeDecodeError:
            raise FileError("is not text") from None


def _frame(path: Path) -> pd.DataFrame:
    try:
        return pd.read_csv(
            io.StringIO(_text(path)), dtype=_TEXTS, keep_default_na=False, na_values={"seconds_limit": ""}
        )
    except (ValueError, pd.errors.ParserError) as error:
        raise StoreError(f"{path}: is not a table: {error}") from None


def _over(curves: pd.DataFrame) -> str:
    return "seconds" if "seconds" in curves else "evaluations"


def _curve_columns(over: str) -> list[str]:
    return [name.format(over=over) for name in _CURVE_COLUMNS]
