"""The building blocks of a tested conclusion: rows that beat others, and contrasts of means above zero."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from evo.analysis.runs import Scores
from evo.analysis.statistics import SIGNIFICANCE_LEVEL, contrast_p, least_p, mann_whitney, vargha_delaney
from evo.experiments.rows import Row

LEAST_RUNS = 3
"""The least number of completed runs for a row to count as evidence."""

ScoresByRow = dict[Row, Scores]
Verdict = Literal["holds", "does not hold", "not shown", "not enough data"]
HOLDS: Verdict = "holds"
FAILS: Verdict = "does not hold"
NOT_SHOWN: Verdict = "not shown"
"""The runs suffice and the effect points in the claimed direction, but the test does not show it."""
UNKNOWN: Verdict = "not enough data"
"""Rows are missing, or have too few runs for any outcome to be significant."""


class Part(NamedTuple):
    """One part of a conclusion: its verdict, what was compared, and the effect size and p value where there are any."""

    verdict: Verdict
    said: str
    effect: float = math.nan
    measure: str = ""
    p: float = math.nan


class Claim(NamedTuple):
    """The claim that a weighted sum of the means of some rows is above zero."""

    words: str
    weights: dict[Row, float]
    picked_from: int = 1
    """The number of candidates from which the claim was chosen as the most extreme; its p value accounts for it."""

    def value(self, scores: ScoresByRow) -> float:
        """Return the weighted sum."""
        return sum(weight * float(scores[row].mean()) for row, weight in self.weights.items())

    def p(self, scores: ScoresByRow) -> float:
        """Return the one-sided p value of the claim."""
        p = contrast_p([scores[row] for row in self.weights], list(self.weights.values()))
        return min(1.0, self.picked_from * p)


def more(words: str, first: Claim, second: Claim) -> Claim:
    """Return the claim that one sum is greater than another; the two have no row in common."""
    return Claim(words, first.weights | {row: -weight for row, weight in second.weights.items()})


def enough(scores: ScoresByRow, rows: Iterable[Row]) -> bool:
    """Return whether all rows are present; `scores` only holds rows with enough runs."""
    return all(row in scores for row in rows)


def criterion(met: bool | None) -> Verdict:
    """Return the verdict on a plain criterion, which is met, not met, or unknown (None)."""
    return UNKNOWN if met is None else HOLDS if met else FAILS


def joint_verdict(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict on several statements together: a single failure settles it, then missing data."""
    return next((verdict for verdict in (FAILS, UNKNOWN, NOT_SHOWN) if verdict in verdicts), HOLDS)


def all_beat(scores: ScoresByRow, pairs: Sequence[tuple[Row, Row]], claim: str, needed: Iterable[str]) -> Part:
    """Test whether the first row of every pair beats the second, with one-sided Mann-Whitney tests.

    Args:
        scores: The scores of the rows that are present.
        pairs: The comparisons that the paper's table allows.
        claim: The claim in words.
        needed: Prefixes of setting names; each needs at least one possible comparison, or there is not enough data.
    """
    there = [pair for pair in pairs if enough(scores, pair)]
    said = f"{claim}: {len(there)} of {len(pairs)} comparisons are possible"
    missing = [name for name in needed if not any(better.setting.startswith(name) for better, _ in there)]
    if missing:
        return Part(UNKNOWN, f"{said}; there are none for {', '.join(missing)}")
    if max(least_p(len(scores[one]), len(scores[two]), "greater") for one, two in there) >= SIGNIFICANCE_LEVEL:
        return Part(UNKNOWN, f"{said}; there are too few runs for any outcome to be significant")
    effects = [vargha_delaney(scores[better], scores[worse]) for better, worse in there]
    p_values = [mann_whitney(scores[better], scores[worse], "greater") for better, worse in there]
    unshown = [pair for pair, p in zip(there, p_values, strict=True) if p >= SIGNIFICANCE_LEVEL]
    against = [pair for pair, effect in zip(there, effects, strict=True) if effect <= 0.5]
    outcome = f"not shown in {_briefly(unshown)}" if unshown else "shown in all of them"
    if against:
        outcome += f"; level or reversed in {_briefly(against)}"
    return Part(_tested(effects, 0.5, p_values), f"{said}; {outcome}", min(effects), "least A", max(p_values))


def all_positive(scores: ScoresByRow, claims: Sequence[Claim], measure: str) -> Part:
    """Test whether the sum of every claim is above zero, with Welch's tests.

    Args:
        scores: The scores of the rows, including all rows of the claims.
        claims: The claims.
        measure: What the least of the sums is called.
    """
    values, p_values = [claim.value(scores) for claim in claims], [claim.p(scores) for claim in claims]
    said = ", ".join(f"{claim.words} {value:+.1f}" for claim, value in zip(claims, values, strict=True))
    return Part(_tested(values, 0.0, p_values), said, min(values), measure, max(p_values))


def best_row(scores: ScoresByRow, rows: Iterable[Row]) -> Row | None:
    """Return the row with the greatest mean among those that are present."""
    return max((row for row in rows if row in scores), key=lambda row: float(scores[row].mean()), default=None)


def _tested(effects: Sequence[float], none: float, p_values: Sequence[float]) -> Verdict:
    """Return the verdict on several tests: all must be significant, and an effect in the wrong direction refutes."""
    if all(p < SIGNIFICANCE_LEVEL for p in p_values):
        return HOLDS
    return FAILS if min(effects) <= none else NOT_SHOWN


def _briefly(pairs: list[tuple[Row, Row]]) -> str:
    names = [f"{one.label} against {two.label}" for one, two in pairs]
    rest = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{len(names)} ({', '.join(names[:3])}{rest})"
