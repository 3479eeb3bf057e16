"""The store: a plain directory that holds an experiment and all that came of it.

    experiment.json         the plan: every run with its settings as resolved, and its seed
    puzzle.json             the puzzle
    lock                    held by the process that works on it
    code/                   the user's own files that settings refer to, if they do
    runs/GA_1-random-normal-01/
        run.json            state, heartbeat, progress, best score, versions, machine
        trace.csv           an append-only log
        checkpoint          the state of the search, until the run is done
        board.json          the best board
        solutions.jsonl     an append-only log of all solutions, if the run searches for all

Every file but the logs is replaced as a whole. When a run resumes, its logs are first cut back to its checkpoint. Only
the process that holds the lock writes.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, TypeAdapter, ValidationError

from evo.errors import EvoError, StoreError
from evo.experiments import plan_file, trace
from evo.experiments.lock import is_locked, locked
from evo.experiments.plan import Plan, Run
from evo.experiments.plan_file import FORMAT, Content
from evo.experiments.tasks import encoded, read_puzzle
from evo.experiments.trace import Point
from evo.settings.user_code import sources_of
from puzzles.file_io import naming, read_bytes, write_bytes
from puzzles.formats.reading import decode
from puzzles.protocols import AnyBoard, AnyPuzzle

State = Literal["pending", "running", "done", "failed", "interrupted"]
STATES: tuple[State, ...] = get_args(State)


@dataclass
class Record:
    """The record of a run: the content of its run.json."""

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)

    state: State = "pending"
    started: str = ""
    heartbeat: str = ""
    """The time of the last sign of life."""
    evaluations: int = 0
    best_score: int = -1
    """The best score, of the edges that count."""
    true_score: int = -1
    """The score of the same board with all edges; -1 in records of versions in which all edges always counted."""
    seconds: float = 0.0
    solutions: int = -1
    """The number of solutions found by a search for all solutions; -1 for other searches."""
    proved: bool = False
    """Whether such a search has shown that there are no others."""
    tree_share: float = 0.0
    """An estimate of the share of its tree that such a search has done."""
    board_url: str = ""
    error: str = ""
    front: list[list[int]] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    machine: dict[str, Any] = field(default_factory=dict)


SOLUTIONS = "solutions.jsonl"
"""The file of a run with its solutions, if it searches for all of them."""
_RECORD = TypeAdapter(Record)


class Store:
    """A directory of results. Anyone may read; only the holder of the lock writes.

    Args:
        path: The directory.

    Raises:
        StoreError: It does not contain an experiment, or a damaged one.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._runs = f"{self.path}/runs/"
        content = plan_file.parse(self.path / "experiment.json", self._bytes(self.path / "experiment.json"))
        self.name, self.seed, self.created, self.runs = content.name, content.seed, content.created, content.runs
        self._puzzle_sha256, self._code = content.puzzle_sha256, content.code

    @property
    def edges(self) -> str:
        """Which edges count in the scores of all runs; see `operators.counting`."""
        return self.runs[0].edges

    @classmethod
    def create(cls, path: str | Path, plan: Plan) -> Store:
        """Create the directory of an experiment, completely or not at all.

        Raises:
            StoreError: It exists already, or cannot be created.
        """
        target = Path(path)
        temporary = target.parent / f".{target.name}.{os.getpid()}"
        puzzle = encoded(plan.puzzle)
        code = {sha256: found for run in plan.runs for sha256, found in sources_of(run.settings).items()}
        names = {sha256: f"{sha256[:12]}-{name}" for sha256, (name, _) in code.items()}
        content = Content(FORMAT, plan.name, plan.seed, now(), hashlib.sha256(puzzle).hexdigest(), plan.runs, names)
        try:
            cls.check_free(target)
            into = target if target.exists() else temporary  # an existing empty folder may be a mount or a link
            into.mkdir(parents=True, exist_ok=True)
            try:
                (into / "runs").mkdir()
                write_bytes(into / "puzzle.json", puzzle)
                if code:
                    (into / "code").mkdir()
                for sha256, (_, source) in code.items():
                    write_bytes(into / "code" / names[sha256], source.encode())
                write_bytes(into / "experiment.json", json.dumps(asdict(content), indent=1).encode())
                if into == temporary:
                    temporary.rename(target)
            except BaseException:
                shutil.rmtree(temporary, ignore_errors=True)
                raise
        except OSError as error:
            raise StoreError(f"{target}: cannot be created: {error.strerror or error}") from None
        except EvoError as error:
            raise StoreError(f"{target}: {error}") from None
        return cls(target)

    @staticmethod
    def check_free(target: Path) -> None:
        """Refuse a directory for a new experiment that is not empty."""
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            begun = (target / "experiment.json").exists()
            what = f"; `evo resume {shlex.quote(str(target))}` continues it" if begun else ""
            raise StoreError(f"{target}: already exists; refusing to overwrite it{what}")

    @cached_property
    def puzzle(self) -> AnyPuzzle:
        """The puzzle."""
        with naming(self.path / "puzzle.json"):
            return read_puzzle(self.puzzle_text)

    @cached_property
    def puzzle_text(self) -> str:
        """The puzzle as JSON."""
        path = self.path / "puzzle.json"
        with naming(path):
            content = read_bytes(path)
        if hashlib.sha256(content).hexdigest() != self._puzzle_sha256:
            raise StoreError(f"{path}: is not the puzzle with which the experiment was created")
        return content.decode()

    @property
    def has_code(self) -> bool:
        """Whether runs need code of the user's own, which is stored in the directory."""
        return bool(self._code)

    @cached_property
    def code(self) -> dict[str, str]:
        """The content of the user's own files, by its SHA-256. Nothing of it is imported here."""
        found = {}
        for sha256, name in self._code.items():
            path = self.path / "code" / name
            with naming(path):
                content = read_bytes(path)
            if hashlib.sha256(content).hexdigest() != sha256:
                raise StoreError(f"{path}: is not the code with which the experiment was created")
            found[sha256] = content.decode()
        return found

    def file(self, run: Run, name: str) -> Path:
        """Return the path of a file of a run."""
        return self.path / "runs" / run.id / name

    def records(self) -> list[tuple[Run, Record]]:
        """Return all runs with their records. A run marked as running while no process works on it was interrupted."""
        alive = is_locked(self.path)
        with plan_file.uncollected():
            found = [(run, self.record(run)) for run in self.runs]
        for _, record in found:
            if record.state == "running" and not alive:
                record.state = "interrupted"
        return found

    def record(self, run: Run) -> Record:
        """Return the record of a run."""
        path = f"{self._runs}{run.id}/run.json"  # a path of pathlib costs more than to read the file
        try:
            with open(path, "rb", buffering=0) as stream:
                return _RECORD.validate_json(stream.read())
        except FileNotFoundError:
            return Record()
        except OSError as error:
            raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
        except ValidationError as error:
            raise StoreError(f"{path}: {plan_file.what_is_wrong(error, 'the record of a run')}") from None

    def points(self, run: Run) -> list[Point]:
        """Return the trace of a run."""
        return [
            Point(int(at), seconds, int(best), mean, int(worst), diversity)
            for at, seconds, best, mean, worst, diversity in self.rows(run).tolist()
        ]

    def rows(self, run: Run) -> NDArray[np.float64]:
        """Return the trace of a run as an array with the columns of `Point`."""
        path = self.file(run, "trace.csv")
        try:
            return trace.parse_rows(self._text(path), falling=run.settings.get("reported") == "final")
        except StoreError as error:
            raise StoreError(f"{path}: {error}") from None

    def checkpoint(self, run: Run) -> bytes | None:
        """Return the last checkpoint of a run as bytes, or None."""
        path = self.file(run, "checkpoint")
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"{path}: cannot be read: {error.strerror}") from None

    def board(self, run: Run) -> AnyBoard | None:
        """Return the best board of a run, or None if it has none yet."""
        path = self.file(run, "board.json")
        with naming(path):
            return self.puzzle.read_board(decode(read_bytes(path))) if path.exists() else None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock, which allows writing."""
        with locked(self.path):
            yield

    def write_record(self, run: Run, record: Record) -> None:
        """Replace the record of a run, with a new heartbeat."""
        record.heartbeat = now()
        self._write(self.file(run, "run.json"), json.dumps(asdict(record), indent=1).encode())

    def write_checkpoint(self, run: Run, state: bytes) -> None:
        """Replace the checkpoint of a run."""
        self._write(self.file(run, "checkpoint"), state)

    def write_board(self, run: Run, board: AnyBoard) -> None:
        """Replace the best board of a run."""
        self._write(self.file(run, "board.json"), encoded(board))

    def append(self, run: Run, points: list[Point], *, safely: bool = True) -> None:
        """Append rows to the trace of a run.

        Args:
            run: The run.
            points: The rows.
            safely: Whether they, and all earlier ones, reach the disk before anything that is written later.
        """
        path = self.file(run, "trace.csv")
        head = "" if path.exists() and path.stat().st_size else trace.HEADER
        self._append(path, head + "".join(point.line() for point in points), safely=safely)

    def solution_lines(self, run: Run) -> list[str]:
        """Return the solutions of a run, a line of JSON each; a truncated last line is ignored."""
        return self._text(self.file(run, SOLUTIONS)).split("\n")[:-1]

    def append_solutions(self, run: Run, lines: list[str]) -> None:
        """Append solutions of a run; they reach the disk before anything that is written later."""
        self._append(self.file(run, SOLUTIONS), "".join(f"{line}\n" for line in lines))

    def write_solutions(self, run: Run, lines: list[str]) -> None:
        """Replace the solutions of a run."""
        self._write(self.file(run, SOLUTIONS), "".join(f"{line}\n" for line in lines).encode())

    def write_trace(self, run: Run, points: list[Point]) -> None:
        """Replace the trace of a run."""
        self._write(self.file(run, "trace.csv"), (trace.HEADER + "".join(point.line() for point in points)).encode())

    def drop(self, run: Run, name: str) -> None:
        """Remove a file of a run, if it exists."""
        self.file(run, name).unlink(missing_ok=True)

    def tidy(self) -> None:
        """Remove what a killed process has left behind."""
        for run in self.runs:
            for torn in self.file(run, "").glob(".evo-*"):
                torn.unlink(missing_ok=True)
            if self.record(run).state == "done":
                self.drop(run, "checkpoint")

    def _text(self, path: Path) -> str:
        """Return the content of a text file; nothing if it does not exist."""
        try:
            return path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise StoreError(f"{path}: is not text") from None

    def _append(self, path: Path, text: str, *, safely: bool = True) -> None:
        try:
            with open(path, "ab") as stream:
                stream.write(text.encode())
                stream.flush()
                if safely:
                    os.fsync(stream.fileno())
        except OSError as error:
            raise StoreError(f"{path}: cannot be written: {error.strerror}") from None

    def _write(self, path: Path, content: bytes) -> None:
        try:
            path.parent.mkdir(exist_ok=True)
            write_bytes(path, content, force=True)
        except OSError as error:
            raise StoreError(f"{path}: cannot be written: {error.strerror}") from None
        except EvoError as error:
            raise StoreError(f"{path}: {error}") from None

    def _bytes(self, path: Path) -> bytes:
        try:
            return path.read_bytes()
        except FileNotFoundError:
            raise StoreError(
                f"{path}: does not exist: {self.path} is not the directory of an experiment, or is incomplete"
            ) from None
        except OSError as error:
            raise StoreError(f"{path}: cannot be read: {error.strerror}") from None


def now() -> str:
    """Return the current time in ISO format."""
    return datetime.now(UTC).isoformat(timespec="seconds")
