"""The store: whole files, clear errors, one writer."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evo.errors import StoreError
from evo.experiments import trace
from evo.experiments.experiment import run_experiment
from evo.experiments.frames import fronts, results, traces
from evo.experiments.lock import is_locked, locked
from evo.experiments.store import Record, Store
from evo.experiments.trace import Point
from puzzles import Board
from tests.evo.laboratory import NAMES, small_plan, small_suite

POINTS = [Point(1, 0.0, 5, 5.0, 5, float("nan")), Point(40, 0.5, 9, 6.5, 2, 0.75)]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.create(tmp_path / "out", small_plan(tmp_path))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    run_experiment(small_suite(folder, 2000, runs=2), out=folder / "out")
    return folder / "out"


def test_an_experiment_is_what_was_planned(store: Store, tmp_path: Path) -> None:
    plan = small_plan(tmp_path)
    assert store.runs == plan.runs
    assert (store.name, store.seed, store.puzzle) == ("small", 3, plan.puzzle)
    assert {record.state for _, record in store.records()} == {"pending"}
    assert sorted(path.name for path in store.path.iterdir()) == ["experiment.json", "puzzle.json", "runs"]
    assert list(tmp_path.glob(".*")) == []


def test_nothing_that_is_there_is_written_to(store: Store, tmp_path: Path) -> None:
    plan = small_plan(tmp_path)
    with pytest.raises(StoreError, match=r"out: already exists.*`evo resume .*out` continues it"):
        Store.create(store.path, plan)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("precious")
    for taken in ("mine", "mine/thesis.txt"):
        with pytest.raises(StoreError, match=r"already exists; refusing to overwrite it$"):
            Store.create(tmp_path / taken, plan)
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "precious"
    with pytest.raises(StoreError, match="cannot be created: Not a directory"):
        Store.create(tmp_path / "mine" / "thesis.txt" / "out", plan)
    (tmp_path / "empty").mkdir()
    assert Store.create(tmp_path / "empty", plan).runs == plan.runs


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_directory_is_said(tmp_path: Path) -> None:
    plan = small_plan(tmp_path)
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(StoreError, match="cannot be created: Permission denied"):
        Store.create(tmp_path / "locked" / "out", plan)


def test_frames_are_tidy(finished: Path) -> None:
    runs, points, members = results(finished), traces(finished), fronts(finished)
    assert len(runs) == 2 * len(NAMES)
    assert runs["state"].tolist() == ["done"] * 2 * len(NAMES)
    assert runs[["setting", "run"]].values.tolist()[:2] == [["ga", 1], ["moea", 1]]
    assert runs["init"].tolist()[:5] == ["random", "knowledge", "random", "", ""]
    assert runs["fitness"].tolist()[:5] == ["combined", "", "normal", "", ""]
    keys = ["setting", "init", "fitness", "run"]
    last = points.groupby(keys, sort=False).last().reset_index()
    assert last["best"].tolist() == runs["best_score"].tolist()
    assert last["evaluations"].tolist() == runs["evaluations"].tolist()
    assert points.groupby(keys)["evaluations"].first().unique().tolist() == [1]
    for row in runs.itertuples():
        assert Board.from_url(row.board_url, Store(finished).puzzle).score == row.best_score
    assert set(members["setting"]) == {"ga", "moea", "aiea", "memetic"}
    tops = members.groupby(keys)["score"].max()
    final = runs[runs["setting"].isin(["ga", "moea", "aiea", "memetic"])].set_index(keys)["best_score"]
    assert (tops <= final.sort_index()).all()


def test_frames_of_an_experiment_that_has_not_begun(store: Store) -> None:
    assert results(store.path)["best_score"].tolist() == [-1] * len(NAMES)
    assert len(traces(store.path)) == 0
    assert list(traces(store.path).columns)[-1] == "diversity"
    assert len(fronts(store.path)) == 0


def test_a_run_that_nobody_works_on_was_interrupted(store: Store) -> None:
    store.write_record(store.runs[0], Record(state="running"))
    assert store.records()[0][1].state == "interrupted"
    with locked(store.path):
        assert store.records()[0][1].state == "running"


def test_one_process_at_a_time(store: Store) -> None:
    program = f"""
import sys
from pathlib import Path
from evo.experiments.lock import locked
with locked(Path({str(store.path)!r})):
    print("locked", flush=True)
    sys.stdin.read()
"""
    other = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdout.readline() == "locked\n"
    assert is_locked(store.path)
    with pytest.raises(StoreError, match=f"out: process {other.pid} is working on it"), store.locked():
        pass
    other.kill()  # the system lets go of the lock
    other.communicate()
    assert not is_locked(store.path)
    with store.locked():
        pass


def test_rows_are_appended_and_cut(store: Store) -> None:
    run = store.runs[0]
    store.write_record(run, Record(state="running"))
    store.append(run, POINTS[:1])
    store.append(run, POINTS[1:])
    assert [point.evaluations for point in store.points(run)] == [1, 40]
    with open(store.file(run, "trace.csv"), "a") as stream:
        stream.write("80,0.9,1")  # a torn line
    assert [point.evaluations for point in store.points(run)] == [1, 40]
    store.write_trace(run, POINTS[:1])
    assert store.file(run, "trace.csv").read_text().splitlines()[1:] == [POINTS[0].line().strip()]


def look(directory: Path) -> None:
    """Read all there is to read."""
    results(directory)
    traces(directory)
    Store(directory).puzzle.tiles.sum()


def test_damage_is_said_with_the_name_of_the_file(finished: Path, tmp_path: Path) -> None:
    import shutil

    for name, content, message in (
        ("experiment.json", None, "is not the directory of an experiment"),
        ("experiment.json", "{", "experiment.json: is damaged: it is not JSON"),
        ("experiment.json", "[]", "experiment.json: is not the plan of an experiment"),
        ("puzzle.json", "{}", "puzzle.json: is not the puzzle with which the experiment was created"),
        ("experiment.json", '{"format": 1}', "experiment.json: is not the plan of an experiment"),
        ("runs/es-02/run.json", '{"state": "odd"}', "run.json: is not the record of a run"),
        ("runs/es-02/run.json", '{"colour": "odd"}', "run.json: is not the record of a run"),
        ("runs/es-02/run.json", "\0", "run.json: is damaged: it is not JSON"),
        ("runs/es-02/run.json", '{"state": "done", "evaluations": "x"}', "run.json: is not the record of a run"),
        ("runs/es-02/run.json", '{"state": "done", "best_score": null}', "run.json: is not the record of a run"),
        ("runs/es-02/run.json", '{"state": "done", "versions": [1]}', "run.json: is not the record of a run"),
        ("runs/es-02/trace.csv", "", "trace.csv: does not cover the whole run, although the run is done"),
        ("runs/es-02/trace.csv", None, "trace.csv: does not cover the whole run, although the run is done"),
        ("runs/es-02/trace.csv", trace.HEADER + POINTS[0].line(), "trace.csv: does not cover the whole run"),
        ("runs/es-02/trace.csv", trace.HEADER + "1,0,9,5,5,nan\n40,1,5,5,5,nan\n", "line 3: the best score decreases"),
        ("runs/es-02/trace.csv", "a,b\n", "trace.csv: line 1: is not the head"),
        ("runs/es-02/trace.csv", b"\xff\xff\n", "trace.csv: is not text"),
    ):
        directory = tmp_path / "copy"
        shutil.rmtree(directory, ignore_errors=True)
        shutil.copytree(finished, directory)
        if content is None:
            (directory / name).unlink()
        else:
            (directory / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        with pytest.raises(StoreError, match=message) as caught:
            look(directory)
        assert str(directory) in str(caught.value)


def test_a_plan_cannot_be_anything(store: Store) -> None:
    path = store.path / "experiment.json"
    good = path.read_text()
    changes = [("id", id) for id in ("../../escape", "..", "", "/etc", "a\0b", json.loads(good)["runs"][1]["id"])]
    changes += [("settings", value) for value in (None, {}, [], {"seed": 1})]
    changes += [("setting", None), ("init", None), ("seconds", "long"), ("run", 1.5)]
    for key, value in changes:
        content = json.loads(good)
        content["runs"][0][key] = value
        path.write_text(json.dumps(content))
        with pytest.raises(StoreError, match="is not the plan of an experiment"):
            Store(store.path)
    for key, value, message in (
        ("runs", [], "is not the plan"),
        ("seed", None, "is not the plan"),
        ("format", 99, "has format 99; expected 1"),
    ):
        path.write_text(json.dumps(json.loads(good) | {key: value}))
        with pytest.raises(StoreError, match=message):
            Store(store.path)
    path.write_text(good)
    assert len(Store(store.path).runs) == len(NAMES)


def test_an_empty_folder_may_be_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = small_plan(tmp_path)
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert Store.create(tmp_path / "link", plan).runs == plan.runs
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert Store.create(".", plan).runs == plan.runs


def test_a_lock_that_leads_elsewhere_is_refused(store: Store, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    (store.path / "lock").symlink_to(tmp_path / "precious")
    with pytest.raises(StoreError, match="lock: cannot be written"), store.locked():
        pass
    assert (tmp_path / "precious").read_text() == "mine"


def test_what_a_kill_left_behind_is_removed(store: Store) -> None:
    run = store.runs[0]
    store.write_record(run, Record(state="done"))
    store.write_checkpoint(run, b"stale")
    store.file(run, ".evo-0123").write_bytes(b"torn")
    store.tidy()
    assert [path.name for path in store.file(run, "").iterdir()] == ["run.json"]
