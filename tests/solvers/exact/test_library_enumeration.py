"""SAT and CP-SAT find the same boards as the engines, and what the libraries check is not the engines' own model."""

import pytest
from hypothesis import given, settings

from puzzles import Hint, Puzzle, generate
from solvers import ColourPairs, EdgeFiltering, cp_sat_solutions, sat_solutions
from tests.solvers.exact.test_enumeration import boards, engine, finished, tiny_puzzles

pytest.importorskip("ortools", reason="OR-tools is not installed")
pytest.importorskip("pysat", reason="python-sat is not installed")

LIBRARIES = [sat_solutions, cp_sat_solutions]


@pytest.mark.parametrize("library", LIBRARIES)
@settings(max_examples=25)
@given(drawn=tiny_puzzles())
def test_tiny_boards_with_twins_pins_and_no_frame(library, drawn: tuple[Puzzle, tuple[Hint, ...]]) -> None:
    puzzle, pins = drawn
    found = finished(engine(EdgeFiltering, puzzle, pins=pins, limit=200))
    if found.tally().proved:
        shown = library(puzzle, pins)
        assert {cells.tobytes() for cells in shown} == boards(found)
        assert len(shown) == found.tally().solutions


@pytest.mark.parametrize("library", LIBRARIES)
def test_small_boards(library) -> None:
    counts = []
    for seed in range(4):
        puzzle = generate(5, 5, 4, 5, seed, style="benoist", hints=1)[0]
        shown = library(puzzle, puzzle.hints)
        assert {cells.tobytes() for cells in shown} == boards(finished(engine(ColourPairs, puzzle, pins=puzzle.hints)))
        counts.append(len(shown))
    assert min(counts) > 0
    assert max(counts) > 1


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_limit_ends_the_search(library) -> None:
    puzzle = generate(4, 4, 2, 2, 1, style="benoist")[0]
    assert len({cells.tobytes() for cells in library(puzzle, limit=3)}) == 3


@pytest.mark.parametrize("library", LIBRARIES)
def test_tiles_that_cannot_fill_the_board_have_no_solution(library) -> None:
    tiles = generate(3, 3, 2, 2, 1)[0].tiles.copy()
    tiles[tiles.argmin(axis=0)[0]] = 1
    assert library(Puzzle(3, 3, tiles, strict=False)) == []
