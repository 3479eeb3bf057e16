import io
from pathlib import Path

import numpy as np
import pytest
from matplotlib import image
from matplotlib.figure import Figure

from plots import draw_board, save_board
from plots.terminal import board_text
from puzzles import EMPTY, Board, Puzzle
from puzzles.errors import FileError
from puzzles.palette import EMPTY_CELL, FRAME, colour_hex, colour_rgb


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


def test_a_png_shows_each_side_in_its_colour(record: Board, tmp_path: Path) -> None:
    cells = np.array(record.cells)
    cells[5, 6] = EMPTY
    board = Board(record.puzzle, cells)
    picture = image.imread(save_board(board, tmp_path / "board.png"))
    height, width, _ = picture.shape
    assert (height, width) == (1056, 1056)
    cell = height / 16.5
    for row, col in ((0, 0), (5, 6), (8, 7), (15, 15)):
        for side, (y, x) in enumerate(((0.25, 0.5), (0.5, 0.75), (0.75, 0.5), (0.5, 0.25))):
            pixel = picture[int((row + 0.25 + y) * cell), int((col + 0.25 + x) * cell), :3]
            colour = EMPTY_CELL if (row, col) == (5, 6) else colour_hex(int(board.sides[side, row, col]))
            assert tuple(np.round(pixel * 255).astype(int)) == _rgb(colour)
    assert tuple(np.round(picture[3, 3, :3] * 255).astype(int)) == _rgb(FRAME)


def test_a_picture_replaces_nothing_unasked(record: Board, tmp_path: Path) -> None:
    save_board(record, tmp_path / "board.pdf", numbers=True, hints=True)
    assert (tmp_path / "board.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(FileError, match="already exists"):
        save_board(record, tmp_path / "board.pdf")


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_the_same_board_is_the_same_bytes(record: Board, tmp_path: Path, kind: str) -> None:
    one, other = (
        save_board(record, tmp_path / f"{name}.{kind}", numbers=True, title="ES, run 1").read_bytes() for name in "ab"
    )
    assert one == other
    assert b"CreationDate" not in one


def test_a_title_stands_above_the_board(record: Board, tmp_path: Path) -> None:
    plain = image.imread(save_board(record, tmp_path / "plain.png"))
    titled = image.imread(save_board(record, tmp_path / "titled.png", title="A $title$ \n of " + "any length " * 30))
    above = titled.shape[0] - plain.shape[0]
    assert titled.shape[1] == plain.shape[1]
    assert above == 48
    assert np.array_equal(titled[above + 2 :], plain[2:])
    assert titled[:above].min() < 0.5  # there is ink
    assert (titled[:above, :5].min(), titled[:above, -5:].min()) == (1, 1)


def test_a_small_board_has_room_for_its_title(tmp_path: Path) -> None:
    board = Board(Puzzle(1, 2, [[1, 2, 3, 4], [5, 6, 7, 8]], strict=False), [[0, EMPTY]])
    picture = image.imread(save_board(board, tmp_path / "small.png", title="mine random normal, run 1: 0 of 1"))
    height, width, _ = picture.shape
    assert (height, width > 2 * 160) == (96 + 48, True)
    assert tuple(np.round(picture[50, width // 2, :3] * 255).astype(int)) == _rgb(FRAME)


def test_a_board_can_be_drawn_on_axes_of_ones_own(record: Board) -> None:
    figure = Figure()
    axes = figure.subplots(1, 2)
    draw_board(record, axes[0], numbers=True)
    assert [text.get_text() for text in axes[0].texts[:2]] == ["3", "40"]
    assert not axes[1].collections
    figure.savefig(io.BytesIO(), format="png")


def test_the_terminal_shows_four_by_four_dots_a_tile() -> None:
    puzzle = Puzzle(1, 2, [[1, 2, 3, 4], [5, 6, 7, 8]], strict=False)
    text = board_text(Board(puzzle, [[0, EMPTY]]))
    lines = text.plain.splitlines()
    assert lines == ["\N{UPPER HALF BLOCK}" * 4 + "    "] * 2
    dots = [
        (tuple(span.style.color.triplet), tuple(span.style.bgcolor.triplet))
        for span in text.spans
        if not isinstance(span.style, str)
    ]
    up, right, down, left = (colour_rgb(colour) for colour in (1, 2, 3, 4))
    assert dots[:4] == [(up, left), (up, up), (up, right), (right, right)]
    assert dots[4:] == [(left, left), (left, down), (down, down), (right, down)]
