"""Circuit boards as text: the project's own format.

The first line is `circuit`. Then every row of the board is a line of its cells with a character between each two, and
between two rows there is a line for the vertical lines:

    circuit
    o-o o
      |
    o o S
    |
    T o #

`o` is a point, `S` and `T` the points whose connection must be short, `#` a black cell, `-` and `|` are lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import dedent

from puzzles.errors import PuzzleError
from puzzles.formats.reading import shortened
from puzzles.pencil.circuit import MAX_SIDE, Circuit, Edge
from puzzles.pencil.rules import Cell, at

WRITERS = ("text",)
HEAD = "circuit"


def read(text: str, name: str = "") -> Circuit:
    """Read a board."""
    black, ends, lines, shape = _parse(text)
    if set(ends) not in (set(), {"S", "T"}):
        raise PuzzleError("a board has both S and T, or none of them")
    return Circuit(shape, frozenset(black), frozenset(lines), (ends["S"], ends["T"]) if ends else None, name)


def write(puzzle: Circuit, format: str = "text") -> str:
    """Return the text of a board."""
    return _write(puzzle, puzzle.given)


def write_solution(puzzle: Circuit, solution: Iterable[Edge], format: str = "text") -> str:
    """Return the text of a board with all lines."""
    return _write(puzzle, solution)


def read_solution(puzzle: Circuit, text: str) -> frozenset[Edge]:
    """Read the lines of a solution."""
    black, _, lines, shape = _parse(text)
    if shape != puzzle.shape or black != set(puzzle.black):
        raise PuzzleError("the solution is of another board: its shape or its black cells differ")
    return frozenset(lines)


def _write(puzzle: Circuit, lines: Iterable[Edge]) -> str:
    rows, cols = puzzle.shape
    drawing = [[" "] * (2 * cols - 1) for _ in range(2 * rows - 1)]
    ends = dict(zip(puzzle.ends, "ST", strict=True)) if puzzle.ends else {}
    for i in range(rows):
        for j in range(cols):
            drawing[2 * i][2 * j] = "#" if (i, j) in puzzle.black else ends.get((i, j), "o")
    for (i, j), (k, m) in lines:
        drawing[i + k][j + m] = "-" if i == k else "|"
    return "\n".join([HEAD, *("".join(line).rstrip() for line in drawing)])


def _parse(text: str) -> tuple[set[Cell], dict[str, Cell], set[Edge], tuple[int, int]]:
    head, *rest = text.strip("\n").splitlines() or [""]
    if head.strip().lower() != HEAD:
        raise PuzzleError(f"the first line must be {HEAD!r}; found {shortened(head, 40)!r}")
    while rest and not rest[-1].strip():
        rest.pop()
    rest = dedent("\n".join(rest)).splitlines()  # every second line begins with a cell
    width = max((len(line.rstrip()) for line in rest), default=0)
    rows, cols = (len(rest) + 1) // 2, (width + 1) // 2
    if len(rest) % 2 == 0 or not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
        raise PuzzleError(
            f"found {len(rest)} lines after the first; expected an odd number, of at most {MAX_SIDE} rows"
        )
    black: set[Cell] = set()
    ends: dict[str, Cell] = {}
    lines: set[Edge] = set()
    for y, line in enumerate(rest):
        for x, char in enumerate(line.rstrip().ljust(2 * cols - 1)):
            i, j = y // 2, x // 2
            where = f"line {y + 2}, character {x + 1}"
            if y % 2 == 0 and x % 2 == 0:
                if char not in ("o", "#", "S", "T"):
                    raise PuzzleError(f"{where}: found {shortened(char)!r}; expected a cell: o, S, T or #")
                if char in ends:
                    raise PuzzleError(f"{at((i, j))}: there is more than one {char}")
                if char == "#":
                    black.add((i, j))
                elif char != "o":
                    ends[char] = (i, j)
            elif char != " ":
                if char != ("-" if y % 2 == 0 else "|") or (y % 2 and x % 2):
                    raise PuzzleError(
                        f"{where}: found {shortened(char)!r}; expected a blank, - beside or | below a point"
                    )
                lines.add(((i, j), (i, j + 1) if y % 2 == 0 else (i + 1, j)))
    return black, ends, lines, (rows, cols)
