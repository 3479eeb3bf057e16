"""Score distributions: a box and every point, a line for each setting, initialisation and fitness."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from plots.convergence import PAPER_MEAN, paper_means
from plots.layout import Ladder, ladder_sheet, whole_numbers
from plots.style import FAINT, INK, ONE_COLUMN, TWO_COLUMNS, Look, Row, by_row, looks, printed, row_label, rows_of
from puzzles import PuzzleError

SCORE = "best score (matching edges)"
_GOLDEN = 0.618034  # steps of it spread any number of points evenly, and are the same every time
_SPREAD, _BOX = 0.56, 0.62  # of the distance between lines
_SHORT = 6  # so few lines fit one column of print


def score_points(runs: pd.DataFrame) -> pd.DataFrame:
    """The scores of the runs that are done, in the order of the rows.

    Args:
        runs: One row per run.

    Returns:
        The columns setting, init, fitness, run, best_score, and offset: where to draw the point across its line, from
        -0.5 to 0.5.
    """
    done = runs[(runs["state"] == "done") & (runs["best_score"] >= 0)]
    place = {row: at for at, row in enumerate(rows_of(done))}
    keys = done[list(Row._fields)].to_numpy()
    points = done[[*Row._fields, "run", "best_score"]].assign(place=[place[Row(*map(str, key))] for key in keys])
    points = points.sort_values(["place", "run"], kind="stable", ignore_index=True)
    steps = points.groupby("place").cumcount().to_numpy()
    return points.drop(columns="place").assign(offset=(0.5 + steps * _GOLDEN) % 1 - 0.5)


def score_boxes(points: pd.DataFrame) -> pd.DataFrame:
    """The boxes of some scores, as Tukey drew them.

    Args:
        points: From `score_points`.

    Returns:
        One row per row of the experiment, with the columns setting, init, fitness, runs, lower, median and upper (the
        quartiles), low and high (the farthest scores within 1.5 interquartile ranges of the box).
    """
    boxes = []
    for row, part in by_row(points).items():
        scores = part["best_score"].to_numpy(dtype=np.float64)
        lower, median, upper = np.quantile(scores, (0.25, 0.5, 0.75))
        reach = 1.5 * (upper - lower)
        low, high = scores[scores >= lower - reach].min(), scores[scores <= upper + reach].max()
        boxes.append((*row, len(scores), lower, median, upper, low, high))
    return pd.DataFrame(boxes, columns=[*Row._fields, "runs", "lower", "median", "upper", "low", "high"])


@printed
def draw_distributions(
    points: pd.DataFrame, paper: pd.DataFrame | None = None, *, settings: Sequence[str] = ()
) -> Figure:
    """Draw score distributions, a line for each row of the experiment.

    Args:
        points: From `score_points`.
        paper: The paper's figures, whose means are marked.
        settings: All settings of the experiment, where these are but some of them: they get the same looks.
    """
    if points.empty:
        raise PuzzleError("no run is done yet")
    boxes = score_boxes(points)
    rows = list(by_row(points))
    styles = looks([*settings, *(row.setting for row in rows)])
    means = paper_means(paper)
    known = [row for row in rows if row in means]
    legend = box_samples()
    if known:
        legend.append((_paper_mark([], []), PAPER_MEAN))
    names = [row_label(*row) for row in rows]
    width = ONE_COLUMN if len(rows) <= _SHORT else TWO_COLUMNS
    heading = "Score distributions", "best score of each run that is done"
    figure, axes = ladder_sheet(Ladder(names, []), SCORE, heading, legend, width=width)
    shade_groups(axes, [row.setting for row in rows])
    draw_scores(axes, points, boxes, styles)
    marks = _paper_mark([means[row] for row in known], [rows.index(row) for row in known])
    axes.add_line(marks)
    axes.autoscale_view(scaley=False)
    whole_numbers(axes, "x")
    return figure


def draw_scores(
    axes: Axes, points: pd.DataFrame, boxes: pd.DataFrame, styles: dict[str, Look], *, hollow: str | None = None
) -> None:
    """Lines of scores at y = 0, 1, 2 ...: boxes, whiskers and medians, and a marker for every run.

    Args:
        axes: Where to draw.
        points: From `score_points`.
        boxes: From `score_boxes`, a line each.
        styles: The looks of the settings.
        hollow: The fitness whose boxes and markers are not filled.
    """
    several = boxes[boxes["runs"] > 1]
    y, half = several.index.to_numpy(), _BOX / 2
    lower, upper, median = (several[name].to_numpy() for name in ("lower", "upper", "median"))
    colours = [styles[setting].colour for setting in several["setting"]]
    faces = [
        "none" if fitness == hollow else to_rgba(colour, 0.18)
        for fitness, colour in zip(several["fitness"], colours, strict=True)
    ]
    corners = [(lower, y - half), (upper, y - half), (upper, y + half), (lower, y + half)]
    outlines = np.stack([np.stack(corner, axis=-1) for corner in corners], axis=1)
    axes.add_collection(PolyCollection(list(outlines), facecolors=faces, edgecolors=colours, linewidths=0.6))
    axes.hlines([*y, *y], [*several["low"], *upper], [*lower, *several["high"]], colors=colours * 2, linewidth=0.6)
    axes.vlines(median, y - half, y + half, colors=colours, linewidth=1.4)
    for at, (row, part) in enumerate(by_row(points).items()):
        marks = styles[row.setting].markers(filled=row.fitness != hollow)
        heights = at + _SPREAD * part["offset"].to_numpy()
        axes.plot(part["best_score"].to_numpy(), heights, markersize=2.6, markeredgewidth=0.5, alpha=0.8, **marks)


def box_samples() -> list[tuple[Artist, str]]:
    """Samples for a legend that say what boxes and points are."""
    point = Line2D([], [], linestyle="none", marker="o", color="#777777", markersize=2.6)
    box = Patch(facecolor=FAINT, edgecolor="#777777", linewidth=0.6)
    return [(point, "a run"), (box, "quartiles, median, whiskers")]


def shade_groups(axes: Axes, names: Sequence[str]) -> None:
    """A pale ground behind every second group of lines that have the same name."""
    start = 0
    for number, (_, group) in enumerate(groupby(names)):
        end = start + len(list(group))
        if number % 2:
            axes.axhspan(start - 0.5, end - 0.5, color="#f3f3f3", linewidth=0, zorder=0)
        start = end


def _paper_mark(scores: list[float], lines: list[int]) -> Line2D:
    """A mark that reaches above and below the box and covers little of it."""
    return Line2D(scores, lines, linestyle="none", marker="|", color=INK, markersize=12, markeredgewidth=1.2, zorder=4)
