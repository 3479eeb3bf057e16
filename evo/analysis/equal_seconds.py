"""Runs as they stood after some seconds of computing, for comparing algorithms whose evaluations differ in cost."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from evo.errors import ConfigError
from evo.experiments.rows import Row, rows_of, some_labels

_KEYS = [*Row._fields, "run"]
_THEN, _ENDED, _UNFINISHED, _SILENT, _UNTRACED = "then", "ended", "unfinished", "silent", "untraced"
"""What is known of a run: its state at that time, that it had already ended, or one of three reasons to ignore it."""


def after_seconds(runs: pd.DataFrame, trace: pd.DataFrame, seconds: float) -> pd.DataFrame:
    """Return the runs as they stood after a number of seconds; the result can be passed to `compare`.

    A run has the best score of its last trace point up to that time. A run that had already ended keeps its final
    score. Runs are left out if they have not yet run for that long, had not reported anything by then, or have no trace
    (runs of other programs) and are not known to have ended.

    Args:
        runs: One line per run.
        trace: One line per trace point of these runs.
        seconds: The time, in seconds of computing.

    Returns:
        The runs that can be judged, with their best_score, evaluations and seconds at that time. Their state is "done",
        so that they count. The board of that time was not kept: their board_url is empty, and their true_score is -1
        unless all edges count.

    Raises:
        ConfigError: `seconds` is not a positive number, or no run can be judged.
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
    kept["true_score"] = kept["true_score"].where(~then, kept["best_score"].where(kept["edges"] == "all", -1))
    return kept[list(runs.columns)].assign(state="done", board_url="")


def notes_after(runs: pd.DataFrame, trace: pd.DataFrame, seconds: float) -> list[str]:
    """Return what a reader of a comparison after some seconds needs to know: which runs are ignored or had ended."""
    return _notes(_fates(runs, trace, seconds), seconds)


def _fates(runs: pd.DataFrame, trace: pd.DataFrame, seconds: float) -> pd.DataFrame:
    """Return the runs with their state at that time (NaN if unknown) and what is known of them (the column fate)."""
    if not 0 < seconds < math.inf:
        raise ConfigError(f"seconds: expected a positive number; found {seconds:g}")
    until = trace[trace["seconds"] <= seconds].sort_values("evaluations", kind="stable").groupby(_KEYS, observed=True)
    then = until.agg(best_score_then=("best", "last"), evaluations_then=("evaluations", "last"))
    whole = trace.groupby(_KEYS, observed=True).agg(traced=("seconds", "max"))
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
        _UNFINISHED: f"have not yet run for {seconds:g} seconds and are ignored",
        _SILENT: f"had not reported anything after {seconds:g} seconds and are ignored",
        _UNTRACED: f"have no trace that tells their score after {seconds:g} seconds and are ignored",
        _ENDED: f"ended before {seconds:g} seconds and count with their final scores",
    }
    found = []
    for fate, text in said.items():
        those = fates[fates["fate"] == fate]
        if fate == _ENDED:
            those = those[those["seconds"] < seconds]
        if len(those):
            found.append(f"{len(those)} of {len(fates)} runs {text} ({some_labels(rows_of(those))})")
    return found
