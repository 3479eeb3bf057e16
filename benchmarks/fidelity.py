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
from pydantic import BaseModel

import puzzles
from evo.experiments.single_run import run
from evo.settings.evolution import AIEA, GA, MOEA
from evo.settings.paper import TABLE_1, TABLE_2, PaperRow
from evo.settings.registry import make_settings

# What the variants vary: how the sweep began, before it chose the defaults.
_GENERATIONAL = {"refill": "random", "turns": "any", "exchange": "together", "mutant_tournament": 3}
BASE: dict[str, dict[str, Any]] = {
    "GA": _GENERATIONAL,
    "MO": _GENERATIONAL,
    "AI": {"fewest_mutations": 1, "most_mutations": 10, "turns": "any", "exchange": "together"},
}
_DEFAULT: dict[str, Any] = {"exchange": "size_first", "mutant_tournament": 2, "most_mutations": 50}
_MODELS: dict[str, type[BaseModel]] = {"GA": GA, "AI": AIEA, "MO": MOEA}
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
    "mutants1+kept+size_first": {"mutant_tournament": 1, "refill": "kept", "exchange": "size_first"},
    "size_first+mutants2": {"exchange": "size_first", "mutant_tournament": 2},
    "distinct": {"distinct_parents": True},
    "most2": {"most_mutations": 2},
    "most50+size_first": {"most_mutations": 50, "exchange": "size_first"},
    "most20+size_first": {"most_mutations": 20, "exchange": "size_first"},
    "most3": {"most_mutations": 3},
    "most5": {"most_mutations": 5},
    "most10": {"most_mutations": 10},
    "most20": {"most_mutations": 20},
    "most50": {"most_mutations": 50},
    "default": _DEFAULT,
    "default+quarter": _DEFAULT | {"turns": "quarter"},
    "default+distinct parents": _DEFAULT | {"distinct_parents": True},
    "default+no replacement": _DEFAULT | {"replacement": False},
    "default+ties first": _DEFAULT | {"ties": "first"},
    "few2most5": {"fewest_mutations": 2, "most_mutations": 5},
}


def best_score(values: dict[str, Any], seed: int) -> tuple[int, float, float]:
    """The best score of a run, the mean of its last population, and its seconds."""
    best, mean, start = 0, 0.0, time.perf_counter()
    for progress in run(puzzles.load("eternity2"), make_settings(values), rng=np.random.default_rng(seed)):
        best, mean = progress.best_score, progress.mean
    return best, mean, time.perf_counter() - start


def main() -> None:
    """Run what is asked for and not yet in the file, or print what is in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("variants", nargs="*", help=f"any of {', '.join(VARIANTS)}")
    parser.add_argument("--evaluations", type=int, default=50_000_000)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--rows", nargs="*", default=[])
    options = parser.parse_args()
    if unknown := set(options.variants) - set(VARIANTS):
        parser.error(f"no such variant: {', '.join(unknown)}")
    records = [json.loads(line) for line in options.file.read_text().splitlines()] if options.file.exists() else []
    if not options.variants:
        of_budget = [record for record in records if record["evaluations"] == options.evaluations]
        immune = [record for record in of_budget if record["row"].startswith("AIEA")]
        for part in ([record for record in of_budget if record not in immune], immune):
            print(table(part), end="\n\n")
        return
    done = {(record["variant"], record["row"], record["evaluations"], record["seed"]) for record in records}
    for seed in range(1, options.seeds + 1):
        for variant in options.variants:
            for result in TABLE_2:
                row = row_name(result)
                key = (variant, row, options.evaluations, seed)
                if result.setting not in TABLE_1 or key in done or not _wanted(row, variant, options.rows):
                    continue
                kind = result.setting[:2]
                known = {key: value for key, value in VARIANTS[variant].items() if key in _MODELS[kind].model_fields}
                values = TABLE_1[result.setting] | BASE[kind] | known | {"init": result.init}
                values |= {"evaluations": options.evaluations} | ({"fitness": result.fitness} if result.fitness else {})
                best, mean, seconds = best_score(values, seed)
                record = dict(zip(("variant", "row", "evaluations", "seed"), key, strict=True))
                record |= {"best": best, "mean": round(mean, 1), "seconds": round(seconds, 1)}
                with options.file.open("a") as stream:
                    stream.write(json.dumps(record) + "\n")
                print(record, flush=True)


def table(records: list[dict[str, Any]]) -> str:
    """The best scores of all runs in Markdown: rows of Table II down, variants across, the distance from it below."""
    paper = {row_name(result): result for result in TABLE_2}
    variants = [name for name in VARIANTS if any(record["variant"] == name for record in records)]
    lines = ["| row | paper | " + " | ".join(variants) + " |", "|---" * (len(variants) + 2) + "|"]
    distance: dict[str, list[float]] = {name: [] for name in variants}
    for row, result in paper.items():
        cells = []
        for name in variants:
            best = [record["best"] for record in records if record["row"] == row and record["variant"] == name]
            cells.append(", ".join(map(str, best)))
            if best:
                distance[name].append(sum(best) / len(best) - result.mean)
        if any(cells):
            lines.append(f"| {row} | {result.mean} ({result.min}..{result.max}) | " + " | ".join(cells) + " |")
    off = [f"{sum(map(abs, distance[name])) / len(distance[name]):.1f}" for name in variants]
    lines.append("| mean distance from the paper | | " + " | ".join(off) + " |")
    return "\n".join(lines)


def row_name(result: PaperRow) -> str:
    """A row of Table II as one word."""
    return " ".join(part for part in (result.setting, result.init, result.fitness) if part)


def _wanted(row: str, variant: str, rows: list[str]) -> bool:
    immune = "most" in variant
    if variant in ("size_first", "quarter") or variant.startswith("default"):
        return not rows or any(row.startswith(wanted) for wanted in rows)
    if rows and not any(row.startswith(wanted) for wanted in rows):
        return False
    return row.startswith("AIEA") if immune else variant == "base" or not row.startswith("AIEA")


if __name__ == "__main__":
    main()
