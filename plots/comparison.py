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
from plots.errors import PlotError
from plots.ladders import Ladder, ladder_sheet
from plots.layout import fitted
from plots.style import INK, TWO_COLUMNS, printed

MOST = 200
"""As many comparisons as a picture shows: enough for the settings of the paper, all of its rows, two by two."""
_SHADES = ("#ffffff", "#f3f3f3", "#e8e8e8", "#dadada")
_DOT, _FEW = "#2a09af", "#8a8a8a"
_LONG = 50  # so many lines stand one under another; more of them in two columns, and closer
_COLUMNS = ["group", "name", "note", "effect", "significant", "few", "heading"]


def effect_lines(table: pd.DataFrame) -> pd.DataFrame:
    """The lines of the forest: one for each comparison, and a heading for each group of several, or with a long name.

    Args:
        table: One row per comparison, with the columns group, first, second, effect (the probability that the first
            beats the second), verdict, and p_holm or else p, which may be missing.

    Returns:
        The columns group, name, note, effect (missing for a heading), significant, few (whether the runs are too few to
        tell), heading.
    """
    p_column = "p_holm" if "p_holm" in table else "p"
    room = 0.41 * TWO_COLUMNS / (2 if len(table) > _LONG else 1)  # for a name
    sizes, lines, last = table["group"].value_counts(), [], None
    together = table.sort_values("group", kind="stable", key=lambda groups: pd.factorize(groups)[0])
    for one in together.head(MOST).to_dict("records"):
        group, name = str(one["group"]), _pair(str(one["first"]), str(one["second"]), room)
        alone = f"{group}: {name}" if group else name
        if sizes[one["group"]] == 1 and fitted(alone, room) == alone:
            name = alone
        elif group and group != last:
            lines.append((group, group, "", float("nan"), False, False, True))
        last, p, verdict = group, one[p_column], str(one["verdict"])
        few = verdict == TOO_FEW
        note = effect_text(one["effect"], float("nan") if few else p)
        note = f"{note}, {verdict}" if few or pd.isna(p) else note
        lines.append((group, name, note, float(one["effect"]), bool(p < SIGNIFICANT) and not few, few, False))
    return pd.DataFrame(lines, columns=_COLUMNS)


@printed
def draw_comparison(lines: pd.DataFrame, total: int | None = None, *, title: str = "Comparison") -> Figure:
    """Draw effect sizes around 0.5, filled where they are significant; very many of them in two columns.

    Args:
        lines: From `effect_lines`.
        total: How many comparisons there are, where that may be more than the lines show.
        title: What stands above it, such as "Comparison after 60 seconds".
    """
    if lines.empty:
        raise PlotError("there is nothing to compare")
    shown = int((~lines["heading"]).sum())
    beyond = f"; the first {shown} of {total} comparisons" if total and total > shown else ""
    heading = (
        title,
        f"A: probability that a run of the first beats one of the second; p: Holm-corrected{beyond}",
    )
    parts = forest_columns(lines)
    label = "effect size A (Vargha-Delaney): second better < 0.5 < first better"
    several = len(parts) > 1
    ladders = [_ladder(part) for part in parts]
    step = 0.125 if several else 0.16
    figure, sheet = ladder_sheet(ladders, label, heading, _legend(lines), step=step, beside=several)
    for axes, part in zip(sheet, parts, strict=True):
        _draw_bands(axes)
        for (significant, few), same in part[~part["heading"]].groupby(["significant", "few"]):
            dots = _dot(bool(significant), bool(few))
            dots.set(xdata=same["effect"], ydata=same.index, clip_on=False, zorder=3)
            axes.add_line(dots)
            axes.hlines(same.index, 0.5, same["effect"], color=dots.get_color(), linewidth=0.8)
        axes.set_xlim(-0.03, 1.03)
        axes.set_xticks([0, 0.5, 1] if several else [0, 0.2, 0.4, 0.6, 0.8, 1])
        axes.grid(False)
    return figure


def forest_columns(lines: pd.DataFrame) -> list[pd.DataFrame]:
    """The lines as they stand beside one another: very many in two columns, with a group's heading in both.

    Args:
        lines: From `effect_lines`.
    """
    if len(lines) <= _LONG:
        return [lines]
    half = (len(lines) + 1) // 2
    if lines["heading"].iloc[half - 1]:
        half -= 1
    first, second = lines.iloc[:half], lines.iloc[half:]
    group = second["group"].iloc[0]
    if not second["heading"].iloc[0] and (lines["heading"] & (lines["group"] == group)).any():
        again = pd.DataFrame([(group, f"… {group}", "", float("nan"), False, False, True)], columns=_COLUMNS)
        second = pd.concat([again, second])
    return [first, second.reset_index(drop=True)]


def _ladder(lines: pd.DataFrame) -> Ladder:
    headings = frozenset(int(at) for at in lines.index[lines["heading"]])
    return Ladder(list(lines["name"]), list(lines["note"]), headings)


def _legend(lines: pd.DataFrame) -> list[tuple[Artist, str]]:
    legend: list[tuple[Artist, str]] = [
        (_dot(True, False), f"p < {SIGNIFICANT}"),
        (_dot(False, False), "not significant"),
    ]
    if lines["few"].any():
        legend.append((_dot(False, True), f"{TOO_FEW} to tell"))
    for shade, (name, least) in zip(_SHADES[1:], THRESHOLDS.items(), strict=True):
        legend.append((Patch(color=shade), f"{name}: {least} or {1 - least:.2f}"))
    return legend


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


def _pair(first: str, second: str, room: float) -> str:
    """Both names, each of them shortened if they do not fit beside one another."""
    pair = f"{first} / {second}"
    if fitted(pair, room) == pair:
        return pair
    return " / ".join(fitted(name, 0.46 * room) for name in (first, second))


def _dot(filled: bool, few: bool) -> Line2D:
    colour = _FEW if few else _DOT
    face = colour if filled else "white"
    return Line2D([], [], linestyle="none", marker="o", markersize=4, color=colour, markerfacecolor=face)
