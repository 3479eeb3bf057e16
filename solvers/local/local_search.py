"""What searches that move one board about have in common: how they begin, report, are put down and taken up again."""

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
"""Of larger boards the tabu lists, a number for each two cells, would need hundreds of megabytes."""
DONE, BEST, SCORE, FRAMED = range(4)
"""The numbers that every search has: iterations, best score, score now, whether the board is to stay framed."""

Tenure = tuple[int, int]
Start = Callable[[np.random.Generator], NDArray[np.uint16]]
"""Makes an initial board, complete and with the pinned tiles in place."""


class Moves(NamedTuple):
    """What came of some iterations."""

    made: int
    """Less than asked for when there is nothing more to do."""
    total: int
    """The sum of the scores of the boards moved to."""
    worst: int


class LocalSearch(ChunkedSearch):
    """Moves one board about, and reports the best so far. What a move is, `_move` says.

    An evaluation is an iteration: one board moved to. The initial board is the first. When grey lies on its rim and
    nowhere else, it stays so: tiles then keep to corners, to the rim and to the inside.

    Args:
        puzzle: What to solve.
        rng: Where randomness comes from.
        evaluations: How many boards to move to, the initial one included.
        start: Makes the initial board.
        pins: Hints to keep in place.
        tabu: Names of tabu lists, each with its longest tenure and its shape.
        counters: How many numbers a search has besides those that every one has.
        chunk: The most iterations between two reports.
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
                raise SolverError(f"a tenure from {least} to {greatest}: expected 0 <= least <= greatest")
        if puzzle.size > MOST_CELLS:
            raise SolverError(f"a local search takes boards of at most {MOST_CELLS} cells; this one has {puzzle.size}")
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
        """Get ready to move from the board in `_cells`."""

    @abstractmethod
    def _move(self, limit: int) -> Moves:
        """Make up to so many iterations, keeping `_cells`, `_best_cells`, `_tabu` and `_numbers` up to date."""

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
        """The board, the best one, what is tabu, and some numbers."""
        own: State = {"numbers": self._numbers, "cells": self._cells, "best_cells": self._best_cells}
        return {name: array.copy() for name, array in (own | self._tabu).items()}

    def restore(self, state: State) -> None:
        """Go on from where another search stood."""
        matching(state, self.state())
        numbers = state["numbers"]
        done = int(numbers[DONE])
        if numbers.min() < 0 or any(state[name].max(initial=0) > done + most for name, most in self._longest.items()):
            raise SolverError("the search is at an iteration that it cannot have reached")
        # Compiled code believes what it finds: tiles that are not there would reach beyond the arrays.
        if done:
            for name, claimed, what in (("cells", SCORE, "the board"), ("best_cells", BEST, "the best board")):
                found = self._score(self._checked(state[name], f"{what} of the search"))
                if found != numbers[claimed]:
                    raise SolverError(f"{what} of the search scores {found}, not {numbers[claimed]}")
                if numbers[FRAMED] and not self._is_framed(state[name]):
                    raise SolverError(f"{what} of the search has grey off the rim, which cannot be")
            if numbers[BEST] < numbers[SCORE]:
                raise SolverError("the best board of the search is worse than its board")
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
        """The cells of a board, flat, if they are of a whole one."""
        if cells.size != self._puzzle.size or cells.dtype != np.uint16:
            raise SolverError(f"{what} is {cells.size} cells of {cells.dtype}; expected {self._puzzle.size} of uint16")
        room = make_population(self._lattice, 1)
        room.cells[0, :-1] = cells.ravel()
        if not is_whole(self._lattice, room, 0):
            raise SolverError(f"{what} has not every tile once, or a pinned tile elsewhere than it belongs")
        return cells.ravel()
