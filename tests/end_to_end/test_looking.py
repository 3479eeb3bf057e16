"""Pictures, comparisons, the report: looking at experiments."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from evo.experiments.experiment import run_experiment
from evo.experiments.store import Store
from tests.end_to_end.commands import evo
from tests.evo.laboratory import NAMES, small_plan, small_suite


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
    assert "already exists" in evo("plot", "board", finished, "-o", target).stderr
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
    assert "the budget of theirs is unknown" in compared.stderr

    report = evo("report", directory)
    assert report.returncode == 0, report.stderr
    paths = [Path(line) for line in report.stdout.splitlines()]
    assert paths[-1] == directory / "report.html"
    assert all(path.exists() for path in paths)
    page = paths[-1].read_text()
    for said in ("small on ", "ga random combined", "There is no variants picture", "numba", "crossover"):
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
    assert exported.stdout == f"{len(NAMES)} rows: {tmp_path / 'ioh'}\n"
    assert len(list((tmp_path / "ioh").rglob("*.dat"))) == len(NAMES)


def test_printed_results_can_be_compared_with_another_experiment(finished: Path, tmp_path: Path) -> None:
    (tmp_path / "small.csv").write_text(evo("results", finished, "--csv").stdout)
    mine = tmp_path / "mine.toml"
    mine.write_text(Path(small_suite(tmp_path)).read_text().replace('name = "', 'name = "my_'))
    run_experiment(mine, out=tmp_path / "mine")
    compared = evo("compare", tmp_path / "mine", "--by", "setting", "--csv", tmp_path / "small.csv")
    assert compared.returncode == 0, compared.stderr
    assert ["cp", "my_vlns", "vlns"] in [line.split()[:3] for line in compared.stdout.splitlines()]


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small experiment whose runs ended when their time was over."""
    folder = tmp_path_factory.mktemp("timed")
    run_experiment(small_suite(folder, 10**9, runs=2), out=folder / "out", seconds=0.2)
    return folder / "out"


def test_runs_are_compared_after_some_seconds(timed: Path) -> None:
    done = evo("compare", timed, "--by", "setting", "--seconds", "0.1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Best scores after 0.1 seconds:\nrows ")
    assert done.stdout.endswith(f"{timed / 'pictures' / 'compare-setting-after-0.1-seconds.svg'}\n")
    late = evo("compare", timed, "--by", "setting", "--seconds", "60")
    all_runs = 2 * len(NAMES)
    assert f"note: {all_runs} of {all_runs} runs ended before 60 seconds and count with their final" in late.stderr
    ends = evo("compare", timed, "--by", "setting")
    assert "runs reached their limit of 0.2 seconds, after " in ends.stderr
    assert "budget" not in ends.stderr  # all had the same time
    for wrong in ("0", "nan"):
        refused = evo("compare", timed, "--by", "setting", "--seconds", wrong)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)


def test_pictures_over_seconds(timed: Path, tmp_path: Path) -> None:
    for kind in ("convergence", "ecdf", "diversity"):
        target = tmp_path / f"{kind}.png"
        done = evo("plot", kind, timed, "--over", "seconds", "-o", target)
        assert (done.returncode, done.stdout, done.stderr) == (0, f"{target}\n", "")
    refused = evo("plot", "pareto", timed, "--over", "seconds", "-o", tmp_path / "pareto.png")
    assert refused.returncode == 2
    assert refused.stderr.startswith("evo: over: a pareto picture has no such axis; only convergence, ecdf, ")


def test_the_report_goes_over_seconds_where_these_are_limited(timed: Path, finished: Path, tmp_path: Path) -> None:
    for directory, over in ((timed, "seconds"), (finished, "evaluations")):
        page = tmp_path / f"{over}.html"
        assert evo("report", directory, "-o", page).returncode == 0
        assert f"The best score against {over}: " in page.read_text()
        assert f"pairs reached, against {over}." in page.read_text()


def test_the_report_opens_from_disk_in_a_browser(browser: Any, finished: Path, tmp_path: Path) -> None:
    assert evo("report", finished, "-o", tmp_path / "page.html").returncode == 0
    browser.get((tmp_path / "page.html").as_uri())
    assert browser.get_log("browser") == []
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert browser.title.startswith("small on ")
    shown = browser.execute_script("return document.body.innerText")
    for row in ("ga random combined", "moea knowledge", "aiea random normal", "rand", "es", "vlns cp", "tabu random"):
        assert row in shown
    boxes = browser.execute_script(
        "return [...document.querySelectorAll('svg')].map(one => one.getBoundingClientRect().width)"
    )
    assert len(boxes) >= 9  # five kinds of pictures, comparisons, boards of four algorithms
    assert min(boxes) > 100


def test_an_experiment_that_has_not_begun_can_be_looked_at(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "out", small_plan(tmp_path))
    assert evo("status", store.path).stdout.startswith(
        f"small: {len(NAMES)} runs: {len(NAMES)} pending; no process is working on it\n  0% done"
    )
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
