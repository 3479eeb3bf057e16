"""What docs/evolution.md says of its record: facts that prototypes suggested, tested, and goals."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from evo.analysis.statistics import holm, mann_whitney, p_text, vargha_delaney

EVEN = 2
"""A difference is taken for nothing if its confidence interval lies within this many points of 0."""
LEVEL = 0.05


class Fact(NamedTuple):
    """What prototypes said of two rows."""

    words: str
    before: str
    """The difference that the prototypes had."""
    suite: str
    row: str
    other: str
    expected: Literal["gain", "nothing"]


AS_IT_IS = "as it is"
FACTS = [
    Fact("Boards by search beat boards with knowledge", "+26", "ablations", AS_IT_IS, "start: knowledge", "gain"),
    Fact("Rebuilding beats the paper's mutations", "+4", "ablations", AS_IT_IS, "mutation: the paper's", "gain"),
    Fact("Replacing the worst beats the parent", "+5", "ablations", AS_IT_IS, "selection: own parent", "gain"),
    Fact("Keeping the frame helps the paper's mutations", "+5", "ablations", "mutation: the paper's, frame kept",
         "mutation: the paper's", "gain"),
    Fact("Crossover of one in five gains nothing", "-0.6", "ablations", "crossover: 0.2", AS_IT_IS, "nothing"),
    Fact("Crossover of seven in ten gains nothing", "-0.6", "ablations", "crossover: 0.7", AS_IT_IS, "nothing"),
    Fact("Matched components are no better than regions", "0", "ablations", "crossover: 0.2, components",
         "crossover: 0.2", "nothing"),
    Fact("Best rectangles are no better than regions", "-1.5", "ablations", "crossover: 0.2, best of four rectangles",
         "crossover: 0.2", "nothing"),
    Fact("A larger population gains nothing", "+1", "ablations", "population: 3,000", AS_IT_IS, "nothing"),
    Fact("Repair hardly matters", "+1.2", "ablations", AS_IT_IS, "repair: none", "nothing"),
    Fact("Lexicase selection gains nothing", "-0.6", "ablations", "selection: lexicase", AS_IT_IS, "nothing"),
    Fact("Rare prefixes gain", "+2", "ladder", "8 rare prefixes", "7 boards by search", "gain"),
    Fact("Orders beat random ones, first fit", "+8", "orders", "first fit, ordered", "first fit, random", "gain"),
    Fact("Orders beat random ones, 1,000 nodes", "+4", "orders", "search 1,000, ordered", "search 1,000, random",
         "gain"),
    Fact("Orders beat random ones, 10,000 nodes", "+4", "orders", "search 10,000, ordered", "search 10,000, random",
         "gain"),
    Fact("Random keys gain nothing, 10,000 nodes", "0", "orders", "search 10,000, brkga", "search 10,000, random",
         "nothing"),
    Fact("Orders gain nothing on a beam", "0", "orders", "beam, ordered", "beam, random", "nothing"),
    Fact("Random keys gain nothing on a beam", "-0.3", "orders", "beam, brkga", "beam, random", "nothing"),
]  # fmt: skip
GOALS = {"memetic_60s": 457.5, "memetic_prefix_60s": 460.5, "islands_10min": 461.5}
"""The mean scores to reach, by suite."""


def facts_table(record: pd.DataFrame) -> str:
    """Return a Markdown table with a line for each fact whose runs there are; p values are corrected together."""
    pairs = [(fact, _scores(record, fact.suite, fact.row), _scores(record, fact.suite, fact.other)) for fact in FACTS]
    pairs = [(fact, one, other) for fact, one, other in pairs if len(one) and len(other)]
    lines = ["| expected | prototypes | here (95 %) | n | A | p | verdict |", "|---" * 7 + "|"]
    corrected = holm([mann_whitney(one, other) for _, one, other in pairs])
    for (fact, one, other), p in zip(pairs, corrected, strict=True):
        gain, (low, high) = one.mean() - other.mean(), interval(one, other)
        shown = [f"{gain:+.1f} ({low:+.1f} to {high:+.1f})", f"{len(one)}, {len(other)}"]
        cells = [fact.words, fact.before, *shown, f"{vargha_delaney(one, other):.2f}", p_text(p)]
        lines.append(f"| {' | '.join(cells)} | {verdict(fact.expected, gain, p, (low, high))} |")
    return "\n".join(lines)


def verdict(expected: Literal["gain", "nothing"], gain: float, p: float, bounds: tuple[float, float]) -> str:
    """Return what a test and a confidence interval say of an expected gain, or of the expectation that there is none.

    Args:
        expected: What was expected.
        gain: The difference of the means.
        p: Of the test of no difference, corrected.
        bounds: The confidence interval of the difference.
    """
    if expected == "gain":
        return ("confirmed" if gain > 0 else "refuted") if p < LEVEL else "not confirmed"
    if p < LEVEL:
        return "refuted" if gain > 0 else "confirmed, it loses"
    return "confirmed" if bounds[0] >= -EVEN and bounds[1] <= EVEN else "undecided"


def goals_table(record: pd.DataFrame) -> str:
    """Return a Markdown table with a line for each goal whose runs there are."""
    lines = ["| | to reach | mean | runs | reached |", "|---" * 5 + "|"]
    for suite, goal in GOALS.items():
        scores = record.loc[record["suite"] == suite, "score"]
        if len(scores):
            reached = "yes" if scores.mean() >= goal else "no"
            lines.append(f"| `{suite}` | {goal} | {scores.mean():.1f} | {len(scores)} | {reached} |")
    return "\n".join(lines)


def interval(one: pd.Series, other: pd.Series) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the difference of two means."""
    rng, draws = np.random.default_rng(1), 10_000
    means = [rng.choice(np.asarray(each), (draws, len(each))).mean(axis=1) for each in (one, other)]
    low, high = np.quantile(means[0] - means[1], [0.025, 0.975])
    return float(low), float(high)


def _scores(record: pd.DataFrame, suite: str, row: str) -> pd.Series:
    return record.loc[(record["suite"] == suite) & (record["row"] == row), "score"]
