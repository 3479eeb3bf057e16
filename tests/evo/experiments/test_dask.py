"""Many machines: a real cluster of two worker processes, one of which is killed in the middle of its work."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

import evo
from evo.errors import StoreError
from evo.experiments import dask_workers
from evo.experiments.driver import Unwatched, make_task
from evo.experiments.enumerating import divided, plan_enumeration, settings_of, stored_result
from evo.experiments.experiment import begin, resume_experiment, run_experiment, work_off
from evo.experiments.frames import results
from evo.experiments.store import Store
from puzzles import generate
from tests.evo.experiments.test_driver import drive
from tests.evo.laboratory import NAMES, outcome, small_plan, small_suite

distributed = pytest.importorskip("distributed", reason="pip install '.[distributed]'")


@pytest.mark.filterwarnings("ignore")  # of the cluster, about the worker it lost
def test_a_cluster_that_loses_a_worker_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = small_suite(tmp_path, 60_000, runs=2)
    run_experiment(suite, out=tmp_path / "here")
    monkeypatch.setattr(dask_workers, "DASK_SLICE_SECONDS", 0.05)
    killed = []
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:

        def kill_one_at_work() -> None:
            deadline = time.monotonic() + 300
            while time.monotonic() < deadline and not killed:
                time.sleep(0.01)
                there = tmp_path / "there"
                if there.exists() and (results(there)["state"] == "done").sum() >= 2:
                    killed.append(next(iter(cluster.workers.values())).pid)
                    os.kill(killed[0], signal.SIGKILL)

        killer = threading.Thread(target=kill_one_at_work)
        killer.start()
        frame = run_experiment(suite, out=tmp_path / "there", dask=cluster.scheduler_address).runs
        killer.join()
    assert killed
    assert frame["state"].tolist() == ["done"] * 2 * len(NAMES)
    assert outcome(tmp_path / "there") == outcome(tmp_path / "here")


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_is_gone_interrupts_the_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store.create(tmp_path / "out", small_plan(tmp_path))
    monkeypatch.setattr(dask_workers, "SLICE_SECONDS", 0.0)
    cluster = dask_workers.Dask("local", 1, [make_task(store, run) for run in store.runs])

    class Leaving(Unwatched):
        def advanced(self, run, record) -> None:
            cluster._client.close()

    with pytest.raises(StoreError, match="dask: the cluster is gone; `evo resume` continues"):
        drive(store, cluster, Leaving())
    cluster.close()
    states = [record.state for _, record in store.records()]
    assert states.count("interrupted") == 1
    assert "failed" not in states
    resume_experiment(store.path)
    run_experiment(tmp_path / "small.toml", out=tmp_path / "here")
    assert outcome(store.path) == outcome(tmp_path / "here")


@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_does_not_answer_changes_no_number_of_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = dask_workers.Dask("local", 2, [])
    try:
        assert cluster.slots == 2

        def lost() -> None:
            raise distributed.comm.CommClosedError("Timed out trying to connect")

        monkeypatch.setattr(cluster._client, "nthreads", lost)
        monkeypatch.setattr(dask_workers, "_FRESH", 0.0)
        assert cluster.slots == 2
    finally:
        cluster.close()


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_started_here_does_the_same(tmp_path: Path) -> None:
    suite = small_suite(tmp_path, 10_000)
    run_experiment(suite, out=tmp_path / "here")
    run_experiment(suite, out=tmp_path / "there", dask="local", jobs=2)
    assert outcome(tmp_path / "there") == outcome(tmp_path / "here")


@pytest.mark.filterwarnings("ignore")
def test_an_enumeration_on_a_cluster_that_loses_a_worker_loses_no_solution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = generate(6, 6, 4, 4, 1, style="benoist", hints=2)[0]
    expected = evo.enumerate(puzzle, engine="edge-filtering", hints="all").result()
    assert expected.solutions > 100
    monkeypatch.setattr(dask_workers, "DASK_SLICE_SECONDS", 0.05)
    chosen = settings_of("edge-filtering", limit=0, hints="all", fix_corner=False, seed=1)
    store = begin(plan_enumeration(puzzle, divided(puzzle, chosen, 3)), tmp_path / "out")
    killed = []
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:

        class KillingOne(Unwatched):
            def advanced(self, run, record) -> None:
                if not killed:
                    killed.append(next(iter(cluster.workers.values())).pid)
                    os.kill(killed[0], signal.SIGKILL)

        work_off(store, KillingOne(), jobs=None, dask=cluster.scheduler_address)
    assert killed
    result = stored_result(store)
    assert result.proved
    found = [board.cells.tobytes() for board in result.boards]
    assert sorted(found) == sorted(board.cells.tobytes() for board in expected.boards)
    assert result.solutions == len(set(found))
