"""Functions that all readers share: bytes to text, text to numbered rows of tokens, tokens to numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from puzzles.errors import PuzzleError

MAX_BYTES = 4 * 1024 * 1024
"""Size limit of input files; no supported puzzle or board needs a larger file."""


class Line(NamedTuple):
    """The tokens of one line that is neither blank nor a comment."""

    line: int
    tokens: list[str]


def decode(data: bytes) -> str:
    """Decode UTF-8 bytes, with or without a byte order mark."""
    if len(data) > MAX_BYTES:
        raise PuzzleError(f"is larger than {MAX_BYTES // 2**20} MiB; refusing to read it")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PuzzleError(f"byte {error.start + 1} is not UTF-8 text") from None


def rows(text: str, separator: str | None = None) -> list[Line]:
    """Split the lines of a text into tokens, leaving out blank lines and those that start with `#`."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            found.append(Line(number, [token.strip() for token in line.split(separator)]))
    return found


def table(text: str, required: Sequence[str]) -> tuple[list[str], list[Line]]:
    """Read a comma-separated table; return its column names in lower case, and its rows."""
    lines = rows(text, ",")
    if not lines:
        raise PuzzleError("the file is empty")
    header = [name.lower() for name in lines[0].tokens]
    for name in required:
        if header.count(name) != 1:
            raise PuzzleError(
                f"line {lines[0].line}: the header must have exactly one column {name!r}; found {', '.join(header)!r}"
            )
    for row in lines[1:]:
        if len(row.tokens) != len(header):
            raise PuzzleError(f"line {row.line}: found {len(row.tokens)} values; the header has {len(header)} columns")
    return header, lines[1:]


def number(token: str, where: str, what: str, low: int, high: int) -> int:
    """Parse a decimal integer within bounds."""
    if not (token.isascii() and token.isdigit() and len(token) <= 9):
        raise PuzzleError(f"{where}: {what} must be an integer; found {shortened(token, 40)!r}")
    value = int(token)
    if not low <= value <= high:
        raise PuzzleError(f"{where}: {what} {value} is not within {low}..{high}")
    return value


def flag(token: str, where: str, what: str) -> bool:
    """Parse a flag written as 1 or 0."""
    return number(token, where, what, 0, 1) == 1


def shortened(text: object, length: int = 100) -> str:
    """Return a text for a message: truncated, and without line breaks and other control characters."""
    shown = "".join(char if char.isprintable() else "?" for char in str(text)[: length + 1])
    return shown if len(shown) <= length else shown[: length - 3] + "..."
