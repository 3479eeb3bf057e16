"""The pictures and the report page of a study or a record: which there are, their captions, and how they are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, get_args

from evo.analysis.comparison import By, fitness_verdicts
from evo.analysis.record_study import RecordStudy
from evo.analysis.statistics import EFFECT_SIZES, SIGNIFICANCE_LEVEL
from evo.analysis.study import Over, Study
from evo.analysis.summary import is_papers, paper_table
from evo.errors import ConfigError
from evo.experiments.rows import labelled, rows_of
from evo.experiments.several import Source
from operators import edge_count
from puzzles import Puzzle

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from evo.analysis.record import Recorded
    from plots.curves import Scale
    from plots.report import BoardPicture, Picture
    from puzzles.protocols import AnyPuzzle

TITLES = {
    "convergence": "Convergence",
    "distributions": "Score distributions",
    "variants": "Normal and combined fitness",
    "ecdf": "ECDF over targets",
    "pareto": "Pareto fronts",
    "diversity": "Population diversity",
}
"""The kinds of pictures of an experiment, besides its best board, and their titles in the report."""
CAPTIONS = {
    "convergence": "The best score against {over}: the median over the runs of each row, with the band between the "
    "quartiles.",
    "distributions": "The best score of every completed run, with a box plot for each row.",
    "variants": "Normal and combined fitness, side by side for each setting, with the verdict of the test.",
    "ecdf": "The proportion of (run, target score) pairs reached, against {over}.",
    "pareto": "The three objectives of the non-dominated individuals in the final populations.",
    "diversity": "The proportion of cells in which two individuals of a population differ, against {over}.",
}
COMPARISON_CAPTION = (
    "The probability that a run of the first row beats a run of the second, with the p value of the test."
)
BOARD = "board"
PROGRESS_KINDS = ("convergence", "ecdf", "diversity")
"""The kinds of pictures whose x axis is evaluations or seconds."""
_MOST_COMPARED = 60
"""The largest comparison that the report shows; `evo compare` draws larger ones."""


def checked_over(kind: str, over: str | None) -> Over:
    """Return the x axis of a picture: the requested one, or evaluations by default.

    Raises:
        ConfigError: There is no such axis, or the picture does not have a choice of axes.
    """
    if over is not None and kind in (*TITLES, BOARD) and kind not in PROGRESS_KINDS:
        raise ConfigError(f"over: a {kind} picture has no such axis; only {', '.join(PROGRESS_KINDS)} have one")
    if over is not None and over not in get_args(Over):
        raise ConfigError(f"over: {over!r} is not one of {', '.join(get_args(Over))}")
    return "seconds" if over == "seconds" else "evaluations"


def checked_scale(kind: str, scale: str | None) -> Scale:
    """Return the scale of the x axis of a picture: the requested one, or logarithmic by default.

    Raises:
        ConfigError: There is no such scale, or the picture does not have a choice of scales.
    """
    if scale is not None and kind in (*TITLES, BOARD) and kind not in PROGRESS_KINDS:
        raise ConfigError(f"scale: a {kind} picture has no such axis; only {', '.join(PROGRESS_KINDS)} have one")
    if scale not in (None, "logarithmic", "linear"):
        raise ConfigError(f"scale: {scale!r} is not one of logarithmic, linear")
    return "linear" if scale == "linear" else "logarithmic"


def picture(
    directory: Source | Sequence[Source],
    kind: str = "convergence",
    *,
    over: str | None = None,
    scale: str | None = None,
) -> Figure:
    """Return a picture of an experiment, or of several side by side, as a figure of matplotlib.

    Args:
        directory: The directory of the experiment, or several of them.
        kind: "convergence", "distributions", "variants", "ecdf", "pareto" or "diversity".
        over: The x axis of convergence, ecdf and diversity: "evaluations" (the default) or "seconds".
        scale: The scale of this axis: "logarithmic" (the default) or "linear".

    Raises:
        ConfigError: There is no such picture or axis.
        PlotError: The experiment lacks the data for the picture.
        StoreError: A directory does not hold an experiment, or the experiment is damaged.
    """
    axis, axis_scale = checked_over(kind, over), checked_scale(kind, scale)
    return study_figure(Study(directory), kind, axis, axis_scale)


def study_figure(study: Study, kind: str, over: Over = "evaluations", scale: Scale = "logarithmic") -> Figure:
    """Draw a picture of a study.

    Args:
        study: The study.
        kind: One of `TITLES`.
        over: The x axis of the pictures of `PROGRESS_KINDS`.
        scale: The scale of this axis.

    Raises:
        ConfigError: There is no such kind.
        PlotError: The study lacks the data for it.
    """
    from plots.convergence import convergence_curves, draw_convergence
    from plots.distributions import draw_distributions, score_points
    from plots.diversity import diversity_curves, draw_diversity
    from plots.ecdf import draw_ecdf, ecdf_curves
    from plots.pareto import OBJECTIVES, draw_pareto, front_points
    from plots.variants import draw_variants, variant_points

    settings, scores = study.settings, counted_scores(study.edges, study.puzzle)
    score = score_axis(study.edges, study.puzzle)
    match kind:
        case "convergence":
            paper = study.paper if over == "evaluations" else None  # the paper does not give the seconds of its runs
            if isinstance(study, RecordStudy):  # a record keeps its curves, and no traces
                return draw_convergence(study.curves, paper, settings=settings, score=score)
            curves = convergence_curves(study.comparable_trace(over), over, scale)
            return draw_convergence(curves, paper, settings=settings, score=score, scale=scale)
        case "distributions":
            return draw_distributions(score_points(study.runs), study.paper, settings=settings, score=score)
        case "variants":
            verdicts = fitness_verdicts(study.runs)
            return draw_variants(variant_points(study.runs), verdicts, settings=settings, score=score)
        case "ecdf":
            curves = ecdf_curves(study.comparable_trace(over), over=over, scale=scale)
            return draw_ecdf(curves, settings=settings, scores=scores, scale=scale)
        case "pareto":
            objective = f"score ({scores})" if scores else OBJECTIVES["score"]
            return draw_pareto(front_points(study.fronts), settings=settings, score=objective)
        case "diversity":
            curves = diversity_curves(study.comparable_trace(over), over, scale)
            return draw_diversity(curves, settings=settings, scale=scale)
    raise ConfigError(f"plot: {kind!r} is not one of {', '.join([*TITLES, BOARD])}")


def score_axis(edges: str, puzzle: AnyPuzzle) -> str:
    """Return the label of the axis of scores."""
    from plots.convergence import SCORE

    if not isinstance(puzzle, Puzzle):
        return f"best score (of {puzzle.max_score})"
    scores = counted_scores(edges, puzzle)
    return f"best score ({scores})" if scores else SCORE


def counted_scores(edges: str, puzzle: AnyPuzzle) -> str:
    """Return which edges the scores of a picture count; nothing if all."""
    return "" if edges == "all" else f"of the {edge_count(puzzle.shape, edges)} edges that count"


def comparison_figure(table: pd.DataFrame, title: str = "Comparison") -> Figure:
    """Draw the table of `evo.analysis.compare` as a forest plot."""
    from plots.comparison import draw_comparison, effect_lines

    return draw_comparison(effect_lines(table), SIGNIFICANCE_LEVEL, EFFECT_SIZES, total=len(table), title=title)


def study_pictures(study: Study) -> tuple[list[Picture], list[str]]:
    """Draw all pictures that a study has the data for, and explain why the others are missing.

    Returns:
        The pictures as SVG, and one sentence for each missing picture.
    """
    from plots.errors import PlotError
    from plots.report import Picture
    from plots.style import picture_bytes

    drawn, missing = [], []
    for kind, caption in CAPTIONS.items():
        try:
            svg = picture_bytes(study_figure(study, kind, study.over), "svg").decode()
        except PlotError as error:
            missing.append(f"There is no {kind} picture: {error}.")
            continue
        drawn.append(Picture(kind, TITLES[kind], caption.format(over=study.over), svg))
    by: By
    for by, name in (("init", "initialisations"), ("setting", "settings")):  # the variants picture compares fitnesses
        try:
            table, _ = study.compare(by)
        except ConfigError:  # there is nothing to compare
            continue
        if len(table) <= _MOST_COMPARED:
            svg = picture_bytes(comparison_figure(table), "svg").decode()
            drawn.append(Picture(f"compare-{by}", f"Comparison of {name}", COMPARISON_CAPTION, svg))
    return drawn, missing


def study_page(study: Study, pictures: list[Picture], missing: list[str]) -> str:
    """Return the report of a study as an HTML page.

    Args:
        study: The study.
        pictures: The pictures of `study_pictures`.
        missing: Why other pictures are missing, one sentence each.
    """
    from plots.report import report_page

    return report_page(
        f"{study.name} on {study.puzzle.name}",
        study.summary(),
        study.runs,
        notes=[*study.notes(), *missing],
        pictures=pictures,
        boards=_board_pictures(study),
        settings=study.row_settings(),
        versions=study.facts("versions"),
        machine=study.facts("machine"),
        conclusions=[(f"{one.number}. {one.text}", one.verdict, one.comparison) for one in study.conclusions()],
    )


def record_figures(record: Recorded) -> Iterator[tuple[str, Figure]]:
    """Draw the pictures that a record has the data for, and yield each with its kind."""
    from plots.convergence import draw_convergence
    from plots.distributions import draw_distributions, score_points
    from plots.variants import draw_variants, variant_points

    paper = paper_table() if is_papers(record.puzzle) else None
    runs = labelled(record.runs)
    settings = [row.setting for row in rows_of(runs)]
    score = score_axis(record.edges, record.puzzle)
    timed = record.over == "seconds"  # the paper does not give the seconds of its runs
    yield "convergence", draw_convergence(record.curves, None if timed else paper, settings=settings, score=score)
    yield "distributions", draw_distributions(score_points(runs), paper, settings=settings, score=score)
    points = variant_points(runs)
    if len(points):
        yield "variants", draw_variants(points, fitness_verdicts(runs), settings=settings, score=score)


def _board_pictures(study: Study) -> list[BoardPicture]:
    from plots.report import BoardPicture

    return [BoardPicture(one.caption, one.board.to_svg(title=one.caption), one.url) for one in study.best_boards()]
