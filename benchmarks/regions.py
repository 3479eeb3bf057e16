"""Whether regions of a good board can be filled without a mismatch: `python -m benchmarks.regions [--side N]`.

A beam builds a board of Eternity II. Every square of N by N cells with a mismatch in it is then filled anew by
`solvers.fill_region`; what is printed is how many can be filled, how many cannot, and how many were given up.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from puzzles import Board, load
from solvers import Beam, BeamOptions, Region, fill_region


def main() -> None:
    """Fill every square with a mismatch."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", type=int, default=4)
    parser.add_argument("--width", type=int, default=256, help="of the beam")
    parser.add_argument("--nodes", type=int, default=10_000, help="the most nodes of a search")
    given = parser.parse_args()
    puzzle, rng = load("eternity2"), np.random.default_rng(1)
    built = Beam(puzzle, options=BeamOptions(width=given.width)).construct(rng)
    board = Board(puzzle, built.cells.reshape(puzzle.shape))
    counts = {"filled": 0, "impossible": 0, "given up": 0}
    start, nodes = time.process_time(), 0
    for row in range(puzzle.rows - given.side + 1):
        for col in range(puzzle.cols - given.side + 1):
            region = Region(row, col, given.side, given.side)
            if not wrong(board, region):
                continue
            filling = fill_region(puzzle, board.cells, region, rng, given.nodes)
            nodes += filling.nodes
            counts["filled" if filling.cells is not None else "impossible" if filling.impossible else "given up"] += 1
    seconds = time.process_time() - start
    print(f"board of {board.score} edges, squares of {given.side}: {counts}, {nodes:,} nodes, {seconds:.1f} s")


def wrong(board: Board, region: Region) -> int:
    """Return the number of mismatches in a region and at its border."""
    rows, cols = slice(region.row, region.row + region.rows), slice(region.col, region.col + region.cols)
    up, right, down, left = board.sides.reshape(4, *board.puzzle.shape)
    beside = np.zeros((board.puzzle.rows, board.puzzle.cols + 1), dtype=bool)
    above = np.zeros((board.puzzle.rows + 1, board.puzzle.cols), dtype=bool)
    beside[:, 1:-1] = right[:, :-1] != left[:, 1:]
    above[1:-1] = down[:-1] != up[1:]
    inside = beside[rows, region.col : region.col + region.cols + 1].sum()
    return int(inside + above[region.row : region.row + region.rows + 1, cols].sum())


if __name__ == "__main__":
    main()
