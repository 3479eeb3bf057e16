"""Boards with known counts of solutions: `python -m benchmarks.known_boards FILE [ENGINE...]`.

FILE has a line of JSON per board: its pieces, a clue that fixes the rotation, and the number of solutions. Each engine
counts the solutions of all of them; wrong counts are named. `--record FILE` gets a line for each board and engine; what
is in it already is not counted again, unless it was not finished and more nodes are allowed now. Time is that of the
processor.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.enumerate import append, is_settled, measure, recorded
from evo.experiments.enumerating import engines
from evo.experiments.warmup import warm
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
    """Count the solutions of all boards, and say what the record holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("engine", nargs="*", help=f"{', '.join(engines())}; by default all")
    parser.add_argument("--nodes", type=int, default=10**15, help="the most nodes of an engine on a board")
    parser.add_argument("--record", type=Path, required=True)
    given = parser.parse_args()
    boards = list(known_boards(given.file))
    for name in given.engine or engines():
        values: dict[str, Any] = {"pins": "all", "evaluations": given.nodes}
        settings = engines()[name](**values)
        warm(boards[0].puzzle, settings)
        for board in boards:
            if not is_settled(recorded(given.record).get((board.puzzle.name, name)), given.nodes):
                append(given.record, board.puzzle.name, name, *measure(board.puzzle, settings))
        print(f"{name:16} {summary(boards, name, recorded(given.record))}", flush=True)


def summary(boards: list[KnownBoard], engine: str, lines: dict[tuple[str, str], dict[str, Any]]) -> str:
    """Return how many counts of an engine are right, as a line of text."""
    found = [(board, lines[board.puzzle.name, engine]) for board in boards if (board.puzzle.name, engine) in lines]
    proved = [(board, line) for board, line in found if line["proved"]]
    wrong = [(board, line) for board, line in proved if line["solutions"] != board.solutions]
    nodes, seconds = (sum(line[column] for _, line in proved) for column in ("nodes", "seconds"))
    counts = f"{len(proved) - len(wrong)} right, {len(wrong)} wrong: {nodes:,} nodes, {seconds:.1f} s"
    given_up = [f"{board.puzzle.name} after {line['nodes']:,} nodes" for board, line in found if not line["proved"]]
    named = [f"{board.puzzle.name}: {line['solutions']} for {board.solutions}" for board, line in wrong]
    return "; ".join([counts, *(f"not finished: {text}" for text in given_up), *named])


if __name__ == "__main__":
    main()
