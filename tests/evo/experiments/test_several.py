"""Several experiments side by side: in frames, and on the command line."""

from pathlib import Path

import pandas as pd
import pytest

import evo
from evo.analysis.study import Study
from evo.cli.app import main
from evo.errors import ConfigError
from tests.evo.live.sample import finished


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("several")
    finished(folder, "first")
    finished(folder, "second", seed=2)
    finished(folder, "other", runs=1, name="another puzzle")
    return folder


def test_frames_of_several_are_those_of_each_under_other_names(folder: Path) -> None:
    names = ("first", "second")
    for read in (evo.results, evo.traces, evo.fronts):
        both = read([folder / name for name in names])
        for name in names:
            part = both[both["experiment"] == name].drop(columns="experiment").reset_index(drop=True)
            assert set(part["setting"]) <= {f"long@{name}", f"short@{name}"}
            alone = read(str(folder / name))
            same = [column for column in alone if column != "setting"]
            pd.testing.assert_frame_equal(part[same], alone[same], check_dtype=False)
    assert "experiment" not in evo.results([folder / "first"])


def test_a_setting_that_occurs_once_keeps_its_name(folder: Path, tmp_path: Path) -> None:
    evo.run_experiment("RAND", out=tmp_path / "third", puzzle=str(folder / "six1.json"), evaluations=100, runs=1)
    both = evo.results([folder / "first", tmp_path / "third"])
    assert set(both["setting"]) == {"long", "short", "RAND"}


def test_what_cannot_be_compared_is_not_put_side_by_side(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"\(six\) and .* \(another puzzle\) are about different puzzles"):
        evo.results([folder / "first", folder / "other"])
    with pytest.raises(ConfigError, match="is named twice"):
        evo.results([folder / "first", folder / "second" / ".." / "first"])
    with pytest.raises(ConfigError, match="found none"):
        evo.results([])


def test_a_study_of_some_rows_keeps_the_settings_of_all(folder: Path) -> None:
    study = Study([folder / "first", folder / "second"])
    shown = study.showing(["long@first"])
    assert set(shown.runs["label"]) == set(shown.trace["label"]) == {"long@first"}
    assert shown.settings == study.settings == ["long@first", "short@first", "long@second", "short@second"]
    assert set(study.row_settings()) == set(study.settings)
    assert study.best().board.score == study.runs["true_score"].max()
    assert [note.split(" was")[0] for note in study.notes()[:2]] == ["first", "second"]


def _evo(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as stop:
        main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    return stop.value.code or 0, printed.out, printed.err


def test_the_commands_take_several(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = (folder / "first", folder / "second")
    code, out, _ = _evo(capsys, "compare", *both, "--by", "setting")
    assert (code, out.count("@first") >= 6, out.count(".svg")) == (0, True, 0)
    code, out, _ = _evo(capsys, "compare", *both, "--by", "setting", "-o", tmp_path / "c.svg")
    assert (code, (tmp_path / "c.svg").exists()) == (0, True)
    code, _, _ = _evo(capsys, "plot", "convergence", *both, "--scale", "linear", "-o", tmp_path / "p.svg")
    assert (code, (tmp_path / "p.svg").exists()) == (0, True)
    code, _, err = _evo(capsys, "plot", "pareto", *both, "--scale", "linear", "-o", tmp_path / "q.svg")
    assert (code, "a pareto picture has no such axis" in err) == (2, True)
    code, _, err = _evo(capsys, "report", *both)
    assert (code, "expected a file for the page about several experiments" in err) == (2, True)
    code, _, _ = _evo(capsys, "report", *both, "-o", tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text()
    assert code == 0
    assert "first and second on six" in page
    assert "long@second" in page
    assert not (folder / "first" / "pictures").exists()
