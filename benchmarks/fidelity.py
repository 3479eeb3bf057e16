"""How the settings that the paper leaves open move its Table II: runs variants of rows and keeps the scores.

`python -m benchmarks.fidelity FILE VARIANT... [--evaluations N] [--seeds N] [--rows NAME...]` appends a line of JSON
per run to FILE and skips what is in it already. `docs/fidelity.md` has the tables that came of it.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

import puzzles
from evo.running import run
from evo.settings import make_settings
from evo.table1 import TABLE_1, TABLE_2, Result

VARIANTS: dict[str, dict[str, Any]] = {
    "base": {},
    "kept": {"refill": "kept"},
    "quarter": {"turns": "quarter"},
    "kept+quarter": {"refill": "kept", "turns": "quarter"},
    "mutants1": {"mutant_tournament": 1},
    "mutants2": {"mutant_tournament": 2},
    "mutants2+kept": {"mutant_tournament": 2, "refill": "kept"},
    "mutants2+quarter": {"mutant_tournament": 2, "turns": "quarter"},
    "mutants1+kept": {"mutant_tournament": 1, "refill": "kept"},
    "size_first": {"exchange": "size_first"},
    "size_first+kept": {"exchange": "size_first", "refill": "kept"},
    "size_first+kept+mutants2": {"exchange": "size_first", "refill": "kept", "mutant_tournament": 2},
    "distinct": {"distinct_parents": True},
    "most2": {"most_mutations": 2},
    "most3": {"most_mutations": 3},
    "most5": {"most_mutations": 5},
    "most10": {"most_mutations": 10},
    "most20": {"most_mutations": 20},
    "most50": {"most_mutations": 50},
    "few2most5": {"fewest_mutations": 2, "most_mutations": 5},
}


def best_score(values: dict[str, Any], seed: int) -> tuple[int, float, float]:
    """The best score of a run, the mean of its last population, and its seconds."""
    best, mean, start = 0, 0.0, time.perf_counter()
    for progress in run(puzzles.load("eternity2"), make_settings(values), rng=np.random.default_rng(seed)):
        best, mean = progress.best_score, progress.mean
    return best, mean, time.perf_counter() - start


def main() -> None:
    """Run what is asked for and not yet in the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("variants", nargs="+", choices=list(VARIANTS))
    parser.add_argument("--evaluations", type=int, default=10_000_000)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--rows", nargs="*", default=[])
    options = parser.parse_args()
    done = set()
    if options.file.exists():
        for line in options.file.read_text().splitlines():
            row = json.loads(line)
            done.add((row["variant"], row["row"], row["evaluations"], row["seed"]))
    for seed in range(1, options.seeds + 1):
        for variant in options.variants:
            for result in TABLE_2:
                row = row_name(result)
                key = (variant, row, options.evaluations, seed)
                if result.setting not in TABLE_1 or key in done or not _wanted(row, variant, options.rows):
                    continue
                values = TABLE_1[result.setting] | VARIANTS[variant] | {"init": result.init}
                values |= {"fitness": result.fitness or "combined", "evaluations": options.evaluations}
                best, mean, seconds = best_score(values, seed)
                record = dict(zip(("variant", "row", "evaluations", "seed"), key, strict=True))
                record |= {"best": best, "mean": round(mean, 1), "seconds": round(seconds, 1), "paper": result.mean}
                with options.file.open("a") as stream:
                    stream.write(json.dumps(record) + "\n")
                print(record, flush=True)


def row_name(result: Result) -> str:
    """A row of Table II as one word."""
    return " ".join(part for part in (result.setting, result.init, result.fitness) if part)


def _wanted(row: str, variant: str, rows: list[str]) -> bool:
    immune = "most" in variant
    if variant in ("size_first", "quarter"):
        return not rows or any(row.startswith(wanted) for wanted in rows)
    if rows and not any(row.startswith(wanted) for wanted in rows):
        return False
    return row.startswith("AIEA") if immune else variant == "base" or not row.startswith("AIEA")


if __name__ == "__main__":
    main()
