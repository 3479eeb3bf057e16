"""Pictures of Battleship seas."""

from __future__ import annotations

from rich.text import Text

from puzzles.pencil.battleship import BOTTOM, BUOY, HULL, LEFT, RIGHT, SHIP, TOP, UNKNOWN, WATER, Battleship
from puzzles.pencil.pictures.canvas import GIVEN, INK, SHADE, SOLVED, Canvas
from puzzles.pencil.rules import Grid

_SIGNS = {WATER: "≈", LEFT: "◀", RIGHT: "▶", TOP: "▲", BOTTOM: "▼", HULL: "■", BUOY: "●", SHIP: "?", UNKNOWN: "·"}
_SEA = "#d7ebf7"


def svg(puzzle: Battleship, solution: Grid | None, title: str) -> str:
    """Return the sea as SVG with the counts beside it; hints are shaded, found parts of ships are blue."""
    rows, cols = puzzle.shape
    canvas = Canvas(cols + 1, rows + 2, title)
    for i in range(rows):
        for j in range(cols):
            hint = puzzle.hints[i][j]
            kind = hint if solution is None else solution[i][j]
            canvas.rectangle(j, i, 1, 1, SHADE if hint != UNKNOWN else _SEA if kind == WATER else "#ffffff")
            _part(canvas, i, j, kind, GIVEN if hint != UNKNOWN else SOLVED)
    for i in range(rows + 1):
        canvas.line(0, i, cols, i, 0.02, INK)
    for j in range(cols + 1):
        canvas.line(j, 0, j, rows, 0.02, INK)
    for i, count in enumerate(puzzle.row_counts):
        canvas.write(cols + 0.5, i + 0.5, "" if count == UNKNOWN else str(count), 0.5)
    for j, count in enumerate(puzzle.column_counts):
        canvas.write(j + 0.5, rows + 0.5, "" if count == UNKNOWN else str(count), 0.5)
    ships = ", ".join(f"{count} of {length}" for length, count in reversed(puzzle.fleet))
    canvas.write(0, rows + 1.5, f"fleet: {ships or 'none'}", 0.4, anchor="start")
    return canvas.svg()


def text(puzzle: Battleship, solution: Grid | None) -> Text:
    """Return the sea for a terminal; hints are bold."""
    picture = Text(no_wrap=True)
    for i, count in enumerate(puzzle.row_counts):
        for j, hint in enumerate(puzzle.hints[i]):
            kind = hint if solution is None else solution[i][j]
            style = "bold" if hint != UNKNOWN else "cyan" if kind == WATER else "blue"
            picture.append(f"{_SIGNS[kind]:>2} ", style)
        picture.append(f"{'?' if count == UNKNOWN else count:>3}\n")
    picture.append("".join(f"{'?' if count == UNKNOWN else count:>2} " for count in puzzle.column_counts) + "\n")
    ships = ", ".join(f"{count} of length {length}" for length, count in reversed(puzzle.fleet))
    picture.append(f"fleet: {ships or 'none'}\n")
    return picture


def _part(canvas: Canvas, i: int, j: int, kind: int, colour: str) -> None:
    """Draw a part of a ship: a buoy is a disc, an end is a half disc with a square, a hull is a square."""
    if kind == WATER:
        canvas.outline(f"M{j + 0.2} {i + 0.5}q.15 -.2 .3 0t.3 0v.06q-.15 .2 -.3 0t-.3 0z", "#6aa9cf")
    elif kind == BUOY:
        canvas.circle(j + 0.5, i + 0.5, 0.36, colour)
    elif kind == SHIP:
        canvas.write(j + 0.5, i + 0.5, "?", colour=colour)
    elif kind in (LEFT, RIGHT, TOP, BOTTOM, HULL):
        x, y, width, height = {
            LEFT: (0.5, 0.14, 0.5, 0.72),
            RIGHT: (0.0, 0.14, 0.5, 0.72),
            TOP: (0.14, 0.5, 0.72, 0.5),
            BOTTOM: (0.14, 0.0, 0.72, 0.5),
            HULL: (0.14, 0.14, 0.72, 0.72),
        }[kind]
        canvas.rectangle(j + x, i + y, width, height, colour)
        if kind != HULL:
            canvas.circle(j + 0.5, i + 0.5, 0.36, colour)
