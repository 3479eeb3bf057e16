"""The Minimum Sudoku Clue Problem (chapter 8): the fewest clues that leave a filled grid as the only solution.

The bilevel program (8.1), (8.2) is solved by implicit hitting sets. An unavoidable set is a set of cells of which a
puzzle must give at least one, since otherwise they can be filled in another way. The upper level chooses a smallest set
of clues that hits all known ones; the lower level looks for a second solution, whose difference contains a new one. If
there is no second solution, the clues are optimal. Puzzles that were made unique on the way give the upper bound.
"""

from __future__ import annotations

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
from solvers.pencil.clue_walk import walk
from solvers.pencil.hitting_sets import hitting_set
from solvers.pencil.sudoku_bands import solve_lines

_PER_ROUND = 10  # new unavoidable sets after each hitting set
_ONE_SET = 60.0  # seconds for one smallest hitting set; more is not given while puzzles can still be improved
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
    """

    puzzle: Sudoku
    lower: int
    proved_here: int
    sets: int
    seconds: float

    @property
    def optimal(self) -> bool:
        """Whether no puzzle with this solution has fewer clues."""
        return self.lower == self.puzzle.given


def min_clues(
    grid: Grid, box: tuple[int, int], *, seconds: float = inf, rng: np.random.Generator | None = None
) -> MinClues:
    """Return bounds of the number of clues that a filled grid needs; equal ones, if there is time enough.

    Args:
        grid: The filled grid.
        box: The shape of a box.
        seconds: Limit of time. A grid of 9x9 is not proved in hours; ask for seconds or minutes there.
        rng: The source of randomness of the walk for the upper bound.

    Raises:
        SolverError: The grid is not filled correctly.
    """
    start = perf_counter()
    side = box[0] * box[1]
    fault = check(Sudoku(((0,) * side,) * side, box), grid)
    if fault is not None:
        raise SolverError(f"the grid is not a solution: {fault}")
    problem = _Problem(np.array(grid).ravel(), box)
    rng = rng or np.random.default_rng(1)
    sets = problem.small_sets()
    best = problem.reduced(set(range(side * side)), rng.permutation(side * side).tolist())
    lower = proved = 0
    known = _LEAST_9X9 if box == (3, 3) else 0
    while True:
        left = seconds - (perf_counter() - start)
        if left <= 0 or max(proved, known) >= len(best):
            break
        if box == (3, 3):  # the walk finds good puzzles, and the sets that matter for them
            best, found = walk(problem.cells, best, sets, rng, min(left / 2, 20.0), known)
            sets = list(dict.fromkeys([*sets, *found]))
            left = seconds - (perf_counter() - start)
        chosen, low = hitting_set(sets, side * side, max(min(left, _ONE_SET), 0.01))
        lower = proved = max(proved, min(low, len(best)))
        if not chosen:
            break
        fresh, unique = problem.more_sets(set(chosen), rng)
        if not fresh and len(chosen) == proved:
            best = set(chosen)
            break
        if len(unique) < len(best):
            best = problem.reduced(unique, rng.permutation(side * side).tolist())
        sets = list(dict.fromkeys([*sets, *fresh]))
    lower = min(max(proved, known), len(best))
    return MinClues(problem.puzzle(best), lower, min(proved, len(best)), len(sets), perf_counter() - start)


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
