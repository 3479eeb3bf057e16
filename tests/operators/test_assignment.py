"""The assignment kernel against scipy's, which cannot be called from compiled loops."""

from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from operators import OperatorError
from operators.assignment import assign, make_assignment_scratch, make_weights

SCRATCH = make_assignment_scratch(128, 16)


def laid_out(weights: np.ndarray) -> np.ndarray:
    """Weights as the kernel wants them, with rubbish behind the last row and column that counts."""
    room = make_weights(len(weights) + 3)
    room[:] = 255
    room[: len(weights), : len(weights)] = weights
    return room


def solved(weights: np.ndarray) -> tuple[int, list[int]]:
    count = len(weights)
    columns = np.full(count, -7, dtype=np.int32)
    total = assign(laid_out(weights), count, columns, SCRATCH)
    assert sorted(columns.tolist()) == list(range(count))
    assert total == sum(int(weights[row, column]) for row, column in enumerate(columns))
    return total, columns.tolist()


def test_it_is_optimal_on_small_cases_by_enumeration() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        count = int(rng.integers(1, 7))
        weights = rng.integers(0, 8, (count, count))
        best = max(
            sum(weights[row, column] for row, column in enumerate(order)) for order in permutations(range(count))
        )
        assert solved(weights)[0] == best


@pytest.mark.parametrize("kind", ["edges", "few", "penalties", "many", "alike"])
def test_it_is_optimal_as_scipys_is(kind: str) -> None:
    """Two thousand cases of each kind, sizes 1 to 128, ties included."""
    rng = np.random.default_rng([1, *kind.encode()])
    cases = 0
    while cases < 2000:
        count = int(rng.integers(1, 129 if cases % 10 == 0 else 33))
        if kind == "edges":  # mostly 0 and 1, as the tiles of a puzzle give
            weights = rng.choice(5, (count, count), p=[0.55, 0.3, 0.1, 0.04, 0.01])
        elif kind == "few":
            weights = rng.integers(0, 2, (count, count))
        elif kind == "penalties":  # what may not be weighs much less than the rest
            weights = rng.integers(11, 16, (count, count)) * (rng.random((count, count)) > 0.2)
        elif kind == "many":
            weights = rng.integers(0, 16, (count, count))
        else:  # rows that are the same
            weights = rng.integers(0, 5, (3, count))[rng.integers(0, 3, count)]
        rows, columns = linear_sum_assignment(weights, maximize=True)
        assert solved(weights)[0] == weights[rows, columns].sum()
        cases += 1


def test_only_the_part_that_counts_is_looked_at() -> None:
    weights = make_weights(10)
    weights[:] = 99
    weights[:3, :3] = [[1, 2, 3], [2, 4, 6], [3, 6, 9]]
    columns = np.full(10, -7, dtype=np.int32)
    assert assign(weights, 3, columns, SCRATCH) == 14
    assert columns.tolist() == [0, 1, 2] + [-7] * 7
    assert assign(weights, 0, columns, SCRATCH) == 0


def test_prices_stay_within_their_room() -> None:
    """The dearest case: each row wants what the one before it has, all along one path."""
    for count in (2, 5, 64, 65, 128):
        weights = make_weights(count)
        for row in range(count):
            weights[row, row] = 15
            weights[row, max(0, row - 1)] = 15
        scratch = make_assignment_scratch(count, 16)
        columns = np.zeros(count, dtype=np.int32)
        assert assign(weights, count, columns, scratch) == 15 * count
        weights[-1] = 0
        weights[-1, 0] = 15
        counting = weights[:, :count].astype(int)
        expected = counting[linear_sum_assignment(counting, maximize=True)].sum()
        assert assign(weights, count, columns, scratch) == expected


def test_room_for_nothing_is_refused() -> None:
    for most, levels in ((0, 5), (5, 0), (5, 17)):
        with pytest.raises(OperatorError, match="at least one row and 1 to 16 different weights"):
            make_assignment_scratch(most, levels)
