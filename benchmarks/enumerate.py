"""Enumeration of a folder of instances by several engines: `python -m benchmarks.enumerate FOLDER [ENGINE...]`.

For each instance and engine it prints nodes, seconds and solutions, and appends them to the file `--record`, a line of
JSON each, from which `docs/enumeration.md` was made. What is in it already is not counted again, unless it was not
finished and more nodes are allowed now. Hints come from `hints.csv` in the folder. Time is that of the
processor, so that a busy machine counts less.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from evo.experiments.enumerating import engines
from evo.experiments.warmup import warm
from evo.settings.base import make_search
from evo.settings.enumeration import EnumerationSettings
from puzzles import Puzzle, generate, load
from solvers import Enumeration, Tally


def main() -> None:
    """Measure the engines that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("engine", nargs="*", help=f"{', '.join(engines())}; by default all")
    parser.add_argument("--nodes", type=int, default=10**15, help="the most nodes of an engine on an instance")
    parser.add_argument("--instances", nargs="*", help="names such as E_9_4; by default all of the folder")
    parser.add_argument("--record", type=Path, required=True)
    given = parser.parse_args()
    values: dict[str, Any] = {"pins": "all", "evaluations": given.nodes}
    chosen = {name: engines()[name](**values) for name in given.engine or engines()}
    small = generate(4, 4, 3, 3, 1, hints=1)[0]
    for settings in chosen.values():
        warm(small, settings)
    for path in sorted(given.folder.glob("E_*.csv")):
        puzzle = load(path, hints=given.folder / "hints.csv")
        if given.instances and path.name.partition(".")[0] not in given.instances:
            continue
        for name, settings in chosen.items():  # in turns, so that all engines see the same load
            if is_settled(recorded(given.record).get((puzzle.name, name)), given.nodes):
                continue
            tally, seconds = measure(puzzle, settings)
            append(given.record, puzzle.name, name, tally, seconds)
            proof = "" if tally.proved else "  not finished"
            counts = f"{tally.solutions:4} solutions {tally.nodes:13,} nodes {seconds:8.2f} s"
            print(f"{puzzle.name:26} {name:16} {counts}{proof}", flush=True)
    lines = recorded(given.record)
    for name in chosen:
        proved = [line for (_, engine), line in lines.items() if engine == name and line["proved"]]
        print(f"{name}: {len(proved)} instances, {sum(line['seconds'] for line in proved):.1f} s in all")


def recorded(path: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the last line of a record for each instance and engine."""
    lines = [json.loads(text) for text in path.read_text().splitlines()] if path.exists() else []
    return {(line["instance"], line["engine"]): line for line in lines}


def is_settled(line: dict[str, Any] | None, nodes: int) -> bool:
    """Return whether a line of a record is proved, or could not be with so many nodes."""
    return line is not None and (line["proved"] or line["nodes"] >= nodes)


def append(path: Path, instance: str, engine: str, tally: Tally, seconds: float) -> None:
    """Add a line to a record."""
    line = {"instance": instance, "engine": engine, **tally._asdict(), "seconds": round(seconds, 3)}
    with open(path, "a", encoding="utf-8") as record:
        record.write(json.dumps(line) + "\n")


def measure(puzzle: Puzzle, settings: EnumerationSettings) -> tuple[Tally, float]:
    """Return what an engine finds with a budget of nodes, and the seconds that it takes."""
    search = make_search(puzzle, settings, np.random.default_rng(settings.seed))
    assert isinstance(search, Enumeration)
    start = time.process_time()
    for _ in search.reports():
        pass
    return search.tally(), time.process_time() - start


if __name__ == "__main__":
    main()
