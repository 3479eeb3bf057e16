"""The suites of Salassa et al. on some puzzles: `python -m benchmarks.salassa RECORD.csv SUITE [PUZZLE ...]`.

Runs each row of the suite with some seeds on one core and adds a line for each run to the record; what is there already
is not run again. Then prints a table of the suite's part of the record. Seconds are those of the processor.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from evo import __version__
from evo.experiments import settings_files
from evo.experiments.warmup import run_through
from evo.settings.base import make_search
from evo.settings.registry import make_settings
from puzzles import Puzzle, load
from solvers.construct.region_search import RegionSearch

COLUMNS = ["suite", "row", "puzzle", "seed", "score", "edges", "seconds", "regions", "proved", "version", "link"]
TASK = COLUMNS[:4]


def main() -> None:
    """Run what is missing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", type=Path)
    parser.add_argument("suite")
    parser.add_argument("puzzles", nargs="*", help="names or files")
    parser.add_argument("--rows", nargs="*", help="only these rows")
    parser.add_argument("--runs", type=int, help="of each row; by default those of the suite")
    parser.add_argument("--first-seed", type=int, default=1)
    given = parser.parse_args()
    if not given.record.exists():
        pd.DataFrame(columns=COLUMNS).to_csv(given.record, index=False)
    done = set(pd.read_csv(given.record)[TASK].itertuples(index=False, name=None))
    suite = settings_files.read(given.suite).values
    runs = given.runs or suite["runs"]
    for puzzle in [load(name) for name in given.puzzles]:
        for values in suite["rows"]:
            if given.rows and values["name"] not in given.rows:
                continue
            for seed in range(given.first_seed, given.first_seed + runs):
                if (given.suite, values["name"], puzzle.name, seed) not in done:
                    line = [given.suite, values["name"], puzzle.name, seed, *run(puzzle, suite, values, seed)]
                    print(*line[:-1], file=sys.stderr, flush=True)
                    pd.DataFrame([line]).to_csv(given.record, mode="a", header=False, index=False)
    record = pd.read_csv(given.record)
    print(table(record[record["suite"] == given.suite]))


def run(puzzle: Puzzle, suite: dict[str, Any], values: dict[str, Any], seed: int) -> list[object]:
    """The part of a line that a run gives."""
    common = {key: value for key, value in suite.items() if key not in ("rows", "runs", "seconds")}
    own = {key: value for key, value in values.items() if key not in ("name", "seconds")}
    limit = values.get("seconds", suite.get("seconds", float("inf")))
    settings = make_settings(common | own | {"seed": seed})
    for small in settings.warm_up():
        run_through(puzzle, small)
    search = make_search(puzzle, settings, np.random.default_rng(seed))
    start = time.process_time()
    for progress in search.reports():
        board, seconds = progress.board, time.process_time() - start
        if seconds >= limit:
            break
    proved, regions = search.proved if isinstance(search, RegionSearch) else (0, 0)
    return [board.score, puzzle.max_score, f"{seconds:.3f}", regions, proved, __version__, board.to_url()]


def table(record: pd.DataFrame) -> str:
    """A Markdown table with a row for each row of a suite and puzzle."""
    lines = ["| puzzle | row | runs | best | mean | least | of | seconds | proved |", "|" + "---|" * 9]
    for (puzzle, row), group in record.groupby(["puzzle", "row"], sort=False):
        scores, proved, regions = group["score"], group["proved"].sum(), group["regions"].sum()
        cells = [
            *(puzzle, row, len(group), scores.max(), f"{scores.mean():.2f}", scores.min(), group["edges"].iloc[0]),
            *(f"{group['seconds'].mean():.3g}", f"{proved}/{regions}" if regions else "-"),
        ]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
