"""The scores of initial boards, with all edges and with those that the paper counted, beside the paper's (III-F).

`python -m benchmarks.initial_scores [--boards N] [--seed S]` prints a table in Markdown. The paper gives the mean over
100,000 boards; z is its distance from ours in standard errors of the difference. The mean of random boards is exact.
"""

from __future__ import annotations

import argparse
import math

import numpy as np
from numpy.typing import NDArray

import puzzles
from operators import (
    EDGES,
    PATHS,
    edge_count,
    fitness_weights,
    knowledge_boards,
    make_lattice,
    population_of,
    random_boards,
)
from puzzles.tiles import GREY

PAPER_BOARDS = 100_000
PAPER_MEANS = {"random": 18.654, "knowledge": 301.932}


def scores_of(puzzle: puzzles.Puzzle, boards: NDArray[np.uint16], edges: str) -> NDArray[np.int32]:
    """Return the number of matching edges of each board among those that count."""
    lattice = make_lattice(puzzle, edges=edges)
    return population_of(lattice, boards, fitness_weights(puzzle, "normal")).objectives[:, 0]


def exact_random_mean(puzzle: puzzles.Puzzle, edges: str) -> float:
    """Return the expected score of a random board: the edges that count times the probability that one matches."""
    colours = np.stack([np.bincount(tile, minlength=int(puzzle.tiles.max()) + 1) for tile in puzzle.tiles])[
        :, GREY + 1 :
    ]
    pairs = int((colours.sum(0) ** 2 - (colours**2).sum(0)).sum())  # of like sides of two different tiles
    return edge_count(puzzle.shape, edges) * pairs / (16 * puzzle.size * (puzzle.size - 1))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=PAPER_BOARDS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    puzzle = puzzles.load("eternity2")
    print("| boards | " + " | ".join(f"{edges}: mean (min..max) | z" for edges in EDGES) + " |")
    print("|---" * (1 + 2 * len(EDGES)) + "|")
    for name in ("random", *PATHS):
        rng = np.random.default_rng(options.seed)
        count = options.boards
        at_random = name == "random"
        boards = random_boards(rng, puzzle, count) if at_random else knowledge_boards(rng, puzzle, count, path=name)
        cells = []
        for edges in EDGES:
            scores = scores_of(puzzle, boards, edges)
            mean = exact_random_mean(puzzle, edges) if at_random else float(scores.mean())
            error = float(scores.std()) * math.sqrt(1 / PAPER_BOARDS + (0 if at_random else 1 / count))
            z = (PAPER_MEANS["random" if at_random else "knowledge"] - mean) / error
            cells += [f"{mean:.3f} ({scores.min()}..{scores.max()})", f"{z:+.1f}"]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
