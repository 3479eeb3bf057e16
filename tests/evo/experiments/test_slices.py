"""Slices and traces: a run is the same however it is cut up."""

import math
from itertools import pairwise

import numpy as np
import pytest

from evo.errors import StoreError
from evo.experiments import checkpoint, slices, trace
from evo.experiments.driver import make_task
from evo.experiments.machine import toolchain
from evo.experiments.plan import Run
from evo.experiments.single_run import run as run_search
from evo.experiments.slices import Slice, Task, WorkerVersionError, run_slice
from evo.experiments.store import Store
from evo.experiments.trace import Point
from evo.settings.registry import make_settings
from puzzles import Board
from tests.evo.laboratory import NAMES, small_plan


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder = tmp_path_factory.mktemp("slices")
    return Store.create(folder / "out", small_plan(folder))


def task_of(store: Store, name: str) -> tuple[Run, Task]:
    [run] = [run for run in store.runs if run.setting == name]
    return run, make_task(store, run)


def chain(task: Task, length: float) -> tuple[list[Point], list[Slice]]:
    """A run in slices of about a length."""
    points, done, state = [], [], None
    while not done or not done[-1].over:
        done.append(run_slice(task, state, length))
        points += done[-1].points
        state = done[-1].state
    return points, done


def timeless(points: list[Point]) -> list[str]:
    return [point._replace(seconds=0.0).line() for point in points]


@pytest.mark.parametrize("name", NAMES)
def test_slices_make_the_run_that_is_made_at_once(store: Store, name: str) -> None:
    run, task = task_of(store, name)
    points, [whole] = chain(task, 1000)
    for length in (0.0, 0.01):
        pieces, parts = chain(task, length)
        assert timeless(pieces) == timeless(points)
        assert parts[-1].best_cells == whole.best_cells
        assert parts[-1].front == whole.front
        if length == 0:
            assert len(parts) >= 4
    # ... and the run that `evo.run` makes with the run's settings
    *_, last = run_search(store.puzzle, make_settings(run.settings))
    assert last.best_cells.tolist() == whole.best_cells
    assert (last.evaluations, last.best_score) == (whole.evaluations, whole.best_score)
    assert Board(store.puzzle, last.best_cells).score == whole.best_score


@pytest.mark.parametrize("name", NAMES)
def test_a_trace_has_the_rows_that_it_promises(store: Store, name: str) -> None:
    run, task = task_of(store, name)
    points, [whole] = chain(task, 1000)
    assert points[0].evaluations == 1
    assert points[-1].evaluations == whole.evaluations
    reports = list(run_search(store.puzzle, make_settings(run.settings)))
    expected, best = set(), -1
    for report in reports:
        if report.best_score > best:
            best = report.best_score
            expected.add(report.evaluations)
    assert expected <= {point.evaluations for point in points}
    by_evaluations = {report.evaluations: report for report in reports}
    for point in points:
        report = by_evaluations[point.evaluations]
        assert (point.best, point.mean, point.worst) == (report.best_score, report.mean, report.worst)
        population = name in ("ga", "moea", "aiea", "memetic") and point.evaluations > 1
        assert math.isnan(point.diversity) != population
    gaps = np.diff([point.evaluations for point in points])
    steps = np.diff([report.evaluations for report in reports])
    assert gaps.max() <= max(task.settings["evaluations"] / 100, points[-1].evaluations / 10) + steps.max()
    assert all(a.seconds <= b.seconds for a, b in pairwise(points))


def test_a_budget_in_seconds_ends_a_run(store: Store) -> None:
    run, task = task_of(store, "ga")
    long = Task(task.key, task.puzzle, run.settings | {"evaluations": 10**9}, 0.3)
    points, done = chain(long, 0.1)
    assert 2 <= len(done) <= 4
    assert 0.3 <= done[-1].seconds < 1
    assert points[-1].evaluations == done[-1].evaluations < 10**9


def test_a_worker_of_another_version_is_refused(store: Store) -> None:
    _, task = task_of(store, "ga")
    other = toolchain() | {"evo": "0.0.1"}
    with pytest.raises(WorkerVersionError, match=r"a worker has evo .*, numba .*, but here is evo 0\.0\.1, Python"):
        run_slice(Task(task.key, task.puzzle, task.settings, None, other), None, 1)


def test_states_of_other_runs_are_refused(store: Store) -> None:
    _, ga = task_of(store, "ga")
    _, es = task_of(store, "es")
    state = run_slice(ga, None, 0).state
    with pytest.raises(StoreError, match="belongs to another run"):
        run_slice(es, state, 0)
    values, arrays = checkpoint.decode(state)
    forged = checkpoint.encode(values | {"key": es.key}, arrays)
    with pytest.raises(StoreError, match="of this run: the state has the arrays numbers, cells, best_cells"):
        run_slice(es, forged, 0)
    for part in values:
        lacking = checkpoint.encode({key: value for key, value in values.items() if key != part}, arrays)
        with pytest.raises(StoreError, match=r"is not a checkpoint of this run|belongs to another run"):
            run_slice(ga, lacking, 0)
    with pytest.raises(StoreError, match="is not a checkpoint of this run"):
        run_slice(ga, checkpoint.encode(values | {"rng": {"state": 1}}, arrays), 0)


def test_every_damaged_checkpoint_is_known_as_such(store: Store) -> None:
    _, task = task_of(store, "es")
    state = run_slice(task, None, 0).state
    assert slices.standing(task, state)[1:3] == (pytest.approx(0, abs=60), 1)
    rng = np.random.default_rng(1)
    damaged = [b"", b"rubbish", state[:-1], state[: len(state) // 2], state + b"x", state[1:]]
    for _ in range(200):
        place = int(rng.integers(len(state)))
        damaged.append(state[:place] + bytes([state[place] ^ int(rng.integers(1, 256))]) + state[place + 1 :])
    for data in damaged:
        with pytest.raises(StoreError, match=r"is not a checkpoint|is damaged"):
            slices.standing(task, data)


def test_a_checkpoint_holds_numbers_only() -> None:
    arrays = {"a": np.arange(6, dtype=np.uint16).reshape(2, 3), "b": np.array([True]), "c": np.zeros((0, 4))}
    values, found = checkpoint.decode(checkpoint.encode({"big": 2**120}, arrays))
    assert values == {"big": 2**120}
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
        assert (found[name] == array).all()
    for kind in ("O", "S3", "V8", "no such type"):
        forged = checkpoint.encode({}, {"a": np.array([1])}).partition(b"\n")[2].partition(b"\n")[2]
        body = forged.replace(b'"<i8"', f'"{kind}"'.encode())
        import hashlib

        data = b"evo checkpoint 1\n" + hashlib.sha256(body).hexdigest().encode() + b"\n" + body
        with pytest.raises(StoreError, match="not a checkpoint of this version"):
            checkpoint.decode(data)


def test_a_torn_last_line_does_not_spoil_a_trace() -> None:
    points = [Point(1, 0.0, 5, 5.0, 5, math.nan), Point(40, 0.1, 9, 6.5, 2, 0.75), Point(80, 0.2, 9, 7.25, 2, 0.5)]
    text = trace.HEADER + "".join(point.line() for point in points)
    assert [point.line() for point in trace.parse(text)] == [point.line() for point in points]
    for end in range(len(text)):
        whole = max(0, text[:end].count("\n") - 1)
        assert [point.line() for point in trace.parse(text[:end])] == [point.line() for point in points[:whole]]
    for spoilt, message in (
        (text.replace("9,", "nine,"), "line 3: is not a row of a trace"),
        (text.replace("80,0", "80"), "line 4: is not a row"),
        (text.replace("80,", "40,", 1), "line 4: evaluations do not increase"),
        ("something else\n" + text, "line 1: is not the header of a trace"),
    ):
        with pytest.raises(StoreError, match=message):
            trace.parse(spoilt)
