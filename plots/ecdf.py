"""ECDF plots, as IOHprofiler and COCO draw them: the proportion of (run, target) pairs reached within a budget."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray

from plots.curves import (
    OVER_LABELS,
    Over,
    Progress,
    Scale,
    algorithms_of,
    curve_frame,
    draw_line,
    over_of,
    panel_title,
    panels_of,
    progress_axis,
    progress_grids,
    row_dashes,
    row_samples,
    run_series,
    setting_names,
    setting_samples,
)
from plots.errors import PlotError
from plots.layout import panel_sheet
from plots.style import DASHES, Row, by_row, looks, names_of, printed

TARGETS = 51
_TARGETS = ["targets", "lowest", "highest"]
_TOLD_APART = 5  # the largest number of curves in one panel with a line style for each


def default_targets(trace: pd.DataFrame) -> list[int]:
    """Return whole scores, evenly spaced from the lowest to the highest score of any run."""
    if trace.empty:
        return []
    lowest, highest = trace["best"].min(), trace["best"].max()
    return [int(score) for score in np.unique(np.rint(np.linspace(lowest, highest, TARGETS)))]


def ecdf_curves(
    trace: pd.DataFrame,
    targets: Sequence[int] | None = None,
    over: Over = "evaluations",
    scale: Scale = "logarithmic",
) -> pd.DataFrame:
    """Return the proportion of (run, target score) pairs that the runs of each row have reached.

    Args:
        trace: One line per trace point.
        targets: The target scores; by default `default_targets`.
        over: The x axis.
        scale: The scale of the x axis.

    Returns:
        The columns setting, init, fitness, label, algorithm, targets (their number), lowest and highest (target),
        evaluations or seconds, and share.
    """
    scores = np.array(default_targets(trace) if targets is None else targets, dtype=np.float64)
    if targets is not None and not len(scores):
        raise PlotError("an ECDF needs at least one target")
    curves, algorithms, labels = [], algorithms_of(trace), names_of(trace, "label")
    series = run_series(trace, "best", over)
    starts = {row: 1 if over == "evaluations" else min(run[0][0] for run in runs) for row, runs in series.items()}
    grids = progress_grids(starts, {row: max(run[0][-1] for run in runs) for row, runs in series.items()}, over, scale)
    for row, runs in series.items():
        hits = np.sort(np.concatenate([_hits(progress, best, scores) for progress, best in runs]))
        grid = grids[row]
        share = np.searchsorted(hits, grid, side="right") / (len(runs) * len(scores))
        about = {"targets": len(scores), "lowest": int(scores.min()), "highest": int(scores.max())}
        numbers = {"label": labels[row], "algorithm": algorithms[row.setting], **about, over: grid, "share": share}
        curves.append({**row._asdict(), **numbers})
    return curve_frame(curves, [*Row._fields, "label", "algorithm", "targets", "lowest", "highest", over, "share"])


@printed
def draw_ecdf(
    curves: pd.DataFrame, *, settings: Sequence[str] = (), scores: str = "", scale: Scale = "logarithmic"
) -> Figure:
    """Draw an ECDF curve for each row; many rows are split into panels by initialisation and fitness.

    Args:
        curves: The result of `ecdf_curves`.
        settings: All settings of the experiment, so that a setting looks the same in all of its pictures.
        scores: Which edges the scores count, unless all.
        scale: The scale of the x axis, for which the curves were computed.
    """
    if curves.empty:
        raise PlotError("no run has a trace yet")
    parts = by_row(curves)
    rows = list(parts)
    styles = looks([*settings, *(row.setting for row in rows)])
    many = len(rows) > _TOLD_APART
    panels = panels_of(rows) if many else {("", ""): rows}
    dashes = {} if many else row_dashes(rows)
    of = f" ({scores})" if scores else ""
    heading = "ECDF over targets", f"pairs of a run and {_targets_text(*curves[_TARGETS].iloc[0])}{of}"
    labels = OVER_LABELS[over_of(curves)], "proportion of pairs reached"
    if many:
        legend = setting_samples(styles, setting_names(rows, algorithms_of(curves)))
    else:
        legend = row_samples(names_of(curves, "label"), styles)
    titles = [panel_title(panel) for panel in panels]
    figure, axes = panel_sheet(titles, labels, heading, legend, groups=["share"] * len(titles))
    for panel, members in zip(axes, panels.values(), strict=True):
        for shift, row in enumerate(members):
            curve, style = parts[row], dashes.get(row.variant, DASHES[0])
            progress, share = curve[over_of(curves)].to_numpy(), curve["share"].to_numpy()
            draw_line(panel, progress, share, styles[row.setting], shift=shift, style=style)
    progress_axis(axes[0], curves, least=1, scale=scale)
    axes[0].set_ylim(0, 1.02)
    return figure


def _targets_text(count: int, lowest: int, highest: int) -> str:
    return f"one of {count} target scores from {lowest} to {highest}" if count > 1 else f"the target score {lowest}"


def _hits(progress: Progress, best: NDArray[np.float64], targets: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return after how many evaluations or seconds a run reaches each target; infinity if it never does."""
    so_far = np.maximum.accumulate(best)  # the score of a run that reports its current population may fall
    places = np.searchsorted(so_far, targets, side="left")
    return np.append(progress.astype(np.float64), np.inf)[places]
