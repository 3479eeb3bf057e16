"""The native engine beside the C reference and a stock DEAP version, in turns in one run."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

import puzzles
from benchmarks.reference import Reference, reference_source
from benchmarks.stock_deap import clonal_step, generation, make_stock_toolbox
from evo.experiments.single_run import run
from evo.settings.paper import TABLE_1
from evo.settings.registry import make_settings
from operators import dominance_rank

EVALUATIONS = 5_000_000
ROUNDS = 3
GOALS = {"GA normal": (0.8, 80), "GA combined": (0.5, 60), "MOEA": (0.4, 40), "AIEA, one mutation": (None, 40)}
SETTINGS: dict[str, dict[str, Any]] = {
    "GA normal": TABLE_1["GA_1"],
    "GA combined": TABLE_1["GA_1"] | {"fitness": "combined"},
    "MOEA": TABLE_1["MOEA_1"],
    "AIEA, one mutation": TABLE_1["AIEA_1"] | {"fewest_mutations": 1, "most_mutations": 1},
    "AIEA": TABLE_1["AIEA_1"],
    "GA normal, knowledge": TABLE_1["GA_1"] | {"init": "knowledge"},
}


def main() -> None:
    """Print the tables."""
    against_others()
    by_size()
    start_and_memory()


def against_others() -> None:
    """Evaluations per second of each algorithm, beside the reference and stock DEAP."""
    source = reference_source()
    reference = Reference(source) if source else None
    for values in SETTINGS.values():
        native_speed(values, 1, 30_000)  # compiles
    print(f"\nEternity II, population 10,000, one core: evaluations per second over {EVALUATIONS:,} evaluations,")
    print(f"median of {ROUNDS} rounds in turns; stock DEAP over one generation")
    speeds: dict[str, list[float]] = {name: [] for name in (*SETTINGS, "reference")}
    for seed in range(1, ROUNDS + 1):
        if reference:
            speeds["reference"].append(reference.evaluations_per_second(EVALUATIONS // 10_000, seed))
        for name, values in SETTINGS.items():
            speeds[name].append(native_speed(values, seed, EVALUATIONS))
    stock = {name: stock_speed(name) for name in GOALS}
    if reference:
        print(f"{'C reference, GA normal':24} {median(speeds['reference']):>12,.0f}")
    else:
        print("no C reference: gcc or its source is missing")
    print(f"{'':24} {'native':>12} {'against C':>10} {'goal':>6} {'stock DEAP':>11} {'ratio':>7} {'goal':>6}")
    for name in SETTINGS:
        speed = median(speeds[name])
        ratio = f"{speed / median(speeds['reference']):.2f}x" if reference else "-"
        goal_c, goal_deap = GOALS.get(name, (None, None))
        line = f"{name:24} {speed:>12,.0f} {ratio:>10} {f'{goal_c}x' if goal_c else '':>6}"
        if name in stock:
            line += f" {stock[name]:>11,.0f} {speed / stock[name]:>6.0f}x {f'{goal_deap}x':>6}"
        print(line, flush=True)
    one_mutation = median(speeds["AIEA, one mutation"]) / median(speeds["GA normal"])
    print(f"AIEA with one mutation per clone against GA normal: {one_mutation:.2f}x (goal 0.5x)")


def by_size() -> None:
    """Cost of an evaluation by the size of the board."""
    print("\nGA normal from random boards by size of the board, population 1,000, 500,000 evaluations")
    print(f"{'board':>8} {'ns an evaluation':>17} {'ns a cell':>10}")
    shares = {"population": 1000, "crossover": 900, "mutation": 99, "elite": 1}
    for side in (8, 12, 16, 24, 32):
        puzzle, _ = puzzles.generate(side, side, 5, 17, 1, style="benoist")
        times = []
        for seed in (1, 2, 3, 4):
            settings = make_settings({"algorithm": "GA", **shares, "evaluations": 500_000, "seed": seed})
            times.append(_seconds(run(puzzle, settings)) / 500_000 * 1e9)
        cost = median(times[1:])
        print(f"{f'{side}x{side}':>8} {cost:>17.0f} {cost / side**2:>10.2f}", flush=True)


def start_and_memory() -> None:
    """Warm start to the first generation, peak memory, and the longest time without Python's turn."""
    printed = subprocess.run([sys.executable, "-c", _FRESH], check=True, capture_output=True, text=True).stdout
    first, gap, memory = map(float, printed.split())
    print(f"\nGA_1 in a fresh process, compiled before: first generation after {first:.1f} s, peak {memory:.0f} MB,")
    print(f"longest time between two turns of Python {1000 * gap:.0f} ms")


_FRESH = """
import re, time
start = time.time()
import puzzles
from evo.experiments.single_run import run
from evo.settings.registry import make_settings

loop = run(puzzles.load("eternity2"), make_settings({"algorithm": "GA", "evaluations": 500_000}))
next(loop)
next(loop)
first, last, gaps = time.time() - start, time.time(), []
for _ in loop:
    gaps.append(time.time() - last)
    last = time.time()
peak = re.search(r"VmHWM:\\s+([0-9]+)", open("/proc/self/status").read())  # getrusage would count the parent's
print(first, max(gaps), int(peak[1]) / 1024)
"""


def native_speed(values: dict[str, Any], seed: int, evaluations: int) -> float:
    """Evaluations per second, not counting the initial population."""
    settings = make_settings(values | {"seed": seed, "evaluations": evaluations})
    loop = run(puzzles.load("eternity2"), settings)
    initial = next(loop).evaluations
    return (evaluations - initial) / _seconds(loop)


def stock_speed(name: str) -> float:
    """Evaluations per second of one generation in the stock DEAP version."""
    random.seed(1)
    kind = {"GA combined": "combined", "MOEA": "three"}.get(name, "normal")
    toolbox = make_stock_toolbox(puzzles.load("eternity2"), kind)
    population = toolbox.population(n=10_000)
    for individual in population:
        individual.fitness.values = toolbox.evaluate(individual)
    count = 10_000

    def generate() -> None:
        if name == "MOEA":
            dominance_rank(np.array([one.fitness.values for one in population], dtype=np.int32))
        if name.startswith("AIEA"):
            for _ in range(count):
                clonal_step(toolbox, population)
        else:
            generation(toolbox, population, 9_000, 1_000)

    return count / _time(generate)


def _seconds(loop: Any) -> float:
    def exhaust() -> None:
        for _ in loop:
            pass

    return _time(exhaust)


def _time(action: Callable[[], None]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
