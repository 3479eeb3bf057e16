"""Puzzles as people lay them out: one puzzle, many ways to write it."""

import json

import pytest

from puzzles.errors import PuzzleError
from puzzles.pencil import check, parse, write
from solvers.pencil import generate

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = [LINE[9 * i : 9 * i + 9] for i in range(9)]
PUZZLE = parse(LINE)[0].puzzle
LARGE = generate("sudoku", 1, side=16)


def _framed(bar: str, between: str, edge: str = "") -> str:
    lines = [bar.join(" ".join(row[k : k + 3]) for k in (0, 3, 6)) for row in ROWS]
    bands = ["\n".join(lines[k : k + 3]) for k in (0, 3, 6)]
    return edge + f"\n{between}\n".join(bands) + f"\n{edge}"


LAYOUTS = {
    "blanks": "\n".join(" ".join(row) for row in ROWS),
    "groups": "\n".join(f"{row[:3]} {row[3:6]} {row[6:]}" for row in ROWS),
    "bands": "\n\n".join("\n".join(ROWS[k : k + 3]) for k in (0, 3, 6)),
    "bars": _framed(" | ", "------+-------+------"),
    "dashes": _framed("|", "-----------------"),
    "frame": _framed(" | ", "+-----+-----+-----+", "+=====+=====+=====+\n"),
    "drawn": _framed(" │ ", "├──────┼───────┼──────┤"),
    "commas": "\n".join(",".join(char if char != "." else "" for char in row) for row in ROWS),
    "dash": LINE.replace(".", "-"),
    "star": LINE.replace(".", "*"),
    "dashes in a frame": _framed(" | ", "------+-------+------").replace(".", "-"),
    "remark": f"{LINE}  # an easy one",
    "returns": "\r".join(ROWS),
    "mark": f"\ufeff{LINE}\n",
    "title": "Grid 01\n" + "\n".join(ROWS),
    "head": "Sudoku\n" + "\n".join(f"  {row}" for row in ROWS),
    "table of solutions": f"quizzes,solutions\n{LINE},{SOLVED}",
    "object": json.dumps({"name": None, "problem": LINE}, indent=1),
    "objects": json.dumps([{"problem": LINE, "solution": SOLVED}]),
    "comment": f'# a set\n{{"problem": "{LINE}"}}',
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_sudoku_is_read_in_every_layout(layout: str, ending: str) -> None:
    [reading] = parse(LAYOUTS[layout].replace("\n", ending))
    assert reading.puzzle == PUZZLE
    if reading.solution is not None:
        assert check(PUZZLE, reading.solution) is None
    assert (reading.solution is not None) == ("solution" in LAYOUTS[layout])


@pytest.mark.parametrize("layout", ["blanks", "bands", "bars", "title"])
@pytest.mark.parametrize("between", ["\n# second\n", "\n\n"])
def test_several_grids_in_a_text(layout: str, between: str) -> None:
    text = LAYOUTS[layout] + between + LAYOUTS[layout]
    assert [reading.puzzle for reading in parse(text)] == [PUZZLE, PUZZLE]


def test_numbers_of_two_digits() -> None:
    rows = [" ".join(str(number or ".") for number in row) for row in LARGE.clues]
    assert [reading.puzzle for reading in parse("\n".join(rows))] == [LARGE]
    assert [reading.puzzle for reading in parse("\n".join([*rows, "", *rows]))] == [LARGE, LARGE]


@pytest.mark.parametrize("kind", ["sudoku", "battleship", "circuit", "hashi", "zebra"])
def test_several_puzzles_in_a_text(kind: str) -> None:
    options = {"battleship": {"side": 6}, "circuit": {"side": 4}, "zebra": {"houses": 3, "attributes": 2}}
    puzzles = [generate(kind, seed, **options.get(kind, {})) for seed in range(3)]
    for gap in ("\n\n", "\n# another\n", "\n"):
        if gap == "\n" and kind == "hashi":
            continue  # nothing tells where a plain grid ends
        readings = parse(gap.join(map(write, puzzles)), name="set")
        assert [reading.puzzle for reading in readings] == puzzles
        if gap == "\n":
            assert [reading.puzzle.name for reading in readings] == ["set 1", "set 2", "set 3"]
    tables = "\n".join(write(puzzle, "grid") for puzzle in puzzles) if kind in ("sudoku", "hashi") else ""
    if tables:
        assert [reading.puzzle for reading in parse(tables)] == puzzles


def test_bridges_with_blanks_between_cells() -> None:
    for text in ("2 . 2\n. . .\n2 . 2", "hashi\n2 . 2\n. . .\n2 . 2"):
        assert parse(text)[0].puzzle == parse("2.2\n...\n2.2")[0].puzzle
    with pytest.raises(PuzzleError):  # blanks that stand for water would be lost
        parse("2   2\n     \n2   2")


def test_small_labels_do_not_make_rows_of_bridges_a_file_of_sudoku() -> None:
    text = "\n".join(
        ["1.1............2", "................", "1..............1", "..4............2", "..2............."]
    )
    [reading] = parse(text)
    assert (reading.puzzle.kind, reading.puzzle.shape) == ("hashi", (5, 16))


def test_boards_may_be_indented_and_begin_with_black_cells() -> None:
    board = "circuit\n# o-o\n\n# o o"
    [reading] = parse(board)
    assert reading.puzzle.black == {(0, 0), (1, 0)}
    indented = "\n".join(f"   {line}" for line in board.splitlines())
    assert [one.puzzle for one in parse(f"{board}\n{indented}\n")] == [reading.puzzle, reading.puzzle]


@pytest.mark.parametrize(
    "text",
    [
        "https://puzz.link/p?hashikake_edit/5/5/4g2i3h23k3g1g3g4g3",
        "https://puzz.link/p?hashikake/v:/5/5/4g2i3h23k3g1g3g4g3",
        "https://puzz.link/p?hashikake/5/5/4g2i3h23k3g1g3g4g3 of today",
    ],
)
def test_addresses_as_they_are_copied(text: str) -> None:
    assert parse(text)[0].puzzle == parse("hashikake/5/5/4g2i3h23k3g1g3g4g3")[0].puzzle


def test_the_page_of_a_game_with_its_id() -> None:
    puzzle = generate("hashi", 1)
    page = "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/bridges.html#"
    assert parse(page + write(puzzle, "tatham"))[0].puzzle == puzzle


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LINE[:80], "a line of 80 characters is not a square grid"),
        ("3x3:a7_9b6", "the game ID '3x3:a7_9b6' is not one of Solo or Bridges whose cells fill the grid"),
        ("3x3#123456", "is not one of Solo or Bridges"),
        ("zebra\nA: x, y\nleft of: x, y", "left of: the property 'x' appears twice; clues begin with same, at"),
        ("zebra\nA: x, y\nat: z, 1", "at: unknown property 'z'"),
        ('{"problem": "2.2", "solution": 5}', "'solution' must be a text"),
        ("problem(1,[1:1],[1,0],[1,0],[c@[1,1],w@[1,1]]).", r"there are two different hints at \[1,1\]"),
    ],
)
def test_errors_say_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        parse(text)
