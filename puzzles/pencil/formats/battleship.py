"""Battleship as text: tables, instances of CSPLib problem 014, addresses on puzz.link."""

from __future__ import annotations

import re

from puzzles.errors import PuzzleError
from puzzles.formats.reading import Line, number, shortened
from puzzles.pencil.battleship import (
    BOTTOM,
    BUOY,
    HULL,
    LEFT,
    MAX_SIDE,
    RIGHT,
    SHIP,
    TOP,
    UNKNOWN,
    WATER,
    Battleship,
)
from puzzles.pencil.formats import pzpr, tables
from puzzles.pencil.rules import Grid, at

WRITERS = ("grid", "csplib", "link")
_HINTS = {"-": UNKNOWN, "x": WATER, "w": LEFT, "e": RIGHT, "n": TOP, "s": BOTTOM, "m": HULL, "o": BUOY, "?": SHIP}
_CSPLIB = {"w": WATER, "l": LEFT, "r": RIGHT, "t": TOP, "b": BOTTOM, "m": HULL, "c": BUOY}
_LINK = (WATER, TOP, BOTTOM, LEFT, RIGHT, HULL, BUOY)  # by the number in an address
_SHORT = {"c": 3, "d": 4, "e": 5}  # the longest ship of a fleet n ones, n-1 twos, ..., one n
_PROBLEM = re.compile(
    r"problem\(\s*([^,\s]{1,40})\s*,\s*\[([^\]]*)\]\s*,\s*\[([^\]]*)\]\s*,\s*\[([^\]]*)\]\s*,"
    r"\s*\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\s*\)\s*\."
)


def read_table(text: str, name: str = "") -> Battleship:
    """Read a table: rows, columns and ships of length 1, 2, ...; column counts; row counts; the hints.

    A hint is `x` water, `w e n s` an end in that direction of the compass, `m` hull, `o` buoy, `?` some part of a
    ship, `-` or `.` nothing.
    """
    head, lines = tables.split(text)
    height, width = head[:2]
    if len(lines) != height + 2:
        raise PuzzleError(f"found {len(lines)} lines after the first; expected two of counts and {height} of cells")
    counts = []
    for line, length, high in ((lines[0], width, height), (lines[1], height, width)):
        where = f"line {line.line}"
        if len(line.tokens) != length:
            raise PuzzleError(f"{where}: found {len(line.tokens)} counts; expected {length}")
        counts.append([UNKNOWN if t == "-" else number(t, where, "a count", 0, high) for t in line.tokens])
    hints = _table(lines[2:], height, width, {**_HINTS, ".": UNKNOWN})
    fleet = tuple((length, count) for length, count in enumerate(head[2:], start=1) if count)
    return Battleship(tuple(counts[1]), tuple(counts[0]), fleet, hints, name)


def write_table(puzzle: Battleship) -> str:
    """Return the table of a puzzle."""
    counts = [
        " ".join("-" if count == UNKNOWN else str(count) for count in line)
        for line in (puzzle.column_counts, puzzle.row_counts)
    ]
    names = {kind: token for token, kind in _HINTS.items()}
    return "\n".join([_head(puzzle), *counts, *(" ".join(names[hint] for hint in row) for row in puzzle.hints)])


def read_csplib(text: str) -> list[Battleship]:
    """Read instances of CSPLib problem 014, which are Prolog facts."""
    facts = re.sub(r"%[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    puzzles, end = [], 0
    for fact in _PROBLEM.finditer(facts):
        if facts[end : fact.start()].strip():
            break
        end = fact.end()
        puzzles.append(_csplib(*fact.groups()))
    if facts[end:].strip() or not puzzles:
        found = shortened(facts[end:].strip(), 40)
        raise PuzzleError(
            f"after {len(puzzles)} problems: expected problem(Id,Fleet,Rows,Columns,Hints).; found {found!r}"
        )
    return puzzles


def write_csplib(puzzle: Battleship) -> str:
    """Return a Prolog fact of CSPLib problem 014."""
    if UNKNOWN in (*puzzle.row_counts, *puzzle.column_counts) or any(SHIP in row for row in puzzle.hints):
        raise PuzzleError("the format csplib cannot hold unknown counts and hints that say only 'ship'")
    names = {kind: token for token, kind in _CSPLIB.items()}
    hints = [
        f"{names[hint]}@[{i + 1},{j + 1}]"
        for i, row in enumerate(puzzle.hints)
        for j, hint in enumerate(row)
        if hint != UNKNOWN
    ]
    lists = (
        [f"{length}:{count}" for length, count in reversed(puzzle.fleet)],
        [str(count) for count in puzzle.row_counts],
        [str(count) for count in puzzle.column_counts],
        hints,
    )
    name = puzzle.name if re.fullmatch(r"[0-9a-z][0-9A-Za-z_]{0,39}", puzzle.name) else "1"
    return f"problem({name}," + ",".join(f"\n\t[{','.join(entries)}]" for entries in lists) + ")."


def read_link(found: pzpr.Address, name: str = "") -> Battleship:
    """Read an address on puzz.link."""
    rows, cols = found.rows, found.cols
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
        raise PuzzleError(f"a sea of {rows}x{cols} is not within 1x1..{MAX_SIDE}x{MAX_SIDE}")
    counts, body = pzpr.decode(found.body, cols + rows)
    entries, ships = pzpr.decode(body, rows * cols)
    hints = []
    for position, value in enumerate(entries):
        if value >= len(_LINK):
            raise PuzzleError(f"{at(divmod(position, cols))}: the address has the cell type {value}; expected 0 to 6")
        hints.append(SHIP if value == pzpr.QUESTION else UNKNOWN if value == pzpr.EMPTY else _LINK[value])
    known = tuple(max(count, UNKNOWN) for count in counts)
    grid = tuple(tuple(hints[i * cols : (i + 1) * cols]) for i in range(rows))
    return Battleship(known[cols:], known[:cols], _fleet(ships), grid, name)


def write_link(puzzle: Battleship) -> str:
    """Return the address on puzz.link."""
    codes = {kind: code for code, kind in enumerate(_LINK)} | {UNKNOWN: pzpr.EMPTY, SHIP: pzpr.QUESTION}
    counts = [*puzzle.column_counts, *puzzle.row_counts]
    body = pzpr.encode(counts) + pzpr.encode([codes[hint] for row in puzzle.hints for hint in row])
    for letter, longest in _SHORT.items():
        if puzzle.fleet == tuple((length, longest + 1 - length) for length in range(1, longest + 1)):
            return pzpr.address("battleship", puzzle.shape, f"{body}//{letter}")
    ships = [f"/{length}1{_bits(length)}" for length, count in puzzle.fleet for _ in range(count)]
    if any(length > 9 for length, _ in puzzle.fleet):
        raise PuzzleError("the format link cannot hold ships longer than 9")
    return pzpr.address("battleship", puzzle.shape, f"{body}/{len(ships)}{''.join(ships)}")


def write(puzzle: Battleship, format: str) -> str:
    """Return a puzzle in one of `WRITERS`."""
    return {"grid": write_table, "csplib": write_csplib, "link": write_link}[format](puzzle)


def write_solution(puzzle: Battleship, solution: Grid, format: str) -> str:
    """Return a solution as a table, in which `-` is water, whatever the format of the puzzle."""
    names = {kind: token for token, kind in _HINTS.items()} | {WATER: "-"}
    return "\n".join([_head(puzzle), *(" ".join(names[kind] for kind in row) for row in solution)])


def read_solution(puzzle: Battleship, text: str) -> Grid:
    """Read a solution."""
    head, lines = tables.split(text)
    if tuple(head[:2]) != puzzle.shape:
        raise PuzzleError(f"the solution is {head[0]}x{head[1]}; the puzzle is {puzzle.shape[0]}x{puzzle.shape[1]}")
    tokens = {token: kind for token, kind in _HINTS.items() if kind not in (UNKNOWN, SHIP)} | {"-": WATER}
    return _table(lines, *puzzle.shape, tokens)


def _head(puzzle: Battleship) -> str:
    fleet = dict(puzzle.fleet)
    ships = [fleet.get(length, 0) for length in range(1, max(fleet, default=0) + 1)]
    return " ".join(map(str, [*puzzle.shape, *ships]))


def _table(lines: list[Line], height: int, width: int, tokens: dict[str, int]) -> Grid:
    table = tables.cells(lines, height, width)
    return tuple(tuple(tables.meaning(t, at((i, j)), tokens) for j, t in enumerate(row)) for i, row in enumerate(table))


def _csplib(name: str, fleet: str, rows: str, cols: str, hints: str) -> Battleship:
    where = f"problem {shortened(name)}"

    def numbers(text: str, what: str) -> list[int]:
        return [number(part.strip(), where, what, 0, 999) for part in text.split(",") if part.strip()]

    ships = [numbers(part.replace(":", ","), "a ship") for part in fleet.split(",") if part.strip()]
    if any(len(pair) != 2 for pair in ships):
        raise PuzzleError(f"{where}: the fleet must be pairs Length:Amount; found {shortened(fleet, 40)!r}")
    row_counts, col_counts = numbers(rows, "a count"), numbers(cols, "a count")
    grid = [[UNKNOWN] * len(col_counts) for _ in row_counts]
    left = re.sub(r"([a-z])@\[\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*\]", "", hints)
    if left.replace(",", "").strip():
        raise PuzzleError(f"{where}: expected hints such as c@[7,10]; found {shortened(left, 40)!r}")
    for kind, row, col in re.findall(r"([a-z])@\[\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*\]", hints):
        i, j = int(row) - 1, int(col) - 1
        if kind not in _CSPLIB or not (0 <= i < len(row_counts) and 0 <= j < len(col_counts)):
            raise PuzzleError(f"{where}: the hint {kind}@[{row},{col}] has an unknown type or is not on the grid")
        if grid[i][j] not in (UNKNOWN, _CSPLIB[kind]):
            raise PuzzleError(f"{where}: there are two different hints at [{row},{col}]")
        grid[i][j] = _CSPLIB[kind]
    pairs = tuple((length, count) for length, count in ships)
    return Battleship(tuple(row_counts), tuple(col_counts), pairs, tuple(map(tuple, grid)), name)


def _fleet(text: str) -> tuple[tuple[int, int], ...]:
    """Return the fleet at the end of an address: `//c`, or the number of ships and each of them."""
    short = re.fullmatch("//([cde])", text)
    if short:
        longest = _SHORT[short[1]]
        return tuple((length, longest + 1 - length) for length in range(1, longest + 1))
    parts = text.split("/")[1:]
    ships = []
    for part in parts[1:]:
        straight = re.fullmatch(r"([1-9])1([0-9a-v]{1,2})|1([1-9])([0-9a-v]{1,2})", part)
        if not straight:
            raise PuzzleError(f"the address has the ship {shortened(part, 20)!r}; expected a straight one such as 31s")
        ships.append(int(straight[1] or straight[3]))
    if not parts or not parts[0].isdigit() or len(parts[0]) > 3 or int(parts[0]) != len(ships):
        raise PuzzleError(f"the address ends with the fleet {shortened(text, 20)!r}; expected //c, //d, //e or a list")
    return tuple((length, ships.count(length)) for length in sorted(set(ships)))


def _bits(length: int) -> str:
    """Return a straight ship as bits in base 32, five a character."""
    bits = "1" * length + "0" * (-length % 5)
    return "".join("0123456789abcdefghijklmnopqrstuv"[int(bits[k : k + 5], 2)] for k in range(0, len(bits), 5))
