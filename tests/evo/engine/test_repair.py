"""Repair as a setting: the same in both drivers, counted move by move, resumed where it was."""

import itertools

import numpy as np
import pytest

from evo.engine.deap_engine import DeapEngine
from evo.engine.engines import make_engine
from evo.engine.evolution_search import EvolutionSearch, evolve
from evo.engine.native_engine import NativeEngine
from evo.engine.native_kernels import clonal_selection, repair_individuals
from evo.engine.problem import make_problem
from evo.engine.toolbox import make_toolbox
from evo.errors import ConfigError
from evo.experiments.single_run import run
from evo.experiments.warmup import warm
from evo.settings.registry import make_settings
from puzzles import Board, Puzzle, generate, score_population

SHARES = {"crossover": 28, "mutation": 9, "elite": 3}
SMALL = {
    "GA": {"algorithm": "GA", "population": 40, **SHARES},
    "MOEA": {"algorithm": "MOEA", "population": 40, **SHARES},
    "AIEA": {"algorithm": "AIEA", "population": 40},
}
REPAIRS = [
    {"size": 5, "moves": 3},
    {"size": 9, "moves": 2, "share": 0.4, "violated": 0.3},
    {"cells": "checkerboard", "moves": 1, "share": 0.5},
    {"size": 4, "moves": 3, "when": "elite", "share": 0.1},
    {"size": 3, "moves": 2, "when": "elite", "share": 0.6},
    {"size": 4, "moves": 2, "when": "every 3 generations", "share": 0.5},
]


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    return generate(5, 6, 3, 5, 1, hints=2)[0]


@pytest.mark.parametrize(("name", "repair"), list(itertools.product(SMALL, REPAIRS)))
def test_both_drivers_repair_the_same_boards(puzzle: Puzzle, name: str, repair: dict[str, object]) -> None:
    values = SMALL[name] | {"init": "knowledge", "evaluations": 900, "pins": "all", "repair": repair}
    settings = make_settings(values)
    native = NativeEngine(make_toolbox(puzzle, settings).problem, np.random.default_rng(7))
    deap = DeapEngine(make_toolbox(puzzle, settings, np.random.default_rng(7)))
    steps = 0
    for one, other in zip(evolve(native, settings), evolve(deap, settings), strict=True):
        steps += 1
        assert one.evaluations == other.evaluations
        assert (one.best_score, one.mean, one.worst) == (other.best_score, other.mean, other.worst)
        assert (one.best_cells == other.best_cells).all()
        for mine, theirs in zip(native.population, deap.population, strict=True):
            assert (mine == theirs).all()
    assert steps > 4
    assert native.rng.bit_generator.state == deap.rng.bit_generator.state
    boards = np.ascontiguousarray(native.population.cells[:, :-1].reshape(-1, *puzzle.shape))
    assert (score_population(puzzle.sides, boards) == native.population.objectives).all()
    for hint in puzzle.hints:
        assert (boards[:, hint.row, hint.col] == hint.tile * 4 + hint.rotation).all()


@pytest.mark.parametrize(
    ("repair", "expected"),
    [
        ({"moves": 3}, [40, 40 + 37 * 4, 40 + 2 * 37 * 4]),
        ({"moves": 3, "when": "elite", "share": 0.1}, [40, 77 + 12, 114 + 24]),
        ({"moves": 3, "when": "elite", "share": 0}, [40, 77 + 3, 114 + 6]),
        ({"moves": 5, "when": "every 2 generations"}, [40, 77, 114 + 200]),
        ({"moves": 5, "share": 0}, [40, 77, 114]),
    ],
)
def test_each_move_of_a_repair_is_an_evaluation(puzzle: Puzzle, repair: dict[str, object], expected: list[int]) -> None:
    settings = make_settings(SMALL["GA"] | {"evaluations": 5000, "repair": repair})
    reports = (report.evaluations for report in run(puzzle, settings) if report.evaluations >= 40)
    assert list(itertools.islice(reports, 3)) == expected


@pytest.mark.parametrize(("name", "repair"), list(itertools.product(SMALL, [*REPAIRS, {"moves": 90, "share": 0.1}])))
def test_the_budget_is_kept_and_spent(puzzle: Puzzle, name: str, repair: dict[str, object]) -> None:
    for budget in (400, 433, 467):
        *_, last = run(puzzle, make_settings(SMALL[name] | {"evaluations": budget, "repair": repair}))
        assert budget - max(40, 91) < last.evaluations <= budget


def test_elites_are_repaired_alike_whatever_their_order() -> None:
    small, _ = generate(4, 4, 3, 4, 1)
    how = {"size": 3, "moves": 2, "when": "elite", "share": 0.6}
    for name, seed in itertools.product(SMALL, range(8)):
        values = SMALL[name] | {"evaluations": 600, "repair": how, "mutation_sizes": (1, 2)}
        settings = make_settings(values if name == "AIEA" else values | {"crossover_sizes": (1, 2)})
        native = NativeEngine(make_toolbox(small, settings).problem, np.random.default_rng(seed))
        deap = DeapEngine(make_toolbox(small, settings, np.random.default_rng(seed)))
        for one, other in zip(evolve(native, settings), evolve(deap, settings), strict=True):
            assert (one.best_cells == other.best_cells).all()


def test_everything_about_repair_is_compiled_before_seconds_are_counted(eternity2: Puzzle) -> None:
    for algorithm in SMALL:
        settings = make_settings(SMALL[algorithm] | {"evaluations": 200, "repair": {"moves": 1}})
        warm(eternity2, settings)
        known = len(repair_individuals.signatures), len(clonal_selection.signatures)
        for _ in run(eternity2, settings):
            pass
        assert (len(repair_individuals.signatures), len(clonal_selection.signatures)) == known


def test_a_share_is_a_probability(puzzle: Puzzle) -> None:
    settings = make_settings(SMALL["GA"] | {"evaluations": 20_000, "repair": {"moves": 2, "size": 2, "share": 0.25}})
    done = np.array([report.evaluations for report in run(puzzle, settings) if report.evaluations >= 40])
    assert abs(np.diff(done).mean() / 37 - 1.5) < 0.03


def test_repaired_individuals_are_better(puzzle: Puzzle) -> None:
    for name, when in itertools.product(SMALL, ("offspring", "elite", "every 2 generations")):
        scores = {}
        for repair in (None, {"moves": 5, "when": when, "share": 1.0}):
            found = []
            for seed in range(5):
                settings = make_settings(SMALL[name] | {"evaluations": 3000, "repair": repair, "seed": seed})
                *_, last = run(puzzle, settings)
                found.append(last.best_score)
            scores[repair is None] = np.mean(found)
        assert scores[False] > scores[True] + 3, (name, when)


@pytest.mark.parametrize(("name", "repair"), list(itertools.product(SMALL, REPAIRS)))
def test_a_run_that_is_put_down_and_taken_up_again_ends_the_same(
    puzzle: Puzzle, name: str, repair: dict[str, object]
) -> None:
    problem = make_problem(puzzle, make_settings(SMALL[name] | {"evaluations": 900, "repair": repair}))
    *_, expected = EvolutionSearch(problem, np.random.default_rng(1)).reports()
    search, last, steps = EvolutionSearch(problem, np.random.default_rng(1)), None, 0
    while last is None or last.evaluations < expected.evaluations:
        seen = 39 if last is None else last.evaluations
        last = next(report for report in search.reports() if report.evaluations > seen)
        state, generator = search.state(), search.rng.bit_generator.state
        search = EvolutionSearch(problem, np.random.default_rng(99))
        search.restore(state)
        search.rng.bit_generator.state = generator
        steps += 1
    assert steps > 2
    assert last.best_score == expected.best_score
    assert (last.best_cells == expected.best_cells).all()


def test_a_repair_of_ones_own_runs_on_children(puzzle: Puzzle) -> None:
    settings = make_settings(SMALL["GA"] | {"evaluations": 40 + 37 * 4 * 2, "repair": {"moves": 3}})
    toolbox = make_toolbox(puzzle, settings)
    repaired = []

    def remember(individual):
        repaired.append(Board(puzzle, individual.board.copy()).score)
        return individual

    toolbox.register("repair", remember)
    with pytest.warns(UserWarning, match="the native engine cannot run this repair"):
        engine = make_engine(toolbox)
    assert isinstance(engine, DeapEngine)
    for _ in evolve(engine, settings):
        pass
    assert len(repaired) == 2 * 37


def test_the_default_toolbox_repairs_natively(puzzle: Puzzle) -> None:
    settings = make_settings(SMALL["GA"] | {"repair": {"moves": 3}})
    assert isinstance(make_engine(make_toolbox(puzzle, settings)), NativeEngine)


@pytest.mark.parametrize(
    ("repair", "message"),
    [
        ({"when": "sometimes"}, "repair.when: 'sometimes' is not one of"),
        ({"when": "every 0 generations"}, "repair.when: 'every 0 generations' is not one of"),
        ({"kind": "glue"}, "repair.kind: "),
        ({"size": 0}, "repair.size: "),
        ({"moves": 2.5}, "repair.moves: "),
        ({"share": 1.5}, "repair.share: "),
        ({"violated": -0.5}, "repair.violated: "),
        ({"cells": "all"}, "repair.cells: "),
        ({"tiles": 3}, "repair.tiles: there is no such setting"),
        ({"when": "elite"}, "repair.share: is missing"),
        ("vlns", "repair: expected a table of settings; found 'vlns'"),
    ],
)
def test_wrong_repairs_are_named(repair: object, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        make_settings(SMALL["GA"] | {"repair": repair})
    assert str(error.value).startswith(message), error.value


REGIONS = {"kind": "regions", "moves": 4, "region": (2, 3), "limit": 300}


@pytest.mark.parametrize("when", [{"share": 0.7}, {"when": "elite", "share": 0.3}], ids=["offspring", "elite"])
@pytest.mark.parametrize("name", ["GA", "MOEA", "AIEA"])
def test_both_engines_repair_by_regions_alike_and_begin_with_regions(
    puzzle: Puzzle, name: str, when: dict[str, object]
) -> None:
    values = SMALL[name] | {"evaluations": 700, "repair": REGIONS | when, "init": {"kind": "regions"}, "pins": "all"}
    settings = make_settings(values)
    native = NativeEngine(make_toolbox(puzzle, settings).problem, np.random.default_rng(3))
    deap = DeapEngine(make_toolbox(puzzle, settings, np.random.default_rng(3)))
    for one, other in zip(evolve(native, settings), evolve(deap, settings), strict=True):
        assert (one.best_cells == other.best_cells).all()
        assert Board(puzzle, one.best_cells).score == one.best_score
        for hint in puzzle.hints:
            assert one.best_cells[hint.row, hint.col] == hint.tile * 4 + hint.rotation


@pytest.mark.parametrize("name", ["GA", "AIEA"])
def test_repair_by_regions_improves_boards(puzzle: Puzzle, name: str) -> None:
    plain = SMALL[name] | {"evaluations": 4000}
    *_, without = run(puzzle, make_settings(plain))
    *_, repaired = run(puzzle, make_settings(plain | {"repair": REGIONS}))
    assert repaired.best_score > without.best_score


def test_repair_by_regions_is_refused_where_it_is_not_offered(puzzle: Puzzle) -> None:
    plain = SMALL["GA"]
    with pytest.raises(ConfigError, match="at most 256 cells; found 20x20"):
        make_settings(plain | {"repair": REGIONS | {"region": (20, 20)}})
    with pytest.raises(ConfigError, match="regions are solved for all edges; found edges = 'paper'"):
        make_toolbox(puzzle, make_settings(plain | {"repair": REGIONS, "edges": "paper"}))
