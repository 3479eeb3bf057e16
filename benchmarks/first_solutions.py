"""How soon the engines solve generated boards: `python -m benchmarks.first_solutions --side N --record FILE`.

For each seed, a board with the default numbers of colours is generated, and each engine looks for one solution with a
corner fixed, for `--seconds` of processor time. A line says how long it took, or the share of the tree that was done,
an estimate; and the expected number of nodes of row-major backtracking (`solvers.exact.tree_size`).
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from benchmarks.enumerate import append, recorded
from evo.experiments.enumerating import engines, settings_of
from evo.experiments.warmup import warm
from evo.settings.base import make_search
from evo.settings.enumeration import EnumerationSettings
from puzzles import Puzzle, generate
from solvers import Enumeration, Tally
from solvers.exact.symmetry import corner_hint
from solvers.exact.tree_size import tree_size

BORDER_COLOURS = 4


def main() -> None:
    """Measure what is missing in the record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine", nargs="*", help=f"{', '.join(engines())}; by default all")
    parser.add_argument("--side", type=int, default=8)
    parser.add_argument("--seeds", type=int, nargs="+", default=[101, 102, 103, 104, 105])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--record", type=Path, required=True)
    given = parser.parse_args()
    for seed in given.seeds:
        puzzle, _ = generate(given.side, given.side, BORDER_COLOURS, given.side, seed)
        nodes = tree_size(puzzle, pins=[corner_hint(puzzle)]).log10_nodes
        for name in given.engine or engines():
            if (puzzle.name, name) in recorded(given.record):
                continue
            settings = settings_of(name, limit=1, hints="none", fix_corner=True, seed=1)
            warm(puzzle, settings)
            tally, seconds = first_solution(puzzle, settings, given.seconds)
            append(given.record, puzzle.name, name, tally, seconds)
            found = "solved" if tally.solutions else f"{100 * tally.share:.1f} % of the tree done"
            print(f"{puzzle.name} (10^{nodes:.1f} nodes) {name:16} {tally.nodes:14,} nodes {seconds:6.1f} s  {found}")


def first_solution(puzzle: Puzzle, settings: EnumerationSettings, limit: float) -> tuple[Tally, float]:
    """Return what an engine finds until it has a solution or the time is over, and the seconds that it takes."""
    search = make_search(puzzle, settings)
    assert isinstance(search, Enumeration)
    start = time.process_time()
    for _ in search.reports():
        if time.process_time() - start > limit:
            break
    return search.tally(), time.process_time() - start


if __name__ == "__main__":
    main()
