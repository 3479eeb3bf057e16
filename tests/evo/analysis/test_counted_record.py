"""Records of runs that do not count all edges, and records that were written before that was possible."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from evo.analysis.record import Recorded, read_record, recorded, write_record
from evo.analysis.study import Study
from evo.cli.records import PAGE, refresh
from evo.errors import StoreError
from evo.experiments.experiment import run_experiment
from evo.experiments.frames import RUN_COLUMNS
from plots.convergence import convergence_curves
from tests import oracle

ROWS = """
[[rows]]
extends = "GA_1"
fitness = ["normal", "combined"]
evaluations = 20_000

[[rows]]
extends = "ES"
evaluations = 200
"""
RAND = '[[rows]]\nextends = "RAND"\nevaluations = 2_000\n'
NOTE = "Scores are of the 450 edges that count; true scores are of all 480 edges of the same boards."


def recorded_study(folder: Path, edges: str, rows: str = "") -> Recorded:
    (folder / "some.toml").write_text(f'name = "some"\nruns = 2\nedges = "{edges}"\n{RAND}{rows}')
    run_experiment(folder / "some.toml", out=folder / "out")
    study = Study(folder / "out")
    return recorded(study, convergence_curves(study.comparable_trace()))


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    return recorded_study(tmp_path_factory.mktemp("counted"), "paper", ROWS)


@pytest.fixture
def folder(counted: Recorded, tmp_path: Path) -> Path:
    write_record(counted, tmp_path)
    return tmp_path


def test_a_record_keeps_both_scores_and_what_they_count(counted: Recorded, folder: Path) -> None:
    found = read_record(folder, "some")
    assert (found.facts, found.edges) == (counted.facts, "paper")
    assert found.facts.format == 2
    columns = ["setting", "init", "fitness", "run", "seed", "score", "true_score", "edges"]
    pd.testing.assert_frame_equal(found.table[columns], counted.table[columns], check_dtype=False)
    assert list(found.runs.columns) == RUN_COLUMNS
    assert found.table["score"].tolist() == [oracle.counted_score(board) for board in found.boards]
    assert found.table["true_score"].tolist() == [oracle.counted_score(board, "all") for board in found.boards]
    assert (found.table["true_score"] > found.table["score"]).any()
    again = folder / "again"
    again.mkdir()
    write_record(found, again)
    for path in folder.glob("some*"):
        assert (again / path.name).read_bytes() == path.read_bytes()


def with_column(name: str, value: object) -> Callable[[pd.DataFrame], pd.DataFrame]:
    """A change of the third run in one column."""
    return lambda table: table.assign(**{name: [value if at == 2 else old for at, old in enumerate(table[name])]})


BOTH = r"some: board 3: [0-9]+ of the counted edges and [0-9]+ of all edges match, but the table states "
DAMAGED: list[tuple[Callable[[pd.DataFrame], pd.DataFrame], str]] = [
    (with_column("true_score", 480), rf"{BOTH}[0-9]+ of the counted edges and 480 of all"),
    (with_column("score", 450), rf"{BOTH}450 of the counted edges and [0-9]+ of all"),
    (with_column("edges", "all"), "some: edges: expected one of all, paper, the same in all runs"),
    (lambda table: table.assign(edges="450"), "some: edges: expected one of all, paper, the same in all runs"),
    (lambda table: table.assign(edges="all"), r"some: board 1: [0-9]+ edges match, but the table states"),
    (lambda table: table.drop(columns="true_score"), r"some\.csv: expected the columns .*score, true_score, edges"),
    (with_column("true_score", "many"), r"some\.csv: true_score: expected numbers"),
]


@pytest.mark.parametrize(("change", "message"), DAMAGED)
def test_scores_that_the_boards_do_not_have_are_refused(
    folder: Path, change: Callable[[pd.DataFrame], pd.DataFrame], message: str
) -> None:
    path = folder / "some.csv"
    table = pd.read_csv(path, keep_default_na=False)
    change(table).to_csv(path, index=False)
    with pytest.raises(StoreError, match=message):
        read_record(folder, "some")


def test_a_wrong_true_score_is_not_recorded(counted: Recorded, tmp_path: Path) -> None:
    wrong = counted.table.assign(true_score=counted.table["score"])
    with pytest.raises(StoreError, match=r"some: board [0-9]+: "):
        write_record(replace(counted, table=wrong), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_record_of_the_first_format_counts_all_edges(tmp_path: Path) -> None:
    made = recorded_study(tmp_path, "all")
    write_record(made, tmp_path)
    new = read_record(tmp_path, "some")
    assert new.table["score"].tolist() == new.table["true_score"].tolist()
    facts = json.loads((tmp_path / "some.json").read_text())
    (tmp_path / "some.json").write_text(json.dumps(facts | {"format": 1}))
    with pytest.raises(StoreError, match=r"some\.csv: expected the columns"):
        read_record(tmp_path, "some")  # which has columns that the first format did not have
    table = pd.read_csv(tmp_path / "some.csv", keep_default_na=False)
    table.drop(columns=["true_score", "edges"]).to_csv(tmp_path / "some.csv", index=False)
    old = read_record(tmp_path, "some")
    assert old.edges == "all"
    pd.testing.assert_frame_equal(old.table, new.table)
    pd.testing.assert_frame_equal(old.runs, new.runs)


def test_the_page_says_both_scores(counted: Recorded, folder: Path) -> None:
    written = {path.name for path in refresh(folder)}
    page = (folder / PAGE).read_text()
    heads, _, *lines = [line for line in page.splitlines() if line.startswith("| ")][:6]
    assert heads.startswith("| row | runs | max | min | mean | deviation | all edges: max | all edges: mean | paper: ")
    rows = counted.table.groupby(["setting", "fitness"])
    for line in lines:
        cells = [cell.strip(" *") for cell in line.split("|")[1:-1]]
        setting, *_, fitness = [*cells[0].split(), ""] if cells[0] in ("RAND", "ES") else cells[0].split()
        runs = rows.get_group((setting, fitness))
        assert cells[2] == f"{runs['score'].max()}"
        assert cells[6:8] == [f"{runs['true_score'].max()}", f"{runs['true_score'].mean():.1f}"]
    assert page.count(NOTE) == 2
    best = counted.boards[counted.best]
    said = f"{oracle.counted_score(best)} of 450 counted edges ({best.score} of 480 in all)"
    assert re.search(rf"\[{re.escape(said)}\]\(https://", page)
    for kind in ("convergence", "distributions"):
        assert f"some-{kind}.svg" in written
    assert f"{best.score} of 480 edges match" in (folder / "some-best.svg").read_text()
