"""Whose score a run reports: that of the best board so far, or of the best one in the current population."""

import itertools
from typing import Any

import numpy as np
import pytest

from evo.engine.deap_engine import DeapEngine
from evo.engine.evolution_search import EvolutionSearch, evolve
from evo.engine.native_engine import NativeEngine
from evo.engine.problem import make_problem
from evo.engine.toolbox import make_toolbox
from evo.experiments.single_run import run
from evo.settings.evolution import EvolutionSettings
from evo.settings.registry import make_settings
from puzzles import Board, Puzzle, generate
from tests import oracle

LOSING: dict[str, dict[str, Any]] = {  # without an elite, the best individual is soon lost
    "GA": {"algorithm": "GA", "population": 20, "crossover": 10, "mutation": 10, "elite": 0, "tournament": 1},
    "MOEA": {"algorithm": "MOEA", "population": 20, "crossover": 10, "mutation": 10, "elite": 0, "tournament": 1},
    "AIEA": {"algorithm": "AIEA", "population": 20, "tournament": 1},
}


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    return generate(5, 6, 3, 5, 1)[0]


def settings_of(name: str, **values: Any) -> EvolutionSettings:
    made = make_settings(LOSING[name] | {"reported": "final", "evaluations": 300} | values)
    assert isinstance(made, EvolutionSettings)
    return made


@pytest.mark.parametrize(("name", "edges"), list(itertools.product(LOSING, ("all", "paper"))))
def test_both_engines_report_the_best_of_the_current_population(puzzle: Puzzle, name: str, edges: str) -> None:
    settings = settings_of(name, edges=edges)
    native = NativeEngine(make_problem(puzzle, settings), np.random.default_rng(7))
    deap = DeapEngine(make_toolbox(puzzle, settings, np.random.default_rng(7)))
    fell, before = 0, -1
    for one, other in zip(evolve(native, settings), evolve(deap, settings), strict=True):
        assert one._replace(best_cells=other.best_cells) == other
        assert (one.best_cells == other.best_cells).all()
        fell, before = fell + (one.best_score < before), one.best_score
        if one.evaluations >= 20:  # the initial population is reported as it grows
            boards = [Board(puzzle, cells[:-1].reshape(puzzle.shape)) for cells in native.population.cells]
            scores = [oracle.counted_score(board, edges) for board in boards]
            assert one.best_score == max(scores)
            assert one.board == boards[scores.index(max(scores))]  # the first that has it
    assert fell > 2
    assert native.rng.bit_generator.state == deap.rng.bit_generator.state


@pytest.mark.parametrize("name", LOSING)
def test_what_is_reported_changes_nothing_of_what_is_bred(puzzle: Puzzle, name: str) -> None:
    ends = {}
    for reported in ("best", "final"):
        settings = settings_of(name, reported=reported)
        engine = NativeEngine(make_problem(puzzle, settings), np.random.default_rng(3))
        reports = list(evolve(engine, settings))
        ends[reported] = engine.population.cells.copy(), reports
    assert (ends["best"][0] == ends["final"][0]).all()
    best, final = (ends[reported][1] for reported in ("best", "final"))
    running = itertools.accumulate((report.best_score for report in best), max)
    assert [report.best_score for report in best] == list(running)  # it never falls
    assert all(one.best_score >= other.best_score for one, other in zip(best, final, strict=True))
    assert best[-1].best_score > final[-1].best_score


def test_with_an_elite_both_are_the_same(puzzle: Puzzle) -> None:
    values = {"algorithm": "GA", "population": 20, "crossover": 10, "mutation": 9, "elite": 1, "evaluations": 400}
    one, other = (
        [(report.best_score, report.best_cells.tobytes()) for report in run(puzzle, make_settings(values | more))]
        for more in ({}, {"reported": "final"})
    )
    assert [score for score, _ in one] == [score for score, _ in other]
    assert one[-1][1] == other[-1][1]


@pytest.mark.parametrize("name", LOSING)
def test_a_run_that_is_put_down_and_taken_up_again_reports_the_same(puzzle: Puzzle, name: str) -> None:
    problem = make_problem(puzzle, settings_of(name))
    *_, expected = EvolutionSearch(problem, np.random.default_rng(1)).reports()
    first = EvolutionSearch(problem, np.random.default_rng(1))
    halfway = next(report for report in first.reports() if report.evaluations > 100)
    second = EvolutionSearch(problem, np.random.default_rng(99))
    second.restore(first.state())
    second.rng.bit_generator.state = first.rng.bit_generator.state
    repeated, *_, last = second.reports()
    assert (repeated.best_score, repeated.best_cells.tolist()) == (halfway.best_score, halfway.best_cells.tolist())
    assert last._replace(best_cells=expected.best_cells) == expected
    assert (last.best_cells == expected.best_cells).all()


def test_a_result_has_the_board_that_was_reported_last(puzzle: Puzzle) -> None:
    settings = settings_of("GA", evaluations=2000, edges="paper")
    *_, last = run(puzzle, settings)
    result = run(puzzle, settings).result()
    assert result.board == last.board
    assert result.counted_score == last.best_score == result.trace["best"].iloc[-1] < result.trace["best"].max()
    assert result.score == oracle.counted_score(last.board, "all")
