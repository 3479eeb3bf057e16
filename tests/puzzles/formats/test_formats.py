"""Piece files and board files: round trips, what readers assume, and what they refuse."""

import io
import json
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles import (
    BOARD_FORMATS,
    PUZZLE_FORMATS,
    Board,
    FileError,
    Hint,
    Puzzle,
    PuzzleError,
    generate,
    load,
    load_board,
    save,
)
from puzzles.files import parse
from puzzles.formats import pieces
from puzzles.saving import encode
from tests.strategies import boards, framed_puzzles, loose_puzzles


@given(loose_puzzles(most=7))
@settings(max_examples=100)
def test_json_holds_all_of_a_puzzle(puzzle: Puzzle) -> None:
    again = parse(encode(puzzle, "json"), "x")
    assert again == puzzle
    assert (again.name, again.strict) == (puzzle.name, puzzle.strict)


@given(framed_puzzles(), st.sampled_from(["csv", *(name for name in PUZZLE_FORMATS if "e2pieces" in name)]))
@settings(max_examples=150)
def test_piece_files_hold_all_pieces(puzzle_and_solution: tuple[Puzzle, Board], format: str) -> None:
    puzzle, _ = puzzle_and_solution
    order = None if format == "csv" else format.partition("-")[2] or "trbl"
    again = parse(encode(puzzle, format), puzzle.name, shape=puzzle.shape, order=order)
    assert again == puzzle.with_hints(())
    assert again.name == puzzle.name
    without_shape = parse(encode(puzzle, format), "x", order=order)
    assert sorted(without_shape.shape) == sorted(puzzle.shape)


@given(framed_puzzles())
@settings(max_examples=100)
def test_benoist_files_hold_pieces_and_hints_of_square_boards(puzzle_and_solution: tuple[Puzzle, Board]) -> None:
    puzzle, _ = puzzle_and_solution
    if puzzle.rows == puzzle.cols:
        assert parse(encode(puzzle, "benoist"), "x") == puzzle  # generated hints are never mandatory, nor are Benoist's
    else:
        with pytest.raises(PuzzleError, match="square boards only"):
            encode(puzzle, "benoist")


@given(boards(most=7), st.sampled_from([name for name in BOARD_FORMATS if not name.startswith("url")]))
@settings(max_examples=200)
def test_board_files_hold_the_whole_board(board: Board, format: str) -> None:
    data = encode(board, format)
    [again] = parse(data, "x", puzzle=None if format in ("json", "npz") else board.puzzle)
    assert again == board
    if format in ("json", "npz"):
        assert (again.name, again.puzzle.name, again.puzzle.strict) == (board.name, "loose", False)


def test_a_board_of_a_bundled_puzzle_only_names_it(record: Board) -> None:
    assert json.loads(record.to_json())["puzzle"] == "eternity2"
    assert Board.from_json(record.to_json()).puzzle is record.puzzle


def test_column_orders_mean_what_their_letters_say() -> None:
    tile = {"t": 1, "r": 2, "b": 3, "l": 4, "n": 1, "e": 2, "s": 3, "w": 4}
    puzzle = Puzzle(1, 1, [[1, 2, 3, 4]], strict=False)
    for order in pieces.COLUMN_ORDERS:
        line = pieces.write_e2pieces(puzzle, order)
        assert line.split() == [str(tile[letter]) for letter in order]
        assert pieces.read_e2pieces(line, "x", order, strict=False).tiles.tolist() == [[1, 2, 3, 4]]


def test_the_order_of_columns_is_found_as_far_as_it_can_be(eternity2: Puzzle) -> None:
    for order in pieces.COLUMN_ORDERS:
        found = parse(encode(eternity2, f"e2pieces-{order}"), "x")
        [note] = found.notes
        if order == "nswe":
            assert found == eternity2.with_hints(())
            assert note == "assumed columns in the order nswe"
        else:
            assert note == "assumed columns in the order trbl; the pieces also fit bltr, tlbr"
    with pytest.raises(
        PuzzleError, match="order nswe gives a set that cannot fill a board; trbl or bltr or tlbr would fit"
    ):
        parse(encode(eternity2, "e2pieces"), "x", order="nswe")


def test_the_shape_is_found_from_the_frame_pieces() -> None:
    puzzle, _ = generate(9, 4, 3, 6, 1)  # 36 pieces, as many as 6x6 has
    found = parse(encode(puzzle, "csv"), "x")
    assert found.shape == (4, 9)
    assert found.notes == ("assumed 4 rows and 9 columns",)
    assert parse(encode(puzzle, "csv"), "x", shape=(9, 4)) == puzzle
    with pytest.raises(PuzzleError, match="6x6 needs"):
        parse(encode(puzzle, "csv"), "x", shape=(6, 6))
    frameless = "piece,top,right,bottom,left\n" + "".join(f"{n},1,1,1,1\n" for n in range(1, 7))
    with pytest.raises(PuzzleError, match="6 pieces do not fill a square board"):
        parse(frameless.encode(), "x", strict=False)
    assert parse(frameless.encode(), "x", strict=False, shape=(2, 3)).shape == (2, 3)


def test_hint_tables_come_in_two_kinds(tmp_path) -> None:
    puzzle, _ = generate(4, 4, 3, 4, 1)
    save(puzzle, tmp_path / "four.csv")
    (tmp_path / "hints.csv").write_text("piece,row,col,rotation_cw,mandatory,cell_name\n3,1,2,1,1,A2\n4,4,4,0,0,D4\n")
    loaded = load(tmp_path / "four.csv", hints=tmp_path / "hints.csv")
    assert loaded.hints == (Hint(2, 0, 1, 1, True), Hint(3, 3, 3, 0, False))
    (tmp_path / "many.csv").write_text("instance,row,col,piece,rotation\nfive,1,1,1,0\nfour,2,3,7,2\n")
    assert load(tmp_path / "four.csv", hints=tmp_path / "many.csv").hints == (Hint(6, 1, 2, 2),)
    (tmp_path / "none.csv").write_text("instance,row,col,piece,rotation\nfive,1,1,1,0\n")
    with pytest.raises(PuzzleError, match=r"none.csv: the table has no hints for 'four'"):
        load(tmp_path / "four.csv", hints=tmp_path / "none.csv")


def test_text_survives_windows(eternity2: Puzzle, record: Board) -> None:
    for item, format in (
        (eternity2, "csv"),
        (eternity2, "benoist"),
        (record, "text"),
        (record, "csv"),
        (record, "json"),
    ):
        windows = b"\xef\xbb\xbf" + encode(item, format).replace(b"\n", b"\r\n")
        assert parse(windows, "x") == parse(encode(item, format), "x")


ONE = '{"format": "evo-puzzle", "rows": 1, "cols": 1, '
BAD_FILES = {
    "": "the file is empty",
    "# only a comment\n": "the file is empty",
    "hello world": "line 1: unknown format: no puzzle or board file starts with 'hello'",
    "piece,top,right,bottom\n1,1,1,1\n": "line 1: the header must have exactly one column 'left'",
    "piece,top,right,bottom,left,left\n": "must have exactly one column 'left'",
    "piece,top,right,bottom,left\n1,0,1,1\n": "line 2: found 4 values; the header has 5 columns",
    "piece,top,right,bottom,left\n": "found 0 pieces",
    "piece,top,right,bottom,left\n1,0,1,x,0\n": "line 2: a colour must be an integer; found 'x'",
    "piece,top,right,bottom,left\n1,0,1,²,0\n": "found '²'",
    "piece,top,right,bottom,left\n1,0,1,1e3,0\n": "found '1e3'",
    "piece,top,right,bottom,left\n1,0,1,300,0\n": "line 2: a colour 300 is not within 0..250",
    "piece,top,right,bottom,left\n1,0,1,1,0\n1,0,1,1,0\n": "line 3: piece 1 is also on line 2",
    "piece,top,right,bottom,left\n5,0,1,1,0\n": "line 2: piece 5 is not within 1..1",
    "1 2 3 4\n1 2 3\n": "line 2: expected four numbers; found 3",
    "1 2 3 4\n1 2 3 -4\n": "line 2: a colour must be an integer; found '-4'",
    "200\n": "line 1: the size of the board 200 is not within 1..127",
    "2\n3\n0\n1 2 3": "the file ends where the left of tile 1 is expected",
    "2\n3\n1\n1 1 9 0\n": "line 4: a hint's tile 9 is not within 1..4",
    "2\n3\n0\n0 1 2 0\n0 0 3 9\n": "line 5: the left of tile 2 9 is not within 0..3",
    "1\n3\n0\n0 0 0 0\n7\n": "line 5: unexpected '7' after the last tile",
    "1/0 2/0\n": "found 1 rows; eternity2 is 16x16",
    "1/0 2/0\n" * 16: "line 1: found 2 cells; eternity2 is 16x16",
    ("1/0 " * 15 + "1/4\n") * 16: "line 1, column 16: expected piece/rotation, such as 139/2; found '1/4'",
    ("1/0 " * 15 + "257/0\n") * 16: "line 1, column 16: piece 257 is not within 1..256",
    "row,col,piece,rotation\n17,1,1,0\n": "line 2: row 17 is not within 1..16",
    "row,col,piece,rotation\n1,1,1,0\n1,1,2,0\n": "line 3: row 1, column 1 is filled twice",
    "{": "line 1, column 2: not JSON",
    '{"format": "evo-board", "format": "evo-puzzle"}': "a JSON object has the same key twice",
    "https://e2.bucas.name/#puzzle=x": "the link has no board_edges",
    "{}": 'expected an object with "format"',
    '{"a": ' + "[" * 100_000: "not valid JSON for a puzzle or board",
    '{"a": ' + "1" * 5000 + "}": "not valid JSON for a puzzle or board",
    '{"format": "evo-puzzle", "rows": 2}': '"cols" must be an integer within 1..16383; found nothing',
    '{"format": "evo-puzzle", "rows": 2.0, "cols": 2}': '"rows" must be an integer within 1..16383; found 2.0',
    '{"format": "evo-puzzle", "rows": true, "cols": 2}': "found True",
    '{"format": "evo-puzzle", "rows": 9999, "cols": 9999}': "at most 16383",
    '{"format": "evo-puzzle", "rows": 1, "cols": 1, "tiles": [[0,0,0]]}': '"tiles" row 1 must be a list of 4 numbers',
    ONE + '"tiles": [[0,0,0,251]]}': '"tiles" row 1: 251 is not an integer',
    ONE + '"tiles": 5}': '"tiles" must be a list of 1 rows; found 5',
    ONE + '"tiles": [[0,0,0,0]], "colour": 1}': "unknown key 'colour'",
    ONE + '"tiles": [[0,0,0,0]], "strict": 1}': '"strict" must be true or false',
    ONE + '"tiles": [[0,0,0,0]], "hints": [1]}': '"hints" must be a list of objects',
    ONE + '"tiles": [[0,0,0,0]], "hints": [{"piece": 1}]}': 'hint 1: "row"',
    ONE + '"tiles": [[0,0,0,0]], "name": 3}': '"name" must be a string',
    '{"format": "evo-board", "puzzle": "chess"}': '"puzzle" must be a puzzle object or one of eternity2',
    '{"format": "evo-board", "puzzle": "eternity2"}': '"pieces" must be a list of 16 rows; found nothing',
}


@pytest.mark.parametrize("text", BAD_FILES)
def test_a_bad_file_gets_one_clear_error(text: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        parse(text.encode(), "x")
    assert BAD_FILES[text] in str(caught.value)
    assert "\n" not in str(caught.value)


def _npz(**changed: np.ndarray) -> bytes:
    arrays = {
        "cells": np.array([[0]], dtype=np.uint16),
        "tiles": np.zeros((1, 4), dtype=np.uint8),
        "hints": np.zeros((0, 5), dtype=np.int64),
        "strict": np.array(True),
        "names": np.array(["a", "b"]),
    }
    stream = io.BytesIO()
    np.savez(stream, **{key: value for key, value in (arrays | changed).items() if value is not None})
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (_npz(cells=np.array([[4]], dtype=np.uint16)), "row 1, column 1: 4 is not a tile"),
        (_npz(cells=np.array([0], dtype=np.uint16)), "do not have the shapes of a board"),
        (_npz(cells=np.array([[0]], dtype=np.int64)), "cells in the .npz file is not an array of type <u2"),
        (_npz(names=np.array(["a", "b"], dtype=object)), "names in the .npz file is not an array of two strings"),
        (_npz(names=np.array(["a"])), "names in the .npz file is not an array of two strings"),
        (_npz(tiles=None), "damaged .npz file"),
        (_npz()[:200], "damaged .npz file"),
        (b"PK\x03\x04", "damaged .npz file"),
        (_npz(tiles=np.zeros((5_000_000, 4), dtype=np.uint8)), "tiles in the .npz file is larger than"),
    ],
)
def test_a_bad_npz_file_gets_one_clear_error(data: bytes, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        parse(data, "x")


def _with_member(key: str, content: bytes, compression: int = zipfile.ZIP_STORED) -> bytes:
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(_npz())) as source, zipfile.ZipFile(changed, "w", compression) as target:
        for name in source.namelist():
            target.writestr(name, content if name == f"{key}.npy" else source.read(name))
    return changed.getvalue()


def _npy(header: str, body: bytes = b"") -> bytes:
    return b"\x93NUMPY\x01\x00v\x00" + header.ljust(117).encode() + b"\n" + body


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1000000000, 1000000000), }",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 4",
        "{'descr': (), 'fortran_order': False, 'shape': (1, 4), }",
        "{'descr': '|O1', 'fortran_order': False, 'shape': (1, 4), }",
        "{[]: 1}",
        "  a\n b",
        "-" * 100 + "1",
    ],
)
def test_an_npz_header_is_neither_believed_nor_evaluated(header: str) -> None:
    with pytest.raises(PuzzleError, match=r"tiles in the .npz file"):
        parse(_with_member("tiles", _npy(header)), "x")


def test_npz_members_are_only_unpacked_as_numpy_packs_them() -> None:
    for compression in (zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2):
        with pytest.raises(PuzzleError, match="compressed with a method that numpy does not use"):
            parse(_with_member("tiles", b"", compression), "x")
    bad_text = _npy("{'descr': '<U1', 'fortran_order': False, 'shape': (2,), }", b"\xff\xff\xff\x7f" * 2)
    with pytest.raises(PuzzleError, match=r"names in the .npz file is not text"):
        parse(_with_member("names", bad_text), "x")


@given(st.sampled_from(["cells", "tiles", "hints", "strict", "names"]), st.integers(0, 300), st.binary(max_size=3))
@settings(max_examples=1000)
def test_mutated_npz_members_are_read_or_refused(key: str, at: int, new: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(_npz())) as archive:
        content = archive.read(f"{key}.npy")
    try:
        parse(_with_member(key, content[:at] + new + content[at + len(new) :]), "x")
    except PuzzleError:
        return


def test_names_are_made_harmless() -> None:
    for name in ("a\ud800b", "a\nb", "\x1b[31ma", "a\0"):
        document = json.dumps({"format": "evo-puzzle", "name": name, "rows": 1, "cols": 1, "tiles": [[0, 0, 0, 0]]})
        puzzle = parse(document.encode(), "x")
        assert puzzle.name.isprintable()
        board = Board(puzzle, [[0]], name)
        assert board.name.isprintable()
        assert parse(encode(board, "npz"), "x")[0].name == board.name
        assert "&" in board.to_url()
    assert len(Puzzle(1, 1, [[0, 0, 0, 0]], name="x" * 300).name) == 200
    assert parse(b'{"format": "evo-puzzle", "rows": 1, "cols": 1, "tiles": [[0,0,0,0]]}', "stem").name == "stem"


def test_what_an_option_cannot_apply_to_is_refused(record: Board, eternity2: Puzzle) -> None:
    other, solution = generate(16, 16, 5, 17, 1)
    with pytest.raises(PuzzleError, match="this is a board of eternity2, not of eternity-16x16"):
        parse(encode(record, "json"), "x", puzzle=other)
    with pytest.raises(PuzzleError, match="not of eternity-16x16"):
        parse(encode(record, "npz"), "x", puzzle=other)
    with pytest.raises(PuzzleError, match="not of eternity-16x16"):
        load_board("blackwood470", other)
    assert parse(encode(solution, "npz"), "x", puzzle=other) == [solution]
    with pytest.raises(PuzzleError, match=r"column order applies to e2pieces.txt only; this is a piece table file"):
        parse(encode(eternity2, "csv"), "x", order="nswe")
    with pytest.raises(PuzzleError, match="a size applies to piece files without one; this is a json file"):
        parse(encode(eternity2, "json"), "x", shape=(16, 16))
    with pytest.raises(PuzzleError, match="this is a bundled puzzle"):
        load("eternity2", order="trbl")


def test_tables_are_told_apart_by_their_columns() -> None:
    board = "piece,rotation,row,col\n5,3,1,2\n"
    assert parse(board.encode(), "x")[0].cells[0, 1] == 19
    puzzle = "top,right,bottom,left,piece\n0,0,0,0,1\n"
    assert parse(puzzle.encode(), "x").size == 1


def test_large_and_missing_files_are_refused_by_name(tmp_path) -> None:
    (tmp_path / "large.csv").write_bytes(b"1" * (4 * 1024 * 1024 + 1))
    with pytest.raises(FileError, match=r"large.csv: is larger than 4 MiB; refusing to read it"):
        load(tmp_path / "large.csv")
    with pytest.raises(FileError, match=r"none.csv: cannot be read: No such file"):
        load(tmp_path / "none.csv")
    with pytest.raises(FileError, match="cannot be read: Is a directory"):
        load(tmp_path)
    (tmp_path / "latin.csv").write_bytes(b"piece,top\xff")
    with pytest.raises(PuzzleError, match=r"latin.csv: byte 10 is not UTF-8"):
        load(tmp_path / "latin.csv")
    with pytest.raises(FileError, match="cannot be read: embedded null byte"):
        load("a\0b")
    with pytest.raises(FileError, match=r"xxx\.\.\.: cannot be read: File name too long"):
        load("x" * 5000)


def test_saving_chooses_by_suffix_and_replaces_nothing_unasked(record: Board, eternity2: Puzzle, tmp_path) -> None:
    for name in ("a.json", "b.csv", "c.txt", "d.npz", "e.url"):
        assert load_board(save(record, tmp_path / name)) == record
    for name in ("p.json", "q.csv", "r.txt"):
        assert (load(save(eternity2, tmp_path / name)).tiles == eternity2.tiles).all()
    assert load(save(eternity2, tmp_path / "s.e2", "benoist")).size == 256
    with pytest.raises(FileError, match=r"a.json: already exists; refusing to overwrite it"):
        record.save(tmp_path / "a.json")
    save(record.rotated(1), tmp_path / "a.json", force=True)
    assert load_board(tmp_path / "a.json") == record.rotated(1)
    with pytest.raises(PuzzleError, match=r"no format has the suffix '.doc'"):
        save(record, tmp_path / "a.doc")
    with pytest.raises(PuzzleError, match="a puzzle cannot be written as 'npz'; its formats are json, csv"):
        save(eternity2, tmp_path / "t.npz")
    with pytest.raises(FileError, match=r"cannot be written: No such file or directory"):
        save(record, tmp_path / "no" / "such.json")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_boards_and_puzzles_are_not_mistaken_for_each_other(record: Board, eternity2: Puzzle, tmp_path) -> None:
    with pytest.raises(PuzzleError, match="this is a board; expected a puzzle"):
        load(save(record, tmp_path / "board.json"))
    with pytest.raises(PuzzleError, match="this is a puzzle; expected a board"):
        load_board(save(eternity2, tmp_path / "puzzle.csv"))
    (tmp_path / "two.txt").write_text(f"{record.to_url()}\n{record.to_url()}\n")
    with pytest.raises(PuzzleError, match="contains 2 boards; expected one"):
        load_board(tmp_path / "two.txt")
