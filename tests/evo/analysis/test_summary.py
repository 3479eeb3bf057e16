import math
import statistics

import pandas as pd
import pytest

from evo.analysis.summary import beside_paper, counting_note, paper_table, summary
from evo.settings.paper import TABLE_2
from puzzles import Puzzle

Run = tuple[str, str, str, int, str]


def frame(*runs: Run) -> pd.DataFrame:
    columns = ["setting", "init", "fitness", "best_score", "state"]
    found = pd.DataFrame(list(runs), columns=columns)
    found["true_score"] = found["best_score"] + 5  # as of runs that do not count five edges that match
    return found.assign(evaluations=[100 * (at + 1) for at in range(len(runs))], seconds=[0.5] * len(runs))


GA_1 = ("GA_1", "random", "normal")
OWN = ("my <own>/name", "", "")
RUNS = frame(
    (*OWN, 7, "done"),
    (*GA_1, 290, "done"),
    (*GA_1, 300, "done"),
    (*GA_1, 301, "done"),
    (*GA_1, 450, "running"),
    ("ES", "", "", -1, "pending"),
)


def test_the_table_has_every_row_of_the_paper() -> None:
    table = paper_table()
    assert len(table) == len(TABLE_2)
    assert table.iloc[0].tolist() == ["RAND", "", "", 48, 44, 46.3, 1.0]
    assert table.iloc[26].tolist() == ["MOEA_1", "random", "", 365, 346, 356.7, 5.98]
    assert not table.isna().any(axis=None)


def test_the_figures_of_a_row() -> None:
    found = summary(RUNS, paper_table())
    assert found["setting"].tolist() == ["ES", "GA_1", "my <own>/name"]  # the paper's order, then others
    row = found.iloc[1]
    assert (row["runs"], row["done"], row["max"], row["min"]) == (4, 3, 301, 290)  # the unfinished 450 does not count
    assert row["mean"] == 297
    assert row["deviation"] == pytest.approx(statistics.pstdev([290, 300, 301]))
    assert (row["true_max"], row["true_mean"]) == (306, 302)
    assert (row["evaluations"], row["seconds"]) == (300, 0.5)
    assert (row["paper_mean"], row["paper_max"], row["difference"]) == (292.5, 303, 4.5)


def test_what_is_not_known_is_missing() -> None:
    found = summary(RUNS, paper_table())
    pending, _, own = (row for _, row in found.iterrows())
    assert (pending["runs"], pending["done"], pending["paper_mean"]) == (1, 0, 364.4)
    missing = ("max", "mean", "deviation", "true_max", "true_mean", "evaluations", "difference")
    assert all(math.isnan(pending[name]) for name in missing)
    assert (own["mean"], own["max"]) == (7, 7)
    assert all(math.isnan(own[name]) for name in ("deviation", "paper_mean", "paper_max", "difference"))
    assert summary(RUNS)["paper_mean"].isna().all()


def test_no_runs_at_all() -> None:
    found = summary(RUNS.iloc[:0], paper_table())
    assert len(found) == 0
    assert found.columns.tolist() == summary(RUNS).columns.tolist()


def test_the_paper_divides_by_the_number_of_runs() -> None:
    """Which divisor makes the printed deviations possible at all?

    Ten whole numbers of known sum have a sum of squares that is whole, and odd or even as their sum is.
    """

    def possible(divisor: int, mean: float, deviation: float) -> bool:
        total = round(10 * mean)
        least, most = (divisor * (deviation + slack) ** 2 + total**2 / 10 for slack in (-0.005, 0.005))
        return any(square % 2 == total % 2 for square in range(math.ceil(least), math.floor(most) + 1))

    assert sum(possible(10, row.mean, row.deviation) for row in TABLE_2) == 30
    assert sum(possible(9, row.mean, row.deviation) for row in TABLE_2) == 12


@pytest.mark.parametrize(
    ("budgets", "made", "said"),
    [
        ([50_000_000], [49_999_951], "of 50,000,000 evaluations each, as here."),
        ([50_000_000], [10_000], "of 50,000,000 evaluations each; runs here used 10,000."),
        ([50_000_000, 50_000_000], [10_000, 20_000], "; runs here used 10,000 to 20,000."),
        ([1_000_000], [999_000], "; runs here have 1,000,000."),
        ([1_000_000, 2_000_000], [999_000, 1_999_000], "; runs here have 1,000,000 to 2,000,000."),
    ],
)
def test_what_to_know_beside_the_papers_figures(budgets: list[int], made: list[int], said: str) -> None:
    runs = frame(*[(*GA_1, 290, "done")] * len(budgets)).assign(budget=budgets, evaluations=made)
    about_runs, about_edges = beside_paper(runs).split(" Its ")
    assert about_runs.endswith(said)
    assert about_edges == "scores are of 450 edges, those that its program seems to have counted."


def test_what_the_scores_of_runs_count_is_said(eternity2: Puzzle) -> None:
    said = "Scores are of the 450 edges that count; true scores are of all 480 edges of the same boards."
    assert counting_note(eternity2, "paper") == said
    alone = "Scores are of the 450 edges that count, of 480 in all."
    assert counting_note(eternity2, "paper", both=False) == alone
