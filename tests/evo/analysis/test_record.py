"""The record of an experiment, and the page that is made of it."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from evo.analysis.record import Recorded, is_record, read_record, recorded, recorded_in, write_record
from evo.analysis.reproduction import BLOCKS, beside, blank_page, rank_correlation, refreshed
from evo.analysis.statistics import welch
from evo.analysis.study import Study
from evo.cli.records import PAGE, refresh
from evo.errors import ConfigError, StoreError
from evo.experiments.experiment import run_experiment
from evo.experiments.frames import RUN_COLUMNS, RUN_SCHEMA
from evo.settings.paper import TABLE_2
from plots.convergence import convergence_curves
from puzzles.errors import FileError
from tests.evo.laboratory import small_suite

SUITE = """
name = "some"
runs = 3
evaluations = {evaluations}
{more}

[[rows]]
extends = "GA_1"
init = ["random", "knowledge"]
fitness = ["normal", "combined"]

[[rows]]
extends = "ES"
"""


def recorded_study(study: Study) -> Recorded:
    return recorded(study, convergence_curves(study.comparable_trace(study.over), study.over))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Short runs of some of the paper's rows."""
    folder = tmp_path_factory.mktemp("some")
    (folder / "some.toml").write_text(SUITE.format(evaluations=30_000, more=""))
    run_experiment(folder / "some.toml", out=folder / "out")
    return folder / "out"


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    write_record(recorded_study(Study(finished)), tmp_path)
    return tmp_path


def test_what_is_read_is_what_was_recorded(finished: Path, folder: Path) -> None:
    study = Study(finished)
    assert recorded_in(folder) == ["some"]
    found = read_record(folder, "some")
    shared = [column.name for column in RUN_SCHEMA if column.kind != "number" and column.name != "board_url"]
    assert found.runs[shared].equals(study.runs[shared])
    assert list(found.runs.columns) == RUN_COLUMNS
    assert np.allclose(found.table["seconds"], study.runs["seconds"], rtol=1e-4)
    assert found.table["seconds_limit"].isna().all()
    assert found.facts == recorded_study(study).facts
    planned = {(run.label, run.run): run for run in study.store.runs}
    boards = [study.store.board(planned[key]) for key in zip(study.runs["label"], study.runs["run"], strict=True)]
    assert [board.score for board in found.boards] == study.runs["best_score"].tolist()
    assert all((one.cells == other.cells).all() for one, other in zip(found.boards, boards, strict=True))
    last = found.curves.groupby(["setting", "init", "fitness"])["median"].last()
    medians = study.runs.groupby(["setting", "init", "fitness"])["best_score"].median()
    assert last.to_dict() == medians.to_dict()


@pytest.mark.parametrize(
    ("suffix", "change", "message"),
    [
        (".csv", lambda text: text.replace("score,", "points,"), r"some\.csv: expected the columns setting, .*score"),
        (".csv", lambda text: text.replace(",30000,", ",many,"), r"some\.csv: budget: expected numbers"),
        (".csv", lambda text: text + text.splitlines()[1] + "\n", "some: there are 16 runs but 15 boards"),
        ("-curves.csv", lambda text: text.replace("median", "middle"), r"some-curves\.csv: expected the columns"),
        (
            "-boards.txt",
            lambda text: "\n".join(text.split()[::-1]),
            "some: board 1: [0-9]+ edges match, but the table",
        ),
        ("-boards.txt", lambda text: "rubbish " * 15, "some: board 1: "),
        (".json", lambda text: text.replace('"seed": 1', '"seed": "one"'), r"some\.json: seed: "),
        (".json", lambda text: text.replace('"format": 2', '"format": 3'), "not a record of some in format 2 or"),
        (".json", lambda text: text.replace('"format": 2', '"format": 0'), "not a record of some in format 2 or"),
        (".json", lambda text: text[:-5], r"some\.json: "),
    ],
)
def test_a_damaged_record_is_refused(folder: Path, suffix: str, change, message: str) -> None:
    path = folder / f"some{suffix}"
    path.write_text(change(path.read_text()))
    with pytest.raises(StoreError, match=message):
        read_record(folder, "some")


def test_a_score_that_no_board_has_is_not_recorded(finished: Path, tmp_path: Path) -> None:
    sound = recorded_study(Study(finished))
    table = sound.table.assign(score=sound.table["score"] + (sound.table.index == 4))
    with pytest.raises(StoreError, match="some: board 5: "):
        write_record(Recorded(sound.facts, table, sound.curves, sound.links), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_record_is_not_replaced_unless_forced(finished: Path, folder: Path) -> None:
    with pytest.raises(FileError, match="already exists"):
        write_record(recorded_study(Study(finished)), folder)
    write_record(recorded_study(Study(finished)), folder, force=True)


def test_only_puzzles_of_the_project_are_recorded(tmp_path: Path) -> None:
    run_experiment(small_suite(tmp_path, 2_000), out=tmp_path / "out")
    with pytest.raises(ConfigError, match="cannot be recorded; expected one of eternity2"):
        recorded_study(Study(tmp_path / "out"))


def test_the_page_keeps_its_own_words_and_makes_its_blocks_anew(folder: Path) -> None:
    assert is_record(folder)
    written = refresh(folder)
    kinds = ("convergence", "distributions", "variants", "best")
    assert written == [folder / PAGE, *(folder / f"some-{kind}.svg" for kind in kinds)]
    assert all(path.read_bytes().startswith((b"<?xml", b"<svg")) for path in written[1:])
    page = (folder / PAGE).read_text()
    assert all(f"<!-- some: {kind} -->" in page for kind in BLOCKS)
    assert "15 different seeds" in page
    (folder / PAGE).write_text("My words.\n\n<!-- some: best -->\nold\n<!-- end -->\n\nMore words.\n")
    refresh(folder)
    page = (folder / PAGE).read_text()
    assert page.startswith("My words.\n\n<!-- some: best -->\n[")
    assert page.endswith(" pieces, no duplicates.\n<!-- end -->\n\nMore words.\n")
    best = read_record(folder, "some").runs["best_score"].max()
    assert f"[{best} of 480](https://e2.bucas.name/#puzzle=" in page


def test_a_block_of_nothing_is_refused(folder: Path) -> None:
    records = {"some": read_record(folder, "some")}
    with pytest.raises(ConfigError, match="block other: best: there is no such record; expected one of some"):
        refreshed("<!-- other: best -->\n<!-- end -->", records)
    with pytest.raises(ConfigError, match="block some: worst: there is no such kind; expected one of facts, "):
        refreshed("<!-- some: worst -->\n<!-- end -->", records)
    page = refreshed(blank_page(records), records)
    assert refreshed(page, records) == page


def test_runs_that_are_limited_in_seconds_have_curves_over_seconds(tmp_path: Path) -> None:
    (tmp_path / "some.toml").write_text(SUITE.format(evaluations=40_000, more="seconds = 60"))
    run_experiment(tmp_path / "some.toml", out=tmp_path / "out", runs=1)
    write_record(recorded_study(Study(tmp_path / "out")), tmp_path)
    found = read_record(tmp_path, "some")
    assert found.over == "seconds"
    assert (found.table["seconds_limit"] == 60).all()
    refresh(tmp_path)
    page = (tmp_path / PAGE).read_text()
    assert "Too few rows of the paper have several runs" in page  # and no warning, which would be an error here
    assert "nan" not in page


def paper_like(shift: dict[str, float], runs: int = 10) -> pd.DataFrame:
    """Runs whose means and deviations are those of the paper, but for some settings."""
    steps = np.linspace(-1, 1, runs) / np.linspace(-1, 1, runs).std()
    lines = []
    for row in TABLE_2:
        mean = row.mean + shift.get(row.setting, 0.0)
        for run, score in enumerate(mean + steps * row.deviation, start=1):
            lines.append([row.setting, row.init or "", row.fitness or "", run, score, score, "done", 50_000_000, 1.0])
    columns = ["setting", "init", "fitness", "run", "best_score", "true_score", "state", "evaluations", "seconds"]
    return pd.DataFrame(lines, columns=columns)


def test_a_verdict_says_whether_a_row_is_the_papers() -> None:
    table = beside(paper_like({"MOEA_2": 15.0, "GA_1": 60.0, "AIEA_3": -30.0})).set_index(
        ["setting", "init", "fitness"]
    )
    assert set(table.loc["MOEA_2"]["verdict"]) == {"a little above"}
    assert set(table.loc["GA_1"]["verdict"]) == {"above"}
    assert set(table.loc["AIEA_3"]["verdict"]) == {"below"}
    others = table.drop(["MOEA_2", "GA_1", "AIEA_3"], level=0)
    assert set(others["verdict"]) == {"agrees"}
    assert np.allclose(table["difference"].loc["GA_1"], 60.0)


def test_ranks_agree_with_themselves_and_not_with_their_reverse() -> None:
    table = beside(paper_like({}))
    assert rank_correlation(table) == pytest.approx((1.0, 1.0))
    assert rank_correlation(table.assign(mean=-table["mean"])) == pytest.approx((-1.0, -1.0))


def test_welch_is_scipys() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        one, other = rng.normal(100, 9, int(rng.integers(2, 12))), rng.normal(105, 3, 10)
        p = welch((one.mean(), one.std(), len(one)), (other.mean(), other.std(), len(other)))
        assert p == pytest.approx(stats.ttest_ind(one, other, equal_var=False).pvalue)
    assert welch((5.0, 0.0, 10), (5.0, 0.0, 10)) == 1.0
    assert welch((5.0, 0.0, 10), (9.0, 0.0, 10)) < 1e-9  # whole numbers vary a little, even where all are the same
