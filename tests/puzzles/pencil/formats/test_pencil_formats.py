"""Round trips of all formats, damaged texts, and the real instances."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles.errors import FileError, PuzzleError
from puzzles.pencil import check, load, parse, read_solution, write, write_solution, writers
from puzzles.pencil.zebra import LIFE_1962
from tests.puzzles.pencil.samples import SAMPLES, message_of

SEEDS = st.integers(0, 10**6)


@pytest.mark.parametrize("kind", SAMPLES)
@given(seed=SEEDS)
def test_what_is_written_can_be_read(kind: str, seed: int) -> None:
    puzzle, solution = SAMPLES[kind](np.random.default_rng(seed))
    for format in writers(kind):
        try:
            text = write(puzzle, format)
        except PuzzleError as error:
            message_of(error)
            continue
        [reading] = parse(text, kind)
        assert (reading.puzzle, reading.format) == (puzzle, format)
        solved = write_solution(puzzle, solution, format)
        hidden = kind == "hashi" and format == "grid"  # a table does not show bridges between touching islands
        assert hidden or read_solution(puzzle, solved) == solution


@pytest.mark.parametrize("kind", SAMPLES)
def test_the_kind_is_recognised(kind: str) -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        puzzle, _ = SAMPLES[kind](rng, 9, 20) if kind == "hashi" else SAMPLES[kind](rng)  # small ones may be Sudoku too
        for format in writers(kind):
            try:
                text = write(puzzle, format)
            except PuzzleError:
                continue
            [reading] = parse(text)
            assert (reading.puzzle.kind, reading.format) == (kind, format), text


@settings(max_examples=300)
@given(st.sampled_from(sorted(SAMPLES)), SEEDS, st.data())
def test_damaged_texts_give_a_puzzle_or_one_line(kind: str, seed: int, data: st.DataObject) -> None:
    puzzle, _ = SAMPLES[kind](np.random.default_rng(seed))
    format = data.draw(st.sampled_from(writers(kind)))
    try:
        text = write(puzzle, format)
    except PuzzleError:
        return
    for _ in range(data.draw(st.integers(1, 4))):
        begin = data.draw(st.integers(0, len(text)))
        end = begin + data.draw(st.integers(0, 6))
        text = text[:begin] + data.draw(st.text(alphabet='0129-_.:/,#{}"x o|\nabzST?', max_size=4)) + text[end:]
    for wanted in (None, kind):
        try:
            parse(text, wanted)
        except PuzzleError as error:
            message_of(error)
    try:
        check(puzzle, read_solution(puzzle, text))
    except PuzzleError as error:
        message_of(error)


@given(st.text(max_size=200))
def test_any_text_gives_a_puzzle_or_one_line(text: str) -> None:
    for kind in (None, *SAMPLES):
        try:
            parse(text, kind)
        except PuzzleError as error:
            message_of(error)


def test_addresses_and_game_ids_of_others_are_read() -> None:
    [(hashi, *_)] = load("https://puzz.link/p?hashikake/5/5/4g2i3h23k3g1g3g4g3")
    assert write(hashi, "plain").splitlines() == ["4.2..", ".3..2", "3....", ".3.1.", "3.4.3"]
    [(sea, *_)] = load("battleship/6/6/g12h2g30g3gk0r3w//c")
    assert (sea.column_counts, sea.row_counts) == ((-1, 1, 2, -1, -1, 2), (-1, 3, 0, -1, 3, -1))
    assert sea.fleet == ((1, 3), (2, 2), (3, 1))
    [(solo, *_)] = load("2x3:1a2_3b4_5_6za")
    assert write(solo, "line").startswith("1.23..456.")


def test_a_file_of_lines_is_many_puzzles(tmp_path: Path) -> None:
    lines = [write(SAMPLES["sudoku"](np.random.default_rng(seed), (3, 3))[0], "line") for seed in range(12)]
    (tmp_path / "many.txt").write_text("# twelve\n" + "\n".join(lines))
    readings = load(tmp_path / "many.txt")
    assert [write(reading.puzzle, "line") for reading in readings] == lines
    assert readings[3].puzzle.name == "many 4"


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("", None, "the text is empty"),
        ("https://puzz.link/p?slither/5/5/abc", None, "the type 'slither'"),
        ("3x3j:1a", "sudoku", "a line of 7 characters is not a square grid"),
        ("circuit\no-o\n x\no o", None, "expected a blank, - beside or | below a point"),
        ("zebra\nColour: Red\nsame: Red", None, "line 3: a clue names two things"),
        ('{"problem": 3}', None, "line 1: expected an object with a text 'problem'"),
        ("problem(1,[x],[1],[1],[]).", None, "problem 1"),
        ("16 16\n1 2", "hashi", "found 1 rows of cells; expected 16"),
        ("Colour: Red, Green\nPet: Dog, Fox\nsame: Red, Dog", None, "is in no known format"),
        ("o-o o\n  |\no o o", None, "is in no known format"),
        ("MZ\x90\x00\x03", None, "is in no known format"),
    ],
)
def test_errors_say_what_is_wrong(text: str, kind: str | None, message: str) -> None:
    with pytest.raises(PuzzleError) as error:
        parse(text, kind)
    assert message in message_of(error.value)


@pytest.mark.parametrize(
    "source", ["no-such-file", "7x7:", "https://puzz.link/p?sudoku/99999/99999/a", "." * 80, "." * 5000, "a\0b"]
)
def test_what_is_neither_a_file_nor_a_puzzle_is_told(source: str) -> None:
    with pytest.raises(FileError, match="there is no such file, nor is this the address"):
        load(source)


def test_the_zebra_of_1962_is_its_text() -> None:
    [reading] = parse(write(LIFE_1962))
    assert reading.puzzle == LIFE_1962


@pytest.mark.parametrize(
    ("name", "kind", "count"),
    [
        ("battleship_csplib014.pl", "battleship", 303),
        ("battleship_janko_sample.jsonl", "battleship", 45),
        ("hashi_coelho2019_sample.txt", "hashi", 96),
        ("hashi_janko_sample.jsonl", "hashi", 45),
        ("sudoku_17_clues_sample.txt", "sudoku", 502),
        ("sudoku_hardest_sample.txt", "sudoku", 251),
        ("sudoku_janko_sample.jsonl", "sudoku", 25),
    ],
)
def test_the_real_instances_are_read_and_their_solutions_pass(
    instances: Path, name: str, kind: str, count: int
) -> None:
    readings = load(instances / "pencil" / name)
    assert len(readings) == count
    for puzzle, format, solution in readings:
        assert puzzle.kind == kind
        assert parse(write(puzzle, format), kind)[0].puzzle == puzzle
        if name.endswith(".jsonl"):
            assert check(puzzle, solution) is None
