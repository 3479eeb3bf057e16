"""The layout of figures, in inches: panels of axes, a heading above them and a legend below them.

All texts are measured: the longest name determines a margin, a name that is too long is shortened in the middle, and
the height of a figure follows from its content.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from plots.style import FONTS, HEADING, ONE_COLUMN, TEXT, TWO_COLUMNS

PAD = 0.06
LINE = 0.15  # the height of a line of text
_POINTS_PER_INCH = 72
HEAD = 0.38  # title and subtitle
BELOW = 0.38  # the ticks and label of an x axis
_HANDLE, _LEGEND_GAP = 0.36, 0.16  # a legend's sample and the gap after it; the gap between columns
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_FONT = TextToPath()


def fitted(text: str, inches: float, size: float = TEXT) -> str:
    """Return a text on one line that is no wider than the given width, shortened in the middle if necessary."""
    clean = "".join(letter if letter.isprintable() else " " for letter in text)
    if inches_wide(clean, size) <= inches:
        return clean
    fits, too_many = 0, len(clean)
    while too_many - fits > 1:
        kept = (fits + too_many) // 2
        if inches_wide(_shortened(clean, kept), size) <= inches:
            fits = kept
        else:
            too_many = kept
    return _shortened(clean, fits)


def fitted_names(names: Sequence[str], inches: float) -> list[str]:
    """Return names that are no wider than the given width; different names that look the same are numbered."""
    meant: dict[str, str] = {}
    shown: list[str] = []
    for name in names:
        short, number = fitted(name, inches), 1
        while meant.setdefault(short, name) != name:
            number += 1
            short = f"{fitted(name, inches - inches_wide(f' ({number})'))} ({number})"
        shown.append(short)
    return shown


def panel_sheet(
    titles: Sequence[str],
    labels: tuple[str, str],
    heading: tuple[str, str],
    legend: Sequence[tuple[Artist, str]],
    *,
    groups: Sequence[str] | None = None,
    columns: int | None = None,
    height: float = 2.1,
) -> tuple[Figure, list[Axes]]:
    """Create a figure of panels with a legend below, one journal column wide for one panel and two for more.

    Args:
        titles: The title of each panel.
        labels: The labels of the x axes and the y axes.
        heading: The figure's title and subtitle.
        legend: The samples of the legend and their names.
        groups: The group of each panel: panels of a group share the y axis, and all panels share the x axis. Without
            groups, each panel has its own axes.
        columns: The number of panels side by side; by default at most two.
        height: The height of a panel, in inches.

    Returns:
        The figure, and its axes in the order of the titles.
    """
    columns = columns or min(2, len(titles))
    rows = -(-len(titles) // columns)
    width = ONE_COLUMN if columns == 1 else TWO_COLUMNS
    left, right, above = 0.5, 0.1, 0.22 if any(titles) else 0.06
    beside, between = (0.36, above + 0.1) if groups else (0.55, above + BELOW)
    names, legend_columns, foot = legend_shape(legend, width)
    total = HEAD + above + rows * height + (rows - 1) * between + foot
    figure = Figure(figsize=(width, total), dpi=100)
    wide = (width - left - right - (columns - 1) * beside) / columns
    axes: list[Axes] = []
    for at, title in enumerate(titles):
        row, column = divmod(at, columns)
        x, y = left + column * (wide + beside), total - HEAD - above - height - row * (height + between)
        box = (x / width, y / total, wide / width, height / total)
        first = groups.index(groups[at]) if groups else at
        panel = figure.add_axes(
            box, sharex=axes[0] if groups and at else None, sharey=axes[first] if first < at else None
        )
        panel.set_title(fitted(title, wide if groups else width - left - right), loc="left", pad=3)
        lowest = at + columns >= len(titles)
        panel.tick_params(labelsize=TEXT, labelbottom=lowest or not groups)
        panel.set_xlabel(labels[0] if lowest or not groups else "")
        panel.set_ylabel(labels[1] if column == 0 or not groups else "")
        panel.yaxis.set_label_coords((0.15 - left) / wide, 0.5)
        panel.grid(True)
        axes.append(panel)
    draw_heading(figure, heading)
    draw_legend(figure, [sample for sample, _ in legend], names, legend_columns)
    return figure, axes


def evaluations_axis(axes: Axes, first: int, last: int) -> None:
    """Set a logarithmic x axis with ticks at powers of ten, and between them if there are only a few."""
    highest = max(last, 2 * first)
    marks = [step * 10**power for power in range(len(str(highest))) for step in (1, 2, 5)]
    shown = [mark for mark in marks if first <= mark <= highest]
    powers = [mark for mark in shown if mark in marks[::3]]
    _logarithmic(axes, first, highest, powers if len(powers) > 2 else shown, _evaluations)


def seconds_axis(axes: Axes, first: float, last: float) -> None:
    """Set a logarithmic x axis of a few decades with ticks at 1, 2 and 5 of each."""
    highest = max(last, 2 * first)
    powers = range(math.floor(math.log10(first)), math.ceil(math.log10(highest)) + 1)
    marks = [float(f"{step}e{power}") for power in powers for step in (1, 2, 5)]
    shown = [mark for mark in marks if first <= mark <= highest]
    _logarithmic(axes, first, highest, shown, lambda value, _: np.format_float_positional(value, trim="-"))


def decades_axis(axes: Axes, first: float, last: float) -> None:
    """Set a logarithmic x axis of many decades with ticks at powers of ten."""
    powers = range(math.floor(math.log10(first)), math.ceil(math.log10(last)) + 1)
    marks = [float(f"1e{power}") for power in powers]
    _logarithmic(axes, marks[0], last * 1.2, marks, lambda value, _: np.format_float_positional(value, trim="-"))


def linear_axis(axes: Axes, last: float) -> None:
    """Set a linear x axis that starts at zero, with large numbers written in thousands or millions."""
    axes.set_xscale("linear")
    axes.set_xlim(0, last * 1.02)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 5, 10]))
    size, unit = next(((size, unit) for size, unit in ((1e6, " M"), (1e3, " k")) if last >= size), (1, ""))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / size:g}{unit if value else ''}"))


def whole_numbers(axes: Axes, axis: str) -> None:
    """Put the ticks of an axis at whole numbers only."""
    marks = MaxNLocator(nbins=6, integer=True, steps=[1, 2, 5, 10])
    (axes.xaxis if axis == "x" else axes.yaxis).set_major_locator(marks)


def _logarithmic(
    axes: Axes, first: float, last: float, marks: Sequence[float], text: Callable[[float, int | None], str]
) -> None:
    axes.set_xscale("log")
    axes.set_xlim(first, last * 1.05)
    axes.xaxis.set_major_locator(FixedLocator(marks))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(text))


def _evaluations(value: float, _: int | None) -> str:
    digits = f"{value:.0f}"
    power = f"10{str(len(digits) - 1).translate(_SUPERSCRIPTS)}"
    if len(digits) < 3:
        return digits
    return power if digits[0] == "1" else f"{digits[0]}·{power}"


def draw_heading(figure: Figure, heading: tuple[str, str]) -> None:
    """Write the title and subtitle of a figure."""
    width, height = figure.get_size_inches()
    title, line = heading
    left = PAD / width
    figure.text(left, 1 - PAD / height, fitted(title, 0.9 * width, HEADING), size=HEADING, weight="bold", va="top")
    figure.text(left, 1 - (PAD + 0.15) / height, fitted(line, width - 2 * PAD), size=TEXT, va="top")


def legend_shape(legend: Sequence[tuple[Artist, str]], width: float) -> tuple[list[str], int, float]:
    """Return the names of a legend so that they fit, its number of columns, and the height of all below the axes."""
    if not legend:
        return [], 1, BELOW
    names = fitted_names([name for _, name in legend], width - _HANDLE - 2 * PAD)
    for most in range(len(names), 0, -1):
        lines = -(-len(names) // most)
        columns = -(-len(names) // lines)  # no more columns than needed, so that they are evenly filled
        parts = np.array_split([inches_wide(name) for name in names], columns)  # as matplotlib fills them
        if sum(_HANDLE + part.max() + _LEGEND_GAP for part in parts) <= width - 2 * PAD + _LEGEND_GAP:
            break
    return names, columns, BELOW + PAD + LINE * len(parts[0])


def draw_legend(figure: Figure, samples: list[Artist], names: list[str], columns: int) -> None:
    """Draw the legend of `legend_shape` at the bottom of a figure."""
    em = TEXT / _POINTS_PER_INCH
    figure.legend(
        samples,
        names,
        loc="lower center",
        bbox_to_anchor=(0.5, PAD / figure.get_figheight()),
        ncols=columns,
        frameon=False,
        borderpad=0,
        borderaxespad=0,
        handlelength=0.29 / em,
        handletextpad=0.07 / em,
        columnspacing=_LEGEND_GAP / em,
        labelspacing=LINE / em - 1.15,
    )


@lru_cache(maxsize=4096)
def inches_wide(text: str, size: float = TEXT) -> float:
    """Return the width of a line of text, in inches."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        prop = FontProperties(family=FONTS, size=size)
        width, _, _ = _FONT.get_text_width_height_descent(text, prop, ismath=False)
    return float(width) / _POINTS_PER_INCH


def _shortened(text: str, kept: int) -> str:
    front = (kept + 1) // 2
    return f"{text[:front]}…{text[len(text) - (kept - front) :]}"
