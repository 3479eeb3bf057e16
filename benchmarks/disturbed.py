"""Experiments that are disturbed until they are done, and must become what they are undisturbed."""

from __future__ import annotations

import os
import shutil
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from evo.errors import EvoError
from evo.experiments import driver, workers
from evo.experiments.experiment import resume_experiment
from evo.experiments.plan import Plan, make_plan
from evo.experiments.store import SOLUTIONS, Store
from evo.experiments.warmup import warm
from evo.settings.base import RunSettings
from evo.settings.registry import make_settings, own_algorithms
from puzzles import generate
from puzzles.pencil import PencilTask

_TIMES = 40
"""How many times the evaluations of the smallest settings a run has."""
REFUSED, _BROKEN = 3, 4
"""How a driver ends that met one of the project's own errors, or any other."""


class DifferenceError(AssertionError):
    """A driver broke, or an experiment ended with something else than without faults."""


def plans(only: Sequence[str] = ()) -> list[Plan]:
    """Return small experiments with all algorithms, or with some: boards of tiles, and a Sudoku."""
    tiles = generate(6, 5, 3, 6, 1, hints=3)[0]
    kinds = [one.tiny()[0] for name, one in sorted(own_algorithms().items()) if not only or name in only]
    settings = [one.model_copy(update={"evaluations": one.evaluations * _TIMES}) for one in kinds]
    on_tiles: list[str | RunSettings] = [one for one in settings if one.solves(tiles)]
    others: list[str | RunSettings] = [one for one in settings if not one.solves(tiles)]
    found = [make_plan(on_tiles, puzzle=tiles, runs=2, seed=1)] if on_tiles else []
    return found + ([make_plan(others, puzzle=PencilTask.load("3............2.."), runs=2, seed=1)] if others else [])


def outcome(directory: Path) -> dict[str, object]:
    """Return all that came of an experiment and does not tell the time."""
    found: dict[str, object] = {}
    here = Store(directory)
    for run, record in here.records():
        rows = [point._replace(seconds=0.0).line() for point in here.points(run)]
        facts = record.state, record.evaluations, record.best_score, record.board_url, record.front, record.solutions
        board = here.file(run, "board.json").read_bytes()
        found[run.id] = rows, facts, board, here.solution_lines(run) if here.file(run, SOLUTIONS).exists() else []
    return found


class Campaign:
    """Disturbs experiments; the drivers are forked from this process, which has loaded all code.

    Args:
        folder: An empty folder for them.
        seed: The seed of the disturbances.
        only: The algorithms; all if empty.
    """

    def __init__(self, folder: Path, seed: int, only: Sequence[str] = ()) -> None:
        self.folder, self.rng = folder, np.random.default_rng(seed)
        self.faults: Counter[str] = Counter()
        self.experiments = 0
        self.plans = plans(only)
        workers.SLICE_SECONDS, driver.CHECKPOINT_SECONDS, driver.HEARTBEAT_SECONDS = 0.0, 0.02, 0.01
        self.wholes, self.needed = [], []
        for number, plan in enumerate(self.plans):
            for run in plan.runs:
                warm(plan.puzzle, make_settings(run.settings))
            whole = Store.create(folder / f"whole-{number}", plan).path
            began = time.monotonic()
            self.end(self.begin(whole), whole)
            self.needed.append(time.monotonic() - began)
            self.wholes.append(outcome(whole))
            if "failed" in {record.state for _, record in Store(whole).records()}:
                raise DifferenceError(f"{whole}: a run failed without faults")

    def disturb(self, goal: Callable[[Campaign], bool]) -> None:
        """Disturb experiments, a new one whenever one is done, until a goal is reached."""
        while not goal(self):
            number = self.experiments % len(self.plans)
            here = Store.create(self.folder / f"disturbed-{self.experiments}", self.plans[number])
            self.experiments += 1
            while not goal(self) and any(record.state != "done" for _, record in here.records()):
                self.disturb_once(here.path, self.needed[number])
            self.end(self.begin(here.path), here.path)
            found, expected = outcome(here.path), self.wholes[number]
            if found != expected:
                others = [run for run in expected if found.get(run) != expected[run]]
                raise DifferenceError(f"{here.path}: {', '.join(others)}: not the same as without faults")
            shutil.rmtree(here.path)

    def disturb_once(self, directory: Path, needed: float) -> None:
        """Carry out an experiment for some time, with at least one fault.

        Args:
            directory: The experiment.
            needed: The seconds that it needs without faults.
        """
        raise NotImplementedError

    def begin(
        self,
        directory: Path,
        prepare: Callable[[], None] = lambda: None,
        *,
        jobs: int | None = None,
        dask: str | None = None,
    ) -> int:
        """Fork a driver, and return its process id."""

        def drive() -> int:
            prepare()
            try:
                resume_experiment(directory, jobs=jobs, dask=dask)
            except EvoError:
                return REFUSED
            except KeyboardInterrupt:
                pass  # it was asked to stop
            return 0

        return forked(drive)

    def end(self, child: int, directory: Path, allowed: Sequence[int] = (0,)) -> None:
        """Wait for a driver, and check how it ended."""
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status not in allowed:
            raise DifferenceError(f"{directory}: a driver ended with status {status}")


def forked(work: Callable[[], int]) -> int:
    """Fork a process that does some work and ends with its status; return its process id."""
    child = os.fork()
    if child:
        return child
    status = _BROKEN
    try:
        status = work()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)
