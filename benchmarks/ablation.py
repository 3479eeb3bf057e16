"""What each part of a beam's key gives, one changed at a time: `python -m benchmarks.ablation`."""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from puzzles import load
from solvers import Beam, BeamOptions
from solvers.construct.route import DEFAULT_PATH

CHANGES: dict[str, dict[str, Any]] = {
    "as it is": {},
    "no concentration": {"concentration": 0.0},
    "concentration 0.05": {"concentration": 0.05},
    "concentration 0.2": {"concentration": 0.2},
    "exponent 1.5": {"exponent": 1.5},
    "exponent 3, weight 0.002": {"exponent": 3.0, "concentration": 0.002},
    "border colours do not count": {"border": 0.0},
    "border colours count 3": {"border": 3.0},
    "almost no noise: 0.001": {"noise": 0.001},
    "noise 0.2": {"noise": 0.2},
    "no look-ahead": {"none_fits": 0.0, "one_fits": 0.0},
    "look-ahead twice as heavy": {"none_fits": 0.4, "one_fits": 0.08},
    "full width from the start": {"early_width": 1.0},
    "early width 0.1": {"early_width": 0.1},
    "no late value": {"late_rows": 0},
    "late value in the last 5 rows": {"late_rows": 5},
    "concentration instead of completions": {"completions": 0.0},
    "completions 0.1": {"completions": 0.1},
    "completions 0.3": {"completions": 0.3},
    "completions without chains": {"along": 0.0, "across": 0.0},
    "no chains along": {"along": 0.0},
    "no chains across": {"across": 0.0},
    "before 0.7": {"early_width": 0.1, "late_rows": 0},
    "row by row to the end": {"path": "row"},
    "zigzag to the end": {"path": "zigzag"},
    "spiral inwards": {"path": "spiral_in"},
}


def main() -> None:
    """Build boards of Eternity II with each change, all with the same seeds, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--width", type=int, default=4096)
    parser.add_argument("--boards", type=int, default=48)
    parser.add_argument("--first-seed", type=int, default=3001)
    given = parser.parse_args()
    puzzle = load("eternity2")
    seeds = range(given.first_seed, given.first_seed + given.boards)
    print(f"width {given.width:,}, {given.boards} boards each, seeds {seeds[0]} to {seeds[-1]}\n")
    print("| change | mean | of the mean | deviation | best | seconds a board |\n|---|---|---|---|---|---|")
    for name, change in CHANGES.items():
        numbers = dict(change)
        path = numbers.pop("path", DEFAULT_PATH)
        beam = Beam(puzzle, options=BeamOptions(width=given.width, **numbers), path=path)
        beam.construct(np.random.default_rng(0))  # has its memory, and is compiled
        begun = time.process_time()
        misses = np.array([beam.construct(np.random.default_rng(seed)).mismatches for seed in seeds])
        seconds = (time.process_time() - begun) / given.boards
        scores, deviation = puzzle.max_score - misses, misses.std(ddof=1)
        cells = f"{scores.mean():.2f} | {deviation / np.sqrt(given.boards):.2f} | {deviation:.2f} | {scores.max()}"
        print(f"| {name} | {cells} | {seconds:.2f} |", flush=True)


if __name__ == "__main__":
    main()
