"""Random search (RAND, section III): every evaluation is a new random board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from operators import Lattice, fitness_weights, make_lattice, make_population
from operators.initialise import random_board
from operators.population import Population, evaluate_anew
from puzzles import Hint, Puzzle
from puzzles._numba import jit
from solvers.progress import Progress

CHUNK = 100_000
"""Boards between two reports: a few tenths of a second."""


def random_search(
    puzzle: Puzzle, rng: np.random.Generator, evaluations: int, pins: Iterable[Hint] = ()
) -> Iterator[Progress]:
    """Score random boards, and report the best so far every so often.

    Args:
        puzzle: What to solve.
        rng: Where randomness comes from.
        evaluations: How many boards to score.
        pins: Hints to keep in place.
    """
    return _search(puzzle, make_lattice(puzzle, pins), rng, evaluations)


def _search(puzzle: Puzzle, lattice: Lattice, rng: np.random.Generator, evaluations: int) -> Iterator[Progress]:
    weights = fitness_weights(puzzle, "normal")
    board = make_population(lattice, 1)
    best, best_cells = -1, np.zeros(puzzle.size, dtype=np.uint16)
    done = 0
    while done < evaluations:
        count = min(CHUNK if done else 1, evaluations - done)  # the first report is of the first board
        best, total, worst = score_random_boards(rng, lattice, weights, board, count, best, best_cells)
        done += count
        yield Progress(done, best, best_cells.reshape(puzzle.shape).copy(), total / count, worst)


@jit
def score_random_boards(
    rng: np.random.Generator,
    lattice: Lattice,
    weights: NDArray[np.int64],
    board: Population,
    count: int,
    best: int,
    best_cells: NDArray[np.uint16],
) -> tuple[int, int, int]:
    """Score some random boards; returns the best score so far, their sum, and the worst of them."""
    total, worst = 0, 1 << 40
    for _ in range(count):
        random_board(rng, lattice, board.cells[0])
        evaluate_anew(lattice, weights, board, 0)
        score = int(board.objectives[0, 0])
        total += score
        worst = min(worst, score)
        if score > best:
            best = score
            best_cells[:] = board.cells[0, :-1]
    return best, total, worst
