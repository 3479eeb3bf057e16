"""Ladders: horizontal lines below each other, with names on the left, notes on the right and axes between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from plots.layout import BELOW, HEAD, PAD, draw_heading, draw_legend, fitted, fitted_names, inches_wide, legend_shape
from plots.style import TEXT, TWO_COLUMNS

_GAP = 0.06  # between the axes and the text beside them
_TITLE, _MARKS = 0.2, 0.26  # above the axes; below all axes but the last
_BOLD = 1.12  # the width of bold text relative to normal text


class Ladder(NamedTuple):
    """The texts of a ladder: the name and the note of each line, and the title above it."""

    names: list[str]
    notes: list[str]
    headings: frozenset[int] = frozenset()
    """The positions of names that are headings."""
    title: str = ""


def ladder_sheet(
    ladders: Sequence[Ladder],
    label: str,
    heading: tuple[str, str],
    legend: Sequence[tuple[Artist, str]] = (),
    *,
    width: float = TWO_COLUMNS,
    step: float = 0.19,
    beside: bool = False,
) -> tuple[Figure, list[Axes]]:
    """Create a figure of ladders, with the lines of each at y = 0, 1, 2, ... downwards and an x axis for each.

    Args:
        ladders: The ladders.
        label: The label of the x axes.
        heading: The figure's title and subtitle.
        legend: The samples of the legend and their names.
        width: The width of the figure, in inches.
        step: The distance between lines, in inches.
        beside: Whether the ladders are side by side rather than below each other.

    Returns:
        The figure, and its axes in the order of the ladders.
    """
    column = width / len(ladders) if beside else width
    ladders = [_fitted(ladder, column) for ladder in ladders]
    left, right = _margins(ladders)
    entries, legend_columns, foot = legend_shape(legend, width)
    tops, bottom = _places(ladders, step, beside)
    total = bottom + foot
    figure = Figure(figsize=(width, total), dpi=100)
    wide = column - left - right
    sheet: list[Axes] = []
    for at, (ladder, top) in enumerate(zip(ladders, tops, strict=True)):
        height, x = step * len(ladder.names), left + at * column * beside
        axes = figure.add_axes((x / width, (total - top - height) / total, wide / width, height / total))
        _draw_ladder(axes, ladder, wide)
        sheet.append(axes)
    middle = 0.5 if beside else (left + wide / 2) / width
    figure.text(middle, (foot - BELOW + 0.08) / total, label, ha="center")
    draw_heading(figure, heading)
    draw_legend(figure, [sample for sample, _ in legend], entries, legend_columns)
    return figure, sheet


def _fitted(ladder: Ladder, width: float) -> Ladder:
    names, notes = fitted_names(ladder.names, 0.42 * width), [fitted(note, 0.33 * width) for note in ladder.notes]
    return ladder._replace(names=names, notes=notes, title=fitted(ladder.title, 0.5 * width))


def _margins(ladders: Sequence[Ladder]) -> tuple[float, float]:
    """Return the widths of the margins for names and notes, the same for all ladders so that the axes are aligned."""
    names = [
        inches_wide(name) * (_BOLD if at in ladder.headings else 1)
        for ladder in ladders
        for at, name in enumerate(ladder.names)
    ]
    notes = [inches_wide(note) for ladder in ladders for note in ladder.notes]
    return 2 * PAD + _GAP + max(names), 0.08 + _GAP + max(notes, default=0)


def _places(ladders: Sequence[Ladder], step: float, beside: bool) -> tuple[list[float], float]:
    """Return the top of the axes of each ladder, and the bottom of the last, measured from the top of the figure."""
    above = _TITLE if any(ladder.title for ladder in ladders) else PAD
    heights = [step * len(ladder.names) for ladder in ladders]
    if beside:
        return [HEAD + above] * len(ladders), HEAD + above + max(heights)
    tops = [HEAD + above]
    for height in heights:
        tops.append(tops[-1] + height + _MARKS + above)
    return tops[:-1], tops[-1] - _MARKS - above


def _draw_ladder(axes: Axes, ladder: Ladder, wide: float) -> None:
    axes.set_ylim(len(ladder.names) - 0.5, -0.5)
    axes.set_yticks([])
    axes.tick_params(labelsize=TEXT)
    axes.set_title(ladder.title, loc="left", pad=3)
    beside: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "va": "center_baseline"}
    for at, name in enumerate(ladder.names):  # plain texts: tick labels take ten times as long
        weight = "bold" if at in ladder.headings else "normal"
        axes.text(-_GAP / wide, at, name, ha="right", weight=weight, **beside)
    for at, note in enumerate(ladder.notes):
        axes.text(1 + _GAP / wide, at, note, **beside)
    axes.use_sticky_edges = False
    axes.grid(True, axis="x")
