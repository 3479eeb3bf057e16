"""Random search (RAND, section III): every evaluation is a new random board."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from operators import Lattice, fitness_weights, make_lattice, make_population
from operators.initialise import random_board
from operators.population import Population, evaluate_anew
from puzzles import Hint, Puzzle
from puzzles.compiled import jit
from solvers.chunked_search import CHUNK, ChunkedSearch
from solvers.progress import Progress
from solvers.search import State, matching


class RandomSearch(ChunkedSearch):
    """Random search: scores random boards and reports the best so far.

    Args:
        puzzle: The puzzle to solve.
        rng: Source of randomness.
        evaluations: Number of boards to score.
        pins: Hints to keep in place.
        edges: Which inner edges count; see `operators.counting`.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        rng: np.random.Generator,
        evaluations: int,
        *,
        pins: Iterable[Hint] = (),
        edges: str = "all",
    ) -> None:
        super().__init__(puzzle, rng, evaluations, chunk=CHUNK)
        self._lattice, self._edges = make_lattice(puzzle, pins, edges), edges
        self._weights = fitness_weights(puzzle, "normal")
        self._board = make_population(self._lattice, 1)
        self._best_cells = np.zeros(puzzle.size, dtype=np.uint16)
        self._scored, self._best = 0, -1

    @property
    def _done(self) -> int:
        return self._scored

    def _advance(self, limit: int) -> Progress:
        self._best, total, worst = score_random_boards(
            self.rng, self._lattice, self._weights, self._board, limit, self._best, self._best_cells
        )
        self._scored += limit
        return self._report(self._best, self._best_cells, total / limit, worst)

    def state(self) -> State:
        """Return the number of boards scored, and the best of them."""
        return {"numbers": np.array([self._scored, self._best]), "best_cells": self._best_cells.copy()}

    def restore(self, state: State) -> None:
        """Resume from the state of another search."""
        numbers, best_cells = matching(state, self.state()).values()
        if numbers[0]:
            self._check_best(best_cells, int(numbers[1]), self._edges)
        self._scored, self._best = numbers.tolist()
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
    """Score `count` random boards; return the best score so far, and the sum and the lowest of the new scores."""
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
