"""The committed figures of evolution past the paper follow from the committed record."""

import re
from pathlib import Path

import pandas as pd
import pytest

from benchmarks.evolution import TASK, table
from puzzles import Board

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def record() -> pd.DataFrame:
    return pd.read_csv(DOCS / "evolution.csv")


def test_every_board_is_recounted(record: pd.DataFrame) -> None:
    for line in record.to_dict("records"):
        report = Board.from_url(line["link"]).verify()
        assert (report.score, report.placed, report.duplicates) == (line["score"], report.pieces, [])


def test_no_run_is_there_twice_and_the_tables_follow(record: pd.DataFrame) -> None:
    assert not record.duplicated(TASK).any()
    page = (DOCS / "evolution.md").read_text()
    for _, part in record.groupby("suite"):
        for line in table(part).splitlines():
            assert line in page


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    [example] = re.findall(r"```python\n(.*?)```", (DOCS / "evolution.md").read_text(), flags=re.DOTALL)
    exec(example, {})
    score, changed = map(int, capsys.readouterr().out.split())
    assert 400 < score < 445
    assert 0 < changed <= 30
