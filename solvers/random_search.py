"""Random search (RAND, section III): every evaluation is a new random board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from operators import Lattice, fitness_weights, make_lattice, make_population
from operators.initialise import random_board
from operators.population import Population, evaluate_anew
from puzzles import Hint, Puzzle
from puzzles.compiled import jit
from solvers.progress import Progress
from solvers.search import State, matching

CHUNK, GROWTH = 10_000, 10
"""Boards between two reports: as many as the paper's populations have individuals, and less at first."""


class RandomSearch:
    """Scores random boards, and reports the best so far every so often.

    Args:
        puzzle: What to solve.
        rng: Where randomness comes from.
        evaluations: How many boards to score.
        pins: Hints to keep in place.
    """

    def __init__(self, puzzle: Puzzle, rng: np.random.Generator, evaluations: int, pins: Iterable[Hint] = ()) -> None:
        self.rng = rng
        self._puzzle, self._budget = puzzle, evaluations
        self._lattice = make_lattice(puzzle, pins)
        self._weights = fitness_weights(puzzle, "normal")
        self._board = make_population(self._lattice, 1)
        self._best_cells = np.zeros(puzzle.size, dtype=np.uint16)
        self._done, self._best = 0, -1

    def reports(self) -> Iterator[Progress]:
        """Go on scoring random boards; the first report is of the first board."""
        while self._done < self._budget:
            count = min(CHUNK, max(1, self._done // GROWTH), self._budget - self._done)
            self._best, total, worst = score_random_boards(
                self.rng, self._lattice, self._weights, self._board, count, self._best, self._best_cells
            )
            self._done += count
            cells = self._best_cells.reshape(self._puzzle.shape).copy()
            yield Progress(self._done, self._best, cells, total / count, worst)

    def state(self) -> State:
        """How many boards were scored, and the best of them."""
        return {"numbers": np.array([self._done, self._best]), "best_cells": self._best_cells.copy()}

    def restore(self, state: State) -> None:
        """Go on from where another search stood."""
        numbers, best_cells = matching(state, self.state()).values()
        self._done, self._best = numbers.tolist()
        self._best_cells[:] = best_cells


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
