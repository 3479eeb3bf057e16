"""The published bounds of minimum clues: the page agrees with the record, and the record's puzzles are recounted."""

import re
from pathlib import Path

import numpy as np

from benchmarks.pencil_minclue import record, rows
from puzzles.pencil import parse
from solvers.pencil import solve_lines

PAGE = Path(__file__).parents[1] / "docs" / "pencil.md"


def _cells(line: str) -> np.ndarray:
    return np.array(parse(line, "sudoku")[0].puzzle.clues, dtype=np.uint8).ravel()


def test_every_puzzle_is_recounted() -> None:
    lines = record()
    assert len({line.instance for line in lines}) == len(lines)
    for line in lines:
        puzzle, grid = _cells(line.puzzle), _cells(line.grid)
        counts, solutions = solve_lines(puzzle.reshape(1, 81))
        assert np.count_nonzero(puzzle) == line.found
        assert counts[0] == 1
        assert (solutions[0, 0] == grid).all()
        assert line.proved <= line.found
        assert line.proved <= line.published_upper  # a puzzle of so few clues is known
        assert float(line.published_lower) <= line.found


def test_the_page_shows_the_record() -> None:
    [section] = re.findall(r"^## Minimum clues\n(.*)", PAGE.read_text(), flags=re.MULTILINE | re.DOTALL)
    shown = [row for row in section.splitlines() if re.match(r"\| [0-9]", row)]
    assert shown == rows(record())
