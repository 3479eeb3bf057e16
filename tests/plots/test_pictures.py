"""Every kind of picture, drawn for studies of every size: what is in it, and that nothing lies on anything else."""

from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import BboxBase

from evo.analysis.statistics import EFFECT_SIZES, SIGNIFICANCE_LEVEL
from plots.comparison import draw_comparison, effect_lines
from plots.convergence import convergence_curves, draw_convergence
from plots.distributions import draw_distributions, score_points
from plots.diversity import diversity_curves, draw_diversity
from plots.ecdf import draw_ecdf, ecdf_curves
from plots.errors import PlotError
from plots.layout import fitted, fitted_names, legend_shape
from plots.pareto import draw_pareto, front_points
from plots.style import ONE_COLUMN, TWO_COLUMNS, looks, picture_bytes
from plots.variants import draw_variants, variant_points
from tests.plots.synthetic import FRONTS, PAPER, RUNS, TRACE, runs_frame, study, trace_frame

Frames = dict[str, pd.DataFrame]
VERDICTS = pd.DataFrame(columns=["setting", "init", "verdict", "evidence"])


def _comparison(frames: Frames) -> pd.DataFrame:
    names = frames["runs"]["setting"].unique()
    lines = [
        ("random", one, other, 0.9, True, True, f"{one} better", "A = 0.90, p = 0.0100")
        for one, other in combinations(names, 2)
    ]
    columns = ["group", "first", "second", "effect", "decidable", "significant", "verdict", "evidence"]
    return pd.DataFrame(lines, columns=columns)


def _legend(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.legends[0].get_texts()]


KINDS: dict[str, Callable[[Frames], Figure]] = {
    "convergence": lambda frames: draw_convergence(convergence_curves(frames["trace"]), PAPER),
    "convergence over seconds": lambda frames: draw_convergence(convergence_curves(frames["trace"], "seconds"), PAPER),
    "diversity": lambda frames: draw_diversity(diversity_curves(frames["trace"])),
    "ecdf": lambda frames: draw_ecdf(ecdf_curves(frames["trace"])),
    "distributions": lambda frames: draw_distributions(score_points(frames["runs"]), PAPER),
    "variants": lambda frames: draw_variants(variant_points(frames["runs"]), VERDICTS),
    "comparison": lambda frames: draw_comparison(effect_lines(_comparison(frames)), SIGNIFICANCE_LEVEL, EFFECT_SIZES),
    "pareto": lambda frames: draw_pareto(front_points(frames["fronts"])),
}
MANY = [(f"setting {at}", "random", "normal") for at in range(19)]  # 171 pairs
LONG = "a $setting$ of <somebody's> own, with a name of 60 characters"
ODD = "_^{}%&#"
INITS, FITNESSES = ("random", "knowledge"), ("normal", "combined")
STUDIES = {
    "one variant": [("GA_1", "random", "normal"), ("GA_1", "random", "combined"), ("RAND", "", "")],
    "long names": [(f"{LONG} {at}", "random", fitness) for at in range(3) for fitness in FITNESSES],
    "odd characters": [
        *((f"日本 \n\t\x07 {ODD}", "knowledge", fitness) for fitness in FITNESSES),
        ("-->\\$x$", "", ""),
    ],
    "all of Table II": [
        ("RAND", "", ""),
        ("ES", "", ""),
        *((f"GA_{at}", *variant) for at in (1, 2, 3) for variant in product(INITS, FITNESSES)),
        *((f"AIEA_{at}", *variant) for at in (1, 2, 3) for variant in product(INITS, FITNESSES)),
        *((f"MOEA_{at}", init, "") for at in (1, 2) for init in INITS),
    ],
}


@pytest.fixture(scope="module", params=STUDIES, ids=lambda name: name.replace(" ", "_"))
def frames(request: pytest.FixtureRequest) -> Frames:
    return study(STUDIES[request.param])


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_lies_on_anything_else(kind: str, frames: Frames, monkeypatch: pytest.MonkeyPatch) -> None:
    _check_apart(KINDS[kind](frames), monkeypatch)


def test_very_many_comparisons_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    figure = KINDS["comparison"](study(MANY, runs=1))
    assert figure.get_figheight() < 13
    _check_apart(figure, monkeypatch)


def _check_apart(figure: Figure, monkeypatch: pytest.MonkeyPatch) -> None:
    assert figure.get_figwidth() in (ONE_COLUMN, TWO_COLUMNS)
    boxes: dict[Text | Axes | Figure, BboxBase] = {}  # as they are while the picture is drawn, in points
    draw = Text.draw

    def recording(text: Text, *args: Any, **kwargs: Any) -> None:
        draw(text, *args, **kwargs)
        if text.get_text() and text.get_visible():
            boxes[text] = text.get_window_extent().padded(-0.5)
        boxes.update((part, part.bbox.frozen()) for part in (figure, *figure.axes))

    monkeypatch.setattr(Text, "draw", recording)
    picture_bytes(figure, "svg")
    texts = [part for part in boxes if isinstance(part, Text)]
    assert min(text.get_fontsize() for text in texts) >= 7
    for text in texts:
        (left, bottom), (right, top) = boxes[text].get_points()
        assert 0 <= left < right <= boxes[figure].x1, text
        assert 0 <= bottom < top <= boxes[figure].y1, text
    for one, other in combinations(texts, 2):
        assert not boxes[one].overlaps(boxes[other]), (one, other)
    for axes, text in product(figure.axes, texts):
        assert not boxes[axes].overlaps(boxes[text]), (text, "covers data")


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
@pytest.mark.parametrize("name", KINDS)
def test_the_same_study_is_the_same_bytes(name: str, kind: str) -> None:
    rows = [("ES", "", ""), *product(("GA_1", "mine"), INITS, FITNESSES), ("MOEA_1", "random", "")]
    one, other = (picture_bytes(KINDS[name](study(rows, runs=4)), kind) for _ in range(2))
    assert one == other


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_to_draw_is_said_in_one_line(kind: str) -> None:
    empty = {
        "runs": pd.DataFrame(columns=RUNS),
        "trace": pd.DataFrame(columns=TRACE),
        "fronts": pd.DataFrame(columns=FRONTS),
    }
    with pytest.raises(PlotError, match=r"^(no|there is nothing)") as error:
        KINDS[kind](empty)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("variants", "comparison")])
def test_one_row_with_one_run_is_enough(kind: str) -> None:
    figure = KINDS[kind](study([("mine", "", "")], runs=1))
    assert picture_bytes(figure, "pdf").startswith(b"%PDF")


def test_convergence_has_the_papers_mean_dashed_in_the_settings_colour() -> None:
    frames = study([("GA_1", "random", "normal"), ("GA_1", "random", "combined"), ("mine", "random", "normal")])
    figure = KINDS["convergence"](frames)
    normal, combined = figure.axes
    assert [axes.get_title("left") for axes in figure.axes] == [
        "random initialisation, normal fitness",
        "random initialisation, combined fitness",
    ]
    for axes, mean in ((normal, 292.5), (combined, 345.8)):
        (line,) = [line for line in axes.lines if line.is_dashed()]
        assert set(line.get_ydata()) == {mean}
        assert to_hex(line.get_color()) == looks(["GA_1"])["GA_1"].colour
    assert len(normal.collections) == 2  # a band for each row
    assert draw_convergence(convergence_curves(frames["trace"])).legends[0].get_texts()[-1].get_text() == "mine"


def test_every_run_is_a_point() -> None:
    frames = study([("GA_1", "random", "normal"), ("RAND", "", "")], runs=7)
    (axes,) = KINDS["distributions"](frames).axes
    drawn = np.concatenate([line.get_xdata() for line in axes.lines if line.get_markersize() < 5])
    assert sorted(drawn) == sorted(frames["runs"]["best_score"])


def test_initialisations_have_axes_of_their_own() -> None:
    low, high = ("GA_1", "random", "normal"), ("GA_1", "knowledge", "normal")
    runs = runs_frame((*low, [50, 51, 53]), (*high, [380, 384, 390]))
    figure = draw_distributions(score_points(runs), PAPER)
    assert [axes.get_title("left") for axes in figure.axes] == ["random initialisation", "knowledge initialisation"]
    first, second = (axes.get_xlim() for axes in figure.axes)
    assert 49 < first[0] < 50 < 53 < first[1] < 54
    assert 379 < second[0] < 380 < 390 < second[1] < 391
    beside, other = ([text.get_text() for text in axes.texts] for axes in figure.axes)
    assert beside == ["GA_1 normal", "→ 292.5"]  # the paper's mean, too far away to be drawn
    assert other == ["GA_1 normal", ""]
    assert [line.get_xdata() for line in figure.axes[1].lines if line.get_markersize() > 5] == [[385.9]]


def test_curves_are_steps() -> None:
    frames = study([("GA_1", "random", "normal")])
    for kind in ("convergence", "convergence over seconds", "ecdf", "diversity"):
        (axes,) = KINDS[kind](frames).axes
        assert axes.lines[0].get_drawstyle() == "steps-post"
    band = KINDS["convergence"](frames).axes[0].collections[0].get_paths()[0].vertices
    moves = np.diff(band, axis=0)
    assert (moves == 0).any(axis=1).all()  # each of its sides goes along an axis


def test_diversity_begins_where_it_is_known() -> None:
    trace = trace_frame(("GA_1", "random", "normal", 1, [(2_000, 5), (30_000, 9)]))
    (axes,) = draw_diversity(diversity_curves(trace)).axes
    assert axes.get_xlim() == (2_000, 31_500)
    assert [axes.xaxis.get_major_formatter()(mark) for mark in axes.get_xticks()] == ["2·10³", "5·10³", "10⁴", "2·10⁴"]
    (axes,) = draw_convergence(convergence_curves(trace)).axes
    assert axes.get_xlabel() == "evaluations"
    assert axes.get_xlim()[0] == 1
    assert [axes.xaxis.get_major_formatter()(mark) for mark in axes.get_xticks()] == ["1", "10", "10²", "10³", "10⁴"]


def test_an_axis_of_seconds_shows_three_decades_at_most() -> None:
    trace = trace_frame(("GA_1", "random", "normal", 1, [(1, 5), (300, 9), (6000, 20)]))  # 0.01 s, 3 s, 60 s
    for figure in (
        draw_convergence(convergence_curves(trace, "seconds")),
        draw_diversity(diversity_curves(trace, "seconds")),
        draw_ecdf(ecdf_curves(trace, over="seconds")),
    ):
        (axes,) = figure.axes
        assert axes.get_xlim() == (pytest.approx(0.06), pytest.approx(63))
        assert axes.get_xlabel() == "seconds of computing"
        marks = [axes.xaxis.get_major_formatter()(mark) for mark in axes.get_xticks()]
        assert marks == ["0.1", "0.2", "0.5", "1", "2", "5", "10", "20", "50"]


def test_an_ecdf_says_what_its_targets_are() -> None:
    trace = trace_frame(("GA_1", "random", "normal", 1, [(1, 18), (9, 375)]))
    texts = [text.get_text() for text in draw_ecdf(ecdf_curves(trace)).texts]
    assert "pairs of a run and one of 51 target scores from 18 to 375" in texts
    texts = [text.get_text() for text in draw_ecdf(ecdf_curves(trace, [20])).texts]
    assert "pairs of a run and the target score 20" in texts


def test_moea_says_why_it_stands_in_panels_of_a_fitness() -> None:
    moea = [("MOEA_2", "random", "")]
    fitnesses = [("GA_1", "random", "normal"), ("GA_1", "random", "combined"), ("ES", "", "")]
    for rows, name in ((moea, "MOEA_2"), ([*fitnesses, *moea], "MOEA_2 (three objectives)")):
        for kind in ("convergence", "diversity"):
            assert name in _legend(KINDS[kind](study(rows)))
    assert "MOEA_2 (three objectives)" in _legend(KINDS["ecdf"](study(STUDIES["all of Table II"])))


def test_the_columns_of_a_legend_are_evenly_long() -> None:
    for count in range(1, 30):
        samples = [(Line2D([], []), f"setting {at}") for at in range(count)]
        _, columns, _ = legend_shape(samples, TWO_COLUMNS)
        lengths = [len(part) for part in np.array_split(range(count), columns)]
        assert max(lengths) == -(-count // columns)
        assert -(-count // max(lengths)) == columns  # one column fewer would need another line


def test_the_fronts_of_moea_alone_are_drawn_by_initialisation() -> None:
    figure = KINDS["pareto"](study(STUDIES["all of Table II"]))
    assert "Pareto fronts of MOEA" in [text.get_text() for text in figure.texts]
    assert _legend(figure)[:2] == ["MOEA_1", "MOEA_2"]
    assert [axes.get_title("left") for axes in figure.axes[::3]] == [
        "random initialisation",
        "knowledge initialisation",
    ]


def test_hollow_markers_are_hollow_in_the_legend_too() -> None:
    rows = [*product(["GA_1"], INITS, FITNESSES), ("GA_2", "random", "normal")]
    figure = KINDS["pareto"](study(rows))
    assert "Pareto fronts" in [text.get_text() for text in figure.texts]
    faces = {
        text.get_text(): sample.get_markerfacecolor()
        for sample, text in zip(figure.legends[0].legend_handles, figure.legends[0].get_texts(), strict=True)
    }
    assert faces["GA_1 normal"] == "none"
    assert to_hex(faces["GA_1 combined"]) == looks(["GA_1"])["GA_1"].colour
    assert faces["GA_2 normal"] != "none"  # it has no other to be told from


COUNTED = "of the 450 edges that count"
SAYING: dict[str, Callable[[Frames], Figure]] = {
    "convergence": lambda frames: draw_convergence(convergence_curves(frames["trace"]), PAPER, score=COUNTED),
    "distributions": lambda frames: draw_distributions(score_points(frames["runs"]), PAPER, score=COUNTED),
    "variants": lambda frames: draw_variants(variant_points(frames["runs"]), VERDICTS, score=COUNTED),
    "ecdf": lambda frames: draw_ecdf(ecdf_curves(frames["trace"]), scores=COUNTED),
    "pareto": lambda frames: draw_pareto(front_points(frames["fronts"]), score=f"score ({COUNTED})"),
}


@pytest.mark.parametrize("kind", SAYING)
@pytest.mark.parametrize("rows", ["one variant", "all of Table II"])
def test_a_picture_says_which_edges_its_scores_count(kind: str, rows: str, monkeypatch: pytest.MonkeyPatch) -> None:
    frames = study(STUDIES[rows])
    said, usual = (sorted(_axis_labels(one[kind](frames))) for one in (SAYING, KINDS))
    assert said != usual
    assert any(COUNTED in label for label in said)
    assert not any("matching edges" in label for label in said)  # which is what the label says where all count
    _check_apart(SAYING[kind](frames), monkeypatch)


def _axis_labels(figure: Figure) -> list[str]:
    """What axes and the heading say."""
    figure.canvas.draw()
    labels = [label for axes in figure.axes for label in (axes.get_xlabel(), axes.get_ylabel())]
    return [*labels, *(text.get_text() for text in figure.texts)]


def test_settings_keep_their_looks_where_others_are_missing() -> None:
    frames = study([("other", "random", "normal")])
    alone, among = (
        draw_ecdf(ecdf_curves(frames["trace"]), settings=settings).axes[0].lines[0].get_color()
        for settings in ((), ("first", "other"))
    )
    assert alone == looks(["other"])["other"].colour
    assert among == looks(["first", "other"])["other"].colour != alone


def test_names_are_shortened_in_their_middle_and_stay_apart() -> None:
    assert fitted("GA_1 random", 2) == "GA_1 random"
    short = fitted("a" * 50 + "b" * 50, 2)
    assert short.startswith("aaa")
    assert short.endswith("bbb")
    assert "…" in short
    one, other = fitted_names([f"{'a' * 50}{middle}{'b' * 50}" for middle in "12"], 2)
    assert one != other
    assert fitted_names(["same", "same"], 2) == ["same", "same"]
    assert fitted("a\nb\x00", 2) == "a b "
