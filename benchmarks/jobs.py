"""How much faster an experiment is with two worker processes than with one: `python -m benchmarks.jobs`."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from statistics import median

from evo.experiments.experiment import run_experiment

RUNS, EVALUATIONS, ROUNDS = 8, 3_000_000, 3


def throughput(jobs: int) -> float:
    """Evaluations per second of wall-clock time of a whole experiment, with its start and its files."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        result = run_experiment("GA_1", runs=RUNS, evaluations=EVALUATIONS, jobs=jobs, out=Path(folder) / "out")
        return float(result.runs["evaluations"].sum()) / (time.perf_counter() - start)


def main() -> None:
    """Measure one job and two, in turns."""
    throughput(1)  # compiles
    speeds: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(ROUNDS):
        for jobs in speeds:
            speeds[jobs].append(throughput(jobs))
    one, two = median(speeds[1]), median(speeds[2])
    ratios = ", ".join(f"{b / a:.2f}" for a, b in zip(*speeds.values(), strict=True))
    print(f"experiments of {RUNS} runs of {EVALUATIONS:,} evaluations, {os.cpu_count()} cores")
    print(f"  1 job   {one:12,.0f} evaluations/s")
    print(f"  2 jobs  {two:12,.0f} evaluations/s  {two / one:.2f}x (in each round: {ratios})")


if __name__ == "__main__":
    main()
