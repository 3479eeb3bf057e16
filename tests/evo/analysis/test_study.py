"""The trace points that can be shown together in a picture."""

import pandas as pd
import pytest

from evo.analysis.study import comparable
from evo.errors import ConfigError
from evo.live.pictures import checked_over

KEYS = ["setting", "init", "fitness", "run"]


def frames(runs: list[tuple[str, int, str, list[int]]]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A trace and runs, from settings, numbers, states and evaluations."""
    trace = [(setting, "", "", run, at, 5.0) for setting, run, _, points in runs for at in points]
    table = [(setting, "", "", run, state, points[-1] if points else 0) for setting, run, state, points in runs]
    return pd.DataFrame(trace, columns=[*KEYS, "evaluations", "best"]), pd.DataFrame(
        table, columns=[*KEYS, "state", "evaluations"]
    )


def shown(runs: list[tuple[str, int, str, list[int]]]) -> dict[tuple[str, int], list[int]]:
    found = comparable(*frames(runs))
    return {key: group["evaluations"].tolist() for key, group in found.groupby(["setting", "run"])}


def test_where_some_runs_are_done_only_these_count() -> None:
    runs = [("a", 1, "done", [1, 50, 100]), ("a", 2, "running", [1, 20]), ("b", 1, "done", [1, 100])]
    assert shown(runs) == {("a", 1): [1, 50, 100], ("b", 1): [1, 100]}


def test_where_none_is_done_they_are_shown_as_far_as_all_have_come() -> None:
    runs = [("a", 1, "running", [1, 50, 90]), ("a", 2, "interrupted", [1, 20, 50]), ("b", 1, "done", [1, 100])]
    assert shown(runs) == {("a", 1): [1, 50], ("a", 2): [1, 20, 50], ("b", 1): [1, 100]}


def test_runs_that_have_not_begun_hold_nothing_up() -> None:
    assert shown([("a", 1, "running", [1, 50]), ("a", 2, "pending", [])]) == {("a", 1): [1, 50]}
    assert shown([("a", 1, "pending", [])]) == {}


def test_over_seconds_they_are_shown_as_far_as_all_have_come_in_seconds() -> None:
    trace, runs = frames([("a", 1, "running", [1, 50, 90]), ("a", 2, "running", [1, 20])])
    trace["seconds"] = [0.1, 2.0, 4.0, 0.3, 3.0]  # the second is slower
    runs["seconds"] = [4.2, 3.5]
    found = comparable(trace, runs, "seconds")
    assert found["evaluations"].tolist() == [1, 50, 1, 20]
    assert comparable(trace, runs)["evaluations"].tolist() == [1, 1, 20]


def test_only_some_pictures_go_over_something() -> None:
    assert [checked_over("ecdf", over) for over in (None, "evaluations", "seconds")] == [
        *("evaluations", "evaluations", "seconds")
    ]
    assert checked_over("board", None) == "evaluations"  # nothing was asked for
    with pytest.raises(ConfigError, match=r"^over: a board picture has no such axis; only convergence, ecdf, "):
        checked_over("board", "evaluations")
    with pytest.raises(ConfigError, match=r"^over: 'days' is not one of evaluations, seconds$"):
        checked_over("convergence", "days")
