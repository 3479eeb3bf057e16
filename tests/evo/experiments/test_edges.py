"""Experiments that do not count all edges: planned alike, counted right, stored with both scores, resumed."""

import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

import evo
from evo.errors import ConfigError, StoreError
from evo.experiments import driver, workers
from evo.experiments.driver import Unwatched, take_up
from evo.experiments.experiment import begin, resume_experiment, run_experiment
from evo.experiments.frames import results, traces
from evo.experiments.plan import Run, make_plan
from evo.experiments.slices import Slice, Task
from evo.experiments.stopping import stoppable
from evo.experiments.store import Store
from evo.experiments.workers import Here
from puzzles import Board, generate, save
from tests import oracle
from tests.evo.laboratory import counting_suite, outcome
from tests.examples import example

SMALL = 'algorithm = "GA"\npopulation = 40\ncrossover = 30\nmutation = 9\nelite = 1\nevaluations = 400\n'
LOSING = """
algorithm = "GA"
population = 40
crossover = 20
mutation = 20
elite = 0
tournament = 1
evaluations = 4_000
reported = "final"
edges = "paper"
"""
"""A setting that does not keep its best individual, and says so."""
WRONG = r"edges: input should be 'all' or 'paper'; found "


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of each algorithm that has the setting, with the edges of the paper."""
    folder = tmp_path_factory.mktemp("edges")
    run_experiment(counting_suite(folder, runs=2), out=folder / "out")
    return folder / "out"


def write(folder: Path, text: str) -> str:
    (folder / "mine.toml").write_text(text)
    return str(folder / "mine.toml")


def assert_both_scores(store: Store, run: Run) -> None:
    """The record of a run has both scores of its board."""
    record, board = store.record(run), store.board(run)
    assert board is not None
    assert (record.best_score, record.true_score) == (oracle.counted_score(board), oracle.counted_score(board, "all"))


def interrupt(store: Store, slices: int) -> None:
    """Work on an experiment until each run has made so many slices, as short as they can be."""

    counts: Counter[str] = Counter()

    class Failing(Here):
        def submit(self, slot: int, task: Task, state: bytes | None) -> Future[Slice]:
            counts[task.key] += 1
            if counts[task.key] <= slices:
                return super().submit(slot, task, state)
            future: Future[Slice] = Future()
            future.set_exception(MemoryError())
            return future

    with store.locked(), stoppable() as stopped:
        states = {run.id: take_up(store, run) for run in store.runs}
        driver.carry_out(store, Failing(), Unwatched(), states, stopped)


@pytest.fixture
def short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "SLICE_SECONDS", 0.0)
    for name in ("CHECKPOINT_SECONDS", "HEARTBEAT_SECONDS"):
        monkeypatch.setattr(driver, name, 0.0)


def test_a_suite_an_option_and_typed_settings_say_which_edges_count(tmp_path: Path) -> None:
    suite = counting_suite(tmp_path)
    assert {run.edges for run in make_plan([suite]).runs} == {"paper"}
    assert {run.edges for run in make_plan([suite], edges="all").runs} == {"all"}
    assert [run.edges for run in make_plan(["GA_1", "ES"]).runs] == ["all", "all"]
    assert [run.edges for run in make_plan(["GA_1", "ES"], edges="paper").runs] == ["paper", "paper"]
    assert [run.edges for run in make_plan([evo.RAND(edges="paper")]).runs] == ["paper"]
    assert [run.edges for run in make_plan([write(tmp_path, SMALL + 'edges = "paper"\n')]).runs] == ["paper"]


@pytest.mark.parametrize("value", ['"450"', '"Paper"', '""', "450", "true", '["all", "paper"]'])
def test_anything_else_is_a_config_error(tmp_path: Path, value: str) -> None:
    source = write(tmp_path, f"{SMALL}edges = {value}\n")
    with pytest.raises(ConfigError, match=rf"mine\.toml: {WRONG}") as caught:
        make_plan([source])
    assert "\n" not in str(caught.value)
    with pytest.raises(ConfigError, match=rf"mine\.toml: row 1: {WRONG}"):
        make_plan([write(tmp_path, f'edges = {value}\n[[rows]]\nextends = "ES"\n')])


@pytest.mark.parametrize("value", ["450", "", None, 450, True, ["all"]])
def test_a_wrong_option_is_a_config_error(value: Any) -> None:
    for kind in (evo.GA, evo.AIEA, evo.MOEA, evo.RAND, evo.ES):
        with pytest.raises(ConfigError, match=f"^{WRONG}"):
            kind(edges=value)
    if value is not None:  # an option that was not given
        with pytest.raises(ConfigError, match=f"^GA_1: {WRONG}"):
            make_plan(["GA_1"], edges=value)


def test_an_algorithm_that_always_counts_all_edges_has_no_such_setting(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="VLNS: edges: there is no such setting"):
        make_plan(["VLNS"], edges="paper")
    suite = write(tmp_path, 'edges = "paper"\n[[rows]]\nextends = "RAND"\n[[rows]]\nextends = "TABU"\n')
    with pytest.raises(ConfigError, match=r"mine\.toml: row 2: edges: there is no such setting"):
        make_plan([suite])


def test_rows_that_count_different_edges_cannot_be_in_one_experiment(tmp_path: Path) -> None:
    refused = "edges: all rows of an experiment must count the same edges, but "
    paper = write(tmp_path, SMALL + 'edges = "paper"\n')
    with pytest.raises(ConfigError, match=rf"^{refused}GA_1 counts 'all' and .*mine\.toml counts 'paper'$"):
        make_plan(["GA_1", paper])
    with pytest.raises(ConfigError, match=rf"^{refused}.*mine\.toml counts 'paper' and VLNS counts 'all'$"):
        make_plan([paper, "VLNS"])  # which has no such setting
    suite = counting_suite(tmp_path)
    Path(suite).write_text(Path(suite).read_text().replace('name = "es"\n', 'name = "es"\nedges = "all"\n'))
    with pytest.raises(ConfigError, match=rf"^{refused}.*row 1 counts 'paper' and .*row 5 counts 'all'$"):
        make_plan([suite])
    assert {run.edges for run in make_plan([suite], edges="paper").runs} == {"paper"}


def test_a_setting_of_the_same_name_may_mean_something_else_in_ones_own_algorithm(tmp_path: Path) -> None:
    text = example("my_search.py").read_text().replace("    chunk: ", "    edges: int = 7\n    chunk: ", 1)
    assert "edges: int = 7" in text
    (tmp_path / "my_search.py").write_text(text)
    plan = make_plan([f"{tmp_path}/my_search.py:HILL", "RAND"], evaluations=1_000)
    assert [run.settings["edges"] for run in plan.runs] == [7, "all"]
    assert [run.edges for run in plan.runs] == ["all", "all"]
    result = run_experiment([f"{tmp_path}/my_search.py:HILL"], evaluations=1_000, out=tmp_path / "out")
    assert result.runs["true_score"].tolist() == result.runs["best_score"].tolist() == [result.score]


def test_both_scores_of_every_run_are_those_of_its_board(finished: Path) -> None:
    store, frame = Store(finished), results(finished)
    ends = traces(finished).groupby(["setting", "run"])["best"].last()
    assert set(frame["algorithm"]) == {"GA", "AIEA", "MOEA", "RAND", "ES"}
    assert set(frame["edges"]) == {"paper"}
    for run, line in zip(store.runs, frame.to_dict("records"), strict=True):
        board = store.board(run)
        assert board is not None
        assert line["best_score"] == oracle.counted_score(board) == ends[line["setting"], line["run"]]
        assert line["true_score"] == oracle.counted_score(board, "all")
        assert Board.from_url(line["board_url"], store.puzzle) == board
        stored = json.loads(store.file(run, "run.json").read_text())
        assert (stored["best_score"], stored["true_score"]) == (line["best_score"], line["true_score"])
    assert (frame["true_score"] > frame["best_score"]).sum() > len(frame) / 2


def test_a_result_says_both_scores(finished: Path) -> None:
    result = evo.ExperimentResult(finished)
    best = result.runs.loc[result.runs["best_score"].idxmax()]
    said = f"{best['best_score']} of 50 counted edges ({best['true_score']} of 60 in all)"
    assert repr(result) == f"<ExperimentResult counting: 12 of 12 runs done, best score {said}>"
    assert result.score == best["true_score"] == result.board.score
    assert "<th>true_score</th>" in result._repr_html_()
    puzzle = Store(finished).puzzle
    one = evo.run(puzzle, evo.RAND(edges="paper", evaluations=500)).result()
    assert one.score == oracle.counted_score(one.board, "all")
    assert one.counted_score == oracle.counted_score(one.board) == one.trace["best"].max()
    both = f"{one.counted_score} of 50 counted edges ({one.score} of 60 in all)"
    assert repr(one).startswith(f"<Result RAND: {both}, 500 evaluations, ")
    usual = evo.run(puzzle, evo.RAND(evaluations=500)).result()
    assert usual.counted_score == usual.score
    assert repr(usual).startswith(f"<Result RAND: {usual.score} of 60, ")


@pytest.mark.usefixtures("short_slices")
@pytest.mark.parametrize("reported", ["best", "final"])
def test_an_interrupted_experiment_ends_the_same(tmp_path: Path, reported: str) -> None:
    suite = counting_suite(tmp_path, 1_000, more=f'reported = "{reported}"')
    text = Path(suite).read_text().replace("elite = 3", "elite = 0").replace("mutation = 13", "mutation = 16")
    Path(suite).write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "SLICE_SECONDS", 60.0)
        run_experiment(suite, out=tmp_path / "whole")
    store = begin(make_plan([suite]), tmp_path / "out")
    interrupt(store, 3)
    assert {record.state for _, record in store.records()} == {"failed"}
    for run in store.runs:
        with store.locked():
            take_up(store, run)  # back to the checkpoint
        assert_both_scores(store, run)
    resume_experiment(store.path)
    assert outcome(store.path) == outcome(tmp_path / "whole")


@pytest.mark.usefixtures("short_slices")
def test_the_stored_board_is_the_last_one_reported_however_the_run_is_cut_up(tmp_path: Path) -> None:
    """Boards of the final population change though their score stays the same."""
    save(generate(4, 4, 2, 3, 1)[0], str(tmp_path / "four.json"))
    source = write(tmp_path, f'puzzle = "four.json"\n{LOSING}mutation_sizes = [1, 2]\n'.replace("4_000", "200"))
    run_experiment(source, out=tmp_path / "pieces", runs=12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "SLICE_SECONDS", 60.0)
        run_experiment(source, out=tmp_path / "whole", runs=12)
    assert outcome(tmp_path / "pieces") == outcome(tmp_path / "whole")


def test_the_score_of_a_run_that_reports_its_final_population_may_fall(tmp_path: Path) -> None:
    result = run_experiment(write(tmp_path, LOSING), out=tmp_path / "out", runs=3)
    falling = result.trace.groupby("run")["best"].agg(lambda best: bool((best.diff() < 0).any()))
    assert falling.all()
    last = result.trace.groupby("run")["best"].last()
    assert result.runs["best_score"].tolist() == last.tolist()
    store = Store(tmp_path / "out")
    for run in store.runs:
        assert_both_scores(store, run)
    content = json.loads((store.path / "experiment.json").read_text())
    content["runs"][0]["settings"]["reported"] = "best"
    (store.path / "experiment.json").write_text(json.dumps(content))
    with pytest.raises(StoreError, match="the best score decreases"):  # of any other run it may not
        traces(store.path)


def changed(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


@pytest.mark.usefixtures("short_slices")
def test_an_experiment_of_a_version_without_the_setting_goes_on_with_all_edges(tmp_path: Path) -> None:
    suite = Path(counting_suite(tmp_path))
    suite.write_text(suite.read_text().replace('edges = "paper"\n', ""))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "SLICE_SECONDS", 60.0)
        run_experiment(suite, out=tmp_path / "new")
    store = begin(make_plan([str(suite)]), tmp_path / "old")

    def forget_settings(content: dict[str, Any]) -> None:
        for run in content["runs"]:
            for key in ("edges", "reported"):
                run["settings"].pop(key, None)

    def forget_true_score(content: dict[str, Any]) -> None:
        assert content.pop("true_score") >= 0

    changed(store.path / "experiment.json", forget_settings)
    store = Store(store.path)
    assert not any("edges" in run.settings or "reported" in run.settings for run in store.runs)
    interrupt(store, 2)
    for run in store.runs:
        changed(store.file(run, "run.json"), forget_true_score)
    halfway = results(store.path)
    assert halfway["true_score"].tolist() == halfway["best_score"].tolist()
    assert set(halfway["edges"]) == {"all"}
    resume_experiment(store.path)
    assert Store(store.path).edges == "all"
    assert outcome(store.path) == outcome(tmp_path / "new")
    assert results(store.path)["true_score"].tolist() == results(tmp_path / "new")["best_score"].tolist()


def test_a_stored_plan_that_mixes_edges_is_refused(finished: Path, tmp_path: Path) -> None:
    content = json.loads((finished / "experiment.json").read_text())
    content["runs"][3]["settings"]["edges"] = "all"
    (tmp_path / "experiment.json").write_text(json.dumps(content))
    with pytest.raises(StoreError, match=r"experiment\.json: edges: is not the same in all runs"):
        Store(tmp_path)
