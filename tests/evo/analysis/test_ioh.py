import json
from pathlib import Path

import pandas as pd
import pytest

from evo.analysis.ioh import export_ioh
from evo.errors import ConfigError
from evo.experiments.rows import Row

GA, MOEA, ES = Row("GA_1", "random", "combined"), Row("MOEA_2", "knowledge"), Row("ES")
TRACES = {
    (GA, 1): [(1, 20), (7, 31), (1000, 31)],
    (GA, 2): [(1, 18)],
    (GA, 11): [(1, 18), (2, 19), (3_000_000_000, 480)],
    (MOEA, 1): [(1, 300), (50, 310)],
    (ES, 1): [(1, 0), (9, 1)],
}

Traces = dict[tuple[Row, int], list[tuple[int, int]]]


def frames(traces: Traces, states: dict[tuple[Row, int], str] | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
    state = states or {}
    runs = [(*row, run, state.get((row, run), "done")) for row, run in traces]
    points = [(*row, run, *point, 0.5) for (row, run), found in traces.items() for point in found]
    names = [*Row._fields, "run"]
    return (
        pd.DataFrame(runs, columns=[*names, "state"]),
        pd.DataFrame(points, columns=[*names, "evaluations", "best", "mean"]),
    )


def loaded(folder: Path) -> pd.DataFrame:
    """What iohinspector makes of a folder: a point to a line, runs numbered in the order of their files."""
    inspector = pytest.importorskip("iohinspector")
    manager = inspector.DataManager()
    manager.add_folder(str(folder))
    assert all(function.maximization is True for function in manager.functions)
    return pd.DataFrame(manager.load(monotonic=False, include_meta_data=True).to_dicts())


def test_iohinspector_loads_the_traces(tmp_path: Path) -> None:
    runs, trace = frames(TRACES)
    files = export_ioh(runs, trace.sample(frac=1, random_state=1), "eternity2", 256, 480, tmp_path / "out")
    assert [path.parent.name for path in files] == ["ES", "GA_1_random_combined", "MOEA_2_knowledge"]
    found = loaded(tmp_path / "out")
    assert set(found["function_name"]) == {"eternity2"}
    assert set(found["dimension"]) == {256}
    points = found.groupby(["algorithm_name", "run_id"])[["evaluations", "raw_y"]]
    assert {key: list(map(tuple, group.to_numpy().tolist())) for key, group in points} == {
        ("ES", 1): TRACES[ES, 1],
        ("GA_1 random combined", 1): TRACES[GA, 1],
        ("GA_1 random combined", 2): TRACES[GA, 2],
        ("GA_1 random combined", 3): TRACES[GA, 11],
        ("MOEA_2 knowledge", 1): TRACES[MOEA, 1],
    }
    ends = found.groupby(["algorithm_name", "run_id"])[["evals", "best_y"]].first().to_numpy().tolist()
    assert ends == [[9, 1], [1000, 31], [1, 18], [3_000_000_000, 480], [50, 310]]


def test_names_of_any_kind_stay_in_the_folder(tmp_path: Path) -> None:
    names = [
        "../../up",
        "/etc/x",
        "..",
        "a b",
        "a",
        "A",
        'say "hi"\n',
        "ünï",
        "?",
        "__import__('os').abort()",
        "x" * 300,
    ]
    rows = [Row(name) for name in names] + [Row("a", "b")]  # this one looks like "a b"
    runs, trace = frames({(row, 1): [(1, at), (2, at + 1)] for at, row in enumerate(rows)})
    files = export_ioh(runs, trace, "../my puzzle", 16, 24, tmp_path / "out")
    assert len({str(path).casefold() for path in files}) == len(rows)
    assert all(path.parent.parent == tmp_path / "out" for path in files)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    found = loaded(tmp_path / "out")
    assert set(found["function_name"]) == {"my_puzzle"}
    first = found[found["evaluations"] == 1].set_index("algorithm_name")["raw_y"].to_dict()
    assert first == {row.label: at for at, row in enumerate(rows[:-1])} | {"a b-2": len(rows) - 1}


def test_the_best_is_where_it_was_found_first(tmp_path: Path) -> None:
    [path] = export_ioh(*frames({(GA, 1): TRACES[GA, 1]}), "eternity2", 256, 480, tmp_path)
    about = json.loads(path.read_text())
    [scenario] = about["scenarios"]
    assert scenario["runs"] == [{"instance": 1, "evals": 1000, "best": {"evals": 7, "y": 31, "x": []}}]
    text = (path.parent / scenario["path"]).read_text()
    assert text == "evaluations raw_y\n1 20\n7 31\n1000 31\n"
    assert about["experiment_attributes"] == []  # iohinspector evaluates what is in there


def test_the_greatest_score_is_that_of_the_edges_that_count(tmp_path: Path) -> None:
    found = frames({(GA, 1): TRACES[GA, 1]})
    for edges, most, said in (("all", 480, "480"), ("paper", 450, "450 (of the edges that count)")):
        [path] = export_ioh(*found, "eternity2", 256, most, tmp_path / edges, edges=edges)
        assert json.loads(path.read_text())["algorithm"]["info"] == f"eternity2, greatest score {said}"


def test_only_runs_that_are_done_are_written(tmp_path: Path) -> None:
    runs, trace = frames(TRACES, {(GA, 2): "interrupted", (ES, 1): "failed", (MOEA, 1): "running"})
    [path] = export_ioh(runs, trace, "eternity2", 256, 480, tmp_path)
    assert [run["evals"] for run in json.loads(path.read_text())["scenarios"][0]["runs"]] == [1000, 3_000_000_000]


def test_what_cannot_be_exported_is_said(tmp_path: Path) -> None:
    runs, trace = frames(TRACES)
    with pytest.raises(ConfigError, match="no completed run has a trace"):
        export_ioh(runs, trace.iloc[:0], "eternity2", 256, 480, tmp_path / "none")
    with pytest.raises(ConfigError, match="no completed run has a trace"):
        export_ioh(runs.assign(state="running"), trace, "eternity2", 256, 480, tmp_path / "none")
    with pytest.raises(ConfigError, match="boards of 1 to 65535 cells; found 65536"):
        export_ioh(runs, trace, "eternity2", 65_536, 480, tmp_path / "none")
    with pytest.raises(ConfigError, match="the trace of GA_1 random combined, run 1, starts at evaluation 7, not at 1"):
        export_ioh(*frames({(GA, 1): [(7, 3)]}), "eternity2", 256, 480, tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    runs, trace = frames(TRACES)
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ConfigError, match="already exists and is not empty"):
        export_ioh(runs, trace, "eternity2", 256, 480, tmp_path)
    with pytest.raises(ConfigError, match=r"mine\.txt: cannot be written: File exists"):
        export_ioh(runs, trace, "eternity2", 256, 480, tmp_path / "mine.txt")
    with pytest.raises(ConfigError, match=r"cannot be written: .*null"):
        export_ioh(runs, trace, "eternity2", 256, 480, tmp_path / "a\0b")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
