"""What happens as evaluations or seconds go by: runs read as steps, their median and quartiles, panels of such curves.

A run's value at some number of evaluations is that of its last trace point at or before it, and after the run's end it
stays what it was. Curves are taken at points evenly spread over the logarithm of the evaluations, from where all runs
of the row have begun to where the last of them ended. So it is with seconds, but for the first thousandth of the
longest run's, in which hardly anything happens and which would take most of the room.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from plots.layout import evaluations_axis, seconds_axis
from plots.style import DASHES, Look, Row

POINTS = 150
Over = Literal["evaluations", "seconds"]
"""What goes by along the x axis: a column of the trace."""
OVER_LABELS: dict[Over, str] = {"evaluations": "evaluations", "seconds": "seconds of computing"}
SHORTEST = 0.001
"""As finely traces tell seconds: what is less is written as 0, which has no logarithm."""
DECADES = 3
"""As many of seconds are shown."""
Progress = NDArray[Any]
"""Evaluations, which are whole, or seconds."""
Series = tuple[Progress, NDArray[np.float64]]
"""The evaluations or seconds and the values of one run's trace points."""


def run_series(trace: pd.DataFrame, column: str, over: Over = "evaluations") -> dict[Row, list[Series]]:
    """What a column of the trace holds for each run of each row, in order of evaluations, without what is missing.

    Args:
        trace: One row per trace point.
        column: Such as "best".
        over: What each value goes with.
    """
    evaluations = trace["evaluations"].to_numpy(dtype=np.int64)
    progress = evaluations if over == "evaluations" else trace[over].to_numpy(dtype=np.float64)
    values = trace[column].to_numpy(dtype=np.float64)
    groups = trace.groupby([*Row._fields, "run"]).indices
    runs: dict[Row, list[Series]] = {}
    for key, places in sorted(groups.items(), key=lambda group: int(group[1][0])):
        there = places[~np.isnan(values[places])]
        order = there[np.argsort(evaluations[there], kind="stable")]  # seconds may be the same for several points
        if len(order):
            runs.setdefault(Row(*key[:3]), []).append((progress[order], values[order]))
    return runs


def step_values(series: Series, at: Progress) -> NDArray[np.float64]:
    """A run's values at some evaluations or seconds, none of them before its first point."""
    progress, values = series
    return values[np.searchsorted(progress, at, side="right") - 1]


def evaluation_grid(first: int, last: int) -> NDArray[np.int64]:
    """Numbers of evaluations from the first to the last, evenly spread over their logarithm."""
    return np.unique(np.rint(np.geomspace(first, last, POINTS)).astype(np.int64))


def seconds_grid(first: float, last: float) -> NDArray[np.float64]:
    """Times from the first to the last, evenly spread over their logarithm."""
    return np.unique(np.clip(np.geomspace(first, last, POINTS), first, last))  # rounding may lead out of the range


def progress_grids(starts: Mapping[Row, float], ends: Mapping[Row, float], over: Over) -> dict[Row, Progress]:
    """Where the curve of each row is taken.

    Args:
        starts: Where each row's curve may begin.
        ends: Where it ends.
        over: What these are.
    """
    if over == "evaluations":
        return {row: evaluation_grid(int(start), int(ends[row])) for row, start in starts.items()}
    since = max(SHORTEST, max(ends.values(), default=0) / 10**DECADES)
    return {row: seconds_grid(max(since, start), max(since, start, ends[row])) for row, start in starts.items()}


def quartile_curves(trace: pd.DataFrame, column: str, over: Over = "evaluations") -> pd.DataFrame:
    """The median and the quartiles over the runs of each row, as evaluations or seconds go by.

    Args:
        trace: One row per trace point.
        column: Such as "best".
        over: What goes by.

    Returns:
        The columns setting, init, fitness, algorithm, runs (how many), evaluations or seconds, lower, median, upper.
    """
    curves, algorithms = [], algorithms_of(trace)
    series = run_series(trace, column, over)
    starts = {row: max(run[0][0] for run in runs) for row, runs in series.items()}
    grids = progress_grids(starts, {row: max(run[0][-1] for run in runs) for row, runs in series.items()}, over)
    for row, runs in series.items():
        grid = grids[row]
        values = np.array([step_values(run, grid) for run in runs])
        lower, median, upper = np.quantile(values, (0.25, 0.5, 0.75), axis=0)
        numbers = {"runs": len(runs), over: grid, "lower": lower, "median": median, "upper": upper}
        curves.append({**row._asdict(), "algorithm": algorithms[row.setting], **numbers})
    return curve_frame(curves, [*Row._fields, "algorithm", "runs", over, "lower", "median", "upper"])


def algorithms_of(frame: pd.DataFrame) -> dict[str, str]:
    """The algorithm of each setting."""
    first = frame.drop_duplicates("setting")
    return dict(zip(first["setting"], first["algorithm"], strict=True))


def curve_frame(curves: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Curves one under another, each with one value for all its points by column, or an array, as in the last."""
    if not curves:
        return pd.DataFrame(columns=columns)
    lengths = [len(curve[columns[-1]]) for curve in curves]
    parts = {name: [curve[name] for curve in curves] for name in columns}
    return pd.DataFrame(  # in one go: a frame for each curve takes ten times as long
        {
            name: np.concatenate(part) if isinstance(part[0], np.ndarray) else np.repeat(part, lengths)
            for name, part in parts.items()
        }
    )


def panels_of(rows: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    """Rows sorted into panels by initialisation and fitness.

    A row without a fitness belongs in all panels of its initialisation, and one without an initialisation, which begins
    with nothing, in those of the random one: so that it can be seen beside its rivals. It gets a panel of its own only
    where there is none such.

    Returns:
        The initialisation and the fitness of each panel, with its rows.
    """
    variants = list(dict.fromkeys(row.variant for row in rows))
    kept = [one for one in variants if not any(one != other and _agrees(one, other) for other in variants)]
    return {panel: [row for row in rows if _agrees(row.variant, panel)] for panel in kept}


def panel_title(variant: tuple[str, str]) -> str:
    """What stands above a panel: such as "random initialisation, normal fitness"."""
    kinds = zip(variant, ("initialisation", "fitness"), strict=True)
    return ", ".join(f"{name} {kind}" for name, kind in kinds if name)


def spread_text(curves: pd.DataFrame) -> str:
    """What line and band of some quartile curves are, in words."""
    least, most = int(curves["runs"].min()), int(curves["runs"].max())
    if most == 1:
        return "one run a row"
    return f"median and quartiles over {most if least == most else f'{least} to {most}'} runs a row"


def row_dashes(rows: Sequence[Row]) -> dict[tuple[str, str], Any]:
    """A line style for each variant among some rows."""
    variants = dict.fromkeys(row.variant for row in rows)
    return {variant: DASHES[at % len(DASHES)] for at, variant in enumerate(variants)}


def setting_names(rows: Sequence[Row], algorithms: Mapping[str, str]) -> dict[str, str]:
    """Names for settings where panels tell the rest; one that has no fitness but stands in their panels says why."""
    fitnesses = any(row.fitness for row in rows)
    several = {row.setting for row in rows if fitnesses and not row.fitness and algorithms[row.setting] == "MOEA"}
    return {row.setting: row.setting + " (three objectives)" * (row.setting in several) for row in rows}


def setting_samples(styles: Mapping[str, Look], names: Mapping[str, str]) -> list[tuple[Line2D, str]]:
    """Return legend samples, one for each setting.

    Args:
        styles: The look of every setting.
        names: The name of each setting that is to be in the legend.
    """
    return [(_sample(styles[setting], DASHES[0]), name) for setting, name in names.items()]


def row_samples(names: Mapping[Row, str], styles: Mapping[str, Look]) -> list[tuple[Line2D, str]]:
    """Return legend samples, one for each row, whose line style shows its variant.

    Args:
        names: The name of each row.
        styles: The look of every setting.
    """
    dashes = row_dashes(list(names))
    return [(_sample(styles[row.setting], dashes[row.variant]), name) for row, name in names.items()]


def over_of(curves: pd.DataFrame) -> Over:
    """What some curves go over."""
    return "seconds" if "seconds" in curves else "evaluations"


def progress_axis(axes: Axes, curves: pd.DataFrame, *, least: int | None = None) -> None:
    """The x axis of some curves.

    Args:
        axes: Of which it is.
        curves: All that it has to hold.
        least: Where evaluations begin; by default where the curves do. Seconds always begin where the curves do.
    """
    progress = curves[over_of(curves)]
    if over_of(curves) == "seconds":
        seconds_axis(axes, float(progress.min()), float(progress.max()))
    else:
        evaluations_axis(axes, int(progress.min()) if least is None else least, int(progress.max()))


def draw_line(
    axes: Axes,
    progress: Progress,
    values: NDArray[np.float64],
    look: Look,
    *,
    shift: int = 0,
    style: Any = DASHES[0],
) -> None:
    """A curve of steps with a few markers on it, at other places for each shift: they do not fall on one another."""
    apart = max(1, len(progress) // 5)
    places = (shift * 7 + apart // 2) % apart, apart
    marks: dict[str, Any] = {"marker": look.marker, "markevery": places}
    axes.plot(progress, values, color=look.colour, linestyle=style, drawstyle="steps-post", **marks)


def draw_quartiles(axes: Axes, curve: pd.DataFrame, look: Look, *, shift: int = 0) -> None:
    """A median line with its quartile band."""
    progress = curve[over_of(curve)].to_numpy()
    if curve["runs"].max() > 1:
        lower, upper = curve["lower"].to_numpy(), curve["upper"].to_numpy()
        axes.fill_between(progress, lower, upper, color=look.colour, alpha=0.18, linewidth=0, step="post")
    draw_line(axes, progress, curve["median"].to_numpy(), look, shift=shift)


def _sample(look: Look, style: Any) -> Line2D:
    return Line2D([], [], color=look.colour, marker=look.marker, linestyle=style)


def _agrees(variant: tuple[str, str], panel: tuple[str, str]) -> bool:
    (init, fitness), (panel_init, panel_fitness) = variant, panel
    return (init == panel_init or (init, panel_init) == ("", "random")) and fitness in ("", panel_fitness)
