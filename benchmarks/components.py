"""What each component of `COLOUR_PAIRS` saves: `python -m benchmarks.components FOLDER --record FILE`.

The variants of the suites `components`, `heuristics` and `shaving` in `runs/benoist` count the solutions of the
instances in FOLDER, the easiest first (by the nodes of edge filtering in `docs/enumeration.csv`); by default those of
which `docs/enumeration_components.csv` has a line. A line is appended to FILE for each instance and variant; what is in
it already is skipped, so that it can be stopped and continued. Time is that of the processor. `docs/enumeration.md`
shows the sums.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import Any

from benchmarks.enumerate import measure
from evo.experiments.plan import make_plan
from evo.experiments.warmup import warm
from evo.settings.enumeration import EnumerationSettings
from evo.settings.registry import make_settings
from puzzles import load

SUITES = ("components", "heuristics", "shaving")
COLUMNS = ("instance", "variant", "solutions", "proved", "nodes", "seconds")
DOCS = Path(__file__).parents[1] / "docs"
COUNTS, COMPONENTS = DOCS / "enumeration.csv", DOCS / "enumeration_components.csv"


def main() -> None:
    """Measure what is missing in the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--record", type=Path, required=True)
    parser.add_argument("--instances", nargs="*", help="names such as E_9_4.b9i12")
    parser.add_argument("--nodes", type=int, default=100_000_000, help="the most nodes of a variant on an instance")
    given = parser.parse_args()
    chosen = variants(given.nodes)
    done = recorded(given.record)
    wanted = given.instances or {instance for instance, _ in recorded(COMPONENTS)}
    for name in (name for name in easiest() if name in wanted):
        puzzle = load(given.folder / f"{name}.nohint.csv", hints=given.folder / "hints.csv")
        for variant, settings in chosen.items():
            if (name, variant) in done:
                continue
            warm(puzzle, settings)
            tally, seconds = measure(puzzle, settings)
            line = [name, variant, tally.solutions, int(tally.proved), tally.nodes, round(seconds, 3)]
            with open(given.record, "a", newline="") as table:
                csv.writer(table).writerow(line)
            print(*line, flush=True)


def easiest() -> list[str]:
    """Return the instances whose solutions are counted, the easiest first."""
    with open(COUNTS, newline="") as table:
        rows = sorted(csv.DictReader(table), key=lambda row: int(row["edge_filtering_nodes"]))
    return [row["instance"] for row in rows]


def variants(nodes: int) -> dict[str, EnumerationSettings]:
    """Return the rows of the suites by their names; a row that is the paper's best occurs only once."""
    found: dict[str, EnumerationSettings] = {}
    seen: list[dict[str, Any]] = []
    for run in make_plan(list(SUITES), runs=1, evaluations=nodes, seed=1).runs:
        values = run.settings | {"seed": 1}
        if values not in seen:
            seen.append(values)
            settings = make_settings(values)
            assert isinstance(settings, EnumerationSettings)
            found[run.setting] = settings
    return found


def recorded(path: Path) -> set[tuple[str, str]]:
    """Return the instances and variants in a record, which begins with its columns."""
    if not path.exists():
        path.write_text(",".join(COLUMNS) + "\n")
    with open(path, newline="") as table:
        return {(row["instance"], row["variant"]) for row in csv.DictReader(table)}


if __name__ == "__main__":
    main()
