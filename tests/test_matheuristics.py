"""The committed figures of the matheuristics follow from the committed record."""

import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from benchmarks import neighbourhoods, salassa, small_boards
from puzzles import Board

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def record() -> pd.DataFrame:
    return pd.read_csv(DOCS / "matheuristics.csv")


def test_every_board_is_recounted(record: pd.DataFrame) -> None:
    for line in record.to_dict("records"):
        report = Board.from_url(line["link"]).verify()
        assert (report.score, report.placed) == (line["score"], report.pieces)
        if line["suite"] != "salassa_repairs" and line["row"] not in ("from knowledge", "from cp"):  # may lack a frame
            assert report.valid
            assert report.frame
        assert line["proved"] <= line["regions"]


def test_the_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    page = (DOCS / "matheuristics.md").read_text()
    names: dict[str, object] = {}
    for example in re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL):
        exec(example, names)
    first, *_, last = capsys.readouterr().out.splitlines()
    before, swapped, assigned, after = map(int, first.split())
    assert before + swapped + assigned == after <= 112
    assert last == "12"


def test_no_task_is_there_twice_and_the_tables_follow(record: pd.DataFrame) -> None:
    assert not record.duplicated(salassa.TASK).any()
    page = (DOCS / "matheuristics.md").read_text()
    for _, part in record.groupby("suite"):
        for line in salassa.table(part).splitlines():
            assert line in page
    for line in salassa.contrasts(record):
        assert f"- {line}" in page


@pytest.mark.parametrize(
    ("name", "task", "table"),
    [
        ("small", small_boards.TASK, small_boards.table),
        ("neighbourhoods", ["start", "seed", "cycles", "neighbourhood"], neighbourhoods.table),
    ],
)
def test_the_other_tables_follow_from_their_records(
    name: str, task: list[str], table: Callable[[pd.DataFrame], str]
) -> None:
    lines = pd.read_csv(DOCS / f"matheuristics_{name}.csv")
    assert not lines.duplicated(task).any()
    page = (DOCS / "matheuristics.md").read_text()
    assert all(line in page for line in table(lines).splitlines())


def test_searches_from_a_board_end_where_their_gains_say() -> None:
    lines = pd.read_csv(DOCS / "matheuristics_neighbourhoods.csv")
    assert (lines["gained"] >= 0).all()
    for _, search in lines.groupby(["start", "seed"]):
        assert (search["before"] + search["gained"].sum() == search["after"]).all()


def test_small_boards_are_solved_where_all_edges_match() -> None:
    lines = pd.read_csv(DOCS / "matheuristics_small.csv")
    sizes = lines["puzzle"].str.split("x").str[1].astype(int)
    assert (lines["edges"] == 2 * sizes * (sizes - 1)).all()
    assert ((lines["matched"] == lines["edges"]) <= (lines["tiles"] == sizes**2)).all()
    cliques = lines[lines["method"] == "clique"]
    assert ((cliques["work"] < cliques["limit"]) <= (cliques["matched"] == cliques["edges"])).all()
