"""Simulated workers: real workers of a real Dask cluster, in a few processes, whose slices sleep instead of computing.

A simulated slice carries a state of the size of a population of 10,000 boards of Eternity II, returns trace rows and a
board like any other, and takes the time that a slice takes. So what the driver, the scheduler and the network have to
do is the same as on a cluster with that many machines.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from unittest import mock

import numpy as np

from evo.experiments import checkpoint, held_states
from evo.experiments.machine import machine, versions
from evo.experiments.slices import Slice, Task
from evo.experiments.states import Lost
from evo.experiments.trace import Point

POPULATION, CELLS = 10_000, 256
SPEED = 100_000
"""Simulated evaluations per second."""
_ROWS = 2
"""The trace rows of a slice; a real run has some 200 in all."""


def sleeping_slice(task: Task, state: Any, length: float, *, hurried: Callable[[], bool]) -> Slice:
    """Return the outcome of a slice that has slept; the arguments are those of `slices.run_slice`."""
    done, seconds = _standing(state.earlier if isinstance(state, Lost) else state)
    end = time.monotonic() + length
    while not hurried() and time.monotonic() < end:
        time.sleep(min(1.0, length))
    evaluations = done + max(_ROWS, int(length * SPEED))
    over = evaluations >= task.settings["evaluations"]
    rng = np.random.default_rng(evaluations)
    cells = rng.permutation(CELLS).reshape(16, 16) * 4
    rows = [Point(done + 1 + row, seconds, 100, 50.0, 20, 0.9) for row in range(_ROWS)]
    return Slice(
        rows,
        _state(task, evaluations, seconds + length),
        over,
        evaluations,
        100 + evaluations // 1_000_000,
        cells.tolist(),
        seconds + length,
        [],
        None,
        [],
        versions(),
        machine() | {"ended": time.time()},
    )


def _standing(state: Any) -> tuple[int, float]:
    if state is None:
        return 0, 0.0
    head = state[state.index(b"\n", 20) + 1 :].split(b"\n", 1)[0]
    values = json.loads(head)["values"]
    return values["evaluations"], values["seconds"]


_FILLING: list[Any] = []


def _state(task: Task, evaluations: int, seconds: float) -> bytes:
    """Return a state of true size."""
    if not _FILLING:
        _FILLING.append(np.random.default_rng(1).integers(0, 1024, (POPULATION, CELLS), dtype=np.uint16))
    values = {"key": task.key, "evaluations": evaluations, "seconds": seconds}
    return checkpoint.encode(values, {"population": _FILLING[0]})


def count_bytes(counter: Any) -> None:
    """Add what this process sends over TCP to a counter, and keep Dask quiet."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    from distributed.comm.tcp import TCP

    write: Callable[..., Any] = TCP.write

    async def counted(self: Any, *args: Any, **options: Any) -> int:
        sent: int = await write(self, *args, **options)
        with counter.get_lock():
            counter.value += sent
        return sent

    mock.patch.object(TCP, "write", counted).start()


def be_scheduler(address: Any, sent: Any) -> None:
    """Run a scheduler in this process, and put its address into a queue."""
    from distributed import Scheduler

    count_bytes(sent)

    async def run() -> None:
        async with Scheduler(host="127.0.0.1", port=0, dashboard=False, dashboard_address=":0") as scheduler:
            address.put(scheduler.address)
            await scheduler.finished()

    with suppress(KeyboardInterrupt):
        asyncio.run(run())


def be_workers(address: str, count: int, sent: Any, ready: Any) -> None:
    """Run some workers with simulated slices in this process, one thread each."""
    from distributed import Worker

    count_bytes(sent)
    simulate()

    async def run() -> None:
        workers = [
            Worker(address, nthreads=1, memory_limit=0, dashboard=False, host="127.0.0.1", name=f"{ready[0]}-{k}")
            for k in range(count)
        ]
        for start in range(0, count, 20):
            await asyncio.gather(*workers[start : start + 20])
        ready[1].put(count)
        await asyncio.gather(*(worker.finished() for worker in workers))

    with suppress(KeyboardInterrupt):
        asyncio.run(run())


def simulate() -> None:
    """Put simulated slices in the place of real ones in this process."""
    mock.patch.object(held_states, "run_slice", sleeping_slice).start()
