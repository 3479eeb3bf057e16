"""Tests and effect sizes for scores of independent runs: Mann-Whitney, Vargha-Delaney, Holm and Welch's contrasts.

The significance level, the thresholds of effect sizes, and the notation of p values are defined here and nowhere else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evo.errors import ConfigError

Alternative = Literal["two-sided", "greater", "less"]
SIGNIFICANCE_LEVEL = 0.05
"""A p value below this level is significant."""
EFFECT_SIZES = {"small": 0.56, "medium": 0.64, "large": 0.71}
"""The least value of Vargha and Delaney's A at which they call an effect small, medium or large."""
MOST_EXACT = 60
"""The largest total number of runs for which p values are exact; beyond it the normal approximation is used."""
_ROUNDING = 1 / 12  # the variance of rounding to whole numbers
_SMALLEST_P = 0.0001

_Array = NDArray[np.float64]


def mann_whitney(first: ArrayLike, second: ArrayLike, alternative: Alternative = "two-sided") -> float:
    """Return the p value of the Mann-Whitney test of two samples.

    Scores are whole numbers and often tie, and with few runs and many ties the usual normal approximation is badly
    wrong: it gives 0.0008 for two scores of 9 being greater than ten scores of 8, although the exact probability is 1
    in 66. For up to `MOST_EXACT` runs the p value is therefore computed over all assignments of the scores to the two
    samples, including ties. Beyond that it is scipy's approximation with correction for ties.

    Args:
        first: The scores of one sample.
        second: The scores of the other sample.
        alternative: The alternative hypothesis: the samples differ ("two-sided"), or the first is "greater" or "less".

    Returns:
        The p value; 1 if all scores are equal.

    Raises:
        ConfigError: A sample is empty.
    """
    ours, others = _samples(first, second)
    _, place, counts = np.unique(np.concatenate([ours, others]), return_inverse=True, return_counts=True)
    if len(counts) == 1:
        return 1.0
    if len(place) > MOST_EXACT:
        from scipy import stats  # slow to import and seldom needed

        return float(stats.mannwhitneyu(ours, others, alternative=alternative, method="asymptotic").pvalue)
    doubled = (2 * np.cumsum(counts) - counts + 1)[place]  # twice the mean rank of tied scores: a whole number
    chances = _rank_sum_chances(doubled, len(ours))
    at = int(doubled[: len(ours)].sum())
    less, greater = float(chances[: at + 1].sum()), float(chances[at:].sum())
    p = {"less": less, "greater": greater, "two-sided": 2 * min(less, greater)}[alternative]
    return min(1.0, p)


def least_p(first_count: int, second_count: int, alternative: Alternative = "two-sided") -> float:
    """Return the smallest p value that samples of these sizes can have, when they do not overlap."""
    sides = 2 if alternative == "two-sided" else 1
    return min(1.0, sides / math.comb(first_count + second_count, first_count))


def vargha_delaney(first: ArrayLike, second: ArrayLike) -> float:
    """Return Vargha and Delaney's A: the probability that the first beats the second, with ties counted as half."""
    ours, others = _samples(first, second)
    return float((np.sign(ours[:, None] - others[None, :]).mean() + 1) / 2)


def magnitude(effect: float) -> str:
    """Return Vargha and Delaney's word for an effect size, in either direction."""
    size = round(max(effect, 1 - effect), 9)  # 1 - 0.44 is slightly more than 0.56
    return next((word for word, least in reversed(EFFECT_SIZES.items()) if size >= least), "negligible")


def p_text(p: float) -> str:
    """Return a p value as text, such as "0.0123" or "< 0.0001"; a dash if it is NaN.

    It has four decimal places, or more where rounding would make a significant value look insignificant.
    """
    if math.isnan(p):
        return "-"
    if p < _SMALLEST_P:
        return f"< {_SMALLEST_P}"
    places = 4
    while p < SIGNIFICANCE_LEVEL <= float(f"{p:.{places}f}"):
        places += 1
    return f"{p:.{places}f}"


def p_statement(p: float) -> str:
    """Return a p value as a statement, such as "p = 0.0123" or "p < 0.0001"."""
    text = p_text(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def effect_statement(effect: float, p: float) -> str:
    """Return an effect size as a statement, followed by the p value unless that is NaN."""
    return f"A = {effect:.2f}" if math.isnan(p) else f"A = {effect:.2f}, {p_statement(p)}"


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values corrected for multiple comparisons by Holm's method.

    The smallest is multiplied by the number of p values, the next by one less, and so on; none may fall below the
    corrected value before it.
    """
    count = len(p_values)
    corrected = [0.0] * count
    highest = 0.0
    for place, index in enumerate(sorted(range(count), key=lambda index: p_values[index])):
        highest = max(highest, min(1.0, (count - place) * p_values[index]))
        corrected[index] = highest
    return corrected


def contrast_p(samples: Sequence[ArrayLike], weights: Sequence[float]) -> float:
    """Return the p value of the hypothesis that a weighted sum of means is above zero: Welch's test of a contrast.

    The samples may have different variances. Since scores are whole numbers, the variance of a sample is taken to be at
    least 1/12, that of rounding.

    Args:
        samples: The scores; at least two in each sample.
        weights: The weight of each sample.

    Returns:
        The one-sided p value, by Student's distribution with Satterthwaite's degrees of freedom.

    Raises:
        ConfigError: A sample has fewer than two scores.
    """
    total, parts, freedom = 0.0, [], []
    for sample, weight in zip(samples, weights, strict=True):
        scores = np.asarray(sample, np.float64)
        if len(scores) < 2:
            raise ConfigError(f"a contrast needs at least two runs of each row; found {len(scores)}")
        total += weight * float(scores.mean())
        parts.append(weight**2 * max(float(scores.var(ddof=1)), _ROUNDING) / len(scores))
        freedom.append(len(scores) - 1)
    return _above_zero(total, parts, freedom)


def welch(first: tuple[float, float, int], second: tuple[float, float, int]) -> float:
    """Return the two-sided p value of Welch's test of two samples of which only summary statistics are known.

    As in `contrast_p`, the variance of a sample is taken to be at least 1/12.

    Args:
        first: The mean of the first sample, its population standard deviation (as in the paper), and its size.
        second: The same of the second sample.
    """
    parts = [max(deviation**2 * n / (n - 1), _ROUNDING) / n for _, deviation, n in (first, second)]
    return 2 * _above_zero(abs(first[0] - second[0]), parts, [first[2] - 1, second[2] - 1])


def _above_zero(total: float, parts: Sequence[float], freedom: Sequence[int]) -> float:
    """Return the p value of a sum being above zero, given the variances and degrees of freedom of its terms."""
    from scipy.special import stdtr  # slow to import

    error = sum(parts)
    degrees = error**2 / sum(part**2 / free for part, free in zip(parts, freedom, strict=True))
    return float(stdtr(degrees, -total / error**0.5))


def _samples(first: ArrayLike, second: ArrayLike) -> tuple[_Array, _Array]:
    ours, others = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if not len(ours) or not len(others):
        raise ConfigError("a comparison needs at least one run of each row")
    return ours, others


def _rank_sum_chances(ranks: NDArray[np.int64], size: int) -> _Array:
    """Return the probability of each sum of `size` of the ranks, if all choices are equally likely."""
    ways = np.zeros((size + 1, int(ranks.sum()) + 1))
    ways[0, 0] = 1
    for rank in ranks:  # each rank is chosen or not; the copy on the right does not include it yet
        ways[1:, rank:] += ways[:-1, : ways.shape[1] - rank].copy()
    chances: _Array = ways[size] / ways[size].sum()
    return chances
