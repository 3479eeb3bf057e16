"""States that stay on a cluster: what is lost is computed again, to the same bytes; and what crosses the network."""

import os
import pickle
import signal
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evo.errors import StoreError
from evo.experiments import checkpoint, dask_workers, held_states, workers
from evo.experiments.dask_workers import Dask, Pace
from evo.experiments.driver import Unwatched, make_task
from evo.experiments.experiment import begin, resume_experiment, run_experiment, work_off
from evo.experiments.plan import make_plan
from evo.experiments.slices import Slice, Task, run_slice
from evo.experiments.states import Held, Lost
from evo.experiments.store import Store
from tests.evo.experiments.test_driver import Told, drive
from tests.evo.laboratory import NAMES, outcome, small_plan, small_suite

distributed = pytest.importorskip("distributed", reason="pip install '.[distributed]'")
pytestmark = pytest.mark.filterwarnings("ignore")  # of clusters that end


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    with distributed.LocalCluster(**options) as made:
        yield made


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("whole")
    run_experiment(small_suite(folder, 20_000), out=folder / "out")
    return outcome(folder / "out")


@pytest.fixture
def short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_workers, "DASK_SLICE_SECONDS", 0.01)
    monkeypatch.setattr(dask_workers, "DRIVER_SHARE", 1000.0)
    monkeypatch.setattr(dask_workers, "WHOLE_SECONDS", 0.1)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder = tmp_path_factory.mktemp("held")
    return Store.create(folder / "out", small_plan(folder, 20_000))


@pytest.mark.usefixtures("short_slices")
def test_states_that_workers_lose_are_computed_again_to_the_same_bytes(
    tmp_path: Path, cluster: Any, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, again = held_states.run_slice, []

    def noting(task: Any, state: Any, length: float, **options: Any) -> Slice:
        if isinstance(state, Lost):
            again.append(state)
        return real(task, state, length, **options)

    monkeypatch.setattr(held_states, "run_slice", noting)

    class Losing(Unwatched):
        slices = 0

        def advanced(self, run: Any, record: Any) -> None:
            self.slices += 1
            if self.slices % 2 == 0:
                held_states._kept.clear()

    store = begin(make_plan([small_suite(tmp_path, 20_000)]), tmp_path / "out")
    work_off(store, Losing(), jobs=None, dask=cluster.scheduler_address)
    assert again
    assert any(lost.earlier is None for lost in again)
    assert outcome(tmp_path / "out") == whole


@pytest.mark.usefixtures("short_slices")
def test_a_stop_brings_the_states(tmp_path: Path, cluster: Any, whole: dict[str, bytes], monkeypatch: Any) -> None:
    monkeypatch.setattr(dask_workers, "WHOLE_SECONDS", 1000.0)
    store = begin(make_plan([small_suite(tmp_path, 20_000)]), tmp_path / "out")

    class Stopping(Unwatched):
        slices = 0

    watch = Stopping()
    work_off(store, watch, jobs=None, dask=cluster.scheduler_address, seconds=1.0)
    stopped = [run for run, record in store.records() if record.state == "interrupted" and record.evaluations]
    for run in stopped:
        state = store.checkpoint(run)
        assert state is not None
        values, _ = checkpoint.decode(state)
        assert values["last"][0] == store.record(run).evaluations  # none of what was computed is lost
    resume_experiment(store.path)
    assert outcome(store.path) == whole


@pytest.mark.parametrize("name", NAMES)
def test_a_lost_state_is_computed_again_in_one_slice_with_what_follows(store: Store, name: str) -> None:
    [run] = [run for run in store.runs if run.setting == name]
    task = make_task(store, run)
    first = run_slice(task, None, 0.0)
    second = run_slice(task, first.state, 0.0)
    assert isinstance(second.state, bytes)
    prints = [checkpoint.fingerprint(one.state) for one in (first, second)]
    assert prints[0] != prints[1]
    third = run_slice(task, second.state, 0.0)
    for earlier in (None, first.state, second.state):
        again = run_slice(task, Lost(earlier, second.evaluations, second.seconds, prints[1]), 0.0)
        assert checkpoint.fingerprint(again.state) == checkpoint.fingerprint(third.state)
        rows = [[point._replace(seconds=0).line() for point in one.points] for one in (again, third)]
        assert rows[0] == rows[1]
        assert again.seconds >= second.seconds
    with pytest.raises(StoreError, match="the run took another course"):
        run_slice(task, Lost(first.state, second.evaluations, second.seconds, "another"), 0.0)


class Keeping(workers.Here):
    """Workers that keep states, and whose slices are done at once: also when everything is to stop."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}
        self.hurried = False

    def submit(self, slot: int, task: Task, state: Any) -> Future[Slice]:
        done = super().submit(slot, task, self.kept[task.key] if isinstance(state, Held) else state).result()
        if not done.over:
            self.kept[task.key] = done.state
            whole = done.state if self.hurried else None
            done = replace(done, state=Held("here", checkpoint.fingerprint(done.state), len(done.state), whole))
        future: Future[Slice] = Future()
        future.set_result(done)
        return future

    def hurry(self) -> None:
        self.hurried = True


def test_a_slice_that_ends_just_before_a_stop_brings_its_state_too(
    tmp_path: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "SLICE_SECONDS", 0.0)
    store = Store.create(tmp_path / "out", small_plan(tmp_path, 20_000))
    sent = []

    def stop(run: Any, record: Any) -> None:
        if not sent and record.evaluations > 100:
            sent.append(run.id)
            os.kill(os.getpid(), signal.SIGINT)

    assert drive(store, Keeping(), Told(stop))
    [(run, record)] = [(run, record) for run, record in store.records() if record.state == "interrupted"]
    state = store.checkpoint(run)
    assert state is not None
    assert checkpoint.decode(state)[0]["last"][0] == record.evaluations > 100
    resume_experiment(store.path)
    assert outcome(store.path) == whole


def test_only_what_is_small_comes_back(store: Store, cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_workers, "DASK_SLICE_SECONDS", 0.0)
    [run] = [run for run in store.runs if run.setting == "ga"]
    team = Dask(cluster.scheduler_address, 1, [])
    try:
        task = make_task(store, run)
        larger = {"population": 400, "crossover": 240, "mutation": 157, "elite": 3}
        task = replace(task, settings=task.settings | larger)
        first = team.submit(0, task, None).result(300)
        assert isinstance(first.state, Held)
        assert first.state.whole is None
        assert first.state.size > 20_000
        assert len(pickle.dumps(first)) < 3000
        for other in (Held("tcp://127.0.0.1:9", first.state.fingerprint, 1), Held(first.state.worker, "other", 1)):
            if other.fingerprint == "other":
                with pytest.raises(held_states.StateLost):
                    team.submit(0, task, other).result(300)
            else:  # the workers of this cluster share a process, so that the state is found
                assert team.submit(0, task, other).result(300).evaluations > first.evaluations
        lost = Lost(None, first.evaluations, first.seconds, first.state.fingerprint)
        assert team.submit(0, task, lost).result(300).state.whole is None
        monkeypatch.setattr(dask_workers, "WHOLE_SECONDS", 0.0)  # one that is lost again and again is kept too
        assert team.submit(0, task, lost).result(300).state.whole is not None
    finally:
        team.close()


def test_states_that_nobody_asks_for_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_states, "_kept", {})
    old, new = (held_states._Kept(b"", "", [], since) for since in (0.0, held_states._KEPT_SECONDS + 1))
    held_states._keep(("a", "run"), old)
    held_states._keep(("b", "run"), new)
    assert set(held_states._kept) == {("b", "run")}


def test_slices_grow_to_what_the_driver_can_do(monkeypatch: pytest.MonkeyPatch) -> None:
    cost, now = [0.004], [0.0]

    def clock() -> float:
        return now[0]

    monkeypatch.setattr(dask_workers.time, "process_time", clock)
    for slots, expected in ((10, 10.0), (1000, 40.0), (100_000, dask_workers.LONGEST_SLICE_SECONDS)):
        pace = Pace(10.0)
        for _ in range(3 * slots):
            now[0] += cost[0]
            length = pace.length(slots)
        assert length == pytest.approx(expected)
