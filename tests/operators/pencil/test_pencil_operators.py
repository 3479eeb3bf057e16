"""Operators on Sudoku and Battleship candidates: what they keep, and the score against the slow one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators import OperatorError
from operators.pencil.grid import cross, fill, is_whole, make_grid, max_score, mutate, score
from operators.pencil.grid_walks import anneal
from puzzles.compiled import jit
from puzzles.pencil import Battleship, PencilTask, Sudoku
from solvers.pencil import generate

TASKS = [
    PencilTask(generate("sudoku", 1, side=4)),
    PencilTask(generate("sudoku", 2, side=6, box=(2, 3))),
    PencilTask(generate("sudoku", 3, clues=30)),
    PencilTask(Sudoku(((0,) * 10,) * 10, (5, 2))),
    PencilTask(generate("battleship", 1, side=6)),
    PencilTask(generate("battleship", 2, side=8, hints=6)),
    PencilTask(Battleship((3, -1, 2, -1, 1), (-1, 2, 2, 1), ((1, 2), (2, 2)), ((7, -1, -1, -1), *[(-1,) * 4] * 4))),
]


@jit
def vary(rng, grid, cells, times):  # type: ignore[no-untyped-def]
    mutate(rng, grid, cells, times)


@given(st.sampled_from(TASKS), st.integers(0, 2**32), st.integers(1, 6))
@settings(max_examples=120, deadline=None)
def test_candidates_stay_whole_and_scores_are_right(task: PencilTask, seed: int, times: int) -> None:
    rng, grid = np.random.default_rng(seed), make_grid(task.puzzle)
    mother, father, child = np.full((3, task.size), 9, dtype=np.uint16)
    fill(rng, grid, mother)
    fill(rng, grid, father)
    before = mother.copy()
    cross(rng, grid, mother, father, child)
    assert (mother == before).all()
    mutant = child.copy()
    vary(rng, grid, mutant, times)
    for cells in (mother, father, child, mutant):
        assert is_whole(grid, cells)
        found = task.board(cells.reshape(task.shape))
        assert score(grid, cells) == found.score <= task.max_score == max_score(grid)
        assert (found.fault is None) == (found.score == task.max_score)
        assert task.read_board(found.to_json()) == found
    if isinstance(task.puzzle, Sudoku):  # every box comes whole from one of the parents
        for box in grid.boxes:
            assert any((child[box] == parent[box]).all() for parent in (mother, father))


@given(st.sampled_from(TASKS), st.integers(0, 2**32))
@settings(max_examples=80, deadline=None)
def test_broken_candidates_are_not_whole(task: PencilTask, seed: int) -> None:
    rng, grid = np.random.default_rng(seed), make_grid(task.puzzle)
    cells = np.zeros(task.size, dtype=np.uint16)
    fill(rng, grid, cells)
    place = int(rng.integers(task.size))
    broken = cells.copy()
    broken[place] = (cells[place] + 1 + rng.integers(max(task.shape[0], 6) - 1)) % (max(task.shape[0], 6) + 1)
    assert broken[place] != cells[place]
    assert not is_whole(grid, broken)


def test_all_orders_of_a_box_are_equally_likely() -> None:
    grid = make_grid(Sudoku(((0, 0, 0, 0), (0, 4, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)), (2, 2)))
    rng, cells, found = np.random.default_rng(5), np.zeros(16, dtype=np.uint16), {}
    for _ in range(6000):
        fill(rng, grid, cells)
        box = tuple(cells[[0, 1, 4, 5]].tolist())
        found[box] = found.get(box, 0) + 1
    assert len(found) == 6
    assert all(box[3] == 4 for box in found)
    assert 850 < min(found.values()) <= max(found.values()) < 1150


def test_partial_grids_have_scores() -> None:
    task = PencilTask(Sudoku(((1, 2, 0, 0), (0,) * 4, (0,) * 4, (0, 0, 0, 3)), (2, 2)))
    cells = np.array(task.puzzle.clues, dtype=np.uint16)
    assert score(make_grid(task.puzzle), cells.ravel()) == task.board(cells).score == 6


def test_puzzles_whose_candidates_cannot_be_made_are_refused() -> None:
    with pytest.raises(OperatorError, match="the box at row 1, column 1 has the clue 1 twice"):
        make_grid(Sudoku(((1, 0, 0, 0), (0, 1, 0, 0), (0,) * 4, (0,) * 4), (2, 2)))
    crowded = Battleship((2, 2), (2, 2), ((1, 4),), ((-1, -1), (-1, -1)))
    with pytest.raises(OperatorError, match="the fleet was not placed"):
        fill(np.random.default_rng(1), make_grid(crowded), np.zeros(4, dtype=np.uint16))


def test_an_empty_fleet_and_a_full_grid_can_be_varied() -> None:
    empty = make_grid(Battleship((0, 0), (0, 0), (), ((-1, -1), (-1, -1))))
    full = make_grid(Sudoku(((1, 2, 3, 4), (3, 4, 1, 2), (2, 1, 4, 3), (4, 3, 2, 1)), (2, 2)))
    for grid in (empty, full):
        cells = np.zeros((2, grid.rows * grid.cols), dtype=np.uint16)
        fill(np.random.default_rng(1), grid, cells[0])
        cells[1] = cells[0]
        numbers = np.array([1, score(grid, cells[0]), score(grid, cells[0]), 0])
        anneal(np.random.default_rng(1), grid, cells, numbers, 10, 10**6, 1.0, -1.0, 5)
        assert numbers[0] == 11
        assert (cells[0] == cells[1]).all()
