import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles import EMPTY, Board, Hint, Puzzle, PuzzleError, generate
from tests.oracle import shown, side_is_right
from tests.strategies import boards


def test_the_record_board_is_a_record(record: Board) -> None:
    report = record.verify()
    assert (report.score, report.max_score, report.mismatches, report.placed) == (470, 480, 10, 256)
    assert report.duplicates == ()
    assert report.frame is True
    assert (report.hints_honoured, report.hints) == (1, 5)
    assert report.valid
    assert not report.solved


def test_the_hints_alone_are_honoured(eternity2: Puzzle) -> None:
    report = Board.from_hints(eternity2).verify()
    assert (report.hints_honoured, report.placed, report.score, report.valid) == (5, 5, 0, True)
    assert Board.empty(eternity2).verify().hints_honoured == 0


@given(boards(most=8))
@settings(max_examples=100)
def test_every_inner_edge_matches_or_mismatches_or_has_an_empty_end(board: Board) -> None:
    rows, cols = board.puzzle.shape
    right = [((r, c), (r, c + 1)) for r in range(rows) for c in range(cols - 1)]
    down = [((r, c), (r + 1, c)) for r in range(rows - 1) for c in range(cols)]
    both = [edge for edge in right + down if all(shown(board, *cell) for cell in edge)]
    wrong = {edge for edge in both if not side_is_right(board, *edge[0], 1 if edge in right else 2)}
    assert set(board.mismatches) == wrong
    assert len(board.mismatches) == len(wrong)
    assert board.score + len(board.mismatches) == len(both)


def test_a_solution_is_solved_and_a_duplicate_is_found() -> None:
    puzzle, solution = generate(4, 5, 2, 4, 1)
    assert solution.verify().solved
    cells = np.array(solution.cells)
    inner = [tile for tile, kind in enumerate(puzzle.kinds) if kind == "inner"]
    places = [tuple(np.argwhere(cells // 4 == tile)[0]) for tile in inner]
    cells[places[0]] = cells[places[1]]
    report = Board(puzzle, cells).verify()
    assert report.duplicates == (inner[1] + 1,)
    assert (report.placed, report.pieces, report.frame, report.valid, report.solved) == (20, 20, True, False, False)
    assert "1 DUPLICATED" in str(report)
    assert "NOT VALID" in str(report)


def test_a_wrong_frame_is_found_where_it_is_wrong() -> None:
    puzzle, solution = generate(4, 5, 2, 4, 1)
    cells = np.array(solution.cells)
    cells[0, 2] ^= 1  # turns a border tile away
    report = Board(puzzle, cells).verify()
    assert (report.frame, report.frame_errors, report.valid) == (False, ((1, 3),), False)
    assert "WRONG at row 1 column 3" in str(report)
    cells = np.array(solution.cells)
    cells[1, 1], cells[0, 1] = cells[0, 1], cells[1, 1]  # grey inside, colour outside
    assert Board(puzzle, cells).verify().frame_errors == ((1, 2), (2, 2))


def test_a_puzzle_without_a_frame_has_no_wrong_one() -> None:
    report = Board(Puzzle(1, 2, [[1, 2, 3, 4], [4, 3, 2, 1]], strict=False), [[0, 4]]).verify()
    assert report.frame is None
    assert report.valid
    assert "none in this puzzle" in str(report)


def test_hints_count_only_with_their_rotation() -> None:
    puzzle = Puzzle(1, 2, [[1, 2, 3, 4], [4, 3, 2, 1]], [Hint(0, 0, 1, 2), Hint(1, 0, 0, 0)], strict=False)
    assert Board(puzzle, [[4, 2]]).verify().hints_honoured == 2
    assert Board(puzzle, [[4, 3]]).verify().hints_honoured == 1


@given(boards(most=6), st.integers(-5, 5))
@settings(max_examples=100)
def test_turning_moves_each_side_where_it_should_be(board: Board, turns: int) -> None:
    turned = board.rotated(turns)
    assert turned.rotated(-turns) == board
    quarter = board.rotated(1)
    rows, cols = board.puzzle.shape
    for row in range(rows):
        for col in range(cols):
            before, after = shown(board, row, col), shown(quarter, col, rows - 1 - row)
            assert after == (None if before is None else [before[3], *before[:3]])


def test_a_square_board_turns_under_the_hints_and_a_rectangular_one_with_them(record: Board) -> None:
    assert record.rotated(1).puzzle is record.puzzle
    assert record.rotated(2).verify().hints_honoured == 0
    puzzle, solution = generate(3, 5, 2, 4, 1, hints=4)
    assert solution.rotated(1).puzzle.shape == (5, 3)
    assert solution.rotated(1).verify().hints_honoured == 4
    assert solution.rotated(1).verify().solved
    assert solution.rotated(4).puzzle == puzzle


def test_boards_compare_by_puzzle_and_cells(record: Board) -> None:
    same = Board(record.puzzle, record.cells, "another name")
    assert same == record
    assert hash(same) == hash(record)
    assert record.rotated(2) != record
    assert record != "board"
    copy = pickle.loads(pickle.dumps(record))
    assert copy == record
    assert copy.name == record.name


def test_cells_cannot_be_changed(record: Board) -> None:
    with pytest.raises(ValueError, match="read-only"):
        record.cells[0, 0] = 1


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (np.zeros((16, 15), dtype=int), r"shape \(16, 15\); eternity2 is 16x16"),
        (np.full((16, 16), 1024), "row 1, column 1: 1024 is not a tile"),
        (np.full((16, 16), -1), "-1 is not a tile"),
        (np.full((16, 16), 70000), "70000 is not a tile"),
        (np.zeros((16, 16)), "must be integers"),
    ],
)
def test_cells_that_are_no_tiles_are_refused(eternity2: Puzzle, cells: np.ndarray, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        Board(eternity2, cells)


def test_repr_says_what_it_is(record: Board) -> None:
    assert repr(record) == "<Board 'Joshua Blackwood 470' of 'eternity2': score 470 of 480, 256 of 256 tiles placed>"
    assert "5 border and 17 inner colours, 5 hints" in repr(record.puzzle)
    cells = np.array(record.cells)
    cells[:8] = EMPTY
    assert "128 of 256 tiles" in repr(Board(record.puzzle, cells))
