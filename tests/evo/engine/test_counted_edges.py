"""Runs that do not count all edges: the same in both engines, and what they count is on their boards."""

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
from operators import Population, edge_count
from puzzles import Board, Puzzle, generate
from solvers import Progress
from tests import oracle

SHARES = {"crossover": 28, "mutation": 9, "elite": 3}
SMALL: dict[str, dict[str, Any]] = {
    "GA": {"algorithm": "GA", "population": 40, **SHARES},
    "MOEA": {"algorithm": "MOEA", "population": 40, **SHARES},
    "AIEA": {"algorithm": "AIEA", "population": 40},
}
REPAIRS: list[dict[str, Any] | None] = [
    None,
    {"size": 5, "moves": 3, "share": 0.5, "violated": 0.5},
    {"cells": "checkerboard", "moves": 1, "share": 0.3},
    {"size": 4, "moves": 2, "when": "elite", "share": 0.2},
]
CASES = [
    (name, fitness)
    for name, fitness in itertools.product(SMALL, ("normal", "combined"))
    if name != "MOEA" or fitness == "normal"
]


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    return generate(5, 6, 3, 5, 1, hints=2)[0]


def settings_of(name: str, fitness: str, **values: Any) -> EvolutionSettings:
    known = SMALL[name] | {"edges": "paper", "evaluations": 280} | values
    made = make_settings(known | ({} if name == "MOEA" else {"fitness": fitness}))
    assert isinstance(made, EvolutionSettings)
    return made


def engines(puzzle: Puzzle, settings: EvolutionSettings, seed: int = 7) -> tuple[NativeEngine, DeapEngine]:
    native = NativeEngine(make_problem(puzzle, settings), np.random.default_rng(seed))
    return native, DeapEngine(make_toolbox(puzzle, settings, np.random.default_rng(seed)))


def boards_of(puzzle: Puzzle, population: Population) -> list[Board]:
    return [Board(puzzle, cells[:-1].reshape(puzzle.shape)) for cells in population.cells]


def assert_same(one: Progress, other: Progress, native: NativeEngine, deap: DeapEngine) -> None:
    assert one._replace(best_cells=other.best_cells) == other
    assert (one.best_cells == other.best_cells).all()
    for mine, theirs in zip(native.population, deap.population, strict=True):
        assert (mine == theirs).all()


@pytest.mark.parametrize(("name", "fitness"), CASES)
@pytest.mark.parametrize("repair", REPAIRS, ids=["none", "scattered", "checkerboard", "elite"])
def test_both_engines_breed_the_same_boards_and_count_them_right(
    puzzle: Puzzle, name: str, fitness: str, repair: dict[str, Any] | None
) -> None:
    for init, pins in (("random", "none"), ("knowledge", "all")):
        settings = settings_of(name, fitness, init=init, pins=pins, repair=repair)
        native, deap = engines(puzzle, settings)
        steps = 0
        for one, other in zip(evolve(native, settings), evolve(deap, settings), strict=True):
            steps += 1
            assert_same(one, other, native, deap)
            assert one.best_score == oracle.counted_score(one.board)
        assert steps > 2
        assert native.rng.bit_generator.state == deap.rng.bit_generator.state
        boards = boards_of(puzzle, native.population)
        expected = [(oracle.counted_score(board), *oracle.objectives(board)[1:]) for board in boards]
        assert native.population.objectives.tolist() == [list(one) for one in expected]
        assert one.mean == pytest.approx(np.mean([score for score, *_ in expected]))
        assert one.worst == min(score for score, *_ in expected)
        if name != "MOEA":
            shares = [1 - np.mean([s / 49, b / 20, c / 30]) for s, b, c in expected]  # 5x6: 49 edges, 20 blocks
            missing = [49 - score for score, *_ in expected] if fitness == "normal" else shares
            scale = 1 if fitness == "normal" else native.problem.weights[3]
            assert np.allclose(native.population.fitness / scale, missing, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("name", "fitness"), CASES)
def test_which_edges_count_changes_what_is_bred_and_nothing_before(puzzle: Puzzle, name: str, fitness: str) -> None:
    ends, starts = [], []
    for edges in ("all", "paper"):
        settings = settings_of(name, fitness, edges=edges, evaluations=2000)
        native, _ = engines(puzzle, settings)
        reports = evolve(native, settings)
        while native.evaluations < 40:
            next(reports)
        starts.append(native.population.cells.copy())
        for _ in reports:
            pass
        ends.append(native.population.cells.copy())
    assert (starts[0] == starts[1]).all()  # initial boards do not depend on what is counted
    assert (ends[0] != ends[1]).any()


def test_a_run_that_counts_fewer_edges_gets_more_of_those(puzzle: Puzzle) -> None:
    """Evolved for it, boards have more of the edges that count than boards evolved for all of them."""
    means = {}
    for edges in ("all", "paper"):
        found = []
        for seed in range(6):
            settings = settings_of("GA", "normal", edges=edges, evaluations=20_000, seed=seed)
            *_, last = run(puzzle, settings)
            assert last.best_score == oracle.counted_score(last.board, edges) <= edge_count(puzzle.shape, edges)
            found.append(oracle.counted_score(last.board))
        means[edges] = np.mean(found)
    assert means["paper"] > means["all"]


@pytest.mark.parametrize("name", SMALL)
def test_the_front_has_the_counted_score_as_its_first_objective(puzzle: Puzzle, name: str) -> None:
    search = EvolutionSearch(make_problem(puzzle, settings_of(name, "normal")), np.random.default_rng(1))
    for _ in search.reports():
        pass
    boards = boards_of(puzzle, search._engine.population)
    points = {(oracle.counted_score(board), *oracle.objectives(board)[1:]) for board in boards}
    front = [
        one
        for one in points
        if not any(other != one and all(a >= b for a, b in zip(other, one, strict=True)) for other in points)
    ]
    assert search.front().tolist() == sorted(list(one) for one in front)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("engine", ["native", "deap"])
def test_a_run_that_is_put_down_and_taken_up_again_ends_the_same(puzzle: Puzzle, name: str, engine: str) -> None:
    settings = settings_of(name, "combined", repair={"size": 4, "moves": 2, "share": 0.3})
    at = ["native", "deap"].index(engine)
    *_, expected = evolve(engines(puzzle, settings)[at], settings)
    stopped = engines(puzzle, settings)[at]
    halfway = next(report for report in evolve(stopped, settings) if report.evaluations > 150)
    resumed = engines(puzzle, settings, seed=99)[at]
    resumed.restore(stopped.state())
    resumed.rng.bit_generator.state = stopped.rng.bit_generator.state
    assert resumed.best[0] == halfway.best_score
    *_, last = evolve(resumed, settings)
    assert last._replace(best_cells=expected.best_cells) == expected
    assert (last.best_cells == expected.best_cells).all()
