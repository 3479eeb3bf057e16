"""Backtracking with a mismatch budget: depth-first along a path, as the record of Eternity II was found.

Few mismatches are allowed, and only late: a board with so many tiles may have so many. To have tiles left that fit
when it counts, a few colours are favoured and used up early: candidates with many sides in them are tried first, and a
board with so many tiles that has too few such sides is given up. The first cells are filled at random; an opening that
took too many nodes is given up for another one, with other favoured colours.

A node is one tile put on the board, and an evaluation is a node. The best board is the one with most matching edges of
all that lay on the way; cells that are not yet filled are empty, and `Backtrack.completed` fills them. Once a board is
full, only boards with fewer mismatches are looked for.

A quota that suits Eternity II, of which there are very many partial boards, leaves out the few solutions that a small
puzzle has: such are solved without.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import EMPTY, GREY, Hint, Puzzle
from solvers.chunked_search import ChunkedSearch
from solvers.construct.backtrack_descent import (
    BEST,
    CEILING,
    DEPTH,
    EXHAUSTED,
    OVER,
    SOLVED,
    DescentState,
    begin,
    descend,
)
from solvers.construct.backtrack_lists import Lists, make_lists, make_step_table
from solvers.construct.beam import Beam, BeamOptions
from solvers.construct.route import make_route
from solvers.errors import SolverError
from solvers.progress import Progress
from solvers.search import State, matching

CHUNK = 4_000_000
"""The most nodes between two reports: about a tenth of a second."""
_MOST_SETS = 100_000
"""More sets of favoured colours than these are not kept track of."""
_DONE, _SPENT, _SEED, _SET = range(CEILING + 1, CEILING + 5)
"""Further numbers: nodes, those of this opening, and what the opening is made of."""
_STACK = DescentState._fields[:6]
_NOT_BEGUN = -1
_RECORD_MISMATCHES = tuple(depth / 256 for depth in (201, 206, 211, 216, 221, 225, 229, 233, 237, 239))


class BacktrackOptions(NamedTuple):
    """How a search goes; the defaults are those of Eternity II's record, in parts of its 256 cells and of 122 sides."""

    mismatches: tuple[float, ...] = _RECORD_MISMATCHES
    """How much of the board is filled when one more mismatch is allowed; there is at most one to a tile."""
    favoured_border: int = 1
    """How many colours between frame tiles are favoured."""
    favoured_inner: int = 2
    """How many other colours are."""
    favoured_sets: int = 10
    """From how many sets of such colours each opening chooses: those whose sides lie on the fewest tiles, of which the
    record's was the fourth. With others the quota can hardly be met."""
    quota: tuple[tuple[float, float], ...] = (
        (16 / 256, 0), (26 / 256, 28 / 122), (56 / 256, 71 / 122), (76 / 256, 89 / 122), (102 / 256, 106 / 122),
        (160 / 256, 119 / 122),
    )  # fmt: skip
    """Which part of all favoured sides must lie when a part of the board is filled; linear in between."""
    opening: float = 16 / 256
    """Which part of the board is filled at random, though with tiles that have any favoured side first; quotas count
    from there on."""
    opening_nodes: int = 50_000_000_000
    """After so many nodes an opening is given up; in a search of seconds, 10^8 and less let it try several."""


_DEFAULTS = BacktrackOptions()


class Backtrack(ChunkedSearch):
    """Searches depth-first, and reports the best board so far; ends early when it is solved or all was tried.

    Args:
        puzzle: What to solve.
        rng: Chooses openings, favoured colours, and the order of tiles that are equally good.
        evaluations: How many nodes to visit.
        options: Mismatch budget, favoured colours and openings.
        path: The cells in order, or a name of `operators.PATHS`.
        pins: Hints whose tiles stay where they belong; mismatches among them are not counted.

    Raises:
        SolverError: An option is out of range.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        rng: np.random.Generator,
        evaluations: int,
        *,
        options: BacktrackOptions = _DEFAULTS,
        path: str | Sequence[int] = "blocks",
        pins: Iterable[Hint] = (),
    ) -> None:
        super().__init__(puzzle, rng, evaluations, chunk=CHUNK)
        self._options, self._path, self._pins = options, path, tuple(pins)
        _check(options)
        self._sets = _favoured_sets(puzzle, self._options)
        self._exhausted = np.zeros(len(self._sets), dtype=np.bool_)
        route, beginning = make_route(puzzle, self._path, self._pins)
        self._pinned, self._held = beginning.cells, beginning.cells[beginning.cells != EMPTY]
        self._opening = round(self._options.opening * puzzle.size)
        self._steps = make_step_table(puzzle, route, self._pinned, self._opening)
        self._filled = (np.arange(len(self._steps.cells) + 1) + len(self._held)) / puzzle.size
        self._descent = self._start()
        self._lists: Lists | None = None

    @property
    def _done(self) -> int:
        return int(self._descent.numbers[_DONE])

    @property
    def _over(self) -> bool:
        return bool(self._descent.numbers[OVER] == SOLVED or self._exhausted.all())

    def _advance(self, limit: int) -> Progress:
        self._search(self._done + limit)
        numbers = self._descent.numbers
        now = int(self._steps.edges[numbers[DEPTH]] - self._descent.misses[numbers[DEPTH]])
        return self._report(int(numbers[BEST]), self._cells_of(self._descent.best), float(now), now)

    def _cells_of(self, best: NDArray[np.uint16]) -> NDArray[np.uint16]:
        """Return the cells of a board from its tiles in the order of the steps."""
        cells = self._pinned.copy()
        cells[self._steps.cells] = best
        return cells

    def completed(self, rng: np.random.Generator, *, width: int = 4096) -> NDArray[np.uint16]:
        """The best board so far, whose empty cells a beam of some width fills, mismatches or not.

        Raises:
            SolverError: There is a cell that no tile can lie in.
        """
        best = self._descent.best
        beam = Beam(self._puzzle, options=BeamOptions(width), path=self._path, pins=self._pins)
        return beam.construct(rng, prefix=best[best != EMPTY]).cells

    def _search(self, until: int) -> None:
        """Go on until so many nodes are done, from one opening to the next."""
        numbers, most = self._descent.numbers, self._options.opening_nodes
        if not len(self._steps.cells):
            numbers[OVER] = SOLVED  # all is pinned
        while numbers[_DONE] < until and not self._over:
            if self._lists is None or numbers[OVER] == EXHAUSTED or numbers[_SPENT] >= most:
                self._lists = self._open()
            put = descend(self._steps, self._lists, self._descent, min(until - numbers[_DONE], most - numbers[_SPENT]))
            numbers[_DONE] += put
            numbers[_SPENT] += put
            if numbers[OVER] == EXHAUSTED:
                self._exhausted[numbers[_SET]] = True

    def _open(self) -> Lists:
        """Begin another opening."""
        numbers = self._descent.numbers
        numbers[_SEED], numbers[_SPENT] = self.rng.integers(1 << 62), 0
        numbers[_SET] = self.rng.choice(np.flatnonzero(~self._exhausted))
        lists = self._make_lists(numbers)
        begin(self._steps, lists, self._descent, int(lists.favour[self._held].sum()))
        return lists

    def _make_lists(self, numbers: NDArray[np.int64]) -> Lists:
        """The lists of the opening that some numbers tell of."""
        parts, shares = np.array(self._options.quota or [(0, 0)], dtype=np.float64).T
        quota = np.interp(self._filled, parts, shares)
        shuffler = np.random.default_rng(int(numbers[_SEED]))
        return make_lists(shuffler, self._steps, self._sets[numbers[_SET]], quota, self._opening)

    def _start(self) -> DescentState:
        """Where a search stands that has not begun."""
        size, steps = self._puzzle.size, len(self._steps.cells)
        allowed = np.array([round(part * size) for part in self._options.mismatches], dtype=np.int64)
        budget = (allowed <= np.round(self._filled[:, np.newaxis] * size)).sum(axis=1)
        laid = np.concatenate([np.zeros(steps), self._held, [4 * size]]).astype(np.uint16)
        numbers = np.zeros(_SET + 1, dtype=np.int64)
        numbers[BEST], numbers[CEILING], numbers[_SEED] = self._steps.edges[0], 4 * size, _NOT_BEGUN
        stack = np.zeros((len(_STACK), steps + 1), dtype=np.int32)
        best = np.full(steps, EMPTY, dtype=np.uint16)
        at, end, row, missing, misses, favoured = stack
        used = np.zeros(size, dtype=np.bool_)
        return DescentState(at, end, row, missing, misses, favoured, budget, laid, used, best, numbers)

    def state(self) -> State:
        """The opening, the tiles that lie, and what was tried at each step; the rest follows from these."""
        descent = self._descent
        stack = np.stack([getattr(descent, name) for name in _STACK])
        saved: State = {
            "laid": descent.laid,
            "best": descent.best,
            "numbers": descent.numbers,
            "exhausted": self._exhausted,
        }
        return {"stack": stack} | {name: array.copy() for name, array in saved.items()}

    def restore(self, state: State) -> None:
        """Go on from where another search stood."""
        matching(state, self.state())
        descent, numbers, depth = self._start(), state["numbers"], int(state["numbers"][DEPTH])
        # Compiled code believes what it finds: numbers out of their bounds would reach beyond the arrays.
        if (
            not 0 <= depth <= len(self._steps.cells)
            or not 0 <= numbers[_SET] < len(self._sets)
            or numbers[_SEED] < _NOT_BEGUN
        ):
            raise SolverError("the search is at a depth or an opening that it cannot have reached")
        put = state["laid"][:depth] >> 2
        if len(np.unique(put)) != depth or not np.isin(put, self._steps.fitting >> 2).all():
            raise SolverError("the board of the search has tiles that cannot be there")
        self._check_best(self._cells_of(state["best"]), int(numbers[BEST]))
        descent.laid[:depth], descent.used[put] = state["laid"][:depth], True
        descent.best[:], descent.numbers[:] = state["best"], numbers
        np.minimum(descent.budget, numbers[CEILING], out=descent.budget)
        lists = self._make_lists(numbers) if numbers[_SEED] != _NOT_BEGUN else None
        most = np.full((len(_STACK), 1), 4 * self._puzzle.size)
        if lists is not None:
            most[:3, 0] = len(lists.codes), len(lists.codes), 2 * self._steps.lists - 2
        if (state["stack"] < 0).any() or (state["stack"] > most).any():
            raise SolverError("the search is at a candidate that it cannot have reached")
        for name, values in zip(_STACK, state["stack"], strict=True):
            getattr(descent, name)[:] = values
        self._descent, self._lists = descent, lists
        self._exhausted[:] = state["exhausted"]


def _check(options: BacktrackOptions) -> None:
    """Raise an error if an option is out of range."""
    for name in ("favoured_border", "favoured_inner", "opening"):
        if getattr(options, name) < 0:
            raise SolverError(f"{name}: expected 0 or more; found {getattr(options, name)}")
    for name in ("favoured_sets", "opening_nodes"):
        if getattr(options, name) < 1:
            raise SolverError(f"{name}: expected 1 or more; found {getattr(options, name)}")
    parts = [part for part, _ in options.quota]
    if parts != sorted(parts):
        raise SolverError("quota: expected parts of the board in order")


def _favoured_sets(puzzle: Puzzle, options: BacktrackOptions) -> NDArray[np.int64]:
    """The sets of favoured colours, one to a row; fewer colours than asked for where the puzzle has not so many."""
    border = sorted(set(puzzle.border_colours) - {GREY})
    inner = sorted(set(puzzle.inner_colours) - {GREY, *border})
    some, more = min(options.favoured_border, len(border)), min(options.favoured_inner, len(inner))
    if comb(len(border), some) * comb(len(inner), more) > _MOST_SETS:
        raise SolverError(f"favoured colours: there are more than {_MOST_SETS:,} sets of {some} and {more} colours")
    sets = [one + other for one in combinations(border, some) for other in combinations(inner, more)]
    tiles = [np.isin(puzzle.tiles, colours).any(axis=1).sum() for colours in sets]
    chosen = np.argsort(tiles, kind="stable")[: options.favoured_sets]
    return np.array(sets, dtype=np.int64).reshape(len(sets), some + more)[chosen]
