"""What a conclusion can rest on: rows that beat others, contrasts above zero, and shares that are near or close."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from evo.analysis.runs import Scores
from evo.analysis.statistics import SIGNIFICANCE_LEVEL, contrast_p, least_p, mann_whitney, vargha_delaney
from evo.experiments.rows import Row

LEAST_RUNS = 3
"""A row with fewer runs that are done is no evidence."""

ScoresByRow = dict[Row, Scores]


class Part(NamedTuple):
    """A part of a conclusion: whether it holds (None: not enough data), in words, with effect size and p value."""

    holds: bool | None
    said: str
    effect: float = math.nan
    measure: str = ""
    p: float = math.nan


class Claim(NamedTuple):
    """A weighted sum of the means of some rows that is claimed to be above zero."""

    words: str
    weights: dict[Row, float]
    picked_from: int = 1
    """Out of how many it was picked for being the greatest, which its p value has to make up for."""

    def value(self, scores: ScoresByRow) -> float:
        """The sum."""
        return sum(weight * float(scores[row].mean()) for row, weight in self.weights.items())

    def p(self, scores: ScoresByRow) -> float:
        """How surely it is above zero."""
        p = contrast_p([scores[row] for row in self.weights], list(self.weights.values()))
        return min(1.0, self.picked_from * p)


def more(words: str, first: Claim, second: Claim) -> Claim:
    """The claim that one sum is greater than another, of other rows."""
    return Claim(words, first.weights | {row: -weight for row, weight in second.weights.items()})


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
    if max(least_p(len(scores[one]), len(scores[two]), "greater") for one, two in there) >= SIGNIFICANCE_LEVEL:
        return Part(None, f"{said}, with too few runs for any outcome to be significant")
    effects = [vargha_delaney(scores[better], scores[worse]) for better, worse in there]
    p_values = [mann_whitney(scores[better], scores[worse], "greater") for better, worse in there]
    shown = _verdict(effects, 0.5, p_values)
    open_ones = [pair for pair, p in zip(there, p_values, strict=True) if p >= SIGNIFICANCE_LEVEL]
    against = [pair for pair, effect in zip(there, effects, strict=True) if effect <= 0.5]
    outcome = f"not shown in {_shortly(open_ones)}" if open_ones else "shown in all"
    if against:
        outcome += f"; the other way, or level, in {_shortly(against)}"
    return Part(shown, f"{said}, {outcome}", min(effects), "least A", max(p_values))


def all_positive(scores: ScoresByRow, claims: Sequence[Claim], measure: str) -> Part:
    """Whether every claim's sum is above zero: Welch's tests.

    Args:
        scores: What there is; it has all rows of the claims.
        claims: What is to be above zero.
        measure: What the sums measure, in words.
    """
    values, p_values = [claim.value(scores) for claim in claims], [claim.p(scores) for claim in claims]
    said = ", ".join(f"{claim.words} {value:+.1f}" for claim, value in zip(claims, values, strict=True))
    return Part(_verdict(values, 0.0, p_values), said, min(values), measure, max(p_values))


def _verdict(effects: Sequence[float], none: float, p_values: Sequence[float]) -> bool | None:
    """Whether all effects are shown; one that points the other way settles it; else there is not enough data to say."""
    if all(p < SIGNIFICANCE_LEVEL for p in p_values):
        return True
    return False if min(effects) <= none else None


def best_row(scores: ScoresByRow, rows: Iterable[Row]) -> Row | None:
    """The row with the greatest mean, of those that are there."""
    return max((row for row in rows if row in scores), key=lambda row: float(scores[row].mean()), default=None)


def _shortly(pairs: list[tuple[Row, Row]]) -> str:
    names = [f"{one.label} against {two.label}" for one, two in pairs]
    rest = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{len(names)} ({', '.join(names[:3])}{rest})"
