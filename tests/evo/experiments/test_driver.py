"""The driver: what happens when a worker dies, a slice fails, the disk is full, or the user has enough."""

import os
import signal
import threading
import time
from concurrent.futures import Future
from pathlib import Path

import pytest

from evo.errors import ConfigError, StoreError
from evo.experiments import driver, workers
from evo.experiments.driver import Unwatched, make_task, take_up
from evo.experiments.experiment import resume_experiment, run_experiment, work_off
from evo.experiments.slices import Slice, Task
from evo.experiments.stopping import stoppable
from evo.experiments.store import Store
from evo.experiments.workers import Here, Processes, WorkerDied
from puzzles import generate
from puzzles.saving import encode, save
from tests.evo.laboratory import NAMES, outcome, small_plan, small_suite


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What comes of the small suite when nothing goes wrong."""
    folder = tmp_path_factory.mktemp("whole")
    run_experiment(small_suite(folder), out=folder / "out")
    return outcome(folder / "out")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.create(tmp_path / "out", small_plan(tmp_path))


@pytest.fixture
def short_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(driver, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(driver, "HEARTBEAT_SECONDS", 0.0)


class Clumsy(Here):
    """Fails the slices that a function says, by run and number of the slice."""

    def __init__(self, failing) -> None:
        self.failing, self.counts = failing, {}

    def submit(self, slot: int, task: Task, state: bytes | None) -> Future[Slice]:
        number = self.counts[task.key] = self.counts.get(task.key, 0) + 1
        error = self.failing(task.settings["algorithm"], number)
        if error is None:
            return super().submit(slot, task, state)
        future: Future[Slice] = Future()
        future.set_exception(error)
        return future


class Told(Unwatched):
    """Remembers how runs ended, and may do something at each slice."""

    def __init__(self, doing=lambda run, record: None) -> None:
        self.ends, self.doing = {}, doing

    def advanced(self, run, record) -> None:
        self.doing(run, record)

    def ended(self, run, record) -> None:
        self.ends[run.setting] = record.state


def carry_out(store: Store, failing, told: Told) -> bool:
    return drive(store, Clumsy(failing), told)


def drive(store: Store, team: workers.Workers, told: Unwatched) -> bool:
    with store.locked(), stoppable() as stopped:
        states = {run.id: take_up(store, run) for run in store.runs if store.record(run).state != "done"}
        driver.carry_out(store, team, told, states, stopped)
        return stopped.is_set()


@pytest.mark.usefixtures("short_slices")
def test_a_run_whose_worker_dies_is_tried_once_more(store: Store, whole: dict[str, bytes]) -> None:
    told = Told()
    carry_out(store, lambda algorithm, number: WorkerDied() if number == 3 else None, told)
    assert set(told.ends.values()) == {"done"}
    assert outcome(store.path) == whole


@pytest.mark.usefixtures("short_slices")
def test_one_whose_worker_dies_twice_fails_alone_and_can_be_resumed(store: Store, whole: dict[str, bytes]) -> None:
    told = Told()
    carry_out(store, lambda name, number: WorkerDied() if name == "GA" and number in (3, 4) else None, told)
    assert told.ends == dict.fromkeys(NAMES, "done") | {"ga": "failed"}
    record = store.record(store.runs[0])
    assert record.error == "its worker died twice: killed, or out of memory"
    assert record.evaluations > 0
    resume_experiment(store.path)
    assert outcome(store.path) == whole


@pytest.mark.usefixtures("short_slices")
def test_an_error_fails_its_run_alone_with_one_line(store: Store, whole: dict[str, bytes]) -> None:
    told = Told()
    carry_out(store, lambda name, number: MemoryError("too\nmuch") if name == "MOEA" and number == 2 else None, told)
    assert told.ends["moea"] == "failed"
    assert store.record(store.runs[1]).error == "MemoryError: too much"
    resume_experiment(store.path)
    assert outcome(store.path) == whole


@pytest.mark.usefixtures("short_slices")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it_and_it_goes_on_later(store: Store, whole: dict[str, bytes], number: int) -> None:
    sent = []

    def interrupt(run, record) -> None:
        if not sent and record.evaluations > 500:
            sent.append(run.setting)
            os.kill(os.getpid(), number)

    before = signal.getsignal(number)
    assert carry_out(store, lambda name, number: None, Told(interrupt))
    assert signal.getsignal(number) is before
    states = [record.state for _, record in store.records()]
    assert "interrupted" in states
    assert "pending" in states
    resume_experiment(store.path)
    assert outcome(store.path) == whole


@pytest.mark.usefixtures("short_slices")
def test_a_full_disk_stops_it_and_nothing_is_lost(
    store: Store, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, left = Store._write, [25]

    def filling(self: Store, path: Path, content: bytes) -> None:
        left[0] -= 1
        if left[0] < 0:
            path.with_name(".torn").write_bytes(content[: len(content) // 2])  # as far as it went
            raise StoreError(f"{path}: cannot be written: No space left on device")
        real(self, path, content)

    monkeypatch.setattr(Store, "_write", filling)
    with pytest.raises(StoreError, match="No space left on device"):
        carry_out(store, lambda name, number: None, Told())
    monkeypatch.setattr(Store, "_write", real)
    resume_experiment(store.path)
    assert outcome(store.path) == whole


@pytest.mark.usefixtures("short_slices")
def test_a_damaged_checkpoint_is_named_and_restarts_only_when_asked(store: Store, whole: dict[str, bytes]) -> None:
    def fail(name: str, number: int) -> Exception | None:
        return MemoryError() if number == 3 else None

    carry_out(store, fail, Told())
    run = store.runs[0]
    path = store.file(run, "checkpoint")
    good = path.read_bytes()
    other = store.file(store.runs[1], "checkpoint").read_bytes()
    before = store.file(run, "trace.csv").read_bytes()
    for bad, message in (
        (good[:-20], "is damaged"),
        (b"rubbish", "is not a checkpoint"),
        (other, "belongs to another run"),
    ):
        path.write_bytes(bad)
        with pytest.raises(StoreError, match=f"{path}: {message}.*--restart starts this run again"):
            resume_experiment(store.path)
        assert path.read_bytes() == bad
        assert store.file(run, "trace.csv").read_bytes() == before
    trace = store.file(store.runs[1], "trace.csv")
    path.write_bytes(good)
    lines = trace.read_text().splitlines(keepends=True)
    for content, message in (
        ("spoilt\n", "line 1"),
        ("".join(lines[:-1]), "lacks rows that were written before the checkpoint"),
    ):
        trace.write_text(content)
        with pytest.raises(StoreError, match=rf"trace.csv: {message}.*--restart starts this run again"):
            resume_experiment(store.path)
    resume_experiment(store.path, restart=True)
    assert outcome(store.path) == whole


@pytest.mark.usefixtures("short_slices")
def test_a_full_disk_tears_a_trace_and_nothing_is_lost(
    store: Store, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    real, left = Store.append, [40]

    def tearing(self: Store, run, points, **options) -> None:
        left[0] -= 1
        if left[0] < 0 and points:
            with open(self.file(run, "trace.csv"), "a") as stream:
                stream.write(points[0].line()[:5])
            raise StoreError("trace.csv: cannot be written: No space left on device")
        real(self, run, points, **options)

    monkeypatch.setattr(Store, "append", tearing)
    with pytest.raises(StoreError, match="No space left on device"):
        carry_out(store, lambda name, number: None, Told())
    monkeypatch.setattr(Store, "append", real)
    resume_experiment(store.path)
    assert outcome(store.path) == whole


def test_records_traces_and_boards_agree_after_a_crash_that_lost_more_than_a_heartbeat(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record may be ahead of the checkpoint: whoever goes on, goes on from the checkpoint in everything."""
    monkeypatch.setattr(workers, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(driver, "HEARTBEAT_SECONDS", 0.0)
    carry_out(store, lambda name, number: MemoryError() if number == 4 else None, Told())
    for run in store.runs[:3]:
        record = store.record(run)
        record.best_score, record.evaluations, record.seconds = 59, 2999, 77.0  # as if it had been there
        store.write_record(run, record)
        take_up(store, run)
        record, points, board = store.record(run), store.points(run), store.board(run)
        assert record.best_score == points[-1].best == board.score < 59
        assert points[-1].evaluations <= record.evaluations < 2999
        assert record.seconds < 77


@pytest.mark.usefixtures("short_slices")
def test_a_watch_whose_pipe_is_closed_does_not_end_the_work(store: Store, whole: dict[str, bytes]) -> None:
    def closed(run, record) -> None:
        raise BrokenPipeError

    assert not carry_out(store, lambda name, number: None, Told(closed))
    assert outcome(store.path) == whole


def test_puzzles_with_more_colours_than_links_have_letters(tmp_path: Path) -> None:
    save(generate(8, 8, 12, 20, 1)[0], str(tmp_path / "many.json"))
    frame = run_experiment("RAND", evaluations=2000, puzzle=str(tmp_path / "many.json"), out=tmp_path / "out").runs
    assert frame["state"].tolist() == ["done"]
    assert frame["board_url"].tolist() == [""]
    store = Store(tmp_path / "out")
    assert store.board(store.runs[0]).score == frame["best_score"][0]


def test_another_puzzle_in_its_place_is_refused(store: Store) -> None:
    other = encode(generate(6, 6, 3, 6, 2)[0], "json")
    (store.path / "puzzle.json").write_bytes(other)
    for restart in (False, True):
        with pytest.raises(StoreError, match=r"puzzle\.json: is not the puzzle with which the experiment was created"):
            resume_experiment(store.path, restart=restart)


def test_what_is_done_stays_as_it_is(store: Store) -> None:
    resume_experiment(store.path)
    stamps = {path: path.stat().st_mtime_ns for path in store.path.rglob("*.*")}
    resume_experiment(store.path)
    assert {path: path.stat().st_mtime_ns for path in store.path.rglob("*.*")} == stamps


def test_processes_make_the_same_and_one_that_is_killed_is_replaced(
    store: Store, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "SLICE_SECONDS", 0.02)
    killed = []
    pools = Processes(2, [make_task(store, run) for run in store.runs])

    def kill(run, record) -> None:
        if not killed:
            process = next(iter(pools._pools[0]._processes.values()))
            killed.append(process.pid)
            os.kill(process.pid, signal.SIGKILL)

    try:
        assert not drive(store, pools, Told(kill))
    finally:
        pools.close()
    assert killed
    assert outcome(store.path) == whole


def test_workers_use_one_thread_each(store: Store) -> None:
    pools = Processes(1, [])
    try:
        found = pools._pools[0].submit(_threads).result(60)
    finally:
        pools.close()
    assert found == (1, "1", "1")
    assert os.environ.get("NUMBA_NUM_THREADS") is None


def _threads() -> tuple[int, str | None, str | None]:
    import numba

    return numba.get_num_threads(), os.environ.get("OMP_NUM_THREADS"), os.environ.get("OPENBLAS_NUM_THREADS")


def test_it_runs_in_a_thread_too(store: Store, whole: dict[str, bytes]) -> None:
    thread = threading.Thread(target=resume_experiment, args=(store.path,))
    thread.start()
    deadline = time.monotonic() + 300
    while thread.is_alive() and time.monotonic() < deadline:
        [record for _, record in store.records()]  # reading while it runs
    thread.join(1)
    assert outcome(store.path) == whole


def test_impossible_workers_are_refused(store: Store) -> None:
    with pytest.raises(ConfigError, match="jobs: expected 1 to 1024; found 0"):
        work_off(store, Unwatched(), jobs=0, dask=None)
    with pytest.raises(ConfigError, match="dask: cannot use 'not an address'"):
        work_off(store, Unwatched(), jobs=1, dask="not an address")
