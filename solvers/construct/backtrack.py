"""Backtracking with a mismatch budget: depth-first search along a path, the method that found the Eternity II record.

Few mismatches are allowed, and only late: the number of tiles placed determines how many a board may have. To keep
tiles that fit for the end of the path, a few favoured colours are used up early: candidates with many sides in these
colours are tried first, and a board with too few such sides for its number of tiles is abandoned. The first cells are
filled at random; an opening that exceeds its node limit is abandoned for another one, with other favoured colours.

A node is one tile placed on the board, and an evaluation is a node. The best board is the partial board with the most
matching edges; its empty cells are filled by `Backtrack.completed`. Once a board is complete, only boards with fewer
mismatches are searched for.

A quota that suits Eternity II, which has very many partial boards, excludes the few solutions of a small puzzle: solve
small puzzles without a quota.
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
"""The largest number of sets of favoured colours."""
_DONE, _SPENT, _SEED, _SET = range(CEILING + 1, CEILING + 5)
"""Indices of further counters: nodes, nodes of this opening, the seed of the opening, and its set of colours."""
_STACK = DescentState._fields[:6]
_NOT_BEGUN = -1
_RECORD_MISMATCHES = tuple(depth / 256 for depth in (201, 206, 211, 216, 221, 225, 229, 233, 237, 239))


class BacktrackOptions(NamedTuple):
    """Options of `Backtrack`. The defaults are those of the Eternity II record, in parts of 256 cells and 122 sides."""

    mismatches: tuple[float, ...] = _RECORD_MISMATCHES
    """Fractions of the board at each of which one more mismatch is allowed. A tile has at most one."""
    favoured_border: int = 1
    """Number of favoured colours among those between frame tiles."""
    favoured_inner: int = 2
    """Number of favoured colours among the others."""
    favoured_sets: int = 10
    """Number of sets of favoured colours that openings choose from: the sets whose sides are on the fewest tiles. The
    record's set is the fourth. With other sets the quota can hardly be met."""
    quota: tuple[tuple[float, float], ...] = (
        (16 / 256, 0), (26 / 256, 28 / 122), (56 / 256, 71 / 122), (76 / 256, 89 / 122), (102 / 256, 106 / 122),
        (160 / 256, 119 / 122),
    )  # fmt: skip
    """Pairs (fraction of the board filled, fraction of the favoured sides placed by then); linear in between."""
    opening: float = 16 / 256
    """Fraction of the board that is filled at random, except that tiles with a favoured side come first. The quota
    applies after it."""
    opening_nodes: int = 50_000_000_000
    """Number of nodes after which an opening is abandoned. Use 10^8 or less to try several openings within seconds."""


_DEFAULTS = BacktrackOptions()


class Backtrack(ChunkedSearch):
    """Depth-first search with a mismatch budget. It ends early when the puzzle is solved or every board was tried.

    Args:
        puzzle: The puzzle to solve.
        rng: Chooses openings, favoured colours, and the order of tiles that are equally good.
        evaluations: Number of nodes to visit.
        options: Mismatch budget, favoured colours and openings.
        path: A name in `operators.PATHS`, or the cells in order.
        pins: Hints to keep in place; mismatches among them are not counted.

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
        """Return the best board so far with its empty cells filled by a beam search, mismatches allowed.

        Raises:
            SolverError: No tile may be placed in some cell.
        """
        best = self._descent.best
        beam = Beam(self._puzzle, options=BeamOptions(width), path=self._path, pins=self._pins)
        return beam.construct(rng, prefix=best[best != EMPTY]).cells

    def _search(self, until: int) -> None:
        """Search until `until` nodes are done, through as many openings as needed."""
        numbers, most = self._descent.numbers, self._options.opening_nodes
        if not len(self._steps.cells):
            numbers[OVER] = SOLVED  # every tile is pinned
        while numbers[_DONE] < until and not self._over:
            if self._lists is None or numbers[OVER] == EXHAUSTED or numbers[_SPENT] >= most:
                self._lists = self._open()
            put = descend(self._steps, self._lists, self._descent, min(until - numbers[_DONE], most - numbers[_SPENT]))
            numbers[_DONE] += put
            numbers[_SPENT] += put
            if numbers[OVER] == EXHAUSTED:
                self._exhausted[numbers[_SET]] = True

    def _open(self) -> Lists:
        """Begin another opening, and return its lists."""
        numbers = self._descent.numbers
        numbers[_SEED], numbers[_SPENT] = self.rng.integers(1 << 62), 0
        numbers[_SET] = self.rng.choice(np.flatnonzero(~self._exhausted))
        lists = self._make_lists(numbers)
        begin(self._steps, lists, self._descent, int(lists.favour[self._held].sum()))
        return lists

    def _make_lists(self, numbers: NDArray[np.int64]) -> Lists:
        """Return the lists of the opening whose seed and set of colours are in `numbers`."""
        parts, shares = np.array(self._options.quota or [(0, 0)], dtype=np.float64).T
        quota = np.interp(self._filled, parts, shares)
        shuffler = np.random.default_rng(int(numbers[_SEED]))
        return make_lists(shuffler, self._steps, self._sets[numbers[_SET]], quota, self._opening)

    def _start(self) -> DescentState:
        """Return the state before the first node."""
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
        """Return the opening, the tiles placed, and the next candidate at each step, which determine the rest."""
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
        """Resume from the state of another search."""
        matching(state, self.state())
        descent, numbers, depth = self._start(), state["numbers"], int(state["numbers"][DEPTH])
        # Compiled code does not check bounds: invalid numbers would make it read outside its arrays.
        if (
            not 0 <= depth <= len(self._steps.cells)
            or not 0 <= numbers[_SET] < len(self._sets)
            or numbers[_SEED] < _NOT_BEGUN
        ):
            raise SolverError("invalid state: the depth or the opening is out of range")
        put = state["laid"][:depth] >> 2
        if len(np.unique(put)) != depth or not np.isin(put, self._steps.fitting >> 2).all():
            raise SolverError("invalid state: tiles that are repeated or pinned are not valid on the board")
        self._check_best(self._cells_of(state["best"]), int(numbers[BEST]))
        descent.laid[:depth], descent.used[put] = state["laid"][:depth], True
        descent.best[:], descent.numbers[:] = state["best"], numbers
        np.minimum(descent.budget, numbers[CEILING], out=descent.budget)
        lists = self._make_lists(numbers) if numbers[_SEED] != _NOT_BEGUN else None
        most = np.full((len(_STACK), 1), 4 * self._puzzle.size)
        if lists is not None:
            most[:3, 0] = len(lists.codes), len(lists.codes), 2 * self._steps.lists - 2
        if (state["stack"] < 0).any() or (state["stack"] > most).any():
            raise SolverError("invalid state: a candidate is out of range")
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
        raise SolverError("quota: expected the parts of the board in ascending order")


def _favoured_sets(puzzle: Puzzle, options: BacktrackOptions) -> NDArray[np.int64]:
    """Return the sets of favoured colours, one per row, with fewer colours than requested if the puzzle has fewer."""
    border = sorted(set(puzzle.border_colours) - {GREY})
    inner = sorted(set(puzzle.inner_colours) - {GREY, *border})
    some, more = min(options.favoured_border, len(border)), min(options.favoured_inner, len(inner))
    if comb(len(border), some) * comb(len(inner), more) > _MOST_SETS:
        raise SolverError(
            f"favoured colours: there are more than {_MOST_SETS:,} sets of {some} border and {more} inner colours"
        )
    sets = [one + other for one in combinations(border, some) for other in combinations(inner, more)]
    tiles = [np.isin(puzzle.tiles, colours).any(axis=1).sum() for colours in sets]
    chosen = np.argsort(tiles, kind="stable")[: options.favoured_sets]
    return np.array(sets, dtype=np.int64).reshape(len(sets), some + more)[chosen]
