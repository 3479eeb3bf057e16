"""The driver: hands slices to workers, stores what comes back, and loses nothing when something goes wrong."""

from __future__ import annotations

import signal
import threading
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Protocol

import numpy as np

from evo.errors import EvoError, StoreError
from evo.experiments.plan import Run
from evo.experiments.slices import Slice, Task, check_state, task_key
from evo.experiments.store import Record, Store, now
from evo.experiments.workers import WorkerDied, Workers
from puzzles import Board, Puzzle

CHECKPOINT_SECONDS = 10.0
"""How much work a crash of the driver costs at most, a slice more or less."""
HEARTBEAT_SECONDS = 2.0
_PATIENCE = 1.5
"""Seconds that slices get to end after Ctrl-C."""


class Watch(Protocol):
    """Who is told how it goes."""

    def started(self, run: Run, record: Record) -> None:
        """A run begins, or goes on."""

    def advanced(self, run: Run, record: Record) -> None:
        """A slice is done."""

    def ended(self, run: Run, record: Record) -> None:
        """A run is done, failed or interrupted."""


@dataclass
class _Active:
    """A run that is being worked on."""

    run: Run
    task: Task
    slot: int
    record: Record
    state: bytes | None
    saved: float
    """When its checkpoint was last written."""
    beat: float
    deaths: int = 0


def make_task(store: Store, run: Run) -> Task:
    """What a worker is to be told of a run."""
    text = store.puzzle_text
    return Task(task_key(text, run.settings), text, run.settings, run.seconds)


def take_up(store: Store, run: Run, *, restart: bool = False) -> bytes | None:
    """Make a run ready to go on: its state, with the trace cut to where that stands; nothing to begin with.

    Args:
        store: Where it is, locked.
        run: Which.
        restart: Whether a run begins anew whose checkpoint or trace cannot be used.

    Raises:
        StoreError: They cannot, and `restart` is not set; the message names the file.
    """
    try:
        state = store.checkpoint(run)
        evaluations = 0
        if state is not None:
            try:
                evaluations = check_state(make_task(store, run), state)
            except EvoError as error:
                raise StoreError(f"{store.file(run, 'checkpoint')}: {error}; --restart begins this run anew") from None
            if not store.points(run):
                raise StoreError(f"{store.file(run, 'trace.csv')}: is empty, though there is a checkpoint")
        if state is not None or store.file(run, "trace.csv").exists():
            store.cut(run, evaluations)
        return state
    except StoreError:
        if not restart:
            raise
        store.drop_checkpoint(run)
        store.file(run, "trace.csv").unlink(missing_ok=True)
        return None


def carry_out(store: Store, workers: Workers, watch: Watch, *, restart: bool = False) -> bool:
    """Run whatever of an experiment is not done yet; returns whether it was interrupted.

    Args:
        store: The experiment, locked by the caller.
        workers: Who runs it; the caller closes them.
        watch: Who is told.
        restart: Whether runs whose files are damaged begin anew.

    Raises:
        StoreError: The directory cannot be written to, or a checkpoint not be used. What was stored before stays.
    """
    left = [run for run in store.runs if store.record(run).state != "done"]
    states = {run.id: take_up(store, run, restart=restart) for run in left}  # all is checked before any begins
    driver = _Driver(store, workers, watch, store.puzzle)
    with _stoppable() as stopped:
        waiting = deque(left)
        try:
            while (waiting or driver.active) and not stopped.is_set():
                while waiting and len(driver.active) < workers.slots:
                    run = waiting.popleft()
                    driver.begin(run, states.pop(run.id))
                driver.collect(timeout=0.2)
            if stopped.is_set():
                driver.collect(timeout=_PATIENCE, everything=True)
        finally:
            driver.interrupt()
    return stopped.is_set()


class _Driver:
    def __init__(self, store: Store, workers: Workers, watch: Watch, puzzle: Puzzle) -> None:
        self.store, self.workers, self.watch, self.puzzle = store, workers, watch, puzzle
        self.active: dict[Future[Slice], _Active] = {}

    def begin(self, run: Run, state: bytes | None) -> None:
        """Give a run to a free slot."""
        taken = {active.slot for active in self.active.values()}
        slot = next(slot for slot in range(len(taken) + 1) if slot not in taken)
        record = self.store.record(run)
        record.state, record.error = "running", ""
        record.started = record.started or now()
        if state is None:
            record.evaluations, record.best_score, record.seconds = 0, -1, 0.0
        self.store.write_record(run, record)
        self.watch.started(run, record)
        moment = time.monotonic()
        self._submit(_Active(run, make_task(self.store, run), slot, record, state, moment, moment))

    def collect(self, timeout: float, *, everything: bool = False) -> None:
        """Store the slices that are done, and go on with their runs, unless everything is to end."""
        deadline = time.monotonic() + timeout
        while self.active:
            done, _ = wait(self.active, max(0.0, deadline - time.monotonic()), FIRST_COMPLETED)
            for future in done:
                active = self.active[future]
                again = self._stored(active, future)
                del self.active[future]  # not before its outcome is safe
                if again and everything:
                    self._set_aside(active)
                elif again:
                    self._submit(active)
            if not everything or not done:
                return

    def interrupt(self) -> None:
        """Note where the runs stand that are not over. Nothing is lost but the slices at work."""
        for active in self.active.values():
            self._set_aside(active)
        self.active.clear()

    def _submit(self, active: _Active) -> None:
        self.active[self.workers.submit(active.slot, active.task, active.state)] = active

    def _stored(self, active: _Active, future: Future[Slice]) -> bool:
        """Store what came of a slice; returns whether the run goes on."""
        try:
            slice = future.result()
        except WorkerDied:
            active.deaths += 1
            if active.deaths < 2:
                return True  # once more from where it stood
            return self._failed(active, "its worker died twice: killed, or out of memory")
        except Exception as error:
            return self._failed(
                active, f"{type(error).__name__}: {error}" if not isinstance(error, EvoError) else str(error)
            )
        run, record = active.run, active.record
        self.store.append(run, slice.points)
        active.state = slice.state
        record.evaluations, record.seconds = slice.evaluations, slice.seconds
        record.versions, record.machine, record.front = slice.versions, slice.machine, slice.front
        if slice.best_score > record.best_score:
            record.best_score = slice.best_score
            record.board_url = self._board(slice).to_url()
        if slice.over:
            self.store.write_board(run, self._board(slice))
            record.state = "done"
            self.store.write_record(run, record)
            self.store.drop_checkpoint(run)
            self.watch.ended(run, record)
            return False
        self._keep_safe(active, slice)
        self.watch.advanced(run, record)
        return True

    def _keep_safe(self, active: _Active, slice: Slice) -> None:
        moment = time.monotonic()
        if moment - active.saved >= CHECKPOINT_SECONDS:
            self.store.write_board(active.run, self._board(slice))
            self.store.write_checkpoint(active.run, slice.state)
            active.saved = moment
        if moment - active.beat >= HEARTBEAT_SECONDS:
            self.store.write_record(active.run, active.record)
            active.beat = moment

    def _failed(self, active: _Active, error: str) -> bool:
        if active.state is not None:
            self.store.write_checkpoint(active.run, active.state)
        active.record.state, active.record.error = "failed", " ".join(error.split())[:300]
        self.store.write_record(active.run, active.record)
        self.watch.ended(active.run, active.record)
        return False

    def _set_aside(self, active: _Active) -> None:
        if active.state is not None:
            self.store.write_checkpoint(active.run, active.state)
        active.record.state = "interrupted"
        self.store.write_record(active.run, active.record)
        self.watch.ended(active.run, active.record)

    def _board(self, slice: Slice) -> Board:
        return Board(self.puzzle, np.array(slice.best_cells, dtype=np.uint16))


@contextmanager
def _stoppable() -> Iterator[threading.Event]:
    """An event that Ctrl-C and a polite kill set; the second Ctrl-C is the ordinary one."""
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def stop(number: int, frame: FrameType | None) -> None:
        stopped.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    for number in before:
        signal.signal(number, stop)
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
