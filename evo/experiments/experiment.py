"""Experiments in Python: settings in, results out."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from evo.errors import ConfigError, StoreError
from evo.experiments.dask_workers import Dask
from evo.experiments.driver import Unwatched, Watch, carry_out, make_task, take_up
from evo.experiments.island_workers import IslandWorkers, islands_of
from evo.experiments.plan import Plan, Run, make_plan, new_directory
from evo.experiments.result import ExperimentResult
from evo.experiments.stopping import stoppable
from evo.experiments.store import Record, Store
from evo.experiments.workers import Here, Processes, Workers
from evo.settings import user_code
from evo.settings.base import RunSettings

Source = str | Path | RunSettings
_MOST_JOBS = 1024


def run_experiment(
    settings: Source | Sequence[Source],
    *,
    out: str | Path | None = None,
    jobs: int | None = None,
    dask: str | None = None,
    **overrides: Any,
) -> ExperimentResult:
    """Run an experiment and return its results.

    Args:
        settings: Settings such as `evo.GA(...)`, names of settings that come with the project, paths of TOML files, or
            references to algorithms of your own such as "my_search.py:MySettings"; one of these, or several.
        out: A new directory for the results; by default one below runs/results.
        jobs: The number of worker processes; by default everything runs in this process. A script that sets it must do
            so under `if __name__ == "__main__":`.
        dask: A Dask cluster; see `evo.experiments.clusters.connect`.
        overrides: Values that replace those of the settings: `runs`, `evaluations`, `seconds`, `seed`, `puzzle`,
            `init`, `fitness` (these two may be lists), and any setting of the algorithms.

    Raises:
        ConfigError: A setting is wrong.
        StoreError: The directory cannot be written.
        KeyboardInterrupt: The user interrupted it; `resume_experiment` continues.
    """
    sources = [settings] if isinstance(settings, str | Path | RunSettings) else settings
    plan = make_plan([one if isinstance(one, RunSettings) else str(one) for one in sources], **overrides)
    return resume_experiment(begin(plan, out).path, jobs=jobs, dask=dask, trust=True)


def resume_experiment(
    directory: str | Path,
    *,
    jobs: int | None = None,
    dask: str | None = None,
    restart: bool = False,
    trust: bool = False,
) -> ExperimentResult:
    """Resume an experiment that was interrupted, and return its results.

    Args:
        directory: The directory of the experiment.
        jobs: The number of worker processes; by default everything runs in this process.
        dask: A Dask cluster; see `evo.experiments.clusters.connect`.
        restart: Whether runs whose checkpoint or trace is damaged start again.
        trust: Whether code that is stored in the directory may be imported; see `work_off`.
    """
    if work_off(Store(directory), Unwatched(), jobs=jobs, dask=dask, restart=restart, trust=trust):
        raise KeyboardInterrupt
    return ExperimentResult(directory)


def begin(plan: Plan, out: str | Path | None) -> Store:
    """Create the directory of an experiment, by default a new one below runs/results."""
    if out is not None:
        return Store.create(out, plan)
    while True:
        target = new_directory(plan.name, datetime.now().strftime("%Y%m%d-%H%M%S"))
        try:
            return Store.create(target, plan)
        except StoreError:
            if not target.exists():  # otherwise another process was faster, and the next name is free
                raise


def check_jobs(jobs: int | None) -> None:
    """Refuse an invalid number of worker processes."""
    if jobs is not None and not 1 <= jobs <= _MOST_JOBS:
        raise ConfigError(f"jobs: expected 1 to {_MOST_JOBS}; found {jobs}")


def work_off(
    store: Store,
    watch: Watch,
    *,
    jobs: int | None,
    dask: str | None,
    restart: bool = False,
    trust: bool = False,
    seconds: float | None = None,
    enough: int | None = None,
) -> bool:
    """Carry out the remaining runs of an experiment; return whether they were interrupted.

    Args:
        store: The experiment.
        watch: The observer.
        jobs: The number of worker processes; None runs everything in this process.
        dask: A Dask cluster; see `evo.experiments.clusters.connect`.
        restart: Whether runs whose checkpoint or trace is damaged start again.
        trust: Whether code that is stored in the directory may be imported: the user named it, or has read it.
        seconds: The time after which everything is interrupted.
        enough: The score that ends everything.
    """
    check_jobs(jobs)
    if store.has_code and not trust:
        raise StoreError(f"{store.path}: its runs need the code in {store.path / 'code'}; if you trust it, add --trust")
    user_code.provide(store.code)
    left = [run for run, record in store.records() if record.state != "done"]
    if not left:
        return False
    with store.locked(), stoppable() as stopped:
        store.tidy()
        left = [run for run in store.runs if store.record(run).state != "done"]
        for run in left:  # everything is checked before anything starts
            take_up(store, run, restart=restart)
        workers = _workers(store, left, jobs, dask, seconds)
        clock = threading.Timer(seconds or 0.0, stopped.set)
        clock.daemon = True
        if seconds is not None:
            clock.start()
        try:
            carry_out(
                store,
                workers,
                watch if enough is None else _Until(watch, enough, stopped),
                {run.id for run in left},
                stopped,
            )
        finally:
            clock.cancel()
            workers.close()
        return stopped.is_set()


class _Until:
    """Notifies another observer, and stops everything when a score is reached."""

    def __init__(self, watch: Watch, enough: int, stopped: threading.Event) -> None:
        self._watch, self._enough, self._stopped = watch, enough, stopped

    def started(self, run: Run, record: Record) -> None:
        """A run starts or resumes."""
        self._watch.started(run, record)

    def advanced(self, run: Run, record: Record) -> None:
        """A slice of a run has finished."""
        self._watch.advanced(run, record)
        if record.best_score >= self._enough:
            self._stopped.set()

    def ended(self, run: Run, record: Record) -> None:
        """A run has finished, failed, or was interrupted."""
        self._watch.ended(run, record)
        if record.best_score >= self._enough:
            self._stopped.set()


def _workers(store: Store, left: list[Run], jobs: int | None, dask: str | None, seconds: float | None) -> Workers:
    if jobs is None and dask is None:
        return Here()
    tasks = [make_task(store, run) for run in left]
    wanted = min(jobs or 1, sum(islands_of(task) for task in tasks))
    workers = Processes(wanted, tasks, seconds) if dask is None else Dask(dask, wanted, tasks)
    return IslandWorkers(workers, tasks) if any(islands_of(task) > 1 for task in tasks) else workers
