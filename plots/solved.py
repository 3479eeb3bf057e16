"""The proportion of instances that solvers solve, against relaxed positions: Figure 4 of Schaus and Deville."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from scipy.stats import binomtest

from plots.errors import PlotError
from plots.layout import panel_sheet, whole_numbers
from plots.style import looks, printed

_APART = 0.25
"""The horizontal distance between the points of two solvers, in relaxed positions."""


def solved_shares(attempts: pd.DataFrame) -> pd.DataFrame:
    """Return the proportion of instances solved by each solver, with Wilson's 95% interval.

    Args:
        attempts: One line per attempt, with the columns solver, relaxed and solved (0 or 1).

    Returns:
        The columns solver, relaxed, solved (their number), of (the number of attempts), share, lower and upper; solvers
        are in their order of appearance.
    """
    rows = []
    for (solver, relaxed), part in attempts.groupby(["solver", "relaxed"], sort=False):
        solved, of = int(part["solved"].sum()), len(part)
        interval = binomtest(solved, of).proportion_ci(method="wilson")
        rows.append((solver, relaxed, solved, of, solved / of, interval.low, interval.high))
    shares = pd.DataFrame(rows, columns=["solver", "relaxed", "solved", "of", "share", "lower", "upper"])
    order = {solver: place for place, solver in enumerate(dict.fromkeys(attempts["solver"]))}
    return shares.sort_values(
        ["solver", "relaxed"], key=lambda column: column.map(order) if column.name == "solver" else column
    ).reset_index(drop=True)


@printed
def draw_solved(shares: pd.DataFrame, seconds: float) -> Figure:
    """Draw the shares of `solved_shares` against the number of relaxed positions.

    Args:
        shares: The result of `solved_shares`.
        seconds: The time limit of an attempt.
    """
    if shares.empty:
        raise PlotError("there are no attempts to draw")
    styles = looks(shares["solver"])
    legend = [
        (Line2D([], [], color=look.colour, marker=look.marker), solver.replace("_", " "))
        for solver, look in styles.items()
    ]
    least, most = shares["of"].min(), shares["of"].max()
    attempts = f"{least}" if least == most else f"{least} to {most}"
    heading = "Relaxed instances solved", f"within {seconds:g} s; {attempts} instances each; Wilson's 95% interval"
    figure, [axes] = panel_sheet([""], ("relaxed positions", "proportion solved"), heading, legend)
    for place, (solver, look) in enumerate(styles.items()):
        part = shares[shares["solver"] == solver]
        x, share = part["relaxed"] + place * _APART, part["share"]
        axes.vlines(x, part["lower"], part["upper"], color=look.colour, linewidth=0.8, alpha=0.6)
        axes.plot(x, share, color=look.colour, marker=look.marker)
    axes.set_ylim(-0.02, 1.02)
    whole_numbers(axes, "x")
    return figure
