"""A tabu search with the swap and rotate move: the second attempt of Schaus and Deville (introduction, section 3).

In each iteration one of the most violated cells is drawn, with the most edges that do not match. Of all moves of that
cell the best that is not tabu is made, even if it worsens the board. A tile that left a cell, or was turned on it, may
not be put there for some iterations, a random number between two bounds, unless the board then beats all before it.

What the paper leaves open: how strictly the most violated piece comes first, what is tabu, and for how long. On
Eternity II a cell drawn with odds by its violations leads to scores of about 360, the most violated one to about 420;
and tenures beyond a few iterations make scores worse, while without any the search runs in circles.
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
_LARGE = 128  # cells; on larger boards, where an iteration takes longer, a chunk has fewer


class SwapTabu(LocalSearch):
    """Ends early when all edges match that a move could mend.

    Args:
        puzzle: What to solve.
        rng: Where randomness comes from.
        evaluations: How many boards to move to, the initial one included; thousands are compared for each.
        start: Makes the initial board.
        tenure: Least and greatest number of iterations for which a tile may not be put back.
        pins: Hints to keep in place.

    Raises:
        SolverError: The tenure makes no sense.
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
    """Make `limit` moves, or less when nothing is left to mend; returns how many, and the sum and worst of the scores.

    When all moves of the cell that was drawn are tabu, the board stays as it is for that iteration.
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
