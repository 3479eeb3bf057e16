"""Bad input: one line that says what is wrong, and exit code 2."""

import json
import shutil
from pathlib import Path

import pytest

from tests.end_to_end.commands import evo
from tests.evo.laboratory import outcome

BAD = {
    "unknown kind of picture": (["plot", "pie", "out", "-o", "a.png"], "plot: 'pie' is not one of convergence, "),
    "no suffix": (["plot", "ecdf", "out", "-o", "picture"], "picture: expected a picture format among"),
    "unknown suffix": (["plot", "board", "out", "-o", "a.gif"], "a.gif: expected a .svg, .png or .pdf file"),
    "picture in no directory": (["plot", "ecdf", "out", "-o", "no/a.png"], "no/a.png: cannot be written: No such file"),
    "picture over a file": (["plot", "ecdf", "out", "-o", "file.txt.png"], "file.txt.png: already exists"),
    "report over a file": (["report", "out", "-o", "file.txt"], "file.txt: already exists"),
    "compare by nothing": (["compare", "out", "--by", "luck"], "by: 'luck' is not one of fitness, init, setting"),
    "nothing to compare": (["compare", "out", "--by", "init"], "no two rows differ in init alone"),
    "no foreign file": (["compare", "out", "--csv", "none.csv"], "none.csv: cannot be read"),
    "bad foreign file": (["compare", "out", "--csv", "file.txt"], "file.txt, line 1: no column 'setting'"),
    "unknown export": (["export", "xls", "out", "x"], "evo: export: 'xls' is not a known format; use ioh"),
    "export into a full folder": (["export", "ioh", "out", "out"], "out: already exists and is not empty"),
    "export of nothing": (["export", "ioh", "none", "x"], "none/experiment.json: does not exist"),
    "conclusions of nothing": (["conclusions", "none"], "none/experiment.json: does not exist"),
    "no setting": (["run"], "Missing argument"),
    "unknown setting": (["run", "GA_7"], "GA_7: is neither a bundled setting nor a .toml file; did you mean GA_"),
    "missing file": (["run", "none.toml"], "none.toml: cannot be read: No such file or directory"),
    "wrong key": (["run", "GA_1", "--set", "elites=3"], "GA_1: elites: there is no such setting"),
    "wrong type": (["run", "GA_1", "--set", "elite=some"], "GA_1: elite: input should be a valid integer"),
    "no equals sign": (["run", "GA_1", "--set", "elite"], "--set: expected KEY=VALUE; found 'elite'"),
    "set instead of option": (["run", "GA_1", "--set", "seed=3"], "--set seed: use the option --seed"),
    "wrong init": (["run", "GA_1", "--init", "best"], "init: input should be 'random', 'knowledge' or 'search'"),
    "wrong fitness": (["run", "GA_1", "--fitness", "normal,"], "fitness: input should be 'normal' or 'combined'"),
    "no runs": (["run", "GA_1", "--runs", "0"], "runs: expected a whole number from 1"),
    "runs in words": (["run", "GA_1", "--runs", "ten"], "'--runs': Input should be a valid integer"),
    "too few evaluations": (["run", "GA_1", "--evaluations", "5"], "5 do not suffice for a population of 10000"),
    "negative evaluations": (["run", "RAND", "--evaluations", "-5"], "evaluations: input should be greater than"),
    "no time": (["run", "GA_1", "--seconds", "0"], "seconds: expected a number above 0"),
    "negative seed": (["run", "GA_1", "--seed", "-1"], "seed: expected a whole number from 0"),
    "no jobs": (["run", "GA_1", "--jobs", "0", "-o", "jobs"], "jobs: expected 1 to"),
    "an odd key": (["run", "GA_1", "--set", "sources=1"], "GA_1: sources: there is no such setting"),
    "a name": (["run", "GA_1", "--set", "name=mine"], "--set name: can only be set in a file"),
    "endless": (["run", "GA_1", "--seconds", "inf"], "seconds: expected a number above 0"),
    "far too many evaluations": (["run", "GA_1", "--evaluations", str(10**29)], "evaluations: input should be less"),
    "no puzzle": (["run", "GA_1", "--puzzle", "nine"], "nine"),
    "a file in the way": (["run", "GA_1", "-o", "file.txt"], "file.txt: already exists"),
    "a file as parent": (["run", "GA_1", "-o", "file.txt/out"], "file.txt/out: cannot be created"),
    "no directory": (["status", "nowhere"], "nowhere/experiment.json: does not exist"),
    "not a directory of results": (["results", "."], "experiment.json: does not exist"),
    "a file instead": (["resume", "file.txt"], "file.txt/experiment.json: cannot be read: Not a directory"),
    "json and csv": (["results", "out", "--json", "--csv"], "--json and --csv cannot be combined"),
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
