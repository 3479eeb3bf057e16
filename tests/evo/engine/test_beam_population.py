"""Population search over constructions."""

from pathlib import Path

import numpy as np
import pytest

from evo import ConfigError, make_settings, run
from evo.engine.beam_population import (
    BeamPopulationSearch,
    Builder,
    BuiltBoard,
    constructions,
    make_construction_toolbox,
)
from evo.engine.deap_engine import DeapEngine
from evo.engine.native_engine import NativeEngine
from evo.engine.problem import make_problem
from evo.engine.toolbox import make_toolbox
from evo.experiments.experiment import run_experiment
from evo.settings.base import make_search
from evo.settings.construction import BEAM
from puzzles import Board, Puzzle, generate, load
from solvers import Backtrack, BacktrackOptions, SolverError

E2 = load("eternity2")


def settings(**values: object) -> BEAM:
    found = make_settings({"algorithm": "BEAM", "width": 40, "evaluations": 9, "population": 3, **values})
    assert isinstance(found, BEAM)
    return found


def checked(puzzle: Puzzle, board: BuiltBoard) -> None:
    report = Board(puzzle, board.cells).verify()
    assert (report.placed, report.duplicates) == (puzzle.size, ())
    assert board.fitness.values == (puzzle.max_score - report.score,)


def test_what_is_kept_of_a_board_stays_and_the_rest_is_built_again() -> None:
    builder = Builder(E2, settings(cut=(0.5, 0.5)), np.random.default_rng(1))
    board = builder.individual()
    checked(E2, board)
    before, cells = board.cells.copy(), builder.beams[0].route.cells
    (after,) = builder.rebuild(board)
    checked(E2, after)
    same = (before == after.cells).ravel()[cells]
    assert same[:128].all()
    assert not same[128:].all()


def test_all_around_a_region_stays() -> None:
    builder = Builder(E2, settings(region=1.0, region_cells=(60, 60)), np.random.default_rng(2))
    board = builder.individual()
    changes = []
    for _ in range(6):
        before = board.cells.copy()
        (board,) = builder.rebuild(board)
        checked(E2, board)
        rows, cols = np.nonzero(before != board.cells)
        if len(rows):
            changes.append((np.ptp(rows) + 1) * (np.ptp(cols) + 1))
    assert changes
    assert max(changes) <= 60


def test_pinned_hints_stay_in_every_board() -> None:
    search = make_search(E2, settings(pins="all", region=0.5, fresh=0.2))
    for _ in search.reports():
        pass
    for cells in search.state()["cells"]:
        assert Board(E2, cells.reshape(16, 16)).verify().hints_honoured == 5


def test_a_child_takes_the_place_of_the_worst_unless_that_is_better() -> None:
    how, rng = settings(fresh=0.0), np.random.default_rng(3)
    toolbox, population = make_construction_toolbox(E2, how, rng), []
    steps = constructions(toolbox, population, how, rng)
    for _ in range(3):
        next(steps)
    for _ in range(8):
        before = sorted(board.fitness.values[0] for board in population)
        child = next(steps)
        after = sorted(board.fitness.values[0] for board in population)
        worse = child.fitness.values[0] > before[-1]
        assert after == (before if worse else sorted([*before[:-1], child.fitness.values[0]]))


def test_operators_of_ones_own_are_used() -> None:
    how, rng = settings(fresh=0.0, evaluations=7), np.random.default_rng(3)
    toolbox = make_construction_toolbox(E2, how, rng)
    seen: list[BuiltBoard] = []

    def unchanged(board: BuiltBoard) -> tuple[BuiltBoard]:
        seen.append(board)
        return (board,)

    toolbox.register("rebuild", unchanged)
    reports = list(BeamPopulationSearch(E2, how, rng, toolbox).reports())
    assert [report.evaluations for report in reports] == [1, 2, 3, 4, 5, 6, 7]
    assert len(seen) == 4


def test_restarts_are_independent_of_the_population() -> None:
    few, many = (list(run(E2, settings(fresh=1.0, population=size))) for size in (1, 5))
    assert [report.best_score for report in few] == [report.best_score for report in many]


def test_it_stops_when_a_board_is_solved() -> None:
    puzzle, _ = generate(3, 3, 2, 2, 1)
    *_, last = run(puzzle, settings(width=500, evaluations=1_000))
    assert last.best_score == puzzle.max_score
    assert last.evaluations < 1_000


def test_a_state_that_cannot_be_is_refused() -> None:
    search = make_search(E2, settings(evaluations=4))
    for _ in search.reports():
        pass
    for name, change in (("orders", 1), ("cells", 4), ("numbers", 5)):
        state = search.state()
        state[name][..., -1] += change
        if name == "cells":
            state[name][0, 0] = state[name][0, 1]
        with pytest.raises(SolverError):
            make_search(E2, settings(evaluations=4)).restore(state)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"orders": ["row", "up"]}, "orders: 'up' is not one of row, column"),
        ({"orders": []}, "orders: "),
        ({"cut": (0.6, 0.5)}, "cut: the minimum, 0.6, is greater than the maximum, 0.5"),
        ({"region_cells": (9, 5)}, "region_cells: the minimum, 9, is greater than the maximum, 5"),
        ({"width": 0}, "width: "),
        ({"key": {"noise": -1.0}}, "key.noise: "),
        ({"key": 3}, "key: expected a table"),
    ],
)
def test_wrong_settings_are_named(values: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        settings(**values)


def test_a_beam_that_does_not_fit_into_memory_is_refused_in_one_line() -> None:
    with pytest.raises(ConfigError, match=r"a beam of width 100,000,000 needs [0-9.]+ GB of memory"):
        make_search(E2, settings(width=100_000_000))


def test_an_initial_population_of_beams_is_whole_diverse_and_the_same_in_both_drivers() -> None:
    init = {"kind": "beam", "width": 3, "orders": ["rows_columns", "spiral_in"]}
    shares = {"population": 8, "crossover": 4, "mutation": 3, "elite": 1, "evaluations": 22}
    how = make_settings({"algorithm": "GA", "init": init, "pins": "all", **shares})
    rngs = np.random.default_rng(5), np.random.default_rng(5)
    native = NativeEngine(make_problem(E2, how), rngs[0])
    native.initialise()
    boards = native.population.cells[:, :-1].reshape(-1, 16, 16)
    for board in boards:
        report = Board(E2, board).verify()
        assert (report.placed, report.duplicates, report.hints_honoured) == (256, (), 5)
        assert report.score > 380  # a random board has 20, one with knowledge 302
    assert len({board.tobytes() for board in boards}) == 8
    deap = DeapEngine(make_toolbox(E2, how, rngs[1]))
    deap.initialise()
    assert (deap.population.cells == native.population.cells).all()
    assert rngs[0].random() == rngs[1].random()


@pytest.mark.parametrize(
    ("init", "message"),
    [
        ("beams", "^init: input should be 'random', 'knowledge' or 'search'; found 'beams'$"),
        (3, "^init: expected a table of settings; found 3$"),
        ({"kind": "bean"}, "^init.kind: input should be 'beam'; found 'bean'$"),
        ({"kind": "beam", "width": 0}, r"^init\.width: "),
        ({"kind": "beam", "orders": ["down"]}, "init.orders: 'down' is not one of row"),
        (
            {"kind": "beam", "concentration": [0.3, 0.2]},
            "init.concentration: the minimum, 0.3, is greater",
        ),
        ({"kind": "beam", "height": 1}, "init.height: there is no such setting"),
    ],
)
def test_an_initialisation_that_cannot_be_is_named(init: object, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make_settings({"algorithm": "GA", "init": init})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"path": "down"}, "^path: 'down' is not one of row"),
        ({"mismatches": 0.8}, "^mismatches: expected a list; found 0.8$"),
        ({"quota": [[0.1]]}, "^quota.0: expected at least 2 values; found \\(0.1,\\)$"),
        ({"opening_nodes": 0}, "^opening_nodes: "),
    ],
)
def test_backtracking_that_cannot_be_is_named(values: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make_settings({"algorithm": "BACKTRACK", **values})


def test_backtracking_by_settings_is_the_solver_itself() -> None:
    how = {"mismatches": [0.5, 0.5, 0.9], "quota": [[0.2, 0.1], [0.8, 0.9]], "favoured_inner": 3, "opening_nodes": 5000}
    values = {"algorithm": "BACKTRACK", "evaluations": 20_000, "path": "row", "pins": "mandatory", "seed": 4, **how}
    *_, last = run(E2, make_settings(values))
    expected = BacktrackOptions((0.5, 0.5, 0.9), 1, 3, quota=((0.2, 0.1), (0.8, 0.9)), opening_nodes=5000)
    pins = [hint for hint in E2.hints if hint.mandatory]
    *_, own = Backtrack(E2, np.random.default_rng(4), 20_000, options=expected, path="row", pins=pins).reports()
    assert last.best_score == own.best_score
    assert (last.best_cells == own.best_cells).all()


def test_a_row_with_beams_is_planned_and_run(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'name = "mine"\nalgorithm = "AIEA"\npopulation = 6\nevaluations = 20\n'
        'init = ["random", { kind = "beam", width = 2, orders = ["row"] }]\n'
    )
    frame = run_experiment(tmp_path / "mine.toml", out=tmp_path / "out").runs
    assert frame["init"].tolist() == ["random", "beam"]
    assert frame["best_score"][1] > 380 > frame["best_score"][0]
