"""Experiments as a person runs them."""

import contextlib
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

from evo.experiments.experiment import run_experiment
from evo.experiments.store import Store
from evo.settings.paper import TABLE_1
from evo.settings.registry import make_settings
from puzzles import Board
from tests.end_to_end.commands import EVO, evo
from tests.evo.laboratory import NAMES, outcome, small_suite


def test_run_status_results_as_a_newcomer_types_them(tmp_path: Path) -> None:
    done = evo("run", small_suite(tmp_path), "--runs", "2", "--jobs", "2", "--seed", "9", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    [directory] = (tmp_path / "runs" / "results").iterdir()
    assert done.stdout.startswith(f"small: {2 * len(NAMES)} runs; results go to {directory.relative_to(tmp_path)}\n")
    assert done.stdout.endswith(f"results: {directory.relative_to(tmp_path)}\n")
    assert "ga random combined" in done.stdout
    assert "paper" not in done.stdout  # another puzzle: the paper's figures do not belong there
    assert done.stderr.count(" evaluations, ") == 2 * len(NAMES)

    status = evo("status", directory)
    assert status.stdout.startswith(
        f"small: {2 * len(NAMES)} runs: {2 * len(NAMES)} done; no process is working on it\n  100% done"
    )

    rows = json.loads(evo("results", directory, "--json").stdout)
    assert len(rows) == 2 * len(NAMES)
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
    assert rows[-1]["fitness"] is None  # a local search has none
    assert rows[-1]["seconds_limit"] is None
    puzzle = Store(directory).puzzle
    assert all(Board.from_url(row["board_url"], puzzle).score == row["best_score"] for row in rows)
    lines = evo("results", directory, "--csv").stdout.splitlines()
    assert len(lines) == 1 + 2 * len(NAMES)
    assert lines[0].startswith("setting,algorithm,init,fitness,run,seed,")

    again = evo("run", tmp_path / "small.toml", "--out", directory)
    assert again.returncode == 2
    assert "already exists; refusing to overwrite it; `evo resume" in again.stderr
    nothing = evo("resume", directory, "--quiet")
    assert (nothing.returncode, nothing.stdout, nothing.stderr) == (0, "", "")


def test_the_same_through_processes_and_here(tmp_path: Path) -> None:
    suite = small_suite(tmp_path)
    run_experiment(suite, out=tmp_path / "here")
    assert evo("run", suite, "--jobs", "2", "--quiet", "-o", tmp_path / "there").returncode == 0
    assert outcome(tmp_path / "there") == outcome(tmp_path / "here")


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
    assert f"{len(NAMES)}/{len(NAMES)} runs, best " in text
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
    expected = make_settings(TABLE_1["GA_2"]).model_dump(mode="json", exclude={"seed"}, exclude_none=True)
    assert tomllib.loads(printed) == expected | {"name": "GA_2"}
    timed = tomllib.loads(evo("settings", "best_60s").stdout)
    assert (timed["seconds"], timed["repair"]["size"]) == (60, 32)
    assert len(tomllib.loads(evo("settings", "quick").stdout)["rows"]) == 9
