import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators import dominance_rank, dominators, front_distance, tournament_best, tournament_worst

objectives = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 5), st.integers(0, 4)), min_size=1, max_size=60)


def _dominates(one: np.ndarray, other: np.ndarray) -> bool:
    return bool((one >= other).all() and (one > other).any())


@given(objectives)
@settings(max_examples=300)
def test_dominators_equal_the_definition(rows: list[tuple[int, int, int]]) -> None:
    points = np.array(rows, dtype=np.int32)
    expected = [sum(_dominates(other, point) for other in points) for point in points]
    assert dominators(points).tolist() == expected


@given(objectives)
@settings(max_examples=300)
def test_rank_puts_fewer_dominators_first_then_distance_in_the_front(rows: list[tuple[int, int, int]]) -> None:
    points = np.array(rows, dtype=np.int32)
    counts = dominators(points)
    front = np.flatnonzero(counts == 0)
    distance = {int(one): sum(int((points[one] != points[other]).sum()) for other in front) for one in front}
    assert front_distance(points, front).tolist() == [distance[int(one)] for one in front]
    keys = [(int(counts[k]), -distance.get(k, 0)) for k in range(len(points))]
    rank = dominance_rank(points)
    assert ((rank <= 0) == (counts == 0)).all()
    for one in range(len(points)):
        for other in range(len(points)):
            assert (rank[one] < rank[other]) == (keys[one] < keys[other])


def test_dominance_of_a_large_population_is_exact() -> None:
    rng = np.random.default_rng(1)
    points = rng.integers([100, 20, 20], [400, 200, 220], (20_000, 3)).astype(np.int32)
    counts = dominators(points)
    for one in rng.integers(0, len(points), 20):
        assert counts[one] == sum(_dominates(other, points[one]) for other in points)


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_tournaments_choose_as_often_as_they_should(size: int) -> None:
    rng = np.random.default_rng(size)
    fitness = np.array([5, 1, 4, 2, 3], dtype=np.int64)
    order = np.argsort(fitness)
    draws = 20_000
    for select, ranked in ((tournament_best, order), (tournament_worst, order[::-1])):
        counts = np.bincount([select(rng, fitness, size) for _ in range(draws)], minlength=5)[ranked]
        # The k-th best wins when none of the draws is better and one of them is itself.
        expected = np.array([((5 - k) / 5) ** size - ((4 - k) / 5) ** size for k in range(5)]) * draws
        assert (
            float(((counts - expected) ** 2 / np.maximum(expected, 1)).sum()) < 18.5
        )  # 4 degrees of freedom, p = 0.001


def test_without_replacement_nobody_is_drawn_twice() -> None:
    fitness = np.arange(6, dtype=np.int64)
    rng, drawn = np.random.default_rng(1), np.zeros(4, dtype=np.int64)
    for _ in range(500):
        best = tournament_best(rng, fitness, 4, drawn)
        assert len(set(drawn.tolist())) == 4
        assert best == drawn.min() <= 2
        assert tournament_worst(rng, fitness, 4, drawn) == drawn.max() >= 3
    assert tournament_best(rng, fitness, 6, np.zeros(6, dtype=np.int64)) == 0


def test_of_equals_the_first_one_drawn_wins() -> None:
    fitness = np.zeros(50, dtype=np.int64)
    for select in (tournament_best, tournament_worst):
        assert select(np.random.default_rng(9), fitness, 5) == int(np.random.default_rng(9).random() * 50)
