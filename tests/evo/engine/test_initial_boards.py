"""Where local searches begin, and that they run like everything else."""

import itertools

import numpy as np
import pytest

from evo.engine.initial_boards import by_constraints, start_of
from evo.errors import ConfigError
from evo.experiments.single_run import run
from evo.settings.base import make_search
from evo.settings.registry import make_settings
from puzzles import Board, Puzzle, generate

ALGORITHMS = ("VLNS", "TABU")
INITS = ("random", "knowledge", "cp")


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    return generate(6, 7, 3, 8, 1, hints=2)[0]


@pytest.mark.parametrize(("algorithm", "init", "pins"), list(itertools.product(ALGORITHMS, INITS, ("none", "all"))))
def test_every_local_search_runs_from_every_start(puzzle: Puzzle, algorithm: str, init: str, pins: str) -> None:
    values = {"algorithm": algorithm, "init": init, "pins": pins, "evaluations": 3000, "cp": {"nodes": 50}}
    reports = list(run(puzzle, make_settings(values)))
    again = list(run(puzzle, make_settings(values)))
    assert [report.best_score for report in reports] == [report.best_score for report in again]
    assert (reports[-1].best_cells == again[-1].best_cells).all()
    assert reports[0].evaluations == 1
    assert reports[-1].evaluations == 3000 or reports[-1].best_score == puzzle.max_score
    assert reports[-1].best_score > 0.7 * puzzle.max_score
    board = Board(puzzle, reports[-1].best_cells)
    assert board.score == reports[-1].best_score
    if pins == "all":
        assert all(board.cells[hint.row, hint.col] == hint.tile * 4 + hint.rotation for hint in puzzle.hints)


def test_starts_are_the_better_the_more_is_known(eternity2: Puzzle) -> None:
    scores = {}
    for init in INITS:
        settings = make_settings({"algorithm": "VLNS", "init": init, "cp": {"nodes": 300}})
        start = start_of(eternity2, settings, ())
        scores[init] = [Board(eternity2, start(np.random.default_rng(seed)).reshape(16, 16)).score for seed in range(3)]
    assert max(scores["random"]) < 60
    assert min(scores["knowledge"]) > 250
    assert min(scores["cp"]) > 200  # at least 120 tiles that all match


def test_a_relaxed_problem_that_is_solved_is_completed_optimally() -> None:
    puzzle, _ = generate(6, 6, 3, 8, 1)
    for solver in ("first_fail", "cp_sat"):
        if solver == "cp_sat":
            pytest.importorskip("ortools")
        settings = make_settings(
            {"algorithm": "VLNS", "init": "cp", "cp": {"relaxed": 4, "solver": solver, "nodes": 100_000}}
        )
        scores = []
        for seed in range(3):
            cells = by_constraints(np.random.default_rng(seed), puzzle, settings.cp)
            board = Board(puzzle, cells.reshape(6, 6))
            assert board.verify().frame
            scores.append(board.score)
        assert min(scores) >= puzzle.max_score - 4 * 4  # only edges of the relaxed positions can fail
        assert len(set(scores)) > 1 or scores[0] == puzzle.max_score


def test_settings_that_do_not_fit_are_said(puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch) -> None:
    for cp, message in (({"relaxed": 22}, "22 positions to relax"), ({"solver": "cp_sat"}, "needs OR-tools")):
        settings = make_settings({"algorithm": "VLNS", "init": "cp", "cp": cp})
        with monkeypatch.context() as patch:
            patch.setattr("evo.engine.initial_boards.find_spec", lambda _: None)
            with pytest.raises(ConfigError, match=message):
                make_search(puzzle, settings)
    for values, message in (
        ({"cell_tenure": [3, 2]}, "cell_tenure: the minimum, 3, is greater than the maximum, 2"),
        ({"move_tenure": [0, -1]}, "move_tenure.1: "),
        ({"move_tenure": 3}, "move_tenure: expected two numbers"),
        ({"move_tenure": [3]}, "move_tenure: expected two numbers"),
        ({"move_tenure": [1, 2, 3]}, "move_tenure: expected two numbers"),
        ({"intensifications": 3, "patience": 0}, "intensifications: need patience and plateau"),
        ({"cp": 7}, "cp: expected a table of settings; found 7"),
        ({"init": "clever"}, "init: "),
        ({"cp": {"relaxed": -1}}, "cp.relaxed: "),
        ({"cp": {"solver": "magic"}}, "cp.solver: "),
        ({"fitness": "normal"}, "fitness: there is no such setting"),
    ):
        with pytest.raises(ConfigError) as error:
            make_settings({"algorithm": "VLNS", **values})
        assert str(error.value).startswith(message), error.value
