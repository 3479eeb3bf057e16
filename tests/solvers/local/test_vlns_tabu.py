"""Tabu search in the very large neighbourhood: Algorithm 1, line by line; exact, and the same however it is cut up."""

import sys
from typing import Any

import numpy as np
import pytest

from operators import random_boards
from puzzles import Board, Hint, Puzzle, generate
from solvers import Progress, SolverError, VlnsOptions, VlnsTabu

CALM = {"plateau": 0, "patience": 0}


def search(puzzle: Puzzle, seed: int, evaluations: int, pins: tuple[Hint, ...] = (), **options: Any) -> VlnsTabu:
    def start(rng: np.random.Generator) -> np.ndarray:
        return random_boards(rng, puzzle, 1, pins)[0]

    rng = np.random.default_rng(seed)
    return VlnsTabu(puzzle, rng, evaluations, start=start, options=VlnsOptions(**options), pins=pins)


@pytest.fixture
def singly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report of each board."""
    monkeypatch.setattr(sys.modules["solvers.chunked_search"], "GROWTH", 10**9)


def followed(tabu: VlnsTabu) -> tuple[list[int], np.ndarray]:
    """The score and the cells of each board that a search moves to."""
    scores, cells = [], []
    for report in tabu.reports():
        scores.append(int(tabu.state()["numbers"][2]))
        cells.append(tabu.state()["cells"])
        assert report.best_score == max(scores)
    return scores, np.array(cells)


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (2, 5), (1, 6), (6, 1)])
def test_small_puzzles_are_solved_from_random_boards(shape: tuple[int, int]) -> None:
    puzzle, _ = generate(*shape, 3, 3, 1, style="benoist")
    solved = 0
    for seed in range(10):
        *_, last = search(puzzle, seed, 50_000, size=3, plateau=20, shake=2).reports()
        assert Board(puzzle, last.best_cells).score == last.best_score
        if last.best_score == puzzle.max_score:
            solved += 1
            assert last.evaluations < 50_000
    assert solved >= 9


@pytest.mark.usefixtures("singly")
def test_scores_are_exact_tiles_whole_and_pins_in_place() -> None:
    puzzle, _ = generate(7, 8, 4, 6, 1, hints=4)
    scores, cells = followed(search(puzzle, 2, 1500, puzzle.hints, size=6, plateau=30, shake=5, patience=3))
    assert len(scores) == 1500
    for score, board in zip(scores, cells.reshape(-1, 7, 8), strict=True):
        assert Board(puzzle, board).score == score
        assert (np.sort(board.ravel() // 4) == np.arange(56)).all()
        assert all(board[hint.row, hint.col] == hint.tile * 4 + hint.rotation for hint in puzzle.hints)


def test_a_framed_board_stays_framed(eternity2: Puzzle, record: Board) -> None:
    start = np.array(record.cells)
    options = VlnsOptions(plateau=50, shake=20, patience=0)
    tabu = VlnsTabu(eternity2, np.random.default_rng(1), 3000, start=lambda _: start, options=options)
    for report in tabu.reports():
        shown = tabu.state()["cells"].reshape(16, 16)
        assert Board(eternity2, shown).verify().frame
        assert report.best_score >= 470
    assert (shown != start).mean() > 0.1


@pytest.mark.usefixtures("singly")
def test_without_diversification_the_score_never_falls() -> None:
    puzzle, _ = generate(6, 6, 3, 5, 1)
    scores, _ = followed(search(puzzle, 1, 800, **CALM))
    assert (np.diff(scores) >= 0).all()
    assert scores[-1] > scores[0] + 10


@pytest.mark.usefixtures("singly")
def test_cells_in_the_first_list_are_not_chosen() -> None:
    puzzle, _ = generate(6, 6, 3, 5, 1)
    for tenure, expected in (((3, 3), True), ((0, 0), False)):
        _, cells = followed(search(puzzle, 1, 400, size=4, cell_tenure=tenure, move_tenure=(0, 0), **CALM))
        changed = cells[1:] != cells[:-1]
        again = [(changed[k] & changed[k + lag]).any() for k in range(300) for lag in (1, 2, 3)]
        assert (not any(again)) == expected
        if expected:
            assert any((changed[k] & changed[k + 4]).any() for k in range(300))


@pytest.mark.usefixtures("singly")
def test_moves_in_the_second_list_are_not_undone_unless_it_pays() -> None:
    puzzle, _ = generate(6, 6, 9, 9, 1)
    for tenure, expected in (((5, 5), True), ((0, 0), False)):
        how = {"size": 8, "violated": 0.0, "cell_tenure": (0, 0), "move_tenure": tenure, "penalty": 11}
        scores, cells = followed(search(puzzle, 1, 1500, **how, **CALM))
        undone = 0
        last: dict[tuple[int, int], int] = {}
        for now in range(1, len(cells)):
            places, before = np.argsort(cells[now] // 4), np.argsort(cells[now - 1] // 4)
            moved = [(int(before[tile]), int(places[tile])) for tile in np.flatnonzero(places != before)]
            undone += sum(now - last.get((there, here), -99) <= 5 for here, there in moved)
            last |= dict.fromkeys(moved, now)
        assert scores[-1] > scores[0]
        assert (undone == 0) == expected


@pytest.mark.usefixtures("singly")
def test_a_plateau_is_followed_by_random_swaps_and_many_by_the_best() -> None:
    puzzle, _ = generate(8, 8, 5, 9, 1)
    tabu = search(puzzle, 1, 4000, size=4, plateau=20, shake=12, patience=3)
    scores, risen = [], []
    bests, restored = [], 0
    for report in tabu.reports():
        score = int(tabu.state()["numbers"][2])  # after what was restored
        scores.append(score)
        bests.append(report.best_score)
        risen.append(report.worst > scores[-2] if len(scores) > 1 else True)
        restored += score > report.worst
    falls = [k for k in range(1, 4000) if scores[k] < scores[k - 1]]
    assert len(falls) > 20
    for k in falls:  # only after twenty boards that were not better than the one before
        assert not any(risen[k - 20 : k])
    assert restored > 3
    assert int(tabu.state()["numbers"][6]) >= restored
    assert all(best == max(scores[: k + 1]) for k, best in enumerate(bests))


def test_the_search_ends_after_so_many_intensifications() -> None:
    puzzle, _ = generate(8, 8, 5, 9, 1)
    *_, last = search(puzzle, 1, 10**9, size=4, plateau=20, shake=5, patience=2, intensifications=3).reports()
    assert 3 * 2 * 20 <= last.evaluations < 100_000


def same(some: list[Progress], others: list[Progress]) -> bool:
    return [one._replace(best_cells=one.best_cells.tobytes()) for one in some] == [
        one._replace(best_cells=one.best_cells.tobytes()) for one in others
    ]


@pytest.mark.parametrize("tenures", [{}, {"cell_tenure": (0, 0), "move_tenure": (0, 0)}])
@pytest.mark.parametrize("after", [1, 2, 40])
def test_a_search_goes_on_from_where_another_stood(after: int, tenures: dict[str, Any], eternity2: Puzzle) -> None:
    how = {"plateau": 50, "shake": 8, "patience": 2, **tenures}
    whole = list(search(eternity2, 5, 4000, **how).reports())
    first, second = search(eternity2, 5, 4000, **how), search(eternity2, 6, 4000, **how)
    loop = first.reports()
    before = [next(loop) for _ in range(after)]
    second.restore(first.state())
    second.rng.bit_generator.state = first.rng.bit_generator.state
    assert same(before + list(second.reports()), whole)


def test_numbers_that_make_no_sense_are_refused() -> None:
    puzzle, _ = generate(4, 4, 3, 5, 1)
    for wrong in (
        {"size": 0},
        {"violated": 1.5},
        {"penalty": 12},
        {"shake": 0},
        {"plateau": -1},
        {"cell_tenure": (3, 2)},
        {"move_tenure": (-1, 2)},
    ):
        with pytest.raises(SolverError, match="expected"):
            search(puzzle, 1, 100, **wrong)
    tabu = search(puzzle, 1, 100)
    for report in tabu.reports():
        assert report.evaluations <= 100
    state = tabu.state()
    for name in ("cells_until", "moves_until"):
        with pytest.raises(SolverError, match="out of range"):
            tabu.restore(state | {name: state[name] + 1000})
