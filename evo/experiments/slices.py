"""Slices: a run is worked off a second or so at a time, each slice from where the one before it ended.

A slice is a pure function: task and state in, trace rows and state out. It needs no files, so it runs in this process,
in another one, or on another machine alike; and one that is lost with its worker is simply run again.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from evo import __version__
from evo.engine.evolution_search import Evolution
from evo.engine.runner import make_search
from evo.errors import ConfigError, StoreError
from evo.experiments import checkpoint
from evo.experiments.machine import machine, versions
from evo.experiments.trace import Point, Recorder
from evo.experiments.warmup import warm
from evo.settings.evolution import make_settings
from puzzles import Puzzle, files
from solvers import Progress, Search, SolverError


@dataclass(frozen=True)
class Task:
    """All that makes a run what it is, in plain values that travel."""

    key: str
    """What a checkpoint must have to belong to this run."""
    puzzle: str
    """The puzzle as JSON."""
    settings: dict[str, Any]
    seconds: float | None
    """The time a run may take, if that is limited."""
    version: str = __version__


@dataclass(frozen=True)
class Slice:
    """What came of a slice."""

    points: list[Point]
    state: bytes
    """Where the run stands now: a checkpoint."""
    over: bool
    evaluations: int
    best_score: int
    best_cells: list[list[int]]
    seconds: float
    """Of the whole run so far."""
    front: list[list[int]]
    """The objectives of the population that nothing in it dominates, when the run is over."""
    versions: dict[str, str]
    machine: dict[str, Any]


def run_slice(task: Task, state: bytes | None, length: float) -> Slice:
    """Work off a part of a run.

    Args:
        task: What to run.
        state: Where the slice before ended; nothing at the start.
        length: About how many seconds to work.

    Raises:
        ConfigError: The settings do not fit the puzzle, or this machine has another version of the project.
        StoreError: The state is not one of this run.
    """
    if task.version != __version__:
        raise ConfigError(f"a worker has evo {__version__}, and the driver {task.version}")
    puzzle = _puzzle(task.puzzle)
    warm(puzzle, task.settings["algorithm"])
    search = make_search(puzzle, make_settings(task.settings))
    recorder, before, last = _take_up(search, task, state)
    least = task.settings.get("population", 1)  # a population is made whole, and then reported as it came about
    points: list[Point] = []
    over, start = True, time.perf_counter()
    for progress in search.reports():
        if not recorder.is_new(progress):
            continue
        last, seconds = progress, before + time.perf_counter() - start
        if recorder.wants(progress):
            points.append(_point(search, progress, seconds))
        if task.seconds is not None and seconds >= task.seconds and progress.evaluations >= least:
            break
        if seconds - before >= length:
            over = False
            break
    assert last is not None  # a search reports at least once, and a state holds the last report
    seconds = before + time.perf_counter() - start
    if over and recorder.wants_last(last):
        points.append(_point(search, last, seconds))
    return Slice(
        points,
        _put_down(search, task, recorder, seconds, last),
        over,
        last.evaluations,
        last.best_score,
        last.best_cells.tolist(),
        seconds,
        search.front().tolist() if over and isinstance(search, Evolution) else [],
        versions(),
        machine(),
    )


class Standing(NamedTuple):
    """Where a run stands, according to its checkpoint."""

    last: Progress
    seconds: float
    written: int
    """The evaluations of the last row of its trace."""


def standing(task: Task, state: bytes) -> Standing:
    """Where a state stands, after making sure that it is one of this task.

    Raises:
        StoreError: It is not.
    """
    search = make_search(_puzzle(task.puzzle), make_settings(task.settings))
    recorder, seconds, last = _take_up(search, task, state)
    assert last is not None
    return Standing(last, seconds, recorder.state()["written"])


@lru_cache(maxsize=8)
def _puzzle(text: str) -> Puzzle:
    puzzle = files.parse(text.encode(), "puzzle")
    assert isinstance(puzzle, Puzzle)
    return puzzle


def _point(search: Search, progress: Progress, seconds: float) -> Point:
    diversity = search.diversity(progress.evaluations) if isinstance(search, Evolution) else float("nan")
    return Point(progress.evaluations, seconds, progress.best_score, progress.mean, progress.worst, diversity)


def _put_down(search: Search, task: Task, recorder: Recorder, seconds: float, last: Progress) -> bytes:
    values = {
        "key": task.key,
        "rng": search.rng.bit_generator.state,
        "recorder": recorder.state(),
        "seconds": seconds,
        "last": [last.evaluations, last.best_score, last.mean, last.worst],
    }
    return checkpoint.encode(values, search.state() | {"last_cells": last.best_cells})


def _take_up(search: Search, task: Task, state: bytes | None) -> tuple[Recorder, float, Progress | None]:
    """Put a search to where a state says; returns also the seconds spent, and the last report."""
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
        last = Progress(int(evaluations), int(best), cells, float(mean), int(worst), _puzzle(task.puzzle))
        return recorder, float(values["seconds"]), last
    except (SolverError, KeyError, TypeError, ValueError) as error:
        raise StoreError(f"is not a checkpoint of this run: {error}") from None


def task_key(puzzle: str, settings: dict[str, Any]) -> str:
    """A fingerprint of what makes a run what it is."""
    return hashlib.sha256(f"{puzzle}\n{json.dumps(settings, sort_keys=True)}".encode()).hexdigest()
