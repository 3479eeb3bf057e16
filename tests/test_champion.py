"""The committed figures of `evo solve` follow from the committed record."""

from pathlib import Path

import pandas as pd
import pytest

from benchmarks.champion import TASK, table
from puzzles import Board

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def record() -> pd.DataFrame:
    return pd.read_csv(DOCS / "champion.csv")


def test_every_board_is_recounted(record: pd.DataFrame) -> None:
    for line in record.to_dict("records"):
        report = Board.from_url(line["link"]).verify()
        assert (report.score, report.valid) == (line["score"], True)
        assert report.placed == report.pieces
        if line["hints"] == "mandatory":
            assert report.hints_honoured >= 1
        if line["hints"] == "all":
            assert report.hints_honoured == 5


def test_no_task_is_there_twice_and_the_table_follows(record: pd.DataFrame) -> None:
    assert not record.duplicated(TASK).any()
    page = (DOCS / "champion.md").read_text()
    for line in table(record).splitlines():
        assert line in page
