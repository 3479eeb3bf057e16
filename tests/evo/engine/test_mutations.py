"""Mixtures of mutations: drawn by their shares, the same in both engines, each of them in the toolbox."""

import numpy as np
import pytest

from evo.engine.deap_engine import DeapEngine
from evo.engine.engines import make_engine
from evo.engine.evolution_search import evolve
from evo.engine.mutations import drawn_mutation, make_mutations, mutate_one_by
from evo.engine.native_engine import NativeEngine
from evo.engine.toolbox import make_toolbox
from evo.errors import ConfigError
from evo.settings.mutations import MUTATIONS, PAPER_MUTATIONS, MutationMixture
from evo.settings.registry import make_settings, plain_values
from operators import fitness_weights, make_lattice, make_variation, mutate, population_of, random_boards
from operators.population import evaluate_anew
from puzzles import Puzzle, generate

SMALL = {
    "GA": {"algorithm": "GA", "population": 40, "crossover": 18, "mutation": 20, "elite": 2},
    "MOEA": {"algorithm": "MOEA", "population": 40, "crossover": 18, "mutation": 20, "elite": 2},
    "AIEA": {"algorithm": "AIEA", "population": 40},
}


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    return generate(5, 6, 3, 5, 1, hints=2)[0]


def test_the_papers_mixture_makes_the_papers_mutants_from_the_same_seed(puzzle: Puzzle) -> None:
    lattice, weights = make_lattice(puzzle), fitness_weights(puzzle, "normal")
    variation, mutations = make_variation(lattice), make_mutations(PAPER_MUTATIONS)
    boards = random_boards(np.random.default_rng(1), puzzle, 50)
    ours, theirs = population_of(lattice, boards, weights), population_of(lattice, boards, weights)
    one, other = np.random.default_rng(2), np.random.default_rng(2)
    for individual in range(50):
        mutate(one, lattice, variation, weights, theirs, individual, 3)
        for _ in range(3):
            kind = drawn_mutation(other, mutations)
            mutate_one_by(other, lattice, variation, weights, mutations, kind, ours, individual)
    assert all((mine == their).all() for mine, their in zip(ours, theirs, strict=True))
    assert one.random() == other.random()


@pytest.mark.parametrize("shares", [{"exchange": 1.0}, {"rotation": 1.0}, {"exchange": 0.1, "rotation": 0.9}])
def test_mutations_are_drawn_by_their_shares(shares: dict[str, float]) -> None:
    mixture, rng = MutationMixture(**shares), np.random.default_rng(1)
    mutations = make_mutations(mixture)
    counts = np.bincount([drawn_mutation(rng, mutations) for _ in range(20_000)], minlength=len(MUTATIONS))
    expected = np.array([mixture.shares[name] for name in MUTATIONS])
    assert ((counts > 0) == (expected > 0)).all()
    assert (abs(counts / 20_000 - expected) < 5 * np.sqrt(expected * (1 - expected) / 20_000) + 1e-12).all()


@pytest.mark.parametrize("algorithm", SMALL)
@pytest.mark.parametrize("shares", [{"exchange": 1.0}, {"exchange": 0.2, "rotation": 0.8}], ids=str)
def test_both_engines_breed_the_same_boards(puzzle: Puzzle, algorithm: str, shares: dict[str, float]) -> None:
    settings = make_settings(SMALL[algorithm] | {"mutate": shares, "evaluations": 300, "pins": "all"})
    toolbox = make_toolbox(puzzle, settings)
    engines = [NativeEngine(toolbox.problem, np.random.default_rng(7)), DeapEngine(make_toolbox(puzzle, settings))]
    engines[1].rng.bit_generator.state = np.random.default_rng(7).bit_generator.state
    for engine in engines:
        for _ in evolve(engine, settings):
            pass
    native, deap = engines
    assert (native.population.cells == deap.population.cells).all()
    assert (native.population.objectives == deap.population.objectives).all()
    afresh = native.population._replace(objectives=native.population.objectives.copy())
    for individual in range(afresh.size):
        evaluate_anew(native.problem.lattice, native.problem.weights, afresh, individual)
    assert (afresh.objectives == native.population.objectives).all()


def test_each_mutation_of_a_mixture_is_in_the_toolbox_and_can_be_replaced(puzzle: Puzzle) -> None:
    settings = make_settings(SMALL["GA"] | {"mutate": {"rotation": 1.0}, "evaluations": 100})
    toolbox = make_toolbox(puzzle, settings)
    assert not hasattr(toolbox, "mutate_exchange")
    assert isinstance(make_engine(toolbox), NativeEngine)
    calls = []
    toolbox.register("mutate_rotation", lambda individual: (calls.append(1), (individual,))[1])
    with pytest.warns(UserWarning, match="the native engine cannot run this mutate_rotation"):
        engine = make_engine(toolbox)
    for _ in evolve(engine, settings):
        pass
    assert len(calls) == engine.generation * settings.mutation > 0


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"exchange": 0.2, "rotation": 0.7}, "mutate: the shares of a mixture add up to 1; found 0.9"),
        ({}, "mutate: the shares of a mixture add up to 1; found 0"),
        ({"exchange": 1.5}, r"mutate.exchange: .* less than or equal to 1; found 1.5"),
        ({"shuffle": 1.0}, "mutate.shuffle: there is no such setting"),
        (7, "mutate: expected a table of settings; found 7"),
    ],
)
def test_a_mixture_that_does_not_add_up_is_refused_in_one_line(value: object, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        make_settings(SMALL["GA"] | {"mutate": value})
    assert "\n" not in str(caught.value)


def test_a_mixture_survives_the_way_through_plain_values() -> None:
    settings = make_settings(SMALL["GA"] | {"mutate": {"exchange": 0.2, "rotation": 0.8}})
    assert make_settings(plain_values(settings)) == settings
    assert make_settings(SMALL["GA"]).mutate is None
