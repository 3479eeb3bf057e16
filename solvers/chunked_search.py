"""`Chunked` and `ChunkedSearch`: bases of searches that run compiled code in chunks and report after each chunk."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from operators import counted_score
from puzzles import EMPTY, Board, Puzzle
from solvers.errors import SolverError
from solvers.progress import Progress

CHUNK = 10_000
"""The usual upper limit of a chunk: the paper's populations have 10,000 individuals."""
GROWTH = 10
"""A chunk is at most this fraction (1 / GROWTH) of the evaluations done so far."""


class Chunked(ABC):
    """A search that makes a limited number of evaluations, reports, and goes on, until its budget is spent.

    The size of a chunk has an upper limit because compiled code cannot be interrupted: between two chunks a caller may
    stop the search, save its state, or show its progress. Early in a search nearly every evaluation matters, so a chunk
    is also limited to a tenth of the evaluations done: reports are evenly spaced on a logarithmic axis until the upper
    limit is reached. The size of the chunks does not change which boards the search visits.

    Args:
        rng: Source of randomness.
        evaluations: The budget.
        chunk: The most evaluations between two reports.
    """

    def __init__(self, rng: np.random.Generator, evaluations: int, *, chunk: int) -> None:
        self.rng = rng
        self._budget, self._chunk = evaluations, max(1, chunk)

    @property
    @abstractmethod
    def _done(self) -> int:
        """The number of evaluations done."""

    @property
    def _over(self) -> bool:
        """Whether there is nothing left to search."""
        return False

    @abstractmethod
    def _advance(self, limit: int) -> Progress | None:
        """Make up to `limit` evaluations; return a report, or None if there was nothing left to evaluate."""

    def reports(self) -> Iterator[Progress]:
        """Run the search from its current state, and yield a report after each chunk.

        The first report is of the first evaluation.
        """
        while self._done < self._budget and not self._over:
            limit = min(self._chunk, max(1, self._done // GROWTH), self._budget - self._done)
            progress = self._advance(limit)
            if progress is not None:
                yield progress


class ChunkedSearch(Chunked):
    """A search for the best board of a puzzle.

    Args:
        puzzle: The puzzle to solve.
        rng: Source of randomness.
        evaluations: The budget.
        chunk: The most evaluations between two reports.
    """

    def __init__(self, puzzle: Puzzle, rng: np.random.Generator, evaluations: int, *, chunk: int) -> None:
        super().__init__(rng, evaluations, chunk=chunk)
        self._puzzle = puzzle

    def _check_best(self, cells: NDArray[np.uint16], score: int, edges: str = "all") -> None:
        """Refuse the best board of a state to restore unless its tiles exist, occur once, and have the score.

        Args:
            cells: The board.
            score: The number of its matching edges according to the state.
            edges: Which edges count; see `operators.counting`.

        Raises:
            SolverError: It is not such a board.
        """
        tiles = cells[cells != EMPTY] >> 2
        if (tiles >= self._puzzle.size).any() or len(np.unique(tiles)) < len(tiles):
            raise SolverError("invalid state: the best board has a tile twice, or one that does not exist")
        found = counted_score(Board(self._puzzle, cells.reshape(self._puzzle.shape)), edges)
        if found != score:
            raise SolverError(f"invalid state: the best board scores {found}, not {score}")

    def _report(self, best_score: int, best_cells: NDArray[np.uint16], mean: float, worst: int) -> Progress:
        """Return a report with a copy of the best board. A search with nothing to evaluate reports evaluation 1."""
        cells = best_cells.reshape(self._puzzle.shape).copy()
        return Progress(max(1, self._done), best_score, cells, mean, worst, self._puzzle)
