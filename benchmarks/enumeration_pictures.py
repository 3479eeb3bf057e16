"""The pictures of `docs/enumeration.md`, from its records: `python -m benchmarks.enumeration_pictures FOLDER`.

The table of the 48 instances gives Figures 5 and 6, the record of components Figure 7.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pandas as pd

from evo.analysis.counting import count_table
from plots.instance_curves import MEASURES, draw_instances, draw_sums
from plots.style import save_picture

DOCS = Path(__file__).parents[1] / "docs"
ENGINES = ("backtracker", "edge-filtering")
SHAVING = ("without shaving", "shaving 2", "all components", "shaving 4", "shaving 5", "shaving all")


def main() -> None:
    """Write Figures 5 and 6, of two engines, and Figure 7."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    engines = engine_counts()
    for measure in MEASURES:
        save_picture(draw_instances(engines, measure), folder / f"enumeration_{measure}.svg", force=True)
    shaving = shaving_counts()
    save_picture(draw_sums(count_table(shaving)), folder / "enumeration_shaving.svg", force=True)


def engine_counts() -> pd.DataFrame:
    """Return the table of the 48 instances, one line per instance and engine; unfinished searches have no seconds."""
    lines = []
    for row in re.findall(
        r"^\| (E_\S+) \| \d+ \| \d+ \| (.*) \| (.*) \|$", (DOCS / "enumeration.md").read_text(), re.M
    ):
        for engine, cell in zip(ENGINES, row[1:], strict=True):
            nodes, _, seconds = cell.removeprefix("more than ").replace(",", "").partition(" / ")
            spent = float(seconds.removesuffix(" s")) if seconds else float("nan")
            lines.append((row[0], engine, bool(seconds), float(nodes), spent))
    return pd.DataFrame(lines, columns=["puzzle", "setting", "proved", "nodes", "seconds"])


def shaving_counts() -> pd.DataFrame:
    """Return the lines of the record of components that differ in shaving only, the default as limit 3."""
    table = pd.read_csv(DOCS / "enumeration_components.csv").rename(
        columns={"instance": "puzzle", "variant": "setting"}
    )
    parts = [table[table["setting"] == name] for name in SHAVING]
    names = {"without shaving": "none", "all components": "3"}
    found = pd.concat(parts, ignore_index=True).astype({"proved": bool})
    found["setting"] = [names.get(name, name.removeprefix("shaving ")) for name in found["setting"]]
    return found


if __name__ == "__main__":
    main()
