"""Which searches solve which puzzles, and in what time: a picture of `evo.analysis.versus`."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from plots.errors import PlotError
from plots.layout import panel_sheet
from plots.style import FAINT, looks, printed

_SPREAD = 0.6
"""The part of the height of a puzzle's line over which its settings are spread."""


@printed
def draw_versus(runs: pd.DataFrame) -> Figure:
    """Draw the time of every run: filled where it ended with a solution, hollow where it ended without.

    Args:
        runs: One line per run, with the columns puzzle, setting, solved and seconds; puzzles are drawn from top to
            bottom in their order of appearance.
    """
    if runs.empty:
        raise PlotError("there are no completed runs to draw")
    puzzles, settings = list(dict.fromkeys(runs["puzzle"])), looks(runs["setting"])
    legend = [
        (Line2D([], [], color=look.colour, marker=look.marker, linestyle=""), setting.replace("_", " "))
        for setting, look in settings.items()
    ]
    heading = "Exact, evolutionary and local searches", "one mark a run; hollow: no solution when its budget was spent"
    figure, [axes] = panel_sheet([""], ("seconds", ""), heading, legend)
    for place, (setting, look) in enumerate(settings.items()):
        shift = _SPREAD * (place / max(1, len(settings) - 1) - 0.5)
        for solved, part in runs[runs["setting"] == setting].groupby("solved"):
            lines = part["puzzle"].map(puzzles.index) + shift
            face = look.colour if solved else "white"
            axes.plot(
                part["seconds"].clip(lower=1e-4), lines, color=look.colour, marker=look.marker, linestyle="",
                markerfacecolor=face, markeredgewidth=0.7,
            )  # fmt: skip
    for line in range(1, len(puzzles)):
        axes.axhline(line - 0.5, color=FAINT, linewidth=0.5)
    axes.set_xscale("log")
    axes.set_yticks(range(len(puzzles)), puzzles)
    axes.set_ylim(len(puzzles) - 0.5, -0.5)
    return figure
