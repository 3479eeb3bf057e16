"""Diversity plots: the proportion of cells in which two individuals of a population differ."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

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
from plots.layout import panel_sheet
from plots.style import by_row, looks, printed


def diversity_curves(trace: pd.DataFrame, over: Over = "evaluations", scale: Scale = "logarithmic") -> pd.DataFrame:
    """Return the median and quartiles of the diversity over the runs of each row that has a population.

    Args:
        trace: One line per trace point.
        over: The x axis.
        scale: The scale of the x axis.

    Returns:
        The columns setting, init, fitness, algorithm, runs (the number), evaluations or seconds, lower, median, upper.
    """
    return quartile_curves(trace, "diversity", over, scale)


@printed
def draw_diversity(curves: pd.DataFrame, *, settings: Sequence[str] = (), scale: Scale = "logarithmic") -> Figure:
    """Draw diversity curves, in one panel for each initialisation and fitness.

    Args:
        curves: The result of `diversity_curves`.
        settings: All settings of the experiment, so that a setting looks the same in all of its pictures.
        scale: The scale of the x axis, for which the curves were computed.
    """
    if curves.empty:
        raise PlotError("no trace contains the diversity of a population yet")
    parts = by_row(curves)
    rows = list(parts)
    styles, panels = looks([*settings, *(row.setting for row in rows)]), panels_of(rows)
    legend = setting_samples(styles, setting_names(rows, algorithms_of(curves)))
    heading = "Population diversity", f"between two individuals; {spread_text(curves)}"
    titles = [panel_title(panel) for panel in panels]
    labels = OVER_LABELS[over_of(curves)], "proportion of cells that differ"
    figure, axes = panel_sheet(titles, labels, heading, legend, groups=["share"] * len(titles))
    for panel, members in zip(axes, panels.values(), strict=True):
        for shift, row in enumerate(members):
            draw_quartiles(panel, parts[row], styles[row.setting], shift=shift)
    progress_axis(axes[0], curves, scale=scale)
    axes[0].set_ylim(0, 1.02)
    return figure
