"""What addresses on puzz.link and pzv.jp share: the address itself, and runs of numbers in base 16.

A body is a sequence of characters: 0 to f is a number, `-xx` a number within 16..255, `.` a question mark, and g to z
are 1 to 20 empty cells.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from puzzles.errors import PuzzleError
from puzzles.formats.reading import shortened

SITE = "https://puzz.link/p?"
_ADDRESS = re.compile(r"(?:https?://[^\s?]*\?)?([a-z]+)(?:_edit)?/(?:v:/)?([0-9]{1,4})/([0-9]{1,4})/([^\s]*)")
EMPTY, QUESTION = -1, -2
_RUNS = "ghijklmnopqrstuvwxyz"


class Address(NamedTuple):
    """The parts of an address."""

    type: str
    cols: int
    rows: int
    body: str


def parse(text: str) -> Address | None:
    """Return the parts of an address, or None if the text is not one."""
    found = _ADDRESS.fullmatch(text.strip())
    return Address(found[1], int(found[2]), int(found[3]), found[4]) if found else None


def address(type: str, shape: tuple[int, int], body: str) -> str:
    """Return the address of a puzzle with some rows and columns."""
    return f"{SITE}{type}/{shape[1]}/{shape[0]}/{body}"


def decode(body: str, count: int) -> tuple[list[int], str]:
    """Return the first `count` entries of a body, and what follows them.

    Raises:
        PuzzleError: The body is too short, or has a character that means nothing.
    """
    entries: list[int] = []
    position = 0
    while len(entries) < count:
        char = body[position : position + 1]
        if not char:
            raise PuzzleError(f"the address describes {len(entries)} cells; expected {count}")
        position += 1
        if char in _RUNS:
            entries += [EMPTY] * (_RUNS.index(char) + 1)
        elif char == ".":
            entries.append(QUESTION)
        elif char == "-":
            digits = body[position : position + 2]
            if not re.fullmatch("[0-9a-f]{2}", digits):
                raise PuzzleError(f"the address has {shortened('-' + digits)!r}; expected - and two hexadecimal digits")
            entries.append(int(digits, 16))
            position += 2
        elif char in "0123456789abcdef":
            entries.append(int(char, 16))
        else:
            raise PuzzleError(f"the address has the character {shortened(char)!r}, which has no meaning there")
    return entries[:count], body[position:]


def encode(entries: list[int]) -> str:
    """Return the body of some entries: numbers, `EMPTY` and `QUESTION`."""
    parts: list[str] = []
    run = 0
    for entry in [*entries, None]:
        if entry == EMPTY and run < len(_RUNS):
            run += 1
            continue
        if run:
            parts.append(_RUNS[run - 1])
            run = 0
        if entry == EMPTY:
            run = 1
        elif entry == QUESTION:
            parts.append(".")
        elif entry is not None:
            parts.append(f"{entry:x}" if entry < 16 else f"-{entry:02x}")
    return "".join(parts)
