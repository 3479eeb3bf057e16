"""Commands on an experiment that does not count all edges: they say both scores, or which one they mean."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pandas as pd
import pytest

from evo.analysis.study import Study
from evo.cli.app import main
from evo.cli.progress import Tally
from evo.experiments.experiment import run_experiment
from evo.experiments.frames import fronts
from evo.experiments.plan import make_plan
from evo.experiments.store import Record, Store
from evo.experiments.words import outcome, scores
from evo.live.pictures import study_figure
from tests import oracle
from tests.evo.laboratory import counting_suite, small_suite

Command = Callable[..., tuple[int, str, str]]
NOTE = "Scores are of the 50 edges that count; true scores are of all 60 edges of the same boards."


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("counted")
    run_experiment(counting_suite(folder, runs=4), out=folder / "out")
    return folder / "out"


@pytest.fixture
def evo(capsys: pytest.CaptureFixture[str]) -> Command:
    """A command in this process, which has loaded the code already."""

    def command(*arguments: str | Path) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return int(stop.value.code or 0), printed.out, printed.err

    return command


def test_results_have_both_scores_and_they_are_right(finished: Path, evo: Command) -> None:
    store = Store(finished)
    boards = [store.board(run) for run in store.runs]
    expected = [(oracle.counted_score(one), oracle.counted_score(one, "all"), "paper") for one in boards if one]
    rows = json.loads(evo("results", finished, "--json")[1])
    assert [(row["best_score"], row["true_score"], row["edges"]) for row in rows] == expected
    table = pd.read_csv(StringIO(evo("results", finished, "--csv")[1]))
    assert list(table[["best_score", "true_score", "edges"]].itertuples(index=False, name=None)) == expected
    code, printed, _ = evo("results", finished)
    assert code == 0
    head, *lines = printed.splitlines()
    assert head.split()[-6:] == ["evaluations", "seconds", "all", "edges:", "max", "mean"]
    assert lines[-1] == NOTE
    for line in lines[:-1]:
        setting = line.split()[0]
        true = [row["true_score"] for row in rows if row["setting"] == setting]
        assert line.split()[-2:] == [f"{max(true)}", f"{sum(true) / len(true):.1f}"]
    assert len(lines) == 6 + 1


def test_a_run_that_has_no_board_yet_has_no_score(tmp_path: Path, evo: Command) -> None:
    store = Store.create(tmp_path / "out", make_plan([counting_suite(tmp_path)]))
    for row in json.loads(evo("results", store.path, "--json")[1]):
        assert (row["best_score"], row["true_score"], row["edges"]) == (None, None, "paper")
    assert evo("status", store.path)[0] == evo("results", store.path)[0] == 0


def test_status_and_progress_say_both_scores(finished: Path, evo: Command) -> None:
    records = Store(finished).records()
    run, best = max(records, key=lambda pair: pair[1].best_score)
    both = f"{best.best_score} ({best.true_score} of all edges)"
    assert f"  best {both}: {run.label}, run {run.run}\n" in evo("status", finished)[1]
    assert scores(run, best) == both
    assert outcome(run, best).startswith(f"{run.label}, run {run.run}: {both} after ")
    assert f"best {both}, " in str(Tally(records))
    tally = Tally([])
    tally._total = 1
    tally.note(run, Record("running", best_score=3, true_score=5, evaluations=9))
    tally.note(run, Record("running", best_score=2, true_score=9, evaluations=10))  # lower: the best stays
    assert "best 3 (5 of all edges), " in str(tally)


def test_where_all_edges_count_one_score_is_said(tmp_path: Path, evo: Command) -> None:
    run_experiment(small_suite(tmp_path, 2_000), out=tmp_path / "out")
    for command in ("status", "results", "conclusions"):
        assert "all edges" not in evo(command, tmp_path / "out")[1]
        assert "edges that count" not in evo(command, tmp_path / "out")[1]
    rows = json.loads(evo("results", tmp_path / "out", "--json")[1])
    assert all(row["true_score"] == row["best_score"] and row["edges"] == "all" for row in rows)


def test_verify_speaks_only_of_the_true_score(finished: Path, evo: Command) -> None:
    store = Store(finished)
    for run, record in store.records():
        board = store.board(run)
        assert board is not None
        for source in (store.file(run, "board.json"), record.board_url):
            arguments = ["--puzzle", finished / "puzzle.json"] if source == record.board_url else []
            _, printed, _ = evo("verify", source, *arguments)
            assert f"{record.true_score} of 60" in printed
            assert oracle.counted_score(board, "all") == record.true_score
            assert "count" not in printed
            assert "of 50" not in printed


def test_comparisons_and_conclusions_say_what_is_counted(finished: Path, tmp_path: Path, evo: Command) -> None:
    code, printed, _ = evo("compare", finished, "--by", "setting", "-o", tmp_path / "compare.svg")
    assert code == 0
    note = "Scores are of the 50 edges that count, of 60 in all."
    assert note in printed.splitlines()
    assert note in evo("conclusions", finished)[1].splitlines()
    (tmp_path / "other.csv").write_text("setting,best_score\n" + "theirs,40\n" * 4)
    code, _, error = evo("compare", finished, "--by", "setting", "--csv", tmp_path / "other.csv")
    assert (code, error.count("\n")) == (2, 1)
    assert "the scores count 'all' edges, but those of the experiment count 'paper'" in error


def test_exported_traces_have_the_greatest_score_that_counts(finished: Path, tmp_path: Path, evo: Command) -> None:
    assert evo("export", "ioh", finished, tmp_path / "ioh")[0] == 0
    about = [json.loads(path.read_text()) for path in (tmp_path / "ioh").rglob("*.json")]
    assert len(about) == 6
    records = Store(finished).records()
    for one in about:
        assert one["algorithm"]["info"].endswith(", greatest score 50 (of the edges that count)")
        best = [run["best"]["y"] for run in one["scenarios"][0]["runs"]]
        name = one["algorithm"]["name"]
        assert best == [record.best_score for run, record in records if run.label == name]


def test_pictures_say_what_is_counted(finished: Path) -> None:
    study = Study(finished)
    found = {kind: study_figure(study, kind) for kind in ("convergence", "distributions", "ecdf", "pareto")}
    for kind, label in (("convergence", "get_ylabel"), ("distributions", "get_xlabel")):
        figure = found[kind]
        figure.canvas.draw()
        labels = [getattr(axes, label)() for axes in figure.axes] + [text.get_text() for text in figure.texts]
        assert "best score (of the 50 edges that count)" in labels, kind
    headings = [text.get_text() for text in found["ecdf"].texts]
    assert any(text.endswith("(of the 50 edges that count)") for text in headings)
    labels = {axes.get_xlabel() for axes in found["pareto"].axes} | {axes.get_ylabel() for axes in found["pareto"].axes}
    assert labels == {"score (of the 50 edges that count)", "blocks (2x2, matching)", "complete tiles"}
    # Objective 1 is the counted score: no front has more than there are, and its best is that of a final population.
    members = fronts(finished)
    assert set(members["algorithm"]) == {"GA", "MOEA", "AIEA"}
    assert members["score"].max() <= 50
    tops = members.groupby(["setting", "run"])["score"].max()
    kept = study.runs[study.runs["algorithm"].isin(["GA", "AIEA"])].set_index(["setting", "run"])["best_score"]
    assert (tops[kept.index] <= kept).all()


def test_the_report_and_the_best_board_say_both_scores(finished: Path, tmp_path: Path, evo: Command) -> None:
    page = tmp_path / "report.html"
    assert evo("report", finished, "-o", page)[0] == 0
    text = page.read_text()
    assert NOTE in text
    best = max((record for _, record in Store(finished).records()), key=lambda record: record.best_score)
    both = f"{best.best_score} of 50 counted edges ({best.true_score} of 60 in all)"
    assert both in text
    assert evo("plot", "board", finished, "-o", tmp_path / "best.svg")[0] == 0
    assert both in (tmp_path / "best.svg").read_text()


@pytest.mark.parametrize("value", ["450", "Paper", "[1]", "true"])
def test_edges_that_nobody_knows_are_refused(value: str, tmp_path: Path, evo: Command) -> None:
    code, printed, error = evo("run", "GA_1", "--set", f"edges={value}", "-o", tmp_path / "out")
    assert (code, printed, error.count("\n")) == (2, "", 1)
    assert error.startswith("evo: GA_1: edges: input should be 'all' or 'paper'; found ")
    assert not (tmp_path / "out").exists()


def test_an_option_sets_which_edges_count(tmp_path: Path, evo: Command) -> None:
    command = ["run", "RAND", "--set", "edges=paper", "--evaluations", "500", "--jobs", "1", "-o", tmp_path / "out"]
    code, printed, _ = evo(*command)
    assert code == 0
    assert "Scores are of the 450 edges that count; true scores are of all 480 edges of the same boards." in printed
    assert Store(tmp_path / "out").edges == "paper"
