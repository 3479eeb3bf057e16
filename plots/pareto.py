"""Pareto fronts: the three objectives of the runs' final fronts, two at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from plots.curves import panel_title, stacked
from plots.layout import panel_sheet, whole_numbers
from plots.style import Look, Row, by_row, looks, printed, row_label
from puzzles import PuzzleError

OBJECTIVES = {"score": "score (matching edges)", "blocks": "blocks (2x2, matching)", "complete": "complete tiles"}
PAIRS = list(combinations(OBJECTIVES, 2))
_TOLD_APART = 6  # rows in one line of panels


def front_points(fronts: pd.DataFrame) -> pd.DataFrame:
    """The objectives that the runs of each row reached, and which of them no other of the row's runs dominates.

    Args:
        fronts: The non-dominated objectives of each run.

    Returns:
        The columns setting, init, fitness, score, blocks, complete, runs (how many have it), front (whether nothing
        that the row reached is at least as good in all three objectives and better in one).
    """
    keys = [*Row._fields, *OBJECTIVES]
    counts = fronts.groupby(keys, sort=True)["run"].nunique().rename("runs").reset_index()
    parts = [
        part.assign(front=~_dominated(part[list(OBJECTIVES)].to_numpy(dtype=np.int64)))
        for part in by_row(counts).values()
    ]
    return stacked(parts, [*keys, "runs", "front"])


@printed
def draw_pareto(points: pd.DataFrame, *, settings: Sequence[str] = ()) -> Figure:
    """Draw the fronts in three projections, the runs of a row together; with many rows, three for each initialisation.

    Hollow markers tell a setting's two rows in a panel apart.

    Args:
        points: From `front_points`.
        settings: All settings of the experiment, where these are but some of them: they get the same looks.
    """
    if points.empty:
        raise PuzzleError("no run has a front yet")
    parts = {
        row: {name: part[name].to_numpy() for name in (*OBJECTIVES, "front")} for row, part in by_row(points).items()
    }
    rows = list(parts)
    styles = looks([*settings, *(row.setting for row in rows)])
    counts = Counter(row.setting for row in rows)
    many = len(rows) > _TOLD_APART or max(counts.values()) > 2
    panels = {"": rows}
    hollow = {row for row, after in pairwise(rows) if row.setting == after.setting}
    if many:
        hollow = {row for row in rows if row.fitness == "normal"}
        panels = {init: [row for row in rows if row.init == init] for init in dict.fromkeys(row.init for row in rows)}
    titles = [panel_title((init, "")) if not at else "" for init in panels for at in range(len(PAIRS))]
    heading = "Pareto fronts", "final fronts of all runs together; pale: dominated by another run of the row"
    legend = _samples(rows, styles, hollow, many)
    figure, axes = panel_sheet(titles, ("", ""), heading, legend, columns=len(PAIRS), height=1.9)
    for at, panel in enumerate(axes):
        across, up = PAIRS[at % len(PAIRS)]
        panel.set(xlabel=OBJECTIVES[across], ylabel=OBJECTIVES[up])
        for row in list(panels.values())[at // len(PAIRS)]:
            places = np.stack([parts[row][across], parts[row][up]], axis=1)
            _draw_front(panel, places, parts[row]["front"], styles[row.setting].markers(filled=row not in hollow))
        for axis in "xy":
            whole_numbers(panel, axis)
    return figure


def _draw_front(panel: Axes, places: NDArray[np.int64], front: NDArray[np.bool_], marks: dict[str, Any]) -> None:
    for best, size, alpha in ((False, 2, 0.25), (True, 3.2, 0.9)):
        seen = np.unique(places[front == best], axis=0)
        panel.plot(seen[:, 0], seen[:, 1], markersize=size, markeredgewidth=0.6, alpha=alpha, **marks)


def _samples(rows: Sequence[Row], styles: dict[str, Look], hollow: set[Row], many: bool) -> list[tuple[Artist, str]]:
    """Samples for a legend: the rows if they are few, else the settings and what hollow means."""
    if not many:
        return [(_sample(styles[row.setting], row not in hollow), row_label(*row)) for row in rows]
    settings = dict.fromkeys(row.setting for row in rows)
    samples: list[tuple[Artist, str]] = [(_sample(styles[setting], True), setting) for setting in settings]
    if hollow:
        samples.append((_sample(Look("#777777", "o"), False), "hollow: normal fitness"))
    return samples


def _sample(look: Look, filled: bool) -> Line2D:
    return Line2D([], [], **look.markers(filled=filled))


def _dominated(objectives: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of some different points are dominated by another: it is at least as good in everything."""
    at_least: NDArray[np.bool_] = np.all(objectives[:, None] <= objectives[None], axis=-1)
    return np.asarray(at_least.sum(axis=1) > 1)  # one of them is the point itself
