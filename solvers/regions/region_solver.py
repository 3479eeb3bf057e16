"""`RegionSolver`: what constructors need of something that fills a region from all unused tiles; `CompiledRegions`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from solvers.errors import SolverError
from solvers.regions.ground import Ground, Rectangle, check_regions
from solvers.regions.strip import Strip, strip_of
from solvers.regions.strip_solver import Outcome, StripOptions, StripSolver


class RegionSolver(Protocol):
    """Fills regions of a board from all unused tiles."""

    regions: Sequence[Rectangle]

    def fillings(self, rng: np.random.Generator, board: NDArray[np.uint16], number: int, count: int) -> list[Outcome]:
        """Return up to `count` fillings of a region, all as good as each other; at least one.

        Args:
            rng: Chooses among equally good fillings.
            board: The cells of a board, flat; those of the region are ignored, others may be EMPTY.
            number: The number of the region, from 0.
            count: The most fillings.
        """

    def another(
        self, rng: np.random.Generator, board: NDArray[np.uint16], number: int, excluded: NDArray[np.uint16]
    ) -> Outcome | None:
        """Return a filling without mismatches that is none of the excluded ones (17); None if none is found.

        Args:
            rng: Chooses among such fillings.
            board: The cells of a board, as for `fillings`.
            number: The number of the region, from 0.
            excluded: A row for each filling that is not wanted.
        """

    def cells(self, number: int) -> NDArray[np.int32]:
        """Return the cells of a region, in the order of its fillings."""


class CompiledRegions:
    """Strips, solved by compiled code.

    Args:
        ground: The puzzle.
        regions: Rectangles that do not overlap, of at most two rows or at most two columns.
        options: Limits of the work.

    Raises:
        SolverError: The regions overlap, leave the board, or are not strips.
    """

    def __init__(self, ground: Ground, regions: Sequence[Rectangle], options: StripOptions) -> None:
        check_regions(ground.rows, ground.cols, regions)
        for number, (_, _, height, width) in enumerate(regions, 1):
            if min(height, width) > 2:
                raise SolverError(
                    f"region {number} has {height}x{width} cells: the engine compiled takes one or two rows or "
                    "columns, and the engine milp any rectangle"
                )
        self.regions = regions
        self._strips: list[Strip] = [strip_of(ground.rows, ground.cols, region) for region in regions]
        self._solvers: dict[bool, StripSolver] = {}
        for ladder in {strip.ladder for strip in self._strips}:
            longest = max(len(strip.cells) for strip in self._strips if strip.ladder == ladder)
            self._solvers[ladder] = StripSolver(ground, longest, ladder, options)

    def fillings(self, rng: np.random.Generator, board: NDArray[np.uint16], number: int, count: int) -> list[Outcome]:
        """Return up to `count` optimal strips; some may be the same."""
        strip = self._strips[number]
        rows = np.zeros((count, len(strip.cells)), dtype=np.uint16)
        found, mismatches, bound, nodes = self._solvers[strip.ladder].solve_several(rng, board, strip, rows)
        return [Outcome(row, mismatches, bound, nodes) for row in rows[:found]]

    def another(
        self, rng: np.random.Generator, board: NDArray[np.uint16], number: int, excluded: NDArray[np.uint16]
    ) -> Outcome | None:
        """Return a strip without mismatches that is none of the excluded ones; None if none is found."""
        strip = self._strips[number]
        rows = np.vstack([excluded, np.zeros((1, len(strip.cells)), dtype=np.uint16)])
        found, *rest = self._solvers[strip.ladder].solve_several(
            rng, board, strip, rows, excluded=len(excluded), most=0
        )
        return Outcome(rows[-1], *rest) if found else None

    def cells(self, number: int) -> NDArray[np.int32]:
        """Return the cells of a strip in the order of its fillings."""
        return self._strips[number].cells
