"""What happens as evaluations go by: runs read as steps, their median and quartiles, and panels of such curves.

A run's value at some number of evaluations is that of its last trace point at or before it, and after the run's end it
stays what it was. Curves are taken at points evenly spread over the logarithm of the evaluations, from where all runs
of the row have begun to where the last of them ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from plots.style import DASHES, Look, Row, in_order, row_label

POINTS = 150
Series = tuple[NDArray[np.int64], NDArray[np.float64]]
"""The evaluations and the values of one run's trace points."""


def run_series(trace: pd.DataFrame, column: str) -> dict[Row, list[Series]]:
    """What a column of the trace holds for each run of each row, in order of evaluations, without what is missing.

    Args:
        trace: One row per trace point.
        column: Such as "best".
    """
    evaluations = trace["evaluations"].to_numpy(dtype=np.int64)
    values = trace[column].to_numpy(dtype=np.float64)
    groups = trace.groupby([*Row._fields, "run"]).indices
    runs: dict[Row, list[Series]] = {}
    for key, places in sorted(groups.items(), key=lambda group: int(group[1][0])):
        there = places[~np.isnan(values[places])]
        order = there[np.argsort(evaluations[there], kind="stable")]
        if len(order):
            runs.setdefault(Row(*key[:3]), []).append((evaluations[order], values[order]))
    return {row: runs[row] for row in in_order(runs)}


def step_values(series: Series, at: NDArray[np.int64]) -> NDArray[np.float64]:
    """A run's values at some evaluations, none of them before its first point."""
    evaluations, values = series
    return values[np.searchsorted(evaluations, at, side="right") - 1]


def evaluation_grid(first: int, last: int) -> NDArray[np.int64]:
    """Numbers of evaluations from the first to the last, evenly spread over their logarithm."""
    return np.unique(np.rint(np.geomspace(first, last, POINTS)).astype(np.int64))


def quartile_curves(trace: pd.DataFrame, column: str) -> pd.DataFrame:
    """The median and the quartiles over the runs of each row, as evaluations go by.

    Args:
        trace: One row per trace point.
        column: Such as "best".

    Returns:
        The columns setting, init, fitness, algorithm, runs (how many), evaluations, lower, median, upper.
    """
    curves, algorithms = [], algorithms_of(trace)
    for row, runs in run_series(trace, column).items():
        grid = evaluation_grid(max(int(run[0][0]) for run in runs), max(int(run[0][-1]) for run in runs))
        values = np.array([step_values(run, grid) for run in runs])
        lower, median, upper = np.quantile(values, (0.25, 0.5, 0.75), axis=0)
        numbers = {"runs": len(runs), "evaluations": grid, "lower": lower, "median": median, "upper": upper}
        curves.append({**row._asdict(), "algorithm": algorithms[row.setting], **numbers})
    return curve_frame(curves, [*Row._fields, "algorithm", "runs", "evaluations", "lower", "median", "upper"])


def algorithms_of(frame: pd.DataFrame) -> dict[str, str]:
    """The algorithm of each setting."""
    first = frame.drop_duplicates("setting")
    return dict(zip(first["setting"], first["algorithm"], strict=True))


def curve_frame(curves: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """Curves one under another, each with an array of numbers or one value for all its points by column."""
    if not curves:
        return pd.DataFrame(columns=columns)
    lengths = [len(curve["evaluations"]) for curve in curves]
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


def curve_samples(
    rows: Sequence[Row], styles: dict[str, Look], names: Mapping[str, str] | None = None
) -> list[tuple[Line2D, str]]:
    """Samples for a legend: one for each row, or one for each setting where these have names of their own."""
    dashes = row_dashes(rows)
    samples: dict[str, Line2D] = {}
    for row in rows:
        style = DASHES[0] if names else dashes[row.variant]
        look = styles[row.setting]
        name = names[row.setting] if names else row_label(*row)
        samples.setdefault(name, Line2D([], [], color=look.colour, marker=look.marker, linestyle=style))
    return [(line, name) for name, line in samples.items()]


def draw_line(
    axes: Axes,
    evaluations: NDArray[np.int64],
    values: NDArray[np.float64],
    look: Look,
    *,
    shift: int = 0,
    style: Any = DASHES[0],
) -> None:
    """A curve of steps with a few markers on it, at other places for each shift: they do not fall on one another."""
    apart = max(1, len(evaluations) // 5)
    places = (shift * 7 + apart // 2) % apart, apart
    marks: dict[str, Any] = {"marker": look.marker, "markevery": places}
    axes.plot(evaluations, values, color=look.colour, linestyle=style, drawstyle="steps-post", **marks)


def draw_quartiles(axes: Axes, curve: pd.DataFrame, look: Look, *, shift: int = 0) -> None:
    """A median line with its quartile band."""
    evaluations = curve["evaluations"].to_numpy()
    if curve["runs"].max() > 1:
        lower, upper = curve["lower"].to_numpy(), curve["upper"].to_numpy()
        axes.fill_between(evaluations, lower, upper, color=look.colour, alpha=0.18, linewidth=0, step="post")
    draw_line(axes, evaluations, curve["median"].to_numpy(), look, shift=shift)


def _agrees(variant: tuple[str, str], panel: tuple[str, str]) -> bool:
    (init, fitness), (panel_init, panel_fitness) = variant, panel
    return (init == panel_init or (init, panel_init) == ("", "random")) and fitness in ("", panel_fitness)
