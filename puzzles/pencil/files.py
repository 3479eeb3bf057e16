"""Reading of pencil puzzles from files, addresses, game IDs and lines; the kind and the format are recognised."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, NamedTuple

from puzzles.errors import FileError, PuzzleError
from puzzles.file_io import naming, read_bytes
from puzzles.formats.reading import MAX_BYTES, Line, decode, rows, shortened
from puzzles.pencil.formats import battleship, circuit, hashi, layout, pzpr, read_solution, sudoku, tables, zebra
from puzzles.pencil.sudoku import Sudoku, units, usual_box

KINDS = ("sudoku", "battleship", "circuit", "hashi", "zebra")
_NO_FORMAT = (
    "is in no known format; expected an address, a game ID, lines or grids of cells, a table that begins with the "
    "numbers of rows and columns, or a text whose first line is 'circuit' or 'zebra'"
)
_MAX_ROW = 40  # cells of a Hashi puzzle of one row that is recognised as such
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
    text = text.removeprefix("\ufeff")
    lines = rows(text)
    if not lines:
        raise PuzzleError("the text has comments only" if text.strip() else "the text is empty")
    if re.match(r"\s*(\{|\[\s*\{)", "\n".join(text.splitlines()[lines[0].line - 1 :])):
        return _json(text, kind)
    if re.search(r"^\s*problem\(", text, flags=re.MULTILINE):
        return [Reading(_of_kind(puzzle, kind), "csplib") for puzzle in battleship.read_csplib(text)]
    sections = layout.sections(text, KINDS)
    if sections and " ".join(lines[0].tokens).lower() == sections[0][0]:
        labels = _labels(name, len(sections))
        return [
            one
            for (head, part), label in zip(sections, labels, strict=True)
            for one in _section(head, part, kind, label)
        ]
    if kind in ("circuit", "zebra"):
        return _section(kind, text, kind, name)
    return _lines_or_grids(text, kind, name)


def _section(head: str, text: str, kind: str | None, name: str) -> list[Reading]:
    """Read what a line with the kind of puzzle begins."""
    if kind not in (None, head):
        raise PuzzleError(f"this is {head}; expected {kind}")
    if head == "circuit":
        return [Reading(circuit.read(text, name), "text")]
    if head == "zebra":
        return [Reading(zebra.read(text, name), "text")]
    return _lines_or_grids(text.partition("\n")[2], head, name)


def _labels(name: str, count: int) -> list[str]:
    """Return the names of the puzzles of a text."""
    return [name] if count == 1 else [f"{name} {number}".strip() for number in range(1, count + 1)]


def _single(text: str, kind: str | None, name: str) -> Reading | None:
    """Return the puzzle of a single word: an address, a game ID or a line of cells; None if it is none of these."""
    found = pzpr.parse(text)
    if found and (found.type in _LINK_TYPES or "://" in text):
        if found.type not in _LINK_TYPES:
            raise PuzzleError(f"the address is of the type {found.type!r}; expected {', '.join(_LINK_TYPES)}")
        module = {"sudoku": sudoku, "hashi": hashi, "battleship": battleship}[_LINK_TYPES[found.type]]
        return Reading(_of_kind(module.read_link(found, name), kind), "link")
    text = re.sub(r"https?://\S*#", "", text)  # the page of a game with its ID
    if kind != "hashi" and sudoku.is_id(text):
        return Reading(_of_kind(sudoku.read_id(text, name), kind), "tatham")
    if kind != "sudoku" and hashi.is_id(text):
        return Reading(_of_kind(hashi.read_id(text, name), kind), "tatham")
    if kind in (None, "sudoku") and sudoku.is_line(text):
        return Reading(sudoku.read_line(text, name), "line")
    if kind is None and re.fullmatch(r"[0-9]+x[0-9]+[A-Za-z0-9]*[:#]\w+", text):
        raise PuzzleError(
            f"the game ID {shortened(text, 40)!r} is not one of Solo or Bridges whose cells fill the grid"
        )
    return None


def _lines_or_grids(text: str, kind: str | None, name: str) -> list[Reading]:
    """Read a file of single words, tables, or grids of characters that blank or comment lines separate."""
    if not rows(text):
        raise PuzzleError("the text has comments only")
    singles = _singles(text, kind, name)
    if singles:
        return singles
    for extra in (2, 0):  # tables of Battleship have two lines of counts
        tables = layout.tables(text, extra) if kind is None or (kind == "battleship") == (extra == 2) else []
        if tables:
            labels = _labels(name, len(tables))
            return [_table(part, kind, label) for part, label in zip(tables, labels, strict=True)]
    if kind == "battleship":
        return [_table(text, kind, name)]
    plain = layout.without_frames(text)
    if any(len(line.tokens) > 1 or "," in line.tokens[0] for line in rows(plain)):
        together = layout.joined(plain)
        if together is None:
            return [_table(text, kind, name)]
        plain = together
    return [_grid(block, kind, title) for title, block in layout.blocks(plain, name)]


def _singles(text: str, kind: str | None, name: str) -> list[Reading]:
    """Read a file whose lines begin with an address, a game ID or the cells of a Sudoku; return [] if they do not.

    What follows in a line is the solution of a Sudoku, or a remark.
    """
    lines = [(line.line, re.split(r"[\s,;]+", " ".join(line.tokens))) for line in rows(text)]
    if len(lines) == len(lines[0][1][0]) > 1:
        return []  # as many lines as characters: one square grid
    if len(lines) > 1 and re.fullmatch(r"[A-Za-z_]+([,;\s][A-Za-z_]+)+", text.strip().splitlines()[0]):
        del lines[0]  # the names of columns
    found: list[Reading] = []
    for (line, words), label in zip(lines, _labels(name, len(lines)), strict=True):
        with naming(f"line {line}"):
            single = _single(words[0], kind, label)
            if single is None:
                return []
            if single.format == "line" and [len(word) for word in words[:2]] == 2 * [len(words[0])]:
                single = single._replace(solution=sudoku.read_solution(single.puzzle, words[1]))
        found.append(single)
    small = [one.puzzle for one in found if one.format == "line" and one.puzzle.side < 9]
    if kind is None and len(found) > 1 and not all(map(_is_consistent, small)):
        return []  # rows of a Hashi puzzle
    return found


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


def _grid(block: list[Line], kind: str | None, name: str) -> Reading:
    width = len(block[0].tokens[0])
    table = tables.cells(block, len(block), width)
    cells = [token for row in table for token in row]
    if kind is None:
        kind = "sudoku" if _could_be_sudoku(cells, len(block), width, 26) else "hashi"
        if kind == "hashi" and not all(token.isdigit() or token in ".-" for token in cells):
            raise PuzzleError(_NO_FORMAT)
        if len(block) == 1 and width > _MAX_ROW:
            kind = "sudoku"  # a line that has not the length of one
    if kind == "sudoku":
        return Reading(sudoku.read_line("".join(cells), name), "line")
    if kind != "hashi":
        raise PuzzleError(f"a grid of characters is a Sudoku or a Hashi puzzle; expected {kind}")
    return Reading(hashi.read_rows(block, name), "plain")


def _could_be_sudoku(cells: list[str], height: int, width: int, base: int) -> bool:
    """Return whether no number is repeated in a row, column or box: Hashi puzzles of any size repeat their labels."""
    try:
        box = usual_box(height)
        numbers = [0 if token in sudoku.EMPTY else int(token, base) for token in cells]
        if height != width or max(numbers) > height:
            return False
        grid = [numbers[i * width : (i + 1) * width] for i in range(height)]
        return _is_consistent(Sudoku(tuple(map(tuple, grid)), box))
    except (PuzzleError, ValueError):
        return False


def _is_consistent(puzzle: Sudoku) -> bool:
    for _, cells in units(puzzle.side, puzzle.box):
        numbers = [puzzle.clues[i][j] for i, j in cells if puzzle.clues[i][j]]
        if len(set(numbers)) < len(numbers):
            return False
    return True


def _json(text: str, kind: str | None) -> list[Reading]:
    """Read objects with `problem`, and perhaps `name` and `solution`: one a line, or as a list."""
    where = "line"
    entries: list[tuple[int, Any]] = []
    try:
        whole = json.loads(text)
        entries = list(enumerate(whole if isinstance(whole, list) else [whole], start=1))
        where = "entry" if isinstance(whole, list) else "line"
    except (json.JSONDecodeError, RecursionError):
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip() and not line.lstrip().startswith("#"):
                entries.append((number, _object(line, number)))
    found = []
    for number, entry in entries:
        with naming(f"{where} {number}"):
            found.append(_entry(entry, kind))
    return found


def _object(line: str, number: int) -> Any:
    try:
        return json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        raise PuzzleError(f"line {number}: expected one JSON object a line, or a list of them") from None


def _entry(entry: Any, kind: str | None) -> Reading:
    """Read one object."""
    if not isinstance(entry, dict) or not isinstance(entry.get("problem"), str):
        raise PuzzleError("expected an object with a text 'problem'")
    problem, solution = entry["problem"].strip(), entry.get("solution") or ""
    if problem.startswith(("{", "[")):
        raise PuzzleError("the text 'problem' must be a puzzle, not JSON")
    if not isinstance(solution, str):
        raise PuzzleError("'solution' must be a text")
    [reading, *more] = parse(entry["problem"], kind, str(entry.get("name") or ""))
    if more:
        raise PuzzleError("the text 'problem' must be one puzzle")
    return reading._replace(solution=read_solution(reading.puzzle, solution)) if solution.strip() else reading


def _of_kind(puzzle: Any, kind: str | None) -> Any:
    if kind not in (None, puzzle.kind):
        raise PuzzleError(f"this is {puzzle.kind}; expected {kind}")
    return puzzle
