"""Which edges the scores of other programs count, and that they are not mixed up with others."""

from pathlib import Path

import pandas as pd
import pytest

from evo.analysis.external_results import add_foreign, read_foreign
from evo.errors import ConfigError
from evo.experiments.experiment import run_experiment
from evo.experiments.frames import results
from tests.evo.laboratory import counting_suite


def written(folder: Path, text: str) -> Path:
    path = folder / "foreign.csv"
    path.write_text(text)
    return path


def test_scores_are_of_all_edges_unless_the_file_says_otherwise(tmp_path: Path) -> None:
    plain = read_foreign(written(tmp_path, "setting,best_score\nA,458\nA,0\n"))
    assert plain[["best_score", "true_score", "edges"]].to_numpy().tolist() == [[458, 458, "all"], [0, 0, "all"]]
    text = "setting,best_score,edges,true_score\nA,400,paper,412\nB,7,all,\nC,8,,8\nD,0,paper,0\n"
    stated = read_foreign(written(tmp_path, text))
    assert stated[["best_score", "true_score", "edges"]].to_numpy().tolist() == [
        [400, 412, "paper"],
        [7, 7, "all"],
        [8, 8, "all"],
        [0, 0, "paper"],
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("A,400,450,412", "column edges: '450' is not one of all, paper"),
        ("A,400,paper,", "column true_score: is empty; expected the score with all edges"),
        ("A,400,paper,399", r"column true_score: 399 does not fit a best_score of 400 \(paper edges\)"),
        ("A,400,all,401", r"column true_score: 401 does not fit a best_score of 400 \(all edges\)"),
        ("A,400,,399", r"column true_score: 399 does not fit a best_score of 400 \(all edges\)"),
        ("A,400,paper,many", "column true_score: 'many' is not a number of 0 or more"),
    ],
)
def test_scores_that_cannot_be_are_named(tmp_path: Path, line: str, message: str) -> None:
    path = written(tmp_path, f"setting,best_score,edges,true_score\nA,1,all,1\n{line}\n")
    with pytest.raises(ConfigError, match=rf"foreign\.csv, line 3, {message}") as caught:
        read_foreign(path)
    assert "\n" not in str(caught.value)


def test_runs_that_count_other_edges_are_not_compared(tmp_path: Path) -> None:
    run_experiment(counting_suite(tmp_path, 1_000), out=tmp_path / "out")
    ours = results(tmp_path / "out")
    refused = r"foreign\.csv: edges: the scores count 'all' edges, but those of the experiment count 'paper'; they"
    with pytest.raises(ConfigError, match=refused):
        add_foreign(ours, written(tmp_path, "setting,best_score\nA,40\n"), 50)
    alike = written(tmp_path, "setting,best_score,true_score,edges\nA,40,44,paper\n")
    assert add_foreign(ours, alike, 50)["edges"].tolist() == ["paper"] * (len(ours) + 1)
    with pytest.raises(ConfigError, match="has a score of 40, but the maximum is 39"):
        add_foreign(ours, alike, 39)
    mixed = written(tmp_path, "setting,best_score,true_score,edges\nA,40,44,paper\nA,40,,\n")
    with pytest.raises(ConfigError, match="the scores count 'all' edges"):
        add_foreign(ours, mixed, 50)


def test_printed_results_are_read_back(tmp_path: Path) -> None:
    run_experiment(counting_suite(tmp_path, 1_000), out=tmp_path / "out")
    ours = results(tmp_path / "out")
    path = written(tmp_path, ours.to_csv(index=False))
    shared = ["setting", "best_score", "true_score", "edges"]
    pd.testing.assert_frame_equal(read_foreign(path)[shared], ours[shared])
