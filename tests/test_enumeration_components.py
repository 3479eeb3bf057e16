"""The page's table of components agrees with its record, and the record with itself and with the counts."""

import csv
import re
from collections import defaultdict
from pathlib import Path

import pytest

import evo
from benchmarks.components import COLUMNS, variants
from puzzles import load

DOCS = Path(__file__).parents[1] / "docs"


def record() -> dict[str, dict[str, dict[str, str]]]:
    """The lines of each variant, by instance."""
    found: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
    with open(DOCS / "enumeration_components.csv", newline="") as table:
        for row in csv.DictReader(table):
            assert tuple(row) == COLUMNS
            assert row["instance"] not in found[row["variant"]]
            found[row["variant"]][row["instance"]] = row
    return found


def test_every_variant_counted_the_same_instances_and_the_same_solutions() -> None:
    lines = record()
    assert list(lines) == list(variants(1))
    with open(DOCS / "enumeration.csv", newline="") as table:
        counted = {row["instance"]: row["solutions"] for row in csv.DictReader(table)}
    instances = set(lines["all components"])
    assert len(instances) >= 5
    for variant in lines.values():
        assert set(variant) == instances
        assert all((row["proved"], row["solutions"]) == ("1", counted[name]) for name, row in variant.items())


def test_the_page_shows_the_sums_of_the_record() -> None:
    page = (DOCS / "enumeration.md").read_text()
    section = page.partition("## The paper's components")[2].partition("\n## ")[0]
    shown = re.findall(r"^\| ([\w ]+?) \| ([\d,]+) \| ([+-]\d+) % \| ([\d.]+) \| ([+-]\d+) % \|$", section, re.M)
    lines = record()
    base = [sum(float(row[column]) for row in lines["all components"].values()) for column in ("nodes", "seconds")]
    expected = []
    for name, variant in lines.items():
        nodes, seconds = (sum(float(row[column]) for row in variant.values()) for column in ("nodes", "seconds"))
        change = [f"{100 * (value / whole - 1):+.0f}" for value, whole in zip((nodes, seconds), base, strict=True)]
        expected.append((name, f"{nodes:,.0f}", change[0], f"{seconds:.1f}", change[1]))
    assert shown == expected


@pytest.mark.parametrize("name", ["all components", "without backjumping", "without cycle rule"])
def test_the_easiest_instance_has_the_recorded_nodes(name: str, instances: Path) -> None:
    folder = instances / "benoist2008"
    row = min(record()[name].values(), key=lambda row: int(row["nodes"]))
    puzzle = load(folder / f"{row['instance']}.nohint.csv", hints=folder / "hints.csv")
    [*_, last] = evo.make_search(puzzle, variants(10**9)[name]).reports()
    assert last.evaluations == int(row["nodes"])
