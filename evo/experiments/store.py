"""The store: a plain directory that holds an experiment and all that came of it.

    experiment.json         the plan: every run with its settings as resolved, and its seed
    puzzle.json             what is being solved
    lock                    held by the process that works on it
    runs/GA_1-random-normal-01/
        run.json            state, heartbeat, how far it is, its best score, versions, machine
        trace.csv           an append-only log
        checkpoint          where it stands, while it is not done
        board.json          the best board

Every file but the trace is replaced as a whole. The trace of a run that goes on is first cut to where its checkpoint
stands. Only the process that holds the lock writes.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from evo.errors import StoreError
from evo.experiments import trace
from evo.experiments.lock import is_locked, locked
from evo.experiments.plan import Plan, Run
from evo.experiments.trace import Point
from puzzles import Board, Puzzle, PuzzleError, files
from puzzles.disk import read_bytes, write_bytes
from puzzles.files import naming
from puzzles.saving import encode

FORMAT = 1
STATES = ("pending", "running", "done", "failed", "interrupted")


@dataclass
class Record:
    """What is known of a run: the content of its run.json."""

    state: str = "pending"
    started: str = ""
    heartbeat: str = ""
    """When it was last heard of."""
    evaluations: int = 0
    best_score: int = -1
    seconds: float = 0.0
    board_url: str = ""
    error: str = ""
    front: list[list[int]] = field(default_factory=list)
    versions: dict[str, str] = field(default_factory=dict)
    machine: dict[str, Any] = field(default_factory=dict)


class Store:
    """A directory of results, open for reading; writing is for whoever holds the lock.

    Args:
        path: The directory.

    Raises:
        StoreError: It holds no experiment, or one that cannot be read.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        plan = self._json(self.path / "experiment.json")
        try:
            if plan["format"] != FORMAT:
                raise StoreError(f"{self.path / 'experiment.json'}: is of format {plan['format']!r:.20}, not {FORMAT}")
            self.name, self.seed, self.created = str(plan["name"]), int(plan["seed"]), str(plan["created"])
            self.runs = [Run(**run) for run in plan["runs"]]
            if any("/" in run.id or run.id in ("", ".", "..") for run in self.runs):
                raise TypeError
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, StoreError):
                raise
            raise StoreError(f"{self.path / 'experiment.json'}: is not the plan of an experiment") from None

    @classmethod
    def create(cls, path: str | Path, plan: Plan) -> Store:
        """Make the directory of an experiment, whole or not at all.

        Raises:
            StoreError: It is there already, or cannot be made.
        """
        target = Path(path)
        temporary = target.parent / f".{target.name}.{os.getpid()}"
        content = {
            "format": FORMAT,
            "name": plan.name,
            "seed": plan.seed,
            "created": now(),
            "runs": [asdict(run) for run in plan.runs],
        }
        try:
            if target.exists() and (not target.is_dir() or any(target.iterdir())):
                what = f"; `evo resume {target}` goes on with it" if (target / "experiment.json").exists() else ""
                raise StoreError(f"{target}: is there already, and is not written to{what}")
            temporary.mkdir(parents=True)
            try:
                write_bytes(temporary / "puzzle.json", encode(plan.puzzle, "json"))
                write_bytes(temporary / "experiment.json", json.dumps(content, indent=1).encode())
                (temporary / "runs").mkdir()
                temporary.rename(target)
            except BaseException:
                shutil.rmtree(temporary, ignore_errors=True)
                raise
        except OSError as error:
            raise StoreError(f"{target}: cannot be made: {error.strerror or error}") from None
        except PuzzleError as error:
            raise StoreError(f"{target}: {error}") from None
        return cls(target)

    @cached_property
    def puzzle(self) -> Puzzle:
        """What is being solved."""
        return files.load(self.path / "puzzle.json")

    @cached_property
    def puzzle_text(self) -> str:
        """What is being solved, as JSON."""
        with naming(self.path / "puzzle.json"):
            return read_bytes(self.path / "puzzle.json").decode()

    def file(self, run: Run, name: str) -> Path:
        """The path of one of a run's files."""
        return self.path / "runs" / run.id / name

    def records(self) -> list[tuple[Run, Record]]:
        """What is known of every run. One that says it is running, when nobody works on it, was interrupted."""
        alive = is_locked(self.path)
        found = [(run, self.record(run)) for run in self.runs]
        for _, record in found:
            if record.state == "running" and not alive:
                record.state = "interrupted"
        return found

    def record(self, run: Run) -> Record:
        """What is known of a run."""
        path = self.file(run, "run.json")
        if not path.exists():
            return Record()
        try:
            record = Record(**self._json(path))
            if record.state not in STATES:
                raise TypeError
            return record
        except TypeError:
            raise StoreError(f"{path}: is not the record of a run") from None

    def points(self, run: Run) -> list[Point]:
        """The trace of a run."""
        path = self.file(run, "trace.csv")
        try:
            return trace.parse(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise StoreError(f"{path}: is not text") from None
        except StoreError as error:
            raise StoreError(f"{path}: {error}") from None

    def checkpoint(self, run: Run) -> bytes | None:
        """The last checkpoint of a run, unread; nothing when there is none."""
        path = self.file(run, "checkpoint")
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"{path}: cannot be read: {error.strerror}") from None

    def board(self, run: Run, record: Record) -> Board:
        """The best board of a run that has one: of one at work, the board that its record links to."""
        path = self.file(run, "board.json")
        if record.state == "done":
            return files.load_board(path, self.puzzle)
        with naming(self.file(run, "run.json")):
            return Board.from_url(record.board_url, self.puzzle)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Be the only one who writes."""
        with locked(self.path):
            yield

    def write_record(self, run: Run, record: Record) -> None:
        """Replace what is known of a run, as of now."""
        record.heartbeat = now()
        self._write(self.file(run, "run.json"), json.dumps(asdict(record), indent=1).encode())

    def write_checkpoint(self, run: Run, state: bytes) -> None:
        """Replace the checkpoint of a run."""
        self._write(self.file(run, "checkpoint"), state)

    def write_board(self, run: Run, board: Board) -> None:
        """Replace the best board of a run."""
        self._write(self.file(run, "board.json"), encode(board, "json"))

    def append(self, run: Run, points: list[Point]) -> None:
        """Add rows to the trace of a run; they are on the disk before anything that comes after them."""
        path = self.file(run, "trace.csv")
        try:
            with open(path, "ab") as stream:
                head = "" if stream.tell() else trace.HEADER
                stream.write((head + "".join(point.line() for point in points)).encode())
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise StoreError(f"{path}: cannot be written: {error.strerror}") from None

    def cut(self, run: Run, evaluations: int) -> None:
        """Keep the rows of a trace up to so many evaluations, and forget what came after."""
        kept = [point for point in self.points(run) if point.evaluations <= evaluations]
        self._write(self.file(run, "trace.csv"), (trace.HEADER + "".join(point.line() for point in kept)).encode())

    def drop_checkpoint(self, run: Run) -> None:
        """Forget where a run stood."""
        self.file(run, "checkpoint").unlink(missing_ok=True)

    def _write(self, path: Path, content: bytes) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(path, content, force=True)
        except OSError as error:
            raise StoreError(f"{path}: cannot be written: {error.strerror}") from None
        except PuzzleError as error:
            raise StoreError(f"{path}: {error}") from None

    def _json(self, path: Path) -> dict[str, Any]:
        try:
            content = json.loads(path.read_bytes())
        except FileNotFoundError:
            raise StoreError(f"{path}: is not there: {self.path} holds no experiment, or not all of one") from None
        except OSError as error:
            raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
        except (ValueError, RecursionError):
            raise StoreError(f"{path}: is damaged: it is not JSON") from None
        if not isinstance(content, dict):
            raise StoreError(f"{path}: is damaged: it is not a JSON object")
        return content


def now() -> str:
    """The time, in words that sort."""
    return datetime.now(UTC).isoformat(timespec="seconds")
