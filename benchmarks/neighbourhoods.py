"""What each neighbourhood of Salassa et al. gains, and when: `python -m benchmarks.neighbourhoods RECORD.csv`.

From boards of several constructors of Eternity II, the five neighbourhoods are searched in turns, in the paper's order
and with its sizes; ties are moved on. A line of the record is what a neighbourhood has gained in a part of such a
search. Prints a table of the record. Seconds are those of the processor.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from evo import __version__
from evo.engine.initial_boards import start_of
from evo.settings.local import MNLS
from puzzles import load
from solvers.local import neighbourhoods
from solvers.local.multi_neighbourhood import NEIGHBOURHOODS
from solvers.local.neighbourhoods import Terrain, make_terrain

MOVES: dict[str, Callable[[np.random.Generator, Terrain], int]] = {
    "TA": lambda rng, terrain: neighbourhoods.assign_tiles(rng, terrain, 1000),
    "BO": neighbourhoods.optimise_border,
    "BW": neighbourhoods.assign_squares,
    "TSR": neighbourhoods.swap_and_rotate,
    "RO": lambda rng, terrain: sum(neighbourhoods.optimise_region(rng, terrain) for _ in range(10)),
}
STARTS: dict[str, Any] = {
    "random, framed": "framed",
    "greedy 1 x n": {"kind": "regions"},
    "greedy 2 x n": {"kind": "regions", "region": [2, 0]},
    "beam of 100 over rows": {"kind": "regions", "width": 100, "fillings": 5, "concentration": 0.1, "thrift": 0.2},
}
STAGES = {"1": 1, "2 to 5": 5, "6 on": 1 << 30}
"""The last cycle of each part of a search."""
COLUMNS = ["start", "seed", "cycles", "neighbourhood", "calls", "gained", "seconds", "before", "after", "version"]


def main() -> None:
    """Run what is missing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", type=Path)
    parser.add_argument("--cycles", type=int, default=20)
    parser.add_argument("--seeds", type=int, default=2)
    given = parser.parse_args()
    if not given.record.exists():
        pd.DataFrame(columns=COLUMNS).to_csv(given.record, index=False)
    done = set(pd.read_csv(given.record)[["start", "seed"]].itertuples(index=False, name=None))
    for start in STARTS:
        for seed in range(1, given.seeds + 1):
            if (start, seed) not in done:
                print(start, seed, file=sys.stderr, flush=True)
                pd.DataFrame(lines(start, seed, given.cycles)).to_csv(given.record, mode="a", header=False, index=False)
    print(table(pd.read_csv(given.record)))


def lines(start: str, seed: int, cycles: int) -> list[list[object]]:
    """Return the lines of a search of so many cycles."""
    puzzle, rng = load("eternity2"), np.random.default_rng(seed)
    terrain, found = make_terrain(puzzle), []
    terrain.place(start_of(puzzle, MNLS(init=STARTS[start]), ())(rng))
    first, begun = terrain.score, 0
    for stage, last in STAGES.items():
        calls, last = min(cycles, last) - begun, min(cycles, last)
        gained, seconds = dict.fromkeys(NEIGHBOURHOODS, 0), dict.fromkeys(NEIGHBOURHOODS, 0.0)
        for _ in range(calls):
            for name in NEIGHBOURHOODS:
                clock = time.process_time()
                gained[name] += MOVES[name](rng, terrain)
                seconds[name] += time.process_time() - clock
        found += [[start, seed, stage, name, calls, gained[name], round(seconds[name], 3)] for name in NEIGHBOURHOODS]
        begun = last
    return [[*line, first, terrain.score, __version__] for line in found]


def table(record: pd.DataFrame) -> str:
    """A Markdown table: what all searches from a kind of board have gained in a part, and the seconds it took."""
    rows = [
        f"| from | boards | score | cycles | {' | '.join(NEIGHBOURHOODS)} |",
        "|" + "---|" * (4 + len(NEIGHBOURHOODS)),
    ]
    for (start, stage), group in record.groupby(["start", "cycles"], sort=False):
        cells = []
        for name in NEIGHBOURHOODS:
            mine = group[group["neighbourhood"] == name]
            cells.append(f"{mine['gained'].sum()} ({mine['seconds'].sum():.2f} s)")
        scores = f"{group['before'].mean():.1f} to {group['after'].mean():.1f}"
        rows.append(f"| {start} | {group['seed'].nunique()} | {scores} | {stage} | {' | '.join(cells)} |")
    return "\n".join(rows)


if __name__ == "__main__":
    main()
