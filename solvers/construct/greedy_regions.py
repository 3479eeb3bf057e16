"""Boards built region by region: Algorithm 1 of Salassa et al., and a beam over it.

Algorithm 1 fills one region after the other with the best filling from all unused tiles. The beam keeps several boards,
gives each several optimal fillings of the next region, and keeps the best of all the boards that result.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import DOWN, EMPTY, RIGHT
from solvers.errors import SolverError
from solvers.regions.ground import Ground, checked_cells
from solvers.regions.region_solver import RegionSolver


class BeamOverRegions(NamedTuple):
    """Options of `GreedyRegions`; the defaults are Algorithm 1."""

    width: int = 1
    """Number of boards that are kept."""
    fillings: int = 1
    """Number of optimal fillings of the next region that each of them is given."""
    concentration: float = 0.0
    """Weight of concentration, the sum over colours of (unused sides)^2 / 100, against one unmatched edge."""


class Built(NamedTuple):
    """A board built from regions."""

    cells: NDArray[np.uint16]
    mismatches: int
    """The number of unmatched edges."""
    regions: int
    """The number of regions filled."""
    proved: int
    """How many of them are known to be optimal, given the tiles around them when they were filled."""
    nodes: int
    """The nodes of all searches."""


class _Boards(NamedTuple):
    cells: NDArray[np.uint16]
    mismatches: NDArray[np.int64]
    proved: NDArray[np.int64]


_DEFAULTS = BeamOverRegions()


class GreedyRegions:
    """Builds boards region by region.

    Args:
        ground: The puzzle.
        solver: Fills regions; its regions are filled in their order.
        options: How many boards and fillings the beam has.

    Raises:
        SolverError: A number is out of range.
    """

    def __init__(self, ground: Ground, solver: RegionSolver, options: BeamOverRegions = _DEFAULTS) -> None:
        for name in ("width", "fillings"):
            if getattr(options, name) < 1:
                raise SolverError(f"{name}: expected 1 or more; found {getattr(options, name)}")
        self._ground, self._solver, self._options = ground, solver, options
        self._sides = ground.sides[:, ::4].T

    def construct(self, rng: np.random.Generator, cells: NDArray[np.uint16] | None = None, first: int = 0) -> Built:
        """Fill the regions and return the best board.

        Args:
            rng: Source of randomness.
            cells: A board to begin with; by default the pinned tiles.
            first: The number of the first region to fill.
        """
        begun = self._ground.pins.copy() if cells is None else checked_cells(self._ground, cells)
        cells = begun[np.newaxis]
        boards = _Boards(cells, self._mismatches(cells), np.zeros(1, dtype=np.int64))
        count, nodes = len(self._solver.regions), 0
        for number in range(first, count):
            boards, spent = self._extended(rng, boards, number, 1 if number == count - 1 else self._options.fillings)
            nodes += spent
        best = int(np.argmin(boards.mismatches))
        return Built(boards.cells[best], int(boards.mismatches[best]), count - first, int(boards.proved[best]), nodes)

    def _extended(self, rng: np.random.Generator, boards: _Boards, number: int, fillings: int) -> tuple[_Boards, int]:
        """Return the best boards with one more region, and the nodes spent."""
        where, nodes = self._solver.cells(number), 0
        children: dict[bytes, int] = {}
        for parent, board in enumerate(boards.cells):
            for k, outcome in enumerate(self._solver.fillings(rng, board, number, fillings)):
                child = board.copy()
                child[where] = outcome.cells
                nodes += outcome.nodes if k == 0 else 0
                children[child.tobytes()] = int(boards.proved[parent]) + outcome.proved
        cells = np.frombuffer(b"".join(children), dtype=np.uint16).reshape(len(children), -1)
        mismatches, proofs = self._mismatches(cells), np.array(list(children.values()))
        key = mismatches - self._options.concentration * self._concentration(cells) + 0.01 * rng.random(len(cells))
        kept = np.argsort(key)[: self._options.width]
        return _Boards(cells[kept], mismatches[kept], proofs[kept]), nodes

    def _mismatches(self, cells: NDArray[np.uint16]) -> NDArray[np.int64]:
        """Return the unmatched edges between tiles of each board; an edge with a pinned tile is counted once."""
        boards = cells.reshape(-1, self._ground.rows, self._ground.cols).astype(np.int64)
        found = np.zeros(len(boards), dtype=np.int64)
        for side, one, other in (
            (RIGHT, boards[:, :, :-1], boards[:, :, 1:]),
            (DOWN, boards[:, :-1], boards[:, 1:]),
        ):
            both = (one != EMPTY) & (other != EMPTY)
            here, there = self._ground.sides[side, one * both], self._ground.sides[(side + 2) % 4, other * both]
            found += (both & ((here != there) | (here == 0))).sum(axis=(1, 2))
        return found

    def _concentration(self, cells: NDArray[np.uint16]) -> NDArray[np.float64]:
        """Return how unevenly the colours of the unused tiles are distributed, for each board."""
        left = np.ones((len(cells), len(self._sides)))
        board, cell = np.nonzero(cells != EMPTY)
        left[board, cells[board, cell] >> 2] = 0
        sides = np.zeros((len(self._sides), self._ground.colours))
        for side in range(4):
            np.add.at(sides, (np.arange(len(sides)), self._sides[:, side]), 1)
        counts = left @ sides[:, 1:]
        return np.asarray((counts**2).sum(axis=1) / 100)
