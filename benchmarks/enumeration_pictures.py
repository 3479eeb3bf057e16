"""The pictures of `docs/enumeration.md`, from its records: `python -m benchmarks.enumeration_pictures FOLDER`.

The record of the 48 instances gives Figures 5 and 6, the record of components Figure 7.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from evo.analysis.counting import count_table
from plots.instance_curves import MEASURES, draw_instances, draw_sums
from plots.style import save_picture

DOCS = Path(__file__).parents[1] / "docs"
ENGINES = ("backtracker", "edge_filtering", "colour_pairs", "portfolio")
SHAVING = ("without shaving", "shaving 2", "all components", "shaving 4", "shaving 5", "shaving all")


def main() -> None:
    """Write Figures 5, 6 and 7."""
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
    """Return the record of the 48 instances, a line for each instance and engine that has counted it."""
    table = pd.read_csv(DOCS / "enumeration.csv")
    parts = []
    for engine in ENGINES:
        columns = {f"{engine}_{measure}": measure for measure in MEASURES}
        part = table[["instance", *columns]].rename(columns={"instance": "puzzle", **columns}).dropna()
        parts.append(part.assign(setting=engine.replace("_", "-"), proved=True))
    return pd.concat(parts, ignore_index=True)


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
