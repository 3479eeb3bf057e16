"""Beam search (Champion): builds a board cell by cell, keeping the best partial boards of each level.

What makes it good on Eternity II, where all of it was measured: a key that rewards spending whole colours early, which
leaves few colours with many sides, and these fit more easily; a look at the next cell; a narrow beam at first; and the
last rows column by column.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import GREY, Hint, Puzzle
from solvers.construct.beam_levels import BINS, SPARE, climb, put
from solvers.construct.beam_states import Children, History, Scratch, States, Weights
from solvers.construct.route import DEFAULT_PATH, Beginning, Route, make_route
from solvers.errors import SolverError
from solvers.memory import check_memory

_CHUNK = 2_000_000
"""After so many children Python gets its turn."""
_CHILDREN = 8
"""Room for so many times as many children as are kept: when it is full, those above the bound make room."""


class BeamOptions(NamedTuple):
    """How a beam search goes; the defaults are what served best on Eternity II (docs/champion.md)."""

    width: int = 16_384
    """States kept at each level."""
    early_width: float = 0.1
    """The share of it that is kept at first."""
    early_part: float = 0.5625
    """Which part of the way is early."""
    concentration: float = 0.1
    """What concentration counts beside a mismatch, which counts 1: the sum over colours of (sides left)^2 / 100."""
    exponent: float = 2.0
    """The power in it."""
    border: float = 1.0
    """How much the colours between frame tiles count in it."""
    noise: float = 0.05
    """The greatest random addition to a key."""
    none_fits: float = 0.2
    """What it costs that no unused tile fits the next cell."""
    one_fits: float = 0.04
    """What it costs that only one does."""


_DEFAULTS = BeamOptions()


class Construction(NamedTuple):
    """A board that was built."""

    cells: NDArray[np.uint16]
    """A matrix of oriented tiles."""
    mismatches: int
    evaluated: int
    """How many children were evaluated on the way."""


class Beam:
    """Builds boards of a puzzle.

    Args:
        puzzle: What to build boards of.
        options: Widths, and the weights of the key.
        path: The cells in order, or a name of `operators.PATHS`.
        pins: Hints whose tiles stay where they belong.

    Raises:
        SolverError: The puzzle does not fit a beam, or the beam not into memory.
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
        self.route, self.beginning = make_route(puzzle, path, pins)
        self.widths = _widths(self.options, len(self.route.cells))
        check_memory(f"a beam of width {self.options.width:,}", self.memory)
        self._weights = _weights(puzzle, self.options, self.beginning)
        self._room: _Room | None = None

    @property
    def memory(self) -> int:
        """The bytes that a search needs."""
        widest, begin = int(self.widths.max(initial=1)), self.beginning
        state = begin.used.nbytes + begin.frontier.nbytes + begin.left.nbytes + 16
        level = widest * (2 * state + 4) + _most(widest) * 17 + _power(4 * widest) * 8 + BINS * 8
        return level + 6 * int(self.widths.sum()) + 8 * len(self.widths) + _signs(self.route).nbytes

    def construct(
        self,
        rng: np.random.Generator,
        *,
        prefix: NDArray[np.uint16] | None = None,
        concentration: float | None = None,
    ) -> Construction:
        """Build a board; see `levels`."""
        *_, board = self.levels(rng, prefix=prefix, concentration=concentration)
        assert board is not None
        return board

    def levels(
        self,
        rng: np.random.Generator,
        *,
        prefix: NDArray[np.uint16] | None = None,
        concentration: float | None = None,
    ) -> Iterator[Construction | None]:
        """Build a board, and yield now and then, so that it can be given up in between; the last is the board.

        Args:
            rng: Where noise comes from.
            prefix: Oriented tiles for the first cells of the route, to go on from; by default none.
            concentration: In place of the setting.

        Raises:
            SolverError: There is a cell that no tile can lie in.
        """
        room = self._room = self._room or _Room.make(self.route, self.beginning, self.widths)
        weights = self._weights if concentration is None else self._weights._replace(concentration=concentration)
        now, then = room.states
        _put(now, self.beginning)
        step, count, evaluated = 0, 1, 0
        for code in [] if prefix is None else prefix.tolist():
            put(self.route, step, now, code, then, room.history, room.scratch.signs)
            now, then, step = then, now, step + 1
        while step < len(self.widths):
            reached, count, tried = climb(
                rng, self.route, step, _CHUNK, now, then, count, self.widths, weights, room.children, room.history,
                room.scratch,
            )  # fmt: skip
            if not count:
                raise SolverError(f"no tile that is left may lie in cell {self.route.cells[reached]}")
            if (reached - step) % 2:
                now, then = then, now
            step, evaluated = reached, evaluated + tried
            yield None
        best = int(now.mismatches[:count].argmin())
        yield Construction(self._board(room.history, best), int(now.mismatches[best]), evaluated)

    def _board(self, history: History, state: int) -> NDArray[np.uint16]:
        """Walk back from a last state to the beginning."""
        cells = self.beginning.cells.copy()
        for step in range(len(self.widths) - 1, -1, -1):
            at = int(history.starts[step]) + state
            cells[self.route.cells[step]] = history.codes[at]
            state = int(history.parents[at])
        return cells.reshape(self.puzzle.shape)


class _Room(NamedTuple):
    """Memory of a search, to be had once and used for every board."""

    states: tuple[States, States]
    children: Children
    history: History
    scratch: Scratch

    @classmethod
    def make(cls, route: Route, beginning: Beginning, widths: NDArray[np.int64]) -> _Room:
        widest = int(widths.max(initial=1))
        one, other = (_states(beginning, widest) for _ in range(2))
        most, total = _most(widest), int(widths.sum())
        children = Children(
            np.empty(most, np.int32), np.empty(most, np.uint16), np.empty(most, np.uint8), np.empty(most, np.uint16),
            np.empty(most, np.float32),
        )  # fmt: skip
        starts = np.concatenate([[0], np.cumsum(widths)[:-1]]).astype(np.int64)
        history = History(starts, np.empty(total, np.int32), np.empty(total, np.uint16))
        scratch = Scratch(
            np.zeros(BINS, np.int64), np.empty(widest, np.float32), np.empty(_power(4 * widest), np.uint64),
            np.empty(most, np.int32), _signs(route),
        )  # fmt: skip
        return cls((one, other), children, history, scratch)


def _signs(route: Route) -> NDArray[np.uint64]:
    """The same words every time: hashes only tell states apart."""
    count = len(route.sides) // 4 + route.slots * route.colours
    return np.random.default_rng(count).integers(1, 1 << 63, count, dtype=np.uint64)


def _states(beginning: Beginning, width: int) -> States:
    return States(
        np.zeros((width, len(beginning.used)), np.uint64),
        np.zeros((width, len(beginning.frontier)), np.uint8),
        np.zeros((width, len(beginning.left)), beginning.left.dtype),
        np.zeros(width, np.int32),
        np.zeros(width, np.float32),
        np.zeros(width, np.uint64),
    )


def _put(states: States, beginning: Beginning) -> None:
    states.used[0], states.frontier[0], states.left[0] = beginning.used, beginning.frontier, beginning.left
    states.mismatches[0], states.gathered[0], states.hashes[0] = beginning.mismatches, 0, 0


def _most(width: int) -> int:
    """Room for how many children."""
    return max(_CHILDREN * width, int(SPARE * width) + 1024)


def _power(least: int) -> int:
    return 1 << (least - 1).bit_length()


def _widths(options: BeamOptions, steps: int) -> NDArray[np.int64]:
    """How many states are kept at each step."""
    if options.width < 1:
        raise SolverError(f"width: expected 1 or more; found {options.width}")
    early = np.arange(steps) < options.early_part * steps
    shares: NDArray[np.float64] = np.where(early, options.early_width, 1.0)
    return np.maximum(1, shares * options.width).astype(np.int64)


def _weights(puzzle: Puzzle, options: BeamOptions, beginning: Beginning) -> Weights:
    """What a key is made of; each colour's losses by how many sides of it are left."""
    counts = np.arange(int(beginning.left.max(initial=0)) + 1, dtype=np.float64)
    power = counts**options.exponent / 100
    loss = np.zeros((len(beginning.left), len(counts)), dtype=np.float32)
    loss[:, 1:] = np.diff(power)
    loss[list(puzzle.border_colours)] *= options.border
    loss[GREY] = 0
    return Weights(options.concentration, options.noise, options.none_fits, options.one_fits, loss)
