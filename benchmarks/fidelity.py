"""How the settings that the paper leaves open move its Table II: runs variants of rows and keeps the scores.

`python -m benchmarks.fidelity FILE VARIANT... [--evaluations N] [--seeds N] [--rows NAME...]` appends a line of JSON
per run to FILE and skips what is in it already; without a variant, it prints the tables of what is in FILE. A variant
is one or more of PARTS, joined by "+", each of which changes what those before it set. `docs/fidelity.md` has the tables
that came of it.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

import puzzles
from evo.experiments.single_run import run
from evo.settings.paper import TABLE_1, TABLE_2, PaperRow
from evo.settings.registry import make_settings, settings_class

BASE: dict[str, Any] = {
    **{"refill": "random", "turns": "any", "exchange": "together", "mutant_tournament": 3, "path": "zigzag"},
    **{"fewest_mutations": 1, "most_mutations": 10},
}
"""How the sweep with all edges began, before it chose the defaults."""
_DEFAULT = {"exchange": "size_first", "mutant_tournament": 2, "most_mutations": 50}
PARTS: dict[str, dict[str, Any]] = {
    "base": {},
    "default": _DEFAULT,
    "printed": _DEFAULT | {"edges": "paper", "path": "row", "mutant_tournament": 3},
    "kept": {"refill": "kept"},
    "quarter": {"turns": "quarter"},
    "size_first": {"exchange": "size_first"},
    "together": {"exchange": "together"},
    "distinct parents": {"distinct_parents": True},
    "no replacement": {"replacement": False},
    "ties first": {"ties": "first"},
    "zigzag": {"path": "zigzag"},
    **{f"mutants{size}": {"mutant_tournament": size} for size in (1, 2, 3)},
    **{f"partner{size}": {"partner_tournament": size} for size in (1, 2)},
    **{f"most{count}": {"most_mutations": count} for count in (2, 3, 5, 10, 20, 50, 100, 200, 256)},
    **{f"fewest{count}": {"fewest_mutations": count} for count in (2, 3)},
}


def values_of(variant: str, row: PaperRow) -> dict[str, Any]:
    """Return the settings of a row in a variant; what the row's algorithm does not have is left out."""
    values = TABLE_1.get(row.setting, {"algorithm": row.setting})
    known = settings_class(values["algorithm"]).model_fields
    parts = [BASE, *(PARTS[part] for part in variant.split("+")), {"init": row.init, "fitness": row.fitness}]
    changes = {key: value for part in parts for key, value in part.items() if key in known and value is not None}
    return values | (changes if row.setting in TABLE_1 else {"edges": changes.get("edges", "all")})


def scores(values: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return the best score of a run, that of its last population, the mean of that population, and the seconds.

    The last population's are those of what is in it; the baselines have no population, and repeat the best.
    """
    evolves = "population" in values
    settings = make_settings(values | ({"reported": "final"} if evolves else {}))
    best, start = 0, time.perf_counter()
    for progress in run(puzzles.load("eternity2"), settings, rng=np.random.default_rng(seed)):
        best = max(best, progress.best_score)
    seconds = time.perf_counter() - start
    return {"best": best, "final": progress.best_score, "mean": round(progress.mean, 1), "seconds": round(seconds, 1)}


def main() -> None:
    """Run what is asked for and not yet in the file, or print what is in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("variants", nargs="*", help=f"combinations by + of {', '.join(PARTS)}")
    parser.add_argument("--evaluations", type=int, default=50_000_000)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--rows", nargs="*", default=[""], help="beginnings of the names of rows")
    options = parser.parse_args()
    for variant in options.variants:
        if unknown := set(variant.split("+")) - set(PARTS):
            parser.error(f"no such variant: {', '.join(unknown)}")
    records = [json.loads(line) for line in options.file.read_text().splitlines()] if options.file.exists() else []
    if not options.variants:
        of_budget = [record for record in records if record["evaluations"] == options.evaluations]
        immune = [record for record in of_budget if record["row"].startswith("AIEA")]
        for part in ([record for record in of_budget if record not in immune], immune):
            print(table(part), end="\n\n")
        return
    done = {(record["variant"], record["row"], record["evaluations"], record["seed"]) for record in records}
    for seed, variant, paper in itertools.product(range(1, options.seeds + 1), options.variants, TABLE_2):
        row = row_name(paper)
        key = (variant, row, options.evaluations, seed)
        if key in done or not row.startswith(tuple(options.rows)):
            continue
        record = dict(zip(("variant", "row", "evaluations", "seed"), key, strict=True))
        record |= scores(values_of(variant, paper) | {"evaluations": options.evaluations}, seed)
        with options.file.open("a") as stream:
            stream.write(json.dumps(record) + "\n")
        print(record, flush=True)


def table(records: list[dict[str, Any]]) -> str:
    """Return the scores of all runs in Markdown: rows of Table II down, variants across, the distance from it below.

    Where the best score of a run is not that of its last population, the latter follows after a slash; the distance is
    that of the best scores.
    """
    paper = {row_name(row): row for row in TABLE_2}
    variants = list(dict.fromkeys(record["variant"] for record in records))
    lines = ["| row | paper | " + " | ".join(variants) + " |", "|---" * (len(variants) + 2) + "|"]
    distance: dict[str, list[float]] = {name: [] for name in variants}
    for row, printed in paper.items():
        cells = []
        for name in variants:
            found = [record for record in records if record["row"] == row and record["variant"] == name]
            cells.append(", ".join(map(_scores_text, found)))
            if found:
                distance[name].append(sum(record["best"] for record in found) / len(found) - printed.mean)
        if any(cells):
            lines.append(f"| {row} | {printed.mean} ({printed.min}..{printed.max}) | " + " | ".join(cells) + " |")
    off = [f"{sum(map(abs, distance[name])) / len(distance[name]):.1f}" for name in variants]
    lines.append("| mean distance from the paper | | " + " | ".join(off) + " |")
    return "\n".join(lines)


def _scores_text(record: dict[str, Any]) -> str:
    best, final = record["best"], record.get("final", record["best"])
    return f"{best}" if best == final else f"{best}/{final}"


def row_name(row: PaperRow) -> str:
    """Return a row of Table II as one word."""
    return " ".join(part for part in (row.setting, row.init, row.fitness) if part)


if __name__ == "__main__":
    main()
