import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles import Board, Puzzle, PuzzleError, generate
from puzzles.tiles import border_sides


def _canonical(tile: np.ndarray) -> tuple[int, ...]:
    return min(tuple(np.roll(tile, turn).tolist()) for turn in range(4))


def _edge_counts(puzzle: Puzzle, marked: np.ndarray) -> np.ndarray:
    """How many edges of the solution have each colour, among the marked sides: every edge has two sides."""
    return np.bincount(puzzle.tiles[marked])[1:] // 2


@given(st.integers(2, 9), st.integers(2, 9), st.integers(0, 2**32))
@settings(max_examples=40)
def test_eternity_style_keeps_all_its_promises(rows: int, cols: int, seed: int) -> None:
    border, inner = 4, max(4, rows, cols)
    puzzle, solution = generate(rows, cols, border, inner, seed)
    assert solution.verify().solved
    assert set(puzzle.border_colours) <= set(range(1, border + 1))
    assert set(puzzle.inner_colours) <= set(range(border + 1, border + inner + 1))
    along = border_sides(puzzle.tiles)
    for marked, colours in ((along, range(border)), (~along & (puzzle.tiles > 0), range(border, border + inner))):
        counts = np.bincount(puzzle.tiles[marked], minlength=border + inner + 1)[1:][colours] // 2
        assert counts.max() - counts.min() <= 1
    assert len({_canonical(tile) for tile in puzzle.tiles}) == puzzle.size
    assert not any((np.roll(tile, 2) == tile).all() for tile in puzzle.tiles)
    assert list(puzzle.kinds) == sorted(puzzle.kinds, key=["corner", "border", "inner"].index)


def test_eternity_style_makes_a_puzzle_like_eternity2(eternity2: Puzzle) -> None:
    puzzle, solution = generate(16, 16, 5, 17, 1)
    assert solution.verify().solved
    assert puzzle.kinds == eternity2.kinds
    assert puzzle.border_colours == eternity2.border_colours
    assert puzzle.inner_colours == eternity2.inner_colours
    along = border_sides(puzzle.tiles)
    assert sorted(_edge_counts(puzzle, along)) == [12] * 5
    assert sorted(_edge_counts(puzzle, ~along & (puzzle.tiles > 0))[5:]) == [24] * 5 + [25] * 12


def test_benoist_style_draws_every_edge_uniformly() -> None:
    counts = np.zeros(9, dtype=np.int64)
    for seed in range(40):
        puzzle, solution = generate(10, 10, 9, 9, seed, style="benoist")
        assert solution.verify().solved
        counts += np.bincount(puzzle.tiles.ravel(), minlength=10)[1:] // 2
    expected = 40 * 180 / 9
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    assert counts.sum() == 40 * 180
    assert chi_square < 26.1  # 8 degrees of freedom, p = 0.001
    assert puzzle.inner_colours == tuple(range(1, 10))
    assert set(puzzle.border_colours) & set(puzzle.inner_colours)


def test_benoist_style_does_not_sort_the_pieces() -> None:
    puzzle, _ = generate(6, 6, 5, 5, 1, style="benoist")
    assert list(puzzle.kinds) != sorted(puzzle.kinds, key=["corner", "border", "inner"].index)


def test_the_same_seed_gives_the_same_puzzle() -> None:
    one, other = generate(7, 8, 4, 8, 3), generate(7, 8, 4, 8, 3)
    assert one == other
    assert generate(7, 8, 4, 8, 4)[0] != one[0]
    assert generate(7, 8, 4, 8, np.random.default_rng(3)) == one
    # A committed baseline: puzzles that people have published must not change under them.
    assert one[0].tiles[:5].tolist() == BASELINE_TILES
    assert one[1].cells[0].tolist() == BASELINE_CELLS


BASELINE_TILES = [[2, 0, 0, 4], [0, 2, 3, 0], [0, 1, 3, 0], [3, 0, 0, 4], [9, 1, 0, 4]]
BASELINE_CELLS = [8, 74, 32, 39, 54, 91, 85, 15]


def test_hints_are_taken_from_the_solution() -> None:
    puzzle, solution = generate(5, 5, 3, 6, 1, hints=7)
    assert len(puzzle.hints) == 7
    assert solution.verify().hints_honoured == 7
    assert Board.from_hints(puzzle).verify().placed == 7


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((0, 4, 2, 2, 1), {}, "no cells"),
        ((200, 200, 2, 2, 1), {}, "at most 16383"),
        ((4, 4, 0, 2, 1), {}, "at least one border and one inner colour"),
        ((4, 4, 200, 60, 1), {}, "260 colours requested; at most 250"),
        ((4, 4, 2, 2, 1), {"style": "cubist"}, "style 'cubist' is not one of eternity, benoist"),
        ((4, 4, 2, 4, 1), {"hints": 17}, "hints must be 0 to 16 .*; got 17"),
        ((5, 5, 1, 1, 1), {}, "needs 9 different inner pieces; 1 border and 1 inner colours make 0"),
        ((40, 40, 9, 2, 1), {}, "needs 152 different border|needs 1444 different inner pieces"),
        ((4, 4, 2, 2, -1), {}, "seed must be 0 or more; got -1"),
        ((1, 1, 1, 1, 1), {}, "found no 1x1 puzzle"),
    ],
)
def test_impossible_wishes_are_refused(arguments: tuple[int, ...], options: dict[str, object], message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        generate(*arguments, **options)
