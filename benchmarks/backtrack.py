"""Backtracking on Eternity II, compiled and in plain Python, and how far it gets: `python -m benchmarks.backtrack`.

A node is one tile put on the board. Time is that of the processor, so that a busy machine counts less.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict

import numpy as np

from puzzles import EMPTY, Board, Puzzle, load
from solvers import Backtrack, BacktrackOptions

PLAIN_NODES = 200_000
OPENINGS = {"one opening": BacktrackOptions().opening_nodes, "openings of 10^8 nodes": 100_000_000}


def main() -> None:
    """Measure both from the command line's seconds and seeds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="of each search")
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    puzzle = load("eternity2")
    for _ in Backtrack(puzzle, np.random.default_rng(0), 1000).reports():
        pass  # compiles
    print("nodes per second, tiles that lie in the best board, their score, and that of the board completed by a beam")
    speeds = []
    for name, nodes in OPENINGS.items():
        for seed in range(1, given.seeds + 1):
            speed, told = _search(puzzle, BacktrackOptions(opening_nodes=nodes), seed, given.seconds)
            speeds.append(speed)
            print(f"  {name:22}  seed {seed:2}  {speed / 1e6:5.1f} million  {told}", flush=True)
    start = time.process_time()
    plain_search(puzzle, PLAIN_NODES)
    plain = PLAIN_NODES / (time.process_time() - start)
    print(f"  plain Python  {plain / 1e6:.2f} million; ours {np.median(speeds) / plain:.0f} times as many")


def _search(puzzle: Puzzle, options: BacktrackOptions, seed: int, seconds: float) -> tuple[float, str]:
    """Nodes per second of a search, and how far it came."""
    search = Backtrack(puzzle, np.random.default_rng(seed), 1 << 60, options=options)
    start = time.process_time()
    report = next(report for report in search.reports() if time.process_time() - start > seconds)
    speed = report.evaluations / (time.process_time() - start)
    tiles = np.count_nonzero(report.best_cells != EMPTY)
    whole = Board(puzzle, search.completed(np.random.default_rng(seed))).score
    return speed, f"{tiles:3} tiles  score {report.best_score}  completed {whole}"


def plain_search(puzzle: Puzzle, nodes: int) -> int:
    """Backtracking row by row without mismatches, as one writes it down in Python; returns the greatest depth."""
    fitting: defaultdict[tuple[int, int, int, int], list[int]] = defaultdict(list)
    up, right, down, left = puzzle.sides.tolist()
    for code in range(4 * puzzle.size):
        fitting[up[code], left[code], right[code] == 0, down[code] == 0].append(code)
    rows, cols = puzzle.shape
    board: list[int] = []
    used = [False] * puzzle.size
    waiting = [iter(fitting[0, 0, False, False])]
    put = deepest = 0
    while put < nodes and waiting:
        code = next((code for code in waiting[-1] if not used[code >> 2]), EMPTY)
        if code == EMPTY:
            waiting.pop()
            if board:
                used[board.pop() >> 2] = False
            continue
        used[code >> 2] = True
        board.append(code)
        put, deepest = put + 1, max(deepest, len(board))
        row, col = divmod(len(board), cols)
        above = down[board[-cols]] if row else 0
        beside = right[code] if col else 0
        waiting.append(iter(fitting[above, beside, col == cols - 1, row == rows - 1]))
    return deepest


if __name__ == "__main__":
    main()
