"""Boards with known counts of solutions: `python -m benchmarks.known_boards FILE [ENGINE...]`.

FILE has a line of JSON per board: its pieces, a clue that fixes the rotation, and the number of solutions. Each engine
counts the solutions of all of them; wrong counts are named. Time is that of the processor.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.enumerate import measure
from evo.experiments.enumerating import engines
from evo.experiments.warmup import warm
from evo.settings.enumeration import EnumerationSettings
from puzzles import Hint, Puzzle


class KnownBoard(NamedTuple):
    """A puzzle whose hint fixes its rotation, and the number of its solutions."""

    puzzle: Puzzle
    solutions: int


def known_boards(path: Path) -> Iterator[KnownBoard]:
    """Return the boards of a file."""
    for line in path.read_text().splitlines():
        board = json.loads(line)
        clue, tiles = board["clue"], np.array(board["pieces"])
        hint = Hint(clue["tile"], clue["row"], clue["col"], -clue["quarter_turns_anticlockwise"] % 4)
        puzzle = Puzzle(board["rows"], board["cols"], tiles, name=board["name"], hints=[hint])
        yield KnownBoard(puzzle, board["solutions"])


def main() -> None:
    """Count the solutions of all boards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("engine", nargs="*", help=f"{', '.join(engines())}; by default all")
    parser.add_argument("--nodes", type=int, default=10**15, help="the most nodes of an engine on a board")
    given = parser.parse_args()
    boards = list(known_boards(given.file))
    for name in given.engine or engines():
        values: dict[str, Any] = {"pins": "all", "evaluations": given.nodes}
        settings = engines()[name](**values)
        warm(boards[0].puzzle, settings)
        print(f"{name:16} {count(boards, settings)}", flush=True)


def count(boards: list[KnownBoard], settings: EnumerationSettings) -> str:
    """Return how many counts are right, as a line of text."""
    right, wrong, open_boards, seconds, nodes = 0, [], 0, 0.0, 0
    for board in boards:
        tally, spent = measure(board.puzzle, settings)
        seconds, nodes = seconds + spent, nodes + tally.nodes
        if not tally.proved:
            open_boards += 1
        elif tally.solutions == board.solutions:
            right += 1
        else:
            wrong.append(f"{board.puzzle.name}: {tally.solutions} for {board.solutions}")
    text = f"{right} right, {len(wrong)} wrong, {open_boards} not finished, {nodes:,} nodes, {seconds:.1f} s"
    return "; ".join([text, *wrong])


if __name__ == "__main__":
    main()
