"""The probabilities of matching edges against all shuffles of small classes of sides."""

from itertools import permutations
from math import log

import numpy as np
import pytest

from solvers import SolverError
from solvers.exact.edge_odds import MOST_SIDES, EdgeOdds


def share(own: list[int], other: list[int], within: int, across: int, asked: tuple[int, ...] = ()) -> float:
    """The share of the shuffles of both classes in which all edges match.

    The first sides of the first class lie at the edges within it, then come those of the edges across, then those that
    are asked for a colour.
    """
    good = total = 0
    for ones in permutations(own):
        pairs = all(ones[2 * k] == ones[2 * k + 1] != 0 for k in range(within))
        given = all(ones[2 * within + across + k] == colour for k, colour in enumerate(asked))
        for others in permutations(other):
            facing = ones[2 * within : 2 * within + across]
            good += pairs and given and all(one == two != 0 for one, two in zip(facing, others, strict=False))
            total += 1
    return good / total


def counts(sides: list[int]) -> np.ndarray:
    return np.bincount(sides, minlength=4)


def logarithm(value: float) -> float:
    return log(value) if value else -np.inf


NONE_DIFFER = np.zeros(1, dtype=np.int64)


@pytest.mark.parametrize(
    ("own", "other"),
    [([1, 1, 1, 1, 2, 2], [1, 2, 2]), ([1, 1, 2, 2, 3, 3], [3, 3]), ([0, 1, 1, 2, 2, 0], [1, 0]), ([1, 2, 3], [1])],
)
def test_each_edge_matches_with_the_share_of_the_shuffles(own: list[int], other: list[int]) -> None:
    for within in range(len(own) // 2 + 1):
        across = min(len(own) - 2 * within, len(other))
        odds = EdgeOdds(counts(own), counts(other), within, across)
        found = sum(float(odds.next_within(NONE_DIFFER)[0]) for _ in range(within))
        assert found == pytest.approx(logarithm(share(own, other, within, 0)))
        found += sum(float(odds.next_across(NONE_DIFFER)[0]) for _ in range(across))
        assert found == pytest.approx(logarithm(share(own, other, within, across)))


def test_sides_that_must_have_a_colour_come_off_the_class() -> None:
    own, other = [1, 1, 1, 2, 2, 2], [1, 2]
    odds = EdgeOdds(counts(own), counts(other), 2, 1)
    found = float(odds.next_asked(1, True, NONE_DIFFER)[0])
    assert found == pytest.approx(log(1 / 2))
    found += float(odds.next_within(NONE_DIFFER)[0])
    assert found == pytest.approx(logarithm(share(own, other, 1, 0, (1,))))
    found += float(odds.next_across(NONE_DIFFER)[0]) + float(odds.next_asked(2, True, NONE_DIFFER)[0])
    assert found == pytest.approx(logarithm(share(own, other, 1, 1, (1, 2))))


def test_after_mismatches_an_edge_matches_as_if_they_had_not_been_there() -> None:
    own = counts([1] * 6 + [2] * 6 + [3] * 4)
    plain, other = EdgeOdds(own, own * 0, 4, 0), EdgeOdds(own, own * 0, 4, 0)
    steps = [float(plain.next_within(NONE_DIFFER)[0]) for _ in range(4)]
    for made in range(4):
        with_mismatches = other.next_within(np.arange(3))
        assert with_mismatches.tolist() == pytest.approx([steps[max(0, made - fewer)] for fewer in range(3)])


def test_large_classes_stay_within_the_range_of_a_float() -> None:
    own = np.full(27, MOST_SIDES // 26)
    own[0] = 0
    odds = EdgeOdds(own, own * 0, MOST_SIDES // 2, 0)
    logs = np.array([float(odds.next_within(NONE_DIFFER)[0]) for _ in range(MOST_SIDES // 2)])
    assert np.isfinite(logs).all()
    assert logs[0] == pytest.approx(log((own * (own - 1)).sum() / MOST_SIDES / (MOST_SIDES - 1)))
    assert logs[-1] == pytest.approx(0)  # the last two sides have the same colour
    with pytest.raises(SolverError, match="too many sides"):
        EdgeOdds(own + 1, own, 1, 1)
