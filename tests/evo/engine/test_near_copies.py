"""Near copies kept out of the populations of GA, MOEA and AIEA: against slow searches, and the same in both engines."""

import itertools
from typing import Any

import numpy as np
import pytest

from evo.engine.deap_engine import DeapEngine
from evo.engine.engines import make_engine
from evo.engine.evolution_search import EvolutionSearch, evolve
from evo.engine.native_engine import NativeEngine
from evo.engine.native_kernels import admit_clone
from evo.engine.problem import make_problem
from evo.engine.toolbox import make_toolbox
from evo.settings.evolution import EvolutionSettings
from evo.settings.registry import make_settings
from operators import dominance_rank, fitness_weights, make_lattice, make_scratch, population_of, random_boards
from operators.replacement import NOBODY, Replacement
from puzzles import Puzzle, generate

SHARES = {"population": 30, "crossover": 14, "mutation": 10, "elite": 6, "mutation_sizes": (1, 2)}
ALGORITHMS: dict[str, dict[str, Any]] = {
    "GA": SHARES | {"apart": 29, "like": 5},
    "GA without crossover": SHARES | {"crossover": 0, "mutation": 24, "apart": 29, "like": 2, "fitness": "combined"},
    "MOEA": SHARES | {"population": 60, "crossover": 30, "mutation": 24, "apart": 20, "like": 1, "init": "random"},
    "AIEA": {"population": 30, "apart": 8, "like": 6, "most_mutations": 4},
    "AIEA by regions": {"population": 30, "apart": 9, "fewest_mutations": 1, "most_mutations": 1, "replacement": False}
    | {"repair": {"kind": "regions", "moves": 1, "region": (2, 2), "share": 0.2}},
    "AIEA repaired": {"population": 30, "apart": 12, "like": 99, "repair": {"moves": 1, "size": 4, "share": 0.3}},
}


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    return generate(5, 6, 3, 5, 1, hints=2)[0]


def settings_of(name: str, **values: Any) -> EvolutionSettings:
    known = {"algorithm": name.split()[0], "evaluations": 600, "init": "knowledge", "pins": "all"}
    made = make_settings(known | ALGORITHMS[name] | values)
    assert isinstance(made, EvolutionSettings)
    return made


@pytest.mark.parametrize("name", ALGORITHMS)
def test_both_engines_make_the_same_boards(puzzle: Puzzle, name: str) -> None:
    settings = settings_of(name)
    native = NativeEngine(make_problem(puzzle, settings), np.random.default_rng(7))
    deap = DeapEngine(make_toolbox(puzzle, settings, np.random.default_rng(7)))
    for one, other in zip(evolve(native, settings), evolve(deap, settings), strict=True):
        assert one[:2] == other[:2]
        assert (one.best_cells == other.best_cells).all()
        assert (native.population.cells == deap.population.cells).all()
    assert native.rng.random() == deap.rng.random()


@pytest.mark.parametrize("name", ["GA", "GA without crossover", "MOEA"])
def test_an_elite_is_what_a_slow_search_finds_and_children_take_free_places(puzzle: Puzzle, name: str) -> None:
    settings = settings_of(name, evaluations=1_200)
    engine = NativeEngine(make_problem(puzzle, settings), np.random.default_rng(1))
    before, found, passed_over = None, set(), 0
    for progress in evolve(engine, settings):
        if progress.evaluations < settings.population:
            continue  # the initial population is reported as it comes about
        if before is not None:
            cells, scores, rank, evaluations = before
            able, kept = [k for k in range(len(cells)) if name != "MOEA" or rank[k] <= 0], []
            order = sorted(able, key=lambda k: rank[k])
            for k in order:
                near = [
                    (cells[k] != cells[j]).sum() < settings.apart
                    for j in kept
                    if abs(scores[k] - scores[j]) <= settings.like
                ]
                if len(kept) < 6 and not any(near):
                    kept.append(k)
            assert (engine.population.cells[: len(kept)] == cells[kept]).all()
            assert progress.evaluations - evaluations == settings.population - len(kept)
            found.add(len(kept))
            passed_over += kept != order[: len(kept)]
        population = engine.population
        rank = dominance_rank(population.objectives) if name == "MOEA" else population.fitness
        scores = population.objectives[:, 0].tolist()
        before = population.cells.copy(), scores, rank.tolist(), progress.evaluations
    assert min(found) < 6
    assert len(found) > 1
    assert passed_over


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_budget_is_kept_and_spent(puzzle: Puzzle, name: str) -> None:
    for budget in (400, 433):
        settings = settings_of(name, evaluations=budget)
        *_, last = EvolutionSearch(make_problem(puzzle, settings), np.random.default_rng(1)).reports()
        assert budget - settings.population < last.evaluations <= budget


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_run_that_is_put_down_and_taken_up_again_ends_the_same(puzzle: Puzzle, name: str) -> None:
    settings = settings_of(name)
    problem = make_problem(puzzle, settings)
    whole = EvolutionSearch(problem, np.random.default_rng(1))
    *_, expected = whole.reports()
    search, last = EvolutionSearch(problem, np.random.default_rng(1)), None
    while last is None or last.evaluations < expected.evaluations:
        seen = settings.population - 1 if last is None else last.evaluations
        last = next(report for report in search.reports() if report.evaluations > seen)
        state, generator = search.state(), search.rng.bit_generator.state
        search = EvolutionSearch(problem, np.random.default_rng(99))
        search.restore(state)
        search.rng.bit_generator.state = generator
    assert last.evaluations == expected.evaluations
    assert (search.state()["cells"] == whole.state()["cells"]).all()


def test_a_clone_replaces_whom_a_slow_search_finds() -> None:
    puzzle = generate(6, 6, 3, 5, 1)[0]
    lattice, weights = make_lattice(puzzle), fitness_weights(puzzle, "normal")
    rng, outcomes = np.random.default_rng(1), set()
    for trial in range(300):
        boards = np.repeat(random_boards(rng, puzzle, 3), 3, axis=0).reshape(9, -1)
        clone = boards[int(rng.integers(9))].copy()
        for board in [*boards, clone]:
            places = rng.choice(36, int(rng.integers(0, 7)), replace=False)
            board[places] = board[np.roll(places, 1)]
        how = Replacement(int(rng.choice([0, 1, 4, 9])), int(rng.choice([0, 2, 60])), False)
        population = population_of(lattice, boards.reshape(-1, 6, 6), weights)
        one, best = (population_of(lattice, clone.reshape(1, 6, 6), weights) for _ in range(2))
        fitness, own = population.fitness.tolist(), int(one.fitness[0])
        alike = np.abs(population.objectives[:, 0] - one.objectives[0, 0]) <= how.like
        distances = (boards != clone).sum(axis=1).tolist()
        near = [k for k in range(9) if alike[k] and distances[k] < how.apart]
        slow, fast = np.random.default_rng(trial), np.random.default_rng(trial)
        if near:
            nearest = min(near, key=lambda k: (distances[k], k))
            expected = nearest if (own, distances[nearest] == 0) < (fitness[nearest], True) else NOBODY
            outcomes.add("rejected" if expected == NOBODY else "near copy")
        else:
            drawn = [int(slow.random() * 9) for _ in range(4)]
            expected = max(drawn, key=lambda k: (fitness[k], -drawn.index(k)))
            outcomes.add("any")
        place = admit_clone(fast, population, best, one, 4, how, make_scratch(lattice))
        assert place == expected
        if place != NOBODY:
            boards[place] = clone
        assert (population.cells[:, :-1] == boards).all()
        assert slow.random() == fast.random()
    assert outcomes == {"rejected", "near copy", "any"}


def test_a_population_of_clones_has_no_two_equal_boards(puzzle: Puzzle) -> None:
    least = []
    for apart in (0, 1, 8):
        settings = settings_of("AIEA", apart=apart, like=0, evaluations=4_000)
        engine = NativeEngine(make_problem(puzzle, settings), np.random.default_rng(1))
        for _ in evolve(engine, settings):
            pass
        cells = engine.population.cells
        least.append(min(int((one != other).sum()) for one, other in itertools.combinations(cells, 2)))
    assert least[0] == 0
    assert least[1] > 0
    assert least[2] > 0


def test_operators_of_ones_own_choose_whom_clones_replace(puzzle: Puzzle) -> None:
    settings = settings_of("AIEA", evaluations=90)
    toolbox = make_toolbox(puzzle, settings)
    assert isinstance(make_engine(toolbox), NativeEngine)
    toolbox.register("replace", lambda individuals, parent, child: None)
    with pytest.warns(UserWarning, match="the native engine cannot run this replace"):
        engine = make_engine(toolbox)
    populations = [engine.population.cells.copy() for _ in evolve(engine, settings)]
    assert (populations[-1] == populations[-2]).all()
    toolbox, asked = make_toolbox(puzzle, settings_of("AIEA", evaluations=90, apart=1)), []
    toolbox.register("select_removed", lambda individuals, k: asked.append(k) or individuals[:k])
    with pytest.warns(UserWarning, match="the native engine cannot run this select_removed"):
        engine = make_engine(toolbox)
    first = [engine.individuals[1].board.copy() for _ in evolve(engine, settings) if engine.individuals]
    assert 0 < len(asked) <= 60
    assert (first[0] == first[-1]).all()
