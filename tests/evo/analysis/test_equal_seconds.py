"""What runs had after some seconds."""

import math
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evo.analysis.comparison import compare
from evo.analysis.equal_seconds import after_seconds, notes_after
from evo.errors import ConfigError
from evo.experiments.experiment import run_experiment
from evo.experiments.frames import traces
from tests.evo.laboratory import small_suite

KEYS = ["setting", "init", "fitness", "run"]
Points = list[tuple[float, int]]
RUN = tuple[str, str, float, Points]
"""A setting, a state, the seconds so far, and the seconds and scores of a trace."""


def frames(*runs: RUN) -> tuple[pd.DataFrame, pd.DataFrame]:
    table = [
        (setting, "", "", number, 100 * len(points), points[-1][1] if points else 400, seconds, state, "url")
        for number, (setting, state, seconds, points) in enumerate(runs, start=1)
    ]
    trace = [
        (setting, "", "", number, 100 * at, seconds, best)
        for number, (setting, _, _, points) in enumerate(runs, start=1)
        for at, (seconds, best) in enumerate(points, start=1)
    ]
    columns = [*KEYS, "evaluations", "best_score", "seconds", "state", "board_url"]
    found = pd.DataFrame(table, columns=columns).assign(edges="all")
    found["true_score"] = found["best_score"]
    return found, pd.DataFrame(trace, columns=[*KEYS, "evaluations", "seconds", "best"])


def test_a_run_has_what_its_last_point_until_then_tells() -> None:
    runs, trace = frames(("A", "done", 9.0, [(0.5, 10), (2.0, 20), (2.0, 21), (8.9, 30)]))
    for seconds, best, evaluations in ((0.5, 10, 100), (1.99, 10, 100), (2, 21, 300), (8, 21, 300), (8.95, 30, 400)):
        [line] = after_seconds(runs, trace, seconds).to_dict("records")
        assert (line["best_score"], line["evaluations"], line["seconds"]) == (best, evaluations, seconds)
        assert (line["state"], line["board_url"]) == ("done", "")
        assert notes_after(runs, trace, seconds) == []
    assert list(after_seconds(runs, trace, 2).columns) == list(runs.columns)


def test_a_score_that_falls_is_not_the_best_there_was() -> None:
    runs, trace = frames(("A", "done", 9.0, [(0.5, 10), (2.0, 20), (4.0, 15), (8.9, 12)]))
    for seconds, best in ((1, 10), (3, 20), (4, 15), (8, 15), (9, 12)):
        for order in (trace, trace[::-1]):
            assert after_seconds(runs, order, seconds)["best_score"].tolist() == [best], seconds


def test_a_true_score_is_known_only_of_boards_that_were_kept() -> None:
    runs, trace = frames(("A", "done", 9.0, [(0.5, 10), (8.9, 30)]))
    assert after_seconds(runs, trace, 5)["true_score"].tolist() == [10]  # all edges count
    some = runs.assign(edges="paper", true_score=34)
    assert after_seconds(some, trace, 5)[["best_score", "true_score"]].to_numpy().tolist() == [[10, -1]]
    assert after_seconds(some, trace, 9)[["best_score", "true_score"]].to_numpy().tolist() == [[30, 34]]


def test_what_counts_and_what_is_said_of_it() -> None:
    runs, trace = frames(
        ("done", "done", 9.0, [(1.0, 10), (8.0, 20)]),
        ("quick", "done", 2.0, [(1.0, 15), (1.9, 16)]),
        ("ahead", "running", 6.0, [(1.0, 10), (4.0, 12)]),  # no row since, because nothing has become better
        ("behind", "interrupted", 3.0, [(1.0, 10), (2.9, 12)]),
        ("pending", "pending", 0.0, []),
        ("slow", "done", 9.0, [(7.0, 40)]),
        ("foreign", "done", math.nan, []),
        ("instant", "done", 3.0, []),
        ("long", "done", 60.0, []),
    )
    found = after_seconds(runs, trace, 5)
    scores = dict(zip(found["setting"], found["best_score"], strict=True))
    assert scores == {"done": 10, "quick": 16, "ahead": 12, "instant": 400}
    assert found["seconds"].tolist() == [5, 2, 5, 3]
    assert notes_after(runs, trace, 5) == [
        "2 of 9 runs have not yet run for 5 seconds and are ignored (behind, pending)",
        "1 of 9 runs had not reported anything after 5 seconds and are ignored (slow)",
        "2 of 9 runs have no trace that tells their score after 5 seconds and are ignored (foreign, long)",
        "2 of 9 runs ended before 5 seconds and count with their final scores (quick, instant)",
    ]


@st.composite
def _runs(draw: st.DrawFn) -> list[RUN]:
    runs: list[RUN] = []
    for _ in range(draw(st.integers(1, 6))):
        times = sorted(draw(st.lists(st.integers(0, 12), max_size=6)))
        scores = sorted(draw(st.lists(st.integers(0, 9), min_size=len(times), max_size=len(times))))
        points = [(float(time), score) for time, score in zip(times, scores, strict=True)]
        more = draw(st.integers(0, 3))
        state = draw(st.sampled_from(["done", "running", "failed"])) if points else "pending"
        runs.append(("A", state, (times[-1] if times else 0.0) + more, points))
    return runs


def _slowly(run: RUN, seconds: float) -> int | None:
    """The score of a run then, the slow and obvious way."""
    _, state, spent, points = run
    if state != "done" and spent < seconds:
        return None
    best = None
    for at, score in points:
        if at <= seconds:
            best = score
    return best


@settings(max_examples=60)
@given(_runs(), st.integers(1, 13))
def test_scores_are_those_of_a_slow_twin(runs: list[RUN], seconds: int) -> None:
    table, trace = frames(*runs)
    expected = {number: _slowly(run, seconds) for number, run in enumerate(runs, start=1)}
    expected = {number: score for number, score in expected.items() if score is not None}
    shuffled = trace.sample(frac=1, random_state=1)
    if not expected:
        with pytest.raises(ConfigError, match="no run can be judged"):
            after_seconds(table, shuffled, seconds)
        return
    found = after_seconds(table, shuffled, seconds)
    assert dict(zip(found["run"], found["best_score"], strict=True)) == expected


def test_what_cannot_be_judged_is_said() -> None:
    runs, trace = frames(("A", "running", 3.0, [(1.0, 10)]), ("B", "done", 9.0, [(8.0, 10)]))
    with pytest.raises(ConfigError, match=r"^no run can be judged after 5 seconds: 1 of 2 .*; 1 of 2 .* \(B\)$"):
        after_seconds(runs, trace, 5)
    for wrong in (0, -1, math.nan, math.inf):
        with pytest.raises(ConfigError, match=r"^seconds: expected a positive number; found"):
            after_seconds(runs, trace, wrong)


def test_a_real_experiment_is_compared_at_equal_seconds(tmp_path: Path) -> None:
    runs = run_experiment(small_suite(tmp_path, 10**9, runs=2), out=tmp_path / "out", seconds=0.2).runs
    assert set(runs["seconds_limit"]) == {0.2}
    trace = traces(tmp_path / "out")
    middle = float(trace.groupby(["setting", "run"])["seconds"].median().max())  # by then every run has reported
    found = after_seconds(runs, trace, middle)
    assert len(found) == len(runs)
    for line in found.itertuples():
        own = trace[(trace["setting"] == line.setting) & (trace["run"] == line.run)]
        assert line.best_score == own.loc[own["seconds"] <= middle, "best"].iloc[-1]
    assert (found["best_score"].to_numpy() <= runs["best_score"].to_numpy()).all()
    assert len(compare(found, "setting")) == len(compare(runs, "setting"))
