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
_GENERATED = r"^(eternity-\d+x\d+-\d+-\d+)-\d+$"
"""The name of a generated puzzle; behind its size and colours is its seed."""


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
    print(table(pd.read_csv(given.record)))


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


def table(record: pd.DataFrame) -> str:
    """A Markdown table with a row for each kind of task, generated puzzles of one size together: scores and solved."""
    lines = [
        "| puzzle | hints | seconds | cores | version | runs | seeds | mean | deviation | least | best | of | solved |",
        "|" + "---|" * 13,
    ]
    kinds = record.assign(puzzle=record["puzzle"].str.replace(_GENERATED, r"\1", regex=True))
    for (puzzle, hints, seconds, jobs, version), group in kinds.groupby([*TASK[:-1], "version"], sort=False):
        scores, edges, seeds = group["score"], group["edges"].iloc[0], group["seed"]
        deviation = f"{scores.std():.2f}" if len(scores) > 1 else "-"
        cells = [
            *(puzzle, hints, f"{seconds:g}", jobs, version, len(group)),
            seeds.min() if seeds.nunique() == 1 else f"{seeds.min()} to {seeds.max()}",
            *(f"{scores.mean():.1f}", deviation, scores.min(), scores.max(), edges, (scores == edges).sum()),
        ]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
