"""Fitness variants: normal and combined fitness side by side for each setting and initialisation, with the verdict."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from plots.convergence import SCORE
from plots.distributions import (
    box_samples,
    draw_scores,
    fit_scores,
    panel_titles,
    row_points,
    score_panels,
    score_points,
    shade_groups,
)
from plots.errors import PlotError
from plots.ladders import Ladder, ladder_sheet
from plots.style import Row, looks, names_of, printed, rows_of

FITNESSES = ("normal", "combined")


def variant_points(runs: pd.DataFrame) -> pd.DataFrame:
    """Return the scores of completed runs for the settings and initialisations that have both fitness variants.

    Args:
        runs: One line per run.

    Returns:
        The columns of `plots.distributions.score_points`.
    """
    points = score_points(runs)
    rows = set(rows_of(points))
    kept = [
        fitness in FITNESSES and all(Row(setting, init, other) in rows for other in FITNESSES)
        for setting, init, fitness in points[list(Row._fields)].to_numpy()
    ]
    return points[pd.Series(kept, index=points.index, dtype=bool)].reset_index(drop=True)


def verdict_notes(verdicts: pd.DataFrame) -> dict[tuple[str, str], tuple[str, str]]:
    """Return the verdict of the test and its evidence for each setting and initialisation.

    Args:
        verdicts: The columns setting, init, verdict, and evidence (the effect and the p value as text).
    """
    return {
        (str(line["setting"]), str(line["init"])): (str(line["verdict"]), str(line["evidence"]))
        for line in verdicts.to_dict("records")
    }


@printed
def draw_variants(
    points: pd.DataFrame, verdicts: pd.DataFrame, *, settings: Sequence[str] = (), score: str = SCORE
) -> Figure:
    """Draw normal and combined fitness as two lines for each setting, in one panel for each initialisation.

    Args:
        points: The result of `variant_points`.
        verdicts: The columns setting, init, verdict, and evidence (the effect and the p value as text).
        settings: All settings of the experiment, so that a setting looks the same in all of its pictures.
        score: The label of the axis of scores, which says which edges they count.
    """
    if points.empty:
        raise PlotError("no setting has completed runs with both the normal and the combined fitness")
    panels = score_panels(points)
    names = names_of(points, "short_label")
    styles = looks([*settings, *(row.setting for row in names)])
    legend: list[tuple[Artist, str]] = [
        (_sample(filled), name) for filled, name in zip((False, True), FITNESSES, strict=True)
    ]
    heading = (
        "Normal and combined fitness",
        "best score of each run; A: probability that combined beats normal; p: Holm-corrected",
    )
    notes = verdict_notes(verdicts)
    ladders = [
        Ladder(
            [names[row] for row in rows],
            [notes.get((row.setting, row.init), ("", ""))[row.fitness == "combined"] for row in rows],
            title=title,
        )
        for rows, title in zip(panels.values(), panel_titles(panels), strict=True)
    ]
    figure, sheet = ladder_sheet(ladders, score, heading, [*legend, *box_samples()[1:]])
    for axes, rows in zip(sheet, panels.values(), strict=True):
        shade_groups(axes, [row.setting for row in rows])
        part = row_points(points, rows)
        draw_scores(axes, part, styles, hollow="normal")
        fit_scores(axes, part["best_score"])
    return figure


def _sample(filled: bool) -> Line2D:
    face = "#777777" if filled else "none"
    return Line2D([], [], linestyle="none", marker="o", color="#777777", markerfacecolor=face)
