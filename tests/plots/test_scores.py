import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.cbook import boxplot_stats
from matplotlib.figure import Figure

from evo.analysis.statistics import EFFECT_SIZES, SIGNIFICANCE_LEVEL
from plots.comparison import MOST, draw_comparison, effect_lines, forest_columns
from plots.distributions import panel_titles, score_boxes, score_panels, score_points
from plots.pareto import front_places, front_points
from plots.variants import variant_points, verdict_notes
from tests.plots.synthetic import FRONTS, RUNS, fronts_frame, runs_frame

GA = ("GA_1", "random", "normal")


def test_only_runs_that_are_done_have_points() -> None:
    done = runs_frame(("mine", "", "", [7]), (*GA, [5, 9]))
    others = [runs_frame((*GA, [100]), state=state) for state in ("pending", "running", "failed", "interrupted")]
    points = score_points(pd.concat([*others, done]))
    assert points[["setting", "short_label", "run", "best_score"]].to_numpy().tolist() == [
        ["GA_1", "GA_1 normal", 1, 5],
        ["GA_1", "GA_1 normal", 2, 9],
        ["mine", "mine", 1, 7],
    ]
    assert score_points(pd.DataFrame(columns=RUNS)).empty


def test_points_are_spread_the_same_way_every_time() -> None:
    points = score_points(runs_frame((*GA, [5] * 20)))
    offsets = np.sort(points["offset"])
    assert (offsets[0] >= -0.5, offsets[-1] < 0.5) == (True, True)
    assert np.diff(offsets).min() > 0.02  # none on another
    assert points.equals(score_points(runs_frame((*GA, [5] * 20)).sample(frac=1, random_state=3)))


@settings(max_examples=40)
@given(st.lists(st.integers(0, 480), min_size=1, max_size=15))
def test_boxes_are_those_of_matplotlib(scores: list[int]) -> None:
    box = score_boxes(score_points(runs_frame((*GA, scores)))).iloc[0]
    expected = boxplot_stats(scores)[0]
    assert box["runs"] == len(scores)
    assert [box[name] for name in ("lower", "median", "upper")] == [expected[name] for name in ("q1", "med", "q3")]
    assert (box["low"], box["high"]) == (expected["whislo"], expected["whishi"])


def test_variants_need_both_fitnesses() -> None:
    runs = runs_frame(
        ("GA_1", "random", "normal", [1, 2]),
        ("GA_1", "random", "combined", [3]),
        ("GA_1", "knowledge", "normal", [4]),
        ("GA_2", "knowledge", "combined", [5]),
        ("MOEA_1", "random", "", [6]),
    )
    assert variant_points(runs)["best_score"].tolist() == [1, 2, 3]
    assert variant_points(pd.DataFrame(columns=RUNS)).empty


def test_verdicts_are_put_in_words() -> None:
    verdicts = pd.DataFrame(
        [
            ("GA_1", "random", "combined better", "A = 0.97, p = 0.0004"),
            ("GA_1", "", "too few runs", "A = 0.50"),
        ],
        columns=["setting", "init", "verdict", "evidence"],
    )
    assert verdict_notes(verdicts) == {
        ("GA_1", "random"): ("combined better", "A = 0.97, p = 0.0004"),
        ("GA_1", ""): ("too few runs", "A = 0.50"),
    }


def _table(count: int, group: str = "random") -> pd.DataFrame:
    columns = ["group", "first", "second", "effect", "decidable", "significant", "verdict", "evidence"]
    lines = [
        (group, f"A{at}", f"B{at}", at / count, True, at % 2 == 0, "no difference shown", f"evidence {at}")
        for at in range(count)
    ]
    return pd.DataFrame(lines, columns=columns)


def _drawn(lines: pd.DataFrame, total: int | None = None) -> Figure:
    return draw_comparison(lines, SIGNIFICANCE_LEVEL, EFFECT_SIZES, total=total)


def test_the_forest_has_a_heading_for_each_group_of_several() -> None:
    table = pd.concat([_table(2).head(1), _table(1, "knowledge"), _table(2).tail(1), _table(1, "")])
    lines = effect_lines(table)
    assert lines["name"].tolist() == ["random", "A0 / B0", "A1 / B1", "knowledge: A0 / B0", "A0 / B0"]
    assert lines["heading"].tolist() == [True, False, False, False, False]
    assert not effect_lines(_table(3, ""))["heading"].any()
    assert lines["note"].tolist()[:3] == ["", "evidence 0", "evidence 1"]
    assert lines["significant"].tolist()[:3] == [False, True, False]


def test_long_names_of_a_pair_are_both_shortened() -> None:
    table = _table(1).assign(first="first " * 20 + "one", second="second " * 20 + "two")
    heading, name = effect_lines(table)["name"]
    assert heading == "random"
    first, second = name.split(" / ")
    assert first.startswith("first fi")
    assert first.endswith("one")
    assert second.startswith("second s")
    assert second.endswith("two")


def test_a_comparison_of_too_few_runs_says_so() -> None:
    table = _table(2).assign(
        decidable=[False, True], significant=False, verdict=["too few runs", "no difference shown"]
    )
    lines = effect_lines(table)
    assert lines["note"].tolist()[1:] == ["evidence 0, too few runs", "evidence 1"]
    figure = _drawn(lines)
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == [
        *("p < 0.05", "not significant", "too few runs to tell"),
        *("small: 0.56 or 0.44", "medium: 0.64 or 0.36", "large: 0.71 or 0.29"),
    ]
    assert {
        line.get_markerfacecolor() for axes in figure.axes for line in axes.lines if len(line.get_xdata()) == 1
    } == {"white"}


def test_very_many_comparisons_stand_in_two_columns() -> None:
    lines = effect_lines(pd.concat([_table(90, "one"), _table(77, "two")]))
    first, second = forest_columns(lines)
    assert (len(first), len(second)) == (85, 85)  # 167 lines, two headings, and one again
    assert second["name"].iloc[0] == "… one"
    assert second["heading"].iloc[0]
    shown = pd.concat([first, second])
    assert shown[~shown["heading"]]["name"].tolist() == lines[~lines["heading"]]["name"].tolist()
    figure = _drawn(lines)
    assert len(figure.axes) == 2
    assert figure.get_figheight() < 12
    few = effect_lines(_table(20))
    assert [part.equals(few) for part in forest_columns(few)] == [True]


def test_a_column_never_ends_with_a_heading() -> None:
    lines = effect_lines(pd.concat([_table(41, "one"), _table(43, "two")]))
    assert lines["heading"].iloc[42]  # the last of the upper half
    first, second = forest_columns(lines)
    assert not first["heading"].iloc[-1]
    assert second["name"].iloc[0] == "two"


def test_a_forest_says_what_it_leaves_out() -> None:
    lines = effect_lines(_table(MOST + 28))
    assert len(lines) == MOST + 1
    texts = [text.get_text() for text in _drawn(lines, MOST + 28).texts]
    assert any("the first 200 of 228 comparisons" in text for text in texts)
    assert not any(
        "the first" in text and "of 112" in text for text in [t.get_text() for t in _drawn(lines, 112).texts]
    )


def test_rows_with_other_scores_have_panels_of_their_own() -> None:
    random, knowledge = ("GA_1", "random", "normal"), ("GA_1", "knowledge", "normal")
    rows = [("RAND", "", "", [40, 44]), ("ES", "", "", [350, 360]), (*random, [50, 70]), (*knowledge, [340, 350])]
    panels = score_panels(score_points(runs_frame(*rows)))
    assert panels == {"": [("ES", "", "")], "random": [("RAND", "", ""), random], "knowledge": [knowledge]}
    assert panel_titles(panels) == [
        "no initialisation",
        "random initialisation (or none)",
        "knowledge initialisation",
    ]
    near = score_panels(score_points(runs_frame(rows[1], (*random, [300, 370]))))
    assert near == {"random": [("ES", "", ""), random]}
    alone = score_panels(score_points(runs_frame(rows[1])))
    assert (alone, panel_titles(alone)) == ({"": [("ES", "", "")]}, [""])


@settings(max_examples=40)
@given(st.lists(st.tuples(*[st.integers(0, 4)] * 4), min_size=1, max_size=25))
def test_fronts_are_those_of_a_slow_twin(found: list[tuple[int, int, int, int]]) -> None:
    fronts = fronts_frame([("MOEA_1", "MOEA", "random", "", *line) for line in found])
    points = front_points(fronts)
    triples = {line[1:] for line in found}
    assert {tuple(line) for line in points[["score", "blocks", "complete"]].to_numpy().tolist()} == triples
    for line in points.itertuples():
        mine = (line.score, line.blocks, line.complete)
        better = [other for other in triples if other != mine and all(a >= b for a, b in zip(other, mine, strict=True))]
        assert line.front == (not better)
        assert line.runs == len({run for run, *triple in found if tuple(triple) == mine})


def test_rows_do_not_dominate_one_another() -> None:
    lines = [("MOEA_1", "MOEA", "random", "", 1, 9, 9, 9), ("MOEA_2", "MOEA", "random", "", 1, 1, 1, 1)]
    assert front_points(fronts_frame(lines))["front"].tolist() == [True, True]
    assert front_points(pd.DataFrame(columns=FRONTS)).empty


def test_the_fronts_are_moeas_where_there_are_any() -> None:
    lines = [("GA_1", "GA", "random", "normal", 1, 9, 9, 9), ("mine", "MOEA", "random", "", 1, 1, 1, 1)]
    fronts = fronts_frame(lines)
    assert front_points(fronts)["setting"].tolist() == ["mine"]
    assert front_points(fronts.head(1))["setting"].tolist() == ["GA_1"]


def test_what_lies_at_one_place_is_counted_and_drawn_side_by_side() -> None:
    fronts = fronts_frame(
        [
            ("MOEA_1", "MOEA", "random", "", 1, 5, 2, 1),
            ("MOEA_1", "MOEA", "random", "", 2, 5, 2, 1),
            ("MOEA_1", "MOEA", "random", "", 2, 5, 2, 0),  # dominated, at the same place
            ("MOEA_1", "MOEA", "random", "", 1, 4, 2, 3),
            ("MOEA_2", "MOEA", "random", "", 1, 5, 2, 7),
        ]
    )
    places = front_places(front_points(fronts), "score", "blocks").set_index(["setting", "score", "front"])
    assert places["count"].to_dict() == {
        ("MOEA_1", 4, True): 1,
        ("MOEA_1", 5, False): 1,
        ("MOEA_1", 5, True): 2,
        ("MOEA_2", 5, True): 1,
    }
    aside = places["aside"]
    assert aside["MOEA_1", 4, True] == 0
    assert aside["MOEA_1", 5, True] == aside["MOEA_1", 5, False] == -aside["MOEA_2", 5, True] < 0
