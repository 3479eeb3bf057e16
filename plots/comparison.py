"""Comparisons as a forest of effect sizes: how probable it is that one row's run beats another's."""

from __future__ import annotations

from itertools import pairwise

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from plots.effects import SIGNIFICANT, THRESHOLDS, TOO_FEW, effect_text
from plots.ladders import Ladder, ladder_sheet
from plots.layout import fitted
from plots.style import INK, TWO_COLUMNS, printed
from puzzles import PuzzleError

MOST = 200
"""As many comparisons as a picture shows: enough for the settings of the paper, all of its rows, two by two."""
_SHADES = ("#ffffff", "#f3f3f3", "#e8e8e8", "#dadada")
_DOT = "#2a09af"
_ROOM = 3.0  # inches for a name


def effect_lines(table: pd.DataFrame) -> pd.DataFrame:
    """The lines of the forest: one for each comparison, and a heading for each group of several, or with a long name.

    Args:
        table: One row per comparison, with the columns group, first, second, effect (the probability that the first
            beats the second), verdict, and p_holm or else p.

    Returns:
        The columns name, note, effect (missing for a heading), significant, heading.
    """
    p_column = "p_holm" if "p_holm" in table else "p"
    sizes, lines, last = table["group"].value_counts(), [], None
    together = table.sort_values("group", kind="stable", key=lambda groups: pd.factorize(groups)[0])
    for one in together.head(MOST).to_dict("records"):
        group, name = str(one["group"]), _pair(str(one["first"]), str(one["second"]))
        alone = f"{group}: {name}" if group else name
        if sizes[one["group"]] == 1 and fitted(alone, _ROOM) == alone:
            name = alone
        elif group and group != last:
            lines.append((group, "", float("nan"), False, True))
        last, p = group, one[p_column]
        note = str(one["verdict"]) if pd.isna(p) else f"A = {one['effect']:.2f}, {p_text(p)}"
        lines.append((name, note, float(one["effect"]), bool(p < SIGNIFICANT), False))
    return pd.DataFrame(lines, columns=["name", "note", "effect", "significant", "heading"])


@printed
def draw_comparison(lines: pd.DataFrame, total: int | None = None) -> Figure:
    """Draw effect sizes around 0.5, filled where they are significant.

    Args:
        lines: From `effect_lines`.
        total: How many comparisons there are, where that may be more than the lines show.
    """
    if lines.empty:
        raise PuzzleError("there is nothing to compare")
    shown = int((~lines["heading"]).sum())
    beyond = f"; the first {shown} of {total} comparisons" if total and total > shown else ""
    legend: list[tuple[Artist, str]] = [(_dot(True), f"p < {SIGNIFICANT}"), (_dot(False), "not significant")]
    for shade, (name, least) in zip(_SHADES[1:], THRESHOLDS.items(), strict=True):
        legend.append((Patch(color=shade), f"{name}: {least} or {1 - least:.2f}"))
    heading = "Comparison", f"A: probability that a run of the first beats one of the second{beyond}"
    places = frozenset(int(at) for at in lines.index[lines["heading"]])
    ladder = Ladder(list(lines["name"]), list(lines["note"]), places)
    label = "effect size A (Vargha-Delaney): second better < 0.5 < first better"
    figure, axes = ladder_sheet(ladder, label, heading, legend, step=0.16)
    _draw_bands(axes)
    for significant, part in lines[~lines["heading"]].groupby("significant"):
        dots = _dot(bool(significant))
        dots.set(xdata=part["effect"], ydata=part.index, clip_on=False, zorder=3)
        axes.add_line(dots)
        axes.hlines(part.index, 0.5, part["effect"], color=_DOT, linewidth=0.8)
    axes.set_xlim(-0.03, 1.03)
    axes.grid(False)
    return figure


def _draw_bands(axes: Axes) -> None:
    """The ground of the forest: how large an effect is, on either side of none."""
    edges = [0.5, *THRESHOLDS.values(), 1.0]
    for shade, (near, far) in zip(_SHADES, pairwise(edges), strict=True):
        for start, end in ((near, far), (1 - far, 1 - near)):
            axes.axvspan(start, end, color=shade, linewidth=0, zorder=0)
    for threshold in THRESHOLDS.values():
        for x in (threshold, 1 - threshold):
            axes.axvline(x, color="#bbbbbb", linewidth=0.5, zorder=1)
    axes.axvline(0.5, color=INK, linewidth=0.8, zorder=1)


def _pair(first: str, second: str) -> str:
    """Both names, each of them shortened if they do not fit beside one another."""
    pair = f"{first} / {second}"
    if fitted(pair, _ROOM) == pair:
        return pair
    return " / ".join(fitted(name, 0.47 * _ROOM) for name in (first, second))


def _dot(filled: bool) -> Line2D:
    face = _DOT if filled else "white"
    return Line2D([], [], linestyle="none", marker="o", markersize=4, color=_DOT, markerfacecolor=face)
