"""`LocalSearch`: the base class of searches that move from board to board."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators import make_lattice, make_population
from operators.holes import is_framed
from operators.population import is_whole
from puzzles import Board, Hint, Puzzle
from solvers.chunked_search import CHUNK, ChunkedSearch
from solvers.errors import SolverError
from solvers.progress import Progress
from solvers.search import State, matching

MOST_CELLS = 4096
"""The largest supported board: tabu lists, which have an entry per pair of cells, would need hundreds of megabytes."""
DONE, BEST, SCORE, FRAMED = range(4)
"""Indices of the counters of every search: iterations, best score, current score, whether to keep the frame valid."""

Tenure = tuple[int, int]
Start = Callable[[np.random.Generator], NDArray[np.uint16]]
"""A function that returns an initial board, complete and with the pinned tiles in place."""


class Moves(NamedTuple):
    """The result of some iterations."""

    made: int
    """The number of iterations; fewer than requested if the search is over."""
    total: int
    """The sum of the scores of the boards visited."""
    worst: int
    """The lowest of these scores."""


class LocalSearch(ChunkedSearch):
    """A search that moves from board to board and reports the best so far. Subclasses define the moves.

    An evaluation is an iteration, which visits one board. The initial board is the first. If grey lies on its rim and
    nowhere else, this remains so: corner, border and inner tiles then stay in cells of their kind.

    Args:
        puzzle: The puzzle to solve.
        rng: Source of randomness.
        evaluations: Number of boards to visit, including the initial one.
        start: Returns the initial board.
        pins: Hints to keep in place.
        tabu: Tenure and shape of each tabu list, by its name.
        counters: Number of counters that the subclass needs in addition to those of every search.
        chunk: The most iterations between two reports.

    Raises:
        SolverError: A tenure is invalid, or the board is too large.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        rng: np.random.Generator,
        evaluations: int,
        *,
        start: Start,
        pins: Iterable[Hint],
        tabu: Mapping[str, tuple[Tenure, tuple[int, ...]]],
        counters: int = 0,
        chunk: int = CHUNK,
    ) -> None:
        for (least, greatest), _ in tabu.values():
            if not 0 <= least <= greatest:
                raise SolverError(f"tenure from {least} to {greatest}: expected 0 <= least <= greatest")
        if puzzle.size > MOST_CELLS:
            raise SolverError(f"local search supports boards of at most {MOST_CELLS} cells; this one has {puzzle.size}")
        super().__init__(puzzle, rng, evaluations, chunk=chunk)
        self._lattice = make_lattice(puzzle, pins)
        self._start, self._finished = start, False
        self._longest = {name: tenure[1] for name, (tenure, _) in tabu.items()}
        self._cells = np.zeros(puzzle.size, dtype=np.uint16)
        self._best_cells = np.zeros(puzzle.size, dtype=np.uint16)
        self._tabu = {name: np.zeros(shape, dtype=np.int64) for name, (_, shape) in tabu.items()}
        self._numbers = np.zeros(4 + counters, dtype=np.int64)

    @abstractmethod
    def _prepare(self) -> None:
        """Set up the data structures of the moves from the board in `_cells`."""

    @abstractmethod
    def _move(self, limit: int) -> Moves:
        """Make up to `limit` iterations, keeping `_cells`, `_best_cells`, `_tabu` and `_numbers` up to date."""

    @property
    def _done(self) -> int:
        return int(self._numbers[DONE])

    @property
    def _over(self) -> bool:
        return self._finished

    def _advance(self, limit: int) -> Progress | None:
        if not self._done:
            return self._begin()
        made, total, worst = self._move(limit)
        self._finished = made < limit
        return self._report(int(self._numbers[BEST]), self._best_cells, total / made, worst) if made else None

    def _begin(self) -> Progress:
        """Make the initial board, which is the first evaluation."""
        self._cells[:] = self._best_cells[:] = self._checked(self._start(self.rng), "the initial board")
        score = self._score(self._cells)
        self._numbers[: FRAMED + 1] = 1, score, score, self._is_framed(self._cells)
        self._prepare()
        return self._report(score, self._best_cells, float(score), score)

    def state(self) -> State:
        """Return the current board, the best board, the tabu lists and the counters."""
        own: State = {"numbers": self._numbers, "cells": self._cells, "best_cells": self._best_cells}
        return {name: array.copy() for name, array in (own | self._tabu).items()}

    def restore(self, state: State) -> None:
        """Resume from the state of another search."""
        matching(state, self.state())
        numbers = state["numbers"]
        done = int(numbers[DONE])
        if numbers.min() < 0 or any(state[name].max(initial=0) > done + most for name, most in self._longest.items()):
            raise SolverError("invalid state: an iteration or a tabu entry is out of range")
        # Compiled code does not check bounds: invalid tiles would make it read outside its arrays.
        if done:
            for name, claimed, what in (("cells", SCORE, "the current board"), ("best_cells", BEST, "the best board")):
                found = self._score(self._checked(state[name], f"invalid state: {what}"))
                if found != numbers[claimed]:
                    raise SolverError(f"invalid state: {what} has score {found}, not {numbers[claimed]}")
                if numbers[FRAMED] and not self._is_framed(state[name]):
                    raise SolverError(f"invalid state: {what} has a grey side inside or a coloured side on the rim")
            if numbers[BEST] < numbers[SCORE]:
                raise SolverError("invalid state: the best board is worse than the current board")
        self._cells[:], self._best_cells[:], self._numbers[:] = state["cells"], state["best_cells"], numbers
        for name, until in self._tabu.items():
            until[:] = state[name]
        self._finished = False
        if done:
            self._prepare()

    def _is_framed(self, cells: NDArray[np.uint16]) -> bool:
        return is_framed(self._lattice, np.append(cells, np.uint16(4 * self._puzzle.size)))

    def _score(self, cells: NDArray[np.uint16]) -> int:
        return Board(self._puzzle, cells.reshape(self._puzzle.shape)).score

    def _checked(self, cells: NDArray[np.uint16], what: str) -> NDArray[np.uint16]:
        """Return the cells of a board as a flat array after checking that the board is complete."""
        if cells.size != self._puzzle.size or cells.dtype != np.uint16:
            raise SolverError(f"{what} has {cells.size} cells of {cells.dtype}; expected {self._puzzle.size} of uint16")
        room = make_population(self._lattice, 1)
        room.cells[0, :-1] = cells.ravel()
        if not is_whole(self._lattice, room, 0):
            raise SolverError(f"{what} does not contain every tile exactly once with the pinned tiles in their cells")
        return cells.ravel()


def check_least(options: object, least: int, *names: str) -> None:
    """Refuse options that are less than they may be.

    Raises:
        SolverError: One is.
    """
    for name in names:
        if getattr(options, name) < least:
            raise SolverError(f"{name}: expected {least} or more; found {getattr(options, name)}")


def check_share(name: str, value: float) -> None:
    """Refuse a probability that is none.

    Raises:
        SolverError: It is not between 0 and 1.
    """
    if not 0 <= value <= 1:
        raise SolverError(f"{name}: expected a probability from 0 to 1; found {value}")
