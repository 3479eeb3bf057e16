"""The picture of exact, evolutionary and local searches side by side."""

import pandas as pd
import pytest

from plots.errors import PlotError
from plots.versus import draw_versus


def frame(names: list[str]) -> pd.DataFrame:
    rows = [(name, setting, setting == "A", 10.0**-k) for name in names for k, setting in enumerate(("A", "B", "C"))]
    return pd.DataFrame(rows, columns=["puzzle", "setting", "solved", "seconds"])


def test_every_run_has_a_mark_filled_if_it_solved_its_puzzle() -> None:
    figure = draw_versus(frame(["one", "two", "a puzzle with a very long name that does not fit beside the axes"]))
    [axes] = figure.axes
    marks = [line for line in axes.lines if line.get_marker() not in ("", "None", None)]
    assert sum(len(line.get_xdata()) for line in marks) == 9
    assert sum(len(line.get_xdata()) for line in marks if line.get_markerfacecolor() != "white") == 3
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names[:2] == ["one", "two"]
    assert "…" in names[2]
    figure.canvas.draw()
    widest = min(label.get_window_extent().x0 for label in axes.get_yticklabels())
    assert widest >= 0  # no name is cut off
    ticks = [label.get_text() for label in axes.get_xticklabels()]
    assert {"0.01", "0.1", "1"} <= set(ticks)


def test_no_runs_are_an_error() -> None:
    with pytest.raises(PlotError, match="no completed runs"):
        draw_versus(frame([]))
