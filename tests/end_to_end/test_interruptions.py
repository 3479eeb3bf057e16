"""Experiments that are killed, interrupted, out of workers or out of disk; and resumed."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from evo.experiments.experiment import run_experiment
from evo.experiments.plan import make_plan
from evo.experiments.store import Store
from tests.end_to_end.commands import evo, start, wait_until
from tests.evo.laboratory import NAMES, outcome, small_suite

_FOREMAN = """
import os, sys
from evo.experiments import driver, workers
workers.SLICE_SECONDS, driver.CHECKPOINT_SECONDS, driver.HEARTBEAT_SECONDS = 0.01, 0.03, 0.02
from evo.experiments.experiment import resume_experiment
from evo.experiments.store import Store
from evo.experiments.warmup import warm
from evo.settings.registry import make_settings
store = Store(sys.argv[1])
for run in store.runs:
    warm(store.puzzle, make_settings(run.settings))
for directory in map(str.strip, sys.stdin):
    child = os.fork()
    if not child:
        resume_experiment(directory)
        os._exit(0)
    print(child, flush=True)
    print(os.waitpid(child, 0)[1], flush=True)
"""


class Foreman:
    """A process that has loaded all code of an experiment, and forks a child for each time it is carried out.

    Loading takes longer than what is to be interrupted, so it is done once.
    """

    def __init__(self, directory: Path) -> None:
        command = [sys.executable, "-c", _FOREMAN, str(directory)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def begin(self, directory: Path) -> int:
        """Begin to carry out an experiment; returns the process that does it."""
        print(directory, file=self.process.stdin, flush=True)
        return int(self.process.stdout.readline())

    def status(self) -> int:
        """Wait for the end of what has begun; returns its status."""
        return int(self.process.stdout.readline())

    def carry_out(self, directory: Path) -> float:
        """Carry out an experiment to its end; returns how long that took."""
        self.begin(directory)
        began = time.monotonic()
        assert self.status() == 0
        return time.monotonic() - began


def test_killed_at_twenty_random_moments_it_ends_with_the_same_bytes(tmp_path: Path) -> None:
    """Each kill loses at most what came after the last checkpoint; slices and checkpoints are short, so all meet."""
    plan = make_plan([small_suite(tmp_path, 300_000)])
    Store.create(tmp_path / "whole", plan)
    foreman = Foreman(tmp_path / "whole")
    needed = foreman.carry_out(tmp_path / "whole")  # on this machine, as busy as it is
    store = Store.create(tmp_path / "killed", plan)
    rng = np.random.default_rng(int.from_bytes(os.urandom(4)))
    midway = 0
    with foreman.process:
        for _ in range(20):
            child = foreman.begin(store.path)
            time.sleep(rng.uniform(0, 0.6 * needed))
            with contextlib.suppress(ProcessLookupError):  # it has ended
                os.kill(child, signal.SIGKILL)
            foreman.status()
            states = [record.state for _, record in store.records()]
            midway += "interrupted" in states
            if set(states) == {"done"}:  # too fast: begin again, and go on killing
                assert outcome(store.path) == outcome(tmp_path / "whole")
                shutil.rmtree(store.path)
                store = Store.create(tmp_path / "killed", plan)
        foreman.carry_out(store.path)
    assert midway >= 3
    assert outcome(store.path) == outcome(tmp_path / "whole")


def at_work(directory: Path, runs: int = 1) -> bool:
    """Whether so many of an experiment's runs have stored something."""
    return directory.exists() and sum(record.evaluations > 0 for _, record in Store(directory).records()) >= runs


def children(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return [int(one) for one in found.split()]


def test_ctrl_c_and_kill_and_a_second_process_while_it_runs(tmp_path: Path) -> None:
    suite = small_suite(tmp_path, 1_000_000_000)  # so long that no run ends while it is looked at
    directory = tmp_path / "out"
    first = start("run", suite, "--jobs", "2", "--out", directory)
    wait_until(lambda: at_work(directory, runs=2))
    status = evo("status", directory).stdout
    assert "2 running" in status
    assert "a process is working on it" in status
    assert "last heartbeat" in status
    assert len(json.loads(evo("results", directory, "--json").stdout)) == len(NAMES)
    second = evo("resume", directory)
    assert second.returncode == 2
    assert f"out: process {first.pid} is working on it" in second.stderr

    os.killpg(first.pid, signal.SIGINT)  # as a terminal does: every process of the group gets it
    _, errors = first.communicate(timeout=300)  # its runs would take far longer
    assert first.returncode == 130
    assert errors.endswith(f"evo: interrupted; continue with: evo resume {directory}\n")
    assert "Traceback" not in errors
    assert " interrupted; no process is working on it" in evo("status", directory).stdout

    third = start("resume", directory, "--jobs", "2")
    wait_until(lambda: "running" in evo("status", directory).stdout)
    workers = worker_processes(third.pid)
    assert len(workers) == 2
    third.kill()
    third.communicate()
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers), 10)  # they do not stay behind
    assert " interrupted; no process is working on it" in evo("status", directory).stdout


def worker_processes(pid: int) -> list[int]:
    """The worker processes of a driver, without Python's resource tracker."""
    found = []
    for child in children(pid):
        with contextlib.suppress(OSError):
            if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text():
                found.append(child)
    return found


def test_a_run_whose_workers_die_is_reported_and_the_rest_goes_on(tmp_path: Path) -> None:
    directory = tmp_path / "out"
    job = start("run", small_suite(tmp_path, 900_000), "--jobs", "1", "--out", directory)
    wait_until(lambda: at_work(directory))
    store = Store(directory)

    def some_run_failed() -> bool:
        for pid in worker_processes(job.pid):
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.1)
        return any(record.state == "failed" for _, record in store.records())

    wait_until(some_run_failed)
    _, errors = job.communicate(timeout=120)
    states = [record.state for _, record in store.records()]
    assert states.count("done") >= 3
    assert job.returncode == 1
    assert "failed: its worker died twice: killed, or out of memory" in errors
    assert errors.endswith(f"retry with: evo resume {directory}\n")
    assert evo("resume", directory, "--quiet").returncode == 0
    run_experiment(tmp_path / "small.toml", out=tmp_path / "whole")
    assert outcome(directory) == outcome(tmp_path / "whole")


def test_killed_with_its_worker_processes_it_ends_with_the_same_bytes(tmp_path: Path) -> None:
    suite = small_suite(tmp_path, 900_000)
    directory = tmp_path / "out"
    for number in range(4):
        job = start(*(("run", suite, "--out", directory) if number == 0 else ("resume", directory)), "--jobs", "2")
        wait_until(lambda job=job: len(worker_processes(job.pid)) == 2 or job.poll() is not None)
        time.sleep(0.7 + 0.4 * number)
        workers = worker_processes(job.pid)
        job.kill()
        job.communicate()
        wait_until(lambda workers=workers: not any(Path(f"/proc/{pid}").exists() for pid in workers), 10)
    assert evo("resume", directory, "--quiet").returncode == 0
    run_experiment(suite, out=tmp_path / "whole")
    assert outcome(directory) == outcome(tmp_path / "whole")


def test_a_disk_that_is_full_is_one_line(tmp_path: Path) -> None:
    """A very small file system, where one can be made."""
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(small)], capture_output=True)
    if mounted.returncode:
        pytest.skip("a small file system cannot be mounted here")
    try:
        suite = small_suite(tmp_path)
        done = evo("run", suite, "--quiet", "--out", small / "out", "--runs", "12")
        assert done.returncode == 2
        assert "No space left on device" in done.stderr
        assert done.stderr.startswith("evo: ")
        assert done.stderr.count("\n") == 1
        subprocess.run(["mount", "-o", "remount,size=20m", str(small)], check=True)
        resumed = evo("resume", small / "out", "--quiet")
        assert resumed.returncode == 0, resumed.stderr
        run_experiment(suite, out=tmp_path / "whole", runs=12)
        assert outcome(small / "out") == outcome(tmp_path / "whole")
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)


def test_a_read_only_disk_is_one_line(tmp_path: Path, finished: Path) -> None:
    folder = tmp_path / "locked"
    shutil.copytree(finished, folder / "out")
    if subprocess.run(["mount", "--bind", folder, folder], capture_output=True).returncode:
        pytest.skip("a file system cannot be mounted here")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True)
        done = evo("run", "GA_1", "--out", folder / "new")
        assert (done.returncode, done.stderr) == (
            2,
            f"evo: {folder / 'new'}: cannot be created: Read-only file system\n",
        )
        assert evo("resume", folder / "out", "--quiet").returncode == 0  # nothing is left to do
        assert evo("status", folder / "out").returncode == 0
    finally:
        subprocess.run(["umount", "-l", folder], check=True)
