"""A study: an experiment's frames, and the pictures and the page that are made of them."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from evo.analysis.comparison import By, compare, fitness_verdicts, notes
from evo.analysis.conclusions import conclusions
from evo.analysis.equal_seconds import after_seconds, notes_after
from evo.analysis.statistics import EFFECT_SIZES, SIGNIFICANCE_LEVEL
from evo.analysis.summary import beside_paper, is_papers, paper_table, summary
from evo.errors import ConfigError
from evo.experiments.frames import fronts, results, traces
from evo.experiments.rows import Row, labelled, rows_of
from evo.experiments.store import Store

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from evo.experiments.plan import Run
    from evo.experiments.store import Record
    from plots.curves import Over
    from plots.report import BoardPicture, Picture
    from puzzles import Board

KINDS = {
    "convergence": "Best score against {over}: the median of the runs and the band between the quartiles.",
    "distributions": "The best score of every run, and a box of the quartiles for each row.",
    "variants": "Normal against combined fitness, setting by setting, and what the test says of them.",
    "ecdf": "The share of all pairs of a run and a target score that were reached within so many {over}.",
    "pareto": "The three objectives of what nothing in the final populations dominates.",
    "diversity": "The share of cells in which two individuals of a population differ.",
}
"""The pictures of an experiment, besides its best board, and what they show."""
BOARD = "board"
OVER = ("evaluations", "seconds")
OVER_KINDS = ("convergence", "ecdf", "diversity")
"""The pictures that show what happens as evaluations or seconds go by."""
COMPARED = "The probability that a run of the first kind beats one of the second, and what the test says of it."
_MOST_COMPARED = 60
"""A picture of more comparisons is for `evo compare`."""


class Study:
    """An experiment to be looked at.

    Args:
        directory: Where it is.
    """

    def __init__(self, directory: Path) -> None:
        self.store = Store(directory)
        self.runs = labelled(results(directory))

    @cached_property
    def points(self) -> pd.DataFrame:
        """One row per trace point."""
        return labelled(traces(self.store.path))

    @cached_property
    def trace(self) -> pd.DataFrame:
        """The trace points that may stand together in a picture over evaluations."""
        return comparable(self.points, self.runs)

    @cached_property
    def timed_trace(self) -> pd.DataFrame:
        """The trace points that may stand together in a picture over seconds."""
        return comparable(self.points, self.runs, "seconds")

    @property
    def over(self) -> Over:
        """What the runs are to be seen over: seconds where these are limited."""
        return "seconds" if any(run.seconds is not None for run in self.store.runs) else "evaluations"

    @cached_property
    def paper(self) -> pd.DataFrame | None:
        """The paper's figures, where the puzzle is its."""
        return paper_table() if is_papers(self.store.puzzle) else None

    @property
    def best(self) -> tuple[str, Board]:
        """The best board, and what it is."""
        run, record = max(self.store.records(), key=lambda pair: pair[1].best_score)
        board = self.store.board(run)
        if board is None:
            raise ConfigError(f"{self.store.path}: no run has a board yet")
        return f"{run.label}, run {run.run}: {record.best_score} of {self.store.puzzle.max_score}", board

    def figure(self, kind: str, over: Over = "evaluations") -> Figure:
        """A picture of a kind; `over` is for those of OVER_KINDS."""
        from plots.convergence import convergence_curves, draw_convergence
        from plots.distributions import draw_distributions, score_points
        from plots.diversity import diversity_curves, draw_diversity
        from plots.ecdf import draw_ecdf, ecdf_curves
        from plots.pareto import draw_pareto, front_points
        from plots.variants import draw_variants, variant_points

        settings = [row.setting for row in rows_of(self.runs)]
        if kind in OVER_KINDS:
            trace = self.timed_trace if over == "seconds" else self.trace
        if kind == "convergence":
            paper = self.paper if over == "evaluations" else None  # it does not tell how long its runs took
            return draw_convergence(convergence_curves(trace, over), paper, settings=settings)
        if kind == "distributions":
            return draw_distributions(score_points(self.runs), self.paper, settings=settings)
        if kind == "variants":
            return draw_variants(variant_points(self.runs), fitness_verdicts(self.runs), settings=settings)
        if kind == "ecdf":
            return draw_ecdf(ecdf_curves(trace, over=over), settings=settings)
        if kind == "pareto":
            return draw_pareto(front_points(labelled(fronts(self.store.path))), settings=settings)
        if kind == "diversity":
            return draw_diversity(diversity_curves(trace, over), settings=settings)
        raise ConfigError(f"plot: {kind!r} is not one of {', '.join([*KINDS, BOARD])}")

    def pictures(self) -> tuple[list[Picture], list[str]]:
        """All pictures that can be drawn, as SVG, and why the others cannot."""
        from plots.comparison import draw_comparison, effect_lines
        from plots.errors import PlotError
        from plots.report import Picture
        from plots.style import picture_bytes

        drawn, missing = [], []
        for kind, caption in KINDS.items():
            try:
                svg = picture_bytes(self.figure(kind, self.over), "svg").decode()
            except PlotError as error:
                missing.append(f"There is no picture of {kind}: {error}.")
                continue
            drawn.append(Picture(kind.capitalize() if kind != "ecdf" else "ECDF", caption.format(over=self.over), svg))
        for by in ("init", "setting"):  # by fitness: the picture of variants
            table = self._comparison(by)
            if 0 < len(table) <= _MOST_COMPARED:
                svg = picture_bytes(
                    draw_comparison(effect_lines(table), SIGNIFICANCE_LEVEL, EFFECT_SIZES, total=len(table)), "svg"
                ).decode()
                drawn.append(Picture(f"Compare-{by}", COMPARED, svg))
        return drawn, missing

    def _comparison(self, by: By) -> pd.DataFrame:
        try:
            return compare(self.runs, by)
        except ConfigError:  # there is nothing to compare
            return pd.DataFrame()

    def page(self, pictures: list[Picture], missing: list[str]) -> str:
        """The report."""
        from plots.report import report_page

        return report_page(
            f"{self.store.name} on {self.store.puzzle.name}",
            self._summary(),
            self.runs,
            notes=[*self._notes(), *missing],
            pictures=pictures,
            boards=self._boards(),
            settings=self._settings(),
            versions=self.facts("versions"),
            machine=self.facts("machine"),
            conclusions=self._conclusions(),
        )

    def _conclusions(self) -> list[tuple[str, str, str]]:
        """The paper's conclusions, where the puzzle is its: text, verdict, comparison."""
        found = conclusions(self.runs) if self.paper is not None else []
        return [(f"{one.number}. {one.text}", one.verdict, one.comparison) for one in found]

    def _summary(self) -> pd.DataFrame:
        table = summary(self.runs, self.paper)
        table.insert(0, "row", [row.label for row in rows_of(self.runs)])
        table = table.drop(columns=["setting", "init", "fitness"])
        if self.paper is None:
            table = table.drop(columns=[name for name in table if name.startswith("paper")] + ["difference"])
        return table.rename(columns=lambda name: name.replace("_", " "))

    def _notes(self) -> list[str]:
        said = [f"{note[0].upper()}{note[1:]}." for note in notes(self.runs)]
        if self.paper is not None:
            said.append(beside_paper(self.runs))
        return [f"Begun {self.store.created}, with the seed {self.store.seed}.", *said]

    def _boards(self) -> list[BoardPicture]:
        """The best board of each algorithm, best first."""
        from plots.report import BoardPicture
        from puzzles.drawing import board_svg

        best: dict[str, tuple[Run, Record]] = {}
        for run, record in self.store.records():
            if record.best_score > (best[run.algorithm][1].best_score if run.algorithm in best else -1):
                best[run.algorithm] = run, record
        drawn = []
        for run, record in sorted(best.values(), key=lambda pair: -pair[1].best_score):
            caption = f"{run.label}, run {run.run}: {record.best_score} of {self.store.puzzle.max_score}"
            board = self.store.board(run)
            if board is not None:
                drawn.append(BoardPicture(caption, board_svg(board, title=caption), record.board_url))
        return drawn

    def _settings(self) -> dict[str, dict[str, object]]:
        """Return the settings of each row, by the label of the row."""
        first = {Row(run.setting, run.init, run.fitness): run for run in self.store.runs if run.run == 1}
        found = {}
        for row in rows_of(self.runs):
            limit = {} if first[row].seconds is None else {"seconds": first[row].seconds}
            found[row.label] = {key: value for key, value in first[row].settings.items() if key != "seed"} | limit
        return found

    def facts(self, name: str) -> dict[str, str]:
        """The versions or machines of all runs; where they differ, all of them."""
        found: dict[str, dict[str, None]] = {}
        for _, record in self.store.records():
            for key, value in getattr(record, name).items():
                found.setdefault(key, {})[str(value)] = None
        return {key.replace("_", " "): ", ".join(values) for key, values in found.items()}


def checked_over(kind: str, over: str | None) -> Over:
    """What a picture of this kind goes over when this is asked for, or nothing is.

    Raises:
        ConfigError: There is no such axis.
    """
    if over is not None and kind in (*KINDS, BOARD) and kind not in OVER_KINDS:
        raise ConfigError(f"over: a picture of {kind} has no such axis; {', '.join(OVER_KINDS)} have one")
    if over is not None and over not in OVER:
        raise ConfigError(f"over: {over!r} is not one of {', '.join(OVER)}")
    return "seconds" if over == "seconds" else "evaluations"


def comparable(trace: pd.DataFrame, runs: pd.DataFrame, over: Over = "evaluations") -> pd.DataFrame:
    """The trace points that may stand together in a picture.

    A run that has just begun would stand for its row with what it has found so far: where some runs of a row are done,
    only these count, and where none is, as far as all of them have come.
    """
    keys = ["setting", "init", "fitness"]
    points = trace.merge(runs[[*keys, "run", "state", over]], on=[*keys, "run"], suffixes=("", "_made"))
    done = points["state"] == "done"
    some_done = done.groupby([points[key] for key in keys]).transform("any")
    reached = points.groupby(keys)[f"{over}_made"].transform("min")
    kept = done | (~some_done & (points[over] <= reached))
    return points.loc[kept, list(trace.columns)]


def compared(
    study: Study, by: str, foreign: Path | None, seconds: float | None = None
) -> tuple[pd.DataFrame, list[str]]:
    """A comparison of final scores, or of those after some seconds; and what to know of it.

    Runs of other programs are among them where a CSV file is given.
    """
    from evo.analysis.external_results import add_foreign

    runs = study.runs if foreign is None else add_foreign(study.runs, foreign, study.store.puzzle.max_score)
    if seconds is None:
        said = notes(runs)
    else:
        said = notes_after(runs, study.points, seconds)
        runs = after_seconds(runs, study.points, seconds)
        there = rows_of(runs)
        if len(there) < 2:
            why = "; ".join([f"only {there[0].label} can be judged after {seconds:g} seconds", *said])
            raise ConfigError(f"there is nothing to compare: {why}")
    return compare(runs, by), said  # type: ignore[arg-type]  # it checks `by`, and says what is wrong
