"""Score distributions: a box plot and all points, one line for each row of the experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

from plots.convergence import PAPER_MEAN, SCORE, paper_means
from plots.curves import panel_title
from plots.errors import PlotError
from plots.ladders import Ladder, ladder_sheet
from plots.layout import whole_numbers
from plots.style import FAINT, INK, ONE_COLUMN, TWO_COLUMNS, Look, Row, by_row, looks, names_of, printed, rows_of

_GOLDEN = 0.618034  # multiples of it, modulo 1, spread any number of points evenly and deterministically
_SPREAD, _BOX = 0.56, 0.62  # relative to the distance between lines
_WIDER = 0.5  # how much wider a panel may become for rows without an initialisation
_WITH_MEANS = 2.5  # how many times wider a panel may become for the paper's means
_SHORT = 6  # the largest number of lines for one journal column


def score_points(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the scores of the completed runs, by row and run.

    Args:
        runs: One line per run.

    Returns:
        The columns setting, init, fitness, short_label, run, best_score, and offset: the position of the point across
        its line, from -0.5 to 0.5.
    """
    done = runs[(runs["state"] == "done") & (runs["best_score"] >= 0)]
    place = {row: at for at, row in enumerate(rows_of(done))}
    places = [place[Row(*map(str, key))] for key in done[list(Row._fields)].to_numpy()]
    points = done[[*Row._fields, "short_label", "run", "best_score"]].assign(place=places)
    points = points.sort_values(["place", "run"], kind="stable", ignore_index=True)
    steps = points.groupby("place").cumcount().to_numpy()
    return points.drop(columns="place").assign(offset=(0.5 + steps * _GOLDEN) % 1 - 0.5)


def score_boxes(points: pd.DataFrame) -> pd.DataFrame:
    """Return Tukey's box plot of each row.

    Args:
        points: The result of `score_points`.

    Returns:
        One line per row of the experiment, with the columns setting, init, fitness, runs, lower, median and upper (the
        quartiles), low and high (the ends of the whiskers: the farthest scores within 1.5 interquartile ranges of the
        box, or its edges).
    """
    boxes = []
    for row, part in by_row(points).items():
        scores = part["best_score"].to_numpy(dtype=np.float64)
        lower, median, upper = np.quantile(scores, (0.25, 0.5, 0.75))
        reach = 1.5 * (upper - lower)
        low, high = min(lower, scores[scores >= lower - reach].min()), max(upper, scores[scores <= upper + reach].max())
        boxes.append((*row, len(scores), lower, median, upper, low, high))
    return pd.DataFrame(boxes, columns=[*Row._fields, "runs", "lower", "median", "upper", "low", "high"])


def score_panels(points: pd.DataFrame) -> dict[str, list[Row]]:
    """Return the rows of each panel; there is a panel for each initialisation, since their scores differ in range.

    A row without an initialisation is shown with the random ones if that does not make their panel much wider;
    otherwise in a panel of its own.

    Args:
        points: The result of `score_points`.

    Returns:
        The rows of each panel, by its initialisation.
    """
    scores = {row: part["best_score"] for row, part in by_row(points).items()}
    rows = list(scores)
    inits = sorted(dict.fromkeys(row.init for row in rows), key=bool)  # none first
    panels = {init: [row for row in rows if row.init == init] for init in inits}
    if "" in panels and "random" in panels:
        low, high = _range(pd.concat([scores[row] for row in panels["random"]]))
        room = _WIDER * (high - low)
        fitting = []
        for row in panels[""]:
            own_low, own_high = _range(scores[row])
            if low - room <= own_low and own_high <= high + room:
                fitting.append(row)
        panels["random"] = [*fitting, *panels["random"]]
        panels[""] = [row for row in panels[""] if row not in fitting]
    return {init: members for init, members in panels.items() if members}


def panel_titles(panels: Mapping[str, Sequence[Row]]) -> list[str]:
    """Return the titles of the panels of `score_panels`."""
    titles = []
    for init, rows in panels.items():
        beside = " (or none)" if init and any(not row.init for row in rows) else ""
        titles.append(f"{panel_title((init, ''))}{beside}" if init else "no initialisation" * (len(panels) > 1))
    return titles


def row_points(points: pd.DataFrame, rows: Sequence[Row]) -> pd.DataFrame:
    """Return the points of some rows only."""
    wanted = set(rows)
    kept = [key in wanted for key in zip(*(points[name] for name in Row._fields), strict=True)]
    return points[kept].reset_index(drop=True)


@printed
def draw_distributions(
    points: pd.DataFrame, paper: pd.DataFrame | None = None, *, settings: Sequence[str] = (), score: str = SCORE
) -> Figure:
    """Draw score distributions, one line for each row of the experiment, in one panel for each initialisation.

    Args:
        points: The result of `score_points`.
        paper: The paper's results, whose means are marked, or written if they are far from the scores.
        settings: All settings of the experiment, so that a setting looks the same in all of its pictures.
        score: The label of the axis of scores, which says which edges they count.
    """
    if points.empty:
        raise PlotError("no run is done yet")
    panels, means = score_panels(points), paper_means(paper)
    names = names_of(points, "short_label")
    rows = list(names)
    styles = looks([*settings, *(row.setting for row in rows)])
    ranges = [_panel_range(row_points(points, members), members, means) for members in panels.values()]
    ladders = [
        Ladder([names[row] for row in members], _far_means(members, means, *ends), title=title)
        for members, title, ends in zip(panels.values(), panel_titles(panels), ranges, strict=True)
    ]
    legend = box_samples()
    if any(row in means for row in rows):
        far = (
            ", → off the axis" if any("→" in note or "←" in note for ladder in ladders for note in ladder.notes) else ""
        )
        legend.append((_paper_mark([], []), f"{PAPER_MEAN}{far}"))
    width = ONE_COLUMN if len(rows) <= _SHORT else TWO_COLUMNS
    heading = "Score distributions", "best score of each completed run"
    figure, sheet = ladder_sheet(ladders, score, heading, legend, width=width)
    for axes, members, (low, high) in zip(sheet, panels.values(), ranges, strict=True):
        shade_groups(axes, [row.setting for row in members])
        draw_scores(axes, row_points(points, members), styles)
        near = [at for at, row in enumerate(members) if row in means and low <= means[row] <= high]
        axes.add_line(_paper_mark([means[members[at]] for at in near], near))
        fit_scores(axes, pd.Series([low, high]))
    return figure


def draw_scores(axes: Axes, points: pd.DataFrame, styles: dict[str, Look], *, hollow: str | None = None) -> None:
    """Draw lines of scores at y = 0, 1, 2, ...: box plots, and a marker for every run.

    Args:
        axes: The axes to draw on.
        points: The result of `score_points`, with a line for each row.
        styles: The look of each setting.
        hollow: The fitness whose boxes and markers are not filled.
    """
    boxes = score_boxes(points)
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
    axes.vlines(median, y - half, y + half, colors=colours, linewidth=1.6, zorder=3)
    for at, (row, part) in enumerate(by_row(points).items()):
        marks = styles[row.setting].markers(filled=row.fitness != hollow)
        heights = at + _SPREAD * part["offset"].to_numpy()
        axes.plot(part["best_score"].to_numpy(), heights, markersize=2.2, markeredgewidth=0.5, alpha=0.6, **marks)


def fit_scores(axes: Axes, scores: pd.Series) -> None:
    """Set an x axis that is just wide enough for some scores."""
    low, high = _range(scores)
    margin = max(0.03 * (high - low), 1.1 if low == high else 0.3)  # a single score is centred between two ticks
    axes.set_xlim(low - margin, high + margin)
    whole_numbers(axes, "x")


def box_samples() -> list[tuple[Artist, str]]:
    """Return legend samples for boxes and points."""
    point = Line2D([], [], linestyle="none", marker="o", color="#777777", markersize=2.6)
    box = Patch(facecolor=FAINT, edgecolor="#777777", linewidth=0.6)
    return [(point, "run"), (box, "quartiles, median, whiskers")]


def shade_groups(axes: Axes, names: Sequence[str]) -> None:
    """Shade the background of every second group of lines with the same name."""
    start = 0
    for number, (_, group) in enumerate(groupby(names)):
        end = start + len(list(group))
        if number % 2:
            axes.axhspan(start - 0.5, end - 0.5, color="#f3f3f3", linewidth=0, zorder=0)
        start = end


def _paper_mark(scores: list[float], lines: list[int]) -> Line2D:
    """Return a thin vertical mark that extends above and below the box."""
    return Line2D(scores, lines, linestyle="none", marker="|", color=INK, markersize=12, markeredgewidth=1.2, zorder=4)


def _range(scores: pd.Series) -> tuple[float, float]:
    return float(scores.min()), float(scores.max())


def _panel_range(points: pd.DataFrame, rows: Sequence[Row], means: Mapping[Row, float]) -> tuple[float, float]:
    """Return the range of a panel: its scores, and the paper's means unless they would compress the scores."""
    low, high = _range(points["best_score"])
    known = [means[row] for row in rows if row in means]
    all_low, all_high = min([low, *known]), max([high, *known])
    return (all_low, all_high) if all_high - all_low <= _WITH_MEANS * (high - low) else (low, high)


def _far_means(rows: Sequence[Row], means: Mapping[Row, float], low: float, high: float) -> list[str]:
    """Return notes that state the paper's means that are outside the range of a panel."""
    notes = []
    for row in rows:
        mean = means.get(row, low)
        notes.append(f"→ {mean:.1f}" if mean > high else f"← {mean:.1f}" if mean < low else "")
    return notes
