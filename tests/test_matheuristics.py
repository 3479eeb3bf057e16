"""The committed figures of the matheuristics follow from the committed record."""

import re
from pathlib import Path

import pandas as pd
import pytest

from benchmarks.salassa import TASK, table
from puzzles import Board

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def record() -> pd.DataFrame:
    return pd.read_csv(DOCS / "matheuristics.csv")


def test_every_board_is_recounted(record: pd.DataFrame) -> None:
    for line in record.to_dict("records"):
        report = Board.from_url(line["link"]).verify()
        assert (report.score, report.valid, report.frame) == (line["score"], True, True)
        assert report.placed == report.pieces
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
    assert not record.duplicated(TASK).any()
    page = (DOCS / "matheuristics.md").read_text()
    for _, part in record.groupby("suite"):
        for line in table(part).splitlines():
            assert line in page
