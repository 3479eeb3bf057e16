"""Operators on orders: they are DEAP's, number for number."""

import numpy as np
import pytest
from deap import tools

from operators.orders import (
    RandomNumbers,
    biased_crossover,
    drawing_from,
    ordered_crossover,
    partially_matched_crossover,
    shuffle_indexes,
)

SIZES = [2, 3, 9, 64]


def two_orders(size: int, seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.permutation(size).astype(np.uint16) for _ in range(2)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("compiled", "of_deap"),
    [(ordered_crossover, tools.cxOrdered), (partially_matched_crossover, tools.cxPartialyMatched)],
)
def test_crossovers_give_what_those_of_deap_give(compiled, of_deap, size: int) -> None:
    for seed in range(60):
        one, other = two_orders(size, seed)
        mine, theirs = np.random.default_rng(seed), np.random.default_rng(seed)
        expected = drawing_from(theirs, of_deap)(one.tolist(), other.tolist())
        compiled(mine, one, other)
        assert [one.tolist(), other.tolist()] == list(expected)
        assert sorted(one) == sorted(other) == list(range(size))
        assert mine.random() == theirs.random()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_the_mutation_gives_what_that_of_deap_gives(size: int, share: float) -> None:
    for seed in range(30):
        order, _ = two_orders(size, seed)
        mine, theirs = np.random.default_rng(seed), np.random.default_rng(seed)
        (expected,) = drawing_from(theirs, tools.mutShuffleIndexes)(order.tolist(), share)
        before = order.copy()
        shuffle_indexes(mine, order, share)
        assert order.tolist() == expected
        assert mine.random() == theirs.random()
        assert (order == before).all() or share > 0


def test_samples_and_integers_are_uniform_and_samples_have_no_number_twice() -> None:
    numbers = RandomNumbers(np.random.default_rng(1))
    drawn = [tuple(numbers.sample(range(3), 2)) for _ in range(3_000)]
    counts = [drawn.count((first, last)) for first in range(3) for last in range(3) if first != last]
    assert sum(counts) == 3_000
    assert all(400 < count < 600 for count in counts)  # five standard deviations
    assert {numbers.randint(2, 4) for _ in range(100)} == {2, 3, 4}


def test_a_child_of_random_keys_has_each_key_of_a_parent_with_a_bias() -> None:
    rng = np.random.default_rng(1)
    better, other = rng.random(20_000), rng.random(20_000)
    child = biased_crossover(rng, better, other, 0.7)
    assert ((child == better) | (child == other)).all()
    assert abs((child == better).mean() - 0.7) < 0.02
    assert (biased_crossover(rng, better, other, 1.0) == better).all()
