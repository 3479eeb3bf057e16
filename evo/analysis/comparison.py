"""Comparisons between the rows of an experiment, with a test, an effect size and a verdict."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from evo.analysis.runs import Scores, early, out_of_time, scores_of
from evo.analysis.statistics import (
    SIGNIFICANCE_LEVEL,
    effect_statement,
    holm,
    least_p,
    magnitude,
    mann_whitney,
    vargha_delaney,
)
from evo.errors import ConfigError
from evo.experiments.rows import FITNESSES, Row, rows_of, some_labels

By = Literal["fitness", "init", "setting"]
NO_DIFFERENCE = "no difference shown"
TOO_FEW = "too few runs"
_LATE = 1.1
"""A run can only stop after a generation; one that exceeds its time limit by this factor had an advantage."""

_COLUMNS = [
    *("group", "first", "second", "first_n", "second_n", "first_median", "second_median", "first_mean", "second_mean"),
    *("effect", "magnitude", "p", "p_holm", "decidable", "significant", "verdict", "evidence"),
]
_VERDICTS = ["setting", "init", "normal_n", "combined_n", "p", "effect", "verdict", "evidence"]


class _Pair(NamedTuple):
    group: Row
    first: Row
    second: Row


def compare(runs: pd.DataFrame, by: By) -> pd.DataFrame:
    """Compare all pairs of rows that differ in exactly one property.

    By fitness, the combined runs of a setting are compared with its normal ones, for each initialisation; by init, its
    knowledge runs with its random ones. By setting, every two settings with the same initialisation and fitness are
    compared. A row without a fitness (MOEA), or without either (RAND, ES, most foreign rows), is compared with every
    row that agrees with it in the properties it has: MOEA_1 random is compared with GA_1 random normal and GA_1 random
    combined, but not with GA_1 knowledge combined; ES is compared with all rows.

    Only completed runs count. To compare scores after a number of seconds, pass the result of `after_seconds`. Holm's
    correction covers all decidable comparisons of the table.

    Args:
        runs: One line per run.
        by: The property in which the two sides differ.

    Returns:
        One line per comparison: the shared properties (group) and the two sides (first, second); the number, median
        and mean of their scores; the effect (Vargha and Delaney's A: the probability that the first beats the second)
        and its magnitude; the p value of a two-sided Mann-Whitney test (p), also corrected (p_holm); whether any
        outcome could be significant with so few runs (decidable; if not, p_holm is NaN and the verdict is "too few
        runs"); whether the comparison is significant; the verdict; and the effect and p value as text (evidence).

    Raises:
        ConfigError: No two rows can be compared in this way; the message says which other comparisons are possible.
    """
    if by not in get_args(By):
        raise ConfigError(f"by: {by!r} is not one of {', '.join(get_args(By))}")
    scores = scores_of(runs)
    pairs = _pairs(list(scores), by)
    if not pairs:
        raise ConfigError(_instead(list(scores), by))
    return _table(scores, pairs, by)


def fitness_verdicts(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the comparison of combined with normal fitness, one line per setting and initialisation; may be empty.

    Args:
        runs: One line per run.

    Returns:
        The columns setting, init, normal_n, combined_n, p (corrected by Holm), effect (the probability that combined
        beats normal), verdict and evidence.
    """
    scores = {row: found for row, found in scores_of(runs).items() if row.fitness in FITNESSES}
    pairs = _pairs(list(scores), "fitness")
    table = _table(scores, pairs, "fitness")
    table["setting"], table["init"] = [pair.group.setting for pair in pairs], [pair.group.init for pair in pairs]
    table["p"] = table["p_holm"]
    return table.rename(columns={"first_n": "combined_n", "second_n": "normal_n"})[_VERDICTS]


def notes(runs: pd.DataFrame) -> list[str]:
    """Return what a reader of a comparison needs to know: which runs do not count, and which budgets differ."""
    found = []
    done = runs[runs["state"] == "done"].reset_index(drop=True)
    if len(done) < len(runs):
        found.append(f"{len(runs) - len(done)} of {len(runs)} runs are not done and are ignored")
    timed = out_of_time(done)
    ended = early(done).drop(timed.index)
    if len(ended):
        found.append(
            f"{len(ended)} of {len(done)} runs ended early, solved or out of time, after {_made(ended)} evaluations"
        )
    for limit, group in timed.groupby("seconds_limit"):
        over = f"reached their limit of {limit:g} seconds, after {_made(group)} evaluations"
        found.append(f"{len(group)} of {len(done)} runs {over}")
    late = timed[timed["seconds"] > _LATE * timed["seconds_limit"]]
    if len(late):
        most = f"up to {late['seconds'].max():.3g} seconds ({some_labels(rows_of(late))})"
        found.append(f"{len(late)} of {len(done)} runs exceeded their time limit, taking {most}")
    # The budget of a run with a time limit is that limit, unless the run spent its evaluations first.
    limited = early(done).dropna(subset="seconds_limit")
    spent = {budget: rows_of(group) for budget, group in done.drop(limited.index).groupby("budget")}
    unknown = spent.pop(0, [])
    budgets = {f"{budget:,} evaluations": rows for budget, rows in spent.items()}
    budgets |= {f"{limit:g} seconds": rows_of(group) for limit, group in limited.groupby("seconds_limit")}
    if len(budgets) > 1:
        each = "; ".join(f"{budget} for {some_labels(rows)}" for budget, rows in budgets.items())
        found.append(f"the budgets differ: {each}")
    if unknown:
        found.append(f"the budget of {some_labels(unknown)} is unknown")
    return found


def _made(runs: pd.DataFrame) -> str:
    least, most = runs["evaluations"].min(), runs["evaluations"].max()
    return f"{least:,} to {most:,}" if least < most else f"{least:,}"


def _pairs(rows: list[Row], by: By) -> list[_Pair]:
    """Return the pairs to compare, with those of a group next to each other."""
    pairs = list(_matches(rows, by))
    groups = list(dict.fromkeys(pair.group for pair in pairs))
    return sorted(pairs, key=lambda pair: groups.index(pair.group))


def _matches(rows: list[Row], by: By) -> Iterator[_Pair]:
    for first, second in combinations(rows, 2):
        if getattr(first, by) == getattr(second, by):
            continue
        if by == "setting":
            if all(one == other or "" in (one, other) for one, other in zip(first[1:], second[1:], strict=True)):
                yield _Pair(Row("", first.init or second.init, first.fitness or second.fitness), first, second)
        elif getattr(first, by) and getattr(second, by) and first._replace(**{by: ""}) == second._replace(**{by: ""}):
            yield _Pair(first._replace(**{by: ""}), second, first)  # knowledge before random, combined before normal


def _table(scores: dict[Row, Scores], pairs: list[_Pair], by: By) -> pd.DataFrame:
    lines = [_line(scores, pair, by) for pair in pairs]
    # Comparisons that no outcome could decide stay out of the correction, so that they do not weaken the others.
    decidable = [line for line in lines if line["decidable"]]
    for line, p_holm in zip(decidable, holm([line["p"] for line in decidable]), strict=True):
        line["p_holm"] = p_holm
    for line in lines:
        line["significant"] = line["p_holm"] < SIGNIFICANCE_LEVEL
        line["verdict"] = _verdict(line)
        line["evidence"] = effect_statement(line["effect"], line["p_holm"])
    return pd.DataFrame(lines, columns=_COLUMNS)


def _line(scores: dict[Row, Scores], pair: _Pair, by: By) -> dict[str, Any]:
    first, second = scores[pair.first], scores[pair.second]
    effect = vargha_delaney(first, second)
    return {
        "group": pair.group.label or "all",
        "first": getattr(pair.first, by),
        "second": getattr(pair.second, by),
        "first_n": len(first),
        "second_n": len(second),
        "first_median": float(np.median(first)),
        "second_median": float(np.median(second)),
        "first_mean": float(np.mean(first)),
        "second_mean": float(np.mean(second)),
        "effect": effect,
        "magnitude": magnitude(effect),
        "p": mann_whitney(first, second),
        "p_holm": math.nan,
        "decidable": least_p(len(first), len(second)) < SIGNIFICANCE_LEVEL,
    }


def _verdict(line: dict[str, Any]) -> str:
    if not line["decidable"]:
        return TOO_FEW
    if not line["significant"]:
        return NO_DIFFERENCE
    return f"{line['first'] if line['effect'] > 0.5 else line['second']} better"


def _instead(rows: list[Row], by: By) -> str:
    """Return why nothing can be compared by this property, and by which others one can compare."""
    if len(rows) < 2:
        there = f"only {rows[0].label} has completed runs" if rows else "no run is done yet"
        return f"there is nothing to compare: {there}"
    others = [other for other in get_args(By) if _pairs(rows, other)]
    return f"no two rows differ in {by} alone" + (f"; compare by {' or '.join(others)}" if others else "")
