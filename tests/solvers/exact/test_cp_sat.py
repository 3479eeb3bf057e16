"""CP-SAT on relaxed problems: skipped where OR-tools is not installed."""

import _thread
import builtins
import signal
import threading
from typing import Any

import numpy as np
import pytest

from operators import make_lattice
from puzzles import EMPTY, Board, Puzzle, generate
from solvers import SolverError, cp_sat, first_fail, relaxed_positions

needs_ortools = pytest.mark.usefixtures("ortools")


@pytest.fixture
def ortools() -> None:
    pytest.importorskip("ortools", reason="pip install '.[exact]'")


@needs_ortools
@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (1, 6), (2, 5), (4, 3)])
@pytest.mark.parametrize("hints", [0, 2])
def test_it_solves_small_puzzles(shape: tuple[int, int], hints: int) -> None:
    puzzle, _ = generate(*shape, 4, 5, 1, style="benoist", hints=hints)
    outcome = cp_sat(puzzle, np.random.default_rng(1), effort=20, pins=puzzle.hints)
    assert outcome.solved
    assert not outcome.exhausted
    assert outcome.placed == puzzle.size
    report = Board(puzzle, outcome.cells.reshape(shape)).verify()
    assert report.solved
    assert report.hints_honoured == hints


@needs_ortools
def test_relaxed_positions_stay_empty_and_demand_nothing() -> None:
    puzzle, _ = generate(4, 4, 3, 4, 1)
    boards = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        relaxed = relaxed_positions(puzzle, rng, 4)
        outcome = cp_sat(puzzle, rng, relaxed, effort=20)
        board = Board(puzzle, outcome.cells.reshape(4, 4))
        assert outcome.solved
        assert outcome.placed == 12 == board.placed.sum()
        assert (outcome.cells[relaxed] == EMPTY).all()
        assert board.mismatches == ()
        assert board.verify().valid
        boards.append(outcome.cells)
    holes = np.flatnonzero(boards[0] == EMPTY)
    again = [cp_sat(puzzle, np.random.default_rng(9), holes, effort=20).cells for _ in range(2)]
    assert (again[0] == again[1]).all()
    assert (again[0] != boards[0]).any()


@needs_ortools
def test_it_agrees_with_first_fail_on_what_has_no_solution() -> None:
    answers = set()
    for seed in range(8):
        puzzle = Puzzle(2, 3, np.random.default_rng(seed).integers(1, 10, (6, 4)), strict=False)
        rng = np.random.default_rng(1)
        outcome, other = cp_sat(puzzle, rng, [0], effort=20), first_fail(puzzle, rng, [0], nodes=1_000_000)
        assert (outcome.solved, outcome.exhausted) == (other.solved, other.exhausted)
        assert outcome.solved or outcome.placed == 0
        answers.add(outcome.solved)
    assert answers == {True, False}


@needs_ortools
def test_effort_limits_it_and_the_pins_are_there_even_so() -> None:
    puzzle, _ = generate(9, 9, 4, 10, 1, hints=3)
    lattice = make_lattice(puzzle, puzzle.hints)
    outcome = cp_sat(puzzle, np.random.default_rng(1), effort=0.01, pins=puzzle.hints)
    assert not outcome.solved
    assert not outcome.exhausted
    assert (outcome.cells == lattice.pins).all()
    assert outcome.placed == 3


@needs_ortools
def test_ctrl_c_stops_it() -> None:
    puzzle, _ = generate(8, 8, 4, 9, 3)
    timer = threading.Timer(2, _thread.interrupt_main)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    try:  # in the background of a script, Ctrl-C is ignored, and so would be the timer
        with pytest.raises(KeyboardInterrupt):
            cp_sat(puzzle, np.random.default_rng(1), effort=100_000)  # hours, if nothing stopped it
    finally:
        signal.signal(signal.SIGINT, before)


def test_without_ortools_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, _ = generate(2, 2, 3, 3, 1)
    real = builtins.__import__

    def missing(name: str, *others: Any) -> Any:
        if name.startswith("ortools"):
            raise ImportError(name)
        return real(name, *others)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(SolverError, match=r"needs OR-tools: pip install 'evo-edge-matching\[exact\]'"):
        cp_sat(puzzle, np.random.default_rng(1))
