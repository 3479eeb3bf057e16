"""The best way to rearrange the tiles of the border, given the inner tiles: the one-dimensional problem of a ring.

With one corner tile in its place, the rest of the ring is a chain of cells with fixed ends, which the search for strips
solves; all four corner tiles are tried in that corner. Every tile of the ring has to be used, so that prices may have
either sign, and bounds are tight where the border nearly fits. Where it does not, searches meet their limits; the
result is then better than the ring before, or the same, without proof (`solvers.exact.milp_border` proves it).
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from puzzles import DOWN, EMPTY, LEFT, RIGHT, UP
from solvers.errors import SolverError
from solvers.regions.ground import Ground
from solvers.regions.strip import NONE, Strip
from solvers.regions.strip_solver import StripOptions, StripSolver

LIMIT = StripOptions(quick=500, limit=20_000, steps=150)
"""The usual limits: enough for borders that nearly fit, and about a second for those that do not."""


class Ring(NamedTuple):
    """What the ring of a board was found to be."""

    gained: int
    """The edges gained."""
    proved: bool
    """Whether no arrangement of the ring's tiles is better."""
    nodes: int


class BorderSolver(Protocol):
    """Rearranges the border of boards."""

    def improve(self, rng: np.random.Generator, board: NDArray[np.uint16]) -> Ring:
        """Rearrange the border of a complete board, a flat array that is changed in place, if that gains edges."""


class RingSolver:
    """Rearranges the border of boards.

    Args:
        ground: The puzzle; it must have a frame, and at least three rows and columns.
        options: Limits of the work.

    Raises:
        SolverError: The puzzle has no such frame.
    """

    def __init__(self, ground: Ground, options: StripOptions = LIMIT) -> None:
        if not ground.framed or min(ground.rows, ground.cols) < 3:
            raise SolverError("a border can be rearranged where tiles have a frame for at least 3x3 cells")
        self._ground, self._ring = ground, ring_cells(ground.rows, ground.cols)
        self._strip = _opened(ground, self._ring)
        self._solver = StripSolver(ground, len(self._strip.cells), False, options)

    def improve(self, rng: np.random.Generator, board: NDArray[np.uint16]) -> Ring:
        """Rearrange the border of a complete board, a flat array that is changed in place, if that gains edges."""
        ground, corner, rest = self._ground, int(self._ring[0]), self._strip.cells
        before = best = self.unmatched(board)
        corners = [int(board[cell]) >> 2 for cell in self._ring if bin(ground.walls[cell]).count("1") == 2]
        pinned = {int(pin) >> 2: cell for cell, pin in enumerate(ground.pins) if pin != EMPTY}
        if ground.pins[corner] != EMPTY:
            corners = [int(ground.pins[corner]) >> 2]
        corners = [tile for tile in corners if pinned.get(tile, corner) == corner]
        work, proved, nodes = board.copy(), True, 0
        work[self._ring] = EMPTY
        rows = np.zeros((1, len(rest)), dtype=np.uint16)
        for tile in corners:
            work[corner] = next(4 * tile + k for k in range(4) if ground.grey[4 * tile + k] == ground.walls[corner])
            found, mismatches, bound, spent = self._solver.solve_several(rng, work, self._strip, rows, most=best - 1)
            nodes += spent
            if found:
                best = mismatches
                board[corner], board[rest] = work[corner], rows[0]
            proved = proved and bound >= best
        return Ring(before - best, proved, nodes)

    def unmatched(self, board: NDArray[np.uint16]) -> int:
        """Return the unmatched edges of the ring, within itself and with the inner tiles."""
        sides, edges = self._ground.sides, set()
        for cell in self._ring.tolist():
            for side in range(4):
                near = int(self._ground.near[cell, side])
                if near < len(board):
                    shown = sides[side, board[cell]]
                    if shown == 0 or shown != sides[(side + 2) % 4, board[near]]:
                        edges.add((min(cell, near), max(cell, near)))
        return len(edges)


def ring_cells(rows: int, cols: int) -> NDArray[np.int32]:
    """Return the cells of the border, clockwise from the upper left corner."""
    index = np.arange(rows * cols, dtype=np.int32).reshape(rows, cols)
    return np.concatenate([index[0, :-1], index[:-1, -1], index[-1, :0:-1], index[:0:-1, 0]])


def _opened(ground: Ground, ring: NDArray[np.int32]) -> Strip:
    """Return the ring without its first cell as a chain."""
    cells = ring[1:]
    enter, leave, across = np.full((3, len(cells)), NONE, dtype=np.int8)
    for k in range(len(cells)):
        for side in (UP, RIGHT, DOWN, LEFT):
            near = ground.near[cells[k], side]
            if k and near == cells[k - 1]:
                enter[k] = side
            if k + 1 < len(cells) and near == cells[k + 1]:
                leave[k] = side
    return Strip(np.ascontiguousarray(cells), enter, leave, across, False)
