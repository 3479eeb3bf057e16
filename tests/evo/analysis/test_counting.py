"""Solvers that count solutions: frames over several puzzles, sums and gains, pictures, and the command."""

import pandas as pd
import pytest

from evo.analysis.counting import common_instances, count_table, instance_table
from evo.cli.app import main
from evo.errors import ConfigError
from evo.experiments.count_frames import COUNT_COLUMNS, counts
from evo.experiments.experiment import run_experiment
from plots.errors import PlotError
from plots.instance_curves import draw_instances, draw_sums
from plots.style import picture_bytes
from puzzles import generate, save

LINES = [
    # puzzle, setting, solutions, proved, nodes, seconds
    ("one", "slow", 3, True, 1000, 4.0),
    ("one", "fast", 3, True, 250, 1.0),
    ("two", "slow", 1, True, 3000, 6.0),
    ("two", "fast", 1, True, 750, 4.0),
    ("three", "slow", 0, False, 9000, 9.0),
    ("three", "fast", 2, True, 10, 0.5),
    ("four", "slow", 5, False, 9000, 9.0),
    ("four", "fast", 7, False, 900, 9.0),
]


def frame(lines: list[tuple[str, str, int, bool, int, float]] = LINES) -> pd.DataFrame:
    rows = [
        [puzzle, setting, setting.upper(), 1, solutions, proved, nodes, seconds, "done"]
        for puzzle, setting, solutions, proved, nodes, seconds in lines
    ]
    return pd.DataFrame(rows, columns=COUNT_COLUMNS)


def test_sums_are_over_the_instances_that_all_have_proved() -> None:
    assert common_instances(frame()) == ["one", "two"]
    slow, fast = count_table(frame()).to_dict("records")
    assert (slow["setting"], slow["instances"], slow["proved"], slow["nodes"], slow["seconds"]) == (
        "slow", 4, 2, 4000, 10.0
    )  # fmt: skip
    assert (fast["proved"], fast["nodes"], fast["seconds"], fast["nodes_per_second"]) == (3, 1000, 5.0, 200.0)
    assert (slow["node_gain"], fast["node_gain"], fast["time_gain"]) == (0.0, 0.75, 0.5)
    assert count_table(frame(), "fast")["node_gain"].tolist() == [-3.0, 0.0]
    with pytest.raises(ConfigError, match="against: expected slow or fast; found 'quick'"):
        count_table(frame(), "quick")


def test_each_instance_has_its_best_time() -> None:
    table = instance_table(frame())
    assert table["puzzle"].tolist() == ["three", "one", "two", "four"]
    assert table["solutions"].tolist() == [2, 3, 1, 7]
    assert table["proved"].tolist() == [True, True, True, False]
    assert table["fastest"].tolist() == ["fast", "fast", "fast", ""]


def test_the_curves_are_sorted_by_best_time_and_logarithmic() -> None:
    figure = draw_instances(frame(), "nodes")
    [axes] = figure.axes
    assert axes.get_yscale() == "log"
    drawn = [(line.get_xdata().tolist(), line.get_ydata().tolist()) for line in axes.lines]
    assert drawn == [([2, 3], [1000, 3000]), ([1], [9000]), ([1, 2, 3], [10, 250, 750]), ([], [])]
    assert "1 that none finished" in " ".join(text.get_text() for text in figure.texts)
    assert picture_bytes(draw_instances(frame(), "seconds"), "svg").startswith(b"<?xml")
    with pytest.raises(PlotError, match="no instance was finished"):
        draw_instances(frame(LINES[-2:]), "nodes")


def test_the_sums_are_bars() -> None:
    left, right = draw_sums(count_table(frame())).axes
    assert [bar.get_height() for bar in left.patches] == [4000, 1000]
    assert [bar.get_height() for bar in right.patches] == [10.0, 5.0]
    with pytest.raises(PlotError, match="no instance was finished by all"):
        draw_sums(count_table(frame(LINES[4:])))


def test_suites_over_several_puzzles_are_tabulated_and_drawn(tmp_path, capsys) -> None:
    folders = []
    for seed in (1, 2):
        puzzle = generate(4, 4, 3, 4, seed, style="benoist", hints=1)[0]
        save(puzzle, tmp_path / f"p{seed}.json")
        folders.append(tmp_path / f"out{seed}")
        run_experiment("filtering", puzzle=str(tmp_path / f"p{seed}.json"), out=folders[-1])
    found = counts(folders)
    assert found["setting"].unique().tolist() == ["basic pairs", "edge filtering"]
    assert found["proved"].all()
    assert found.groupby("puzzle")["solutions"].nunique().tolist() == [1, 1]
    with pytest.raises(SystemExit) as stop:
        main(["counts", *map(str, folders), "-o", str(tmp_path / "pictures")])
    assert not stop.value.code
    said = capsys.readouterr().out
    assert "sums and gains are over the 2 instances" in said
    written = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert written == ["counts.csv", "nodes.svg", "seconds.svg", "sums.svg"]
    with pytest.raises(ConfigError, match="is also in"):
        counts([folders[0], folders[0]])


def test_scores_are_not_counts(tmp_path) -> None:
    save(generate(4, 4, 3, 4, 1)[0], tmp_path / "p.json")
    run_experiment("RAND", puzzle=str(tmp_path / "p.json"), evaluations=50, runs=1, out=tmp_path / "out")
    with pytest.raises(ConfigError, match="does not count solutions"):
        counts(tmp_path / "out")


def test_settings_that_disagree_are_an_error(tmp_path) -> None:
    save(generate(4, 4, 3, 4, 1, style="benoist", hints=1)[0], tmp_path / "p.json")
    run_experiment("filtering", puzzle=str(tmp_path / "p.json"), out=tmp_path / "out")
    [record] = (tmp_path / "out" / "runs").glob("edge*/run.json")
    text = record.read_text()
    wrong = text.replace('"solutions": ', '"solutions": 9')
    assert wrong != text
    record.write_text(wrong)
    with pytest.raises(ConfigError, match="expected the same number of solutions from all"):
        counts(tmp_path / "out")


def test_runs_of_one_setting_that_disagree_are_an_error(tmp_path) -> None:
    save(generate(4, 4, 3, 4, 1, style="benoist", hints=1)[0], tmp_path / "p.json")
    run_experiment("EDGE_FILTERING", puzzle=str(tmp_path / "p.json"), runs=2, out=tmp_path / "out")
    record, _ = sorted((tmp_path / "out" / "runs").glob("*/run.json"))
    record.write_text(record.read_text().replace('"solutions": ', '"solutions": 9'))
    with pytest.raises(ConfigError, match=r"found EDGE_FILTERING 9.*, EDGE_FILTERING"):
        counts(tmp_path / "out")
