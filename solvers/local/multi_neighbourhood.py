"""Local search in several neighbourhoods, after Salassa et al.: TA, BO, BW, TSR and RO, or others, in turns.

    repeat: for each neighbourhood of the sequence: improve the board in it

A cycle that gains nothing ends at a local optimum of all neighbourhoods, up to what is left to chance. Then the search
goes on crossing plateaus, and after some such cycles begins again from a new board.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from operators import Lattice, OperatorError
from operators.rebuild import Rebuild, make_rebuild
from puzzles import Hint, Puzzle
from solvers.errors import SolverError
from solvers.local.local_search import BEST, DONE, FRAMED, SCORE, LocalSearch, Moves, Start, check_least, check_share
from solvers.local.neighbourhoods import (
    assign_squares,
    assign_tiles,
    make_terrain,
    optimise_border,
    optimise_region,
    rebuild_regions,
    swap_and_rotate,
)
from solvers.regions.rectangle import MOST_TILES
from solvers.regions.ring import BorderSolver

PAPER = ("TA", "BO", "BW", "TSR", "RO")
"""The neighbourhoods of the paper, in its order."""
NEIGHBOURHOODS = (*PAPER, "RB")
_STEP, _WITHIN, _GAINED, _IDLE = range(4, 8)
_TA_AT_ONCE, _RB_AT_ONCE = 100, 20
"""Moves of TA and of RB between two looks at the limit of a chunk; the search does not depend on them."""
_RECTANGLES = 0.7
"""The probability that RB rebuilds a rectangle; its other regions are blobs that grow over unmatched cells."""


class MnlsOptions(NamedTuple):
    """Options of `MultiNeighbourhood`; sizes and numbers of iterations are those of the paper (Table 2)."""

    sequence: tuple[str, ...] = PAPER
    """The neighbourhoods, in the order in which they are searched."""
    ta_size: int = 16
    """Number of tiles of a move of TA."""
    ta_moves: int = 1000
    """Number of moves of TA in a cycle."""
    violated: float = 0.9
    """Probability that a tile of such a move is chosen for its unmatched edges."""
    ties: bool = True
    """Whether TA makes moves that gain nothing."""
    region: tuple[int, int] = (6, 6)
    """Rows and columns of the rectangles of RO."""
    ro_moves: int = 10
    """Number of rectangles in a cycle."""
    ro_limit: int = 200_000
    """Number of tiles that the search of a rectangle may lay."""
    rb_moves: int = 1000
    """Number of regions that RB rebuilds in a cycle."""
    rb_cells: tuple[int, int] = (6, 30)
    """The least and the greatest number of cells of such a region."""
    rb_width: int = 10
    """Number of states of the beam that fills it."""
    patience: int = 0
    """Number of cycles without gain after which the search begins again from a new board; 0 means never."""


_DEFAULTS = MnlsOptions()


class MultiNeighbourhood(LocalSearch):
    """Multi-neighbourhood local search.

    An evaluation is a move of TA, a rectangle of RO, or a run of one of the others. The search ends early when the
    board is solved.

    Args:
        puzzle: The puzzle to solve.
        rng: Source of randomness.
        evaluations: Number of moves, plus one for each initial board.
        options: The neighbourhoods, their sizes, and when to begin again.
        start: Returns an initial board.
        border: What rearranges borders (BO); see `make_terrain`.
        pins: Hints to keep in place.

    Raises:
        SolverError: A size, a number or the name of a neighbourhood is out of range.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        rng: np.random.Generator,
        evaluations: int,
        options: MnlsOptions = _DEFAULTS,
        *,
        start: Start,
        border: BorderSolver | None = None,
        pins: Iterable[Hint] = (),
    ) -> None:
        _check(options)
        kept = tuple(pins)
        super().__init__(puzzle, rng, evaluations, start=start, pins=kept, tabu={}, counters=4, chunk=2000)
        self._options, self._terrain = options, make_terrain(puzzle, kept, border)
        self._rebuild = _rebuild(self._terrain.lattice, options) if "RB" in options.sequence else None
        self.gains = dict.fromkeys(NEIGHBOURHOODS, 0)
        """What each neighbourhood has gained since this object was made, for those who want to know."""

    def _prepare(self) -> None:
        self._terrain.place(self._cells)

    def _move(self, limit: int) -> Moves:
        made = total = 0
        numbers, terrain, worst = self._numbers, self._terrain, 1 << 40
        while made < limit and numbers[BEST] < self._puzzle.max_score:
            if self._options.patience and numbers[_IDLE] >= self._options.patience:
                terrain.place(self._checked(self._start(self.rng), "the initial board"))
                numbers[FRAMED] = numbers[FRAMED] and terrain.framed
                moves, numbers[_STEP:] = 1, 0
            else:
                moves = self._step(limit - made)
            made, total, worst = made + moves, total + moves * terrain.score, min(worst, terrain.score)
            numbers[DONE] += moves
            numbers[SCORE] = terrain.score
            if terrain.score > numbers[BEST]:
                numbers[BEST] = terrain.score
                self._best_cells[:] = terrain.cells
        self._cells[:] = terrain.cells
        return Moves(made, total, worst)

    def _step(self, limit: int) -> int:
        """Make some moves in the neighbourhood whose turn it is; return their number."""
        rng, terrain, how, numbers = self.rng, self._terrain, self._options, self._numbers
        name, moves, due = how.sequence[numbers[_STEP]], 1, 1
        if name == "TA":
            due = how.ta_moves
            moves = min(limit, _TA_AT_ONCE, due - int(numbers[_WITHIN]))
            gained = assign_tiles(rng, terrain, moves, how.ta_size, how.violated, how.ties)
        elif name == "RB":
            assert self._rebuild is not None
            due = how.rb_moves
            moves = min(limit, _RB_AT_ONCE, due - int(numbers[_WITHIN]))
            gained = rebuild_regions(rng, terrain, moves, self._rebuild)
        elif name == "RO":
            due = how.ro_moves
            gained = optimise_region(rng, terrain, *how.region, how.ro_limit)
        else:
            gained = {"BO": optimise_border, "BW": assign_squares, "TSR": swap_and_rotate}[name](rng, terrain)
        self.gains[name] += gained
        numbers[_GAINED] += gained
        numbers[_WITHIN] += moves
        if numbers[_WITHIN] == due:
            numbers[_STEP], numbers[_WITHIN] = numbers[_STEP] + 1, 0
        if numbers[_STEP] == len(how.sequence):
            numbers[_IDLE] = 0 if numbers[_GAINED] else numbers[_IDLE] + 1
            numbers[_STEP] = numbers[_GAINED] = 0
        return moves

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Resume from the state of another search."""
        super().restore(state)
        step, within = int(self._numbers[_STEP]), int(self._numbers[_WITHIN])
        due = {"TA": self._options.ta_moves, "RO": self._options.ro_moves, "RB": self._options.rb_moves}
        if step >= len(self._options.sequence) or within >= due.get(self._options.sequence[step], 1):
            raise SolverError("invalid state: the neighbourhood whose turn it is does not exist")


def _rebuild(lattice: Lattice, options: MnlsOptions) -> Rebuild:
    """Return how RB rebuilds regions; the greatest number of their cells is cut to the board."""
    least, most = options.rb_cells
    try:
        return make_rebuild(lattice, (least, min(most, lattice.rows * lattice.cols)), options.rb_width, _RECTANGLES)
    except OperatorError as error:
        raise SolverError(f"rb_cells: {error}") from None


def _check(options: MnlsOptions) -> None:
    if not options.sequence:
        raise SolverError("sequence: expected at least one neighbourhood")
    for name in options.sequence:
        if name not in NEIGHBOURHOODS:
            raise SolverError(f"sequence: {name!r} is not one of {', '.join(NEIGHBOURHOODS)}")
    check_least(options, 1, "ta_size", "ta_moves", "ro_moves", "ro_limit", "rb_moves", "rb_width")
    check_least(options, 0, "patience")
    check_share("violated", options.violated)
    height, width = options.region
    if height < 1 or width < 1 or height * width > MOST_TILES:
        raise SolverError(f"region: expected 1 to {MOST_TILES} cells; found {height}x{width}")
