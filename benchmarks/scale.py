"""What an experiment on a cluster costs: `python -m benchmarks.scale [WORKERS...] [--runs R] [--record FILE]`.

A real Dask scheduler in a process of its own, simulated workers in others, and the driver of the project with a real
store. For each number of workers: slices per second, bytes per slice, processor time of the driver and the scheduler
per slice, and the time from the end of a slice to its being stored. Prints a line of JSON for each, or appends it to
a file.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil

from benchmarks.simulated_cluster import be_scheduler, be_workers, count_bytes, simulate
from evo.experiments.driver import Unwatched
from evo.experiments.experiment import begin, work_off
from evo.experiments.machine import versions
from evo.experiments.plan import Run, make_plan
from evo.experiments.store import Record

_WORKERS_A_PROCESS = 250


class Measuring(Unwatched):
    """An observer that begins to measure when every worker has returned two slices, and the pace is found.

    Args:
        workers: The number of workers.
        meters: Functions that read the processor seconds and the bytes sent so far.
        seconds: The time after which everything is stopped, which is not measured.
    """

    def __init__(self, workers: int, meters: dict[str, Any], seconds: float) -> None:
        self.workers, self.meters, self.seconds = workers, meters, seconds
        self.begun = 0.0
        self.delays: list[float] = []
        self.slices = 0
        self.first: dict[str, float] = {}
        self.last: dict[str, float] = {}

    def started(self, run: Run, record: Record) -> None:
        """Note the time of the first start."""
        self.begun = self.begun or time.perf_counter()

    def advanced(self, run: Run, record: Record) -> None:
        """Note the slice."""
        self.slices += 1
        if self.slices < 2 * self.workers or time.perf_counter() - self.begun > self.seconds - 1:
            return
        self.last = {name: meter() for name, meter in self.meters.items()} | {"slices": self.slices}
        self.first = self.first or self.last
        self.delays.append(time.time() - record.machine["ended"])


def measure(workers: int, runs: int, seconds: float, sent: Any, answer: Any, address: str, pid: int) -> None:
    """Carry out an experiment for some seconds in this process, and put what it cost into a queue."""
    count_bytes(sent)
    simulate()
    folder = Path(tempfile.mkdtemp())
    try:
        start = time.perf_counter()
        plan = make_plan(["GA_1"], runs=runs, evaluations=10**9)
        store = begin(plan, folder / "out")
        begun = time.perf_counter() - start
        scheduler = psutil.Process(pid)
        watch = Measuring(
            min(workers, runs),
            {
                "time": time.perf_counter,
                "driver": time.process_time,
                "scheduler": lambda: sum(scheduler.cpu_times()[:2]),
                "bytes": lambda: sent.value,
            },
            seconds,
        )
        opened = time.perf_counter()
        work_off(store, watch, jobs=None, dask=address, seconds=seconds)
        times = {"create_seconds": begun, "start_seconds": watch.begun - opened}
        times["stop_seconds"] = time.perf_counter() - watch.begun - seconds
        memory = {"driver_mb": psutil.Process().memory_info().rss, "scheduler_mb": scheduler.memory_info().rss}
        answer.put(summary(workers, runs, watch) | rounded(times | {key: rss / 2**20 for key, rss in memory.items()}))
    finally:
        shutil.rmtree(folder)


def summary(workers: int, runs: int, watch: Measuring) -> dict[str, Any]:
    """Return the figures of a measurement."""
    passed = {name: watch.last[name] - watch.first[name] for name in watch.first}
    slices, seconds = passed.get("slices", 0), passed.get("time", 0.0)
    found: dict[str, Any] = {"workers": workers, "runs": runs, "slices": int(slices)}
    if not slices:
        return found
    return found | rounded(
        {
            "slices_per_second": slices / seconds,
            "bytes_per_slice": passed["bytes"] / slices,
            "bytes_per_second": passed["bytes"] / seconds,
            "driver_ms": 1000 * passed["driver"] / slices,
            "scheduler_ms": 1000 * passed["scheduler"] / slices,
            "driver_share": passed["driver"] / seconds,
            "scheduler_share": passed["scheduler"] / seconds,
            "delay_median": statistics.median(watch.delays),
            "delay_most": max(watch.delays),
        }
    )


def rounded(figures: dict[str, float]) -> dict[str, float]:
    """Return figures with four digits."""
    return {name: float(f"{value:.4g}") for name, value in figures.items()}


def main() -> None:
    """Measure each number of workers, one after another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workers", nargs="*", type=int, default=[10, 30, 100])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--record", type=Path)
    options = parser.parse_args()
    for workers in options.workers:
        figures = measured(workers, max(options.runs, workers), options.seconds)
        record = json.dumps({"version": versions()["evo"], "seconds": options.seconds} | figures)
        with contextlib.nullcontext(sys.stdout) if options.record is None else open(options.record, "a") as stream:
            print(record, file=stream, flush=True)


def measured(workers: int, runs: int, seconds: float) -> dict[str, Any]:
    """Start a cluster and a driver, and return what the driver has measured."""
    context = multiprocessing.get_context("spawn")
    sent, address, answer, ready = context.Value("d", 0.0), context.Queue(), context.Queue(), context.Queue()
    processes = [context.Process(target=be_scheduler, args=(address, sent))]
    processes[0].start()
    where = address.get(timeout=300)
    for number, first in enumerate(range(0, workers, _WORKERS_A_PROCESS)):
        count = min(_WORKERS_A_PROCESS, workers - first)
        processes.append(context.Process(target=be_workers, args=(where, count, sent, (str(number), ready))))
        processes[-1].start()
    try:
        for _ in processes[1:]:
            ready.get(timeout=900)
        arguments = (workers, runs, seconds, sent, answer, where, processes[0].pid)
        processes.append(context.Process(target=measure, args=arguments))
        processes[-1].start()
        processes[-1].join()
        figures: dict[str, Any] = answer.get(timeout=60)
        return figures
    finally:
        for process in processes[::-1]:
            process.terminate()
            process.join(10)
            process.kill()


if __name__ == "__main__":
    main()
