"""What a conclusion can rest on: rows that beat others, statistics above zero, and shares that are near or close."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evo.analysis.comparison import SIGNIFICANT
from evo.analysis.rows import Row, Scores
from evo.analysis.statistics import bootstrap_p, least_p, mann_whitney, vargha_delaney

LEAST_RUNS = 3
"""A row with fewer runs that are done is no evidence."""
_SEED = 1

ScoresByRow = dict[Row, Scores]
Means = NDArray[np.float64]


class Part(NamedTuple):
    """A part of a conclusion: whether it holds (None: not enough data), in words, with effect size and p value."""

    holds: bool | None
    said: str
    effect: float = math.nan
    measure: str = ""
    p: float = math.nan


class Claim(NamedTuple):
    """A statistic of the means of some rows that is claimed to be above zero."""

    words: str
    rows: Sequence[Row]
    statistic: Callable[[Means], Means]
    """From the means, one line per row, to the statistic, for each column."""


def more_in(words: str, first: list[Row], second: list[Row], statistic: Callable[[Means], Means]) -> Claim:
    """The claim that a statistic is greater for some rows than for others."""
    return Claim(words, first + second, lambda means: statistic(means[: len(first)]) - statistic(means[len(first) :]))


def enough(scores: ScoresByRow, rows: Iterable[Row]) -> bool:
    """Whether all these rows are there; `scores` holds rows with enough runs only."""
    return all(row in scores for row in rows)


def all_hold(parts: Sequence[bool | None]) -> bool | None:
    """Whether all of some statements hold: one that does not settles it, and otherwise all must be known."""
    return False if False in parts else None if None in parts else True


def all_beat(scores: ScoresByRow, pairs: Sequence[tuple[Row, Row]], claim: str, needed: Iterable[str]) -> Part:
    """Whether the first row of every pair beats the second: one-sided Mann-Whitney tests.

    Args:
        scores: What there is.
        pairs: The comparisons that the paper's table allows.
        claim: The statement in words.
        needed: Beginnings of settings' names, each with a comparison that can be made at least, or it is no evidence.
    """
    there = [pair for pair in pairs if enough(scores, pair)]
    said = f"{claim}: {len(there)} of {len(pairs)} comparisons can be made"
    missing = [name for name in needed if not any(better.setting.startswith(name) for better, _ in there)]
    if missing:
        return Part(None, f"{said}, none of them for {' and '.join(missing)}")
    if max(least_p(len(scores[one]), len(scores[two]), "greater") for one, two in there) >= SIGNIFICANT:
        return Part(None, f"{said}, with too few runs for any outcome to be significant")
    effects = [vargha_delaney(scores[better], scores[worse]) for better, worse in there]
    p_values = [mann_whitney(scores[better], scores[worse], "greater") for better, worse in there]
    failed = [
        f"{one.label} against {two.label}" for (one, two), p in zip(there, p_values, strict=True) if p >= SIGNIFICANT
    ]
    outcome = f"not shown in {len(failed)} ({_shortly(failed)})" if failed else "shown in all"
    return Part(not failed, f"{said}, {outcome}", min(effects), "least A", max(p_values))


def all_positive(scores: ScoresByRow, claims: Sequence[Claim], measure: str) -> Part:
    """Whether every claim's statistic is above zero: bootstrap tests.

    Args:
        scores: What there is; it has all rows of the claims.
        claims: What is to be above zero.
        measure: What the statistics measure, in words.
    """
    values, p_values = [], []
    for claim in claims:
        samples = [scores[row] for row in claim.rows]
        values.append(float(claim.statistic(np.array([[sample.mean()] for sample in samples]))[0]))
        p_values.append(bootstrap_p(claim.statistic, samples, np.random.default_rng(_SEED)))
    said = ", ".join(f"{claim.words} {value:+.1f}" for claim, value in zip(claims, values, strict=True))
    return Part(all(p < SIGNIFICANT for p in p_values), said, min(values), measure, max(p_values))


def best_row(scores: ScoresByRow, rows: Iterable[Row]) -> Row | None:
    """The row with the greatest mean, of those that are there."""
    return max((row for row in rows if row in scores), key=lambda row: float(scores[row].mean()), default=None)


def _shortly(names: list[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more
