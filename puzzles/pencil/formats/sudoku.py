"""Sudoku as text: lines of 81 characters, tables, addresses on puzz.link, game IDs of Simon Tatham's Solo."""

from __future__ import annotations

import re
from math import isqrt

from puzzles.errors import PuzzleError
from puzzles.formats.reading import number, shortened
from puzzles.pencil.formats import pzpr, tables
from puzzles.pencil.rules import Grid, at
from puzzles.pencil.sudoku import MAX_SIDE, Sudoku, is_usual, usual_box

DIGITS = ".123456789ABCDEFGHIJKLMNOP"
"""The characters of a line: the number is the position."""
EMPTY = "0.-*_"
"""The characters that are read as an empty cell."""
WRITERS = ("line", "grid", "link", "tatham")
_ID = re.compile(r"([0-9]{1,2})x([0-9]{1,2})([a-z0-9]*):([0-9a-z_]*)")


def is_line(text: str) -> bool:
    """Return whether a text without blanks looks like the cells of a Sudoku."""
    side = isqrt(len(text))
    usual = side in (4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 22, 24, 25)
    return usual and side * side == len(text) and set(text.upper()) <= {*EMPTY, *DIGITS[: side + 1]}


def read_line(text: str, name: str = "", box: tuple[int, int] | None = None) -> Sudoku:
    """Read a line with one character for each cell, row by row."""
    side = isqrt(len(text))
    if side * side != len(text) or side > MAX_SIDE:
        raise PuzzleError(f"a line of {len(text)} characters is not a square grid of side 4 to {MAX_SIDE}")
    shape = box or usual_box(side)
    numbers = []
    for position, char in enumerate(text.upper()):
        value = 0 if char in EMPTY else DIGITS.find(char)
        if not 0 <= value <= side:
            raise PuzzleError(f"{at(divmod(position, side))}: {shortened(char)!r} is not a number within 1..{side}")
        numbers.append(value)
    return Sudoku(_square(numbers, side), shape, name)


def write_line(cells: Grid) -> str:
    """Return the cells as one line of characters."""
    return "".join(DIGITS[number] for row in cells for number in row)


def read_table(text: str, name: str = "", box: tuple[int, int] | None = None) -> Sudoku:
    """Read a table of numbers; the first line gives rows and columns.

    Two more numbers in the first line give the shape of a box.
    """
    head, lines = tables.split(text)
    side = head[0]
    if head[0] != head[1] or len(head) not in (2, 4):
        raise PuzzleError("the first line of a Sudoku has rows and columns, which are equal, and may have a box shape")
    shape = box or ((head[2], head[3]) if len(head) == 4 else usual_box(side))
    table = tables.cells(lines, side, side)
    clues = [
        [tables.entry(token, at((i, j)), EMPTY, "the number", side) for j, token in enumerate(row)]
        for i, row in enumerate(table)
    ]
    return Sudoku(tuple(map(tuple, clues)), shape, name)


def write_table(cells: Grid, box: tuple[int, int]) -> str:
    """Return the cells as a table; the box shape is left out where it is the usual one."""
    side = box[0] * box[1]
    head = f"{side} {side}" if is_usual(box) else f"{side} {side} {box[0]} {box[1]}"
    return "\n".join([head, *(" ".join(str(entry) if entry else "-" for entry in row) for row in cells)])


def read_link(found: pzpr.Address, name: str = "", box: tuple[int, int] | None = None) -> Sudoku:
    """Read an address on puzz.link."""
    side = found.rows
    if found.rows != found.cols:
        raise PuzzleError(f"a Sudoku is square; the address has {found.rows} rows and {found.cols} columns")
    shape = box or usual_box(side)
    entries, rest = pzpr.decode(found.body, side * side)
    if rest.strip("/"):
        raise PuzzleError(f"the address goes on after the last cell: {shortened(rest, 20)!r}")
    return Sudoku(_square([max(entry, 0) for entry in entries], side), shape, name)


def is_id(text: str) -> bool:
    """Return whether a text is a game ID of Solo: its cells fill the grid."""
    found = _ID.fullmatch(text.strip())
    return found is not None and len(_id_cells(found[4])) == (int(found[1]) * int(found[2])) ** 2


def read_id(text: str, name: str = "") -> Sudoku:
    """Read a game ID of Solo, such as `3x3:` followed by numbers and runs of empty cells."""
    found = _ID.fullmatch(text.strip())
    if not found:
        raise PuzzleError(f"{shortened(text, 40)!r} is not a game ID of Solo")
    if set(found[3]) & set("xjk"):
        raise PuzzleError(f"the game ID is of a variant of Sudoku ({found[3]}), which is not supported")
    box, side = (int(found[1]), int(found[2])), int(found[1]) * int(found[2])
    entries = _id_cells(found[4])
    if len(entries) != side * side or side > MAX_SIDE:
        raise PuzzleError(
            f"the game ID describes {len(entries)} cells; expected {side * side}, of side 4 to {MAX_SIDE}"
        )
    return Sudoku(_square(entries, side), box, name)


def write_id(puzzle: Sudoku) -> str:
    """Return the game ID of Solo."""
    parts: list[str] = []
    run = 0
    for value in [*(clue for row in puzzle.clues for clue in row), None]:
        if value == 0:
            run += 1
            continue
        while run:
            parts.append("abcdefghijklmnopqrstuvwxyz"[min(run, 26) - 1])
            run -= min(run, 26)
        if value:
            parts.append(f"_{value}" if parts and parts[-1][-1].isdigit() else str(value))
    return f"{puzzle.box[0]}x{puzzle.box[1]}:{''.join(parts)}"


def write(puzzle: Sudoku, format: str) -> str:
    """Return a puzzle in one of `WRITERS`."""
    if format == "grid":
        return write_table(puzzle.clues, puzzle.box)
    if format == "tatham":
        return write_id(puzzle)
    if not is_usual(puzzle.box):
        raise PuzzleError(f"the format {format} cannot hold boxes of {puzzle.box[0]}x{puzzle.box[1]}; grid can")
    if format == "line":
        return write_line(puzzle.clues)
    entries = [number or pzpr.EMPTY for row in puzzle.clues for number in row]
    return pzpr.address("sudoku", (puzzle.side, puzzle.side), pzpr.encode(entries))


def write_solution(puzzle: Sudoku, solution: Grid, format: str) -> str:
    """Return a solution as a table for tables, and as a line otherwise."""
    return write_table(solution, puzzle.box) if format == "grid" else write_line(solution)


def read_solution(puzzle: Sudoku, text: str) -> Grid:
    """Read a solution, as a line or as a table."""
    lines = text.split()
    if len(lines) == 1:
        return read_line(lines[0], box=puzzle.box).clues
    return read_table(text, box=puzzle.box).clues


def _id_cells(body: str) -> list[int]:
    entries: list[int] = []
    for token in re.findall(r"[0-9]+|[a-z]|_", body[: 4 * MAX_SIDE**2]):
        if token.isdigit():
            entries.append(number(token, "the game ID", "a number", 1, MAX_SIDE))
        elif token != "_":
            entries += [0] * (ord(token) - ord("a") + 1)
    return entries


def _square(numbers: list[int], side: int) -> Grid:
    return tuple(tuple(numbers[i * side : (i + 1) * side]) for i in range(side))
