"""What each component of `COLOUR_PAIRS` saves on instances that are too hard to finish: estimates from parts of trees.

`python -m benchmarks.sampled_components FOLDER --record FILE` does for the instances of which
`docs/enumeration_components.csv` has no line what `benchmarks.components` does for the others. The nodes of a level of
the search tree, at least `LEAST_DEALT` of them where the tree has so many, are dealt to parts as among jobs, and one
part is searched: every k-th subtree of that level. Its nodes and its time, times k, are an unbiased estimate of those
of the whole tree, but for jumps over that level, which a divided search does not make. How many subtrees are searched
is decided by the time of a few others. `--check` does it for instances of the other record.

`python -m benchmarks.sampled_components FOLDER --record FILE --table` prints the means of both records.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmarks.components import COMPONENTS, DOCS, easiest, recorded, variants
from benchmarks.enumerate import measure
from evo.experiments.warmup import warm
from evo.settings.base import make_search
from evo.settings.enumeration import EnumerationSettings
from puzzles import Puzzle, load
from solvers import Enumeration
from solvers.exact.enumerator import DEALT

COLUMNS = ("instance", "variant", "level", "dealt", "searched", "nodes", "seconds")
SAMPLED, CHECK = DOCS / "enumeration_sampled.csv", DOCS / "enumeration_sampled_check.csv"
LEAST_DEALT = 10_000
_PILOT, _FEWEST = 16, 30
"""Subtrees searched to see how long one takes, and the fewest that an estimate is made from."""
_MOST_PARTS = 10**6


class Estimate(NamedTuple):
    """An estimate of a search tree from some of its subtrees."""

    level: int
    """The level of the roots of the subtrees; 0 if the whole tree was searched."""
    dealt: int
    """The nodes of that level."""
    searched: int
    """The subtrees that were searched."""
    nodes: float
    seconds: float


def main() -> None:
    """Measure what is missing in the record, or print the means."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--record", type=Path, required=True)
    parser.add_argument("--instances", nargs="*", help="names such as E_9_4.b9i12; by default all that are missing")
    parser.add_argument("--seconds", type=float, default=3.0, help="processor seconds that a part is meant to take")
    parser.add_argument("--check", action="store_true", help="estimate instances that were searched wholly")
    parser.add_argument("--table", action="store_true", help="print the means of the records")
    given = parser.parse_args()
    if given.table:
        print("\n".join(table()))
        return
    if not given.record.exists():
        given.record.write_text(",".join(COLUMNS) + "\n")
    whole = {instance for instance, _ in recorded(COMPONENTS)}
    names = [name for name in easiest() if (name in whole) == given.check]
    done = recorded(given.record)
    for name in (name for name in names if not given.instances or name in given.instances):
        puzzle = load(given.folder / f"{name}.nohint.csv", hints=given.folder / "hints.csv")
        for variant, settings in variants(10**15).items():
            if (name, variant) in done:
                continue
            warm(puzzle, settings)
            estimate = sampled(puzzle, settings, given.seconds, np.random.default_rng(1))
            line = [name, variant, *estimate[:3], round(estimate.nodes), round(estimate.seconds, 2)]
            with open(given.record, "a", newline="") as record:
                csv.writer(record, lineterminator="\n").writerow(line)
            print(*line, flush=True)


def sampled(puzzle: Puzzle, settings: EnumerationSettings, seconds: float, rng: np.random.Generator) -> Estimate:
    """Estimate the nodes and the processor seconds of a search for all solutions.

    Args:
        puzzle: The puzzle.
        settings: The engine.
        seconds: How long the search of a part of the tree should take.
        rng: Chooses the part.
    """
    level, walk = _level(puzzle, settings)
    wanted = _PILOT
    while walk.dealt > 2 * wanted:
        parts = walk.dealt // wanted
        part = int(rng.integers(parts))
        some = _search(puzzle, settings, level, part, parts)
        searched = len(range(part, walk.dealt, parts))
        scale = walk.dealt / searched
        if wanted > _PILOT:
            nodes = walk.nodes + scale * (some.nodes - walk.nodes)
            return Estimate(level, walk.dealt, searched, nodes, walk.seconds + scale * (some.seconds - walk.seconds))
        each = max(some.seconds - walk.seconds, 1e-6) / searched
        wanted = max(_FEWEST, int(seconds / each))
    tally, spent = measure(puzzle, settings)
    return Estimate(0, 1, 1, tally.nodes, spent)


class _Spent(NamedTuple):
    """The nodes of a level that were dealt, and all nodes and seconds of a search."""

    dealt: int
    nodes: int
    seconds: float


def _level(puzzle: Puzzle, settings: EnumerationSettings) -> tuple[int, _Spent]:
    """Return the first level with enough nodes, or else the last one, and what it takes to walk there."""
    walk = _Spent(0, 0, 0.0)
    for level in range(2, puzzle.size):
        walk = _search(puzzle, settings, level, _MOST_PARTS - 1, _MOST_PARTS)
        if walk.dealt >= LEAST_DEALT or not walk.dealt:
            break
    return level, walk


def _search(puzzle: Puzzle, settings: EnumerationSettings, level: int, part: int, parts: int) -> _Spent:
    """Search a part of the tree."""
    search = make_search(puzzle, settings.model_copy(update={"part": part, "parts": parts, "split": level}))
    assert isinstance(search, Enumeration)
    start = time.process_time()
    for _ in search.reports():
        pass
    return _Spent(int(search.state()["numbers"][DEALT]), search.tally().nodes, time.process_time() - start)


def table() -> list[str]:
    """Return the lines of a table: the mean ratio of each variant to all components, over all instances.

    The means are geometric, with the interval that holds 95 % of the means of 10,000 resampled sets of instances.
    """
    both = pd.concat([pd.read_csv(COMPONENTS), pd.read_csv(SAMPLED)])
    rng = np.random.default_rng(1)
    lines = []
    for variant in dict.fromkeys(both["variant"]):
        cells = []
        for column in ("nodes", "seconds"):
            values = both.pivot(index="instance", columns="variant", values=column)
            logs = np.log(values[variant] / values["all components"]).to_numpy()
            means = logs[rng.integers(len(logs), size=(10_000, len(logs)))].mean(axis=1)
            low, high = np.exp(np.quantile(means, [0.025, 0.975]))
            cells.append(f"{np.exp(logs.mean()):.2f} ({low:.2f} to {high:.2f})")
        lines.append(f"| {variant} | {' | '.join(cells)} |")
    return lines


if __name__ == "__main__":
    main()
