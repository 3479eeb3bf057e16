"""Convergence plots: median and quartiles of the best score over the runs of each row."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from plots.curves import (
    OVER_LABELS,
    Over,
    Scale,
    algorithms_of,
    draw_quartiles,
    over_of,
    panel_title,
    panels_of,
    progress_axis,
    quartile_curves,
    setting_names,
    setting_samples,
    spread_text,
)
from plots.errors import PlotError
from plots.layout import panel_sheet, whole_numbers
from plots.style import INK, Row, by_row, looks, printed

SCORE = "best score (matching edges)"
PAPER_MEAN = "the paper's mean (5·10⁷ evaluations, of 450 edges)"
_PAPER_DASHES = (0, (4, 3))


def convergence_curves(trace: pd.DataFrame, over: Over = "evaluations", scale: Scale = "logarithmic") -> pd.DataFrame:
    """Return the median and quartiles of the best score over the runs of each row.

    Args:
        trace: One line per trace point.
        over: The x axis.
        scale: The scale of the x axis.

    Returns:
        The columns setting, init, fitness, algorithm, runs (the number), evaluations or seconds, lower, median, upper.
    """
    return quartile_curves(trace, "best", over, scale)


@printed
def draw_convergence(
    curves: pd.DataFrame,
    paper: pd.DataFrame | None = None,
    *,
    settings: Sequence[str] = (),
    score: str = SCORE,
    scale: Scale = "logarithmic",
) -> Figure:
    """Draw convergence curves, in one panel for each initialisation and fitness.

    Args:
        curves: The result of `convergence_curves`.
        paper: The paper's results, whose means are drawn as dashed lines.
        settings: All settings of the experiment, so that a setting looks the same in all of its pictures.
        score: The label of the axis of scores, which says which edges they count.
        scale: The scale of the x axis, for which the curves were computed.
    """
    if curves.empty:
        raise PlotError("no run has a trace yet")
    parts = by_row(curves)
    rows = list(parts)
    styles, panels = looks([*settings, *(row.setting for row in rows)]), panels_of(rows)
    means = paper_means(paper)
    legend = setting_samples(styles, setting_names(rows, algorithms_of(curves)))
    if any(row in means for row in rows):
        legend.append((Line2D([], [], color=INK, linestyle=_PAPER_DASHES, linewidth=0.8), PAPER_MEAN))
    titles = [panel_title(panel) for panel in panels]
    heading = "Convergence", spread_text(curves)
    labels = OVER_LABELS[over_of(curves)], score
    figure, axes = panel_sheet(titles, labels, heading, legend, groups=[init for init, _ in panels])
    for panel, members in zip(axes, panels.values(), strict=True):
        for shift, row in enumerate(members):
            look = styles[row.setting]
            draw_quartiles(panel, parts[row], look, shift=shift)
            if row in means:
                panel.axhline(means[row], color=look.colour, linestyle=_PAPER_DASHES, linewidth=0.8, zorder=1.5)
        whole_numbers(panel, "y")
    progress_axis(axes[0], curves, least=1, scale=scale)
    return figure


def paper_means(paper: pd.DataFrame | None) -> dict[Row, float]:
    """Return the paper's mean score of each of its rows."""
    if paper is None:
        return {}
    keys = [Row(*map(str, row)) for row in paper[list(Row._fields)].to_numpy()]
    return dict(zip(keys, paper["mean"].astype(float), strict=True))
