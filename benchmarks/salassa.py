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
from evo.analysis.statistics import effect_statement, mann_whitney, vargha_delaney
from evo.experiments import settings_files
from evo.experiments.warmup import run_through
from evo.settings.base import make_search
from evo.settings.registry import make_settings
from puzzles import Puzzle, load
from solvers.construct.region_search import RegionSearch

COLUMNS = ["suite", "row", "puzzle", "seed", "score", "edges", "seconds", "regions", "proved", "version", "link"]
TASK = COLUMNS[:4]
PAPER: dict[tuple[str, str], tuple[int, float | None, int | None, float | None]] = {
    ("meta_10x10", "greedy 1 x n"): (165, 161.10, 158, 4.29),
    ("meta_10x10", "greedy 1 x n + search"): (168, 164.90, 161, 1204.29),
    ("meta_10x10", "greedy 2 x n"): (170, 166.35, 164, 25.93),
    ("meta_10x10", "greedy 2 x n + search"): (170, 167.05, 164, 1225.93),
    ("meta_10x10", "backtracking 1 x n"): (169, 165.65, 162, 1200.24),
    ("meta_10x10", "backtracking 1 x n + search"): (172, 167.75, 165, 2400.24),
    ("meta_10x10", "backtracking 2 x n"): (170, 167.65, 164, 1207.06),
    ("meta_10x10", "backtracking 2 x n + search"): (171, 168.10, 165, 2407.06),
    ("meta_12x12", "greedy 1 x n"): (245, 241.20, 239, 6.83),
    ("meta_12x12", "greedy 1 x n + search"): (247, 244.00, 240, 1806.83),
    ("meta_12x12", "greedy 2 x n"): (249, 247.00, 244, 101.02),
    ("meta_12x12", "greedy 2 x n + search"): (250, 247.50, 245, 1901.02),
    ("meta_12x12", "backtracking 1 x n"): (248, 245.35, 242, 1801.51),
    ("meta_12x12", "backtracking 1 x n + search"): (250, 247.75, 246, 3601.51),
    ("meta_12x12", "backtracking 2 x n"): (249, 247.60, 246, 1868.85),
    ("meta_12x12", "backtracking 2 x n + search"): (252, 248.45, 246, 3668.85),
    ("meta_14x14", "greedy 1 x n"): (338, 333.00, 329, 10.43),
    ("meta_14x14", "greedy 1 x n + search"): (339, 335.56, 332, 2410.43),
    ("meta_14x14", "greedy 2 x n"): (344, 340.50, 338, 2335.42),
    ("meta_14x14", "greedy 2 x n + search"): (344, 340.80, 338, 4735.42),
    ("meta_14x14", "backtracking 1 x n"): (342, 338.25, 334, 2401.36),
    ("meta_14x14", "backtracking 1 x n + search"): (344, 340.69, 336, 4801.36),
    ("meta_14x14", "backtracking 2 x n"): (344, 342.17, 340, 4664.65),
    ("meta_14x14", "backtracking 2 x n + search"): (344, 342.33, 340, 7064.65),
    ("meta_16x16", "greedy 1 x n"): (448, 444.05, 440, 24.08),
    ("meta_16x16", "greedy 1 x n + search"): (449, 446.20, 443, 3624.08),
    ("meta_16x16", "greedy 2 x n"): (454, 451.38, 448, 11188.03),
    ("meta_16x16", "greedy 2 x n + search"): (454, 451.88, 448, 14788.03),
    ("meta_16x16", "backtracking 1 x n"): (453, 448.80, 444, 3605.68),
    ("meta_16x16", "backtracking 1 x n + search"): (454, 451.53, 449, 7205.68),
    ("meta_16x16", "backtracking 2 x n"): (457, 453.69, 451, 13722.86),
    ("meta_16x16", "backtracking 2 x n + search"): (457, 454.00, 451, 17322.86),
    ("eternity2", "greedy 1 x n"): (449, 443.75, 440, 21.85),
    ("eternity2", "greedy 1 x n + search"): (450, 446.50, 442, 3621.85),
    ("eternity2", "greedy 2 x n"): (456, 451.75, 450, 13835.04),
    ("eternity2", "greedy 2 x n + search"): (457, 451.95, 450, 17435.04),
    ("eternity2", "backtracking 1 x n"): (453, 449.00, 446, 3605.08),
    ("eternity2", "backtracking 1 x n + search"): (454, 451.35, 447, 7205.08),
    ("eternity2", "backtracking 2 x n"): (457, 452.80, 448, 15294.52),
    ("eternity2", "backtracking 2 x n + search"): (457, 453.15, 449, 18894.52),
    ("meta_10x10", "from random"): (167, 163.2, 158, None),
    ("meta_12x12", "from random"): (238, 231.1, 223, None),
    ("meta_14x14", "from random"): (312, 299.2, 292, None),
    ("meta_16x16", "from random"): (398, 384.3, 367, None),
    ("eternity2", "from random"): (391, 382.0, 372, None),
    ("meta_10x10", "a minute"): (172, None, None, 2400.0),
    ("meta_10x10", "ten minutes"): (172, None, None, 2400.0),
    ("meta_12x12", "a minute"): (252, None, None, 3600.0),
    ("meta_12x12", "ten minutes"): (252, None, None, 3600.0),
    ("meta_14x14", "a minute"): (347, None, None, 4800.0),
    ("meta_14x14", "ten minutes"): (347, None, None, 4800.0),
    ("meta_16x16", "a minute"): (457, None, None, 21600.0),
    ("meta_16x16", "ten minutes"): (457, None, None, 21600.0),
    ("eternity2", "a minute"): (458, None, None, 21600.0),
    ("eternity2", "ten minutes"): (458, None, None, 21600.0),
}
"""Best, mean and least score, and mean seconds: of twenty runs in Tables 3 and 4; in Table 5 the best of a hundred."""


def main() -> None:
    """Run what is missing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", type=Path)
    parser.add_argument("suite")
    parser.add_argument("puzzles", nargs="*", help="names or files")
    parser.add_argument("--rows", nargs="*", help="only these rows")
    parser.add_argument("--runs", type=int, help="of each row; by default those of the suite")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--until-best", action="store_true", help="end runs that reach the paper's best score")
    given = parser.parse_args()
    name = f"{given.suite}, until the paper's best" if given.until_best else given.suite
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
                if (name, values["name"], puzzle.name, seed) not in done:
                    goal = PAPER[puzzle.name, values["name"]][0] if given.until_best else puzzle.max_score
                    line = [name, values["name"], puzzle.name, seed, *run(puzzle, suite, values, seed, goal)]
                    print(*line[:-1], file=sys.stderr, flush=True)
                    pd.DataFrame([line]).to_csv(given.record, mode="a", header=False, index=False)
    record = pd.read_csv(given.record)
    print(table(record[record["suite"] == name]))
    print(*contrasts(record), sep="\n")


def run(puzzle: Puzzle, suite: dict[str, Any], values: dict[str, Any], seed: int, goal: int) -> list[object]:
    """The part of a line that a run gives, which ends when its time is over or it reaches a score."""
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
        if seconds >= limit or board.score >= goal:
            break
    proved, regions = search.proved if isinstance(search, RegionSearch) else (0, 0)
    return [board.score, puzzle.max_score, f"{seconds:.3f}", regions, proved, __version__, board.to_url()]


def table(record: pd.DataFrame) -> str:
    """A Markdown table with a row for each row of a suite and puzzle, beside the paper's, where it has one."""
    lines = [
        "| puzzle | row | runs | best / mean / least | of | seconds | proved | paper | its seconds | verdict |",
        "|" + "---|" * 10,
    ]
    for (puzzle, row), group in record.groupby(["puzzle", "row"], sort=True):
        scores, proved, regions = group["score"], group["proved"].sum(), group["regions"].sum()
        seconds, paper, times, verdict = group["seconds"].mean(), "", "", ""
        if (puzzle, row) in PAPER:
            best, mean, least, took = PAPER[puzzle, row]
            paper = f"{best}" if mean is None else f"{best} / {mean:.2f} / {least}"
            verdict = f"best {scores.max() - best:+}" if mean is None else f"mean {scores.mean() - mean:+.2f}"
            if took is not None:
                times, verdict = f"{took:,.0f}", f"{verdict}, 1/{took / seconds:,.0f} of the time"
        cells = [
            *(puzzle, row, len(group), f"{scores.max()} / {scores.mean():.2f} / {scores.min()}"),
            *(group["edges"].iloc[0], f"{seconds:.3g}", f"{proved}/{regions}" if regions else "-"),
            *(paper, times, verdict),
        ]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def contrasts(record: pd.DataFrame) -> list[str]:
    """Return how repair by regions does against repair in the very large neighbourhood, for algorithms with both."""
    found, repairs = [], record[record["suite"] == "salassa_repairs"]
    for name in repairs["row"].str.split(",").str[0].unique():
        ours, others = (repairs.loc[repairs["row"] == f"{name}, {kind}", "score"] for kind in ("regions", "vlns"))
        if len(ours) and len(others):
            statement = effect_statement(vargha_delaney(ours, others), mann_whitney(ours, others))
            found.append(f"{name}: {ours.mean():.1f} by regions, {others.mean():.1f} by vlns, {statement}")
    return found


if __name__ == "__main__":
    main()
