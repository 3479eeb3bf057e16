"""Rectangles and borders rearranged: as good as brute force finds, never worse, pins and frame kept."""

import numpy as np
import pytest

from operators import knowledge_boards
from puzzles import EMPTY, Board, Puzzle, generate
from solvers import SolverError
from solvers.regions.ground import Rectangle, make_ground
from solvers.regions.rectangle import cells_of, make_region_scratch, rearrange
from solvers.regions.ring import RingSolver, ring_cells
from solvers.regions.strip_solver import StripOptions
from tests.solvers.regions.regions_oracle import cost, full_board, least_mismatches, random_puzzle


@pytest.mark.parametrize("seed", range(4))
def test_a_rectangle_is_rearranged_as_well_as_brute_force_can(seed: int) -> None:
    rng, gained = np.random.default_rng(seed), 0
    for _ in range(25):
        puzzle = random_puzzle(rng)
        ground = make_ground(puzzle, puzzle.hints)
        board = full_board(rng, puzzle, ground)
        height, width = [(2, 2), (1, 3), (2, 1), (1, 1)][rng.integers(4)]
        rows, cols = puzzle.shape
        height, width = min(height, rows), min(width, cols)
        place = int(rng.integers(rows - height + 1)), int(rng.integers(cols - width + 1))
        cells = cells_of(ground, Rectangle(*place, height, width))
        holes, own = board.copy(), (board[cells] >> 2).tolist()
        holes[cells] = EMPTY
        least = least_mismatches(puzzle, ground, holes, cells.tolist(), own)
        before, old = Board(puzzle, board.reshape(puzzle.shape)).score, board.copy()
        gain, proved, _ = rearrange(rng, ground, board, cells, 10**6, make_region_scratch(ground))
        assert proved
        assert Board(puzzle, board.reshape(puzzle.shape)).score == before + gain
        assert cost(puzzle, ground, board, cells.tolist()) == least
        assert sorted((board[cells] >> 2).tolist()) == sorted(own)
        outside = np.setdiff1d(np.arange(puzzle.size), cells)
        assert (board[outside] == old[outside]).all()
        gained += gain
    assert gained > 10


def shuffled(rng: np.random.Generator, solution: Board, cells: np.ndarray) -> np.ndarray:
    """A board whose tiles of some cells changed places with others of their kind, or were turned."""
    board = solution.cells.ravel().copy()
    ground = make_ground(solution.puzzle)
    for kind in range(3):
        same = [cell for cell in cells.tolist() if bin(ground.walls[cell]).count("1") == kind]
        tiles = rng.permutation(board[same] >> 2)
        for cell, tile in zip(same, tiles, strict=True):
            turns = [turn for turn in range(4) if ground.grey[4 * tile + turn] == ground.walls[cell]]
            board[cell] = 4 * tile + int(rng.choice(turns))
    return board


def test_scrambled_rectangles_and_borders_are_restored() -> None:
    puzzle, solution = generate(8, 8, 4, 9, 1)
    ground, scratch = make_ground(puzzle), make_region_scratch(make_ground(puzzle))
    for seed in range(6):
        rng = np.random.default_rng(seed)
        top, left = (int(place) for place in rng.integers(0, 5, 2))
        cells = cells_of(ground, Rectangle(top, left, 4, 4))
        board = shuffled(rng, solution, cells)
        gain, proved, _ = rearrange(rng, ground, board, cells, 10**6, scratch)
        assert (Board(puzzle, board.reshape(8, 8)).score, proved) == (112, True)
        assert gain > 10
        ring = ring_cells(8, 8)
        board = shuffled(rng, solution, ring)
        outcome = RingSolver(ground).improve(rng, board)
        assert (Board(puzzle, board.reshape(8, 8)).score, outcome.proved) == (112, True)


@pytest.mark.parametrize("seed", range(3))
def test_a_border_is_rearranged_as_well_as_brute_force_can(seed: int) -> None:
    rng, gained = np.random.default_rng(seed), 0
    for _ in range(6):
        puzzle, _ = generate(3, 3, 2, 3, int(rng.integers(1000)), hints=int(rng.integers(0, 3)))
        ground, ring = make_ground(puzzle, puzzle.hints), ring_cells(3, 3)
        board = full_board(rng, puzzle, ground)
        holes = board.copy()
        holes[ring] = EMPTY
        least = least_mismatches(puzzle, ground, holes, ring.tolist(), (board[ring] >> 2).tolist())
        before = Board(puzzle, board.reshape(3, 3)).score
        outcome = RingSolver(ground, StripOptions(quick=5)).improve(rng, board)
        assert outcome.proved
        assert Board(puzzle, board.reshape(3, 3)).score == before + outcome.gained
        assert cost(puzzle, ground, board, ring.tolist()) == least
        gained += outcome.gained
    assert gained > 0


def test_limits_keep_boards_whole_and_never_worse(eternity2: Puzzle) -> None:
    ground, scratch = make_ground(eternity2, eternity2.hints), make_region_scratch(make_ground(eternity2))
    for seed in range(10):
        rng = np.random.default_rng(seed)
        board = knowledge_boards(rng, eternity2, 1, pins=eternity2.hints)[0].ravel()
        framed = (ground.grey[board] == ground.walls).all()
        loose = ground if framed else ground._replace(framed=False)
        before = Board(eternity2, board.reshape(16, 16)).score
        cells = cells_of(ground, Rectangle(int(rng.integers(11)), int(rng.integers(11)), 6, 6))
        gain, _, nodes = rearrange(rng, loose, board, cells, 3000, scratch)
        assert nodes <= 3000
        assert gain >= 0
        if framed:
            gain += RingSolver(ground, StripOptions(quick=50, limit=300, steps=10)).improve(rng, board).gained
        after = Board(eternity2, board.reshape(16, 16))
        assert after.score == before + gain
        assert (np.sort(board >> 2) == np.arange(256)).all()
        assert all(board[16 * hint.row + hint.col] == 4 * hint.tile + hint.rotation for hint in eternity2.hints)


def test_bad_regions_are_refused() -> None:
    ground = make_ground(generate(4, 5, 3, 4, 1)[0])
    with pytest.raises(SolverError, match="not within the board of 4x5"):
        cells_of(ground, Rectangle(3, 0, 2, 2))
    with pytest.raises(SolverError, match="at most 256 cells"):
        cells_of(make_ground(generate(20, 20, 9, 30, 1)[0]), Rectangle(0, 0, 17, 17))
    with pytest.raises(SolverError, match="a frame for at least 3x3"):
        RingSolver(make_ground(Puzzle(3, 3, np.ones((9, 4), dtype=int), strict=False)))
