"""Tables of tokens, as in the JSON-lines sets: a line of numbers, then rows of tokens separated by blanks."""

from __future__ import annotations

from puzzles.errors import PuzzleError
from puzzles.formats.reading import Line, number, rows, shortened

MAX_SIDE = 100


def split(text: str) -> tuple[list[int], list[Line]]:
    """Return the numbers of the first line and the lines after it; the first two numbers are rows and columns.

    Raises:
        PuzzleError: There is no such line.
    """
    lines = rows(text)
    if not lines or len(lines[0].tokens) < 2:
        raise PuzzleError("expected a first line with the numbers of rows and columns")
    first = lines[0]
    head = [number(token, f"line {first.line}", "an entry of the first line", 0, 9999) for token in first.tokens]
    for side in head[:2]:
        if not 1 <= side <= MAX_SIDE:
            raise PuzzleError(f"line {first.line}: a side of {side} is not within 1..{MAX_SIDE}")
    return head, lines[1:]


def cells(lines: list[Line], height: int, width: int) -> list[list[str]]:
    """Return the tokens of a table; a line that is one token is taken character by character.

    Raises:
        PuzzleError: The table has another shape.
    """
    if len(lines) != height:
        raise PuzzleError(f"found {len(lines)} rows of cells; expected {height}")
    table = []
    for line in lines:
        tokens = list(line.tokens[0]) if len(line.tokens) == 1 and width > 1 else line.tokens
        if len(tokens) != width:
            raise PuzzleError(f"line {line.line}: found {len(tokens)} cells; expected {width}")
        table.append(tokens)
    return table


def entry(token: str, where: str, empty: str, what: str, high: int) -> int:
    """Return the number of a cell, 0 if its token is one of the characters of `empty`."""
    return 0 if len(token) == 1 and token in empty else number(token, where, what, 1, high)


def meaning(token: str, where: str, tokens: dict[str, int]) -> int:
    """Return what a token stands for."""
    if token not in tokens:
        raise PuzzleError(f"{where}: found {shortened(token, 20)!r}; expected one of {' '.join(tokens)}")
    return tokens[token]
