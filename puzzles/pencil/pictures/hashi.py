"""Pictures of Hashi puzzles."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from puzzles.pencil.hashi import Bridge, Hashi
from puzzles.pencil.pictures.canvas import INK, SHADE, SOLVED, Canvas

_SIGNS = {(True, 1): "─", (True, 2): "═", (False, 1): "│", (False, 2): "║"}


def svg(puzzle: Hashi, solution: Iterable[Bridge] | None, title: str) -> str:
    """Return the islands as SVG, with single and double bridges."""
    rows, cols = puzzle.shape
    canvas = Canvas(cols, rows, title)
    for i in range(rows):
        canvas.line(0.5, i + 0.5, cols - 0.5, i + 0.5, 0.02, SHADE)
    for j in range(cols):
        canvas.line(j + 0.5, 0.5, j + 0.5, rows - 0.5, 0.02, SHADE)
    for a, b, count in solution or ():
        one, other = puzzle.islands[a], puzzle.islands[b]
        for shift in (0.0,) if count == 1 else (-0.11, 0.11):
            x, y = (0.5, 0.5 + shift) if one.row == other.row else (0.5 + shift, 0.5)
            canvas.line(one.col + x, one.row + y, other.col + x, other.row + y, 0.08, SOLVED)
    for row, col, label in puzzle.islands:
        canvas.circle(col + 0.5, row + 0.5, 0.36, "#ffffff", INK, 0.05)
        canvas.write(col + 0.5, row + 0.5, str(label), 0.45, bold=True)
    return canvas.svg()


def text(puzzle: Hashi, solution: Iterable[Bridge] | None) -> Text:
    """Return the islands for a terminal; there is a character between two columns, so that all bridges show."""
    rows, cols = puzzle.shape
    drawing = [[" "] * (2 * cols - 1) for _ in range(2 * rows - 1)]
    for a, b, count in solution or ():
        (r, c, _), (s, d, _) = puzzle.islands[a], puzzle.islands[b]
        for i in range(2 * r, 2 * s + 1):
            for j in range(2 * c, 2 * d + 1):
                drawing[i][j] = _SIGNS[r == s, count]
    for row, col, label in puzzle.islands:
        drawing[2 * row][2 * col] = str(label)
    picture = Text(no_wrap=True)
    for i, line in enumerate(drawing):
        if i % 2 and solution is None:
            continue
        for sign in line:
            picture.append(sign, "bold" if sign.isdigit() else "blue")
        picture.append("\n")
    return picture
