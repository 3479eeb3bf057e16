"""Hashi as text: `.has` files and plain grids, tables, addresses on puzz.link, game IDs of Simon Tatham's Bridges."""

from __future__ import annotations

import re

from puzzles.errors import PuzzleError
from puzzles.formats.reading import Line, shortened
from puzzles.pencil.formats import pzpr, tables
from puzzles.pencil.hashi import MAX_LABEL, MAX_SIDE, Bridge, Hashi, Island
from puzzles.pencil.rules import at

WRITERS = ("plain", "grid", "link", "tatham")
_ID = re.compile(r"([0-9]{1,3})x([0-9]{1,3})([a-zL0-9]*):([0-9A-Za-z]*)")
_LABELS = "0123456789ABCDEFG"


def read_rows(rows: list[Line], name: str = "") -> Hashi:
    """Read a grid of characters: `.`, `-` and 0 are water, a digit is an island."""
    return _of_cells(tables.cells(rows, len(rows), len(rows[0].tokens[0])), name)


def read_table(text: str, name: str = "") -> Hashi:
    """Read a table or a `.has` file: rows, columns, perhaps the number of islands, then the cells."""
    head, lines = tables.split(text)
    if len(head) > 3:
        raise PuzzleError("the first line of a Hashi puzzle has rows, columns, and at most the number of islands")
    puzzle = _of_cells(tables.cells(lines, head[0], head[1]), name)
    if len(head) == 3 and head[2] != len(puzzle.islands):
        raise PuzzleError(f"found {len(puzzle.islands)} islands; the first line announces {head[2]}")
    return puzzle


def read_link(found: pzpr.Address, name: str = "") -> Hashi:
    """Read an address on puzz.link."""
    rows, cols = found.rows, found.cols
    _check_shape(rows, cols)
    entries, rest = pzpr.decode(found.body, rows * cols)
    if pzpr.QUESTION in entries:
        raise PuzzleError("the address has an island without a number, which is not supported")
    if rest.strip("/"):
        raise PuzzleError(f"the address goes on after the last cell: {shortened(rest, 20)!r}")
    return Hashi((rows, cols), _islands([max(entry, 0) for entry in entries], cols), name)


def is_id(text: str) -> bool:
    """Return whether a text is a game ID of Bridges: its cells fill the grid."""
    found = _ID.fullmatch(text.strip())
    return found is not None and len(_id_cells(found[4])) == int(found[1]) * int(found[2])


def read_id(text: str, name: str = "") -> Hashi:
    """Read a game ID of Bridges, such as `7x7m2:` followed by labels and runs of empty cells."""
    found = _ID.fullmatch(text.strip())
    if not found:
        raise PuzzleError(f"{shortened(text, 40)!r} is not a game ID of Bridges")
    cols, rows = int(found[1]), int(found[2])
    _check_shape(rows, cols)
    most = re.search("m([0-9]+)", found[3])
    if (most and most[1] != "2") or "L" in found[3]:
        raise PuzzleError(
            f"the game ID asks for other rules ({found[3]}); only at most two bridges, with loops, is supported"
        )
    entries = _id_cells(found[4])
    if len(entries) != rows * cols:
        raise PuzzleError(f"the game ID describes {len(entries)} cells; expected {rows * cols}")
    return Hashi((rows, cols), _islands(entries, cols), name)


def write(puzzle: Hashi, format: str) -> str:
    """Return a puzzle in one of `WRITERS`."""
    rows, cols = puzzle.shape
    labels = {(island.row, island.col): island.label for island in puzzle.islands}
    entries = [labels.get((i, j), 0) for i in range(rows) for j in range(cols)]
    if format == "link":
        return pzpr.address("hashikake", puzzle.shape, pzpr.encode([entry or pzpr.EMPTY for entry in entries]))
    if format == "tatham":
        return f"{cols}x{rows}m2:{_id_body(puzzle, entries)}"
    lines = [entries[i * cols : (i + 1) * cols] for i in range(rows)]
    if format == "grid":
        return "\n".join([f"{rows} {cols}", *(" ".join(str(entry or "-") for entry in line) for line in lines)])
    return "\n".join("".join(str(entry or ".") for entry in line) for line in lines)


def write_solution(puzzle: Hashi, solution: tuple[Bridge, ...], format: str) -> str:
    """Return a solution: for the table format a table, and otherwise a grid of twice the size with bridges drawn.

    In a table 1 and 2 are horizontal bridges, `a` and `b` vertical ones; bridges between islands that are next to each
    other do not show there. The drawing has `-`, `=`, `|` and `"` between the islands.
    """
    rows, cols = puzzle.shape
    if format == "grid":
        table = [["-"] * cols for _ in range(rows)]
        for bridge, cells in _spans(puzzle, solution, 1):
            one, other = puzzle.islands[bridge.a], puzzle.islands[bridge.b]
            for i, j in cells:
                table[i][j] = ("12" if one.row == other.row else "ab")[bridge.n - 1]
        return "\n".join([f"{rows} {cols}", *(" ".join(line) for line in table)])
    drawing = [["."] * (2 * cols - 1) for _ in range(2 * rows - 1)]
    for island in puzzle.islands:
        drawing[2 * island.row][2 * island.col] = str(island.label)
    for bridge, cells in _spans(puzzle, solution, 2):
        one, other = puzzle.islands[bridge.a], puzzle.islands[bridge.b]
        for i, j in cells:
            drawing[i][j] = ("-=" if one.row == other.row else '|"')[bridge.n - 1]
    return "\n".join("".join(line) for line in drawing)


def read_solution(puzzle: Hashi, text: str) -> tuple[Bridge, ...]:
    """Read a solution, as a table or as a drawing."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    rows, cols = puzzle.shape
    drawn = len(lines) == 2 * rows - 1 and all(len(line) == 1 for line in lines)
    step = 2 if drawn else 1
    cells = [list(line[0]) for line in lines] if drawn else lines[1:]
    height, width = step * (rows - 1) + 1, step * (cols - 1) + 1
    if len(cells) != height or any(len(line) != width for line in cells):
        raise PuzzleError(
            f"the solution must be a table of {rows}x{cols} or a drawing of {2 * rows - 1}x{2 * cols - 1}"
        )
    bridges = []
    for a, b in puzzle.possible:
        horizontal = puzzle.islands[a].row == puzzle.islands[b].row
        signs = ("-=" if horizontal else '|"') if drawn else ("12" if horizontal else "ab")
        [(_, between)] = _spans(puzzle, (Bridge(a, b, 1),), step)
        found = {cells[i][j] for i, j in between}
        for count, sign in enumerate(signs, start=1):
            if found == {sign}:
                bridges.append(Bridge(a, b, count))
    covered = {cell for _, between in _spans(puzzle, tuple(bridges), step) for cell in between}
    for i, line in enumerate(cells):
        for j, token in enumerate(line):
            island = drawn and i % 2 == 0 and j % 2 == 0 and token.isdigit()
            if token not in ("-" if not drawn else ".") and (i, j) not in covered and not island:
                raise PuzzleError(f"{at((i // step, j // step))}: {shortened(token, 10)!r} is not part of a bridge")
    return tuple(bridges)


def _spans(puzzle: Hashi, bridges: tuple[Bridge, ...], step: int) -> list[tuple[Bridge, list[tuple[int, int]]]]:
    """Return the cells between the ends of each bridge, in a grid in which islands are `step` cells apart."""
    spans = []
    for bridge in bridges:
        (r, c, _), (s, d, _) = puzzle.islands[bridge.a], puzzle.islands[bridge.b]
        if r == s:
            spans.append((bridge, [(step * r, j) for j in range(step * c + 1, step * d)]))
        else:
            spans.append((bridge, [(i, step * c) for i in range(step * r + 1, step * s)]))
    return spans


def _of_cells(table: list[list[str]], name: str) -> Hashi:
    entries = [
        tables.entry(token, at((i, j)), ".-0", "the label", MAX_LABEL)
        for i, row in enumerate(table)
        for j, token in enumerate(row)
    ]
    _check_shape(len(table), len(table[0]))
    return Hashi((len(table), len(table[0])), _islands(entries, len(table[0])), name)


def _islands(entries: list[int], cols: int) -> tuple[Island, ...]:
    return tuple(Island(*divmod(position, cols), label) for position, label in enumerate(entries) if label)


def _check_shape(rows: int, cols: int) -> None:
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
        raise PuzzleError(f"a grid of {rows}x{cols} is not within 1x1..{MAX_SIDE}x{MAX_SIDE}")


def _id_cells(body: str) -> list[int]:
    entries: list[int] = []
    for char in body[: MAX_SIDE**2]:
        entries += [0] * (ord(char) - ord("a") + 1) if char in "abcdefghijklmnopqrstuvwxyz" else [_labels(char)]
    return entries


def _labels(char: str) -> int:
    return _LABELS.find(char)  # -1 is refused as a label


def _id_body(puzzle: Hashi, entries: list[int]) -> str:
    for a, b in puzzle.possible:
        one, other = puzzle.islands[a], puzzle.islands[b]
        if abs(one.row - other.row) + abs(one.col - other.col) == 1:
            raise PuzzleError(f"{at((one.row, one.col))}: the format tatham cannot hold islands next to each other")
    parts, run = [], 0
    for entry in [*entries, None]:
        if entry == 0:
            run += 1
            continue
        while run:
            parts.append("abcdefghijklmnopqrstuvwxyz"[min(run, 26) - 1])
            run -= min(run, 26)
        if entry:
            parts.append(_LABELS[entry])
    return "".join(parts)
