"""The published counts: the page agrees with the record, and the record with the instances where they are at hand."""

import csv
import re
from pathlib import Path

import pytest

import evo
from puzzles import load

DOCS = Path(__file__).parents[1] / "docs"


def record() -> dict[str, dict[str, str]]:
    with open(DOCS / "enumeration.csv", newline="") as table:
        return {row["instance"]: row for row in csv.DictReader(table)}


def test_the_page_shows_the_record() -> None:
    page = (DOCS / "enumeration.md").read_text()
    rows = re.findall(r"^\| (E_\S+) \| ([\d,]+) \| ([\d,]+) \|.*\| ([\d,]+) / ", page, re.M)
    shown = {name: [int(number.replace(",", "")) for number in numbers] for name, *numbers in rows}
    columns = ("solutions", "labelled", "edge_filtering_nodes")
    assert shown == {name: [int(row[column]) for column in columns] for name, row in record().items()}


@pytest.mark.parametrize("engine", ["edge-filtering", "portfolio"])
def test_the_easiest_instances_have_the_recorded_counts(engine: str, instances: Path) -> None:
    folder = instances / "benoist2008"
    easiest = sorted(record().values(), key=lambda row: int(row["edge_filtering_nodes"]))[:6]
    for row in easiest:
        puzzle = load(folder / f"{row['instance']}.nohint.csv", hints=folder / "hints.csv")
        result = evo.enumerate(puzzle, engine=engine, hints="all").result()
        assert (result.solutions, result.labelled, result.proved) == (int(row["solutions"]), int(row["labelled"]), True)
        if engine == "edge-filtering":
            assert result.nodes == int(row["edge_filtering_nodes"])
