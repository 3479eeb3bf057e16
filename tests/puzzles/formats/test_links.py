import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles import EMPTY, Board, Puzzle, PuzzleError, generate, load_boards
from puzzles.files import parse
from puzzles.formats.links import MOTIFS
from tests.strategies import boards


@given(boards(most=6, repeats=False), st.sampled_from(sorted(MOTIFS)))
@settings(max_examples=150)
def test_a_link_with_piece_numbers_loses_nothing_that_shows(board: Board, order: str) -> None:
    link = board.to_url(order)
    again = Board.from_url(link, board.puzzle)
    assert again.name == (board.name or board.puzzle.name)
    assert (again.cells // 4 == board.cells // 4).all()
    assert (again.sides == board.sides).all()  # a tile that looks the same when turned may come back turned
    assert again.to_url(order) == link


@given(boards(most=6), st.sampled_from(sorted(MOTIFS)))
@settings(max_examples=100)
def test_a_link_without_piece_numbers_shows_the_same_colours(board: Board, order: str) -> None:
    link = board.to_url(order, pieces=False)
    assert "board_pieces" not in link
    again = Board.from_url(link, board.puzzle)
    assert (again.sides == board.sides).all()
    assert again.to_url(order, pieces=False) == link


@pytest.mark.parametrize("order", sorted(MOTIFS))
@pytest.mark.parametrize("pieces", [True, False])
def test_eternity2_links_lead_back_to_the_very_board(record: Board, order: str, pieces: bool) -> None:
    link = record.to_url(order, pieces=pieces)
    assert Board.from_url(link) == record
    assert ("motifs_order" in link) == (order != "default")
    cells = np.array(record.cells)
    cells[3:7, 2:] = EMPTY
    partial = Board(record.puzzle, cells)
    assert Board.from_url(partial.to_url(order, pieces=pieces)) == partial


def test_the_letters_of_each_order_are_those_of_the_viewer(eternity2: Puzzle) -> None:
    # Piece 139 at its place, as the viewer's own example shows it under the three orders.
    link = Board.from_hints(eternity2).to_url
    places = {order: link(order).split("board_edges=")[1][135 * 4 : 136 * 4] for order in MOTIFS}
    assert places == {"default": "ijjm", "jblackwood": "sggl", "marie": "sggl", "jef": "vddo"}


def test_the_order_of_the_parameters_and_the_host_do_not_matter(record: Board) -> None:
    parameters = record.to_url("jef").split("#")[1].split("&")
    for start in ("https://e2.bucas.name/?", "http://localhost:8080/viewer/#", ""):
        assert Board.from_url(start + "&".join([*reversed(parameters), "show_conflicts=1", "board_types=x"])) == record
    without_size = [part for part in parameters if not part.startswith(("board_w", "board_h", "puzzle"))]
    assert Board.from_url("#" + "&".join(without_size)) == record


def test_a_duplicate_stays_one(record: Board) -> None:
    cells = np.array(record.cells)
    cells[8, 8] = cells[7, 7]
    for pieces in (True, False):
        report = Board.from_url(Board(record.puzzle, cells).to_url(pieces=pieces)).verify()
        assert report.duplicates == (int(cells[7, 7]) // 4 + 1,)


def test_alike_pieces_are_used_one_after_the_other() -> None:
    puzzle = Puzzle(1, 3, [[1, 2, 3, 4], [2, 3, 4, 1], [1, 2, 3, 4]], strict=False)
    board = Board(puzzle, [[0, 4, 8]])
    again = Board.from_url(board.to_url(pieces=False), puzzle)
    assert again.verify().duplicates == ()
    assert (again.sides == board.sides).all()


def test_sixteen_by_sixteen_is_eternity_2_unless_its_tiles_are_others(eternity2: Puzzle) -> None:
    _, solution = generate(16, 16, 5, 17, 1)
    again = Board.from_url(solution.to_url())
    assert again.score == 480
    blank = Board(eternity2, np.full((16, 16), EMPTY, dtype=np.uint16))
    assert Board.from_url(blank.to_url()).puzzle.name == "eternity2"


def test_a_complete_board_of_another_size_brings_its_pieces() -> None:
    puzzle, solution = generate(5, 6, 3, 5, 1)
    board = Board.from_url(solution.to_url())
    assert board.puzzle.tiles.shape == (30, 4)
    assert (board.cells // 4 == solution.cells // 4).all()
    assert board.verify().solved
    assert "assumed" in board.puzzle.notes[0]
    assert Board.from_url(solution.to_url(pieces=False)).verify().solved
    assert Board.from_url(solution.to_url(), puzzle) == solution


def test_all_links_in_a_text_are_found(record: Board, tmp_path) -> None:
    one, other = record.to_url(), record.rotated(1).to_url("jef")
    texts = [
        f"My best:\n<{one}>, and turned: {other}\n\ncheers\n",
        f"(see {one}). Or [this]({other})!",
        f"{one}, {other}.",
        f'<a href="{one.replace("&", "&amp;")}">it</a> <a href={other.replace("&", "&amp;")}>that</a>',
    ]
    for text in texts:
        (tmp_path / "mail.txt").write_text(text)
        assert load_boards(tmp_path / "mail.txt") == [record, record.rotated(1)]
    (tmp_path / "mail.txt").write_text(f"{one}\n{other}x\n")
    with pytest.raises(PuzzleError, match=r"mail.txt: link 2 of 2: motifs_order 'jefx'"):
        load_boards(tmp_path / "mail.txt")


def test_a_huge_word_is_no_hindrance() -> None:
    with pytest.raises(PuzzleError):
        parse(b"board_edges=x " + b"a" * 4_000_000, "x")


def test_parameters_are_those_behind_the_hash(record: Board) -> None:
    link = record.to_url().replace("/#", "/?lang=fr&x=1&x=2#x=1&x=1&")
    assert Board.from_url(link) == record
    assert Board.from_url(link).name == record.name


def _edit(link: str, key: str, value: str) -> str:
    head, parts = link.split("#")
    return head + "#" + "&".join(f"{key}={value}" if part.startswith(f"{key}=") else part for part in parts.split("&"))


def test_what_is_wrong_with_a_link_is_said(record: Board) -> None:
    link = record.to_url()
    edges = link.split("board_edges=")[1].split("&")[0]
    numbers = link.split("board_pieces=")[1]
    wrong = {
        "https://e2.bucas.name/#puzzle=x&board_w=16": "no board_edges",
        _edit(link, "board_edges", edges[:-1]): "1023 letters; a 16x16 board needs 1024",
        _edit(
            link, "board_edges", edges[:68] + "?" + edges[69:]
        ): r"position 69 \(row 2, column 2\): '\?' is not a letter",
        _edit(link, "board_edges", edges[:4] + "zzzz" + edges[8:]): "row 1, column 2: eternity2 has no piece",
        _edit(link, "board_pieces", numbers[:-3]): "765 digits; a 16x16 board needs 768",
        _edit(link, "board_pieces", "999" + numbers[3:]): r"row 1, column 1\): piece 999 is not within 0..256",
        _edit(link, "board_pieces", "00x" + numbers[3:]): "must be an integer; found '00x'",
        _edit(
            link, "board_pieces", "001" + numbers[3:]
        ): r"row 1, column 1: eternity2 has no piece 1 with the colours \(0, 2, 3, 0\)",
        _edit(
            link, "board_edges", "aaaa" + edges[4:]
        ): r"row 1, column 1: eternity2 has no piece 3 with the colours \(0, 0, 0, 0\)",
        _edit(link, "board_pieces", "000" + numbers[3:]): r"column 1: board_pieces has no piece, but .* \(0,",
        _edit(link, "board_w", "15"): "1024 letters; a 16x15 board needs 960",
        _edit(link, "board_w", "0"): "board_w: the number of columns 0 is not within",
        _edit(link, "board_h", "-1"): "board_h: the number of rows must be an integer; found '-1'",
        _edit(_edit(link, "board_w", "9999"), "board_h", "9999"): "99980001 cells; at most 16383",
        link + "&motifs_order=klingon": "motifs_order 'klingon' is not one of default, jblackwood, marie, jef",
        link + "&board_w=16": "board_w twice",
        record.to_url("jef", pieces=False).replace("&motifs_order=jef", ""): "is valid with motifs_order=jef",
    }
    for bad, message in wrong.items():
        with pytest.raises(PuzzleError, match=message):
            Board.from_url(bad)


def test_a_partial_board_of_another_size_needs_its_puzzle() -> None:
    puzzle, solution = generate(5, 6, 3, 5, 1)
    cells = np.array(solution.cells)
    cells[2, 2] = EMPTY
    partial = Board(puzzle, cells)
    with pytest.raises(PuzzleError, match="does not define its puzzle"):
        Board.from_url(partial.to_url())
    assert Board.from_url(partial.to_url(), puzzle) == partial
    with pytest.raises(PuzzleError, match="the link's board is 5x6; eternity2 is 16x16"):
        Board.from_url(partial.to_url(), Board.from_url("#board_edges=" + "a" * 1024).puzzle)


def test_what_a_link_cannot_hold_is_refused() -> None:
    puzzle = Puzzle(1, 1, [[26, 1, 1, 1]], strict=False)
    with pytest.raises(PuzzleError, match="25 colours; this puzzle uses colour 26"):
        Board(puzzle, [[0]]).to_url()
    large = Puzzle(40, 30, np.ones((1200, 4), dtype=int), strict=False)
    with pytest.raises(PuzzleError, match="three digits per piece; this puzzle has 1200"):
        Board.empty(large).to_url()
    assert Board.from_url(Board.empty(large).to_url(pieces=False), large) == Board.empty(large)
    with pytest.raises(PuzzleError, match="motifs_order 'x'"):
        Board(puzzle, [[0]]).to_url("x")
