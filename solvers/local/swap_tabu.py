"""Tabu search with the swap and rotate move: the second attempt of Schaus and Deville (introduction, section 3).

Each iteration draws one of the most violated cells, those with the most unmatched edges, and makes the best move of
that cell that is not tabu, even if it lowers the score. A tile that left a cell, or was rotated in it, may not return
for a random number of iterations between two bounds, unless the move leads to a new best score.

The paper leaves open how strictly the most violated piece comes first, what is tabu, and for how long. On Eternity II,
drawing a cell with probability in proportion to its violations leads to scores of about 360, and the most violated cell
to about 420. Tenures of more than a few iterations lower the scores; without a tenure, the search cycles.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from operators import Lattice
from operators.best_swap import NO_MOVE, Swaps, best_swap, make_swaps, most_violated, put
from operators.randomness import below
from puzzles import Hint, Puzzle
from puzzles.compiled import jit
from solvers.chunked_search import CHUNK
from solvers.local.local_search import BEST, DONE, FRAMED, SCORE, LocalSearch, Moves, Start, Tenure

DEFAULT_TENURE: Tenure = (1, 5)
_LARGE = 128  # cells; on larger boards, where an iteration takes longer, chunks are smaller


class SwapTabu(LocalSearch):
    """Tabu search with swap and rotate moves. It ends early when every edge that a move could improve matches.

    Args:
        puzzle: The puzzle to solve.
        rng: Source of randomness.
        evaluations: Number of boards to visit, including the initial one; each is the best of thousands compared.
        start: Returns the initial board.
        tenure: Least and greatest number of iterations for which a tile may not return to a cell.
        pins: Hints to keep in place.

    Raises:
        SolverError: The tenure is invalid, or the board is too large.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        rng: np.random.Generator,
        evaluations: int,
        *,
        start: Start,
        tenure: Tenure = DEFAULT_TENURE,
        pins: Iterable[Hint] = (),
    ) -> None:
        tabu = {"until": (tenure, (puzzle.size, puzzle.size))}
        chunk = min(CHUNK, CHUNK * _LARGE // puzzle.size)
        super().__init__(puzzle, rng, evaluations, start=start, pins=pins, tabu=tabu, chunk=chunk)
        self._tenure = tenure

    def _prepare(self) -> None:
        self._swaps = make_swaps(self._lattice, bool(self._numbers[FRAMED]), self._cells)

    def _move(self, limit: int) -> Moves:
        moves = move_about(
            self.rng, self._lattice, self._swaps, self._tabu["until"], *self._tenure, self._numbers, self._best_cells,
            limit,
        )  # fmt: skip
        self._cells[:] = self._swaps.cells[:-1]
        return Moves(*moves)


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
    """Make up to `limit` moves; return their number, and the sum and the lowest of the scores.

    There are fewer if no move can improve an edge. If all moves of the cell drawn are tabu, the board is unchanged.
    """
    total, worst = 0, 1 << 40
    for made in range(limit):
        cell = most_violated(rng, lattice, swaps)
        if cell < 0:
            return made, total, worst
        now, score = numbers[DONE], numbers[SCORE]
        swap = best_swap(rng, lattice, swaps, cell, until, now, numbers[BEST] - score)
        if swap.gain != NO_MOVE:
            for left in (cell, swap.partner):
                until[swaps.cells[left] >> 2, left] = now + least + below(rng, greatest - least + 1)
            put(lattice, swaps, cell, swap.here)
            put(lattice, swaps, swap.partner, swap.there)
            score += swap.gain
        numbers[DONE], numbers[SCORE] = now + 1, score
        total += score
        worst = min(worst, score)
        if score > numbers[BEST]:
            numbers[BEST] = score
            best_cells[:] = swaps.cells[:-1]
    return limit, total, worst
