"""`MilpRegions`: regions of any shape filled by integer programs, as in the paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

import numpy as np
from numpy.typing import NDArray

from puzzles import EMPTY, Hint, Puzzle
from solvers.errors import SolverError
from solvers.exact.milp import BoardProgram, milp_model
from solvers.programs.engines import INFEASIBLE, SOLVED, make_engine
from solvers.regions.ground import Rectangle, check_regions
from solvers.regions.strip_solver import Outcome


class MilpRegions:
    """Fills rectangles with the strong model.

    Args:
        puzzle: The puzzle.
        regions: Rectangles that do not overlap.
        engine: An engine of `solvers.programs.engines`.
        seconds: The time limit of a region; what is found by then may not be optimal.
        pins: Hints to keep in place.

    Raises:
        SolverError: The regions overlap or leave the board.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        regions: Sequence[Rectangle],
        *,
        engine: str = "scipy",
        seconds: float = 60.0,
        pins: Iterable[Hint] = (),
    ) -> None:
        check_regions(*puzzle.shape, regions)
        self.regions = regions
        self._puzzle, self._engine, self._seconds, self._pins = puzzle, engine, seconds, tuple(pins)

    def fillings(self, rng: np.random.Generator, board: NDArray[np.uint16], number: int, count: int) -> list[Outcome]:
        """Return one filling, the best that was found.

        Raises:
            SolverError: None was found in time.
        """
        found = solved(self._program(board, number, False), self._engine, self._seconds)
        if found is None:
            raise SolverError(f"region {number + 1}: the engine {self._engine} found nothing in {self._seconds:g} s")
        values, mismatches, bound = found
        return [Outcome(values[self.cells(number)], mismatches, bound, 0)]

    def another(
        self, rng: np.random.Generator, board: NDArray[np.uint16], number: int, excluded: NDArray[np.uint16]
    ) -> Outcome | None:
        """Return a filling without mismatches that is none of the excluded ones (17); None if none is found."""
        program, filled = self._program(board, number, True), board.copy()
        for row in excluded:
            filled[self.cells(number)] = row
            program.exclude(filled)
        found = solved(program, self._engine, self._seconds)
        return Outcome(found[0][self.cells(number)], 0, 0, 0) if found else None

    def cells(self, number: int) -> NDArray[np.int32]:
        """Return the cells of a rectangle, row by row."""
        top, left, height, width = self.regions[number]
        index = np.arange(self._puzzle.size, dtype=np.int32).reshape(self._puzzle.shape)
        return np.ascontiguousarray(index[top : top + height, left : left + width]).ravel()

    def _program(self, board: NDArray[np.uint16], number: int, perfect: bool) -> BoardProgram:
        cells = self.cells(number)
        rest = board.copy()
        rest[cells] = EMPTY
        return milp_model(
            self._puzzle,
            board=rest,
            region=cells.tolist(),
            pins=self._pins,
            perfect=perfect,
            binary=self._engine == "cp-sat",
        )


def solved(program: BoardProgram, engine: str, seconds: float) -> tuple[NDArray[np.uint16], int, int] | None:
    """Solve an integer program; return the board, its unmatched edges and a bound of these, or None if none is found.

    Args:
        program: The program.
        engine: An engine of `solvers.programs.engines`.
        seconds: The time limit.
    """
    model = program.model
    found = make_engine(engine, model).solve(seconds)
    if found.status == INFEASIBLE or found.values is None:
        return None
    cost = sum(coefficient * found.values[index] for index, coefficient in model.objective)
    bound = cost if found.status == SOLVED else max(0.0, found.bound)
    return model.decode(found.values), round(cost), ceil(bound - 1e-6)
