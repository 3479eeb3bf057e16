"""Clusters as people have them: an address, a scheduler file, a function of their own; workers of other versions."""

import json
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evo.errors import ConfigError
from evo.experiments import clusters, workers
from evo.experiments.driver import Unwatched, make_task
from evo.experiments.experiment import run_experiment
from evo.experiments.machine import toolchain
from evo.experiments.slices import Task, WorkerVersionError
from evo.experiments.store import Store
from tests.evo.experiments.test_driver import drive
from tests.evo.laboratory import outcome, small_plan, small_suite

distributed = pytest.importorskip("distributed", reason="pip install '.[distributed]'")
pytestmark = pytest.mark.filterwarnings("ignore")  # of clusters that end

FACTORY = """
from distributed import LocalCluster

def of_threads():
    return LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None)

def of_nothing():
    return 7

def broken():
    raise RuntimeError("no queue")
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as made:
        yield made


@pytest.mark.parametrize("reference", ["{folder}/my_cluster.py:of_threads", "my_cluster:of_threads"])
def test_a_function_makes_the_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: str) -> None:
    (tmp_path / "my_cluster.py").write_text(FACTORY)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "my_cluster", raising=False)
    suite = small_suite(tmp_path, 2_000)
    run_experiment(suite, out=tmp_path / "here")
    run_experiment(suite, out=tmp_path / "there", dask=reference.format(folder=tmp_path))
    assert outcome(tmp_path / "there") == outcome(tmp_path / "here")


def test_a_scheduler_file_leads_to_the_cluster(tmp_path: Path, cluster: Any) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text(json.dumps(cluster.scheduler.identity()))
    connection = clusters.connect(str(file), 1)
    assert connection.client.scheduler.address == cluster.scheduler_address
    assert connection.cluster is None  # it is not ours to stop
    assert not logging.getLogger("distributed.client").isEnabledFor(logging.ERROR)  # no tracebacks of a lost scheduler
    clusters.disconnect(connection)


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("{folder}/my_cluster.py:nothing", "does not define nothing"),
        ("{folder}/my_cluster.py:of_nothing", "returned int; expected a Dask cluster"),
        ("{folder}/my_cluster.py:broken", "RuntimeError: no queue"),
        ("no_such_module:start", "No module named 'no_such_module'"),
        ("json:start", "has no attribute 'start'"),
        ("{folder}/empty.json", "empty.json: is not a scheduler file"),
        ("tcp://127.0.0.1:9", "cannot use"),
        ("nonsense://x", "cannot use"),
    ],
)
def test_what_is_no_cluster_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, message: str
) -> None:
    monkeypatch.setattr(clusters, "_TIMEOUT", "1s")
    (tmp_path / "my_cluster.py").write_text(FACTORY)
    (tmp_path / "empty.json").write_text("{}")
    with pytest.raises(ConfigError, match=r"^dask: ") as refused:
        clusters.connect(where.format(folder=tmp_path), 1)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("package", "version"), [("evo-edge-matching", "0.0.1"), ("numba", None)])
def test_workers_of_other_versions_are_refused(
    cluster: Any, monkeypatch: pytest.MonkeyPatch, package: str, version: str | None
) -> None:
    real = distributed.Client.get_versions

    def with_another(self: Any, **options: Any) -> Any:
        found = real(self, **options)
        for worker in found["workers"].values():
            worker["packages"][package] = version
        return found

    monkeypatch.setattr(distributed.Client, "get_versions", with_another)
    with pytest.raises(ConfigError) as refused:
        clusters.connect(cluster.scheduler_address, 1)
    here = toolchain()
    there = str(refused.value).partition(", but here is ")
    assert f"{package.partition('-')[0]} {version or '(none)'}" in there[0]
    assert there[2].endswith(f", Python {here['Python']}, numba {here['numba']}")


def test_a_worker_of_another_version_that_comes_later_puts_all_runs_down(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "out", small_plan(tmp_path))

    class OfAnotherVersion(workers.Here):
        def submit(self, slot: int, task: Task, state: bytes | None) -> Any:
            other = Task(task.key, task.puzzle, task.settings, task.seconds, toolchain() | {"numba": "0.1"}, task.code)
            return super().submit(slot, other, state)

    assert make_task(store, store.runs[0]).versions == toolchain()
    with pytest.raises(WorkerVersionError, match=r"but here is .* numba 0\.1; install the same"):
        drive(store, OfAnotherVersion(), Unwatched())
    states = [record.state for _, record in store.records()]
    assert states.count("interrupted") == 1
    assert "failed" not in states
