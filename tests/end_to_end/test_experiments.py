"""Experiments as a person runs them: killed, interrupted, resumed, looked at."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evo.experiments.experiment import run_experiment
from evo.experiments.store import Store
from evo.settings import make_settings
from evo.table1 import TABLE_1
from puzzles import Board
from tests.evo.laboratory import outcome, small_plan, small_suite

EVO = [sys.executable, "-c", "from evo.cli import main; main()"]
ROOT = Path(__file__).parents[2]


def evo(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*EVO, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, timeout=120)


def start(*arguments: str | Path) -> subprocess.Popen[str]:
    """The command in the background, in a session of its own."""
    return subprocess.Popen(
        [*EVO, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    run_experiment(small_suite(folder, 20_000, runs=4), out=folder / "out")
    return folder / "out"


def test_run_status_results_as_a_newcomer_types_them(tmp_path: Path) -> None:
    done = evo("run", small_suite(tmp_path), "--runs", "2", "--jobs", "2", "--seed", "9", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    [directory] = (tmp_path / "runs" / "results").iterdir()
    assert done.stdout.startswith(f"small: 10 runs; results go to {directory.relative_to(tmp_path)}\n")
    assert done.stdout.endswith(f"results: {directory.relative_to(tmp_path)}\n")
    assert "ga random combined" in done.stdout
    assert "paper" not in done.stdout  # another puzzle: the paper's figures do not belong there
    assert done.stderr.count(" evaluations, ") == 10

    status = evo("status", directory)
    assert status.stdout.startswith("small: 10 runs: 10 done; nobody is working on it\n  100% done")

    rows = json.loads(evo("results", directory, "--json").stdout)
    assert len(rows) == 10
    wanted = [
        "setting",
        "algorithm",
        "init",
        "fitness",
        "run",
        "seed",
        "evaluations",
        "best_score",
        "seconds",
        "state",
        "board_url",
    ]
    assert set(wanted) <= set(rows[0])
    assert [rows[0][key] for key in ("setting", "init", "fitness", "run", "state")] == [
        "ga", "random", "combined", 1, "done",
    ]  # fmt: skip
    assert rows[-1]["init"] is None
    puzzle = Store(directory).puzzle
    assert all(Board.from_url(row["board_url"], puzzle).score == row["best_score"] for row in rows)
    lines = evo("results", directory, "--csv").stdout.splitlines()
    assert len(lines) == 11
    assert lines[0].startswith("setting,algorithm,init,fitness,run,seed,")

    again = evo("run", tmp_path / "small.toml", "--out", directory)
    assert again.returncode == 2
    assert "is there already, and is not written to; `evo resume" in again.stderr
    nothing = evo("resume", directory, "--quiet")
    assert (nothing.returncode, nothing.stdout, nothing.stderr) == (0, "", "")


def test_the_same_through_processes_and_here(tmp_path: Path) -> None:
    suite = small_suite(tmp_path)
    run_experiment(suite, out=tmp_path / "here")
    assert evo("run", suite, "--jobs", "2", "--quiet", "-o", tmp_path / "there").returncode == 0
    assert outcome(tmp_path / "there") == outcome(tmp_path / "here")


_CHILD = """
import sys
from evo.experiments import driver, workers
workers.SLICE_SECONDS, driver.CHECKPOINT_SECONDS, driver.HEARTBEAT_SECONDS = 0.01, 0.03, 0.02
from evo.experiments.experiment import resume_experiment
print("begins", flush=True)
resume_experiment(sys.argv[1])
"""


def test_killed_at_twenty_random_moments_it_ends_with_the_same_bytes(tmp_path: Path) -> None:
    """Each kill loses at most what came after the last checkpoint; slices and checkpoints are short, so all meet."""
    from evo.experiments.plan import make_plan

    plan = make_plan([small_suite(tmp_path, 900_000)])
    Store.create(tmp_path / "whole", plan)
    subprocess.run([sys.executable, "-c", _CHILD, str(tmp_path / "whole")], check=True, stdout=subprocess.DEVNULL)
    store = Store.create(tmp_path / "killed", plan)
    rng = np.random.default_rng(int.from_bytes(os.urandom(4)))
    kills, midway = 0, 0
    while kills < 20:
        child = subprocess.Popen([sys.executable, "-c", _CHILD, str(store.path)], stdout=subprocess.PIPE, text=True)
        assert child.stdout.readline() == "begins\n"
        time.sleep(rng.uniform(0, 0.4))
        child.kill()
        child.communicate()
        kills += 1
        states = [record.state for _, record in store.records()]
        midway += "interrupted" in states
        if set(states) == {"done"}:  # too fast: begin again, and go on killing
            assert outcome(store.path) == outcome(tmp_path / "whole")
            shutil.rmtree(store.path)
            store = Store.create(tmp_path / "killed", plan)
    assert midway >= 3
    subprocess.run([sys.executable, "-c", _CHILD, str(store.path)], check=True, stdout=subprocess.DEVNULL)
    assert outcome(store.path) == outcome(tmp_path / "whole")


def wait_until(condition, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def at_work(directory: Path) -> bool:
    return directory.exists() and any(record.evaluations for _, record in Store(directory).records())


def children(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return [int(one) for one in found.split()]


def test_ctrl_c_and_kill_and_a_second_process_while_it_runs(tmp_path: Path) -> None:
    suite = small_suite(tmp_path, 3_000_000)
    directory = tmp_path / "out"
    first = start("run", suite, "--jobs", "2", "--out", directory)
    wait_until(lambda: at_work(directory))
    status = evo("status", directory).stdout
    assert "2 running" in status
    assert "a process is working on it" in status
    assert "heard of" in status
    assert len(json.loads(evo("results", directory, "--json").stdout)) == 5
    second = evo("resume", directory)
    assert second.returncode == 2
    assert f"out: process {first.pid} is working on it" in second.stderr

    begin = time.monotonic()
    os.killpg(first.pid, signal.SIGINT)  # as a terminal does: every process of the group gets it
    _, errors = first.communicate(timeout=30)
    assert time.monotonic() - begin < 4
    assert first.returncode == 130
    assert errors.endswith(f"evo: interrupted; go on with: evo resume {directory}\n")
    assert "Traceback" not in errors
    assert " interrupted; nobody is working on it" in evo("status", directory).stdout

    third = start("resume", directory, "--jobs", "2")
    wait_until(lambda: "running" in evo("status", directory).stdout)
    workers = worker_processes(third.pid)
    assert len(workers) == 2
    third.kill()
    third.communicate()
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers), 10)  # they do not stay behind
    assert " interrupted; nobody is working on it" in evo("status", directory).stdout


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
    assert errors.endswith(f"try again with: evo resume {directory}\n")
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


def test_bars_in_a_terminal(tmp_path: Path) -> None:
    suite = Path(small_suite(tmp_path, 200_000))
    suite.write_text(suite.read_text().replace('"aiea"', '"a[/b] [red]x"'))
    ours, theirs = os.openpty()
    job = subprocess.Popen([*EVO, "run", suite, "-o", tmp_path / "out"], stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # how a terminal says that nobody writes to it any more
        while part := os.read(ours, 65536):
            shown += part
    os.close(ours)
    assert job.wait(60) == 0
    text = shown.decode()
    assert "Traceback" not in text
    assert "a[/b] [red]x random normal, run 1: " in text
    assert "5/5 runs, best " in text
    assert "100%" in text


def test_nobody_has_to_read_what_it_says(tmp_path: Path) -> None:
    suite = small_suite(tmp_path)
    for number, redirection in enumerate(("| head -1", "2>&1 | true", ">&- 2>&-", "2>&-")):
        command = f"{sys.executable} -c 'from evo.cli import main; main()' run {suite} -o {tmp_path / str(number)}"
        subprocess.run(f"{command} {redirection}", shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert {record.state for _, record in Store(tmp_path / str(number)).records()} == {"done"}, redirection


def test_settings_are_listed_and_printed() -> None:
    listed = evo("settings").stdout
    for name in ("GA_1", "AIEA_3", "MOEA_2", "RAND", "ES", "table2", "quick"):
        assert f"\n{name} " in f"\n{listed}"
    printed = evo("settings", "GA_2").stdout
    assert tomllib.loads(printed) | {"name": "x"} == make_settings(TABLE_1["GA_2"] | {"seed": 1}).model_dump(
        mode="json", exclude={"seed"}
    ) | {"name": "x"}
    assert len(tomllib.loads(evo("settings", "quick").stdout)["rows"]) == 9


def test_every_kind_of_picture_in_every_format(finished: Path, tmp_path: Path) -> None:
    for kind, suffix, start in (
        ("convergence", "png", b"\x89PNG"),
        ("distributions", "svg", b"<?xml"),
        ("variants", "png", b"evo"),
        ("ecdf", "pdf", b"%PDF"),
        ("pareto", "svg", b"<?xml"),
        ("diversity", "pdf", b"%PDF"),
        ("board", "svg", b"<svg"),
        ("board", "png", b"\x89PNG"),
    ):
        target = tmp_path / f"{kind}.{suffix}"
        done = evo("plot", kind, finished, "-o", target)
        if kind == "variants":  # each setting of this suite has one fitness
            assert (done.returncode, done.stderr.count("\n")) == (2, 1)
            continue
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{target}\n", "")
        assert target.read_bytes().startswith(start)
    assert "is there already" in evo("plot", "board", finished, "-o", target).stderr
    assert evo("plot", "board", finished, "-o", target, "--force").returncode == 0


def test_compare_report_conclusions_and_export(finished: Path, tmp_path: Path) -> None:
    directory = tmp_path / "out"
    shutil.copytree(finished, directory)
    (tmp_path / "other.csv").write_text("setting,best_score\n" + "theirs,60\n" * 12)
    compared = evo("compare", directory, "--by", "setting", "--csv", tmp_path / "other.csv")
    assert compared.returncode == 0, compared.stderr
    assert compared.stdout.endswith(f"{directory / 'pictures' / 'compare-setting-other.svg'}\n")
    [line] = [line for line in compared.stdout.splitlines() if "rand  " in line and "theirs" in line]
    assert line.endswith("theirs better")
    assert "the budget of theirs is not known" in compared.stderr

    report = evo("report", directory)
    assert report.returncode == 0, report.stderr
    paths = [Path(line) for line in report.stdout.splitlines()]
    assert paths[-1] == directory / "report.html"
    assert all(path.exists() for path in paths)
    page = paths[-1].read_text()
    for said in ("small on ", "ga random combined", "There is no picture of variants", "numba", "crossover"):
        assert said in page
    for run, record in Store(directory).records():
        assert str(run.settings["seed"]) in page
        assert record.state == "done"
    assert "paper" not in page  # another puzzle
    assert evo("report", directory).returncode == 0  # made anew

    concluded = evo("conclusions", directory)
    assert concluded.returncode == 0
    assert concluded.stdout.count("NOT ENOUGH DATA") == 7
    assert "the paper is about Eternity II" in concluded.stderr

    exported = evo("export", "ioh", directory, tmp_path / "ioh")
    assert exported.stdout == f"5 rows: {tmp_path / 'ioh'}\n"
    assert len(list((tmp_path / "ioh").rglob("*.dat"))) == 5


def test_the_report_opens_from_disk_in_a_browser(browser: Any, finished: Path, tmp_path: Path) -> None:
    assert evo("report", finished, "-o", tmp_path / "page.html").returncode == 0
    browser.get((tmp_path / "page.html").as_uri())
    assert browser.get_log("browser") == []
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert browser.title.startswith("small on ")
    shown = browser.execute_script("return document.body.innerText")
    for row in ("ga random combined", "moea knowledge", "aiea random normal", "rand", "es"):
        assert row in shown
    boxes = browser.execute_script(
        "return [...document.querySelectorAll('svg')].map(one => one.getBoundingClientRect().width)"
    )
    assert len(boxes) >= 9  # five kinds of pictures, comparisons, boards of four algorithms
    assert min(boxes) > 100


def test_an_experiment_that_has_not_begun_can_be_looked_at(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "out", small_plan(tmp_path))
    assert evo("status", store.path).stdout.startswith("small: 5 runs: 5 pending; nobody is working on it\n  0% done")
    assert evo("results", store.path).returncode == 0
    assert evo("report", store.path).returncode == 0
    assert evo("conclusions", store.path).stdout.count("NOT ENOUGH DATA") == 7
    for arguments in (
        ("plot", "convergence", store.path, "-o", tmp_path / "a.png"),
        ("plot", "board", store.path, "-o", tmp_path / "a.png"),
        ("compare", store.path),
        ("export", "ioh", store.path, tmp_path / "ioh"),
    ):
        done = evo(*arguments)
        assert done.returncode == 2
        assert done.stderr.startswith("evo: ")
        assert done.stderr.count("\n") == 1


BAD = {
    "unknown kind of picture": (["plot", "pie", "out", "-o", "a.png"], "plot: 'pie' is not one of convergence, "),
    "no suffix": (["plot", "ecdf", "out", "-o", "picture"], "picture: pictures are drawn as"),
    "unknown suffix": (["plot", "board", "out", "-o", "a.gif"], "a.gif: pictures are drawn to .svg, .png or .pdf"),
    "picture in no directory": (["plot", "ecdf", "out", "-o", "no/a.png"], "no/a.png: cannot be written: No such file"),
    "picture over a file": (["plot", "ecdf", "out", "-o", "file.txt.png"], "file.txt.png: is there already"),
    "report over a file": (["report", "out", "-o", "file.txt"], "file.txt: is there already"),
    "compare by nothing": (["compare", "out", "--by", "luck"], "by: 'luck' is not one of fitness, init, setting"),
    "nothing to compare": (["compare", "out", "--by", "init"], "no two rows differ in init alone"),
    "no foreign file": (["compare", "out", "--csv", "none.csv"], "none.csv: cannot be read"),
    "bad foreign file": (["compare", "out", "--csv", "file.txt"], "file.txt, line 1: no column 'setting'"),
    "unknown export": (["export", "xls", "out", "x"], "evo: export: 'xls' is not a format; there is ioh"),
    "export into a full folder": (["export", "ioh", "out", "out"], "out: is there already and is not empty"),
    "export of nothing": (["export", "ioh", "none", "x"], "none/experiment.json: is not there"),
    "conclusions of nothing": (["conclusions", "none"], "none/experiment.json: is not there"),
    "no setting": (["run"], "Missing argument"),
    "unknown setting": (["run", "GA_7"], "GA_7: no setting of this name, and no .toml file; did you mean GA_"),
    "missing file": (["run", "none.toml"], "none.toml: cannot be read: No such file or directory"),
    "wrong key": (["run", "GA_1", "--set", "elites=3"], "GA_1: elites: there is no such setting"),
    "wrong type": (["run", "GA_1", "--set", "elite=some"], "GA_1: elite: input should be a valid integer"),
    "no equals sign": (["run", "GA_1", "--set", "elite"], "--set 'elite' is not of the form KEY=VALUE"),
    "set instead of option": (["run", "GA_1", "--set", "seed=3"], "there is an option --seed for it"),
    "wrong init": (["run", "GA_1", "--init", "best"], "init: input should be 'random' or 'knowledge'"),
    "wrong fitness": (["run", "GA_1", "--fitness", "normal,"], "fitness: input should be 'normal' or 'combined'"),
    "no runs": (["run", "GA_1", "--runs", "0"], "runs: expected a whole number from 1"),
    "runs in words": (["run", "GA_1", "--runs", "ten"], "'--runs': Input should be a valid integer"),
    "too few evaluations": (["run", "GA_1", "--evaluations", "5"], "5 do not suffice for a population of 10000"),
    "negative evaluations": (["run", "RAND", "--evaluations", "-5"], "evaluations: input should be greater than"),
    "no time": (["run", "GA_1", "--seconds", "0"], "seconds: expected a number above 0"),
    "negative seed": (["run", "GA_1", "--seed", "-1"], "seed: expected a whole number from 0"),
    "no jobs": (["run", "GA_1", "--jobs", "0", "-o", "jobs"], "jobs: expected 1 to"),
    "an odd key": (["run", "GA_1", "--set", "sources=1"], "GA_1: sources: there is no such setting"),
    "a name": (["run", "GA_1", "--set", "name=mine"], "--set name: only a file can do that"),
    "endless": (["run", "GA_1", "--seconds", "inf"], "seconds: expected a number above 0"),
    "far too many evaluations": (["run", "GA_1", "--evaluations", str(10**29)], "evaluations: input should be less"),
    "no puzzle": (["run", "GA_1", "--puzzle", "nine"], "nine"),
    "a file in the way": (["run", "GA_1", "-o", "file.txt"], "file.txt: is there already"),
    "a file as parent": (["run", "GA_1", "-o", "file.txt/out"], "file.txt/out: cannot be made"),
    "no directory": (["status", "nowhere"], "nowhere/experiment.json: is not there"),
    "not a directory of results": (["results", "."], "experiment.json: is not there"),
    "a file instead": (["resume", "file.txt"], "file.txt/experiment.json: cannot be read: Not a directory"),
    "json and csv": (["results", "out", "--json", "--csv"], "--json and --csv exclude each other"),
    "no cluster": (["run", "GA_1", "--dask", "nonsense", "-o", "dask"], "dask: cannot use 'nonsense'"),
}


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory, finished: Path) -> Path:
    folder = tmp_path_factory.mktemp("bad")
    (folder / "file.txt").write_text("mine")
    (folder / "file.txt.png").write_text("mine too")
    shutil.copytree(finished, folder / "out")
    return folder


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_and_exit_code_2(name: str, workplace: Path) -> None:
    arguments, message = BAD[name]
    done = evo(*arguments, cwd=workplace)
    assert done.returncode == 2, done.stdout + done.stderr
    assert message in done.stderr
    assert done.stderr.startswith("evo: ")
    assert done.stderr.count("\n") == 1
    assert (workplace / "file.txt").read_text() == "mine"


DAMAGED = {
    "truncated checkpoint": ("checkpoint", b"evo checkpoint 1\n0123", "checkpoint: is damaged"),
    "foreign checkpoint": ("checkpoint", b"PK\x03\x04 an archive", "checkpoint: is not a checkpoint"),
    "corrupted record": ("run.json", b"{", "run.json: is damaged"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_files_are_named(name: str, finished: Path, tmp_path: Path) -> None:
    file, content, message = DAMAGED[name]
    directory = tmp_path / "out"
    shutil.copytree(finished, directory)
    run = directory / "runs" / "aiea-random-normal-02"
    record = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(record | {"state": "interrupted"}))
    (run / file).write_bytes(content)
    done = evo("resume", directory, "--quiet")
    assert done.returncode == 2
    assert f"evo: {run / file}: " in done.stderr
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    if file == "checkpoint":
        assert evo("resume", directory, "--quiet", "--restart").returncode == 0
        assert outcome(directory) == outcome(finished)


def test_a_corrupted_trace_is_named(finished: Path, tmp_path: Path) -> None:
    directory = tmp_path / "out"
    shutil.copytree(finished, directory)
    path = directory / "runs" / "aiea-random-normal-02" / "trace.csv"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:5], "rubbish\n", *lines[5:]]))
    for arguments in (("plot", "ecdf", directory, "-o", tmp_path / "a.png"), ("report", directory)):
        done = evo(*arguments)
        assert (done.returncode, done.stderr) == (2, f"evo: {path}: line 6: is not a row of a trace\n")
    assert evo("results", directory).returncode == 0  # which needs no traces


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
