"""The record of an experiment: the data behind its tables and pictures, small enough to be kept permanently.

A record is four files in a folder, named after the experiment:

    table2.json          the experiment: puzzle, seed, dates, versions, machine
    table2.csv           one line per completed run
    table2-curves.csv    the median and quartiles of the best score over the runs of each row, against evaluations, or
                         against seconds if the runs had a time limit
    table2-boards.txt    a link to the best board of each run, in the order of table2.csv

A record is accepted only if no board has a duplicate piece and every board has the score that the table states.
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
from evo.experiments.frames import RECORDED_AS, RUN_COLUMNS, RUN_SCHEMA, Column
from evo.experiments.tasks import tile_board
from operators import EDGES, counted_score
from puzzles import PUZZLES, Board, Puzzle, PuzzleError, load
from puzzles.errors import FileError
from puzzles.file_io import naming, read_bytes, write_bytes

if TYPE_CHECKING:
    from evo.analysis.study import Study

FORMAT = 2
"""Records of format 1 lack the columns true_score and edges: all edges counted."""
_CURVE_COLUMNS = ["setting", "algorithm", "init", "fitness", "runs", "{over}", "lower", "median", "upper"]
_TEXTS: dict[str, Any] = {column.recorded_as: str for column in RUN_SCHEMA if column.kind == "text"}


@dataclass(frozen=True)
class Facts:
    """The facts about an experiment other than its runs: the content of the JSON file."""

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
    """The record of an experiment."""

    facts: Facts
    table: pd.DataFrame
    """One line per run, with the columns that `RECORDED_AS` names."""
    curves: pd.DataFrame
    """The result of `plots.convergence.convergence_curves`."""
    links: list[str]
    """A link to the best board of each run."""

    @property
    def name(self) -> str:
        """The name of the experiment."""
        return self.facts.name

    @cached_property
    def puzzle(self) -> Puzzle:
        """The puzzle of the experiment."""
        return load(self.facts.puzzle)

    @cached_property
    def boards(self) -> list[Board]:
        """The best board of each run.

        Raises:
            StoreError: A link does not show a board of the puzzle.
        """
        boards = []
        for number, link in enumerate(self.links, start=1):
            try:
                boards.append(Board.from_url(link, self.puzzle))
            except PuzzleError as error:
                raise StoreError(f"{self.name}: board {number}: {error}") from None
        return boards

    @property
    def edges(self) -> str:
        """Which edges count in the scores."""
        return str(self.table["edges"].iloc[0])

    @property
    def best(self) -> int:
        """The position of the best run, by the edges that count."""
        return int(self.table["score"].argmax())

    @property
    def over(self) -> str:
        """The x axis of the curves: evaluations or seconds."""
        return _over(self.curves)

    @property
    def runs(self) -> pd.DataFrame:
        """The runs as a frame like that of `evo.results`."""
        named = self.table.rename(columns={recorded: name for name, recorded in RECORDED_AS.items()})
        return named.assign(state="done", board_url=self.links, error="")[RUN_COLUMNS]


def paths_of(folder: Path, name: str) -> tuple[Path, Path, Path, Path]:
    """Return the paths of the files of a record: facts, runs, curves and boards."""
    return (
        folder / f"{name}.json",
        folder / f"{name}.csv",
        folder / f"{name}-curves.csv",
        folder / f"{name}-boards.txt",
    )


def recorded_in(folder: Path) -> list[str]:
    """Return the names of the records in a folder."""
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
    links = [tile_board(board).to_url(pieces=False) for board in boards if board is not None]
    table = kept[list(RECORDED_AS)].rename(columns=RECORDED_AS).reset_index(drop=True)
    return Recorded(facts, table, curves, links)


def write_record(record: Recorded, folder: Path, *, force: bool = False) -> list[Path]:
    """Check a record and write its files.

    Args:
        record: The record.
        folder: The folder to write to.
        force: Whether to replace existing files.

    Returns:
        The paths of the files.

    Raises:
        StoreError: A board does not have the score that the table states, or has a duplicate piece.
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


def read_record(folder: Path, name: str, *, check: bool = True) -> Recorded:
    """Read a record and verify its boards.

    Args:
        folder: The folder of the record.
        name: The name of the record.
        check: Whether to verify the boards, which takes most of the time.

    Raises:
        StoreError: The record is damaged, or a board does not have the score that the table states.
        FileError: A file cannot be read.
    """
    facts_path, table_path, curves_path, boards_path = paths_of(folder, name)
    try:
        facts = _FACTS.validate_json(_text(facts_path))
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(str(part) for part in problem["loc"])
        raise StoreError(f"{facts_path}: {where}: {problem['msg']}") from None
    if not 1 <= facts.format <= FORMAT or facts.name != name:
        raise StoreError(f"{facts_path}: is not a record of {name} in format {FORMAT} or before")
    table, curves = _frame(table_path), _frame(curves_path)
    for path, frame, columns in (
        (table_path, table, [column.recorded_as for column in _columns() if column.since <= facts.format]),
        (curves_path, curves, _curve_columns(_over(curves))),
    ):
        if list(frame.columns) != columns:
            raise StoreError(f"{path}: expected the columns {', '.join(columns)}; found {', '.join(frame.columns)}")
        for name in columns:
            if name not in _TEXTS and not pd.api.types.is_numeric_dtype(frame[name]):
                raise StoreError(f"{path}: {name}: expected numbers")
    if facts.format == 1:
        table = table.assign(true_score=table["score"], edges="all")[list(RECORDED_AS.values())]
    record = Recorded(facts, table, curves, _text(boards_path).split())
    if check:
        _check(record)
    return record


def _check(record: Recorded) -> None:
    """Verify both scores of every board, which is the part of a record that can be checked independently."""
    if len(record.links) != len(record.table):
        raise StoreError(f"{record.name}: there are {len(record.table)} runs but {len(record.links)} boards")
    if record.table["edges"].nunique() != 1 or record.edges not in EDGES:
        raise StoreError(f"{record.name}: edges: expected one of {', '.join(EDGES)}, the same in all runs")
    edges, boards = record.edges, record.boards
    stated = zip(boards, record.table["score"], record.table["true_score"], strict=True)
    for number, (board, score, true_score) in enumerate(stated, start=1):
        duplicates, found = board.verify().duplicates, (counted_score(board, edges), board.score)
        if duplicates or found != (score, true_score):
            twice = f"{len(duplicates)} pieces occur more than once; " if duplicates else ""
            both = "{}" if edges == "all" else "{} of the counted edges and {} of all"
            said = f"{twice}{both.format(*found)} edges match, but the table states {both.format(score, true_score)}"
            raise StoreError(f"{record.name}: board {number}: {said}")


def _columns() -> list[Column]:
    return [column for column in RUN_SCHEMA if column.recorded_as]


def _text(path: Path) -> str:
    with naming(path):
        try:
            return read_bytes(path).decode()
        except UnicodeDecodeError:
            raise FileError("is not UTF-8 text") from None


def _frame(path: Path) -> pd.DataFrame:
    try:
        return pd.read_csv(
            io.StringIO(_text(path)), dtype=_TEXTS, keep_default_na=False, na_values={"seconds_limit": ""}
        )
    except (ValueError, pd.errors.ParserError) as error:
        raise StoreError(f"{path}: is not a CSV table: {error}") from None


def _over(curves: pd.DataFrame) -> str:
    return "seconds" if "seconds" in curves else "evaluations"


def _curve_columns(over: str) -> list[str]:
    return [name.format(over=over) for name in _CURVE_COLUMNS]
