"""Two drivers, one source of operators: the same boards, bit for bit."""

import itertools
import random
import warnings

import numba
import numpy as np
import pytest
from deap import algorithms, tools

from evo.engine.deap_engine import DeapEngine
from evo.engine.engines import make_engine
from evo.engine.evolution_search import evolve
from evo.engine.native_engine import NativeEngine
from evo.engine.native_kernels import clone_mutations, make_tree, update_tree
from evo.engine.toolbox import make_toolbox, use_compiled
from evo.errors import ConfigError
from evo.experiments.single_run import run
from evo.settings.registry import make_settings
from operators import OperatorError
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
    {"partner_tournament": 1, "replacement": False},
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
        values = SMALL[name] | {"init": init, "evaluations": 250, "seed": 7} | fitting
        settings = make_settings(values | ({} if name == "MOEA" else {"fitness": fitness}))
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
    for progress in evolve(engine, settings):
        points = engine.population.objectives
        if progress.evaluations < len(points):
            continue  # the initial population is reported as it comes about
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
def repeat_a_tile(rng: np.random.Generator, board: np.ndarray) -> None:
    board[0, 0] = board[1, 1]


@numba.njit
def write_rubbish(rng: np.random.Generator, board: np.ndarray) -> None:
    board[2, 2] = 60000


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


def test_operators_of_ones_own_are_compiled_once_for_all_runs(puzzle: Puzzle) -> None:
    settings = make_settings(SMALL["GA"] | {"evaluations": 250})
    engines = []
    for _ in range(2):  # as for two slices of a run
        toolbox = make_toolbox(puzzle, settings)
        use_compiled(toolbox, mutate=swap_two)
        engines.append(make_engine(toolbox))
    one, other = engines
    assert isinstance(one, NativeEngine)
    assert isinstance(other, NativeEngine)
    assert one._by_mutation is other._by_mutation


def test_a_plain_python_operator_runs_and_the_user_is_told(puzzle: Puzzle) -> None:
    settings = make_settings(SMALL["GA"] | {"evaluations": 250})
    toolbox = make_toolbox(puzzle, settings)

    def turn_one(individual):
        board = individual.board
        row, col = (int(toolbox.rng.random() * length) for length in board.shape)
        board[row, col] ^= 1
        return (individual,)

    toolbox.register("mutate", turn_one)
    with pytest.warns(UserWarning, match="the native engine cannot run this mutate; the DEAP engine does"):
        engine = make_engine(toolbox)
    assert isinstance(engine, DeapEngine)
    *_, last = evolve(engine, settings)
    assert Board(puzzle, last.best_cells).score == last.best_score
    untouched = make_toolbox(puzzle, settings)
    assert isinstance(make_engine(untouched), NativeEngine)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("operator", [repeat_a_tile, write_rubbish])
def test_an_operator_that_breaks_boards_is_caught(puzzle: Puzzle, name: str, operator) -> None:
    settings = make_settings(SMALL[name] | {"evaluations": 250})
    compiled = make_toolbox(puzzle, settings)
    use_compiled(compiled, mutate=operator)
    with pytest.raises(OperatorError, match="an operator broke a board"):
        list(evolve(make_engine(compiled), settings))
    python = make_toolbox(puzzle, settings)
    python.register("mutate", lambda individual: (operator.py_func(None, individual.board), (individual,))[1])
    with pytest.raises(OperatorError, match="an operator broke a board"):
        list(evolve(DeapEngine(python), settings))


def test_an_operator_may_not_move_pinned_tiles(puzzle: Puzzle) -> None:
    settings = make_settings(SMALL["GA"] | {"evaluations": 2500, "pins": "all"})
    toolbox = make_toolbox(puzzle, settings)
    use_compiled(toolbox, mutate=swap_two)
    with pytest.raises(OperatorError, match="pinned tiles in their cells"):
        list(evolve(make_engine(toolbox), settings))


def test_mating_needs_no_evaluation_before(puzzle: Puzzle) -> None:
    toolbox = make_toolbox(puzzle, make_settings(SMALL["GA"]))
    for _ in range(20):
        child, _ = toolbox.mate(toolbox.individual(), toolbox.individual())
        child.board[0, 0], child.board[3, 3] = child.board[3, 3], child.board[0, 0]
        child, _ = toolbox.mate(child, toolbox.individual())
        assert Board(puzzle, child.board).verify().duplicates == ()
        toolbox.evaluate(child)
        assert Board(puzzle, child.board).objectives == tuple(child.row.objectives[0])


def test_a_fitness_of_ones_own_is_what_counts(puzzle: Puzzle) -> None:
    """Evolve boards whose tiles are turned as little as can be: nothing to do with edges."""
    for name in ("GA", "AIEA"):
        settings = make_settings(SMALL[name] | {"evaluations": 1500})
        toolbox = make_toolbox(puzzle, settings)
        toolbox.register("evaluate", lambda individual: (float((individual.board % 4).sum()) / 2,))
        with pytest.warns(UserWarning, match="the native engine cannot run this evaluate"):
            engine = make_engine(toolbox)
        turned = [float((engine.population.cells[:, :-1] % 4).sum(axis=1).mean()) for _ in evolve(engine, settings)]
        assert turned[-1] < turned[0] - 5
        for individual in engine.individuals:
            assert Board(puzzle, individual.board).objectives == tuple(individual.row.objectives[0])


def test_changed_arguments_of_a_registered_function_are_not_overlooked(puzzle: Puzzle) -> None:
    for name, arguments in (("select", {"tournament": 9}), ("mutate", {"times": 9})):
        toolbox = make_toolbox(puzzle, make_settings(SMALL["GA"]))
        toolbox.register(name, getattr(toolbox, name).func, **arguments)
        with pytest.warns(UserWarning, match=f"cannot run this {name}"):
            assert isinstance(make_engine(toolbox), DeapEngine)
    toolbox = make_toolbox(puzzle, make_settings(SMALL["GA"]))
    toolbox.mutate = lambda individual: (individual,)
    with pytest.warns(UserWarning, match="the native engine cannot run this mutate"):
        make_engine(toolbox)


def test_what_cannot_go_together_is_refused(puzzle: Puzzle) -> None:
    settings = make_settings(SMALL["GA"])
    toolbox = make_toolbox(puzzle, settings)
    with pytest.raises(ConfigError, match="another puzzle or other settings"):
        run(puzzle, make_settings(SMALL["AIEA"]), toolbox=toolbox)
    with pytest.raises(ConfigError, match="another puzzle or other settings"):
        run(generate(4, 4, 3, 5, 1)[0], settings, toolbox=toolbox)
    with pytest.raises(ConfigError, match=r"mutate: .* is not compiled"):
        use_compiled(toolbox, mutate=lambda rng, board: None)
    with pytest.raises(ConfigError, match="RAND has no DEAP toolbox"):
        make_toolbox(puzzle, make_settings({"algorithm": "RAND"}))
    short = make_toolbox(puzzle, make_settings(SMALL["GA"] | {"replacement": False}))
    with pytest.raises(OperatorError, match="3 cannot be drawn from 2 without replacement"):
        short.select(short.population(n=2), 1)
    one_cell = Puzzle(1, 1, [[0, 0, 0, 0]])
    for algorithm in ("RAND", "ES"):
        with pytest.raises(ConfigError, match="one cell cannot be varied"):
            run(one_cell, make_settings({"algorithm": algorithm}))


def test_immune_steps_remember_a_best_that_does_not_last(puzzle: Puzzle) -> None:
    settings = make_settings(SMALL["AIEA"] | {"tournament": 1, "evaluations": 3000, "population": 10})
    *_, whole = run(puzzle, settings)
    step_by_step = NativeEngine(make_toolbox(puzzle, settings).problem, np.random.default_rng(settings.seed))
    step_by_step.initialise()
    best = int(step_by_step.population.objectives[:, 0].max())
    for _ in range(2990):
        step_by_step.clone(1)
        best = max(best, int(step_by_step.population.objectives[:, 0].max()))
    assert whole.best_score == best == step_by_step.best[0]


def test_an_engine_that_was_stopped_goes_on_where_it_was(puzzle: Puzzle) -> None:
    for name in SMALL:
        settings = make_settings(SMALL[name] | {"evaluations": 1000})
        whole = NativeEngine(make_toolbox(puzzle, settings).problem, np.random.default_rng(3))
        list(evolve(whole, settings))
        stopped = NativeEngine(make_toolbox(puzzle, settings).problem, np.random.default_rng(3))
        loop = evolve(stopped, make_settings(SMALL[name] | {"evaluations": 400}))
        list(loop)
        list(evolve(stopped, settings))
        if name != "AIEA":
            assert (stopped.population.cells == whole.population.cells).all()
        assert stopped.evaluations == whole.evaluations


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
