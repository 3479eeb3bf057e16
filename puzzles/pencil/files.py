"""Reading of pencil puzzles from files, addresses, game IDs and lines; the kind and the format are recognised."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, NamedTuple

from puzzles.errors import FileError, PuzzleError
from puzzles.file_io import naming, read_bytes
from puzzles.formats.reading import MAX_BYTES, Line, decode, rows
from puzzles.pencil.formats import battleship, circuit, hashi, pzpr, read_solution, sudoku, tables, zebra
from puzzles.pencil.sudoku import Sudoku, usual_box

KINDS = ("sudoku", "battleship", "circuit", "hashi", "zebra")
_NO_FORMAT = (
    "is in no known format; expected an address, a game ID, lines or grids of cells, a table that begins with the "
    "numbers of rows and columns, or a text whose first line is 'circuit' or 'zebra'"
)
_LINK_TYPES = {"sudoku": "sudoku", "hashikake": "hashi", "hashi": "hashi", "battleship": "battleship"}


class Reading(NamedTuple):
    """A puzzle that was read, the name of its format, and its solution where the source gives one."""

    puzzle: Any
    format: str
    solution: Any = None


def load(source: str | Path, kind: str | None = None) -> list[Reading]:
    """Load the puzzles of a file, of standard input ("-"), or of an address, game ID or line.

    Args:
        source: The path, or the puzzle itself where it is a single word.
        kind: "sudoku", "battleship", "circuit", "hashi" or "zebra"; recognised by default.

    Raises:
        FileError: The file cannot be read, or is too large.
        PuzzleError: The text is damaged, or its kind cannot be recognised.
    """
    text = str(source)
    if kind is not None and kind not in KINDS:
        raise PuzzleError(f"unknown kind {kind!r}; expected one of {', '.join(KINDS)}")
    with naming(source):
        found = _single(text, kind, "")
        if found:
            return [found]
        if text != "-" and not os.path.exists(text):
            raise FileError(
                "cannot be read: there is no such file, nor is this the address, game ID or line of a puzzle"
            )
        return parse(decode(read_bytes(source)), kind, Path(text).stem)


def parse(text: str, kind: str | None = None, name: str = "") -> list[Reading]:
    """Read the puzzles of a text in any supported format; the arguments are those of `load`."""
    if len(text) > MAX_BYTES:
        raise PuzzleError(f"is larger than {MAX_BYTES // 2**20} MiB; refusing to read it")
    start = text.lstrip()[:1]
    if not start:
        raise PuzzleError("the text is empty")
    if start == "{":
        return _json_lines(text, kind)
    first = next((line for line in rows(text)), Line(0, [""])).tokens
    head = first[0].lower() if len(first) == 1 else ""
    if head == circuit.HEAD or kind == "circuit":
        return [Reading(_of_kind(circuit.read(_from(text, head), name), kind), "text")]
    if head == zebra.HEAD or kind == "zebra":
        return [Reading(_of_kind(zebra.read(text, name), kind), "text")]
    if re.search(r"^\s*problem\(", text, flags=re.MULTILINE):
        return [Reading(_of_kind(puzzle, kind), "csplib") for puzzle in battleship.read_csplib(text)]
    if head in KINDS:
        if kind not in (None, head):
            raise PuzzleError(f"this is {head}; expected {kind}")
        return parse(_from(text, head).split("\n", 1)[-1], head, name)
    return _lines_or_grids(text, kind, name)


def _from(text: str, head: str) -> str:
    """Return the text from its first line with a word on: what precedes is blank, or comments."""
    lines = text.splitlines()
    begin = next((k for k, line in enumerate(lines) if line.strip().lower() == head), 0)
    return "\n".join(lines[begin:])


def _single(text: str, kind: str | None, name: str) -> Reading | None:
    """Return the puzzle of a single word: an address, a game ID or a line of cells; None if it is none of these."""
    found = pzpr.parse(text)
    if found and (found.type in _LINK_TYPES or "://" in text):
        if found.type not in _LINK_TYPES:
            raise PuzzleError(f"the address is of the type {found.type!r}; expected {', '.join(_LINK_TYPES)}")
        module = {"sudoku": sudoku, "hashi": hashi, "battleship": battleship}[_LINK_TYPES[found.type]]
        return Reading(_of_kind(module.read_link(found, name), kind), "link")
    if kind != "hashi" and sudoku.is_id(text):
        return Reading(_of_kind(sudoku.read_id(text, name), kind), "tatham")
    if kind != "sudoku" and hashi.is_id(text):
        return Reading(_of_kind(hashi.read_id(text, name), kind), "tatham")
    if kind in (None, "sudoku") and sudoku.is_line(text):
        return Reading(sudoku.read_line(text, name), "line")
    return None


def _lines_or_grids(text: str, kind: str | None, name: str) -> list[Reading]:
    """Read a file of single words, a table, or grids of characters that comment lines separate."""
    lines = rows(text)
    if not lines:
        raise PuzzleError("the text has comments only")
    if all(len(line.tokens) == 1 for line in lines):
        if len(lines) == len(lines[0].tokens[0]) > 1:
            return _grids(text, kind, name)  # as many lines as characters: one square grid
        several = len(lines) > 1
        singles = []
        for count, line in enumerate(lines, start=1):
            label = f"{name} {count}" if several else name
            with naming(f"line {line.line}"):
                found = _single(line.tokens[0], kind, label)
            if found is None:
                return _grids(text, kind, name)
            singles.append(found)
        return singles
    return [_table(text, kind, name)]


def _table(text: str, kind: str | None, name: str) -> Reading:
    """Read a table whose first line has the numbers of rows and columns."""
    if kind is None and not all(token.isdigit() for token in rows(text)[0].tokens):
        raise PuzzleError(_NO_FORMAT)
    head, lines = tables.split(text)
    if kind == "battleship" or (kind is None and len(lines) == head[0] + 2):
        return Reading(battleship.read_table(text, name), "grid")
    if kind is None and len(head) == 4:
        kind = "sudoku"  # the last two numbers are the shape of a box
    if kind is None:
        cells = [token for line in tables.cells(lines, head[0], head[1]) for token in line]
        kind = "sudoku" if len(head) != 3 and _could_be_sudoku(cells, head[0], head[1], 10) else "hashi"
    return Reading((sudoku if kind == "sudoku" else hashi).read_table(text, name), "grid")


def _grids(text: str, kind: str | None, name: str) -> list[Reading]:
    """Read grids of one character a cell; a line that starts with # names the grid that follows."""
    found: list[Reading] = []
    block: list[Line] = []
    title = name
    for number, line in enumerate([*text.splitlines(), "#"], start=1):
        comment = line.lstrip().startswith("#")
        if (comment or not line.strip()) and block:
            with naming(title or f"line {block[0].line}"):
                found.append(_grid(block, kind, title))
            block = []
        if comment:
            title = (line.strip().lstrip("#").split() or [name])[0]
        elif line.strip():
            block.append(Line(number, line.split()))
    return found


def _grid(block: list[Line], kind: str | None, name: str) -> Reading:
    width = len(block[0].tokens[0])
    table = tables.cells(block, len(block), width)
    cells = [token for row in table for token in row]
    if kind is None:
        kind = "sudoku" if _could_be_sudoku(cells, len(block), width, 26) else "hashi"
        if kind == "hashi" and not all(token.isdigit() or token in ".-" for token in cells):
            raise PuzzleError(_NO_FORMAT)
    if kind == "sudoku":
        return Reading(sudoku.read_line("".join(cells), name), "line")
    if kind != "hashi":
        raise PuzzleError(f"a grid of characters is a Sudoku or a Hashi puzzle; expected {kind}")
    return Reading(hashi.read_rows(block, name), "plain")


def _could_be_sudoku(cells: list[str], height: int, width: int, base: int) -> bool:
    """Return whether no number is repeated in a row, column or box: Hashi puzzles of any size repeat their labels."""
    try:
        box = usual_box(height)
        numbers = [0 if token in ".-0" else int(token, base) for token in cells]
        if height != width or max(numbers) > height:
            return False
        grid = [numbers[i * width : (i + 1) * width] for i in range(height)]
        Sudoku(tuple(map(tuple, grid)), box)
    except (PuzzleError, ValueError):
        return False
    for i in range(height):
        for j in range(width):
            same = grid[i][j]
            if same and any(
                grid[k][m] == same
                and (i, j) != (k, m)
                and (i == k or j == m or (i // box[0], j // box[1]) == (k // box[0], m // box[1]))
                for k in range(height)
                for m in range(width)
            ):
                return False
    return True


def _json_lines(text: str, kind: str | None) -> list[Reading]:
    """Read objects, one a line, with `problem`, and perhaps `name` and `solution`."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        with naming(f"line {number}"):
            try:
                entry = json.loads(line)
            except (json.JSONDecodeError, RecursionError):
                raise PuzzleError("expected one JSON object a line") from None
            if not isinstance(entry, dict) or not isinstance(entry.get("problem"), str):
                raise PuzzleError("expected an object with a text 'problem'")
            if entry["problem"].lstrip().startswith("{"):
                raise PuzzleError("the text 'problem' must be a puzzle, not JSON")
            single = _single(entry["problem"].strip(), kind, str(entry.get("name", "")))
            [reading, *more] = [single] if single else parse(entry["problem"], kind, str(entry.get("name", "")))
            if more:
                raise PuzzleError("the text 'problem' must be one puzzle")
            solution = entry.get("solution")
            if isinstance(solution, str) and solution.strip():
                reading = reading._replace(solution=read_solution(reading.puzzle, solution))
        found.append(reading)
    return found


def _of_kind(puzzle: Any, kind: str | None) -> Any:
    if kind not in (None, puzzle.kind):
        raise PuzzleError(f"this is {puzzle.kind}; expected {kind}")
    return puzzle
