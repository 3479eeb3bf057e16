"""The committed reproduction of Table II follows from its committed record."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evo.analysis.record import Recorded, read_record, recorded_in
from evo.analysis.reproduction import AGREES, beside, refreshed
from evo.experiments.plan import make_plan, run_seed
from evo.experiments.rows import Row
from evo.experiments.single_run import run
from evo.settings.registry import make_settings
from puzzles import Puzzle

FOLDER = Path(__file__).parents[1] / "docs" / "reproduction"
SUITES = {"table2": "all", "table2_printed": "paper"}
"""The suites of Table II, and which edges count in them."""


@pytest.fixture(scope="module")
def records() -> dict[str, Recorded]:
    """All records; reading one recounts each of its boards, and refuses one whose score is not the trace's best."""
    return {name: read_record(FOLDER, name) for name in recorded_in(FOLDER)}


def test_the_tables_of_the_page_follow_from_the_records(records: dict[str, Recorded]) -> None:
    page = (FOLDER / "README.md").read_text()
    assert refreshed(page, records) == page
    assert page.count("<!-- end -->") >= 4


@pytest.mark.parametrize("suite", SUITES)
def test_the_runs_are_all_those_of_the_suite_and_all_different(records: dict[str, Recorded], suite: str) -> None:
    table = records[suite].table
    assert records[suite].edges == SUITES[suite]
    planned = {(run.label, run.run): run for run in make_plan([suite]).runs}
    found = set()
    for line in table.to_dict("records"):
        label = Row(line["setting"], line["init"], line["fitness"]).label
        run = planned[label, line["run"]]
        found.add((label, line["run"]))
        assert line["seed"] == run.settings["seed"] == run_seed(1, label, line["run"])
        assert line["budget"] == run.settings["evaluations"] == 50_000_000
        assert 49_990_000 <= line["evaluations"] <= 50_000_000
    assert found == set(planned)
    assert len(table) == 300
    assert table["seed"].is_unique
    assert len({board.cells.tobytes() for board in records[suite].boards}) == len(table)


@pytest.mark.parametrize("suite", SUITES)
def test_curves_end_with_the_scores_of_the_runs(records: dict[str, Recorded], suite: str) -> None:
    record = records[suite]
    keys = list(Row._fields)
    for row, curve in record.curves.groupby(keys):
        if suite == "table2":  # the other suite reports the last population, which may be worse than an earlier one
            for name in ("lower", "median", "upper"):
                assert curve[name].is_monotonic_increasing, row
        scores = record.runs.set_index(keys).loc[[row], "best_score"]
        assert curve["median"].iloc[-1] == scores.median()
        assert curve["runs"].iloc[0] == len(scores)


@pytest.mark.parametrize(
    ("suite", "label", "until"),
    [
        ("table2", "RAND", 20_000),
        ("table2", "ES", 1_000),
        ("table2", "GA_1 random normal", 40_000),
        ("table2", "AIEA_3 random combined", 3_000),
        ("table2_printed", "RAND", 20_000),
        ("table2_printed", "AIEA_3 random combined", 3_000),
    ],
)
def test_the_recorded_runs_begin_as_they_do_today(
    records: dict[str, Recorded], suite: str, label: str, until: int
) -> None:
    """Runs that count all edges breed the boards that they bred before another choice existed."""
    record = records[suite]
    planned = [one for one in make_plan([suite]).runs if one.label == label]
    found = [best_until(record.puzzle, one.settings, until) for one in planned]
    row = planned[0].setting, planned[0].init, planned[0].fitness
    curve = record.curves.groupby(list(Row._fields)).get_group(row)
    early = curve[curve["evaluations"] <= until]
    assert len(early) > 40
    for line in early.to_dict("records"):
        then = [max(score for evaluations, score in run if evaluations <= line["evaluations"]) for run in found]
        expected = [f"{value:.6g}" for value in np.quantile(then, (0.25, 0.5, 0.75))]
        assert [f"{line[name]:.6g}" for name in ("lower", "median", "upper")] == expected, line["evaluations"]


def best_until(puzzle: Puzzle, settings: dict[str, Any], until: int) -> list[tuple[int, int]]:
    """The evaluations and best scores of a run's first reports."""
    found = []
    for report in run(puzzle, make_settings(settings)):
        if report.evaluations > until:
            break
        found.append((report.evaluations, report.best_score))
    return found


@pytest.mark.parametrize("suite", SUITES)
def test_every_difference_is_spoken_of(records: dict[str, Recorded], suite: str) -> None:
    page = (FOLDER / "README.md").read_text()
    words = re.sub(r"<!-- [^\n]+ -->\n.*?<!-- end -->", "", page, flags=re.DOTALL)
    words = words.partition("## As printed")[2]
    printed, _, described = words.partition("## As described")
    words = printed if suite == "table2_printed" else described
    table = beside(records[suite].runs)
    for setting in set(table.loc[table["verdict"] != AGREES, "setting"]):
        assert setting in words, setting
