"""The paper's seven conclusions, each tested on the runs of an experiment.

"Better" is tested with a one-sided Mann-Whitney test; a gain, or a difference of gains, with Welch's test of a contrast
of means. All tests of a conclusion must be significant at 0.05, and its p value is the greatest of theirs. Since the
conclusion claims that everything holds, no correction for multiple tests is needed: more tests only make it harder to
uphold. If a test is not significant, the conclusion does not hold when the effect is zero or points in the other
direction; otherwise it is not shown. If rows are missing, or no outcome could be significant, there is not enough data.

What the paper states loosely is tested as a plain criterion, with thresholds taken from its own Table II:

- "near" exhaustive search is 90 % of its median or more. MOEA and the GA with combined fitness have 98 %; all other
  algorithms with random initialisation have 80 % at most.
- "close" and "little difference" are 5 % of the score or less. The largest difference that the paper describes so is
  2.8 % (the GA's gain from combined fitness, with knowledge); the settings of GA and AIEA with random initialisation,
  whose differences knowledge is said to shrink, are at least 17 % apart.

Settings are recognised by their names in Table I. Other rows do not count, nor do rows with fewer than three completed
runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from evo.analysis.claims import (
    FAILS,
    LEAST_RUNS,
    UNKNOWN,
    Claim,
    Part,
    ScoresByRow,
    Verdict,
    all_beat,
    all_positive,
    best_row,
    criterion,
    enough,
    joint_verdict,
    more,
)
from evo.analysis.runs import scores_of
from evo.experiments.rows import PAPER_ROWS, Row

NEAR = 0.90
CLOSE = 0.05

_GA = ("GA_1", "GA_2", "GA_3")
_AIEA = ("AIEA_1", "AIEA_2", "AIEA_3")
_MOEA = ("MOEA_1", "MOEA_2")
_WITH_FITNESS = {"GA": _GA, "AIEA": _AIEA}
_EVOLUTION = ("GA", "AIEA", "MOEA")
_RIVALS = (_GA, _AIEA, ("ES",), ("RAND",))
_ES = Row("ES")
_KINDS = {
    "GA normal": (_GA, "normal"),
    "GA combined": (_GA, "combined"),
    "AIEA normal": (_AIEA, "normal"),
    "AIEA combined": (_AIEA, "combined"),
    "MOEA": (_MOEA, ""),
}
"""The algorithms with their fitness: the settings of one kind differ only in their parameters."""


class Conclusion(NamedTuple):
    """The result of testing one of the paper's conclusions."""

    number: int
    text: str
    comparison: str
    """What was compared, and the outcome, in whole sentences."""
    effect: float | None
    """The least effect among the comparisons, or None."""
    measure: str
    """What the effect measures: the least A of Vargha and Delaney, or a gain or shrinkage in edges."""
    p: float | None
    """The greatest p value among the tests, or None."""
    verdict: Verdict
    note: str
    """How the paper's own figures bear on the conclusion, if they do not plainly support it; may be empty."""


def conclusions(runs: pd.DataFrame) -> list[Conclusion]:
    """Test each of the paper's conclusions on the completed runs.

    Args:
        runs: One line per run.
    """
    paper = set(PAPER_ROWS)
    scores = {row: found for row, found in scores_of(runs).items() if row in paper and len(found) >= LEAST_RUNS}
    return [
        _concluded(number, text, note, test(scores)) for number, (text, test, note) in enumerate(_CONCLUSIONS, start=1)
    ]


def _concluded(number: int, text: str, note: str, parts: list[Part]) -> Conclusion:
    effect, measure = next(((part.effect, part.measure) for part in parts if part.measure), (None, ""))
    p = max((part.p for part in parts if not math.isnan(part.p)), default=None)
    said = [f"{part.said}{' (this part fails)' * (part.verdict == FAILS and len(parts) > 1)}." for part in parts]
    verdict = joint_verdict([part.verdict for part in parts])
    return Conclusion(number, text, " ".join(said), effect, measure, p, verdict, note)


def _knowledge_beats_random(scores: ScoresByRow) -> list[Part]:
    """Compare each setting with knowledge against the same setting with random initialisation."""
    pairs = [(row, row._replace(init="random")) for row in PAPER_ROWS if row.init == "knowledge"]
    return [all_beat(scores, pairs, "Knowledge above random", _EVOLUTION)]


def _beside_exhaustive_search(scores: ScoresByRow) -> list[Part]:
    """Compare each row with knowledge against ES, and the best random setting of each kind as a share of ES."""
    above = all_beat(
        scores, [(row, _ES) for row in PAPER_ROWS if row.init == "knowledge"], "Knowledge above ES", _EVOLUTION
    )
    shares = {kind: _share_of_es(scores, kind) for kind in _KINDS}
    right = [
        None if share is None else (share >= NEAR) == (kind in ("MOEA", "GA combined"))
        for kind, share in shares.items()
    ]
    said = ", ".join(f"{kind} {'unknown' if share is None else f'{share:.0%}'}" for kind, share in shares.items())
    near = f"Best setting with random initialisation, as a share of ES: {said}; {NEAR:.0%} or more counts as near"
    return [above, Part(joint_verdict([criterion(one) for one in right]), near)]


def _combined_helps_random(scores: ScoresByRow) -> list[Part]:
    """Test the mean gain of an algorithm's settings: positive with random, larger in the GA, little with knowledge.

    The gain is averaged over settings because the paper speaks of the algorithms: its AIEA_1 alone gains nothing.
    """
    ga, aiea = (_with_both_fitnesses(scores, settings, "random") for settings in (_GA, _AIEA))
    known = {name: _with_both_fitnesses(scores, settings, "knowledge") for name, settings in _WITH_FITNESS.items()}
    count = sum(len(rows) // 2 for rows in (ga, aiea, *known.values()))
    said = f"Gain from combined fitness: {count} of 12 comparisons are possible"
    if not (ga and aiea and all(known.values())):
        return [Part(UNKNOWN, f"{said}; they do not cover both algorithms with both initialisations")]
    gains = Claim("GA", _gain(ga)), Claim("AIEA", _gain(aiea))
    tested = all_positive(scores, [*gains, more("GA above AIEA", *gains)], "least gain in edges")
    shares = {name: _relative_gain(scores, rows) for name, rows in known.items()}
    small = all(abs(share) <= CLOSE for share in shares.values())
    of_each = ", ".join(f"{name} {share:+.1%}" for name, share in shares.items())
    little = Part(criterion(small), f"With knowledge: {of_each}; {CLOSE:.0%} or less counts as little")
    return [tested._replace(said=f"{said}; with random initialisation: {tested.said}"), little]


def _third_ga_gains_most(scores: ScoresByRow) -> list[Part]:
    """Compare the gain of GA_3 with random initialisation against that of each other setting."""
    gained = {setting: _with_both_fitnesses(scores, (setting,), "random") for setting in _GA + _AIEA}
    others = [setting for setting, rows in gained.items() if rows and setting != "GA_3"]
    said = f"Gain of GA_3 over that of another setting, random: {len(others)} of 5 comparisons are possible"
    if not all(gained[setting] for setting in _GA):
        return [Part(UNKNOWN, f"{said}; they do not cover all settings of the GA")]
    third = Claim("GA_3", _gain(gained["GA_3"]))
    claims = [more(f"over {setting}", third, Claim(setting, _gain(gained[setting]))) for setting in others]
    tested = all_positive(scores, claims, "least difference of gains in edges")
    return [tested._replace(said=f"{said}; {tested.said}")]


def _pressure_helps_immune(scores: ScoresByRow) -> list[Part]:
    """Compare AIEA_2 and AIEA_3, which have more selective pressure, against AIEA_1."""
    pairs = [(row, row._replace(setting="AIEA_1")) for row in PAPER_ROWS if row.setting in ("AIEA_2", "AIEA_3")]
    return [all_beat(scores, pairs, "More pressure above AIEA_1", ("AIEA_2", "AIEA_3"))]


def _multiobjective_is_best(scores: ScoresByRow) -> list[Part]:
    """Compare the medians of MOEA_1 and MOEA_2, and the better one against the best row of each other algorithm."""
    settings = {init: [Row(setting, init) for setting in _MOEA] for init in ("random", "knowledge")}
    apart = {init: _apart(scores, rows) for init, rows in settings.items() if enough(scores, rows)}
    said = " and ".join(f"by {share:.1%} ({init})" for init, share in apart.items()) or "by an unknown amount"
    close = all(share <= CLOSE for share in apart.values()) if apart else None
    differ = f"MOEA_1 and MOEA_2 differ {said}; {CLOSE:.0%} or less counts as close"
    together = Part(criterion(close), differ)
    best = best_row(scores, settings["knowledge"])
    # A GA or AIEA without rows with knowledge has not shown its best.
    shown = [any(row.setting in names and row.init == "knowledge" for row in scores) for names in (_GA, _AIEA)]
    if best is None or not all(shown) or _ES not in scores:
        return [together, Part(UNKNOWN, "MOEA above the best of the others: rows with knowledge, or ES, are missing")]
    rivals = [best_row(scores, [row for row in PAPER_ROWS if row.setting in names]) for names in _RIVALS]
    pairs = [(best, rival) for rival in rivals if rival is not None]
    names = ", ".join(rival.label for _, rival in pairs)
    return [all_beat(scores, pairs, f"{best.label} above the best of the others ({names})", ("MOEA",)), together]


def _knowledge_shrinks_differences(scores: ScoresByRow) -> list[Part]:
    """Test whether the two settings of a kind that are farthest apart with random are closer with knowledge.

    If the settings are already close with random initialisation, there is nothing to shrink; they must stay close.
    """
    claims, close, used = [], [], []
    for kind in _KINDS:
        random, known = _with_both_inits(scores, kind)
        if len(random) < 2:
            continue
        used.append(kind)
        if _apart(scores, random) > CLOSE:
            claims.append(_shrinkage(scores, kind, random, known))
        else:
            apart = _apart(scores, known)
            said = f"The settings of {kind} are close with random initialisation, {apart:.1%} apart with knowledge"
            close.append(Part(criterion(apart <= CLOSE), said))
    said = f"Shrinkage of the largest difference with random initialisation, {len(used)} of {len(_KINDS)} kinds"
    if any(not any(kind.startswith(name) for kind in used) for name in _EVOLUTION):
        return [Part(UNKNOWN, f"{said}; they do not cover every algorithm")]
    if not claims:
        return [Part(FAILS, f"{said}: all are close already, so that there is nothing to shrink"), *close]
    tested = all_positive(scores, claims, "least shrinkage in edges")
    return [tested._replace(said=f"{said}: {tested.said}"), *close]


def _with_both_fitnesses(scores: ScoresByRow, settings: tuple[str, ...], init: str) -> list[Row]:
    """Return the rows of the settings that have both fitnesses, in pairs of combined and normal."""
    pairs = [[Row(setting, init, "combined"), Row(setting, init, "normal")] for setting in settings]
    return [row for pair in pairs if enough(scores, pair) for row in pair]


def _with_both_inits(scores: ScoresByRow, kind: str) -> tuple[list[Row], list[Row]]:
    """Return the random rows, and in the same order the knowledge rows, of the settings that have both."""
    settings, fitness = _KINDS[kind]
    pairs = [(Row(setting, "random", fitness), Row(setting, "knowledge", fitness)) for setting in settings]
    there = [pair for pair in pairs if enough(scores, pair)]
    return [random for random, _ in there], [known for _, known in there]


def _gain(rows: list[Row]) -> dict[Row, float]:
    """Return the weights of the contrast: the gain from combined fitness, averaged over settings."""
    return {row: (2 if row.fitness == "combined" else -2) / len(rows) for row in rows}


def _relative_gain(scores: ScoresByRow, rows: list[Row]) -> float:
    normal = np.mean([scores[row].mean() for row in rows if row.fitness == "normal"])
    return Claim("", _gain(rows)).value(scores) / max(float(normal), 1.0)


def _shrinkage(scores: ScoresByRow, kind: str, random: list[Row], known: list[Row]) -> Claim:
    """Return the claim that the two settings farthest apart with random are closer with knowledge."""
    means = [float(scores[row].mean()) for row in random]
    best, worst = int(np.argmax(means)), int(np.argmin(means))
    sign = 1.0 if scores[known[best]].mean() >= scores[known[worst]].mean() else -1.0
    weights = {random[best]: 1.0, random[worst]: -1.0, known[best]: -sign, known[worst]: sign}
    # The two settings are chosen for being far apart, and so are the kinds that have something to shrink.
    return Claim(kind, weights, math.comb(len(random), 2) * len(_KINDS))


def _apart(scores: ScoresByRow, rows: list[Row]) -> float:
    """Return the range of the median scores of some rows, as a share of the greatest."""
    medians = [float(np.median(scores[row])) for row in rows]
    return (max(medians) - min(medians)) / max(*medians, 1.0)


def _share_of_es(scores: ScoresByRow, kind: str) -> float | None:
    """Return the median of the best random setting of a kind, as a share of the median of ES."""
    settings, fitness = _KINDS[kind]
    best = best_row(scores, [Row(setting, "random", fitness) for setting in settings])
    if best is None or _ES not in scores:
        return None
    return float(np.median(scores[best]) / max(np.median(scores[_ES]), 1.0))


_CONCLUSIONS: list[tuple[str, Callable[[ScoresByRow], list[Part]], str]] = [
    ("Knowledge initialisation beats random initialisation in every algorithm.", _knowledge_beats_random, ""),
    (
        "With knowledge initialisation all rows beat ES; with random only MOEA and GA-combined come near it.",
        _beside_exhaustive_search,
        "In the paper's own Table II, three of the 14 rows are below ES: GA_2 and GA_3 normal, GA_2 combined.",
    ),
    (
        "Combined fitness helps with random initialisation, most in the GA; with knowledge it makes little difference.",
        _combined_helps_random,
        "In the paper's own Table II, AIEA_1 gains nothing with random, and GA_3 gains 29.5 with knowledge.",
    ),
    ("GA_3 gains most from combined fitness.", _third_ga_gains_most, ""),
    ("AIEA improves with selective pressure (AIEA_2, AIEA_3 over AIEA_1).", _pressure_helps_immune, ""),
    (
        "The two MOEA settings are close; MOEA with knowledge initialisation is best overall.",
        _multiobjective_is_best,
        "",
    ),
    (
        "Knowledge initialisation shrinks the differences between settings of one algorithm.",
        _knowledge_shrinks_differences,
        "In the paper's own Table II, this holds for GA and AIEA; the MOEA settings are close in both cases.",
    ),
]
