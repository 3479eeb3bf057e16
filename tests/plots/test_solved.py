"""Shares of instances solved: counted, with intervals that hold them."""

import numpy as np
import pandas as pd
import pytest

from plots.errors import PlotError
from plots.solved import draw_solved, solved_shares
from plots.style import picture_bytes


def attempts() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    rows = [
        (solver, relaxed, int(rng.random() < relaxed / 40))
        for solver in ("first_fail", "cp_sat")
        for relaxed in (30, 0, 10)
        for _ in range(12)
    ]
    return pd.DataFrame(rows, columns=["solver", "relaxed", "solved"])


def test_shares_are_counted_and_in_order() -> None:
    table = attempts()
    shares = solved_shares(table)
    assert list(zip(shares["solver"], shares["relaxed"], strict=True)) == [
        (solver, relaxed) for solver in ("first_fail", "cp_sat") for relaxed in (0, 10, 30)
    ]
    for row in shares.itertuples():
        part = table[(table["solver"] == row.solver) & (table["relaxed"] == row.relaxed)]
        assert (row.solved, row.of) == (part["solved"].sum(), 12)
        assert row.lower <= row.share == row.solved / 12 <= row.upper
        assert 0.1 < row.upper - row.lower < 0.6


def test_wilsons_interval() -> None:
    table = pd.DataFrame({"solver": "one", "relaxed": 5, "solved": [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]})
    [row] = solved_shares(table).itertuples()
    share, count, z = 0.2, 10, 1.959964
    centre = (share + z**2 / (2 * count)) / (1 + z**2 / count)
    half = z / (1 + z**2 / count) * np.sqrt(share * (1 - share) / count + z**2 / (4 * count**2))
    assert (row.lower, row.upper) == pytest.approx((centre - half, centre + half), abs=1e-6)


def test_the_picture_has_a_line_for_each_solver_and_says_how_many_instances() -> None:
    figure = draw_solved(solved_shares(attempts()), 30)
    [axes] = figure.axes
    assert len(axes.lines) == 2
    assert axes.lines[0].get_xdata().tolist() == [0, 10, 30]
    said = " ".join(text.get_text() for text in figure.texts)
    assert "12 instances each" in said
    assert "within 30 s" in said
    assert picture_bytes(figure, "svg") == picture_bytes(draw_solved(solved_shares(attempts()), 30), "svg")
    with pytest.raises(PlotError, match="no attempts"):
        draw_solved(solved_shares(attempts().head(0)), 30)
