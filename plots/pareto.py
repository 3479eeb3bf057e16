"""Pareto fronts: the three objectives of the final fronts of the runs, in two-dimensional projections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.transforms import IdentityTransform
from numpy.typing import NDArray

from plots.curves import panel_title
from plots.errors import PlotError
from plots.layout import panel_sheet, whole_numbers
from plots.style import Look, Row, by_row, looks, names_of, printed, rows_of

OBJECTIVES = {"score": "score (matching edges)", "blocks": "blocks (2x2, matching)", "complete": "complete tiles"}
PAIRS = list(combinations(OBJECTIVES, 2))
MOEA = "MOEA"
_ASIDE = 6.0  # the distance between rows that share a point, in points


def front_points(fronts: pd.DataFrame) -> pd.DataFrame:
    """Return the objectives that the runs of each row reached, and which of them are on the front of the row.

    If there are rows of MOEA, the multi-objective algorithm, the others are left out.

    Args:
        fronts: The non-dominated objectives of each run.

    Returns:
        The columns setting, algorithm, init, fitness, short_label, score, blocks, complete, runs (the number of runs
        that reached the point), front (whether no other point of the row dominates it).
    """
    of_moea = fronts["algorithm"] == MOEA
    kept = fronts[of_moea] if of_moea.any() else fronts
    keys = ["setting", "algorithm", "init", "fitness", "short_label", *OBJECTIVES]
    counts = kept.groupby(keys, sort=True)["run"].nunique().rename("runs").reset_index()
    found = by_row(counts)
    parts = [
        found[row].assign(front=~_dominated(found[row][list(OBJECTIVES)].to_numpy(dtype=np.int64)))
        for row in rows_of(kept)
    ]
    return pd.concat(parts, ignore_index=True) if parts else counts.assign(front=False)


@printed
def draw_pareto(points: pd.DataFrame, *, settings: Sequence[str] = (), score: str = OBJECTIVES["score"]) -> Figure:
    """Draw the fronts in three projections for each initialisation, with the runs of a row pooled.

    Rows that share a point are drawn side by side, and the size of a marker shows the number of runs' points there. The
    markers of the normal fitness are hollow.

    Args:
        points: The result of `front_points`.
        settings: All settings of the experiment, so that a setting looks the same in all of its pictures.
        score: The label of the axis of scores, which says which edges they count.
    """
    if points.empty:
        raise PlotError("no run has a front yet")
    labels = names_of(points, "short_label")
    rows = list(labels)
    styles, hollow = looks([*settings, *(row.setting for row in rows)]), _hollow(rows)
    inits = list(dict.fromkeys(row.init for row in rows))
    places = [front_places(points[points["init"] == init], *pair) for init in inits for pair in PAIRS]
    names = [panel_title((init, "")) or "no initialisation" * (len(inits) > 1) for init in inits]
    titles = [name if pair == PAIRS[0] else "" for name in names for pair in PAIRS]
    most = max(int(part["count"].max()) for part in places)
    legend = [*_samples(labels, styles, hollow), *_sizes(most)]
    heading = _heading(points, any(part["aside"].any() for part in places))
    figure, axes = panel_sheet(titles, ("", ""), heading, legend, columns=len(PAIRS), height=1.9)
    objectives = OBJECTIVES | {"score": score}
    for panel, part, pair in zip(axes, places, PAIRS * len(inits), strict=True):
        across, up = pair
        panel.set(xlabel=objectives[across], ylabel=objectives[up], xlim=_ends(part[across]), ylim=_ends(part[up]))
        for row, own in by_row(part).items():
            _draw_front(panel, own, pair, styles[row.setting], row in hollow)
        for axis in "xy":
            whole_numbers(panel, axis)
    return figure


def front_places(points: pd.DataFrame, across: str, up: str) -> pd.DataFrame:
    """Return the points of a projection onto two objectives.

    Args:
        points: The result of `front_points`.
        across: The objective on the x axis.
        up: The objective on the y axis.

    Returns:
        The columns setting, init, fitness, the two objectives, front (whether the point is on the front of the row),
        count (the number of points of runs that project to it), and aside: the horizontal offset of its marker, in
        points, so that rows that share a point do not hide one another.
    """
    keys = [*Row._fields, across, up]
    places = points.groupby([*keys, "front"], sort=False)["runs"].sum().rename("count").reset_index()
    rows = list(zip(*(places[name] for name in Row._fields), strict=True))
    at = list(zip(places[across], places[up], strict=True))
    there: dict[tuple[int, int], dict[tuple[str, ...], int]] = {}  # the rows at each point, numbered
    for place, row in zip(at, rows, strict=True):
        there.setdefault(place, {}).setdefault(row, len(there[place]))
    aside = [_aside(there[place][row], len(there[place])) for place, row in zip(at, rows, strict=True)]
    return places.assign(aside=aside)


def _aside(number: int, rows: int) -> float:
    """Return the horizontal offset of one of several rows at the same point, in points."""
    return (number - (rows - 1) / 2) * min(_ASIDE, 2.5 * _ASIDE / rows)


def _heading(points: pd.DataFrame, aside: bool) -> tuple[str, str]:
    title = "Pareto fronts of MOEA" if (points["algorithm"] == MOEA).all() else "Pareto fronts"
    beside = "; side by side: rows that share a point" if aside else ""
    return title, f"final fronts of all runs of a row; pale: dominated by another run of the row{beside}"


def _ends(values: pd.Series) -> tuple[float, float]:
    """Return the limits of an axis for some values."""
    margin = max(0.07 * float(values.max() - values.min()), 0.4)
    return float(values.min()) - margin, float(values.max()) + margin


def _draw_front(panel: Axes, places: pd.DataFrame, pair: tuple[str, str], look: Look, hollow: bool) -> None:
    """Draw the points of a row, with those on its front above the others."""
    across, up = pair
    left, right = panel.get_xlim()
    point = (right - left) / panel.get_window_extent().width * panel.get_figure(root=True).dpi / 72  # type: ignore[union-attr]  # axes have a figure
    style = MarkerStyle(look.marker)
    marker = style.get_path().transformed(style.get_transform())
    for best, alpha in ((False, 0.22), (True, 0.9)):
        seen = places[places["front"] == best]
        marks = PathCollection(  # what `scatter` creates, but faster
            [marker],
            sizes=_area(seen["count"].to_numpy()),
            offsets=np.stack([seen[across] + point * seen["aside"], seen[up]], axis=1),
            offset_transform=panel.transData,
            facecolors="none" if hollow else look.colour,
            edgecolors=look.colour,
            linewidths=0.6,
            alpha=alpha,
            zorder=3 if best else 2,
        )
        marks.set_transform(IdentityTransform())  # the size of the marker is in points
        panel.add_collection(marks, autolim=False)


def _area(count: Any) -> Any:
    """Return the area of a marker in square points; it grows slowly with the number of runs' points there."""
    return 8 + 12 * np.log2(count)


def _hollow(rows: Sequence[Row]) -> set[Row]:
    """Return the rows with hollow markers: those of the normal fitness of a setting that has another."""
    others = {row.setting for row in rows if row.fitness != "normal"}
    return {row for row in rows if row.fitness == "normal" and row.setting in others}


def _samples(labels: Mapping[Row, str], styles: dict[str, Look], hollow: set[Row]) -> list[tuple[Artist, str]]:
    """Return legend samples for settings with their fitness; panels state the initialisation."""
    samples: dict[str, Artist] = {}
    for row, name in labels.items():
        marks = styles[row.setting].markers(filled=row not in hollow)
        samples.setdefault(name, Line2D([], [], markersize=5, markeredgewidth=0.9, **marks))
    return [(sample, name) for name, sample in samples.items()]


def _sizes(most: int) -> list[tuple[Artist, str]]:
    """Return legend samples that explain the size of a marker."""
    grey = Look("#777777", "o").markers()
    names = {1: "one point", most: f"{most} points"} if most > 1 else {}
    return [(Line2D([], [], markersize=float(np.sqrt(_area(count))), **grey), name) for count, name in names.items()]


def _dominated(objectives: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which of some distinct points are dominated by another, which is at least as good in every objective."""
    at_least: NDArray[np.bool_] = np.all(objectives[:, None] <= objectives[None], axis=-1)
    return np.asarray(at_least.sum(axis=1) > 1)  # every point is at least as good as itself
