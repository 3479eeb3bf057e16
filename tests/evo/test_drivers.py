"""Two drivers, one source of operators: the same boards, bit for bit."""

import itertools
import random
import warnings

import numba
import numpy as np
import pytest
from deap import algorithms, tools

from evo.deap_driver import DeapEngine
from evo.native import NativeEngine, clone_mutations, make_tree, update_tree
from evo.running import evolve, make_engine, run
from evo.settings import make_settings
from evo.toolbox import make_toolbox, use_compiled
from puzzles import Board, Puzzle, generate, score_population

SHARES = {"crossover": 28, "mutation": 9, "elite": 3}
SMALL = {
    "GA": {"algorithm": "GA", "population": 40, **SHARES},
    "MOEA": {"algorithm": "MOEA", "population": 40, **SHARES},
    "AIEA": {"algorithm": "AIEA", "population": 40},
}
OPEN = [
    {},
    {"refill": "kept", "turns": "quarter", "mutant_tournament": 1, "distinct_parents": True},
    {"elite": 0, "mutation": 12, "tournament": 5, "replacement": False},
    {"pins": "all", "exchange": "size_first"},
]


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    return generate(5, 6, 3, 5, 1, hints=2)[0]


@pytest.mark.parametrize(
    ("name", "fitness", "init"), list(itertools.product(SMALL, ("normal", "combined"), ("random", "knowledge")))
)
def test_both_drivers_breed_the_same_boards(puzzle: Puzzle, name: str, fitness: str, init: str) -> None:
    for choices in OPEN:
        fitting = (
            choices
            if name != "AIEA"
            else {
                key: choices[key]
                for key in choices
                if key in ("pins", "turns", "tournament", "replacement", "exchange")
            }
        )
        settings = make_settings(
            SMALL[name] | {"fitness": fitness, "init": init, "evaluations": 250, "seed": 7} | fitting
        )
        native = NativeEngine(make_toolbox(puzzle, settings).problem, np.random.default_rng(7))
        deap = DeapEngine(make_toolbox(puzzle, settings))
        steps = 0
        for one, other in zip(evolve(native, settings), evolve(deap, settings), strict=True):
            steps += 1
            assert one.evaluations == other.evaluations
            assert (one.best_score, one.mean, one.worst) == (other.best_score, other.mean, other.worst)
            for mine, theirs in zip(native.population, deap.population, strict=True):
                assert (mine == theirs).all()
        assert steps > 1
        assert native.rng.bit_generator.state == deap.rng.bit_generator.state
        boards = native.population.cells[:, :-1].reshape(-1, *puzzle.shape)
        assert (score_population(puzzle.sides, np.ascontiguousarray(boards)) == native.population.objectives).all()


def test_elitism_keeps_the_best_and_its_absence_may_lose_it(puzzle: Puzzle) -> None:
    for elite, never_falls in ((3, True), (0, False)):
        values = SMALL["GA"] | {"elite": elite, "mutation": 12 - elite, "evaluations": 4000}
        settings = make_settings(values)
        engine = NativeEngine(make_toolbox(puzzle, settings).problem, np.random.default_rng(1))
        best = [int(engine.population.fitness.min()) for _ in evolve(engine, settings)]
        assert (best == sorted(best, reverse=True)) == never_falls


def test_moea_keeps_the_most_distant_of_the_front(puzzle: Puzzle) -> None:
    settings = make_settings(SMALL["MOEA"] | {"evaluations": 4000})
    engine = NativeEngine(make_toolbox(puzzle, settings).problem, np.random.default_rng(1))
    before = None
    for _ in evolve(engine, settings):
        points = engine.population.objectives
        if before is not None:
            front = [p for p in before if not any((q >= p).all() and (q > p).any() for q in before)]
            distance = [sum(int((p != q).sum()) for q in front) for p in front]
            kept = min(3, len(front))
            expected = [front[k].tolist() for k in sorted(range(len(front)), key=lambda k: -distance[k])[:kept]]
            assert points[:kept].tolist() == expected
        before = points.copy()


def test_without_distance_front_members_are_alike_in_tournaments(puzzle: Puzzle) -> None:
    ends = []
    for ties in ("distance", "first"):
        settings = make_settings(SMALL["MOEA"] | {"evaluations": 1000, "ties": ties})
        native = NativeEngine(make_toolbox(puzzle, settings).problem, np.random.default_rng(1))
        deap = DeapEngine(make_toolbox(puzzle, settings))
        for _ in zip(evolve(native, settings), evolve(deap, settings), strict=True):
            assert (native.population.cells == deap.population.cells).all()
        ends.append(native.population.cells.copy())
    assert (ends[0] != ends[1]).any()


def test_a_budget_is_never_exceeded_and_always_used_as_far_as_it_goes(puzzle: Puzzle) -> None:
    for name in SMALL:
        for budget in (40, 41, 333, 1000):
            *_, last = run(puzzle, make_settings(SMALL[name] | {"evaluations": budget}))
            assert budget - 40 < last.evaluations <= budget


@numba.njit
def swap_two(rng: np.random.Generator, board: np.ndarray) -> None:
    flat = board.reshape(board.size)
    one, other = int(rng.random() * board.size), int(rng.random() * board.size)
    flat[one], flat[other] = flat[other], flat[one]


@numba.njit
def take_after_mother(rng: np.random.Generator, mother: np.ndarray, father: np.ndarray, child: np.ndarray) -> None:
    child[:] = mother
    swap_two(rng, child)


@pytest.mark.parametrize("name", SMALL)
def test_compiled_operators_of_ones_own_run_in_both_drivers(puzzle: Puzzle, name: str) -> None:
    settings = make_settings(SMALL[name] | {"evaluations": 250})
    toolboxes = [make_toolbox(puzzle, settings) for _ in range(2)]
    for toolbox in toolboxes:
        use_compiled(toolbox, mate=take_after_mother, mutate=swap_two)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        native = make_engine(toolboxes[0])
    assert isinstance(native, NativeEngine)
    deap = DeapEngine(toolboxes[1])
    for _ in zip(evolve(native, settings), evolve(deap, settings), strict=True):
        assert (native.population.cells == deap.population.cells).all()
        assert (native.population.fitness == deap.population.fitness).all()


def test_a_plain_python_operator_runs_and_the_user_is_told(puzzle: Puzzle) -> None:
    settings = make_settings(SMALL["GA"] | {"evaluations": 250})
    toolbox = make_toolbox(puzzle, settings)

    def turn_one(individual):
        board = individual.board
        row, col = (int(toolbox.rng.random() * length) for length in board.shape)
        board[row, col] ^= 1
        return (individual,)

    toolbox.register("mutate", turn_one)
    with pytest.warns(UserWarning, match="mutate is a plain Python function: the native engine is off"):
        engine = make_engine(toolbox)
    assert isinstance(engine, DeapEngine)
    *_, last = evolve(engine, settings)
    assert Board(puzzle, last.best_cells).score == last.best_score
    untouched = make_toolbox(puzzle, settings)
    assert isinstance(make_engine(untouched), NativeEngine)


@pytest.mark.parametrize("name", ["GA", "MOEA"])
def test_deaps_own_loop_and_tools_run_with_the_toolbox(puzzle: Puzzle, name: str) -> None:
    random.seed(3)  # DEAP's own loop draws from Python's global generator
    toolbox = make_toolbox(puzzle, make_settings(SMALL[name]))
    statistics = tools.Statistics(lambda individual: individual.fitness.values[0])
    statistics.register("mean", np.mean)
    hall = tools.HallOfFame(5)
    population, logbook = algorithms.eaSimple(
        toolbox.population(), toolbox, 0.7, 0.3, 30, stats=statistics, halloffame=hall, verbose=False
    )
    assert len(population) == 40
    assert len(logbook) == 31
    assert len({individual.board.tobytes() for individual in hall}) == 5
    for individual in [*population, *hall]:
        board = Board(puzzle, individual.board)
        assert board.verify().duplicates == ()
        assert board.objectives == tuple(individual.row.objectives[0])
    first, last = logbook[0]["mean"], logbook[-1]["mean"]
    assert last < first if name == "GA" else last > first  # edges missing, or edges matched


def test_individuals_hold_what_deap_needs(puzzle: Puzzle) -> None:
    toolbox = make_toolbox(puzzle, make_settings(SMALL["GA"]))
    individual = toolbox.individual()
    assert "not evaluated" in repr(individual)
    individual.fitness.values = toolbox.evaluate(individual)
    copy = toolbox.clone(individual)
    assert copy == individual
    assert hash(copy) == hash(individual)
    assert copy.fitness.values == individual.fitness.values
    toolbox.mutate(copy)
    assert copy != individual
    assert individual.fitness.values == (float(puzzle.max_score - Board(puzzle, individual.board).score),)
    assert toolbox.repair(individual) is individual


def test_clones_are_mutated_in_proportion_to_their_fitness() -> None:
    times = [clone_mutations(fitness, 100, 200, 1, 11) for fitness in (100, 104, 105, 150, 199, 200)]
    assert times == [1, 1, 2, 6, 11, 11]
    assert clone_mutations(100, 100, 100, 2, 9) == 2


def test_least_and_greatest_are_always_current() -> None:
    rng = np.random.default_rng(1)
    for size in (2, 3, 7, 64, 100):
        values = rng.integers(0, 50, size)
        tree = make_tree(values)
        for _ in range(300):
            place, value = int(rng.integers(size)), int(rng.integers(50))
            values[place] = value
            update_tree(tree, place, value)
            assert tree[1] == values.min()
