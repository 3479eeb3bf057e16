import sys

import numpy as np
import pytest

from puzzles import EMPTY, Board, Puzzle, generate, score_population
from solvers import exhaustive, random_search


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (4, 3), (4, 5)])
def test_exhaustive_search_solves_small_puzzles(shape: tuple[int, int]) -> None:
    puzzle, _ = generate(*shape, 4, 5, 1)
    *_, last = exhaustive(puzzle, np.random.default_rng(1), 10_000_000)
    assert Board(puzzle, last.best_cells).verify().solved
    assert last.best_score == puzzle.max_score


def test_exhaustive_search_ends_when_all_is_tried() -> None:
    puzzle, _ = generate(3, 3, 3, 3, 1)
    tiles = np.array(puzzle.tiles)
    inner = int(np.flatnonzero((tiles != 0).all(axis=1))[0])
    tiles[inner] = [20, 21, 22, 23]  # fits nowhere: the puzzle has no solution
    hopeless = Puzzle(3, 3, tiles, strict=False)
    reports = list(exhaustive(hopeless, np.random.default_rng(1), 10_000_000))
    assert reports[-1].evaluations < 10_000_000
    assert reports[-1].best_score < hopeless.max_score


def test_blanks_stay_blank_unless_refilled(eternity2) -> None:
    pins = [hint for hint in eternity2.hints if hint.mandatory]
    for refill in (True, False):
        *_, last = exhaustive(eternity2, np.random.default_rng(1), 2000, pins, refill=refill)
        board = Board(eternity2, last.best_cells)
        assert (last.best_cells == EMPTY).any() != refill
        assert board.score == last.best_score
        assert board.cells[8, 7] == 138 * 4 + 2
        if not refill:
            assert board.mismatches == ()  # only what fits is placed
            assert board.verify().frame


def test_search_is_the_same_however_it_is_cut_up(eternity2, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = list(exhaustive(eternity2, np.random.default_rng(3), 3000))[-1]
    monkeypatch.setattr(sys.modules["solvers.exhaustive"], "CHUNK", 70)
    pieces = list(exhaustive(eternity2, np.random.default_rng(3), 3000))
    assert len(pieces) > 30
    assert pieces[-1].best_score == whole.best_score
    assert (pieces[-1].best_cells == whole.best_cells).all()


def test_random_search_reports_the_best_of_so_many(eternity2) -> None:
    reports = list(random_search(eternity2, np.random.default_rng(1), 150_000))
    assert [report.evaluations for report in reports] == [1, 100_001, 150_000]
    assert abs(reports[1].mean - 19.886) < 0.1
    assert reports[-1].best_score >= 36
    recount = score_population(eternity2.sides, reports[-1].best_cells[np.newaxis])[0, 0]
    assert recount == reports[-1].best_score
