"""The page's table of components agrees with its record, and the record with itself and with the counts."""

import csv
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evo
from benchmarks import sampled_components
from benchmarks.components import COLUMNS, COMPONENTS, easiest, variants
from benchmarks.enumerate import measure
from benchmarks.sampled_components import SAMPLED, sampled
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


def test_estimates_from_parts_of_a_tree_average_to_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, _ = evo.generate(6, 6, 4, 7, 4)
    settings = variants(10**9)["without shaving and backjumping"].model_copy(
        update={"pins": "none", "fix_corner": True}
    )
    whole, _ = measure(puzzle, settings)
    monkeypatch.setattr(sampled_components, "LEAST_DEALT", 300)
    found = [sampled(puzzle, settings, 0.0, np.random.default_rng(seed)) for seed in range(40)]
    assert all(30 <= one.searched < 100 < one.dealt < whole.nodes for one in found)
    nodes = [one.nodes for one in found]
    assert len(set(nodes)) > 1
    assert abs(np.mean(nodes) - whole.nodes) < 4 * np.std(nodes) / len(nodes) ** 0.5


def test_a_tree_with_few_nodes_is_searched_wholly() -> None:
    puzzle, _ = evo.generate(4, 4, 3, 5, 5)
    settings = variants(10**9)["all components"].model_copy(update={"pins": "none"})
    found = sampled(puzzle, settings, 1.0, np.random.default_rng(1))
    assert (found.level, found.nodes) == (0, measure(puzzle, settings)[0].nodes)


def test_every_instance_is_searched_wholly_or_estimated() -> None:
    whole, estimated = pd.read_csv(COMPONENTS), pd.read_csv(SAMPLED)
    assert tuple(estimated.columns) == sampled_components.COLUMNS
    assert list(dict.fromkeys(estimated["variant"])) == list(variants(1))
    parts = set(whole["instance"]), set(estimated["instance"])
    assert not parts[0] & parts[1]
    assert parts[0] | parts[1] == set(easiest())
    assert (
        len(estimated) == len(parts[1]) * len(variants(1)) == len(estimated[["instance", "variant"]].drop_duplicates())
    )
    assert len(parts[0] | parts[1]) == 48


def test_the_page_shows_the_means_over_all_instances() -> None:
    section = (DOCS / "enumeration.md").read_text().partition("### All 48")[2].partition("What this says")[0]
    assert [line for line in section.splitlines() if line.startswith("| ")][1:] == sampled_components.table()


def test_estimates_agree_with_whole_searches() -> None:
    both = pd.read_csv(sampled_components.CHECK).merge(pd.read_csv(COMPONENTS), on=["instance", "variant"])
    both = both[both["level"] > 0]
    errors = np.log(both["nodes_x"] / both["nodes_y"])
    assert len(both) == 59
    assert abs(np.exp(errors.mean()) - 1.004) < 0.001
    assert errors.abs().max() < np.log(1.3)
