"""How good boards are that `evo solve` gives: `python -m benchmarks.champion RECORD.csv [PUZZLE ...]`.

Solves each puzzle with some seeds, two at a time on two cores unless told otherwise, and adds a line for each to the
record; what is there already is not run again. Then prints a table of the whole record.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd

from evo import __version__
from puzzles import load, load_board

COLUMNS = ["puzzle", "hints", "seconds", "jobs", "seed", "score", "edges", "version", "link"]
TASK = COLUMNS[:5]


def main() -> None:
    """Run what is missing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", type=Path)
    parser.add_argument("puzzles", nargs="*", help="names or files")
    parser.add_argument("--hints", default="none")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--jobs", type=int, default=1, help="of each")
    parser.add_argument("--at-once", type=int, default=2, help="how many are solved side by side")
    parser.add_argument("--seeds", type=int, default=10, help="how many")
    parser.add_argument("--first-seed", type=int, default=1001)
    given = parser.parse_args()
    if not given.record.exists():
        pd.DataFrame(columns=COLUMNS).to_csv(given.record, index=False)
    done = set(pd.read_csv(given.record)[TASK].itertuples(index=False, name=None))
    left = [
        (puzzle, seed)
        for puzzle in given.puzzles
        for seed in range(given.first_seed, given.first_seed + given.seeds)
        if (load(puzzle).name, given.hints, given.seconds, given.jobs, seed) not in done
    ]

    def solved(task: tuple[str, int]) -> None:
        line = solve(*task, given.hints, given.seconds, given.jobs)
        print(*line[:-1], file=sys.stderr)
        pd.DataFrame([line]).to_csv(given.record, mode="a", header=False, index=False)

    with ThreadPoolExecutor(given.at_once) as pool:
        list(pool.map(solved, left))
    print(table(pd.read_csv(given.record)).to_string(index=False))


def solve(puzzle: str, seed: int, hints: str, seconds: float, jobs: int) -> list[object]:
    """A line of the record: what one call of the command gave."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            *(sys.executable, "-c", "from evo.cli import main; main()", "solve", str(Path(puzzle).resolve())),
            *("--seconds", str(seconds), "--jobs", str(jobs), "--hints", hints, "--seed", str(seed)),
            *("-o", "board.json"),
        ]
        if not Path(puzzle).exists():  # the name of a puzzle that comes with the project
            command[4] = puzzle
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        board = load_board(Path(folder) / "board.json")
    return [
        *(board.puzzle.name, hints, seconds, jobs, seed, board.score, board.puzzle.max_score, __version__),
        board.to_url(),
    ]


def table(record: pd.DataFrame) -> pd.DataFrame:
    """A row for each kind of task: how many, their mean, deviation, worst and best score, and how many were solved."""
    groups = record.assign(solved=record["score"] == record["edges"]).groupby(TASK[:-1], sort=False)
    return groups.agg(
        n=("score", "size"), mean=("score", "mean"), sd=("score", "std"), least=("score", "min"), best=("score", "max"),
        edges=("edges", "first"), solved=("solved", "sum"),
    ).reset_index()  # fmt: skip


if __name__ == "__main__":
    main()
