"""The Minimum Sudoku Clue Problem (chapter 8): the fewest clues that leave a filled grid as the only solution.

The bilevel program (8.1), (8.2) is solved by implicit hitting sets. An unavoidable set is a set of cells of which a
puzzle must give at least one, since otherwise they can be filled in another way. The upper level chooses a smallest set
of clues that hits all known ones; the lower level looks for a second solution, whose difference contains a new one. If
there is no second solution, the clues are optimal. Puzzles that were made unique on the way give the upper bound.

For 9x9, a walk over puzzles gives the upper bound, and the upper level is a compiled enumeration of hitting sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import inf
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.pencil import Sudoku, check
from puzzles.pencil.rules import Grid
from solvers.errors import SolverError
from solvers.pencil import sudoku_search
from solvers.pencil.clue_search import LARGEST, ClueSearch
from solvers.pencil.clue_walk import walk
from solvers.pencil.hitting_sets import hitting_set
from solvers.pencil.sudoku_bands import solve_lines
from solvers.pencil.unavoidable_sets import small_unavoidable_sets

_Bounds = tuple[set[int], int, int]  # the best clues, the proved lower bound, the number of known sets
_PER_ROUND = 10  # new unavoidable sets after each hitting set
_ONE_SET = 60.0  # seconds for one smallest hitting set
_WALK, _SEARCH = 5.0, 15.0  # seconds of the walk and of the search in turn
_FIRST_LIMIT = 12  # clues that the search begins with; it excludes them in a moment
_AT_ONCE = 40  # solutions of one set of free cells that are looked at
_LEAST_9X9 = 17  # McGuire, Tugemann and Civario (2014): no 9x9 Sudoku with 16 clues is unique


class MinClues(NamedTuple):
    """What is known of the smallest number of clues.

    Attributes:
        puzzle: A puzzle with a unique solution, with as few clues as were found.
        lower: A lower bound of the number of clues.
        proved_here: The part of the lower bound that this search has proved; for 9x9 the theorem that 16 clues are
            never enough may give more.
        sets: The number of unavoidable sets that were found.
        seconds: The time that was spent.
        interrupted: Whether Ctrl-C ended the search.
    """

    puzzle: Sudoku
    lower: int
    proved_here: int
    sets: int
    seconds: float
    interrupted: bool = False

    @property
    def optimal(self) -> bool:
        """Whether no puzzle with this solution has fewer clues."""
        return self.lower == self.puzzle.given


def min_clues(
    grid: Grid,
    box: tuple[int, int],
    *,
    seconds: float = inf,
    rng: np.random.Generator | None = None,
    theorem: bool = True,
) -> MinClues:
    """Return bounds of the number of clues that a filled grid needs; equal ones, unless time or Ctrl-C ends the search.

    Args:
        grid: The filled grid.
        box: The shape of a box.
        seconds: Limit of time. A proof takes minutes for 9x9.
        rng: The source of randomness of the walk for the upper bound.
        theorem: Whether the search of 9x9 relies on the theorem that 16 clues are never enough, and stops at 17.

    Raises:
        SolverError: The grid is not filled correctly.
    """
    known = []
    try:
        for bounds in improving_bounds(grid, box, seconds=seconds, rng=rng, theorem=theorem):
            known = [bounds]
    except KeyboardInterrupt:
        if not known:
            raise
        return known[0]._replace(interrupted=True)
    return known[0]


def improving_bounds(
    grid: Grid,
    box: tuple[int, int],
    *,
    seconds: float = inf,
    rng: np.random.Generator | None = None,
    theorem: bool = True,
) -> Iterator[MinClues]:
    """Yield the bounds of `min_clues` now and then while they improve; the last ones are equal, or time is up."""
    start = perf_counter()
    side = box[0] * box[1]
    fault = check(Sudoku(((0,) * side,) * side, box), grid)
    if fault is not None:
        raise SolverError(f"the grid is not a solution: {fault}")
    problem = _Problem(np.array(grid).ravel(), box)
    rng = rng or np.random.default_rng(1)
    known = _LEAST_9X9 if box == (3, 3) else 0
    best = problem.reduced(set(range(side * side)), rng.permutation(side * side).tolist())
    if box == (3, 3):
        rounds = _by_enumeration(problem, best, known if theorem else 0, start + seconds, rng)
    else:
        rounds = _by_programs(problem, best, start + seconds, rng)
    for best, proved, sets in rounds:
        lower = min(max(proved, known), len(best))
        yield MinClues(problem.puzzle(best), lower, min(proved, len(best)), sets, perf_counter() - start)


def _by_enumeration(
    problem: _Problem, best: set[int], least: int, deadline: float, rng: np.random.Generator
) -> Iterator[_Bounds]:
    """Yield bounds of a 9x9 grid: a walk looks for puzzles, and a search excludes one number of clues after another."""
    sets = small_unavoidable_sets(problem.cells, LARGEST)
    search, proved, limit = ClueSearch(problem.cells, sets), 0, max(least, _FIRST_LIMIT)
    search.begin(limit)
    yield best, proved, len(sets)
    while max(proved, least) < len(best) and (now := perf_counter()) < deadline:
        best, found = walk(problem.cells, best, sets, rng, min((deadline - now) / 2, _WALK), max(proved, least))
        sets = list(dict.fromkeys([*sets, *found]))
        turn = perf_counter() + _SEARCH
        while max(proved, least) < len(best) and perf_counter() < min(turn, deadline):
            outcome = search.go_on()
            if outcome is False:
                proved = limit = limit + 1
                search.begin(limit)
            elif outcome is not True:  # one clue fewer has been excluded before
                best, least = outcome, len(outcome)
            yield best, proved, len(sets)
        yield best, proved, len(sets)


def _by_programs(problem: _Problem, best: set[int], deadline: float, rng: np.random.Generator) -> Iterator[_Bounds]:
    """Yield bounds of a grid of any shape, by programs for the smallest set of clues that hits the known sets."""
    size = len(problem.cells)
    sets, proved = problem.small_sets(), 0
    yield best, proved, len(sets)
    while proved < len(best) and (left := deadline - perf_counter()) > 0:
        chosen, low = hitting_set(sets, size, max(min(left, _ONE_SET), 0.01))
        proved = max(proved, min(low, len(best)))
        if not chosen:
            return
        fresh, unique = problem.more_sets(set(chosen), rng)
        if not fresh and len(chosen) == proved:
            best = set(chosen)
        elif len(unique) < len(best):
            best = problem.reduced(unique, rng.permutation(size).tolist())
        sets = list(dict.fromkeys([*sets, *fresh]))
        yield best, proved, len(sets)


class _Problem:
    """A filled grid, and the questions that are asked about it."""

    def __init__(self, cells: NDArray[np.int64], box: tuple[int, int]) -> None:
        self.cells, self._box, self._side = cells, box, box[0] * box[1]

    def puzzle(self, clues: set[int]) -> Sudoku:
        """Return the puzzle with some cells of the grid given."""
        shown = [int(number) if cell in clues else 0 for cell, number in enumerate(self.cells)]
        side = self._side
        return Sudoku(tuple(tuple(shown[i * side : (i + 1) * side]) for i in range(side)), self._box)

    def differences(self, clues: set[int], limit: int) -> list[frozenset[int]]:
        """Return the cells in which other solutions of a puzzle differ from the grid, of some of them."""
        found: list[NDArray[np.int64]] = []
        if self._box == (3, 3):
            line = np.where(np.isin(np.arange(81), list(clues)), self.cells, 0).reshape(1, 81).astype(np.uint8)
            counts, grids = solve_lines(line, limit)
            found = list(grids[0, : counts[0]])
        else:
            for solution in sudoku_search.solutions(self.puzzle(clues)):
                if solution is not None:
                    found.append(np.array(solution).ravel())
                if len(found) == limit:
                    break
        different = [np.flatnonzero(other != self.cells).tolist() for other in found]
        return [frozenset(cells) for cells in different if cells]

    def shrunk(self, free: frozenset[int]) -> frozenset[int]:
        """Return an unavoidable set within another one, of which no cell can be given away."""
        everything = set(range(self._side**2))
        for cell in sorted(free):
            if cell in free:
                inside = self.differences(everything - (free - {cell}), 2)
                if inside:
                    free = inside[0]
        return free

    def small_sets(self) -> list[frozenset[int]]:
        """Return unavoidable sets among the cells of two numbers, of two rows and of two columns."""
        side = self._side
        everything = set(range(side * side))
        regions = [
            frozenset(np.flatnonzero(np.isin(self.cells, pair)).tolist())
            for pair in combinations(range(1, side + 1), 2)
        ]
        for a, b in combinations(range(side), 2):
            regions.append(frozenset([*range(a * side, (a + 1) * side), *range(b * side, (b + 1) * side)]))
            regions.append(frozenset([*range(a, side * side, side), *range(b, side * side, side)]))
        sets = [self.shrunk(free) for region in regions for free in self.differences(everything - region, _AT_ONCE)]
        return sorted(set(sets), key=lambda cells: (len(cells), sorted(cells)))

    def more_sets(self, clues: set[int], rng: np.random.Generator) -> tuple[list[frozenset[int]], set[int]]:
        """Return unavoidable sets that clues do not hit, and clues that leave one solution."""
        fresh: list[frozenset[int]] = []
        clues = set(clues)
        while True:
            other = self.differences(clues, 2)
            if not other:
                return fresh, clues
            free = self.shrunk(other[0])
            if len(fresh) < _PER_ROUND or not clues & free:
                fresh.append(free)
            cells = sorted(free)
            clues.add(cells[int(rng.integers(len(cells)))])

    def reduced(self, clues: set[int], order: list[int]) -> set[int]:
        """Return clues of which none can be left out."""
        for cell in order:
            if cell in clues and not self.differences(clues - {cell}, 2):
                clues = clues - {cell}
        return clues
