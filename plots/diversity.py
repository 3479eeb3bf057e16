"""Diversity: the share of cells in which two individuals of a population differ, against evaluations."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.figure import Figure

from plots.curves import (
    algorithms_of,
    curve_samples,
    draw_quartiles,
    panel_title,
    panels_of,
    quartile_curves,
    setting_names,
    spread_text,
)
from plots.layout import evaluations_axis, panel_sheet
from plots.style import by_row, looks, printed
from puzzles import PuzzleError


def diversity_curves(trace: pd.DataFrame) -> pd.DataFrame:
    """The diversity as evaluations go by: its median and quartiles over the runs of each row that has populations.

    Args:
        trace: One row per trace point.

    Returns:
        The columns setting, init, fitness, algorithm, runs (how many), evaluations, lower, median, upper.
    """
    return quartile_curves(trace, "diversity")


@printed
def draw_diversity(curves: pd.DataFrame, *, settings: Sequence[str] = ()) -> Figure:
    """Draw diversity curves, in panels by initialisation and fitness where there are several of them.

    Args:
        curves: From `diversity_curves`.
        settings: All settings of the experiment, where these are but some of them: they get the same looks.
    """
    if curves.empty:
        raise PuzzleError("no run has a trace of its population's diversity yet")
    parts = by_row(curves)
    rows = list(parts)
    styles, panels = looks([*settings, *(row.setting for row in rows)]), panels_of(rows)
    legend = curve_samples(rows, styles, setting_names(rows, algorithms_of(curves)))
    heading = "Population diversity", f"between two individuals; {spread_text(curves)}"
    titles = [panel_title(panel) for panel in panels]
    labels = "evaluations", "share of cells that differ"
    figure, axes = panel_sheet(titles, labels, heading, legend, groups=["share"] * len(titles))
    for panel, members in zip(axes, panels.values(), strict=True):
        for shift, row in enumerate(members):
            draw_quartiles(panel, parts[row], styles[row.setting], shift=shift)
    evaluations = curves["evaluations"]
    evaluations_axis(axes[0], int(evaluations.min()), int(evaluations.max()))
    axes[0].set_ylim(0, 1.02)
    return figure
