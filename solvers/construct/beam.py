"""Beam search (Champion): builds a board cell by cell, keeping the best partial boards of each level.

Five ideas make it effective on Eternity II, where each was measured: a key that rewards using up whole colours early,
which leaves few colours with many sides, and these fit more easily; a look-ahead to the next cell; a narrower beam at
first; the last rows column by column; and, in them, a key that estimates how many completions a state has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import lgamma, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import GREY, Hint, Puzzle
from solvers.construct.beam_keep import put
from solvers.construct.beam_levels import BINS, SPARE, climb
from solvers.construct.beam_states import Children, History, Scratch, States, Weights
from solvers.construct.late_part import Late, make_late
from solvers.construct.route import DEFAULT_PATH, Beginning, Route, make_route
from solvers.errors import SolverError
from solvers.memory import check_memory

_CHUNK = 2_000_000
"""Number of children after which compiled code returns to Python."""
_CHILDREN = 8
"""Capacity for children, as a multiple of the width; when it is full, children above the bound are dropped."""


class BeamOptions(NamedTuple):
    """Options of `Beam`. The defaults are the best found on Eternity II (docs/champion.md)."""

    width: int = 11_264
    """Number of states kept at each level after the early part."""
    early_width: float = 0.5
    """Fraction of the width that is kept in the early part of the path."""
    early_part: float = 0.5625
    """Fraction of the path that is early."""
    concentration: float = 0.1
    """Weight of concentration, the sum over colours of (sides left)^exponent / 100; a mismatch has weight 1."""
    exponent: float = 2.0
    """Exponent in the concentration."""
    border: float = 1.0
    """Weight of the colours between frame tiles in the concentration."""
    noise: float = 0.05
    """Upper limit of the random number that is added to each key."""
    none_fits: float = 0.2
    """Cost if no unused tile fits the next cell."""
    one_fits: float = 0.04
    """Cost if only one unused tile fits the next cell."""
    late_rows: float = 4.0
    """Length of the late part at the end of the path, in multiples of the length of a row; 0 for none."""
    completions: float = 0.18
    """Weight of the logarithm of the expected number of completions, which replaces concentration in the late part."""
    along: float = 0.05
    """Weight of the logarithm of the number of ways to fill the rest of the path's line, in the late part."""
    across: float = 0.08
    """Weight of the same for the next cells across the path, where there are any, in the late part."""


_DEFAULTS = BeamOptions()


class Construction(NamedTuple):
    """A board built by beam search."""

    cells: NDArray[np.uint16]
    """A matrix of oriented tiles."""
    mismatches: int
    evaluated: int
    """Number of children evaluated."""


class Beam:
    """Beam search on a puzzle. Its memory is allocated once and used for every board.

    Args:
        puzzle: The puzzle to solve.
        options: Widths, and the weights of the key.
        path: A name in `operators.PATHS`, or the cells in order.
        pins: Hints to keep in place.

    Raises:
        SolverError: The width is invalid, or the beam does not fit into memory.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        options: BeamOptions = _DEFAULTS,
        path: str | Sequence[int] = DEFAULT_PATH,
        pins: Iterable[Hint] = (),
    ) -> None:
        self.puzzle = puzzle
        self.options = options
        pins = tuple(pins)
        self.route, self.beginning = make_route(puzzle, path, pins)
        self.late = make_late(puzzle, self.route, options.late_rows, path, pins)
        self.widths = _widths(self.options, len(self.route.cells))
        check_memory(f"a beam of width {self.options.width:,}", self.memory)
        self.weights = _weights(puzzle, self.options, self.beginning)
        self._room: Room | None = None

    @property
    def room(self) -> Room:
        """The memory of the search, allocated on first use."""
        self._room = self._room or Room.make(self.route, self.late, self.beginning, self.widths)
        return self._room

    def begin(self) -> None:
        """Write the state before the first step."""
        _put(self.room.states[0], self.beginning)

    @property
    def memory(self) -> int:
        """Bytes of memory that the search needs."""
        widest, begin = int(self.widths.max(initial=1)), self.beginning
        state = begin.used.nbytes + begin.frontier.nbytes + begin.left.nbytes + 20
        level = widest * (2 * state + 8) + _most(widest) * 21 + _power(4 * widest) * 8 + BINS * 8
        level += _late_width(self.late, self.widths) * self.route.colours * 12 + self.route.colours * 16
        return level + 6 * int(self.widths.sum()) + 8 * len(self.widths) + _signs(self.route).nbytes

    def construct(
        self,
        rng: np.random.Generator,
        *,
        prefix: NDArray[np.uint16] | None = None,
        concentration: float | None = None,
        ranks: NDArray[np.float64] | None = None,
    ) -> Construction:
        """Build a board; the arguments are those of `levels`."""
        *_, board = self.levels(rng, prefix=prefix, concentration=concentration, ranks=ranks)
        assert board is not None
        return board

    def levels(
        self,
        rng: np.random.Generator,
        *,
        prefix: NDArray[np.uint16] | None = None,
        concentration: float | None = None,
        ranks: NDArray[np.float64] | None = None,
    ) -> Iterator[Construction | None]:
        """Build a board, yielding None from time to time so that a caller can stop, and finally the board.

        Args:
            rng: Source of the noise.
            prefix: Oriented tiles of the first cells of the route, to continue from; none by default.
            concentration: Overrides the option.
            ranks: By tile, numbers in [0, 1) that take the place of random numbers in the noise.

        Raises:
            SolverError: No tile may be placed in some cell.
        """
        room = self.room
        weights = self.weights if concentration is None else self.weights._replace(concentration=concentration)
        weights = weights if ranks is None else weights._replace(ranks=ranks)
        now, then = room.states
        self.begin()
        step, count, evaluated = 0, 1, 0
        for code in [] if prefix is None else prefix.tolist():
            put(self.route, step, now, code, then, room.history, room.scratch.signs)
            now, then, step = then, now, step + 1
        while step < len(self.widths):
            reached, count, tried = climb(
                rng, self.route, self.late, step, _CHUNK, now, then, count, self.widths, weights, room.children,
                room.history, room.scratch,
            )  # fmt: skip
            if not count:
                raise SolverError(f"no remaining tile may be placed in cell {self.route.cells[reached]}")
            if (reached - step) % 2:
                now, then = then, now
            step, evaluated = reached, evaluated + tried
            yield None
        best = int(now.mismatches[:count].argmin())
        yield Construction(self._board(room.history, best), int(now.mismatches[best]), evaluated)

    def _board(self, history: History, state: int) -> NDArray[np.uint16]:
        """Return the board of a final state, by following its parents to the beginning."""
        cells = self.beginning.cells.copy()
        for step in range(len(self.widths) - 1, -1, -1):
            at = int(history.starts[step]) + state
            cells[self.route.cells[step]] = history.codes[at]
            state = int(history.parents[at])
        return cells.reshape(self.puzzle.shape)


class Room(NamedTuple):
    """Memory of a search, allocated once and used for every board."""

    states: tuple[States, States]
    children: Children
    history: History
    scratch: Scratch

    @classmethod
    def make(cls, route: Route, late: Late, beginning: Beginning, widths: NDArray[np.int64]) -> Room:
        """Allocate the memory of a search along a route with the given widths."""
        widest = int(widths.max(initial=1))
        one, other = (_states(beginning, widest) for _ in range(2))
        most, total, rated = _most(widest), int(widths.sum()), _late_width(late, widths)
        children = Children(
            np.empty(most, np.int32), np.empty(most, np.uint16), np.empty(most, np.uint8), np.empty(most, np.uint16),
            np.empty(most, np.float32), np.empty(most, np.float32),
        )  # fmt: skip
        starts = np.concatenate([[0], np.cumsum(widths)[:-1]]).astype(np.int64)
        history = History(starts, np.empty(total, np.int32), np.empty(total, np.uint16))
        scratch = Scratch(
            np.zeros(BINS, np.int64), np.empty(widest, np.float32), np.empty(widest, np.float32),
            np.empty((rated, route.colours), np.int32), np.empty((rated, 2, route.colours), np.float32),
            np.empty((2, route.colours), np.float64), np.empty(_power(4 * widest), np.uint64), np.empty(most, np.int32),
            _signs(route),
        )  # fmt: skip
        return cls((one, other), children, history, scratch)


def _signs(route: Route) -> NDArray[np.uint64]:
    """Return the random words of the hashes, the same every time: they do not influence the search."""
    count = len(route.sides) // 4 + route.slots * route.colours
    return np.random.default_rng(count).integers(1, 1 << 63, count, dtype=np.uint64)


def _states(beginning: Beginning, width: int) -> States:
    return States(
        np.zeros((width, len(beginning.used)), np.uint64),
        np.zeros((width, len(beginning.frontier)), np.uint8),
        np.zeros((width, len(beginning.left)), beginning.left.dtype),
        np.zeros(width, np.int32),
        np.zeros(width, np.float32),
        np.zeros(width, np.float32),
        np.zeros(width, np.uint64),
    )


def _put(states: States, beginning: Beginning) -> None:
    states.used[0], states.frontier[0], states.left[0] = beginning.used, beginning.frontier, beginning.left
    states.mismatches[0], states.gathered[0], states.across[0] = beginning.mismatches, 0, 0
    states.hashes[0] = 0


def _most(width: int) -> int:
    """Return the capacity for children."""
    return max(_CHILDREN * width, int(SPARE * width) + 1024)


def _late_width(late: Late, widths: NDArray[np.int64]) -> int:
    """Return the largest number of states that are rated by the late value."""
    return int(widths[max(0, late.first - 1) :].max(initial=1)) if late.first < len(widths) else 0


def _power(least: int) -> int:
    return 1 << (least - 1).bit_length()


def _widths(options: BeamOptions, steps: int) -> NDArray[np.int64]:
    """Return the number of states kept at each step."""
    if options.width < 1:
        raise SolverError(f"width: expected 1 or more; found {options.width}")
    early = np.arange(steps) < options.early_part * steps
    shares: NDArray[np.float64] = np.where(early, options.early_width, 1.0)
    return np.maximum(1, shares * options.width).astype(np.int64)


def _weights(puzzle: Puzzle, options: BeamOptions, beginning: Beginning) -> Weights:
    """Return the weights of a key, with the loss of each colour by the number of its sides left."""
    most, slots = int(beginning.left.max(initial=0)), len(beginning.frontier)
    counts = np.arange(most + 1, dtype=np.float64)
    power = counts**options.exponent / 100
    loss = np.zeros((len(beginning.left), len(counts)), dtype=np.float32)
    loss[:, 1:] = np.diff(power)
    loss[list(puzzle.border_colours)] *= options.border
    loss[GREY] = 0
    pairings = [-lgamma(m / 2 + 1) - m / 2 * log(2) for m in range(most + 5)]
    pairings += range(-slots - 4, 0)  # a mismatch for each side of the frontier that has no counterpart
    return Weights(
        concentration=options.concentration,
        noise=options.noise,
        none_fits=options.none_fits,
        one_fits=options.one_fits,
        completions=options.completions,
        along=options.along,
        across=options.across,
        loss=loss,
        logarithms=np.log(np.maximum(counts, 1)),
        arrangements=np.array([lgamma(n + 1) for n in range(most + 1)]),
        pairings=np.array(pairings),
        ranks=np.zeros(0),
    )
