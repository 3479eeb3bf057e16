import itertools
import logging
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager

from plots.errors import PlotError
from plots.layout import inches_wide
from plots.style import FONTS, by_row, looks, names_of, picture_bytes, rows_of, save_picture
from puzzles.errors import FileError
from tests.puzzles.test_drawing import DEUTERANOPIA, PROTANOPIA, _oklab

PAPER = ["RAND", "ES", "GA_1", "GA_2", "GA_3", "AIEA_1", "AIEA_2", "AIEA_3", "MOEA_1", "MOEA_2"]


def _figure() -> Figure:
    figure = Figure(figsize=(2, 1))
    figure.add_axes((0.2, 0.2, 0.7, 0.7)).plot([1, 2], label="x")
    return figure


def test_the_papers_settings_are_apart_for_all_eyes() -> None:
    chosen = looks(PAPER)
    assert len({look.marker for look in chosen.values()}) == 10
    colours = [look.colour for look in chosen.values()]
    for vision in (np.eye(3), np.array(PROTANOPIA), np.array(DEUTERANOPIA)):
        lab = _oklab(colours, vision)
        # 0.02 is about the smallest difference that eyes can see.
        assert min(np.linalg.norm(one - other) for one, other in itertools.combinations(lab, 2)) > 0.14
        white = _oklab(["#ffffff"], vision)[0]
        assert min(np.linalg.norm(one - white) for one in lab) > 0.2


def test_other_settings_take_looks_in_order_and_keep_off_the_papers() -> None:
    chosen = looks(["mine", "GA_2", "yours", "mine"])
    assert list(chosen) == ["mine", "GA_2", "yours"]
    assert chosen["GA_2"] == looks(["GA_2"])["GA_2"]
    assert chosen["mine"] == looks(["mine"])["mine"] != chosen["yours"]
    many = looks([*PAPER, *(f"mine {at}" for at in range(42))])
    assert len(set(many.values())) == 52


def test_rows_keep_their_order_of_appearance() -> None:
    rows = [("zebra", "random", "normal"), ("GA_1", "knowledge", "normal"), ("RAND", "", "")]
    frame = pd.DataFrame([*rows, *rows], columns=["setting", "init", "fitness"]).assign(
        place=range(6), label=list("zgrzgr")
    )
    assert rows_of(frame) == rows
    assert {row: list(part["place"]) for row, part in by_row(frame).items()}[rows[0]] == [0, 3]
    assert names_of(frame, "label") == dict(zip(rows, "zgr", strict=True))


@pytest.mark.parametrize(("kind", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_the_same_picture_is_the_same_bytes(kind: str, start: bytes) -> None:
    first = picture_bytes(_figure(), kind)
    assert first.startswith(start)
    assert picture_bytes(_figure(), kind) == first
    assert b"Date" not in first


def test_only_fonts_that_are_there_are_asked_for(caplog: pytest.LogCaptureFixture) -> None:
    assert FONTS[0] == "DejaVu Sans"
    assert set(FONTS) <= {font.name for font in fontManager.ttflist}
    figure = _figure()
    figure.text(0, 0, "日本 한국 ไทย")
    with caplog.at_level(logging.WARNING):
        picture_bytes(figure, "png")
        assert inches_wide("日本語") > 0
    assert caplog.records == []


def test_a_picture_is_saved_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "picture.PNG"
    assert save_picture(_figure(), path) == path
    with pytest.raises(FileError, match=r"picture\.PNG: already exists"):
        save_picture(_figure(), path)
    save_picture(_figure(), path, force=True)
    with pytest.raises(PlotError, match=r'picture\.jpg: expected a picture format among png, svg, pdf; found "jpg"'):
        save_picture(_figure(), tmp_path / "picture.jpg")
    with pytest.raises(FileError, match=r"nowhere/a\.png: cannot be written"):
        save_picture(_figure(), tmp_path / "nowhere" / "a.png")
