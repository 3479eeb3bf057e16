"""What solvers need on the instances of a benchmark, as curves: Figures 5, 6 and 7 of Benoist and Bourreau."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullLocator

from plots.errors import PlotError
from plots.layout import panel_sheet, whole_numbers
from plots.style import looks, printed

MEASURES = {"nodes": "nodes explored", "seconds": "seconds of computing"}


@printed
def draw_instances(counts: pd.DataFrame, measure: str) -> Figure:
    """Draw nodes or seconds of each setting over the instances, which are sorted by their best time.

    An instance that a setting did not finish is a hollow marker: what it had spent when it stopped.

    Args:
        counts: One line per run, with the columns puzzle, setting, proved, nodes and seconds.
        measure: "nodes" or "seconds".
    """
    finished = counts[counts["proved"]]
    if finished.empty:
        raise PlotError("no instance was finished by any setting")
    order = finished.groupby("puzzle", sort=False)["seconds"].min().sort_values(kind="stable").index
    place = {puzzle: number for number, puzzle in enumerate(order, start=1)}
    shown = counts[counts["puzzle"].isin(place)].assign(at=counts["puzzle"].map(place))
    styles = looks(counts["setting"])
    legend = [
        (Line2D([], [], color=look.colour, marker=look.marker), setting.replace("_", " "))
        for setting, look in styles.items()
    ]
    left_out = counts["puzzle"].nunique() - len(place)
    note = f"; {left_out} that none finished are left out" if left_out else ""
    heading = MEASURES[measure].capitalize(), f"{len(place)} instances{note}; hollow: not finished"
    figure, [axes] = panel_sheet([""], ("instances by increasing best time", MEASURES[measure]), heading, legend)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(_amount))
    axes.yaxis.set_minor_locator(NullLocator())
    for setting, look in styles.items():
        part = shown[shown["setting"] == setting].groupby("at").agg({measure: "mean", "proved": "all"})
        values = part[measure].clip(lower=1 if measure == "nodes" else 1e-3)
        done = part["proved"].to_numpy(dtype=bool)
        axes.plot(part.index[done], values[done], color=look.colour, marker=look.marker)
        axes.plot(part.index[~done], values[~done], **look.markers(filled=False))
    whole_numbers(axes, "x")
    return figure


@printed
def draw_sums(table: pd.DataFrame) -> Figure:
    """Draw the sums of nodes and seconds of each setting, side by side.

    Args:
        table: One line per setting, with the columns setting, nodes and seconds: sums over the same instances.
    """
    if table.empty or not (table["nodes"] > 0).all():
        raise PlotError("no instance was finished by all settings, so that there are no sums to compare")
    heading = "Sums over the instances that all settings finished", ""
    figure, panels = panel_sheet(["nodes", "seconds"], ("", ""), heading, [])
    for axes, measure in zip(panels, ("nodes", "seconds"), strict=True):
        axes.bar(range(len(table)), table[measure], color="#4477aa", width=0.6)
        axes.set_xticks(range(len(table)), [str(name) for name in table["setting"]], rotation=20, ha="right")
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(FuncFormatter(_amount))
    return figure


def _amount(value: float, _: int | None) -> str:
    """Return a number for a tick, in thousands or millions if it is large."""
    size, unit = next(((size, unit) for size, unit in ((1e6, " M"), (1e3, " k")) if value >= size), (1, ""))
    return f"{value / size:g}{unit}"
