"""The estimated size of search trees beside counted ones: `python -m benchmarks.tree_size [--puzzles N]`.

Puzzles are generated from a solution; the backtracker walks their whole trees row by row. The table gives the geometric
mean of counted nodes over expected ones, and between which factors nine in ten puzzles lie.
"""

from __future__ import annotations

import argparse

import numpy as np

import puzzles
from solvers.exact.backtracker import Backtracker
from solvers.exact.tree_size import tree_size

SIZES = ((5, 3, 5), (6, 4, 6), (6, 4, 7), (7, 4, 8), (8, 4, 10))
"""Length of the board, border colours, inner colours."""
MOST_NODES = 2_000_000_000


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", type=int, default=20, help="puzzles of each size, with seeds from 1 on")
    options = parser.parse_args()
    print("| board | border and inner colours | puzzles | nodes, median | counted / expected | nine in ten |")
    print("|---|---|---:|---:|---:|---|")
    for length, border, inner in SIZES:
        ratios, counted = [], []
        for seed in range(1, options.puzzles + 1):
            puzzle, _ = puzzles.generate(length, length, border, inner, seed)
            search = Backtracker(puzzle, np.random.default_rng(1), MOST_NODES)
            for _ in search.reports():
                pass
            tally = search.tally()
            if tally.proved:  # the whole tree
                counted.append(tally.nodes)
                ratios.append(tally.nodes / 10 ** tree_size(puzzle, "row").log10_nodes)
        mean, (low, high) = np.exp(np.log(ratios).mean()), np.quantile(ratios, (0.05, 0.95))
        print(
            f"| {length}x{length} | {border}, {inner} | {len(ratios)} | {np.median(counted):,.0f} | {mean:.2f} | "
            f"{low:.2f} to {high:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
