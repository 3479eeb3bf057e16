"""A tabu search with the swap and rotate move: the second attempt of Schaus and Deville (introduction, section 3).

In each iteration one of the most violated cells is drawn, with the most edges that do not match. Of all moves of that
cell the best that is not tabu is made, even if it worsens the board. A tile that left a cell, or was turned on it, may
not be put there for some iterations, a random number between two bounds, unless the board then beats all before it.

What the paper leaves open: how strictly the most violated piece comes first, what is tabu, and for how long. On
Eternity II a cell drawn with odds by its violations leads to scores of about 360, the most violated one to about 420;
and tenures beyond a few iterations make scores worse, while without any the search runs in circles.

An evaluation is an iteration: one board moved to, of the thousands that were compared. The initial board is the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from operators import Lattice, make_lattice, make_population
from operators.best_swap import NO_MOVE, Swaps, best_swap, make_swaps, most_violated, put
from operators.population import is_whole
from operators.swap import is_framed
from operators.variation import below
from puzzles import Board, Hint, Puzzle
from puzzles._numba import jit
from solvers.errors import SolverError
from solvers.progress import Progress
from solvers.search import State, matching

CHUNK, GROWTH = 10_000, 10
"""Iterations between two reports: as many as the paper's populations have individuals, and less at first."""
_LARGE = 128  # cells; on larger boards, where an iteration takes longer, a chunk has fewer

_DONE, _BEST, _SCORE, _FRAMED = range(4)


class SwapTabu:
    """Moves one board about, and reports the best so far; ends early when all edges match that a move could mend.

    Args:
        puzzle: What to solve.
        rng: Where randomness comes from.
        evaluations: How many boards to move to, the initial one included.
        start: Makes the initial board, complete and with the pinned tiles in place. When grey lies on its rim and
            nowhere else, it stays so: tiles then keep to corners, to the rim and to the inside.
        pins: Hints to keep in place.
        tenure: Least and greatest number of iterations for which a tile may not be put back.

    Raises:
        SolverError: The tenure makes no sense.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        rng: np.random.Generator,
        evaluations: int,
        start: Callable[[np.random.Generator], NDArray[np.uint16]],
        pins: Iterable[Hint] = (),
        *,
        tenure: tuple[int, int] = (1, 5),
    ) -> None:
        if not 0 <= tenure[0] <= tenure[1]:
            raise SolverError(f"a tenure from {tenure[0]} to {tenure[1]}: expected 0 <= least <= greatest")
        self.rng = rng
        self._puzzle, self._budget, self._start, self._tenure = puzzle, evaluations, start, tenure
        self._lattice = make_lattice(puzzle, pins)
        self._cells = np.zeros(puzzle.size, dtype=np.uint16)
        self._best_cells = np.zeros(puzzle.size, dtype=np.uint16)
        self._until = np.zeros((puzzle.size, puzzle.size), dtype=np.int64)
        self._numbers = np.zeros(4, dtype=np.int64)

    def reports(self) -> Iterator[Progress]:
        """Go on moving; the first report is of the initial board."""
        numbers = self._numbers
        if numbers[_DONE] == 0 and self._budget > 0:
            self._cells[:] = self._best_cells[:] = self._checked(self._start(self.rng), "the initial board")
            score = self._score(self._cells)
            numbers[:] = 1, score, score, is_framed(self._lattice, self._cells)
            yield self._progress(float(score), score)
        swaps = make_swaps(self._lattice, bool(numbers[_FRAMED]), self._cells)
        largest = max(1, min(CHUNK, CHUNK * _LARGE // self._puzzle.size))
        while numbers[_DONE] < self._budget:
            limit = min(largest, max(1, int(numbers[_DONE]) // GROWTH), self._budget - int(numbers[_DONE]))
            made, total, worst = move_about(
                self.rng, self._lattice, swaps, self._until, *self._tenure, numbers, self._best_cells, limit
            )
            self._cells[:] = swaps.cells[:-1]
            if made:
                yield self._progress(total / made, worst)
            if made < limit:
                return  # nothing is left to mend

    def _progress(self, mean: float, worst: int) -> Progress:
        cells = self._best_cells.reshape(self._puzzle.shape).copy()
        return Progress(int(self._numbers[_DONE]), int(self._numbers[_BEST]), cells, mean, worst)

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

    def state(self) -> State:
        """The board, the best one, what is tabu, and some numbers."""
        return {
            "numbers": self._numbers.copy(),
            "cells": self._cells.copy(),
            "best_cells": self._best_cells.copy(),
            "until": self._until.copy(),
        }

    def restore(self, state: State) -> None:
        """Go on from where another search stood."""
        matching(state, self.state())
        cells, best_cells = state["cells"], state["best_cells"]
        done, best, score, framed = state["numbers"].tolist()
        # Compiled code believes what it finds: tiles that are not there would reach beyond the arrays.
        if done:
            for board, claimed, what in ((cells, score, "the board"), (best_cells, best, "the best board")):
                found = self._score(self._checked(board, f"{what} of the search"))
                if found != claimed:
                    raise SolverError(f"{what} of the search scores {found}, not {claimed}")
            if framed and not is_framed(self._lattice, cells):
                raise SolverError("the board of the search has grey off the rim, which cannot be")
        if done < 0 or state["until"].max() > done + self._tenure[1]:
            raise SolverError("the search is at an iteration that it cannot have reached")
        self._cells[:], self._best_cells[:] = cells, best_cells
        self._numbers[:], self._until[:] = state["numbers"], state["until"]


@jit
def move_about(
    rng: np.random.Generator,
    lattice: Lattice,
    swaps: Swaps,
    until: NDArray[np.int64],
    least: int,
    greatest: int,
    numbers: NDArray[np.int64],
    best_cells: NDArray[np.uint16],
    limit: int,
) -> tuple[int, int, int]:
    """Make `limit` moves, or less when nothing is left to mend; returns how many, and the sum and worst of the scores.

    When all moves of the cell that was drawn are tabu, the board stays as it is for that iteration.
    """
    total, worst = 0, 1 << 40
    for made in range(limit):
        cell = most_violated(rng, lattice, swaps)
        if cell < 0:
            return made, total, worst
        now, score = numbers[_DONE], numbers[_SCORE]
        swap = best_swap(rng, lattice, swaps, cell, until, now, numbers[_BEST] - score)
        if swap.gain != NO_MOVE:
            for left in (cell, swap.partner):
                until[swaps.cells[left] >> 2, left] = now + least + below(rng, greatest - least + 1)
            put(lattice, swaps, cell, swap.here)
            put(lattice, swaps, swap.partner, swap.there)
            score += swap.gain
        numbers[_DONE], numbers[_SCORE] = now + 1, score
        total += score
        worst = min(worst, score)
        if score > numbers[_BEST]:
            numbers[_BEST] = score
            best_cells[:] = swaps.cells[:-1]
    return limit, total, worst
