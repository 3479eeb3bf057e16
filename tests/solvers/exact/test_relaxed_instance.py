"""Relaxed positions, and how what a search has left is completed."""

from itertools import permutations, product

import numpy as np
import pytest

from puzzles import EMPTY, Board, Puzzle, generate
from solvers import SolverError, complete, relaxed_positions

SHAPES = [(2, 2), (3, 3), (4, 6), (1, 7), (7, 1), (2, 5), (16, 16)]


@pytest.mark.parametrize("shape", SHAPES)
def test_relaxed_positions_do_not_touch_and_are_not_pinned(shape: tuple[int, int]) -> None:
    puzzle, _ = generate(*shape, 3, 4, 1, style="benoist", hints=1)
    rng = np.random.default_rng(1)
    pinned = puzzle.hints[0].row * puzzle.cols + puzzle.hints[0].col
    seen: set[int] = set()
    most = max(1, puzzle.size // 5)  # so many always fit, as each bars itself and four others at most
    for count in [1, (most + 1) // 2, most] * 30:
        chosen = relaxed_positions(puzzle, rng, count, pins=puzzle.hints).tolist()
        assert len(set(chosen)) == count
        places = [divmod(cell, puzzle.cols) for cell in chosen]
        assert all(abs(a - c) + abs(b - d) > 1 for (a, b), (c, d) in permutations(places, 2))
        seen |= set(chosen)
    assert seen == set(range(puzzle.size)) - {pinned}


def test_more_positions_than_fit_are_refused() -> None:
    puzzle, _ = generate(3, 3, 3, 3, 1)
    for seed in range(20):  # five fit in one way only, the corners and the centre, which chance finds seldom
        assert sorted(relaxed_positions(puzzle, np.random.default_rng(seed), 5)) == [0, 2, 4, 6, 8]
    with pytest.raises(SolverError, match="6 positions to relax: the board has fewer free cells"):
        relaxed_positions(puzzle, np.random.default_rng(1), 6)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_completed_boards_have_every_tile_where_its_kind_belongs(shape: tuple[int, int], share: float) -> None:
    puzzle, solved = generate(*shape, 3, 4, 1, style="benoist", hints=1)
    rng = np.random.default_rng(2)
    partial = np.where(rng.random(puzzle.size) < share, solved.cells.ravel(), EMPTY)
    cells = complete(puzzle, rng, partial, pins=puzzle.hints)
    report = Board(puzzle, cells.reshape(puzzle.shape)).verify()
    assert report.valid
    assert report.placed == puzzle.size
    assert report.hints_honoured == 1
    assert (cells[partial != EMPTY] == partial[partial != EMPTY]).all()


def test_inner_tiles_are_turned_at_random_and_so_are_all_without_a_frame() -> None:
    tiles = np.arange(1, 37).repeat(4).reshape(36, 4)
    puzzle = Puzzle(6, 6, tiles, strict=False)
    empty = np.full(36, EMPTY, dtype=np.uint16)
    boards = np.array([complete(puzzle, np.random.default_rng(seed), empty) for seed in range(200)])
    assert (np.sort(boards >> 2, axis=1) == np.arange(36)).all()
    assert abs(np.bincount((boards & 3).ravel(), minlength=4) - 1800).max() < 150
    assert abs(np.bincount(boards[:, 7] >> 2, minlength=36) - 200 / 36).max() < 15


def test_holes_that_do_not_touch_are_filled_optimally() -> None:
    puzzle, solved = generate(4, 4, 3, 4, 1)
    spoilt = np.array(solved.cells)  # so that the tiles taken out do not all fit
    spoilt[1, 1], spoilt[2, 2] = spoilt[2, 2], spoilt[1, 1]
    holes = [1, 6, 9, 11]  # two on the rim, two inside
    partial = spoilt.ravel().copy()
    partial[holes] = EMPTY
    best = 0
    for order in permutations(spoilt.ravel()[holes] >> 2):
        for turns in product(range(4), repeat=4):
            board = partial.copy()
            board[holes] = np.array(order) * 4 + turns
            report = Board(puzzle, board.reshape(4, 4)).verify()
            best = max(best, report.score if report.valid else 0)
    scores = {
        Board(puzzle, complete(puzzle, np.random.default_rng(seed), partial).reshape(4, 4)).score for seed in range(10)
    }
    assert scores == {best}


def test_tiles_without_a_place_of_their_kind_go_anywhere() -> None:
    tiles = np.full((4, 4), 1)
    tiles[0, 0] = 0  # a lone border tile, on a board of four corners
    puzzle = Puzzle(2, 2, tiles, strict=False)
    cells = complete(puzzle, np.random.default_rng(1), np.full(4, EMPTY, dtype=np.uint16))
    assert sorted((cells >> 2).tolist()) == [0, 1, 2, 3]


def test_a_board_with_a_tile_twice_is_refused() -> None:
    puzzle, solved = generate(3, 3, 3, 3, 1, hints=1)
    partial = np.full(9, EMPTY, dtype=np.uint16)
    partial[[0, 1]] = 4 * puzzle.hints[0].tile
    with pytest.raises(SolverError, match="a tile is on it twice"):
        complete(puzzle, np.random.default_rng(1), partial, pins=puzzle.hints)
    everything = complete(puzzle, np.random.default_rng(1), solved.cells.ravel())
    assert (everything == solved.cells.ravel()).all()
