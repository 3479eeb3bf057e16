"""The memetic algorithm: the same in both engines, with restarts, near copies kept out, and a beam's own boards."""

import itertools

import numpy as np
import pytest

from evo.engine.deap_engine import DeapEngine
from evo.engine.engines import make_engine
from evo.engine.evolution_search import evolve
from evo.engine.native_engine import NativeEngine
from evo.engine.prefix import make_prefix, rebuild_rest
from evo.engine.toolbox import make_toolbox
from evo.errors import ConfigError
from evo.settings.base import make_search
from evo.settings.mutations import MUTATIONS, PrefixSettings
from evo.settings.registry import make_settings
from operators import random_boards
from puzzles import Puzzle, generate, score_population
from solvers.construct.beam import Beam, BeamOptions

SMALL = {"algorithm": "MEMETIC", "population": 20, "evaluations": 260, "init": {"kind": "search", "nodes": 60}}
REBUILT = {"cells": (3, 12), "width": 4}
VARIANTS = [
    {},
    {"crossover": 0.4, "repair": {"moves": 2, "size": 4}, "apart": 12, "tournament": 1}
    | {"mate": "well_formed", "well_formed": {"components": 0.5, "tries": 3}, "selection": "lexicase"},
    {"mutate": dict.fromkeys(MUTATIONS[:4], 0.1) | {"rebuild": 0.3, "prefix": 0.3}, "like": 9, "pins": "all"}
    | {"crossover": 0.3, "keep_frame": True},
    {"replaces": "parent", "fitness": "combined", "patience": 0, "replacement": False},
    {"apart": 0, "patience": 1, "repair": {"moves": 1, "when": "elite", "share": 0.1}, "edges": "paper"},
]


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    return generate(6, 7, 3, 6, 1, hints=2)[0]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_both_engines_breed_the_same_boards(puzzle: Puzzle, variant: dict) -> None:
    settings = make_settings(SMALL | {"rebuild": REBUILT, "prefix": {"width": 3}} | variant)
    native = NativeEngine(make_toolbox(puzzle, settings).problem, np.random.default_rng(7))
    deap = DeapEngine(make_toolbox(puzzle, settings, np.random.default_rng(7)))
    for one, other in itertools.zip_longest(evolve(native, settings), evolve(deap, settings)):
        assert one[:2] == other[:2]
        assert (one.best_cells == other.best_cells).all()
    assert (native.population.cells == deap.population.cells).all()
    assert (native.idle, native.evaluations, native.generation) == (deap.idle, deap.evaluations, deap.generation)
    assert native.rng.random() == deap.rng.random()
    boards = np.ascontiguousarray(native.population.cells[:, :-1].reshape(-1, *puzzle.shape))
    if "edges" not in variant:
        assert (native.population.objectives == score_population(puzzle.sides, boards)).all()


@pytest.mark.parametrize("algorithm", ["GA", "MOEA", "AIEA"])
def test_the_papers_algorithms_take_the_new_operators_in_both_engines(puzzle: Puzzle, algorithm: str) -> None:
    shares = {} if algorithm == "AIEA" else {"crossover": 8, "mutation": 10, "elite": 2, "mate": "well_formed"}
    shares |= {"selection": "lexicase", "keep_frame": True}
    mixture = {"exchange": 0.1, "directed_exchange": 0.1, "directed_rotation": 0.1, "rebuild": 0.4, "prefix": 0.3}
    values = SMALL | shares | {"algorithm": algorithm, "mutate": mixture, "rebuild": REBUILT, "prefix": {"width": 3}}
    settings = make_settings(values | {"evaluations": 120, "pins": "all"})
    native = NativeEngine(make_toolbox(puzzle, settings).problem, np.random.default_rng(7))
    deap = DeapEngine(make_toolbox(puzzle, settings, np.random.default_rng(7)))
    for engine in (native, deap):
        for progress in evolve(engine, settings):
            assert all(progress.best_cells[pin.row, pin.col] == pin.tile * 4 + pin.rotation for pin in puzzle.hints)
    assert (native.population.cells == deap.population.cells).all()


def test_a_population_without_a_fitter_child_is_made_anew_and_the_best_board_is_kept(puzzle: Puzzle) -> None:
    settings = make_settings(SMALL | {"rebuild": REBUILT, "patience": 2, "evaluations": 2_000})
    engine = NativeEngine(make_toolbox(puzzle, settings).problem, np.random.default_rng(1))
    means, best = [], []
    for progress in evolve(engine, settings):
        means.append(progress.mean)
        best.append(progress.best_score)
    assert (np.diff(means) < -3).any()
    assert best == sorted(best)
    assert best[-1] == engine.best[0] >= max(means)
    never = make_settings(SMALL | {"rebuild": REBUILT, "patience": 0, "evaluations": 2_000})
    engine = NativeEngine(make_toolbox(puzzle, never).problem, np.random.default_rng(1))
    means = [progress.mean for progress in evolve(engine, never)][25:]
    assert (np.diff(means) >= 0).all()


def test_near_copies_stay_out_of_the_population(puzzle: Puzzle) -> None:
    least = []
    for apart in (0, 10):
        settings = make_settings(SMALL | {"rebuild": REBUILT, "apart": apart, "like": 99, "patience": 0})
        engine = NativeEngine(make_toolbox(puzzle, settings).problem, np.random.default_rng(1))
        for _ in evolve(engine, settings):
            pass
        cells = engine.population.cells
        least.append(min(int((one != other).sum()) for one, other in itertools.combinations(cells, 2)))
    assert least[0] < 4
    assert least[1] >= 10


def test_a_replacement_of_ones_own_runs_in_the_deap_engine(puzzle: Puzzle) -> None:
    settings = make_settings(SMALL | {"rebuild": REBUILT, "evaluations": 60})
    toolbox = make_toolbox(puzzle, settings)
    toolbox.register("replace", lambda individuals, parent, child: None)
    with pytest.warns(UserWarning, match="the native engine cannot run this replace"):
        engine = make_engine(toolbox)
    populations = [engine.population.cells.copy() for _ in evolve(engine, settings)]
    assert (populations[-1] == populations[-2]).all()


@pytest.mark.parametrize("kept", [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)])
def test_the_rest_of_a_board_is_what_a_beam_builds_after_the_prefix(puzzle: Puzzle, kept: tuple[float, float]) -> None:
    for pins in ((), puzzle.hints):
        prefix = make_prefix(puzzle, PrefixSettings(kept=kept, width=5), pins)
        beam = Beam(puzzle, options=BeamOptions(width=5), pins=pins)
        board = beam.construct(np.random.default_rng(1)).cells.ravel()
        count = round(kept[0] * len(beam.route.cells))
        cells, rng = np.append(board, 4 * puzzle.size).astype(np.uint16), np.random.default_rng(2)
        rebuild_rest(rng, cells, prefix)
        other = np.random.default_rng(2)
        other.random()  # draws how much is kept
        expected = beam.construct(other, prefix=board[beam.route.cells[:count]]).cells.ravel()
        assert (cells[:-1] == expected).all()
        assert rng.random() == other.random()


def test_a_board_whose_rest_cannot_be_built_is_left_alone(puzzle: Puzzle) -> None:
    board = random_boards(np.random.default_rng(1), puzzle, 1).ravel()  # without a frame: border tiles are left over
    cells = np.append(board, 4 * puzzle.size).astype(np.uint16)
    rebuild_rest(np.random.default_rng(1), cells, make_prefix(puzzle, PrefixSettings(kept=(0.6, 0.6), width=5), ()))
    assert (cells[:-1] == board).all()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"rebuild": {"cells": (6, 50)}},
            r"rebuild.cells: regions of 6 to 50 cells: expected .* the 42 cells of a 6x7",
        ),
        ({"rebuild": {"cells": (6, 65)}}, r"rebuild.cells.1: .* less than or equal to 64; found 65"),
        ({"rebuild": {"cells": (9, 6)}}, "rebuild.cells: the minimum, 9, is greater than the maximum, 6"),
        ({"rebuild": {"width": 0}}, "rebuild.width: .* greater than or equal to 1; found 0"),
        ({"prefix": {"kept": (0.9, 0.1)}}, "prefix.kept: the minimum, 0.9, is greater than the maximum, 0.1"),
        ({"prefix": {"path": "snail"}}, "prefix.path: 'snail' is not one of row, .*"),
        ({"init": {"kind": "search", "nodes": -1}}, "init.nodes: .* greater than or equal to 0; found -1"),
        ({"mutate": {"rebuild": 0.5, "prefix": 0.4}}, "mutate: the shares of a mixture add up to 1; found 0.9"),
        ({"mutate": {"directed_exchange": 0.5}}, "mutate: the shares of a mixture add up to 1; found 0.5"),
        ({"mate": "ordered"}, "mate: input should be 'well_formed'; found 'ordered'"),
        ({"well_formed": {"tries": 0}}, "well_formed.tries: .* greater than or equal to 1; found 0"),
        ({"well_formed": {"components": 2}}, "well_formed.components: .* less than or equal to 1; found 2"),
        ({"selection": "roulette"}, "selection: input should be 'tournament' or 'lexicase'; found 'roulette'"),
        ({"algorithm": "GA", "selection": "lexicase", "distinct_parents": True}, "distinct_parents: lexicase"),
        ({"crossover": 1.2}, "crossover: .* less than or equal to 1; found 1.2"),
        ({"repair": {"kind": "regions"}}, "repair.when: children are not repaired by regions"),
    ],
)
def test_settings_that_do_not_fit_are_refused_in_one_line(puzzle: Puzzle, values: dict, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        make_search(puzzle, make_settings({"algorithm": "MEMETIC"} | values))
    assert "\n" not in str(caught.value)
