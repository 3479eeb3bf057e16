"""The driver: hands slices to workers, stores their outcomes, and loses nothing when something goes wrong."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections import deque
from collections.abc import Container
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from evo.errors import EvoError, StoreError
from evo.experiments.plan import Run
from evo.experiments.slices import Slice, Task, WorkerVersionError, standing, task_key
from evo.experiments.states import Held, Lost, RunState, StateLost
from evo.experiments.store import SOLUTIONS, Record, Store, now
from evo.experiments.workers import WorkerDied, Workers
from operators import counted_score
from puzzles import Board, Puzzle, PuzzleError
from puzzles.protocols import AnyBoard, AnyPuzzle
from solvers import Tally

CHECKPOINT_SECONDS = 10.0
"""The time between two checkpoints: the work that a crash of the driver can cost, give or take a slice."""
HEARTBEAT_SECONDS = 2.0
_RECORDS = 15
"""The records that are written per second at most: the heartbeats of many runs are slower."""


class Watch(Protocol):
    """An observer of a running experiment."""

    def started(self, run: Run, record: Record) -> None:
        """A run starts or resumes."""

    def advanced(self, run: Run, record: Record) -> None:
        """A slice of a run has finished."""

    def ended(self, run: Run, record: Record) -> None:
        """A run has finished, failed, or was interrupted."""


class Unwatched:
    """An observer that does nothing."""

    def started(self, run: Run, record: Record) -> None:
        """Do nothing."""

    def advanced(self, run: Run, record: Record) -> None:
        """Do nothing."""

    def ended(self, run: Run, record: Record) -> None:
        """Do nothing."""


@dataclass
class _Active:
    """A run in progress."""

    run: Run
    task: Task
    slot: int
    record: Record
    state: RunState
    saved: float
    """When its checkpoint was last written."""
    beat: float
    deaths: int = 0
    best_cells: list[list[int]] | None = None
    """The board of the record; None if there is none since the run began or was resumed."""
    is_stored: bool = True
    """Whether this board has been stored."""
    is_safe: bool = True
    """Whether its state is here or in its checkpoint, and not only with a worker of a cluster."""


def make_task(store: Store, run: Run) -> Task:
    """Return what a worker needs to know about a run."""
    text = store.puzzle_text
    return Task(task_key(text, run.settings), text, run.settings, run.seconds, code=store.code)


def take_up(store: Store, run: Run, *, restart: bool = False) -> bytes | None:
    """Prepare a run to continue, and return its state; None if it starts from the beginning.

    The record and the trace are set back to the checkpoint.

    Args:
        store: The experiment, locked by the caller.
        run: The run.
        restart: Whether a run starts again if its checkpoint or trace cannot be used.

    Raises:
        StoreError: They cannot be used, and `restart` is not set; the message names the file.
    """
    task, state = make_task(store, run), store.checkpoint(run)
    if state is not None:
        try:
            _go_back(store, run, task, state)
            return state
        except StoreError as error:
            if not restart:
                raise StoreError(f"{error}; --restart starts this run again") from None
    for name in ("checkpoint", "trace.csv", "board.json", SOLUTIONS):
        store.drop(run, name)
    return None


def _go_back(store: Store, run: Run, task: Task, state: bytes) -> None:
    """Set everything about a run back to its checkpoint."""
    try:
        stands = standing(task, state)
    except EvoError as error:
        raise StoreError(f"{store.file(run, 'checkpoint')}: {error}") from None
    points = [point for point in store.points(run) if point.evaluations <= stands.last.evaluations]
    if not points or points[-1].evaluations != stands.written:
        raise StoreError(f"{store.file(run, 'trace.csv')}: lacks rows that were written before the checkpoint")
    store.write_trace(run, points)
    lines = store.solution_lines(run)[: stands.solutions]
    if len(lines) < stands.solutions:
        raise StoreError(f"{store.file(run, SOLUTIONS)}: lacks solutions that were written before the checkpoint")
    if stands.tally is not None:
        store.write_solutions(run, lines)
    board = store.puzzle.board(stands.last.best_cells)
    store.write_board(run, board)
    record = store.record(run)
    record.evaluations, record.seconds = stands.last.evaluations, stands.seconds
    record.best_score, record.true_score = counted_score(board, run.edges), board.score
    record.board_url = _link(board)
    _note_tally(record, stands.tally)
    store.write_record(run, record)


def carry_out(store: Store, workers: Workers, watch: Watch, left: Container[str], stopped: threading.Event) -> None:
    """Carry out the runs of an experiment that are not done, until all are or the event is set.

    Args:
        store: The experiment, locked by the caller.
        workers: The workers; the caller closes them.
        watch: The observer.
        left: The ids of the remaining runs, all of which `take_up` has prepared.
        stopped: Set by somebody else to stop.

    Raises:
        StoreError: The directory cannot be written. What was stored before stays intact.
    """
    driver = _Driver(store, workers, watch)
    waiting = deque(run for run in store.runs if run.id in left)
    try:
        while (waiting or driver.active) and not stopped.is_set():
            while waiting and len(driver.active) < workers.slots and not stopped.is_set():
                driver.begin(waiting.popleft())
            driver.collect(timeout=0.2)
        if stopped.is_set():
            workers.hurry()
            driver.collect(timeout=workers.patience, everything=True)
    finally:
        driver.interrupt()


class _Driver:
    def __init__(self, store: Store, workers: Workers, watch: Watch) -> None:
        self.store, self.workers, self.watch = store, workers, watch
        self.active: dict[Future[Slice], _Active] = {}
        self._finished: queue.SimpleQueue[Future[Slice]] = queue.SimpleQueue()

    def begin(self, run: Run) -> None:
        """Assign a run to a free slot."""
        state = self.store.checkpoint(run)
        taken = {active.slot for active in self.active.values()}
        slot = next(slot for slot in range(len(taken) + 1) if slot not in taken)
        record = self.store.record(run)
        record.state, record.error = "running", ""
        record.started = record.started or now()
        if state is None:
            record = Record("running", record.started)
        self.store.write_record(run, record)
        self._tell("started", run, record)
        moment = time.monotonic()
        self._submit(_Active(run, make_task(self.store, run), slot, record, state, moment, moment))

    def collect(self, timeout: float, *, everything: bool = False) -> None:
        """Store the slices that have finished, and continue their runs.

        Args:
            timeout: The longest time to wait, in seconds.
            everything: Whether everything is to stop: only runs whose states are not here continue, to bring them.
        """
        deadline = time.monotonic() + timeout
        while self.active:
            done = self._next_finished(deadline - time.monotonic())
            for future in done:
                active = self.active[future]
                again = self._stored(active, future)
                del self.active[future]  # not before its outcome is stored
                self._tell("advanced" if again else "ended", active.run, active.record)
                if again and everything and active.is_safe:
                    self._set_aside(active)
                elif again:
                    self._submit(active)
            if not everything or not done:
                return

    def _next_finished(self, timeout: float) -> list[Future[Slice]]:
        """Wait for a slice to finish; return all that have."""
        try:
            done = [self._finished.get(timeout=max(0.0, timeout))]
        except queue.Empty:
            return []
        return done + [self._finished.get() for _ in range(self._finished.qsize())]

    def interrupt(self) -> None:
        """Store the state of all active runs. Only the slices in progress are lost."""
        errors = []
        for active in self.active.values():
            try:
                self._set_aside(active)
            except StoreError as error:  # the next one may still be stored
                errors.append(error)
        self.active.clear()
        if errors:
            raise errors[0]

    def _submit(self, active: _Active) -> None:
        try:
            future = self.workers.submit(active.slot, active.task, active.state)
            self.active[future] = active
            future.add_done_callback(self._finished.put)
        except EvoError:  # the workers are gone
            self._set_aside(active)
            raise

    def _stored(self, active: _Active, future: Future[Slice]) -> bool:
        """Store the outcome of a slice; return whether the run continues."""
        try:
            slice = future.result()
        except (WorkerDied, StateLost) as lost:
            active.deaths += isinstance(lost, WorkerDied)
            if active.deaths < 2:
                self._go_back(active)
                return True  # try again from the same state
            return self._failed(active, "its worker died twice: killed, or out of memory")
        except WorkerVersionError:  # all runs are put down; none has failed
            raise
        except Exception as error:
            return self._failed(
                active, f"{type(error).__name__}: {error}" if not isinstance(error, EvoError) else str(error)
            )
        run, record = active.run, active.record
        held = isinstance(slice.state, Held)
        self.store.append(run, slice.points, safely=not held)
        if slice.found:
            self.store.append_solutions(run, [_solution_line(self.store.puzzle, cells) for cells in slice.found])
        _note_tally(record, slice.tally)
        active.state, active.deaths = slice.state, 0
        record.evaluations, record.seconds = slice.evaluations, slice.seconds
        record.versions, record.machine, record.front = slice.versions, slice.machine, slice.front
        if slice.best_score != record.best_score or slice.best_cells not in ([], active.best_cells):
            active.best_cells, active.is_stored = slice.best_cells or active.best_cells, False
            board = self.store.puzzle.board(np.array(active.best_cells, dtype=np.uint16))
            record.best_score, record.true_score, record.board_url = slice.best_score, board.score, _link(board)
        if not slice.over:
            self._keep_safe(active)
            return True
        record.state = "done"
        self._write(active)
        self.store.drop(run, "checkpoint")
        return False

    def _keep_safe(self, active: _Active) -> None:
        """Write a checkpoint and a record if they are due; a worker that keeps the states of its runs sends some."""
        moment, state = time.monotonic(), active.state
        active.is_safe = not isinstance(state, Held) or state.whole is not None
        if isinstance(state, Held):
            if state.whole is not None:
                self.store.append(active.run, [])  # the rows reach the disk first
                self.store.write_checkpoint(active.run, state.whole)
                active.state = replace(state, whole=None)
        elif moment - active.saved >= CHECKPOINT_SECONDS:
            self._write_state(active)
            active.saved = moment
        if moment - active.beat >= max(HEARTBEAT_SECONDS, len(self.active) / _RECORDS):
            self._write(active)
            active.beat = moment

    def _go_back(self, active: _Active) -> None:
        """Let a run whose state is lost be computed again from its last checkpoint."""
        if isinstance(active.state, Held):
            earlier, record = self.store.checkpoint(active.run), active.record
            active.state = Lost(earlier, record.evaluations, record.seconds, active.state.fingerprint)
            active.is_safe = False

    def _write(self, active: _Active) -> None:
        """Write the record of a run, and its best board if it is another one."""
        if not active.is_stored:
            board = self.store.puzzle.board(np.array(active.best_cells, dtype=np.uint16))
            self.store.write_board(active.run, board)
            active.is_stored = True
        self.store.write_record(active.run, active.record)

    def _write_state(self, active: _Active) -> None:
        """Write the checkpoint of a run, unless the last one is all that there is of its state."""
        if isinstance(active.state, bytes):
            self.store.write_checkpoint(active.run, active.state)

    def _failed(self, active: _Active, error: str) -> bool:
        self._write_state(active)
        active.record.state, active.record.error = "failed", " ".join(error.split())[:300]
        self._write(active)
        return False

    def _set_aside(self, active: _Active) -> None:
        self._write_state(active)
        active.record.state = "interrupted"
        self._write(active)
        self._tell("ended", active.run, active.record)

    def _tell(self, what: str, run: Run, record: Record) -> None:
        """Notify the observer; one that cannot write any more, because its pipe is closed, does not end the work."""
        try:
            getattr(self.watch, what)(run, record)
        except OSError:
            self.watch = Unwatched()


def _note_tally(record: Record, tally: Tally | None) -> None:
    if tally is not None:
        record.solutions, record.proved, record.tree_share = tally.solutions, tally.proved, tally.share


def _solution_line(puzzle: AnyPuzzle, cells: list[list[int]]) -> str:
    """Return a solution as JSON: pieces, numbered from 1, rotations and a link; or its cells, if it has no pieces."""
    if not isinstance(puzzle, Puzzle):
        return json.dumps({"cells": cells})
    pieces = [[cell // 4 + 1 for cell in row] for row in cells]
    rotations = [[cell % 4 for cell in row] for row in cells]
    url = _link(Board(puzzle, np.array(cells, dtype=np.uint16)))
    return json.dumps({"pieces": pieces, "rotations": rotations, "url": url})


def _link(board: AnyBoard) -> str:
    """Return the link to a board; empty if there is none, as of a puzzle with more colours than links have letters."""
    try:
        return board.to_url()
    except PuzzleError:
        return ""
