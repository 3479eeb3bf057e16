"""The compiled Sudoku solvers against plain backtracking, and against each other."""

from itertools import islice

import numpy as np

from puzzles.pencil import Sudoku, check
from solvers.pencil import solve, solve_lines
from solvers.pencil.sudoku_search import solutions
from tests.puzzles.pencil.samples import sudoku
from tests.solvers.pencil import brute_force


def found(puzzle: Sudoku, limit: int) -> list[object]:
    return list(islice((grid for grid in solutions(puzzle) if grid is not None), limit))


def test_any_box_shape_gives_exactly_the_solutions_of_backtracking() -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        box = [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)][seed % 5]
        puzzle, _ = sudoku(rng, box, 0.5 if box != (2, 2) else 0.3)
        expected = brute_force.solutions(puzzle)
        grids = found(puzzle, len(expected) + 1)
        assert len(grids) == len(set(grids))
        assert set(grids) == expected


def test_bands_find_the_same_solutions_as_the_general_search() -> None:
    several = 0
    for seed in range(60):
        puzzle, _ = sudoku(np.random.default_rng(seed), (3, 3), 0.38)
        counts, grids = solve_lines(np.array(puzzle.clues, dtype=np.uint8).reshape(1, 81), 200)
        mine = {tuple(map(tuple, grid.reshape(9, 9).tolist())) for grid in grids[0, : counts[0]]}
        expected = found(puzzle, 200)
        assert counts[0] == len(mine) == len(expected)
        if counts[0] < 200:
            assert mine == set(expected)
        several += 1 < counts[0] < 200
        assert all(check(puzzle, grid) is None for grid in mine)
    assert several > 5


def test_contradictions_have_no_solution() -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        puzzle, solution = sudoku(rng, (3, 3), 0.4)
        clues = [list(row) for row in puzzle.clues]
        i, j = rng.integers(9, size=2)
        clues[i][j] = solution[i][j] % 9 + 1
        wrong = Sudoku(tuple(map(tuple, clues)))
        fits = len(found(wrong, 2))
        assert solve_lines(np.array(clues, dtype=np.uint8).reshape(1, 81), 2)[0][0] == fits
        assert solve(wrong).status == ("solved" if fits else "infeasible")


def test_an_empty_grid_has_many_solutions() -> None:
    counts, grids = solve_lines(np.zeros((1, 81), dtype=np.uint8), 500)
    assert counts[0] == 500
    assert len({grid.tobytes() for grid in grids[0]}) == 500
    for box in ((4, 4), (5, 5), (1, 7)):
        side = box[0] * box[1]
        puzzle = Sudoku(((0,) * side,) * side, box)
        assert solve(puzzle).unique is False
