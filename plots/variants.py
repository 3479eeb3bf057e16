"""Fitness variants: normal against combined, side by side for each setting and initialisation, with the verdict."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from plots.distributions import SCORE, draw_scores, score_boxes, score_points, shade_groups
from plots.layout import Ladder, ladder_sheet, whole_numbers
from plots.style import Row, looks, printed, row_label, rows_of
from puzzles import PuzzleError

FITNESSES = ("normal", "combined")


def variant_points(runs: pd.DataFrame) -> pd.DataFrame:
    """The scores of the runs that are done, of those settings and initialisations that have both fitness variants.

    Args:
        runs: One row per run.

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
    """What the test says of each setting and initialisation: its verdict, and the figures behind it.

    Args:
        verdicts: The columns setting, init, p (corrected), effect (the probability that combined beats normal) and
            verdict (text).
    """
    return {
        (str(line["setting"]), str(line["init"])): (
            str(line["verdict"]),
            f"A = {line['effect']:.2f}, {p_text(line['p'])}",
        )
        for line in verdicts.to_dict("records")
    }


@printed
def draw_variants(points: pd.DataFrame, verdicts: pd.DataFrame, *, settings: Sequence[str] = ()) -> Figure:
    """Draw normal against combined fitness, two lines for each setting and initialisation.

    Args:
        points: From `variant_points`.
        verdicts: The columns setting, init, p (corrected), effect (the probability that combined beats normal) and
            verdict (text).
        settings: All settings of the experiment, where these are but some of them: they get the same looks.
    """
    if points.empty:
        raise PuzzleError("no setting has runs that are done with both the normal and the combined fitness")
    rows, boxes = rows_of(points), score_boxes(points)
    styles, notes = looks([*settings, *(row.setting for row in rows)]), verdict_notes(verdicts)
    beside = [notes.get((row.setting, row.init), ("", ""))[row.fitness == "combined"] for row in rows]
    legend: list[tuple[Artist, str]] = [
        (_sample(filled), name) for filled, name in zip((False, True), FITNESSES, strict=True)
    ]
    heading = (
        "Normal against combined fitness",
        "best score of each run; A: probability that combined beats normal; p: Holm-corrected",
    )
    ladder = Ladder([row_label(*row) for row in rows], beside)
    figure, axes = ladder_sheet(ladder, SCORE, heading, legend)
    shade_groups(axes, [row_label(row.setting, row.init, "") for row in rows])
    draw_scores(axes, points, boxes, styles, hollow="normal")
    whole_numbers(axes, "x")
    return figure


def p_text(p: float) -> str:
    """A p value for people."""
    if pd.isna(p):
        return "no p value"
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _sample(filled: bool) -> Line2D:
    face = "#777777" if filled else "none"
    return Line2D([], [], linestyle="none", marker="o", color="#777777", markerfacecolor=face)
