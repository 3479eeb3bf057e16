import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles import Hint, Puzzle, PuzzleError, generate
from tests.strategies import loose_puzzles

TWO_BY_TWO = [[0, 1, 2, 0], [0, 0, 3, 1], [2, 4, 0, 0], [3, 0, 0, 4]]


def test_eternity2_is_what_people_say_it_is(eternity2: Puzzle) -> None:
    assert (eternity2.rows, eternity2.cols, eternity2.size, eternity2.max_score, eternity2.max_blocks) == (
        16,
        16,
        256,
        480,
        225,
    )
    assert eternity2.border_colours == (1, 2, 3, 4, 5)
    assert eternity2.inner_colours == tuple(range(6, 23))
    assert [eternity2.kinds.count(kind) for kind in ("corner", "border", "inner")] == [4, 56, 196]
    assert eternity2.hints[0] == Hint(138, 8, 7, 2, True)
    assert sorted(hint.tile + 1 for hint in eternity2.hints) == [139, 181, 208, 249, 255]
    assert [hint.mandatory for hint in eternity2.hints].count(True) == 1
    canonical = {min(tuple(np.roll(tile, turn).tolist()) for turn in range(4)) for tile in eternity2.tiles}
    assert len(canonical) == 256


def test_the_side_table_turns_tiles_clockwise() -> None:
    puzzle = Puzzle(1, 1, [[1, 2, 3, 4]], strict=False)
    assert puzzle.sides.T.tolist() == [[1, 2, 3, 4], [4, 1, 2, 3], [3, 4, 1, 2], [2, 3, 4, 1]]


def test_nothing_of_a_puzzle_can_be_changed(eternity2: Puzzle) -> None:
    for array in (eternity2.tiles, eternity2.sides):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    with pytest.raises(AttributeError):
        eternity2.rows = 3  # type: ignore[misc]  # that is the point


def test_a_puzzle_does_not_follow_the_array_it_was_made_of() -> None:
    tiles = np.array(TWO_BY_TWO, dtype=np.uint8)
    puzzle = Puzzle(2, 2, tiles)
    tiles[0, 1] = 9
    assert puzzle.tiles.tolist() == TWO_BY_TWO


def test_pickling_keeps_it_equal_and_read_only(eternity2: Puzzle) -> None:
    copy = pickle.loads(pickle.dumps(eternity2))
    assert copy == eternity2
    assert hash(copy) == hash(eternity2)
    assert not copy.tiles.flags.writeable
    noted = Puzzle(2, 2, TWO_BY_TWO, notes=("assumed",))
    assert pickle.loads(pickle.dumps(noted)).notes == ("assumed",)


def test_equality_looks_at_tiles_hints_and_shape_but_not_at_the_name() -> None:
    puzzle = Puzzle(2, 2, TWO_BY_TWO, name="a")
    assert puzzle == Puzzle(2, 2, TWO_BY_TWO, name="b")
    assert puzzle != Puzzle(2, 2, TWO_BY_TWO, [Hint(0, 0, 0, 0)])
    assert puzzle != Puzzle(2, 2, TWO_BY_TWO[::-1])
    assert puzzle != Puzzle(1, 4, TWO_BY_TWO, strict=False)
    assert puzzle != "a"


@pytest.mark.parametrize(
    ("rows", "cols", "tiles", "message"),
    [
        (0, 3, [], "no cells"),
        (-1, -1, [[0, 0, 0, 0]], "no cells"),
        (128, 128, [], "16384 cells; at most 16383"),
        (2, 2, TWO_BY_TWO[:3], "needs 4 tiles; got 3"),
        (2, 2, [1, 2, 3, 4], "rows of four"),
        (2, 2, [[1, 2], [1]], "side colours must be a matrix"),
        (2, 2, [[0.5] * 4] * 4, "must be integers"),
        (2, 2, [*TWO_BY_TWO[:3], [3, 0, 0, 251]], "piece 4: colour 251"),
        (2, 2, [*TWO_BY_TWO[:3], [3, 0, 0, -1]], "piece 4: colour -1"),
        (
            2,
            2,
            [*TWO_BY_TWO[:3], [0, 3, 0, 4]],
            r"needs 4 corner pieces; this set has 3 corner, 1 strip \(piece 4, with the colours 0, 3, 0, 4",
        ),
        (2, 2, [*TWO_BY_TWO[:3], [3, 1, 0, 4]], r"piece 4, with the colours 3, 1, 0, 4"),
        (2, 2, [*TWO_BY_TWO[:3], [3, 0, 0, 5]], r"colour 4 is on 1 border sides \(pieces 3\)"),
        (1, 3, [[0, 1, 0, 0], [0, 1, 0, 1], [0, 1, 0, 1]], "needs 1 strip, 2 end pieces; this set has 2 strip, 1 end$"),
    ],
)
def test_what_cannot_be_a_puzzle_is_refused(rows: int, cols: int, tiles: list[list[int]], message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        Puzzle(rows, cols, tiles)


def test_colour_totals_are_checked_along_the_frame_and_inside_apart() -> None:
    puzzle, _ = generate(3, 3, 2, 2, 1, style="benoist")
    tiles = np.array(puzzle.tiles)
    border = next(tile for tile in tiles if (tile == 0).sum() == 1)
    grey = int(np.flatnonzero(border == 0)[0])
    inward, along = (grey + 2) % 4, (grey + 1) % 4
    border[inward], border[along] = 7, 7  # colour 7 is on two sides, but they can never meet
    with pytest.raises(PuzzleError, match="odd number cannot pair up"):
        Puzzle(3, 3, tiles)
    assert Puzzle(3, 3, tiles, strict=False).size == 9


def test_sets_without_a_frame_need_strict_off() -> None:
    tiles = [[1, 2, 3, 4]] * 6
    with pytest.raises(PuzzleError, match="needs 2 border, 4 corner pieces; this set has 6 inner"):
        Puzzle(2, 3, tiles)
    puzzle = Puzzle(2, 3, tiles, strict=False)
    assert not puzzle.framed
    assert puzzle.border_colours == ()
    assert puzzle.inner_colours == (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("hints", "message"),
    [
        ([Hint(4, 0, 0, 0)], "no piece 5; pieces are numbered 1 to 4"),
        ([Hint(0, 2, 0, 0)], "row 3, column 1 is outside"),
        ([Hint(0, 0, -1, 0)], "row 1, column 0 is outside"),
        ([Hint(0, 0, 0, 4)], "rotation 4"),
        ([Hint(0, 0, 0, 0.5)], "a hint of four integers"),
        ([(0, 0)], "four integers .tile, row, column, rotation.; got .0, 0."),
        ([Hint(0, 0, 0, 0), Hint(0, 1, 1, 0)], "same piece"),
        ([Hint(0, 0, 0, 0), Hint(1, 0, 0, 0)], "same cell"),
    ],
)
def test_impossible_hints_are_refused(hints: list[Hint], message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        Puzzle(2, 2, TWO_BY_TWO, hints)


@given(loose_puzzles(most=6), st.integers(0, 7))
@settings(max_examples=100)
def test_four_quarter_turns_lead_back(puzzle: Puzzle, turns: int) -> None:
    assert puzzle.rotated(turns).rotated(4 - turns % 4) == puzzle
    assert puzzle.rotated(1).shape == puzzle.shape[::-1]
