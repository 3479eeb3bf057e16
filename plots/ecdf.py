"""ECDF over targets, as IOHprofiler and COCO draw it: how many (run, target) pairs are reached within a budget."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray

from plots.curves import (
    algorithms_of,
    curve_frame,
    curve_samples,
    draw_line,
    evaluation_grid,
    panel_title,
    panels_of,
    row_dashes,
    run_series,
    setting_names,
)
from plots.layout import evaluations_axis, panel_sheet
from plots.style import DASHES, Row, by_row, looks, printed
from puzzles import PuzzleError

TARGETS = 51
_TARGETS = ["targets", "lowest", "highest"]
_TOLD_APART = 5  # curves in one panel, when each has a line style of its own


def default_targets(trace: pd.DataFrame) -> list[int]:
    """Whole scores evenly spread from the lowest that any run begins with to the highest that any reaches."""
    if trace.empty:
        return []
    lowest, highest = trace["best"].min(), trace["best"].max()  # the best never falls: the lowest is a first one
    return [int(score) for score in np.unique(np.rint(np.linspace(lowest, highest, TARGETS)))]


def ecdf_curves(trace: pd.DataFrame, targets: Sequence[int] | None = None) -> pd.DataFrame:
    """The share of pairs of a run and a target score that are reached, as evaluations go by.

    Args:
        trace: One row per trace point.
        targets: Scores; by default `default_targets`.

    Returns:
        The columns setting, init, fitness, algorithm, targets (how many), lowest and highest (of them), evaluations,
        share.
    """
    scores = np.array(default_targets(trace) if targets is None else targets, dtype=np.float64)
    if targets is not None and not len(scores):
        raise PuzzleError("an ECDF needs at least one target")
    curves, algorithms = [], algorithms_of(trace)
    for row, runs in run_series(trace, "best").items():
        hits = np.sort(np.concatenate([_hits(evaluations, best, scores) for evaluations, best in runs]))
        grid = evaluation_grid(1, max(int(evaluations[-1]) for evaluations, _ in runs))
        share = np.searchsorted(hits, grid, side="right") / (len(runs) * len(scores))
        about = {"targets": len(scores), "lowest": int(scores.min()), "highest": int(scores.max())}
        numbers = {"algorithm": algorithms[row.setting], **about, "evaluations": grid, "share": share}
        curves.append({**row._asdict(), **numbers})
    return curve_frame(curves, [*Row._fields, "algorithm", "targets", "lowest", "highest", "evaluations", "share"])


@printed
def draw_ecdf(curves: pd.DataFrame, *, settings: Sequence[str] = ()) -> Figure:
    """Draw ECDF curves: one for each row, in panels by initialisation and fitness where there are many.

    Args:
        curves: From `ecdf_curves`.
        settings: All settings of the experiment, where these are but some of them: they get the same looks.
    """
    if curves.empty:
        raise PuzzleError("no run has a trace yet")
    parts = by_row(curves)
    rows = list(parts)
    styles = looks([*settings, *(row.setting for row in rows)])
    many = len(rows) > _TOLD_APART
    panels = panels_of(rows) if many else {("", ""): rows}
    dashes = {} if many else row_dashes(rows)
    heading = "ECDF over targets", f"pairs of a run and {_targets_text(*curves[_TARGETS].iloc[0])}"
    labels = "evaluations", "share of pairs reached"
    legend = curve_samples(rows, styles, setting_names(rows, algorithms_of(curves)) if many else None)
    titles = [panel_title(panel) for panel in panels]
    figure, axes = panel_sheet(titles, labels, heading, legend, groups=["share"] * len(titles))
    for panel, members in zip(axes, panels.values(), strict=True):
        for shift, row in enumerate(members):
            curve, style = parts[row], dashes.get(row.variant, DASHES[0])
            evaluations, share = curve["evaluations"].to_numpy(), curve["share"].to_numpy()
            draw_line(panel, evaluations, share, styles[row.setting], shift=shift, style=style)
    evaluations_axis(axes[0], 1, int(curves["evaluations"].max()))
    axes[0].set_ylim(0, 1.02)
    return figure


def _targets_text(count: int, lowest: int, highest: int) -> str:
    return f"one of {count} target scores from {lowest} to {highest}" if count > 1 else f"the target score {lowest}"


def _hits(
    evaluations: NDArray[np.int64], best: NDArray[np.float64], targets: NDArray[np.float64]
) -> NDArray[np.float64]:
    """After how many evaluations a run reaches each target; infinity for those it never does."""
    places = np.searchsorted(best, targets, side="left")
    return np.append(evaluations.astype(np.float64), np.inf)[places]
