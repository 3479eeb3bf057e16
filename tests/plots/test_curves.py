import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plots.convergence import convergence_curves, paper_means
from plots.curves import SHORTEST, evaluation_grid, panels_of, quartile_curves, row_dashes, seconds_grid
from plots.diversity import diversity_curves
from plots.ecdf import default_targets, ecdf_curves
from plots.errors import PlotError
from plots.style import Row
from tests.plots.synthetic import PAPER, TRACE, trace_frame

Points = list[tuple[int, int]]
GA, ES = ("GA_1", "random", "normal"), ("ES", "", "")


def _best_at(points: Points, at: int) -> int:
    """A run's best at some evaluations, the slow and obvious way."""
    return max(best for evaluations, best in points if evaluations <= at)


@st.composite
def _runs(draw: st.DrawFn) -> list[Points]:
    runs = []
    for _ in range(draw(st.integers(1, 4))):
        places = sorted(draw(st.sets(st.integers(2, 3000), max_size=12)) | {1})
        scores = sorted(draw(st.lists(st.integers(0, 60), min_size=len(places), max_size=len(places))))
        runs.append(list(zip(places, scores, strict=True)))
    return runs


def test_grids_go_from_the_first_to_the_last() -> None:
    assert evaluation_grid(1, 1).tolist() == [1]
    assert evaluation_grid(1, 5).tolist() == [1, 2, 3, 4, 5]
    grid = evaluation_grid(7, 50_000_000)
    assert (grid[0], grid[-1]) == (7, 50_000_000)
    assert (np.diff(grid) > 0).all()
    steps = np.diff(np.log(grid))[-100:]
    assert np.allclose(steps, steps.mean(), rtol=0.01)


def test_quartiles_by_hand() -> None:
    runs = [[(1, 10), (3, 20)], [(1, 12), (2, 14), (4, 40)], [(1, 11)]]  # two end before the row does
    trace = trace_frame(*((*GA, run, points) for run, points in enumerate(runs, start=1)))
    curves = convergence_curves(trace.sample(frac=1, random_state=1))
    numbers = ["runs", "evaluations", "lower", "median", "upper"]
    assert list(curves.columns) == ["setting", "init", "fitness", "algorithm", *numbers]
    assert set(curves["algorithm"]) == {"GA"}
    assert curves["runs"].tolist() == [3] * 4
    assert curves["evaluations"].tolist() == [1, 2, 3, 4]
    assert curves["median"].tolist() == [11, 11, 14, 20]
    assert curves["lower"].tolist() == [10.5, 10.5, 12.5, 15.5]
    assert curves["upper"].tolist() == [11.5, 12.5, 17, 30]


@settings(max_examples=25)
@given(_runs())
def test_quartiles_are_those_of_a_slow_twin(runs: list[Points]) -> None:
    curves = quartile_curves(trace_frame(*((*GA, run, points) for run, points in enumerate(runs))), "best")
    assert curves["evaluations"].iloc[0] == 1
    assert curves["evaluations"].iloc[-1] == max(points[-1][0] for points in runs)
    for line in curves.itertuples():
        scores = pd.Series([_best_at(points, line.evaluations) for points in runs])
        assert np.allclose([line.lower, line.median, line.upper], scores.quantile([0.25, 0.5, 0.75]))


Times = list[tuple[float, int]]


@st.composite
def _timed_runs(draw: st.DrawFn) -> list[Times]:
    """Seconds and scores; several points may have the same seconds, as traces tell them, and the first may have 0."""
    runs = []
    for _ in range(draw(st.integers(1, 4))):
        times = sorted(draw(st.lists(st.sampled_from([0, 1, 11, 60]) | st.integers(0, 60_000), min_size=1, max_size=9)))
        scores = sorted(draw(st.lists(st.integers(0, 60), min_size=len(times), max_size=len(times))))
        runs.append([(time / 1000, score) for time, score in zip(times, scores, strict=True)])
    return runs


def _timed_trace(runs: list[Times]) -> pd.DataFrame:
    trace = trace_frame(
        *((*GA, run, [(at, best) for at, (_, best) in enumerate(times, 1)]) for run, times in enumerate(runs))
    )
    trace["seconds"] = [seconds for times in runs for seconds, _ in times]
    return trace.sample(frac=1, random_state=1)


def _best_until(times: Times, at: float) -> int:
    """A run's best after some seconds, the slow and obvious way; nothing before its first report."""
    return max((best for seconds, best in times if seconds <= at), default=-1)


@settings(max_examples=40)
@given(_timed_runs())
def test_quartiles_over_seconds_are_those_of_a_slow_twin(runs: list[Times]) -> None:
    curves = quartile_curves(_timed_trace(runs), "best", "seconds")
    end = max(times[-1][0] for times in runs)
    begun = max(times[0][0] for times in runs)
    assert curves["seconds"].iloc[0] == max(begun, end / 1000, SHORTEST)
    assert curves["seconds"].iloc[-1] == max(end, SHORTEST)
    assert curves["seconds"].is_monotonic_increasing
    for line in curves.itertuples():
        scores = pd.Series([_best_until(times, line.seconds) for times in runs])
        assert np.allclose([line.lower, line.median, line.upper], scores.quantile([0.25, 0.5, 0.75]))


@settings(max_examples=25)
@given(_timed_runs())
def test_an_ecdf_over_seconds_is_that_of_a_slow_twin(runs: list[Times]) -> None:
    trace = _timed_trace(runs)
    targets = default_targets(trace)
    for line in ecdf_curves(trace, over="seconds").itertuples():
        reached = [_best_until(times, line.seconds) >= target for times in runs for target in targets]
        assert line.share == pytest.approx(sum(reached) / len(reached))


def test_grids_of_seconds_stay_in_their_range() -> None:
    for first, last in ((0.059, 0.059), (0.06, 60.0), (0.1, 0.3), (2.999, 3.001)):
        grid = seconds_grid(first, last)
        assert (grid[0], grid[-1]) == (first, last)
        assert (np.diff(grid) > 0).all()


def test_a_row_that_ended_at_once_is_a_point_where_the_others_begin() -> None:
    trace = trace_frame((*GA, 1, [(1, 5), (6000, 9)]), (*ES, 1, [(1, 7)]))  # 60 s, and a hundredth of one
    curves = convergence_curves(trace, "seconds")
    assert curves.loc[curves["setting"] == "ES", ["seconds", "median"]].to_numpy().tolist() == [[0.06, 7]]
    assert curves["seconds"].min() == 0.06


def test_rows_have_curves_of_their_own_length_in_the_papers_order() -> None:
    curves = convergence_curves(trace_frame((*GA, 1, [(1, 5), (100, 9)]), (*ES, 1, [(1, 7), (10, 8)])))
    ends = curves.groupby(["setting"], sort=False)["evaluations"].max()
    assert ends.to_dict() == {"ES": 10, "GA_1": 100}
    assert list(ends.index) == ["ES", "GA_1"]


def test_diversity_leaves_out_what_has_no_population() -> None:
    trace = pd.concat(
        [
            trace_frame((*ES, 1, [(1, 5), (9, 9)]), diversity=float("nan")),
            trace_frame((*GA, 1, [(1, 5)]), diversity=float("nan")),
            trace_frame((*GA, 1, [(4, 5), (8, 9)]), diversity=0.25),
            trace_frame((*GA, 2, [(1, 5), (6, 9)]), diversity=0.75),
        ]
    )
    curves = diversity_curves(trace)
    assert set(curves["setting"]) == {"GA_1"}
    assert (curves["evaluations"].min(), curves["evaluations"].max()) == (4, 8)  # from where both runs have begun
    assert set(curves["median"]) == {0.5}


def test_the_default_targets_are_51_whole_scores() -> None:
    wide = trace_frame((*GA, 1, [(1, 100), (2, 150)]), (*ES, 1, [(1, 0), (5, 90)]), (*ES, 2, [(1, 30), (5, 200)]))
    assert default_targets(wide) == list(range(0, 201, 4))
    assert default_targets(trace_frame((*GA, 1, [(1, 7), (5, 9)]))) == [7, 8, 9]


def test_an_ecdf_by_hand() -> None:
    trace = trace_frame((*GA, 1, [(1, 2), (3, 6)]), (*GA, 2, [(1, 4), (2, 5), (4, 9)]))
    curves = ecdf_curves(trace, [2, 5, 9, 100])
    # Pairs reached: at 1 both runs' first target; at 2 the second run's 5; at 3 the first run's 5; at 4 the second's 9.
    assert curves["evaluations"].tolist() == [1, 2, 3, 4]
    assert curves["share"].tolist() == [2 / 8, 3 / 8, 4 / 8, 5 / 8]
    assert curves[["targets", "lowest", "highest"]].drop_duplicates().to_numpy().tolist() == [[4, 2, 100]]
    with pytest.raises(PlotError, match="at least one target"):
        ecdf_curves(trace, [])


def test_a_target_that_was_reached_stays_reached_though_the_score_falls() -> None:
    trace = trace_frame((*GA, 1, [(1, 2), (2, 8), (3, 4), (4, 6)]))
    curves = ecdf_curves(trace, [2, 5, 7, 8])
    assert curves["evaluations"].tolist() == [1, 2, 3, 4]
    assert curves["share"].tolist() == [1 / 4, 1, 1, 1]


@settings(max_examples=25)
@given(_runs())
def test_an_ecdf_is_that_of_a_slow_twin(runs: list[Points]) -> None:
    trace = trace_frame(*((*GA, run, points) for run, points in enumerate(runs)))
    targets = default_targets(trace)
    for line in ecdf_curves(trace).itertuples():
        reached = [_best_at(points, line.evaluations) >= target for points in runs for target in targets]
        assert line.share == pytest.approx(sum(reached) / len(reached))
        assert line.targets == len(targets)


def test_rows_without_a_fitness_stand_beside_all_their_rivals() -> None:
    rows = [
        Row(*ES),
        Row("GA_1", "random", "normal"),
        Row("GA_1", "random", "combined"),
        Row("GA_1", "knowledge", "normal"),
    ]
    moea = [Row("MOEA_1", "random", ""), Row("MOEA_1", "knowledge", "")]
    panels = panels_of([*rows, *moea])
    assert panels == {
        ("random", "normal"): [rows[0], rows[1], moea[0]],
        ("random", "combined"): [rows[0], rows[2], moea[0]],
        ("knowledge", "normal"): [rows[3], moea[1]],
    }
    assert panels_of([rows[0], rows[3]]) == {("", ""): [rows[0]], ("knowledge", "normal"): [rows[3]]}
    assert len(set(map(str, row_dashes(rows).values()))) == 4


def test_the_papers_means() -> None:
    assert paper_means(PAPER)[Row("GA_1", "random", "combined")] == 345.8
    assert paper_means(None) == {}


def test_no_trace_gives_no_curves() -> None:
    empty = pd.DataFrame(columns=TRACE)
    assert convergence_curves(empty).empty
    assert diversity_curves(empty).empty
    assert ecdf_curves(empty).empty
    assert convergence_curves(empty, "seconds").empty
    assert ecdf_curves(empty, over="seconds").empty


def test_curves_for_a_linear_axis_are_sampled_evenly() -> None:
    points = np.array([1, 3, 40, 900, 1_000])
    trace = pd.DataFrame(
        {"setting": "GA_1", "init": "", "fitness": "", "algorithm": "GA", "run": 1, "evaluations": points,
         "seconds": points / 1e3, "best": [5, 9, 10, 30, 31]}
    )  # fmt: skip
    for over in ("evaluations", "seconds"):
        curve = quartile_curves(trace, "best", over, "linear")
        steps = np.diff(curve[over])
        assert steps.max() <= 1.2 * steps.min()
        assert (curve[over].iloc[0], curve[over].iloc[-1]) == (trace[over].iloc[0], trace[over].iloc[-1])
        expected = [trace["best"][trace[over] <= at].iloc[-1] for at in curve[over]]
        assert curve["median"].tolist() == expected
