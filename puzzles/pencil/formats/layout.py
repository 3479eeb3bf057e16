"""How people lay out puzzles: frames, blanks between cells, gaps between bands, titles, several puzzles one by one.

Everything here turns texts into simpler texts, which the readers of the formats take.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from puzzles.formats.reading import Line, rows
from puzzles.pencil.formats.sudoku import DIGITS, EMPTY
from puzzles.pencil.sudoku import MIN_SIDE

_BOX = "\u2500-\u257f"  # the characters of Unicode that draw boxes
_FRAME = re.compile(rf"[\s|+=\-{_BOX}]+")
_CORNER = re.compile(rf"[+{_BOX}]")
_BARS = re.compile(rf"[|{_BOX}]")
_TITLE = re.compile(r"\s*[A-Za-z]{2,}\s*#?[0-9]+\s*:?\s*")  # such as "Grid 01"
_GAP = re.compile(r"\S\s{3,}\S")
_BOARD = set("oST#-| ")
_MAX_HEAD = 60


def sections(text: str, heads: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the parts of a text that begin with a line which is one of some words, each with its word."""
    lines = text.splitlines()
    starts = [k for k, line in enumerate(lines) if len(line) < _MAX_HEAD and line.strip().lower() in heads]
    found = []
    for start, end in pairwise([*starts, len(lines)]):
        part = lines[start:end]
        while end < len(lines) and _is_remark(part[-1]):  # what precedes the next word belongs to it
            part.pop()
        found.append((part[0].strip().lower(), "\n".join(part)))
    return found


def _is_remark(line: str) -> bool:
    """Return whether a line is blank or a comment, but not a row of a circuit board that begins with a black cell."""
    return not line.strip() or (line.lstrip().startswith("#") and not set(line.rstrip()) <= _BOARD)


def tables(text: str, extra: int) -> list[str]:
    """Return the tables that make up a text: as many lines each as its first number says, and some more.

    Args:
        text: Tables, one after another.
        extra: Lines of a table between the first one and its cells.

    Returns:
        The tables; none if the text is not made up of such.
    """
    lines, found, begin = rows(text), [], 0
    every = text.splitlines()
    while begin < len(lines):
        head = lines[begin].tokens
        if len(head) < 2 or not all(token.isascii() and token.isdigit() and len(token) < 5 for token in head):
            return []
        end = begin + 1 + extra + int(head[0])
        if end > len(lines):
            return []
        found.append("\n".join(every[line.line - 1] for line in lines[begin:end]))
        begin = end
    return found


def without_frames(text: str) -> str:
    """Return a text of grids without the lines and bars of frames, and with titles as comments."""
    lines = text.splitlines()
    framed = any(_BARS.search(line) for line in lines if not line.lstrip().startswith("#"))
    dashes_are_cells = not any(char in text for char in ".0*_")
    kept = []
    for line in lines:
        if _TITLE.fullmatch(line):
            kept.append(f"# {'_'.join(line.split())}")
        elif not framed or line.lstrip().startswith("#") or not line.strip():
            kept.append(line)
        elif not _FRAME.fullmatch(line) or (dashes_are_cells and _BARS.search(line) and not _CORNER.search(line)):
            kept.append(_BARS.sub("", line))
    return "\n".join(kept)


def joined(text: str) -> str | None:
    """Return a text in which each row of a grid is one word, if blanks or commas separate its cells or groups of them.

    Numbers of two digits become the letters that stand for them in a Sudoku of more than nine rows. Wide gaps may be
    empty cells, and such a text is not changed.
    """
    every = text.splitlines()
    if all("," in every[line.line - 1] for line in rows(text)):
        every = [" ".join(part.strip() or "." for part in line.split(",")) if "," in line else line for line in every]
    lines = rows("\n".join(every))
    if len({len(line.tokens) for line in lines}) != 1 or any(_GAP.search(every[line.line - 1]) for line in lines):
        return None
    if any(len(token) > 1 for line in lines for token in line.tokens):
        side = len(lines[0].tokens)
        if (
            side >= MIN_SIDE
            and len(lines) % side == 0
            and all(_is_number(token) for line in lines for token in line.tokens)
        ):
            for line in lines:
                every[line.line - 1] = "".join(DIGITS[int(t)] if t not in EMPTY else "." for t in line.tokens)
            return "\n".join(every)
        width = len("".join(lines[0].tokens))
        if len(lines) % width:
            return None
    for line in lines:
        every[line.line - 1] = "".join(line.tokens)
    return "\n".join(every)


def _is_number(token: str) -> bool:
    """Return whether a token is a cell of a Sudoku that is written with decimal numbers."""
    return token in EMPTY or (token.isascii() and token.isdigit() and len(token) < 3 and int(token) < len(DIGITS))


def blocks(text: str, name: str) -> Iterator[tuple[str, list[Line]]]:
    """Yield the grids of a text with their names; blank lines and comments end a grid, and a comment names the next.

    Blank lines between the bands of a Sudoku do not end it.
    """
    parts: list[tuple[str, bool, list[Line]]] = []  # the name, whether a comment precedes, the rows
    title, fresh, open_ = name, True, False
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.strip()
        if content.startswith("#"):
            title, fresh, open_ = (content.lstrip("#").split() or [name])[0], True, False
        elif not content:
            open_ = False
        elif open_:
            parts[-1][2].append(Line(number, content.split()))
        else:
            parts.append((title, fresh, [Line(number, content.split())]))
            fresh, open_ = False, True
    while parts:
        title, _, block = parts[0]
        width, height = len(block[0].tokens[0]), len(block)
        bands = width // height
        near = parts[:bands]
        together = height > 1 and height * bands == width and len(near) == bands
        if not together or any(new or len(one) != height for _, new, one in near[1:]):
            near = parts[:1]
        yield title, [line for _, _, one in near for line in one]
        del parts[: len(near)]
