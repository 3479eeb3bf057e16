import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evo.analysis.statistics import (
    SIGNIFICANCE_LEVEL,
    contrast_p,
    effect_statement,
    holm,
    least_p,
    magnitude,
    mann_whitney,
    p_statement,
    p_text,
    vargha_delaney,
)
from evo.errors import ConfigError

few = st.lists(st.integers(0, 6), min_size=1, max_size=5)
p_lists = st.lists(st.floats(0, 1), max_size=12)


def wins(first: list[int], second: list[int]) -> float:
    return sum((a > b) + (a == b) / 2 for a in first for b in second)


def dealt_p(first: list[int], second: list[int]) -> tuple[float, float]:
    """By dealing all scores anew in every way: how often the first get at least, and at most, as many wins."""
    scores = first + second
    found = []
    for chosen in combinations(range(len(scores)), len(first)):
        ours = [scores[at] for at in chosen]
        others = [scores[at] for at in range(len(scores)) if at not in chosen]
        found.append(wins(ours, others))
    mine = wins(first, second)
    return sum(count >= mine for count in found) / len(found), sum(count <= mine for count in found) / len(found)


@given(few, few)
def test_mann_whitney_counts_all_deals(first: list[int], second: list[int]) -> None:
    greater, less = dealt_p(first, second)
    if len(set(first + second)) > 1:
        assert mann_whitney(first, second, "greater") == pytest.approx(greater)
        assert mann_whitney(first, second, "less") == pytest.approx(less)
        assert mann_whitney(first, second) == pytest.approx(min(1, 2 * min(greater, less)))
    else:
        assert mann_whitney(first, second) == mann_whitney(first, second, "greater") == 1


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(("count", "other", "method"), [(10, 10, "exact"), (29, 31, "exact"), (40, 35, "asymptotic")])
def test_mann_whitney_agrees_with_scipy_where_nothing_ties(
    count: int, other: int, method: str, alternative: str
) -> None:
    rng = np.random.default_rng(5)
    first, second = rng.normal(0.4, 1, count), rng.normal(0, 1, other)
    expected = stats.mannwhitneyu(first, second, alternative=alternative, method=method).pvalue
    assert mann_whitney(first, second, alternative) == pytest.approx(expected)


def test_mann_whitney_of_many_ties_agrees_with_the_normal_curve() -> None:
    rng = np.random.default_rng(6)
    first, second = rng.integers(0, 8, 30), rng.integers(1, 9, 30)
    expected = stats.mannwhitneyu(first, second, method="asymptotic").pvalue
    assert mann_whitney(first, second) == pytest.approx(expected, rel=0.05)


def test_two_runs_of_nine_against_ten_of_eight() -> None:
    assert mann_whitney([9, 9], [8] * 10, "greater") == pytest.approx(1 / 66)
    assert stats.mannwhitneyu([9, 9], [8] * 10, alternative="greater").pvalue < 0.001  # what the docstring warns of


@pytest.mark.parametrize(("first", "second"), [(1, 1), (3, 3), (4, 4), (2, 9), (10, 10)])
def test_the_least_p_is_that_of_samples_that_do_not_overlap(first: int, second: int) -> None:
    low, high = list(range(first)), list(range(100, 100 + second))
    assert least_p(first, second) == pytest.approx(mann_whitney(low, high))
    assert least_p(first, second, "greater") == pytest.approx(mann_whitney(high, low, "greater"))


def test_vargha_delaney_by_hand() -> None:
    assert vargha_delaney([3, 4], [1, 2]) == 1
    assert vargha_delaney([1, 2], [3, 4]) == 0
    assert vargha_delaney([1, 2, 3], [2]) == 0.5
    assert vargha_delaney([2, 5], [2, 3, 4]) == pytest.approx((0.5 + 3) / 6)


@given(few, few)
def test_vargha_delaney_counts_wins(first: list[int], second: list[int]) -> None:
    assert vargha_delaney(first, second) == pytest.approx(wins(first, second) / len(first) / len(second))
    assert vargha_delaney(first, second) + vargha_delaney(second, first) == pytest.approx(1)


@pytest.mark.parametrize(
    ("effect", "word"),
    [
        *(
            (0.5, "negligible"),
            (0.559, "negligible"),
            (0.56, "small"),
            (0.64, "medium"),
            (0.71, "large"),
            (1.0, "large"),
        ),
        *((0.44, "small"), (0.36, "medium"), (0.29, "large"), (0.441, "negligible"), (0.0, "large")),
    ],
)
def test_magnitude(effect: float, word: str) -> None:
    assert magnitude(effect) == word


def test_holm_by_hand() -> None:
    assert holm([]) == []
    assert holm([0.03]) == [0.03]
    # 4 * 0.005 = 0.02; 3 * 0.01 = 0.03; 2 * 0.03 = 0.06; 0.04 may not end below that.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]


@given(p_lists)
def test_holm_keeps_the_order_and_lies_between_none_and_bonferroni(p_values: list[float]) -> None:
    corrected = holm(p_values)
    for p, q in zip(p_values, corrected, strict=True):
        assert p <= q <= min(1, p * len(p_values)) or q == pytest.approx(p)
    for (p, q), (other_p, other_q) in combinations(zip(p_values, corrected, strict=True), 2):
        assert q <= other_q if p < other_p else q >= other_q if p > other_p else q == other_q


@given(p_lists, st.floats(0.01, 0.2))
def test_holm_rejects_what_the_stepwise_procedure_rejects(p_values: list[float], level: float) -> None:
    rejected = []
    for place, (p, index) in enumerate(sorted((p, index) for index, p in enumerate(p_values))):
        if p * (len(p_values) - place) > level:
            break
        rejected.append(index)
    assert [index for index, p in enumerate(holm(p_values)) if p <= level] == sorted(rejected)


def test_a_contrast_of_two_is_welchs_test() -> None:
    rng = np.random.default_rng(2)
    for first_n, second_n, spread in ((40, 40, 1), (3, 7, 5), (10, 2, 0.7)):
        first, second = rng.normal(2, 3, first_n), rng.normal(0, 3 * spread, second_n)
        expected = stats.ttest_ind(first, second, equal_var=False, alternative="greater").pvalue
        assert contrast_p([first, second], [1, -1]) == pytest.approx(expected)
        assert contrast_p([first, second], [-7, 7]) == pytest.approx(1 - expected)


def test_a_contrast_of_four_errs_as_often_as_it_says() -> None:
    """A difference of differences that is not there, with samples that vary very differently."""
    rng = np.random.default_rng(4)
    p_values = []
    for _ in range(2000):
        samples = [rng.normal(mean, sd, 5) for mean, sd in ((300, 2), (280, 8), (90, 12), (70, 1))]
        p_values.append(contrast_p(samples, [1, -1, -1, 1]))
    for level in (0.01, 0.05, 0.5):
        assert np.mean(np.array(p_values) < level) == pytest.approx(level, abs=0.015 if level < 0.5 else 0.05)


def test_a_contrast_of_what_never_varies_has_the_spread_of_rounding() -> None:
    assert contrast_p([[5, 5, 5]], [1]) == pytest.approx(stats.t.sf(5 / (1 / 36) ** 0.5, 2))
    assert contrast_p([[0, 0], [0, 0]], [1, -1]) == 0.5


def test_what_cannot_be_compared_is_said() -> None:
    for test in (mann_whitney, vargha_delaney):
        with pytest.raises(ConfigError, match="at least one run of each row"):
            test([], [1])
    with pytest.raises(ConfigError, match="at least two runs of each row; found 1"):
        contrast_p([[1]], [1])


@given(st.floats(0, 1))
def test_a_significant_p_value_looks_significant(p: float) -> None:
    text = p_text(p)
    if text != "< 0.0001":
        assert (float(text) < SIGNIFICANCE_LEVEL) == (p < SIGNIFICANCE_LEVEL)
        assert abs(float(text) - p) <= 0.00005


def test_p_values_have_four_places_unless_that_is_misleading() -> None:
    values = (0.0, 0.00009, 0.0001, 0.04994, 0.04996, 0.049999, 0.05, 1, math.nan)
    assert [p_text(p) for p in values] == [
        *("< 0.0001", "< 0.0001", "0.0001", "0.0499", "0.04996", "0.049999", "0.0500", "1.0000", "-")
    ]
    assert p_statement(0.0123) == "p = 0.0123"
    assert effect_statement(0.975, 0.0) == "A = 0.97, p < 0.0001"
    assert effect_statement(0.5, math.nan) == "A = 0.50"
