"""A campaign of faults: `python -m benchmarks.soak [--minutes M | --faults N] [--seed S] [--record FILE]`.

Experiments with every algorithm of the registry are carried out again and again, and disturbed at random moments. The
drivers are forked from this process, which has loaded all code. An experiment that has been disturbed often enough to
be done must have the same boards, traces and records as one that was not disturbed, and no process may end with
anything but success or one of the project's own errors. The campaign stops at the first difference.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.power_cut import cut_back, note_fsyncs, sizes
from evo.errors import EvoError
from evo.experiments import driver, store, workers
from evo.experiments.experiment import resume_experiment
from evo.experiments.machine import machine, versions
from evo.experiments.plan import Plan, make_plan
from evo.experiments.store import SOLUTIONS, Store
from evo.experiments.warmup import warm
from evo.settings.base import RunSettings
from evo.settings.registry import make_settings, own_algorithms
from puzzles import generate
from puzzles.pencil import PencilTask

_TIMES = 40
"""How many times the evaluations of the smallest settings a run has."""
_REFUSED, _BROKEN = 3, 4
"""How a driver ends that met one of the project's own errors, or any other."""


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
    """Disturbs experiments.

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
            self._end(self._begin(whole), whole)
            self.needed.append(time.monotonic() - began)
            self.wholes.append(outcome(whole))

    def disturb(self, goal: Callable[[Campaign], bool]) -> None:
        """Disturb experiments, a new one whenever one is done, until a goal is reached."""
        while not goal(self):
            number = self.experiments % len(self.plans)
            here = Store.create(self.folder / f"disturbed-{self.experiments}", self.plans[number])
            self.experiments += 1
            while not goal(self) and any(record.state != "done" for _, record in here.records()):
                name = str(self.rng.choice(list(_FAULTS)))
                self.faults[name] += 1
                _FAULTS[name](self, here.path, self.rng.uniform(0, 0.5 * self.needed[number]))
            self._end(self._begin(here.path), here.path)
            if outcome(here.path) != self.wholes[number]:
                raise AssertionError(f"{here.path}: is not what it is without faults")
            shutil.rmtree(here.path)

    def _begin(self, directory: Path, prepare: Callable[[], None] = lambda: None) -> int:
        """Fork a driver."""
        child = os.fork()
        if child:
            return child
        status = _BROKEN
        try:
            prepare()
            resume_experiment(directory)
            status = 0
        except EvoError:
            status = _REFUSED
        except KeyboardInterrupt:
            status = 0  # it was asked to stop
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)

    def _end(self, child: int, directory: Path, allowed: Sequence[int] = (0,)) -> None:
        """Wait for a driver, and check how it ended."""
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status not in allowed:
            raise AssertionError(f"{directory}: a driver ended with status {status}")

    def kill(self, directory: Path, moment: float) -> None:
        """Kill the driver."""
        self._signalled(directory, moment, signal.SIGKILL)

    def terminate(self, directory: Path, moment: float) -> None:
        """Ask the driver to stop."""
        self._signalled(directory, moment, signal.SIGTERM)

    def _signalled(
        self, directory: Path, moment: float, number: int, prepare: Callable[[], None] = lambda: None
    ) -> None:
        child = self._begin(directory, prepare)
        time.sleep(moment)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, number)
        self._end(child, directory, (0, -number))

    def cut_power(self, directory: Path, moment: float) -> None:
        """Kill the driver, and take away what had not reached the disk."""
        before, log = sizes(directory), self.folder / "fsyncs"
        self._signalled(directory, moment, signal.SIGKILL, lambda: note_fsyncs(log))
        cut_back(directory, before, log)

    def fill_disk(self, directory: Path, moment: float) -> None:
        """Let writing fail once a file has a certain length."""
        most = int(self.rng.integers(0, 1 + max(sizes(directory).values(), default=0)))
        child = self._begin(
            directory, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
        )
        self._end(child, directory, (0, _REFUSED))

    def step_clock(self, directory: Path, moment: float) -> None:
        """Set the clock to another day, and kill the driver."""
        day = f"{int(self.rng.integers(1970, 2100))}-01-01T00:00:00+00:00"

        def step() -> None:
            store.now = lambda: day

        self._signalled(directory, moment, signal.SIGKILL, step)

    def start_second(self, directory: Path, moment: float) -> None:
        """Start a second driver, which must not disturb the first, and kill both."""
        first = self._begin(directory)
        time.sleep(moment)
        second = self._begin(directory)
        time.sleep(moment / 4)
        for child in (first, second):
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            self._end(child, directory, (0, _REFUSED, -signal.SIGKILL))


_FAULTS: dict[str, Callable[[Campaign, Path, float], None]] = {
    "kill -9": Campaign.kill,
    "SIGTERM": Campaign.terminate,
    "power cut": Campaign.cut_power,
    "full disk": Campaign.fill_disk,
    "clock step": Campaign.step_clock,
    "second driver": Campaign.start_second,
}


def main() -> None:
    """Carry out a campaign, and print its record or append it to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--faults", type=int, default=10**9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--algorithms", nargs="*", default=[])
    parser.add_argument("--record", type=Path)
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(Path(folder), options.seed, options.algorithms)
        campaign.disturb(lambda one: time.monotonic() > end or one.faults.total() >= options.faults)
    record = {
        "seed": options.seed,
        "algorithms": sorted({run.algorithm for plan in campaign.plans for run in plan.runs}),
        "experiments": campaign.experiments,
        "faults": dict(sorted(campaign.faults.items())),
        "total": campaign.faults.total(),
        "differences": 0,  # the first would have ended it
        "versions": versions(),
        "machine": machine(),
    }
    with contextlib.nullcontext(sys.stdout) if options.record is None else open(options.record, "a") as stream:
        print(json.dumps(record), file=stream)


if __name__ == "__main__":
    main()
