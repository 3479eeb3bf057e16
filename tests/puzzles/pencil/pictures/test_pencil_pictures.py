"""Pictures are well-formed, and show what the solution has."""

from xml.etree import ElementTree

import numpy as np
import pytest

from puzzles.pencil import svg, text
from puzzles.pencil.circuit import path
from puzzles.pencil.pictures.canvas import MARK, SOLVED
from tests.puzzles.pencil.samples import SAMPLES


@pytest.mark.parametrize("kind", SAMPLES)
def test_pictures_are_well_formed(kind: str) -> None:
    for seed in range(5):
        puzzle, solution = SAMPLES[kind](np.random.default_rng(seed))
        for shown in (None, solution):
            ElementTree.fromstring(svg(puzzle, shown))
            lines = text(puzzle, shown).plain.splitlines()
            assert len(lines) >= 2
            assert {len(line) for line in lines[:2]} != {0}
        ElementTree.fromstring(puzzle._repr_html_())
        assert "<title>A &amp; B</title>" in svg(puzzle, title="A & B")


def test_a_double_bridge_is_two_lines_and_a_path_is_marked() -> None:
    for seed in range(10):
        puzzle, solution = SAMPLES["hashi"](np.random.default_rng(seed))
        assert svg(puzzle, solution).count(SOLVED) == sum(bridge.n for bridge in solution)
        puzzle, solution = SAMPLES["circuit"](np.random.default_rng(seed))
        assert svg(puzzle, solution).count(MARK) == max(len(path(puzzle, solution)) - 1, 0)


def test_numbers_are_where_they_belong() -> None:
    puzzle, solution = SAMPLES["sudoku"](np.random.default_rng(1), (2, 2))
    rows = [line for line in text(puzzle, solution).plain.splitlines() if line[0] == "│"]
    assert [[int(char) for char in row if char.isdigit()] for row in rows] == [list(row) for row in solution]
