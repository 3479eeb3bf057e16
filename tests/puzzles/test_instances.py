"""The real instances, where they are at hand, and stand-ins for them always."""

import csv
from pathlib import Path

import pytest

from puzzles import Board, Puzzle, generate, load, load_boards, save


def test_the_record_boards_have_the_scores_people_claim(instances: Path) -> None:
    with open(instances / "boards" / "examples.tsv", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    boards = load_boards(instances / "boards" / "examples.tsv")
    assert len(rows) == len(boards) >= 5
    for row, board in zip(rows, boards, strict=True):
        report = board.verify()
        assert (report.name, report.score, report.duplicates) == (row["name"], int(row["score"]), ())
        assert report.valid
        if row["name"] == "Joshua_Blackwood_470":
            assert report.hints_honoured == 1
        if row["name"] == "Clues":
            assert report.hints_honoured == report.placed == 5
        for order in ("default", "jblackwood", "marie", "jef"):
            assert Board.from_url(board.to_url(order, pieces=False)) == board


def test_the_bundled_set_is_the_transcribed_one(instances: Path, eternity2: Puzzle) -> None:
    folder = instances / "eternity2"
    assert load(folder / "pieces.csv", hints=folder / "hints.csv") == eternity2


def test_all_benoist_instances_load(instances: Path) -> None:
    folder = instances / "benoist2008"
    files = sorted(folder.glob("E_*.csv"))
    assert len(files) == 48
    for path in files:
        side = int(path.name.split("_")[1])
        border, inner = path.name.split(".")[1][1:].split("i")
        puzzle = load(path, hints=folder / "hints.csv")
        assert puzzle.name == path.name.removesuffix(".csv")
        assert puzzle.shape == (side, side)
        assert (len(puzzle.border_colours), len(puzzle.inner_colours)) == (int(border), int(inner))
        assert Board.from_hints(puzzle).verify().valid
        assert len(puzzle.hints) == 1


def test_all_meta_instances_load(instances: Path) -> None:
    colours = {10: (4, 10), 12: (4, 12), 14: (5, 15), 16: (5, 17)}
    for side, counts in colours.items():
        puzzle = load(instances / "meta2010" / f"meta_{side}x{side}.csv")
        assert puzzle.shape == (side, side)
        assert (len(puzzle.border_colours), len(puzzle.inner_colours)) == counts


@pytest.mark.parametrize("side", [7, 10])
def test_generated_instances_of_both_kinds_load(side: int, tmp_path: Path) -> None:
    benoist, _ = generate(side, side, side, side, 1, style="benoist", hints=1)
    assert load(save(benoist, tmp_path / "E.txt", "benoist")) == benoist
    meta, _ = generate(side, side, 4, side, 1)
    assert load(save(meta, tmp_path / "meta.csv")) == meta
