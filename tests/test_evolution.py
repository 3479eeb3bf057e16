"""The committed figures of evolution past the paper follow from the committed record."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evo
from benchmarks.evolution import TASK, in_order, of_experiment, tables, with_tables
from benchmarks.evolution_facts import FACTS, interval, verdict
from evo.experiments.experiment import begin, resume_experiment
from evo.experiments.plan import make_plan
from puzzles import Board

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def record() -> pd.DataFrame:
    return pd.read_csv(DOCS / "evolution.csv")


def test_every_board_is_recounted(record: pd.DataFrame) -> None:
    for line in record.to_dict("records"):
        report = Board.from_url(line["link"]).verify()
        assert (report.score, report.placed, report.duplicates) == (line["score"], report.pieces, ())


def test_no_run_is_there_twice_and_the_tables_follow(record: pd.DataFrame) -> None:
    assert not record.duplicated(TASK).any()
    page = (DOCS / "evolution.md").read_text()
    assert with_tables(page, record) == page
    assert all(f"<!-- {name} -->\n{text}\n" in page for name, text in tables(record))


def test_the_rows_are_in_the_order_of_their_suites(record: pd.DataFrame) -> None:
    assert in_order(record).equals(record)
    assert in_order(record.sample(frac=1, random_state=1)).reset_index(drop=True).equals(record)
    steps = list(dict.fromkeys(record.loc[record["suite"] == "ladder", "row"]))
    assert [int(name.partition(" ")[0]) for name in steps] == list(range(len(steps)))


def test_runs_of_an_experiment_become_lines(tmp_path: Path) -> None:
    out = begin(make_plan([evo.RAND(evaluations=30)], runs=2, seed=5), tmp_path / "out").path
    resume_experiment(out)
    lines = list(of_experiment(out))
    assert [line[1:4] for line in lines] == [["RAND", 5, 1], ["RAND", 5, 2]]
    for line in lines:
        assert line[6] == 30
        assert Board.from_url(str(line[9])).score == line[4]


@pytest.mark.parametrize(
    ("expected", "gain", "p", "bounds", "found"),
    [
        ("gain", 3.0, 0.01, (1.0, 5.0), "confirmed"),
        ("gain", 3.0, 0.2, (-1.0, 7.0), "not confirmed"),
        ("gain", -3.0, 0.01, (-5.0, -1.0), "refuted"),
        ("nothing", 0.5, 0.4, (-1.0, 2.0), "confirmed"),
        ("nothing", 0.5, 0.4, (-1.0, 2.1), "undecided"),
        ("nothing", 1.0, 0.01, (0.5, 1.5), "refuted"),
        ("nothing", -1.0, 0.01, (-1.5, -0.5), "confirmed, it loses"),
    ],
)
def test_what_a_verdict_says(expected: str, gain: float, p: float, bounds: tuple[float, float], found: str) -> None:
    assert verdict(expected, gain, p, bounds) == found


def test_every_fact_is_about_rows_that_there_are_and_the_interval_is_that_of_the_means() -> None:
    rows = {(run.setting, suite) for suite in ("ablations", "ladder", "orders") for run in make_plan([suite]).runs}
    for fact in FACTS:
        assert {(fact.row, fact.suite), (fact.other, fact.suite)} <= rows
    one, other = pd.Series([10, 11, 12, 13] * 25), pd.Series([8, 9, 10, 11] * 25)
    low, high = interval(one, other)
    error = np.sqrt(2 * 1.25 / 100)
    assert (low, high) == pytest.approx((2 - 1.96 * error, 2 + 1.96 * error), abs=0.05)


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    [example] = re.findall(r"```python\n(.*?)```", (DOCS / "evolution.md").read_text(), flags=re.DOTALL)
    exec(example, {})
    score, changed = map(int, capsys.readouterr().out.split())
    assert 400 < score < 445
    assert 0 < changed <= 30
