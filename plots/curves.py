"""Progress curves: traces as step functions, their median and quartiles over the runs of a row, and their panels.

The value of a run at some number of evaluations is that of its last trace point up to then; after the end of the run it
remains constant. Curves are sampled at points evenly spaced on a logarithmic axis, from where all runs of the row have
started to where the last one ended. Over seconds, the first thousandth of the longest run is left out: hardly anything
happens there, and on a logarithmic axis it would take most of the space. For a linear axis, points are evenly spaced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from plots.layout import evaluations_axis, linear_axis, seconds_axis
from plots.style import DASHES, Look, Row

POINTS = 150
Over = Literal["evaluations", "seconds"]
"""The x axis: a column of the trace."""
Scale = Literal["logarithmic", "linear"]
"""The scale of the x axis."""
OVER_LABELS: dict[Over, str] = {"evaluations": "evaluations", "seconds": "seconds of computing"}
SHORTEST = 0.001
"""The resolution of seconds in a trace; shorter times are 0, which has no logarithm."""
DECADES = 3
"""The number of decades that an axis of seconds shows."""
Progress = NDArray[Any]
"""Numbers of evaluations, which are whole, or seconds."""
Series = tuple[Progress, NDArray[np.float64]]
"""The evaluations or seconds and the values of one run's trace points."""


def run_series(trace: pd.DataFrame, column: str, over: Over = "evaluations") -> dict[Row, list[Series]]:
    """Return the values of a column for each run of each row, in order of evaluations and without missing values.

    Args:
        trace: One line per trace point.
        column: The column, such as "best".
        over: The x axis.
    """
    evaluations = trace["evaluations"].to_numpy(dtype=np.int64)
    progress = evaluations if over == "evaluations" else trace[over].to_numpy(dtype=np.float64)
    values = trace[column].to_numpy(dtype=np.float64)
    groups = trace.groupby([*Row._fields, "run"], observed=True).indices
    runs: dict[Row, list[Series]] = {}
    for key, places in sorted(groups.items(), key=lambda group: int(group[1][0])):
        there = places[~np.isnan(values[places])]
        order = there[np.argsort(evaluations[there], kind="stable")]  # several points may have the same seconds
        if len(order):
            runs.setdefault(Row(*key[:3]), []).append((progress[order], values[order]))
    return runs


def step_values(series: Series, at: Progress) -> NDArray[np.float64]:
    """Return the values of a run at some evaluations or seconds, none of them before its first point."""
    progress, values = series
    return values[np.searchsorted(progress, at, side="right") - 1]


def evaluation_grid(first: int, last: int) -> NDArray[np.int64]:
    """Return numbers of evaluations from the first to the last, evenly spaced on a logarithmic axis."""
    return np.unique(np.rint(np.geomspace(first, last, POINTS)).astype(np.int64))


def seconds_grid(first: float, last: float) -> NDArray[np.float64]:
    """Return seconds from the first to the last, evenly spaced on a logarithmic axis."""
    return np.unique(np.clip(np.geomspace(first, last, POINTS), first, last))  # rounding may leave the range


def progress_grids(
    starts: Mapping[Row, float], ends: Mapping[Row, float], over: Over, scale: Scale = "logarithmic"
) -> dict[Row, Progress]:
    """Return the points at which the curve of each row is sampled.

    Args:
        starts: The least possible start of each curve.
        ends: The end of each curve.
        over: The x axis.
        scale: The scale of the x axis, on which the points are evenly spaced.
    """
    if scale == "linear":
        grids = {row: np.linspace(start, ends[row], POINTS) for row, start in starts.items()}
        return {
            row: np.unique(np.rint(grid).astype(np.int64) if over == "evaluations" else grid)
            for row, grid in grids.items()
        }
    if over == "evaluations":
        return {row: evaluation_grid(int(start), int(ends[row])) for row, start in starts.items()}
    since = max(SHORTEST, max(ends.values(), default=0) / 10**DECADES)
    return {row: seconds_grid(max(since, start), max(since, start, ends[row])) for row, start in starts.items()}


def quartile_curves(
    trace: pd.DataFrame, column: str, over: Over = "evaluations", scale: Scale = "logarithmic"
) -> pd.DataFrame:
    """Return the median and quartiles of a column over the runs of each row.

    Args:
        trace: One line per trace point.
        column: The column, such as "best".
        over: The x axis.
        scale: The scale of the x axis.

    Returns:
        The columns setting, init, fitness, algorithm, runs (the number), evaluations or seconds, lower, median, upper.
    """
    curves, algorithms = [], algorithms_of(trace)
    series = run_series(trace, column, over)
    starts = {row: max(run[0][0] for run in runs) for row, runs in series.items()}
    grids = progress_grids(starts, {row: max(run[0][-1] for run in runs) for row, runs in series.items()}, over, scale)
    for row, runs in series.items():
        grid = grids[row]
        values = np.array([step_values(run, grid) for run in runs])
        lower, median, upper = np.quantile(values, (0.25, 0.5, 0.75), axis=0)
        numbers = {"runs": len(runs), over: grid, "lower": lower, "median": median, "upper": upper}
        curves.append({**row._asdict(), "algorithm": algorithms[row.setting], **numbers})
    return curve_frame(curves, [*Row._fields, "algorithm", "runs", over, "lower", "median", "upper"])


def algorithms_of(frame: pd.DataFrame) -> dict[str, str]:
    """Return the algorithm of each setting."""
    first = frame.drop_duplicates("setting")
    return dict(zip(first["setting"], first["algorithm"], strict=True))


def curve_frame(curves: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Return curves as one frame; each column of a curve is a constant or an array, the last one an array."""
    if not curves:
        return pd.DataFrame(columns=columns)
    lengths = [len(curve[columns[-1]]) for curve in curves]
    parts = {name: [curve[name] for curve in curves] for name in columns}
    return pd.DataFrame(  # all at once: a frame for each curve takes ten times as long
        {
            name: np.concatenate(part) if isinstance(part[0], np.ndarray) else np.repeat(part, lengths)
            for name, part in parts.items()
        }
    )


def panels_of(rows: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    """Return the rows of each panel; there is a panel for each initialisation and fitness.

    A row without a fitness is shown in all panels of its initialisation, and a row without an initialisation in those
    of the random one, so that it can be compared with its rivals. It has a panel of its own only if there are none.

    Args:
        rows: The rows of the picture.

    Returns:
        The rows of each panel, by its initialisation and fitness.
    """
    variants = list(dict.fromkeys(row.variant for row in rows))
    kept = [one for one in variants if not any(one != other and _agrees(one, other) for other in variants)]
    return {panel: [row for row in rows if _agrees(row.variant, panel)] for panel in kept}


def panel_title(variant: tuple[str, str]) -> str:
    """Return the title of a panel, such as "random initialisation, normal fitness"."""
    kinds = zip(variant, ("initialisation", "fitness"), strict=True)
    return ", ".join(f"{name} {kind}" for name, kind in kinds if name)


def spread_text(curves: pd.DataFrame) -> str:
    """Return a description of the line and band of quartile curves."""
    least, most = int(curves["runs"].min()), int(curves["runs"].max())
    if most == 1:
        return "one run per row"
    return f"median and quartiles over {most if least == most else f'{least} to {most}'} runs per row"


def row_dashes(rows: Sequence[Row]) -> dict[tuple[str, str], Any]:
    """Return a line style for each variant among some rows."""
    variants = dict.fromkeys(row.variant for row in rows)
    return {variant: DASHES[at % len(DASHES)] for at, variant in enumerate(variants)}


def setting_names(rows: Sequence[Row], algorithms: Mapping[str, str]) -> dict[str, str]:
    """Return the names of settings in a legend; MOEA, which has no fitness, is explained where panels have one."""
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
    """Return the x axis of some curves."""
    return "seconds" if "seconds" in curves else "evaluations"


def progress_axis(axes: Axes, curves: pd.DataFrame, *, least: int | None = None, scale: Scale = "logarithmic") -> None:
    """Set the x axis for some curves.

    Args:
        axes: The axes.
        curves: All curves that the axis must cover.
        least: The start of an axis of evaluations; by default the start of the curves, as for seconds.
        scale: The scale of the axis.
    """
    progress = curves[over_of(curves)]
    if scale == "linear":
        linear_axis(axes, float(progress.max()))
    elif over_of(curves) == "seconds":
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
    """Draw a step curve with a few markers, whose positions depend on the shift so that they do not coincide."""
    apart = max(1, len(progress) // 5)
    places = (shift * 7 + apart // 2) % apart, apart
    marks: dict[str, Any] = {"marker": look.marker, "markevery": places}
    axes.plot(progress, values, color=look.colour, linestyle=style, drawstyle="steps-post", **marks)


def draw_quartiles(axes: Axes, curve: pd.DataFrame, look: Look, *, shift: int = 0) -> None:
    """Draw a median line with its quartile band."""
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
