"""`RegionSearch`: builds boards region by region, one after the other, and keeps the best."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from puzzles import EMPTY, Board, Hint, Puzzle
from solvers.chunked_search import ChunkedSearch
from solvers.construct.greedy_regions import Built
from solvers.errors import SolverError
from solvers.progress import Progress
from solvers.search import State, matching

Construct = Callable[[np.random.Generator], Built]
"""A function that builds a board."""


class RegionSearch(ChunkedSearch):
    """Builds boards until the budget is spent or one is solved. An evaluation is a board.

    Args:
        puzzle: The puzzle to solve.
        rng: Source of randomness.
        evaluations: Number of boards.
        construct: Builds a board, with all tiles.
        pins: Hints that the boards keep in place.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        rng: np.random.Generator,
        evaluations: int,
        *,
        construct: Construct,
        pins: tuple[Hint, ...] = (),
    ) -> None:
        super().__init__(puzzle, rng, evaluations, chunk=1)
        self._construct, self._pins = construct, pins
        self._best_cells = np.full(puzzle.size, EMPTY, dtype=np.uint16)
        self._numbers = np.zeros(4, dtype=np.int64)  # boards, best score, regions solved, regions proved

    @property
    def _done(self) -> int:
        return int(self._numbers[0])

    @property
    def _over(self) -> bool:
        return self._done > 0 and bool(self._numbers[1] == self._puzzle.max_score)

    @property
    def proved(self) -> tuple[int, int]:
        """The number of regions that are known to be optimal, and that of all regions that were solved."""
        return int(self._numbers[3]), int(self._numbers[2])

    def _advance(self, limit: int) -> Progress:
        built = self._construct(self.rng)
        score = Board(self._puzzle, built.cells.reshape(self._puzzle.shape)).score
        if not self._done or score > self._numbers[1]:
            self._best_cells[:], self._numbers[1] = built.cells, score
        self._numbers += 1, 0, built.regions, built.proved
        return self._report(int(self._numbers[1]), self._best_cells, float(score), score)

    def state(self) -> State:
        """Return the counters and the best board."""
        return {"numbers": self._numbers.copy(), "best_cells": self._best_cells.copy()}

    def restore(self, state: State) -> None:
        """Resume from the state of another search."""
        numbers, best_cells = matching(state, self.state()).values()
        if (numbers < 0).any() or numbers[3] > numbers[2]:
            raise SolverError("invalid state: a counter is out of range")
        if numbers[0]:
            self._check_best(best_cells, int(numbers[1]))
            if (best_cells == EMPTY).any():
                raise SolverError("invalid state: the best board has empty cells")
            for hint in self._pins:
                if best_cells[hint.row * self._puzzle.cols + hint.col] != hint.tile * 4 + hint.rotation:
                    raise SolverError("invalid state: the best board has another tile in the cell of a pinned tile")
        self._numbers[:], self._best_cells[:] = numbers, best_cells
