"""Whatever bytes come in, a reader answers with a puzzle, boards or a PuzzleError; never anything else, never slowly.

Each example is a valid file with a few random edits. Small puzzles are mutated most: their files are all structure.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles import BOARD_FORMATS, PUZZLE_FORMATS, Board, Puzzle, PuzzleError, generate
from puzzles.files import parse
from puzzles.saving import encode

PUZZLE, SOLUTION = generate(3, 4, 2, 3, 1, hints=1)
SQUARE, _ = generate(3, 3, 2, 3, 1, hints=2)
CORPUS = {
    **{
        f"puzzle {name}": encode(SQUARE, name)
        for name in PUZZLE_FORMATS
        if name not in ("e2pieces-trbl", "e2pieces-tlbr")
    },
    **{f"board {name}": encode(SOLUTION, name) for name in BOARD_FORMATS if name not in ("url-default", "url-marie")},
}
EXAMPLES = 20_000 // len(CORPUS) + 1
SPICES = [b"", b"\n", b",", b" ", b"/", b"{", b"}", b"[", b"]", b'"', b"&", b"=", b"#", b"-1", b"1e9", b"NaN", b"null"]
SPICES += [
    b"99999999999999999999",
    b"0" * 50,
    b"\x00",
    b"\xff\xfe",
    b"PK\x03\x04",
    b"board_edges=",
    b"board_w=",
    b"true",
]

EDITS = st.lists(
    st.tuples(
        st.floats(0, 1, allow_nan=False),  # where
        st.one_of(st.integers(0, 3), st.integers(0, 200)),  # how many bytes go
        st.one_of(st.sampled_from(SPICES), st.binary(max_size=4), st.floats(0, 1, allow_nan=False)),  # what comes
    ),
    min_size=1,
    max_size=4,
)


def _mutated(data: bytes, edits: list[tuple[float, int, bytes | float]]) -> bytes:
    for where, gone, new in edits:
        at = int(where * len(data))
        if isinstance(new, float):  # a piece of the file itself, once more
            start = int(new * len(data))
            new = data[start : start + 40]
        data = data[:at] + new + data[at + gone :]
    return data


@pytest.mark.parametrize("name", CORPUS)
def test_mutated_files_are_read_or_refused(name: str) -> None:
    seen = {"read": 0, "refused": 0}

    @given(edits=EDITS)
    @settings(max_examples=EXAMPLES)
    def check(edits: list[tuple[float, int, bytes | float]]) -> None:
        data = _mutated(CORPUS[name], edits)
        try:
            found = parse(data, "x", puzzle=SOLUTION.puzzle if name.startswith("board") else None)
        except PuzzleError as error:
            message = str(error)
        else:
            message = ""
        if message:
            assert "\n" not in message
            assert len(message) < 1000
            seen["refused"] += 1
            return
        for item in [found] if isinstance(found, Puzzle) else found:
            assert isinstance(item, Puzzle | Board)
            again = parse(encode(item, "json"), "x")
            assert again in (item, [item])
        seen["read"] += 1

    check()
    assert seen["read"] + seen["refused"] >= EXAMPLES
    assert seen["refused"] > EXAMPLES // 10  # else the edits do not reach the reader


@given(st.binary(max_size=300))
@settings(max_examples=500)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        parse(data, "x")
    except PuzzleError:
        return
