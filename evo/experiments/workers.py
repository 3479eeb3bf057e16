"""Workers run slices: in this process, in processes of this machine, or on a Dask cluster, behind one interface.

A slot has room for one run at a time. If a worker dies, only the slice that it was running is lost. `dask_workers` has
those of a cluster.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from typing import Any, Protocol

from evo.errors import ConfigError
from evo.experiments.slices import Slice, Task, distinct_tasks, run_slice, warm_task
from evo.experiments.states import Held, RunState
from puzzles.code_cache import announcement

SLICE_SECONDS = 1.0
"""The length of a slice on this machine: the delay of progress reports and of Ctrl-C."""
_PATIENCE = 1.5
"""The time that slices get to finish after Ctrl-C, in seconds."""
_FEWEST_SLICES = 20
"""A limited time has at least this many slices, because the slice in which it ends is lost."""
_ONE_THREAD = dict.fromkeys(
    ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"
)


class WorkerDied(Exception):  # noqa: N818 - an event, not a programming error
    """The worker of a slice died: killed, or out of memory."""


class Workers(Protocol):
    """The interface of all workers."""

    @property
    def slots(self) -> int:
        """The number of slices that run at the same time."""

    @property
    def patience(self) -> float:
        """The seconds that slices get to finish when everything is to stop."""

    def submit(self, slot: int, task: Task, state: RunState) -> Future[Slice]:
        """Start a slice. The future raises WorkerDied, StateLost, or what the slice raised, if it fails."""

    def hurry(self) -> None:
        """Ask for the slices in progress, because everything is to stop."""

    def close(self) -> None:
        """Stop the workers at once."""


class Here:
    """Runs slices in this process, one after another."""

    slots = 1
    patience = _PATIENCE

    def submit(self, slot: int, task: Task, state: RunState) -> Future[Slice]:
        """Run a slice."""
        future: Future[Slice] = Future()
        assert not isinstance(state, Held)
        try:
            future.set_result(run_slice(task, state, SLICE_SECONDS))
        except Exception as error:  # the driver handles it like that of a worker
            future.set_exception(error)
        return future

    def hurry(self) -> None:
        """Do nothing: slices are short."""

    def close(self) -> None:
        """Do nothing: there is nothing to stop."""


class Processes:
    """Processes of this machine, one core each.

    Each has a pool of its own, so that one that dies does not take the others with it.

    Args:
        jobs: The number of processes.
        tasks: The runs to be carried out; the processes share the work of compiling what they need.
        seconds: The time for which they will work, if it is limited: then they are ready before it starts, and report
            often enough.
    """

    patience = _PATIENCE

    def __init__(self, jobs: int, tasks: list[Task], seconds: float | None = None) -> None:
        if multiprocessing.parent_process() is not None:
            raise ConfigError(
                "jobs: a script that uses worker processes must start them under `if __name__ == '__main__':`"
            )
        self.slots = jobs
        self._pools = [self._start() for _ in range(jobs)]
        self.length = SLICE_SECONDS
        distinct = distinct_tasks(tasks)
        self._warm_up(distinct)
        if seconds is not None:
            self.length = min(SLICE_SECONDS, seconds / _FEWEST_SLICES)
            for future in [pool.submit(warm_all, distinct) for pool in self._pools]:
                future.exception()  # waits; a worker that died already is replaced when needed

    def _warm_up(self, tasks: list[Task]) -> None:
        """Compile what tasks need: each process takes the next task when it is done with one."""
        waiting = tasks[::-1]

        def work_off(pool: ProcessPoolExecutor) -> None:
            while waiting:
                with suppress(IndexError, BrokenExecutor):  # another process took the last one; or this one died
                    pool.submit(warm_task, waiting.pop()).exception()

        threads = [threading.Thread(target=work_off, args=(pool,), daemon=True) for pool in self._pools]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def submit(self, slot: int, task: Task, state: RunState) -> Future[Slice]:
        """Start a slice in the process of a slot."""
        assert not isinstance(state, Held)
        return self.call(slot, run_slice, task, state, self.length)

    def call(self, slot: int, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Start a function in the process of a slot."""
        try:
            future = self._pools[slot].submit(function, *arguments)
        except BrokenExecutor:  # the process died between two slices
            self._pools[slot] = self._start()
            future = self._pools[slot].submit(function, *arguments)
        return _translated(future)

    def hurry(self) -> None:
        """Do nothing: slices are short."""

    def close(self) -> None:
        """Kill the processes; slices that they have not returned will be run again."""
        for pool in self._pools:
            processes = list((pool._processes or {}).values())  # the pool has no other way to stop a slice
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()
            for process in processes:
                process.join()

    @staticmethod
    def _start() -> ProcessPoolExecutor:
        pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), initializer=_be_a_worker)
        with worker_environment():
            pool.submit(int)  # starts the process, which inherits the environment
        return pool


def _translated(inner: Future[Any]) -> Future[Any]:
    """Return a future that raises WorkerDied if the process of a slot died."""
    outer: Future[Any] = Future()

    def finish(done: Future[Any]) -> None:
        if done.cancelled():
            outer.set_exception(WorkerDied())
            return
        error = done.exception()
        if error is None:
            outer.set_result(done.result())
        elif isinstance(error, BrokenExecutor):
            outer.set_exception(WorkerDied())
        else:
            outer.set_exception(error)

    inner.add_done_callback(finish)
    return outer


def _be_a_worker() -> None:
    """Exit when the driver ends, in whatever way, and leave the terminal to it."""
    announcement.disable()
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch(sentinel: Any) -> None:
        wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()


def warm_all(tasks: list[Task]) -> None:
    """Make this process ready for tasks."""
    for task in tasks:
        warm_task(task)


@contextmanager
def worker_environment() -> Iterator[None]:
    """Set what processes started meanwhile inherit: one thread each, and Ctrl-C left to the driver."""
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(_ONE_THREAD)
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
