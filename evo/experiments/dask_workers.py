"""The workers of a Dask cluster: each keeps the states of its runs, and slices grow with the number of workers.

What goes through the driver and the scheduler with each slice is small: trace rows, the best board if it is another
one, counters, and a hash of the state. The state itself comes every minute or so.
"""

from __future__ import annotations

import asyncio
import signal
import time
import uuid
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from typing import Any

from evo.errors import StoreError
from evo.experiments.clusters import connect, disconnect
from evo.experiments.held_states import held_slice, hurry
from evo.experiments.slices import Slice, Task, distinct_tasks
from evo.experiments.states import Held, Lost, RunState
from evo.experiments.workers import SLICE_SECONDS, WorkerDied, warm_all, worker_environment

DASK_SLICE_SECONDS, LONGEST_SLICE_SECONDS = 10.0, 120.0
"""The length of a slice on a cluster of few workers, and at most."""
DRIVER_SHARE = 0.1
"""The share of its time that the driver may spend on slices; if it takes more, slices become longer."""
WHOLE_SECONDS = 60.0
"""The time after which a run sends its whole state: what the loss of a worker costs at most."""
WHOLE_BYTES = 5_000_000
"""The bytes of whole states that all runs may send per second; many runs send them less often."""
_FRESH = 2.0
"""The time for which the number of workers is taken to be the same."""
_PATIENCE, _PATIENCE_A_SLOT, _LONGEST_PATIENCE = 2.0, 0.05, 30.0
_GONE = ("KilledWorker", "FutureCancelledError")
"""The names of the exceptions by which Dask tells that a task was lost."""


class Dask:
    """A Dask cluster. Its workers need no files: tasks travel with the slices, and states stay where they are.

    Args:
        where: The cluster; see `evo.experiments.clusters.connect`.
        jobs: The number of workers of a local cluster.
        tasks: The runs to be carried out.

    Raises:
        ConfigError: The cluster cannot be used.
    """

    def __init__(self, where: str, jobs: int, tasks: list[Task]) -> None:
        local = where == "local"
        with worker_environment():
            if local:
                warm_all(distinct_tasks(tasks))
            self._connection = connect(where, jobs)
        self._client = self._connection.client
        if local:  # they share the terminal, and unblock the signals that they inherited
            self._client.run(_ignore_interrupts)
        loop: Any = self._client.loop
        self._loop: asyncio.AbstractEventLoop = loop.asyncio_loop
        self._name = uuid.uuid4().hex
        self.length = SLICE_SECONDS if local else DASK_SLICE_SECONDS
        self._pace = Pace(self.length)
        self._brought: dict[str, float] = {}
        """When the state of each run was last brought."""
        self._slots, self._counted = 0, -_FRESH
        self._hurried = False

    @property
    def slots(self) -> int:
        """The number of threads of all current workers."""
        if time.monotonic() - self._counted >= _FRESH:
            threads: dict[str, int] = {}
            with suppress(OSError):  # the scheduler is gone, as the next slice says, unless it comes back
                threads = self._client.nthreads()
            self._slots, self._counted = sum(threads.values()) or max(1, self._slots), time.monotonic()
        return self._slots

    @property
    def patience(self) -> float:
        """The seconds that slices get to end and to bring their states."""
        return min(_LONGEST_PATIENCE, _PATIENCE + _PATIENCE_A_SLOT * self._slots)

    def submit(self, slot: int, task: Task, state: RunState) -> Future[Slice]:
        """Start a slice where its state is, or on any free worker."""
        self._refuse_lost_cluster()
        there = {"workers": [state.worker], "allow_other_workers": True} if isinstance(state, Held) else {}
        length = 0.0 if self._hurried else self._pace.length(self._slots)
        return self._start(held_slice, self._name, task, self._sent(state), length, self._is_due(task, state), **there)

    def call(self, slot: int, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Start a function on any free worker."""
        return self._start(function, *arguments)

    def hurry(self) -> None:
        """Let all slices end at their next report, and bring their states."""
        self._hurried = True
        asyncio.run_coroutine_threadsafe(
            _tell(self._client, self._name), self._loop
        )  # one that hangs is not waited for

    def close(self) -> None:
        """Disconnect from the cluster, and stop it if it was started here."""
        disconnect(self._connection)

    def _start(self, function: Callable[..., Any], *arguments: Any, **where: Any) -> Future[Any]:
        self._refuse_lost_cluster()
        try:
            inner = self._client.submit(function, *arguments, pure=False, **where)
        except Exception:  # it has just gone, of which Dask has several exceptions
            self._refuse_lost_cluster()
            raise
        return asyncio.run_coroutine_threadsafe(_outcome(inner), self._loop)

    def _refuse_lost_cluster(self) -> None:
        if self._client.status != "running":
            raise StoreError("dask: the cluster is gone; `evo resume` continues, there or elsewhere")

    def _is_due(self, task: Task, state: RunState) -> bool:
        """Return whether a slice is to bring its state; the runs that start together do not all do it together."""
        if self._hurried:
            return True
        if not isinstance(state, Held | Lost):
            return False
        size = state.size if isinstance(state, Held) else len(state.earlier or b"")
        wait = max(WHOLE_SECONDS, self._slots * size / WHOLE_BYTES)
        moment, early = time.monotonic(), wait * int(task.key[:4], 16) / 0xFFFF
        if moment - self._brought.setdefault(task.key, moment - early) < wait:
            return False
        self._brought[task.key] = moment
        return True

    def _sent(self, state: RunState) -> Any:
        """Return a state as an argument: what is large goes to a worker, and does not stay with the scheduler."""
        if not isinstance(state, bytes | Lost):
            return state
        try:
            return self._client.scatter(state, hash=False)
        except OSError:  # no worker is there to take it, or the cluster has just gone
            self._refuse_lost_cluster()
            return state


class Pace:
    """The length of slices, which grows to what keeps the driver below a share of one core.

    Args:
        least: The length for few workers.
    """

    def __init__(self, least: float) -> None:
        self._least, self._length = least, least
        self._count, self._since = 0, 0.0
        self._started = False

    def length(self, slots: int) -> float:
        """Return the length of the next slice.

        Args:
            slots: The number of slices that run at the same time.
        """
        self._count += 1
        if self._count >= max(20, slots):
            now = time.process_time()
            if self._started:  # what it costs to begin with so many runs says nothing about later slices
                wanted = slots * (now - self._since) / self._count / DRIVER_SHARE
                self._length = min(LONGEST_SLICE_SECONDS, max(self._least, wanted))
            self._count, self._since, self._started = 0, now, True
        return self._length


async def _outcome(inner: Any) -> Any:
    """Return the result of a task. Dask fetches those of several that are waited for together."""
    try:
        return await inner
    except (Exception, CancelledError) as error:
        if isinstance(error, CancelledError) or type(error).__name__ in _GONE:
            raise WorkerDied from None
        raise


async def _tell(client: Any, name: str) -> None:
    await client.run(hurry, name, on_error="ignore")


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
