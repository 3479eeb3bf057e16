"""The published counts: the page agrees with the record, and the record with the instances where they are at hand."""

import csv
import re
from pathlib import Path

import pytest

import evo
from puzzles import load

DOCS = Path(__file__).parents[1] / "docs"
ENGINES = ("backtracker", "edge_filtering", "colour_pairs", "portfolio")


def record() -> dict[str, dict[str, str]]:
    with open(DOCS / "enumeration.csv", newline="") as table:
        return {row["instance"]: row for row in csv.DictReader(table)}


def test_the_page_shows_the_record() -> None:
    page = (DOCS / "enumeration.md").read_text()
    shown = re.findall(r"^\| (E_\S+\.\S+ \| .*) \|$", page, re.M)
    expected = []
    for name, row in record().items():
        runs = [(row[f"{engine}_nodes"], row[f"{engine}_seconds"]) for engine in ENGINES]
        cells = [f"{int(nodes):,} / {float(seconds):.2f} s" if nodes else "-" for nodes, seconds in runs]
        expected.append(" | ".join([name, row["solutions"], row["labelled"], *cells]))
    assert shown == expected
    assert len(shown) == 48


def test_the_page_shows_basic_colour_pairs_and_edge_filtering_beside_table_2() -> None:
    section = (DOCS / "enumeration.md").read_text().partition("**Table 2.**")[2]
    shown = re.findall(r"^\| (E_\d+_\d+) \| [\d,]+ \| ([\d,]+) \| [\d,]+ \| ([\d,]+) \|$", section, re.M)
    filtered = {name.partition(".")[0]: int(row["edge_filtering_nodes"]) for name, row in record().items()}
    with open(DOCS / "enumeration_basic.csv", newline="") as table:
        basic = {row["instance"].partition(".")[0]: int(row["nodes"]) for row in csv.DictReader(table)}
    assert shown == [(name, f"{nodes:,}", f"{filtered[name]:,}") for name, nodes in basic.items()]
    assert len(shown) == 10


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
