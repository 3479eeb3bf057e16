import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles import EMPTY, Board, Puzzle, PuzzleError, generate, score_population
from tests.oracle import objectives
from tests.strategies import boards, framed_puzzles


@given(boards())
@settings(max_examples=300)
def test_objectives_equal_the_oracle(board: Board) -> None:
    assert board.objectives == objectives(board)


@given(framed_puzzles())
@settings(max_examples=60)
def test_a_solved_board_has_all_three_maxima(puzzle_and_solution: tuple[Puzzle, Board]) -> None:
    puzzle, solution = puzzle_and_solution
    assert solution.objectives == (puzzle.max_score, puzzle.max_blocks, puzzle.size) == objectives(solution)


@given(boards(), st.integers(1, 3))
@settings(max_examples=100)
def test_turning_a_board_changes_no_objective(board: Board, turns: int) -> None:
    assert board.rotated(turns).objectives == board.objectives


def test_a_population_is_scored_board_by_board(eternity2: Puzzle) -> None:
    rng = np.random.default_rng(1)
    cells = np.stack([rng.permutation(256) * 4 + rng.integers(0, 4, 256) for _ in range(50)])
    population = cells.reshape(-1, 16, 16).astype(np.uint16)
    population[7:9] = EMPTY
    expected = [objectives(Board(eternity2, board)) for board in population]
    assert score_population(eternity2.sides, population).tolist() == [list(row) for row in expected]
    assert score_population(eternity2.sides, population[:0]).shape == (0, 3)


def test_a_population_need_not_be_contiguous() -> None:
    puzzle, solution = generate(5, 7, 2, 4, 3, style="benoist")
    population = np.stack([solution.cells] * 4)[::2, :, :]
    assert score_population(puzzle.sides, population).tolist() == [[58, 24, 35]] * 2


def test_random_boards_score_as_the_colours_predict(eternity2: Puzzle) -> None:
    # The exact mean: 480 edges times the chance that two random sides of two different tiles match.
    sides = np.bincount(eternity2.tiles.ravel(), minlength=23)[1:]
    pairs = sum(int(count) ** 2 for count in sides)
    within = sum(int((tile == colour).sum()) ** 2 for tile in eternity2.tiles for colour in range(1, 23))
    expected = 480 * (pairs - within) / (1024 * 1020)
    rng = np.random.default_rng(2)
    cells = rng.permuted(np.tile(np.arange(256), (20_000, 1)), axis=1) * 4 + rng.integers(0, 4, (20_000, 256))
    scores = score_population(eternity2.sides, cells.reshape(-1, 16, 16).astype(np.uint16))[:, 0]
    assert abs(scores.mean() - expected) < 0.15  # five standard errors
    assert round(expected, 3) == 19.886


def test_what_cannot_be_scored_is_refused(eternity2: Puzzle) -> None:
    board = Board.empty(eternity2).cells
    with pytest.raises(
        PuzzleError, match=r"expected uint16 boards of shape \(count, rows, cols\); got uint16 \(16, 16\)"
    ):
        score_population(eternity2.sides, board)
