"""Which searches solve which puzzles, and in what time: a picture of `evo.analysis.versus`."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from plots.errors import PlotError
from plots.layout import PAD, decades_axis, fitted_names, inches_wide, panel_sheet
from plots.style import FAINT, looks, printed

_LINE, _NAMES = 0.27, 1.4
"""The height of the line of a puzzle, and the most width of its name, in inches."""
_LEAST = 1e-5
"""Times are drawn as no less than this, in seconds."""
_SPREAD = 0.7
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
    height = _LINE * len(puzzles)
    figure, [axes] = panel_sheet([""], ("seconds", ""), heading, legend, height=height)
    names = fitted_names(puzzles, _NAMES)
    box, inch = axes.get_position(), 1 / figure.get_figwidth()
    taken = (max(inches_wide(name) for name in names) + 2 * PAD) * inch
    axes.set_position((taken, box.y0, box.x1 - taken, box.height))
    for place, (setting, look) in enumerate(settings.items()):
        shift = _SPREAD * (place / max(1, len(settings) - 1) - 0.5)
        for solved, part in runs[runs["setting"] == setting].groupby("solved"):
            lines = part["puzzle"].map(puzzles.index) + shift
            face = look.colour if solved else "white"
            axes.plot(
                part["seconds"].clip(lower=_LEAST), lines, color=look.colour, marker=look.marker, linestyle="",
                markerfacecolor=face, markeredgewidth=0.7,
            )  # fmt: skip
    for line in range(1, len(puzzles)):
        axes.axhline(line - 0.5, color=FAINT, linewidth=0.5)
    shown = runs["seconds"].clip(lower=_LEAST)
    decades_axis(axes, float(shown.min()), float(shown.max()))
    axes.set_yticks(range(len(puzzles)), names)
    axes.grid(False, axis="y")
    axes.set_ylim(len(puzzles) - 0.5, -0.5)
    return figure
