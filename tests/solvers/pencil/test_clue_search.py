"""The search for 9x9 puzzles with few clues, and the sets it begins with, against trying everything."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from solvers.pencil import generate, improving_bounds, solve, solve_lines
from solvers.pencil.clue_search import ClueSearch
from solvers.pencil.unavoidable_sets import small_unavoidable_sets

PUZZLES = range(4)


def _puzzle(seed: int) -> tuple[NDArray[np.int64], list[int]]:
    """Return a filled grid, and the cells of a puzzle of it from which no clue can be removed."""
    puzzle = generate("sudoku", seed)
    return np.array(solve(puzzle).solution).ravel(), np.flatnonzero(np.array(puzzle.clues).ravel()).tolist()


def _search(grid: NDArray[np.int64], sets: list[frozenset[int]], limit: int) -> set[int] | bool:
    search = ClueSearch(grid, sets)
    search.begin(limit)
    while (found := search.go_on()) is True:
        pass
    return found


def _unique(grid: NDArray[np.int64], given: list[set[int]]) -> NDArray[np.bool_]:
    lines = [np.where(np.isin(np.arange(81), list(clues)), grid, 0) for clues in given]
    return solve_lines(np.array(lines, dtype=np.uint8))[0] == 1


@pytest.mark.parametrize("seed", PUZZLES)
@pytest.mark.parametrize("missing", [2, 3])
def test_the_search_adds_as_few_clues_as_trying_all(seed: int, missing: int) -> None:
    grid, clues = _puzzle(seed)
    forced = set(clues[missing:])
    sets = small_unavoidable_sets(grid, 12)
    for more in range(3):
        every = [forced | set(others) for others in combinations(sorted(set(range(81)) - forced), more)]
        there_is_one = bool(_unique(grid, every).any())
        for known in ([], sets):  # without any, the search has to find the sets itself
            found = _search(grid, [*map(frozenset, ([cell] for cell in forced)), *known], len(forced) + more)
            assert bool(found) == there_is_one
            if isinstance(found, set):
                assert forced <= found
                assert len(found) <= len(forced) + more
                assert _unique(grid, [found])[0]


def test_twelve_clues_are_excluded_without_the_theorem() -> None:
    for seed in PUZZLES:
        grid, _ = _puzzle(seed)
        assert _search(grid, small_unavoidable_sets(grid, 12), 12) is False


def test_small_sets_are_unavoidable_and_smallest() -> None:
    for seed in PUZZLES:
        grid, _ = _puzzle(seed)
        sets = small_unavoidable_sets(grid, 12)
        everything = set(range(81))
        assert not _unique(grid, [everything - members for members in sets]).any()
        assert _unique(grid, [everything - (members - {cell}) for members in sets for cell in members]).all()
        rectangles = set()  # two numbers in two rows, two columns and two boxes, that can be exchanged
        for (a, b), (c, d) in combinations([(i, j) for i in range(9) for j in range(9)], 2):
            corners = [9 * a + b, 9 * c + d, 9 * a + d, 9 * c + b]
            same = grid[corners[0]] == grid[corners[1]] and grid[corners[2]] == grid[corners[3]]
            if a != c and b != d and same and (a // 3 == c // 3) != (b // 3 == d // 3):
                rectangles.add(frozenset(corners))
        assert {members for members in sets if len(members) == 4} == rectangles


def test_bounds_improve_and_say_what_they_prove() -> None:
    grid, _ = _puzzle(0)
    rows = tuple(map(tuple, grid.reshape(9, 9).tolist()))
    bounds = list(improving_bounds(rows, (3, 3), seconds=2.0, theorem=False))
    for before, after in pairwise(bounds):
        assert after.puzzle.given <= before.puzzle.given
        assert after.proved_here >= before.proved_here
    assert bounds[0].proved_here == 0
    assert solve(bounds[-1].puzzle).solutions == (rows,)


@pytest.mark.parametrize("seed", range(3))
def test_as_few_clues_among_the_cells_of_three_numbers_as_trying_all(seed: int) -> None:
    grid, _ = _puzzle(seed)
    free = np.flatnonzero(np.isin(grid, np.random.default_rng(seed).choice(9, 3, replace=False) + 1)).tolist()
    forced = set(range(81)) - set(free)
    fewest = 0
    while not _unique(grid, [forced | set(few) for few in combinations(free, fewest)]).any():
        fewest += 1
    assert fewest > 1
    singles = [frozenset([cell]) for cell in forced]
    for known in ([], small_unavoidable_sets(grid, 12)):
        assert _search(grid, [*singles, *known], len(forced) + fewest - 1) is False
        found = _search(grid, [*singles, *known], len(forced) + fewest)
        assert isinstance(found, set)
        assert forced < found
        assert _unique(grid, [found])[0]
