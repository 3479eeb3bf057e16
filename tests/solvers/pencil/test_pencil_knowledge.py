"""Forced parts, clashing clues and minimum clues against brute force."""

from itertools import combinations

import numpy as np
import pytest

from puzzles.pencil import Clue, Sudoku, Zebra, check, parse
from puzzles.pencil.battleship import UNKNOWN
from puzzles.pencil.zebra import LIFE_1962
from solvers.errors import SolverError
from solvers.pencil import ENGINES, Clash, clash, forced, generate, min_clues, solve
from solvers.pencil.clue_walk import walk
from solvers.pencil.hitting_sets import smallest_hitting_set
from tests.puzzles.pencil.samples import sudoku
from tests.solvers.pencil import brute_force
from tests.solvers.pencil.test_pencil_solving import small

FIGURE_8_1 = "876912534954387612213645789738456291561829347429731865642178953395264178187593426"


@pytest.mark.parametrize("kind", ["sudoku", "battleship", "circuit", "hashi", "zebra"])
def test_forced_parts_are_what_all_solutions_share(kind: str) -> None:
    for seed in range(5):
        puzzle = small(kind, seed)
        every = list(brute_force.solutions(puzzle))
        found = forced(puzzle, engine=ENGINES[seed % 3])
        if kind in ("circuit", "hashi"):
            assert set(found) == set.intersection(*map(set, every))
            continue
        gap = {"sudoku": 0, "battleship": UNKNOWN, "zebra": ""}[kind]
        for i, row in enumerate(found):
            for j, entry in enumerate(row):
                values = {solution[i][j] for solution in every}
                assert entry == (values.pop() if len(values) == 1 else gap)


def test_nothing_is_forced_in_a_puzzle_without_solution() -> None:
    with pytest.raises(SolverError, match="the puzzle has no solution"):
        forced(Sudoku(((1, 1, 0, 0), *[(0,) * 4] * 3), (2, 2)))


def test_a_clash_is_a_smallest_set_of_clues_without_solution() -> None:
    for seed in range(8):
        rng = np.random.default_rng(seed)
        puzzle, solution = sudoku(rng, (2, 2), 0.4)
        clues = {(i, j): n for i, row in enumerate(puzzle.clues) for j, n in enumerate(row) if n}
        cell = list(clues)[rng.integers(len(clues))]
        clues[cell] = solution[cell[0]][cell[1]] % 4 + 1

        def with_clues(chosen: list[tuple[int, int]], clues: dict[tuple[int, int], int] = clues) -> Sudoku:
            grid = [[clues[i, j] if (i, j) in chosen else 0 for j in range(4)] for i in range(4)]
            return Sudoku(tuple(map(tuple, grid)), (2, 2))

        found = clash(with_clues(list(clues)))
        sizes = [
            size
            for size in range(len(clues) + 1)
            if any(solve(with_clues(list(chosen))).status == "infeasible" for chosen in combinations(clues, size))
        ]
        assert (found is None) == (not sizes)
        if found is not None:
            assert found.smallest
            assert len(found.clues) == sizes[0]


def test_two_numbers_that_exclude_each_other_are_found_among_many() -> None:
    line = "55..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    puzzle = parse(line)[0].puzzle
    for engine in (None, "scipy"):
        found = clash(puzzle, engine=engine)
        assert found == Clash(("row 1, column 1: 5", "row 1, column 2: 5"), True)


def test_the_clash_of_a_zebra_names_its_clues() -> None:
    false = Zebra(LIFE_1962.attributes, (*LIFE_1962.clues, Clue("at", "Milk", 2)))
    found = clash(false)
    assert found is not None
    assert found.clues == ("clue 8: at: Milk, 3", "clue 15: at: Milk, 2")
    assert clash(LIFE_1962) is None


def test_hitting_sets_are_smallest() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        sets = [
            set(rng.choice(9, int(rng.integers(1, 4)), replace=False).tolist()) for _ in range(int(rng.integers(1, 9)))
        ]
        found = set(smallest_hitting_set(sets, 9))
        assert all(found & one for one in sets)
        fewer = combinations(range(9), len(found) - 1)
        assert not any(all(set(few) & one for one in sets) for few in fewer)


def test_small_grids_need_as_few_clues_as_trying_all_tells() -> None:
    for seed in range(3):
        _, grid = sudoku(np.random.default_rng(seed), (2, 2))
        found = min_clues(grid, (2, 2))
        assert found.optimal
        assert solve(found.puzzle).solutions == (grid,)
        cells = [(i, j) for i in range(4) for j in range(4)]
        for chosen in combinations(cells, found.puzzle.given - 1):
            clues = tuple(tuple(grid[i][j] if (i, j) in chosen else 0 for j in range(4)) for i in range(4))
            assert solve(Sudoku(clues, (2, 2))).unique is False


def test_bounds_of_a_large_grid_are_honest() -> None:
    cells = np.array([int(char) for char in FIGURE_8_1])
    grid = tuple(map(tuple, cells.reshape(9, 9).tolist()))
    found = min_clues(grid, (3, 3), seconds=1.5)
    assert solve(found.puzzle).solutions == (grid,)
    assert 17 <= found.lower <= found.puzzle.given
    assert found.proved_here <= 17
    fewer, sets = walk(cells, set(range(81)), [], np.random.default_rng(1), 0.5, 17)
    shown = tuple(tuple(int(cells[9 * i + j]) if 9 * i + j in fewer else 0 for j in range(9)) for i in range(9))
    assert solve(Sudoku(shown)).solutions == (grid,)
    for members in sets[:50]:  # each can be filled in another way
        free = tuple(tuple(0 if 9 * i + j in members else int(cells[9 * i + j]) for j in range(9)) for i in range(9))
        assert solve(Sudoku(free)).unique is False


def test_a_wrong_grid_is_refused() -> None:
    with pytest.raises(SolverError, match="not a solution"):
        min_clues(((1, 2, 3, 4),) * 4, (2, 2))


@pytest.mark.parametrize("kind", ["sudoku", "battleship", "circuit", "hashi", "zebra"])
def test_generated_puzzles_are_unique_by_another_engine(kind: str) -> None:
    options = {"battleship": {"side": 6}, "zebra": {"houses": 4, "attributes": 3}}.get(kind, {})
    for seed in range(3):
        puzzle = generate(kind, seed, **options)
        assert puzzle == generate(kind, seed, **options)
        answer = solve(puzzle, model="ip" if kind == "sudoku" else None, engine="scipy")
        assert answer.unique
        assert check(puzzle, answer.solution) is None
    with pytest.raises(SolverError, match="has no option 'chess'"):
        generate(kind, 1, chess=3)
