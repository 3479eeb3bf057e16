"""Simulated annealing and tabu search on Sudoku and Battleship: yardsticks for the evolutionary algorithms."""

from __future__ import annotations

from abc import abstractmethod
from math import log

import numpy as np
from numpy.typing import NDArray

from operators.pencil.grid import Grid, fill, is_whole, score
from operators.pencil.grid_walks import BEST, CURRENT, NOW, anneal, tabu
from puzzles.protocols import AnyPuzzle
from solvers.chunked_search import Chunked
from solvers.errors import SolverError
from solvers.progress import Progress
from solvers.search import State, matching

CHUNK = 50_000
"""The most evaluations between two reports."""


class _GridLocal(Chunked):
    """A walk from candidate to candidate, which ends at a solution.

    Args:
        puzzle: The puzzle.
        grid: Its tables.
        rng: The source of randomness.
        evaluations: The budget.
    """

    def __init__(self, puzzle: AnyPuzzle, grid: Grid, rng: np.random.Generator, evaluations: int) -> None:
        super().__init__(rng, evaluations, chunk=CHUNK)
        self._puzzle, self._grid = puzzle, grid
        self._cells = np.zeros((2, puzzle.size), dtype=np.uint16)  # the current and the best candidate
        self._numbers = np.zeros(4, dtype=np.int64)

    @property
    def _done(self) -> int:
        return int(self._numbers[NOW])

    @property
    def _over(self) -> bool:
        return int(self._numbers[BEST]) == self._puzzle.max_score

    def _advance(self, limit: int) -> Progress:
        if self._done == 0:
            fill(self.rng, self._grid, self._cells[0])
            self._cells[1] = self._cells[0]
            self._numbers[NOW] = 1
            self._numbers[[CURRENT, BEST]] = score(self._grid, self._cells[0])
        else:
            self._walk(limit)
        now, best = int(self._numbers[CURRENT]), int(self._numbers[BEST])
        cells = self._cells[1].reshape(self._puzzle.shape).copy()
        return Progress(self._done, best, cells, float(now), now, self._puzzle)

    @abstractmethod
    def _walk(self, limit: int) -> None:
        """Make up to `limit` evaluations, fewer if a solution is found."""

    def state(self) -> State:
        """Return the current and the best candidate, and the counters."""
        return {"numbers": self._numbers.copy(), "cells": self._cells.copy()}

    def restore(self, state: State) -> None:
        """Continue from the state of another search.

        Raises:
            SolverError: It is not one of such a search.
        """
        found = matching(state, self.state())
        numbers, cells = found["numbers"], np.ascontiguousarray(found["cells"])
        if numbers[NOW] and not all(
            is_whole(self._grid, one) and score(self._grid, one) == known
            for one, known in zip(cells, numbers[[CURRENT, BEST]], strict=True)
        ):
            raise SolverError("invalid state: a candidate is not whole, or does not have its score")
        self._numbers[:], self._cells[:] = numbers, cells


class GridAnnealing(_GridLocal):
    """Simulated annealing; the other arguments are those of the base class.

    Args:
        puzzle: The puzzle.
        grid: Its tables.
        rng: The source of randomness.
        evaluations: The budget.
        temperatures: The hottest and the coldest.
        cycle: The number of evaluations in which the temperature falls from the one to the other.
    """

    def __init__(
        self,
        puzzle: AnyPuzzle,
        grid: Grid,
        rng: np.random.Generator,
        evaluations: int,
        temperatures: tuple[float, float],
        cycle: int,
    ) -> None:
        super().__init__(puzzle, grid, rng, evaluations)
        self._hottest, self._cycle = temperatures[0], cycle
        self._fall = log(temperatures[1] / temperatures[0])

    def _walk(self, limit: int) -> None:
        most = self._puzzle.max_score
        anneal(self.rng, self._grid, self._cells, self._numbers, limit, most, self._hottest, self._fall, self._cycle)


class GridTabu(_GridLocal):
    """Tabu search among random moves.

    Args:
        puzzle: The puzzle.
        grid: Its tables.
        rng: The source of randomness.
        evaluations: The budget.
        candidates: The number of moves of which the best is made.
        tenure: The fewest and the most moves for which a value may not return to its cell.
    """

    def __init__(
        self,
        puzzle: AnyPuzzle,
        grid: Grid,
        rng: np.random.Generator,
        evaluations: int,
        candidates: int,
        tenure: tuple[int, int],
    ) -> None:
        super().__init__(puzzle, grid, rng, evaluations)
        self._candidates, self._tenure = candidates, tenure
        values = max(*puzzle.shape, 6) + 1
        self._until: NDArray[np.int64] = np.zeros((puzzle.size, values), dtype=np.int64)

    def _walk(self, limit: int) -> None:
        most, (least, longest) = self._puzzle.max_score, self._tenure
        whole = min(max(limit, self._candidates), self._budget - self._done)  # moves are not cut but by the budget
        tabu(
            self.rng, self._grid, self._cells, self._numbers, self._until, whole, most, self._candidates, least, longest
        )

    def state(self) -> State:
        """Return the candidates, the counters, and until when which values may not return."""
        return super().state() | {"until": self._until.copy()}

    def restore(self, state: State) -> None:
        """Continue from the state of another search."""
        super().restore(state)
        self._until[:] = state["until"]
