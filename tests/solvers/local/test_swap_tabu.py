"""The tabu search by swaps: exact, the same however it is cut up, and able to solve small puzzles."""

import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from operators import random_boards
from puzzles import Board, Hint, Puzzle, generate
from solvers import Progress, SolverError, SwapTabu

Start = Callable[[np.random.Generator], np.ndarray]


def random_start(puzzle: Puzzle, pins: tuple[Hint, ...] = ()) -> Start:
    return lambda rng: random_boards(rng, puzzle, 1, pins)[0]


def search(puzzle: Puzzle, seed: int, evaluations: int, pins: tuple[Hint, ...] = (), **settings: Any) -> SwapTabu:
    start = random_start(puzzle, pins)
    return SwapTabu(puzzle, np.random.default_rng(seed), evaluations, start=start, pins=pins, **settings)


def same(some: list[Progress], others: list[Progress]) -> bool:
    return len(some) == len(others) and all(
        one._replace(best_cells=None) == other._replace(best_cells=None) and (one.best_cells == other.best_cells).all()
        for one, other in zip(some, others, strict=True)
    )


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (2, 5), (1, 6), (6, 1)])
def test_small_puzzles_are_solved_from_random_boards(shape: tuple[int, int]) -> None:
    puzzle, _ = generate(*shape, 3, 3, 1, style="benoist")
    solved = 0
    for seed in range(10):
        *_, last = search(puzzle, seed, 100_000).reports()
        board = Board(puzzle, last.best_cells)
        assert board.verify().solved == (last.best_score == puzzle.max_score)
        if board.verify().solved:
            solved += 1
            assert last.evaluations < 100_000
    assert solved >= 9


def test_reports_grow_and_tell_of_the_boards_since_the_last(eternity2: Puzzle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["solvers.chunked_search"], "GROWTH", 10**9)  # a report of each board
    singly = list(search(eternity2, 1, 3000).reports())
    scores = np.array([report.mean for report in singly])
    assert [report.evaluations for report in singly] == [*range(1, 3001)]
    assert [report.worst for report in singly] == scores.tolist()
    assert [report.best_score for report in singly] == np.maximum.accumulate(scores).tolist()
    assert (np.diff(scores) < 0).any()  # also moves that worsen are made
    monkeypatch.undo()
    reports = list(search(eternity2, 1, 3000).reports())
    done = [report.evaluations for report in reports]
    assert done[:12] == [*range(1, 13)]
    assert done[-1] == 3000
    assert all(after - before <= max(1, before / 10) for before, after in pairwise(done))
    for report, before in zip(reports, [0, *done], strict=False):
        part = scores[before : report.evaluations]
        assert (report.mean, report.worst) == (part.mean(), part.min())
        assert report.best_score == scores[: report.evaluations].max()
        assert (report.best_cells == singly[report.evaluations - 1].best_cells).all()


@pytest.mark.parametrize("framed", [False, True])
def test_scores_stay_exact_and_frame_and_pins_stay_in_place(framed: bool) -> None:
    puzzle, solution = generate(10, 12, 4, 9, 1, hints=4)
    pins = puzzle.hints
    start = shuffled_inside(solution, pins) if framed else random_start(puzzle, pins)
    tabu = SwapTabu(puzzle, np.random.default_rng(2), 20_000, start=start, pins=pins)
    for report in tabu.reports():
        state = tabu.state()
        board = Board(puzzle, state["cells"].reshape(puzzle.shape))
        assert board.score == state["numbers"][2]
        assert Board(puzzle, report.best_cells).score == report.best_score
        for shown in (board.cells, report.best_cells):
            assert (np.sort(shown.ravel() // 4) == np.arange(puzzle.size)).all()
            assert all(shown[hint.row, hint.col] == hint.tile * 4 + hint.rotation for hint in pins)
            assert not framed or Board(puzzle, shown).verify().frame
    assert report.best_score > 0.7 * puzzle.max_score


def shuffled_inside(solution: Board, pins: tuple[Hint, ...]) -> Start:
    """Boards with the frame of a solution, whose inner tiles lie anywhere."""

    def start(rng: np.random.Generator) -> np.ndarray:
        inner = np.zeros(solution.cells.shape, dtype=bool)
        inner[1:-1, 1:-1] = True
        for hint in pins:
            inner[hint.row, hint.col] = False
        cells = np.array(solution.cells)
        cells[inner] = rng.permutation(cells[inner]) ^ rng.integers(0, 4, inner.sum(), dtype=np.uint16)
        return cells

    return start


def test_a_tile_does_not_come_back_while_it_is_tabu_unless_the_board_is_the_best(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.modules["solvers.chunked_search"], "GROWTH", 10**9)  # a report of each board
    puzzle, _ = generate(4, 4, 3, 4, 1)
    assert early_returns(search(puzzle, 3, 3000, tenure=(6, 9)), 6) == 0
    assert early_returns(search(puzzle, 3, 3000, tenure=(0, 0)), 6) > 100
    tabu, lengths = search(puzzle, 3, 300, tenure=(6, 9)), set()
    before = tabu.state()["until"]
    for report in tabu.reports():
        until = tabu.state()["until"]
        lengths |= set((until[until != before] - (report.evaluations - 1)).tolist())  # from when the move was made
        before = until
    assert lengths == {6, 7, 8, 9}


def early_returns(tabu: SwapTabu, tenure: int) -> int:
    """How often a tile was put, within so many iterations, where it had been, and the board was not the best so far."""
    left: dict[tuple[int, int], int] = {}
    loop, returns = tabu.reports(), 0
    best, before = next(loop).best_score, tabu.state()["cells"]
    for report in loop:
        cells, now = tabu.state()["cells"], report.evaluations
        changed = np.flatnonzero(cells != before).tolist()
        if report.best_score == best:
            returns += sum(now - left.get((cells[cell] // 4, cell), -tenure) <= tenure for cell in changed)
        left |= {(before[cell] // 4, cell): now for cell in changed}
        best, before = report.best_score, cells
    return returns


def test_search_is_the_same_however_it_is_cut_up(eternity2: Puzzle, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = list(search(eternity2, 3, 5000).reports())[-1]
    monkeypatch.setattr(sys.modules["solvers.local.swap_tabu"], "CHUNK", 70)
    pieces = list(search(eternity2, 3, 5000).reports())
    assert len(pieces) > 60
    assert pieces[-1].best_score == whole.best_score
    assert (pieces[-1].best_cells == whole.best_cells).all()


@pytest.mark.parametrize("after", [1, 2, 40])
def test_a_search_goes_on_from_where_another_stood(after: int, eternity2: Puzzle) -> None:
    whole = list(search(eternity2, 5, 5000).reports())
    first, second = search(eternity2, 5, 5000), search(eternity2, 6, 5000)
    loop = first.reports()
    before = [next(loop) for _ in range(after)]
    state = first.state()
    second.restore({name: state[name] for name in sorted(state)})  # in whatever order a file has them
    second.rng.bit_generator.state = first.rng.bit_generator.state
    assert same(before + list(second.reports()), whole)
    fresh, third = search(eternity2, 5, 5000), search(eternity2, 6, 5000)
    third.restore(fresh.state())  # from before the first report
    third.rng.bit_generator.state = fresh.rng.bit_generator.state
    assert same(list(third.reports()), whole)


@pytest.mark.parametrize("framed", [False, True])
def test_whether_a_board_is_kept_framed_is_decided_by_the_initial_one_alone(framed: bool) -> None:
    puzzle, solution = generate(5, 5, 3, 4, 1)
    tabu = search(puzzle, 1, 500)
    next(tabu.reports())
    cells = shuffled_inside(solution, ())(np.random.default_rng(1)).ravel()  # as if it had become framed by chance
    score = Board(puzzle, cells.reshape(5, 5)).score
    numbers = np.array([1, score, score, framed])
    tabu.restore(tabu.state() | {"cells": cells, "best_cells": cells, "numbers": numbers})
    frames = {Board(puzzle, tabu.state()["cells"].reshape(5, 5)).verify().frame for _ in tabu.reports()}
    assert frames == ({True} if framed else {True, False})


def test_a_state_that_cannot_be_is_refused() -> None:
    puzzle, _ = generate(6, 6, 3, 6, 1, hints=2)
    tabu = search(puzzle, 1, 1000, puzzle.hints)
    loop = tabu.reports()
    for _ in range(20):
        next(loop)
    good = tabu.state()
    twice = good["cells"].copy()
    free = np.flatnonzero(~np.isin(good["cells"] // 4, [hint.tile for hint in puzzle.hints]))
    twice[free[0]] = twice[free[1]]
    moved = np.roll(good["cells"], 1)
    for name, value, message in (
        ("cells", good["cells"][:-1], "cells is uint16 of shape .35,.; expected uint16 of shape .36,."),
        ("until", good["until"].astype(float), "until is float64"),
        ("cells", twice, "the current board does not contain every tile exactly once"),
        ("cells", good["cells"] + 4 * 36, "the current board does not contain every tile exactly once"),
        ("cells", moved, "pinned tiles in their cells"),
        ("best_cells", twice, "the best board does not contain every tile exactly once"),
        ("numbers", good["numbers"] + [0, 1, 0, 0], "the best board has score"),
        ("numbers", good["numbers"] + [0, 0, 1, 0], "the current board has score"),
        ("numbers", good["numbers"] + [0, 0, 0, 1], "grey side inside"),
        ("numbers", good["numbers"] * [-1, 1, 1, 1], "out of range"),
        ("until", good["until"] + 1000, "out of range"),
    ):
        with pytest.raises(SolverError, match=message):
            tabu.restore(good | {name: value})
        assert (tabu.state()["cells"] == good["cells"]).all()
    with pytest.raises(SolverError, match="arrays numbers; expected numbers, cells"):
        tabu.restore({"numbers": good["numbers"]})
    tabu.restore(good)


def test_settings_and_initial_boards_that_make_no_sense_are_refused() -> None:
    puzzle, solution = generate(3, 3, 3, 3, 1, hints=1)
    rng = np.random.default_rng(1)
    for tenure in ((-1, 3), (4, 3)):
        with pytest.raises(SolverError, match="expected 0 <= least <= greatest"):
            search(puzzle, 1, 10, tenure=tenure)
    for cells, message in (
        (solution.cells[:2], "6 cells of uint16; expected 9"),
        (solution.cells.astype(int), "9 cells of int64; expected 9 of uint16"),
        (np.full((3, 3), 65535, dtype=np.uint16), "does not contain every tile exactly once"),
        (np.array(solution.cells) ^ 1, "pinned tiles in their cells"),
    ):
        with pytest.raises(SolverError, match=message):
            next(SwapTabu(puzzle, rng, 10, start=lambda _, cells=cells: cells, pins=puzzle.hints).reports())


def test_it_ends_at_once_when_nothing_is_left_to_mend() -> None:
    puzzle, solution = generate(3, 3, 3, 3, 1)
    cells = np.array(solution.cells)
    rng = np.random.default_rng(1)
    (report,) = SwapTabu(puzzle, rng, 1000, start=lambda _: cells).reports()
    assert (report.evaluations, report.best_score) == (1, puzzle.max_score)
    cells[1, 1] ^= 1
    held = [Hint(int(cell) // 4, row, col, int(cell) % 4) for (row, col), cell in np.ndenumerate(cells)]
    (report,) = SwapTabu(puzzle, rng, 1000, start=lambda _: cells, pins=held).reports()  # every tile is pinned
    assert report.best_score < puzzle.max_score
    assert not list(SwapTabu(puzzle, rng, 0, start=lambda _: cells).reports())
