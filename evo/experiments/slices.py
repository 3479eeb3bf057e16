"""Slices: a run is made of slices of about a second, each of which begins in the state in which the previous one ended.

A slice is a pure function: task and state in, trace rows and state out. It needs no files, so it can run in this
process, in another one, or on another machine; a slice that is lost with its worker is run again.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from evo.errors import StoreError
from evo.experiments import checkpoint
from evo.experiments.machine import machine, toolchain, versions, versions_text
from evo.experiments.states import Held, Lost
from evo.experiments.tasks import read_puzzle
from evo.experiments.trace import Point, Recorder, point_of
from evo.experiments.warmup import warm, warm_up_runs
from evo.settings import user_code
from evo.settings.base import RunSettings, make_search
from evo.settings.registry import make_settings
from puzzles.protocols import AnyPuzzle
from solvers import Enumeration, PopulationSearch, Progress, Search, SolverError, State, Tally


class Resumable(Protocol):
    """The part of a search that a state is taken of."""

    rng: np.random.Generator

    def state(self) -> State:
        """Return the state."""

    def restore(self, state: State) -> None:
        """Continue from a state."""


class WorkerVersionError(StoreError):
    """A worker that came later has other versions than the driver; what it computes might differ."""


@dataclass(frozen=True)
class Task:
    """Everything that determines a run, as plain values that can be sent to a worker."""

    key: str
    """The fingerprint that a checkpoint of this run contains."""
    puzzle: str
    """The puzzle as JSON."""
    settings: dict[str, Any]
    seconds: float | None
    """The budget of the run in seconds, if it has one."""
    versions: dict[str, str | None] = field(default_factory=toolchain)
    """What the worker must have too, so that it computes the same."""
    code: dict[str, str] = field(default_factory=dict)
    """The content of the user's own files that the settings refer to, by its SHA-256."""


@dataclass(frozen=True)
class Slice:
    """The outcome of a slice."""

    points: list[Point]
    state: bytes | Held | None
    """The state of the run after the slice: a checkpoint; on a cluster it is held by the worker."""
    over: bool
    evaluations: int
    best_score: int
    best_cells: list[list[int]]
    """The best board; empty if the driver has it already."""
    seconds: float
    """The computing time of the whole run so far."""
    front: list[list[int]]
    """The non-dominated objectives of the final population, when the run is over."""
    tally: Tally | None
    """What a search for all solutions has found so far; None for other searches."""
    found: list[list[list[int]]]
    """The solutions that it has found in this slice."""
    versions: dict[str, str]
    machine: dict[str, Any]


def run_slice(
    task: Task, state: bytes | Lost | None, length: float, *, hurried: Callable[[], bool] = lambda: False
) -> Slice:
    """Run a slice, and return its outcome.

    Args:
        task: The run.
        state: The state after the previous slice; None at the start. One that was lost is computed again first.
        length: The approximate length of the slice in seconds.
        hurried: Returns whether the slice should end at once.

    Raises:
        ConfigError: The settings do not fit the puzzle.
        WorkerVersionError: This worker has other versions than the driver.
        StoreError: The state does not belong to this run, or is another one when computed again.
    """
    check_versions(task)
    puzzle, settings = puzzle_of(task), settings_of(task)
    warm(puzzle, settings)
    search = make_search(puzzle, settings)
    if isinstance(state, Lost) and state.earlier and checkpoint.fingerprint(state.earlier) == state.fingerprint:
        state = state.earlier  # it was sent just before it was lost
    recorder, before, last = take_up(search, task, state.earlier if isinstance(state, Lost) else state)
    reports = search.reports()
    if isinstance(state, Lost):
        last, before = _compute_again(search, task, recorder, reports, state), state.seconds
    known = len(search.solutions()) if isinstance(search, Enumeration) else 0
    least = task.settings.get("population", 1)  # an initial population is made as a whole, and reported afterwards
    points: list[Point] = []
    over, start = True, time.perf_counter()
    for progress in reports:
        if not recorder.is_new(progress):
            continue
        last, seconds = progress, before + time.perf_counter() - start
        if recorder.wants(progress):
            points.append(point_of(search, progress, seconds))
        if task.seconds is not None and seconds >= task.seconds and progress.evaluations >= least:
            break
        if seconds - before >= length or hurried():
            over = False
            break
    assert last is not None  # a search reports at least once, and a state contains the last report
    seconds = before + time.perf_counter() - start
    if over and recorder.wants_last(last):
        points.append(point_of(search, last, seconds))
    return Slice(
        points,
        put_down(search, task, recorder, seconds, last),
        over,
        last.evaluations,
        last.best_score,
        last.best_cells.tolist(),
        seconds,
        search.front().tolist() if over and isinstance(search, PopulationSearch) else [],
        search.tally() if isinstance(search, Enumeration) else None,
        [cells.reshape(puzzle.shape).tolist() for cells in search.solutions()[known:]]
        if isinstance(search, Enumeration)
        else [],
        versions(),
        machine(),
    )


def _compute_again(search: Search, task: Task, recorder: Recorder, reports: Iterator[Progress], lost: Lost) -> Progress:
    """Compute up to a state that was lost, and return its last report.

    Raises:
        StoreError: The run comes to another state, as it may on a machine that rounds differently.
    """
    for progress in reports:
        if recorder.is_new(progress):
            recorder.wants(progress)
        if progress.evaluations >= lost.evaluations:
            again = put_down(search, task, recorder, 0.0, progress)
            if checkpoint.fingerprint(again) == lost.fingerprint:
                return progress
            break
    raise StoreError("computed again after its worker was lost, the run took another course; do the machines differ?")


def check_versions(task: Task) -> None:
    """Refuse a task whose driver has other versions than this worker.

    Raises:
        WorkerVersionError: It has.
    """
    if task.versions != toolchain():
        raise WorkerVersionError(
            f"a worker has {versions_text(toolchain())}, but here is {versions_text(task.versions)}; install the same"
        )


def warm_task(task: Task) -> None:
    """Make this process ready for a task."""
    warm(puzzle_of(task), settings_of(task))


def distinct_tasks(tasks: Iterable[Task]) -> list[Task]:
    """Return one task for each set of compiled functions that tasks need."""
    return list({tuple(warm_up_runs(settings_of(task))): task for task in tasks}.values())


class Standing(NamedTuple):
    """How far a run is, according to its checkpoint."""

    last: Progress
    seconds: float
    written: int
    """The evaluations of the last row of its trace."""
    tally: Tally | None
    """What it has found, if it searches for all solutions."""
    solutions: int
    """The number of its solutions that are kept."""


def standing(task: Task, state: bytes) -> Standing:
    """Return how far the run of a state is, after checking that the state belongs to the task.

    Raises:
        StoreError: It does not.
    """
    search = make_search(puzzle_of(task), settings_of(task))
    recorder, seconds, last = take_up(search, task, state)
    assert last is not None
    tally, kept = (search.tally(), len(search.solutions())) if isinstance(search, Enumeration) else (None, 0)
    return Standing(last, seconds, recorder.state()["written"], tally, kept)


@lru_cache(maxsize=8)
def _puzzle(text: str) -> AnyPuzzle:
    return read_puzzle(text)


def puzzle_of(task: Task) -> AnyPuzzle:
    """Return the puzzle of a run."""
    return _puzzle(task.puzzle)


def settings_of(task: Task) -> RunSettings:
    """Return the settings of a run, and make the user's own code that they refer to available."""
    user_code.provide(task.code)
    return make_settings(task.settings)


def put_down(search: Resumable, task: Task, recorder: Recorder, seconds: float, last: Progress) -> bytes:
    """Return the state of a run as bytes."""
    values = {
        "key": task.key,
        "rng": search.rng.bit_generator.state,
        "recorder": recorder.state(),
        "seconds": seconds,
        "last": [last.evaluations, last.best_score, last.mean, last.worst],
    }
    return checkpoint.encode(values, search.state() | {"last_cells": last.best_cells})


def take_up(search: Resumable, task: Task, state: bytes | None) -> tuple[Recorder, float, Progress | None]:
    """Restore a search; return the recorder, the seconds spent and the last report."""
    if state is None:
        return Recorder(task.settings["evaluations"]), 0.0, None
    values, arrays = checkpoint.decode(state)
    if values.get("key") != task.key:
        raise StoreError("belongs to another run")
    try:
        cells = arrays.pop("last_cells").astype(np.uint16)
        evaluations, best, mean, worst = values["last"]
        search.restore(arrays)
        search.rng.bit_generator.state = values["rng"]
        recorder = Recorder(task.settings["evaluations"], values["recorder"])
        last = Progress(int(evaluations), int(best), cells, float(mean), int(worst), puzzle_of(task))
        return recorder, float(values["seconds"]), last
    except (SolverError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise StoreError(f"is not a checkpoint of this run: {error}") from None


def task_key(puzzle: str, settings: dict[str, Any]) -> str:
    """Return a fingerprint of everything that determines a run."""
    return hashlib.sha256(f"{puzzle}\n{json.dumps(settings, sort_keys=True)}".encode()).hexdigest()
