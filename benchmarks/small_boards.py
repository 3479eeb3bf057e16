"""Table 1 of Salassa et al.: `python -m benchmarks.small_boards RECORD.csv METHOD PUZZLE ... --limit N`.

Adds a line to the record for each puzzle and seed; what is there already is not run again. Then prints a table of the
record. The first corner tile is in the upper left corner, as in the paper's graphs. METHOD and its limit are

- clique: the heuristic for large cliques, and its selections;
- a model and an engine, such as printed-scipy, strong-scip or perfect-cp-sat, and seconds; `perfect` is the strong
  model without an objective, which asks for a board without unmatched edges;
- portfolio or backtracker, the enumerators, and the solutions after which they end; 0 means all.

Seconds are those of the processor.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

from evo import __version__
from evo.experiments.warmup import run_through
from evo.settings.base import make_search
from evo.settings.registry import make_settings
from puzzles import Board, Puzzle, load
from solvers.exact.clique import clique_graph, first_corner
from solvers.exact.clique_search import find_clique
from solvers.exact.enumerator import Enumeration
from solvers.exact.milp import milp_model
from solvers.programs import engines

COLUMNS = ["method", "limit", "puzzle", "seed", "tiles", "matched", "edges", "proved", "work", "seconds", "version"]
TASK = COLUMNS[:4]
_CLIQUE = {
    1_000_000: ((12, 0.2), (24, 0.3), (40, 0.8), (57, 1.4), (78, 2.5), (102, 4.8)),
    10_000_000: ((12, 1.9), (24, 3.8), (40, 7.6), (60, 13.5), (80, 22.4), (106, 35.7)),
    50_000_000: ((12, 9.3), (24, 19.3), (40, 37.8), (60, 67.0), (82, 110.5), (106, 172.4)),
}
_MILP = ((12, 0.1), (24, 0.1), (40, 16.7), (60, 243.5), (81, 3600.0), (103, 3600.0))


def paper(method: str, limit: int, puzzle: str) -> tuple[int, float]:
    """Return the edges matched and the seconds of the paper: its cliques, or else its integer program on one thread."""
    size = int(puzzle.split("x")[-1])
    return (_CLIQUE[limit] if method == "clique" else _MILP)[size - 3]


def main() -> None:
    """Run what is missing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", type=Path)
    parser.add_argument("method")
    parser.add_argument("puzzles", nargs="*", help="names or files")
    parser.add_argument("--limit", type=int, required=True)
    parser.add_argument("--seeds", type=int, default=1)
    given = parser.parse_args()
    if not given.record.exists():
        pd.DataFrame(columns=COLUMNS).to_csv(given.record, index=False)
    done = set(pd.read_csv(given.record)[TASK].itertuples(index=False, name=None))
    for puzzle in [load(name) for name in given.puzzles]:
        for seed in range(1, given.seeds + 1):
            task = (given.method, given.limit, puzzle.name, seed)
            if task not in done:
                line = [*task, *run(puzzle, *task[:2], seed), __version__]
                print(*line, file=sys.stderr, flush=True)
                pd.DataFrame([line]).to_csv(given.record, mode="a", header=False, index=False)
    print(table(pd.read_csv(given.record)))


def run(puzzle: Puzzle, method: str, limit: int, seed: int) -> list[object]:
    """Return the tiles and the matched edges of what is found, all edges, whether that is proved, work and seconds."""
    if method == "clique":
        return _clique(puzzle, limit, seed)
    if method in ("portfolio", "backtracker"):
        return _enumerated(puzzle, method, limit, seed)
    kind, _, engine = method.partition("-")
    engines.load(engine)
    start = time.process_time()
    program = milp_model(
        puzzle,
        kind="printed" if kind == "printed" else "strong",
        pins=first_corner(puzzle),
        perfect=kind == "perfect",
        binary=engine == "cp-sat",
    )
    answer = engines.make_engine(engine, program.model).solve(limit)
    seconds = round(time.process_time() - start, 3)
    if answer.values is None:
        return [0, 0, puzzle.max_score, False, 0, seconds]
    board = Board(puzzle, program.model.decode(answer.values).reshape(puzzle.shape))
    return [puzzle.size, board.score, puzzle.max_score, answer.status == engines.SOLVED, 0, seconds]


def _clique(puzzle: Puzzle, selections: int, seed: int) -> list[object]:
    graph = clique_graph(puzzle, first_corner(puzzle))
    find_clique(np.random.default_rng(0), graph.adjacent, 1, graph.cells)  # compiled before the clock starts
    start = time.process_time()
    found = find_clique(np.random.default_rng(seed), graph.adjacent, selections, graph.cells)
    seconds = round(time.process_time() - start, 3)
    solved, matched = len(found.clique) == graph.cells, graph.matched(found.clique)
    return [len(found.clique), matched, puzzle.max_score, solved, found.selections, seconds]


def _enumerated(puzzle: Puzzle, method: str, solutions: int, seed: int) -> list[object]:
    settings = make_settings({"algorithm": method.upper(), "fix_corner": True, "limit": solutions, "seed": seed})
    for small in settings.warm_up():
        run_through(puzzle, small)
    start = time.process_time()
    search = make_search(puzzle, settings, np.random.default_rng(seed))
    assert isinstance(search, Enumeration)
    for progress in search.reports():
        board = progress.board
    tally, seconds = search.tally(), round(time.process_time() - start, 3)
    return [
        len(board.cells[board.cells < 4 * puzzle.size]),
        board.score,
        puzzle.max_score,
        tally.proved,
        tally.nodes,
        seconds,
    ]


def table(record: pd.DataFrame) -> str:
    """A Markdown table with a row for each puzzle and method, beside the paper's."""
    rows = [
        "| puzzle | method | limit | runs | solved | edges matched | of | seconds | paper | its seconds | verdict |"
    ]
    rows.append("|" + "---|" * 11)
    for (puzzle, method, limit), group in record.groupby(["puzzle", "method", "limit"], sort=True):
        best, took = paper(method, limit, puzzle)
        seconds, least, most = group["seconds"].mean(), group["matched"].min(), group["matched"].max()
        solved = (group["matched"] == group["edges"]).sum()
        matched = f"{least}" if least == most else f"{least} to {most}"
        cells = [puzzle, method, f"{limit:,}", len(group), solved, matched, group["edges"].iloc[0], f"{seconds:.3g}"]
        ratio = took / max(seconds, 0.001)
        times = f"1/{ratio:,.0f} of the time" if ratio > 1 else f"{1 / ratio:.1f} times the time"
        verdict = times if most == best else f"{most - best:+} edges, {times}"
        rows.append(f"| {' | '.join(map(str, cells))} | {best} | {took:,} | {verdict} |")
    return "\n".join(rows)


if __name__ == "__main__":
    main()
