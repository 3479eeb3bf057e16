"""How many relaxed instances of Eternity II are solved in so many seconds: Figure 4 of Schaus and Deville.

`python -m benchmarks.relaxed --out FILE.csv [--relaxed N...] [--repeats N] [--seconds S] [--solver NAME] [--jobs N]`
appends a row per instance to FILE and skips what is in it already, so that it can be stopped and continued.
`--picture FILE.svg` draws all that is in the file.
"""

from __future__ import annotations

import argparse
import csv
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

import puzzles
from plots.solved import draw_solved, solved_shares
from plots.style import save_picture
from solvers import FirstFail, cp_sat, relaxed_positions

PAPER = tuple(range(0, 36, 2))
CHUNK = 200
"""Nodes between two looks at the clock."""


class Case(NamedTuple):
    """An instance: the seed chooses the relaxed positions, and is the solver's."""

    solver: str
    restart_after: int
    seconds: float
    relaxed: int
    repeat: int

    @property
    def seed(self) -> int:
        """Solvers are given the same instances."""
        return 1000 * self.relaxed + self.repeat


class Attempt(NamedTuple):
    """A line of the table."""

    relaxed: int
    repeat: int
    seed: int
    solver: str
    restart_after: int
    limit: float
    solved: int
    seconds: float
    placed: int
    nodes: int


def attempt(case: Case) -> Attempt:
    """Try to solve an instance within its seconds."""
    puzzle, rng = puzzles.load("eternity2"), np.random.default_rng(case.seed)
    pins = [hint for hint in puzzle.hints if hint.mandatory]
    positions = relaxed_positions(puzzle, rng, case.relaxed, pins=pins)
    start = time.perf_counter()
    if case.solver == "cp_sat":
        outcome = cp_sat(puzzle, rng, positions, effort=float("inf"), seconds=case.seconds, pins=pins)
    else:
        search = FirstFail(puzzle, rng, positions, restart_after=case.restart_after, pins=pins)
        while not search.over and time.perf_counter() - start < case.seconds:
            search.search(CHUNK)
        outcome = search.outcome()
    seconds = round(time.perf_counter() - start, 2)
    return Attempt(
        case.relaxed,
        case.repeat,
        case.seed,
        case.solver,
        case.restart_after,
        case.seconds,
        int(outcome.solved),
        seconds,
        outcome.placed,
        outcome.nodes,
    )


def warm() -> None:
    """Compile, or load from the cache, before any seconds are counted."""
    puzzle = puzzles.load("eternity2")
    FirstFail(puzzle, np.random.default_rng(1)).search(1)


def main() -> None:
    """Run what is asked for and not yet in the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--relaxed", type=int, nargs="*", default=PAPER)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--solver", choices=("first_fail", "cp_sat"), default="first_fail")
    parser.add_argument("--restart-after", type=int, default=0, help="nodes; of first_fail; 0: never, as in the paper")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    done = read(options.out)
    kind = (options.solver, options.restart_after, options.seconds)
    cases = [Case(*kind, relaxed, repeat) for repeat in range(options.repeats) for relaxed in options.relaxed]
    warm()  # here too: processes that compile the same at once get in each other's way
    spawn = get_context("spawn")
    with ProcessPoolExecutor(options.jobs, spawn, warm) as workers, options.out.open("a") as stream:
        table = csv.writer(stream, lineterminator="\n")
        if not stream.tell():
            table.writerow(Attempt._fields)
        for future in as_completed([workers.submit(attempt, case) for case in cases if case not in done]):
            row = future.result()
            table.writerow(row)
            stream.flush()
            print(*(f"{name} {value}" for name, value in row._asdict().items()), sep="  ", flush=True)
    print(summary(options.out, kind))
    if options.picture is not None:
        save_picture(draw_solved(solved_shares(pd.read_csv(options.out)), options.seconds), options.picture, force=True)


def read(path: Path) -> set[Case]:
    """The cases that are in a file."""
    return {
        Case(row["solver"], int(row["restart_after"]), float(row["limit"]), int(row["relaxed"]), int(row["repeat"]))
        for row in _rows(path)
    }


def summary(path: Path, kind: tuple[str, int, float]) -> str:
    """How many were solved of each number of relaxed positions."""
    outcomes: dict[int, list[bool]] = {}
    for row in _rows(path):
        if (row["solver"], int(row["restart_after"]), float(row["limit"])) == kind:
            outcomes.setdefault(int(row["relaxed"]), []).append(row["solved"] == "1")
    return "\n".join(f"{relaxed:3} relaxed: {sum(of)} of {len(of)} solved" for relaxed, of in sorted(outcomes.items()))


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open() as stream:
        return list(csv.DictReader(stream))


if __name__ == "__main__":
    main()
