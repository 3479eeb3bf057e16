"""Forest plots of effect sizes: the probability that a run of one row beats a run of another."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from plots.errors import PlotError
from plots.ladders import Ladder, ladder_sheet
from plots.layout import fitted
from plots.style import INK, TWO_COLUMNS, printed

MOST = 200
"""The largest number of comparisons in one picture: enough for every pair of rows of the paper."""
_DOT, _FEW = "#2a09af", "#8a8a8a"
_LONG = 50  # lines in a single column; more lines are set in two narrower columns
_COLUMNS = ["group", "name", "note", "effect", "significant", "decidable", "heading"]


def effect_lines(table: pd.DataFrame) -> pd.DataFrame:
    """Return the lines of a forest plot: one for each comparison, and headings.

    A group has a heading if it holds several comparisons, or if its name does not fit in front of its only one.

    Args:
        table: One line per comparison, with the columns group, first, second, effect (the probability that the first
            beats the second), decidable (whether there are enough runs for any outcome to be significant), significant,
            verdict and evidence (the effect and the p value as text).

    Returns:
        The columns group, name, note, effect (NaN for a heading), significant, decidable and heading.
    """
    room = 0.41 * TWO_COLUMNS / (2 if len(table) > _LONG else 1)  # for a name
    sizes, lines, last = table["group"].value_counts(), [], None
    together = table.sort_values("group", kind="stable", key=lambda groups: pd.factorize(groups)[0])
    for one in together.head(MOST).to_dict("records"):
        group, name = str(one["group"]), _pair(str(one["first"]), str(one["second"]), room)
        alone = f"{group}: {name}" if group else name
        if sizes[one["group"]] == 1 and fitted(alone, room) == alone:
            name = alone
        elif group and group != last:
            lines.append(_heading(group, group))
        last, decidable = group, bool(one["decidable"])
        note = str(one["evidence"]) if decidable else f"{one['evidence']}, {one['verdict']}"
        lines.append((group, name, note, float(one["effect"]), bool(one["significant"]), decidable, False))
    return pd.DataFrame(lines, columns=_COLUMNS)


@printed
def draw_comparison(
    lines: pd.DataFrame,
    level: float,
    effect_sizes: Mapping[str, float],
    *,
    total: int | None = None,
    title: str = "Comparison",
) -> Figure:
    """Draw effect sizes around 0.5, with filled markers for significant ones; many lines are set in two columns.

    Args:
        lines: The result of `effect_lines`.
        level: The significance level.
        effect_sizes: The least effect that has each name, such as {"small": 0.56}, in ascending order.
        total: The number of comparisons, which may exceed the number of lines.
        title: The title of the figure, such as "Comparison after 60 seconds".
    """
    if lines.empty:
        raise PlotError("there is nothing to compare")
    shown = int((~lines["heading"]).sum())
    beyond = f"; the first {shown} of {total} comparisons" if total and total > shown else ""
    heading = (title, f"A: probability that the first beats the second; p: Holm-corrected{beyond}")
    parts = forest_columns(lines)
    label = "effect size A (Vargha-Delaney): second better < 0.5 < first better"
    several = len(parts) > 1
    ladders = [_ladder(part) for part in parts]
    step = 0.125 if several else 0.16
    figure, sheet = ladder_sheet(
        ladders, label, heading, _legend(lines, level, effect_sizes), step=step, beside=several
    )
    for axes, part in zip(sheet, parts, strict=True):
        _draw_bands(axes, effect_sizes)
        for (significant, decidable), same in part[~part["heading"]].groupby(["significant", "decidable"]):
            dots = _dot(bool(significant), bool(decidable))
            dots.set(xdata=same["effect"], ydata=same.index, clip_on=False, zorder=3)
            axes.add_line(dots)
            axes.hlines(same.index, 0.5, same["effect"], color=dots.get_color(), linewidth=0.8)
        axes.set_xlim(-0.03, 1.03)
        axes.set_xticks([0, 0.5, 1] if several else [0, 0.2, 0.4, 0.6, 0.8, 1])
        axes.grid(False)
    return figure


def forest_columns(lines: pd.DataFrame) -> list[pd.DataFrame]:
    """Return the lines of each column: many lines are split into two, with the heading of a split group in both.

    Args:
        lines: The result of `effect_lines`.
    """
    if len(lines) <= _LONG:
        return [lines]
    half = (len(lines) + 1) // 2
    if lines["heading"].iloc[half - 1]:
        half -= 1
    first, second = lines.iloc[:half], lines.iloc[half:]
    group = second["group"].iloc[0]
    if not second["heading"].iloc[0] and (lines["heading"] & (lines["group"] == group)).any():
        again = pd.DataFrame([_heading(group, f"… {group}")], columns=_COLUMNS)
        second = pd.concat([again, second])
    return [first, second.reset_index(drop=True)]


def _heading(group: str, name: str) -> tuple[str, str, str, float, bool, bool, bool]:
    return group, name, "", float("nan"), False, True, True


def _ladder(lines: pd.DataFrame) -> Ladder:
    headings = frozenset(int(at) for at in lines.index[lines["heading"]])
    return Ladder(list(lines["name"]), list(lines["note"]), headings)


def _legend(lines: pd.DataFrame, level: float, effect_sizes: Mapping[str, float]) -> list[tuple[Artist, str]]:
    legend: list[tuple[Artist, str]] = [
        (_dot(True, True), f"p < {level:g}"),
        (_dot(False, True), "not significant"),
    ]
    if not lines["decidable"].all():
        legend.append((_dot(False, False), "too few runs to tell"))
    for shade, (name, least) in zip(_shades(len(effect_sizes))[1:], effect_sizes.items(), strict=True):
        legend.append((Patch(color=shade), f"{name}: {least} or {1 - least:.2f}"))
    return legend


def _draw_bands(axes: Axes, effect_sizes: Mapping[str, float]) -> None:
    """Shade the background by the size of the effect, on either side of 0.5."""
    edges = [0.5, *effect_sizes.values(), 1.0]
    for shade, (near, far) in zip(_shades(len(effect_sizes)), pairwise(edges), strict=True):
        for start, end in ((near, far), (1 - far, 1 - near)):
            axes.axvspan(start, end, color=shade, linewidth=0, zorder=0)
    for threshold in effect_sizes.values():
        for x in (threshold, 1 - threshold):
            axes.axvline(x, color="#bbbbbb", linewidth=0.5, zorder=1)
    axes.axvline(0.5, color=INK, linewidth=0.8, zorder=1)


def _shades(sizes: int) -> list[str]:
    """Return a grey for negligible effects and for each named size, from white to darker."""
    return [f"{grey:.3f}" for grey in np.linspace(1, 0.855, sizes + 1)]


def _pair(first: str, second: str, room: float) -> str:
    """Return both names, each shortened if they do not fit side by side."""
    pair = f"{first} / {second}"
    if fitted(pair, room) == pair:
        return pair
    return " / ".join(fitted(name, 0.46 * room) for name in (first, second))


def _dot(filled: bool, decidable: bool) -> Line2D:
    colour = _DOT if decidable else _FEW
    face = colour if filled else "white"
    return Line2D([], [], linestyle="none", marker="o", markersize=4, color=colour, markerfacecolor=face)
