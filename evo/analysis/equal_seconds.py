"""Runs as they were after some seconds of computing: for comparing what costs unlike time for an evaluation."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from evo.errors import ConfigError
from evo.experiments.rows import Row, rows_of, some_labels

_KEYS = [*Row._fields, "run"]
_THEN, _ENDED, _UNFINISHED, _SILENT, _UNTRACED = "then", "ended", "unfinished", "silent", "untraced"
"""What is known of a run: what it had then, or that it had ended before; and three ways not to count."""


def after_seconds(runs: pd.DataFrame, trace: pd.DataFrame, seconds: float) -> pd.DataFrame:
    """The runs that can be judged after so many seconds, with what they had found by then.

    A run has the best score of its last trace point until then. One that had ended before keeps its final score. A run
    does not count where it has not come so far yet, had not reported anything by then, or has no trace (those of other
    programs) and is not known to have ended. Give the result to `compare`.

    Args:
        runs: One row per run.
        trace: One row per trace point of these runs.
        seconds: Of computing.

    Returns:
        Runs like those given, whose best_score, evaluations and seconds are those of then. All of them are done, for
        they count, and have no board: that of then was not kept.

    Raises:
        ConfigError: The seconds are not a number above 0, or no run can be judged.
    """
    fates = _fates(runs, trace, seconds)
    if not fates["fate"].isin((_THEN, _ENDED)).any():
        why = "; ".join(_notes(fates, seconds)) or "there is no run"
        raise ConfigError(f"no run can be judged after {seconds:g} seconds: {why}")
    kept = fates[fates["fate"].isin((_THEN, _ENDED))].copy()
    then = kept["fate"] == _THEN
    for name in ("best_score", "evaluations"):
        kept[name] = kept[name].where(~then, kept[f"{name}_then"]).astype(np.int64)
    kept["seconds"] = kept["seconds"].where(~then, seconds)
    return kept[list(runs.columns)].assign(state="done", board_url="")


def notes_after(runs: pd.DataFrame, trace: pd.DataFrame, seconds: float) -> list[str]:
    """What a reader of a comparison after so many seconds has to know: runs that do not count, or had ended before."""
    return _notes(_fates(runs, trace, seconds), seconds)


def _fates(runs: pd.DataFrame, trace: pd.DataFrame, seconds: float) -> pd.DataFrame:
    """The runs, what each had then (NaN where nothing is known), and what that means for it (the column fate)."""
    if not 0 < seconds < math.inf:
        raise ConfigError(f"seconds: expected a number above 0; found {seconds:g}")
    until = trace[trace["seconds"] <= seconds].groupby(_KEYS)  # neither the best nor the evaluations ever fall
    then = until.agg(best_score_then=("best", "max"), evaluations_then=("evaluations", "max"))
    whole = trace.groupby(_KEYS).agg(traced=("seconds", "max"))
    found = runs.merge(then.reset_index(), "left", on=_KEYS).merge(whole.reset_index(), "left", on=_KEYS)
    done, traced = found["state"] == "done", found["traced"].notna()
    conditions = [
        done & (found["seconds"] <= seconds),
        ~done & (found[["seconds", "traced"]].max(axis=1) < seconds),
        found["best_score_then"].notna(),
        traced,
    ]
    found["fate"] = np.select(conditions, [_ENDED, _UNFINISHED, _THEN, _SILENT], _UNTRACED)
    return found


def _notes(fates: pd.DataFrame, seconds: float) -> list[str]:
    said = {
        _UNFINISHED: f"have not come to {seconds:g} seconds yet and do not count",
        _SILENT: f"had not reported anything after {seconds:g} seconds and do not count",
        _UNTRACED: f"have no trace to tell what they had after {seconds:g} seconds and do not count",
        _ENDED: f"had ended before {seconds:g} seconds and count with their final scores",
    }
    found = []
    for fate, text in said.items():
        those = fates[fates["fate"] == fate]
        if fate == _ENDED:
            those = those[those["seconds"] < seconds]
        if len(those):
            found.append(f"{len(those)} of {len(fates)} runs {text} ({some_labels(rows_of(those))})")
    return found
