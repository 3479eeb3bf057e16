"""The table of instance sets of docs/pencil.md: `python -m benchmarks.pencil_sets FOLDER [--every N]`.

FOLDER has the public sets under the names in `SETS`; those that are not there are left out. Each puzzle is solved, its
solution checked, and compared with the set's where that gives one. The rows are printed as the page has them, in CPU
seconds on one core. With `--every N` only every N-th puzzle of a set is solved.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

from benchmarks.pencil import sudoku_rate
from puzzles.pencil import Hashi, Reading, load
from solvers.pencil import available, solve


class Way(NamedTuple):
    """A set, and a model and an engine to solve it with."""

    file: str
    name: str
    model: str | None
    engine: str | None = None


SETS = (
    Way("sudoku_17_clues_sample.txt", "Sudoku with 17 clues", "rate"),
    Way("sudoku_hardest_sample.txt", "hard Sudoku", "rate"),
    Way("sudoku_17_clues_sample.txt", "Sudoku with 17 clues", "ip", "scipy"),
    Way("sudoku_janko_sample.jsonl", "Sudoku 16x16", "search"),
    Way("battleship_janko_sample.jsonl", "Battleship, 8x8 to 14x14", "gbm", "scipy"),
    Way("battleship_janko_sample.jsonl", "Battleship, 8x8 to 14x14", "gbm", "cp-sat"),
    Way("battleship_janko_sample.jsonl", "Battleship, 8x8 to 14x14", "cbm", "scipy"),
    Way("battleship_csplib014.pl", "Battleship, CSPLib 014", "gbm", "cp-sat"),
    Way("battleship_csplib014.pl", "Battleship, CSPLib 014", "gbm", "scipy"),
    Way("hashi_janko_sample.jsonl", "Hashi, 9x9 to 20x20", "cuts", "sat"),
    Way("hashi_coelho2019_sample.txt", "Hashi (Coelho 2019), 100 to 400 islands", "cuts", "sat"),
)


def measured(way: Way, readings: list[Reading]) -> str:
    """Return the row of a set."""
    if way.model == "rate":
        rate = sudoku_rate([reading.puzzle for reading in readings])
        unique = sum(solve(reading.puzzle).unique is True for reading in readings)
        return f"compiled | {rate:,.0f} a second with uniqueness | | {unique} of {len(readings)}"
    solve(readings[0].puzzle, model=way.model, engine=way.engine)  # loads what is compiled
    times: list[list[float]] = [[], []]
    unique = 0
    for reading in readings:
        for wanted in (1, 2):
            start = process_time()
            answer = solve(reading.puzzle, model=way.model, engine=way.engine, solutions=wanted)
            times[wanted - 1].append(process_time() - start)
        unique += answer.unique is True
        if answer.status != "solved" or (
            reading.solution is not None and answer.unique and answer.solution != reading.solution
        ):
            print(f"wrong: {way.name}, {reading.puzzle.name}: {answer.status}")
    first, both = (f"{np.mean(found):.4f}, {max(found):.3f}" for found in times)
    return f"{way.model}, {way.engine or 'compiled'} | {first} | {both} | {unique} of {len(readings)}"


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1, metavar="N")
    arguments = parser.parse_args()
    print("| set | model, engine | first solution | with uniqueness | unique |\n|---|---|---|---|---|")
    for way in SETS:
        path = arguments.folder / way.file
        if not path.exists() or (way.engine is not None and way.engine not in available()):
            continue
        readings = load(path)[:: arguments.every]
        print(f"| {len(readings)} {way.name} | {measured(way, readings)} |", flush=True)
        large = [one for one in readings if isinstance(one.puzzle, Hashi) and len(one.puzzle.islands) >= 400]
        if large and len(large) < len(readings):
            print(f"| of these, {len(large)} with 400 islands | {measured(way, large)} |", flush=True)


if __name__ == "__main__":
    main()
