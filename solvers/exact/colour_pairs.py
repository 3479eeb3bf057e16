"""`ColourPairs`: enumeration with global filtering in constant time (Benoist and Bourreau, sections 3 to 5).

All components of the paper are there: clockwise and opposite pairs, contradiction, instantiation, preemption, the bound
on shared edges, the cycle rule of the border, the branching patterns 1 to 4, the five heuristics for the most urgent
pair, shaving, and conflict-based backjumping. What the paper leaves open: a node is a tile placed by a decision; among
equal cells the lowest is chosen, not a random one; shaving is repeated until nothing changes; a cell is shaved if one
of its pairs is offered by at most `shaving` tiles; a reason is a set of decisions, not of cells.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from puzzles import EMPTY, Hint, Puzzle
from solvers.errors import SolverError
from solvers.exact.enumerator import DEEPEST, DEPTH, FOUND, WHOLE, Division, Enumerator
from solvers.exact.pair_choice import HEURISTICS
from solvers.exact.pair_state import WORK
from solvers.exact.pair_tables import PairOptions, make_pair_state, make_pair_tables
from solvers.exact.pair_walk import Choices, PairLevels, retrace, walk
from solvers.search import State

CHUNK = 50_000
"""The most nodes between two reports: about a tenth of a second."""
_BEST = PairOptions()


class ColourPairs(Enumerator):
    """Enumeration by colour pairs; arguments other than `options` are those of `Enumerator`.

    Raises:
        SolverError: An option is out of range.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        rng: np.random.Generator,
        evaluations: int,
        *,
        options: PairOptions = _BEST,
        pins: Iterable[Hint] = (),
        limit: int = 0,
        division: Division = WHOLE,
    ) -> None:
        super().__init__(puzzle, rng, evaluations, chunk=CHUNK, pins=pins, limit=limit, division=division)
        if options.heuristic not in HEURISTICS:
            raise SolverError(f"heuristic: expected one of {', '.join(HEURISTICS)}; found {options.heuristic!r:.60}")
        if options.shaving < 0:
            raise SolverError(f"shaving: expected 0 or more; found {options.shaving}")
        self._options = options
        self._prepare()

    def _prepare(self) -> None:
        size, options = self._puzzle.size, self._options
        self._tables = make_pair_tables(self._tiles, self._order, options)
        self._state = make_pair_state(self._tiles, self._tables)
        candidates = np.zeros((size + 1, 4 * size), dtype=np.uint16)
        numbers = np.zeros((2, size + 1), dtype=np.int64)
        numbers[1, 0] = -1  # the root is not propagated yet
        failed = np.zeros((size + 1, len(self._state.reason)), dtype=np.uint64)
        self._levels = PairLevels(numbers[0], candidates, numbers[1], failed, np.zeros_like(self._state.reason))
        self._choices = Choices(HEURISTICS.index(options.heuristic), options.patterns, options.shaving)
        number = {int(tile): k for k, tile in enumerate(self._order)}
        cols = self._puzzle.cols
        pins = [(pin.row * cols + pin.col, 4 * number[pin.tile] + pin.rotation) for pin in self._tiles.pins]
        self._pins = np.array(pins, dtype=np.int64).reshape(len(pins), 2)

    @property
    def work(self) -> int:
        """The number of set operations made so far, which the paper claims to be constant per placed tile."""
        return int(self._state.counts[WORK])

    def _visit(self, until: int) -> None:
        before, deepest = self._walk.numbers[[FOUND, DEEPEST]].tolist()
        walk(
            self._tables,
            self._state,
            self._levels,
            self._walk,
            self._pins,
            self._choices,
            *self._division,
            self._limit,
            until,
        )
        for cells in self._walk.found[before : int(self._walk.numbers[FOUND])]:
            cells[:] = self._renumbered(cells)
        if self._walk.numbers[DEEPEST] > deepest:
            self._walk.deepest[:] = self._renumbered(self._walk.deepest)

    def _renumbered(self, cells: NDArray[np.uint16]) -> NDArray[np.uint16]:
        """Return a board with the puzzle's own numbers of tiles instead of the order in which they are tried."""
        tiles = self._order[np.minimum(cells >> 2, len(self._order) - 1)]
        own: NDArray[np.uint16] = np.where(cells == EMPTY, EMPTY, 4 * tiles + cells % 4).astype(np.uint16)
        return own

    def _retrace(self, path: NDArray[np.int32], depth: int) -> bool:
        work, failed = self.work, self._levels.failed
        self._prepare()
        self._levels.failed[:] = failed
        self._walk.numbers[DEPTH] = depth
        found = retrace(self._tables, self._state, self._levels, self._walk, self._pins, self._choices, path, depth)
        self._state.counts[WORK] = work
        return bool(found)

    def state(self) -> State:
        """Return the state of every enumerator, and the reasons for which the children entered so far have failed."""
        return super().state() | {"failed": self._levels.failed.copy()}

    def restore(self, state: State) -> None:
        """Resume from the state of another search with the same arguments."""
        super().restore(state)
        bits = np.unpackbits(state["failed"].astype("<u8").view(np.uint8), axis=1, bitorder="little")
        if np.triu(bits).any():
            raise SolverError("invalid state: a failure is explained by a later decision")
        self._levels.failed[:] = state["failed"]
