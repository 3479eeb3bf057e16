"""`MilpBorder`: borders rearranged with proof, by the integer program where the search for rings proves nothing."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from puzzles import Hint, Puzzle
from solvers.exact.milp import milp_model
from solvers.exact.milp_regions import solved
from solvers.regions.ground import make_ground
from solvers.regions.ring import LIMIT, Ring, RingSolver, ring_cells
from solvers.regions.strip_solver import StripOptions


class MilpBorder:
    """Rearranges the border of boards: a ring search first, then the strong model if the border does not nearly fit.

    Args:
        puzzle: The puzzle; it must have a frame, and at least three rows and columns.
        engine: An engine of `solvers.programs.engines`.
        seconds: The time limit of an integer program; what is found by then may not be optimal.
        pins: Hints to keep in place.
        options: Limits of the ring search.

    Raises:
        SolverError: The puzzle has no such frame.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        engine: str = "scipy",
        seconds: float = 60.0,
        pins: Iterable[Hint] = (),
        options: StripOptions = LIMIT,
    ) -> None:
        self._puzzle, self._engine, self._seconds, self._pins = puzzle, engine, seconds, tuple(pins)
        self._ring = RingSolver(make_ground(puzzle, self._pins), options)

    def improve(self, rng: np.random.Generator, board: NDArray[np.uint16]) -> Ring:
        """Rearrange the border of a complete board, a flat array that is changed in place, if that gains edges."""
        found = self._ring.improve(rng, board)
        if found.proved:
            return found
        program = milp_model(
            self._puzzle,
            board=board,
            region=ring_cells(*self._puzzle.shape).tolist(),
            pins=self._pins,
            binary=self._engine == "cp-sat",
        )
        answer = solved(program, self._engine, self._seconds)
        if answer is None:
            return found
        cells, cost, bound = answer
        bound += self._ring.unmatched(cells) - cost  # edges between pinned tiles are not part of the program
        gained = self._ring.unmatched(board) - self._ring.unmatched(cells)
        if gained > 0:
            board[:] = cells
        return Ring(found.gained + max(0, gained), bound >= self._ring.unmatched(board), found.nodes)
