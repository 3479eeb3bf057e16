"""Strips: equal to brute force on small boards; proofs, limits, kinds of tiles, pins and repeatability on real ones."""

import numpy as np
import pytest

from puzzles import EMPTY, Puzzle, generate
from solvers import SolverError
from solvers.regions.ground import Rectangle, bands, make_ground
from solvers.regions.strip import strip_of
from solvers.regions.strip_solver import StripOptions, StripSolver
from tests.solvers.regions.regions_oracle import cost, full_board, least_mismatches, random_puzzle, unused


@pytest.mark.parametrize("seed", range(6))
def test_a_strip_has_as_few_mismatches_as_brute_force_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(20):
        puzzle = random_puzzle(rng)
        ground = make_ground(puzzle, puzzle.hints)
        rows, cols = puzzle.shape
        shapes = [
            (1, int(rng.integers(1, cols + 1))),
            (int(rng.integers(1, rows + 1)), 1),
            (2, int(rng.integers(1, 3))),
        ]
        height, width = shapes[rng.integers(3)]
        place = int(rng.integers(rows - height + 1)), int(rng.integers(cols - width + 1))
        strip = strip_of(rows, cols, Rectangle(*place, height, width))
        board = full_board(rng, puzzle, ground)
        board[(rng.random(puzzle.size) < 0.5) & (ground.pins == EMPTY)] = EMPTY
        board[strip.cells] = EMPTY
        solver = StripSolver(ground, 8, strip.ladder, StripOptions(quick=int(rng.integers(1, 40))))
        outcome = solver.solve(rng, board, strip)
        cells = strip.cells.tolist()
        assert outcome.proved
        assert outcome.mismatches == least_mismatches(puzzle, ground, board, cells, unused(board, puzzle))
        board[strip.cells] = outcome.cells
        assert cost(puzzle, ground, board, cells) == outcome.mismatches
        assert len(np.unique(board[board != EMPTY] >> 2)) == (board != EMPTY).sum()


@pytest.mark.parametrize("height", [1, 2])
def test_mismatches_are_exact_where_searches_meet_their_limits(height: int) -> None:
    unproved = 0
    for seed in range(12):
        puzzle, _ = generate(6, 6, 3, 4, seed)
        ground, rng = make_ground(puzzle), np.random.default_rng(seed)
        board, strip = full_board(rng, puzzle, ground), strip_of(6, 6, Rectangle(2, 0, height, 6))
        board[strip.cells] = EMPTY
        for limit in (1, 15, 40):
            solver = StripSolver(ground, 12, strip.ladder, StripOptions(quick=limit, limit=limit))
            outcome = solver.solve(rng, board, strip)
            filled = board.copy()
            filled[strip.cells] = outcome.cells
            assert cost(puzzle, ground, filled, strip.cells.tolist()) == outcome.mismatches >= outcome.bound
            unproved += not outcome.proved
    assert unproved


def greedy(puzzle: Puzzle, seed: int, height: int, options: StripOptions) -> tuple[np.ndarray, list[tuple[int, bool]]]:
    rng, ground = np.random.default_rng(seed), make_ground(puzzle)
    solver = StripSolver(ground, height * puzzle.cols, height == 2, options)
    board, found = np.full(puzzle.size, EMPTY, dtype=np.uint16), []
    for band in bands(*puzzle.shape, height, puzzle.cols):
        strip = strip_of(*puzzle.shape, band)
        outcome = solver.solve(rng, board, strip)
        board[strip.cells] = outcome.cells
        found.append((outcome.mismatches, outcome.proved))
    return board, found


@pytest.mark.parametrize("height", [1, 2])
def test_prices_change_the_work_and_not_the_optimum(eternity2: Puzzle, height: int) -> None:
    rng, ground = np.random.default_rng(1), make_ground(eternity2)
    board, _ = greedy(eternity2, 1, height, StripOptions(limit=200_000))
    top = 16 - 4 * height
    board[16 * top :] = EMPTY
    strip = strip_of(16, 16, Rectangle(top, 0, height, 16))
    kinds = StripOptions(quick=1), StripOptions(quick=10**8), StripOptions(quick=1, steps=3, limit=10**8)
    outcomes = [StripSolver(ground, 16 * height, height == 2, how).solve(rng, board, strip) for how in kinds]
    assert all(outcome.proved for outcome in outcomes)
    assert len({outcome.mismatches for outcome in outcomes}) == 1
    assert len({outcome.nodes for outcome in outcomes}) > 1


def test_a_strip_that_meets_its_limit_says_so(eternity2: Puzzle) -> None:
    hasty = greedy(eternity2, 1, 2, StripOptions(quick=60, limit=60, steps=5))
    patient = greedy(eternity2, 1, 2, StripOptions(limit=300_000))
    assert not all(proved for _, proved in hasty[1])
    assert all(proved for _, proved in patient[1][:6])
    assert sum(missed for missed, _ in hasty[1]) > sum(missed for missed, _ in patient[1])


def test_equal_generators_give_equal_strips_and_others_other_ones(eternity2: Puzzle) -> None:
    boards = [greedy(eternity2, seed, 1, StripOptions())[0] for seed in (1, 1, 2)]
    assert (boards[0] == boards[1]).all()
    assert (boards[0] != boards[2]).any()


def test_several_strips_are_all_optimal(eternity2: Puzzle) -> None:
    ground, fillings = make_ground(eternity2), np.zeros((5, 16), dtype=np.uint16)
    solver, strip = StripSolver(ground, 16, False), strip_of(16, 16, Rectangle(0, 0, 1, 16))
    board = np.full(256, EMPTY, dtype=np.uint16)
    assert solver.solve_several(np.random.default_rng(1), board, strip, fillings)[:3] == (5, 0, 0)
    assert len({filling.tobytes() for filling in fillings}) == 5
    for filling in fillings:
        board[:16] = filling
        assert cost(eternity2, ground, board, list(range(16))) == 0


def test_strips_that_cannot_be_filled_are_refused() -> None:
    puzzle, solution = generate(4, 5, 3, 4, 1)
    ground = make_ground(puzzle)
    with pytest.raises(SolverError, match="one or two rows or columns; found a region of 3x4"):
        strip_of(4, 5, Rectangle(0, 0, 3, 4))
    with pytest.raises(SolverError, match="64 colours; this puzzle has 80"):
        StripSolver(make_ground(Puzzle(4, 5, np.arange(80).reshape(20, 4), strict=False)), 4, False)
    board = solution.cells.ravel().copy()
    board[:5] = EMPTY
    board[5] = board[19]  # a corner tile is lost, so only a part of the row can be filled
    board[0] = solution.cells[0, 0]
    board[1] = solution.cells[0, 4]
    with pytest.raises(SolverError, match="more cells than unused tiles"):
        StripSolver(ground, 5, False).solve(np.random.default_rng(1), board, strip_of(4, 5, Rectangle(0, 2, 1, 3)))
