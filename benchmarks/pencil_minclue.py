"""Bounds of the fewest clues of 9x9 grids: `python -m benchmarks.pencil_minclue GRIDS.csv [--every N] [--only ROW...]`.

GRIDS.csv has the columns `instance`, `grid`, `best_clues` and `lower_bound`, the last two as published. Each grid gets
so many CPU seconds, unless its bounds meet before, and a line in the record, from which the table in `docs/pencil.md`
is made; grids that are in the record are left out. Without FILE, the table is printed.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

from puzzles.pencil import Sudoku, parse, write
from solvers.pencil import improving_bounds

RECORD = Path(__file__).parents[1] / "docs" / "pencil_minclue.csv"


class Line(NamedTuple):
    """A line of the record: what is published of a grid, and what was found.

    Attributes:
        proved: The lower bound that the search has proved itself, without the theorem that 17 clues are the fewest.
        found: The clues of `puzzle`.
        found_after: The CPU seconds after which `puzzle` was found.
        seconds: The CPU seconds of all.
    """

    instance: str
    grid: str
    published_lower: str
    published_upper: int
    seed: int
    proved: int
    found: int
    found_after: float
    seconds: float
    puzzle: str


def record(path: Path = RECORD) -> list[Line]:
    """Return the lines of the record."""
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as table:
        return [
            Line(*(kind(row[name]) for name, kind in zip(Line._fields, _KINDS, strict=True)))
            for row in csv.DictReader(table)
        ]


_KINDS = (str, str, str, int, int, int, int, float, float, str)


def measured(row: dict[str, str], budget: float, seed: int) -> Line:
    """Return the bounds of a grid after so many CPU seconds."""
    [reading] = parse(row["grid"], "sudoku")
    assert isinstance(reading.puzzle, Sudoku)
    for bounds in improving_bounds(reading.puzzle.clues, (3, 3), theorem=False):
        if bounds.proved_here:  # all that is compiled is loaded
            break
    start, after, found = process_time(), 0.0, 82
    for bounds in improving_bounds(reading.puzzle.clues, (3, 3), rng=np.random.default_rng(seed), theorem=False):
        seconds = process_time() - start
        if bounds.puzzle.given < found:
            found, after = bounds.puzzle.given, seconds
        if seconds >= budget:
            break
    return Line(
        instance=row["instance"],
        grid=row["grid"],
        published_lower=row["lower_bound"],
        published_upper=int(row["best_clues"]),
        seed=seed,
        proved=bounds.proved_here,
        found=found,
        found_after=round(after, 1),
        seconds=round(seconds, 1),
        puzzle=write(bounds.puzzle, "line"),
    )


def rows(lines: list[Line]) -> list[str]:
    """Return the table of docs/pencil.md."""
    return [
        f"| {line.instance} | {line.proved} | {line.found} | {_published(line)} | {line.found_after:.0f} "
        f"| {line.seconds:.0f} |"
        for line in sorted(lines, key=lambda line: int(line.instance))
    ]


def _published(line: Line) -> str:
    lower = float(line.published_lower)
    return f"{line.published_upper}" if lower == line.published_upper else f"{lower:.1f} to {line.published_upper}"


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("grids", type=Path, nargs="?")
    parser.add_argument("--every", type=int, default=5, metavar="N")
    parser.add_argument("--only", nargs="+", metavar="INSTANCE")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", type=Path, default=RECORD)
    given = parser.parse_args()
    if given.grids is None:
        print("\n".join(rows(record(given.record))))
        return
    with open(given.grids, newline="", encoding="utf-8") as table:
        grids = list(csv.DictReader(table))[:: given.every]
    done = {line.instance for line in record(given.record)}
    for row in grids:
        if row["instance"] in done or (given.only and row["instance"] not in given.only):
            continue
        line = measured(row, given.seconds, given.seed)
        new = not given.record.exists()
        with open(given.record, "a", newline="", encoding="utf-8") as table:
            writer = csv.writer(table, lineterminator="\n")
            writer.writerows([Line._fields, line] if new else [line])
        print(*rows([line]), flush=True)


if __name__ == "__main__":
    main()
