"""Pictures of circuit boards."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

from rich.text import Text

from puzzles.pencil.circuit import Circuit, Edge, edge_of, path
from puzzles.pencil.pictures.canvas import GIVEN, INK, MARK, SHADE, SOLVED, Canvas


def svg(puzzle: Circuit, solution: Collection[Edge] | None, title: str) -> str:
    """Return the board as SVG; given lines are black, found ones blue, and the short path is red."""
    rows, cols = puzzle.shape
    canvas = Canvas(cols, rows, title)
    for i, j in puzzle.black:
        canvas.rectangle(j, i, 1, 1, INK)
    for i in range(rows + 1):
        canvas.line(0, i, cols, i, 0.02, SHADE)
    for j in range(cols + 1):
        canvas.line(j, 0, j, rows, 0.02, SHADE)
    short = _short(puzzle, solution)
    for edge in sorted(puzzle.given | set(solution or ())):
        (i, j), (k, m) = edge
        colour = MARK if edge in short else GIVEN if edge in puzzle.given else SOLVED
        canvas.line(j + 0.5, i + 0.5, m + 0.5, k + 0.5, 0.14 if edge in puzzle.given else 0.09, colour)
    for i, j in puzzle.points:
        end = puzzle.ends is not None and (i, j) in puzzle.ends
        canvas.circle(j + 0.5, i + 0.5, 0.24 if end else 0.17, "#3497fa" if end else INK)
    return canvas.svg()


def text(puzzle: Circuit, solution: Collection[Edge] | None) -> Text:
    """Return the board for a terminal: points joined by lines."""
    rows, cols = puzzle.shape
    short = _short(puzzle, solution)
    lines = puzzle.given | set(solution or ())
    picture = Text(no_wrap=True)
    for i in range(rows):
        for j in range(cols):
            end = puzzle.ends is not None and (i, j) in puzzle.ends
            picture.append("█" if (i, j) in puzzle.black else "◉" if end else "●", "bold blue" if end else "")
            if j + 1 < cols:
                _append(picture, ((i, j), (i, j + 1)), "───", puzzle, lines, short)
        picture.append("\n")
        for j in range(cols if i + 1 < rows else 0):
            _append(picture, ((i, j), (i + 1, j)), "│", puzzle, lines, short)
            picture.append("   " if j + 1 < cols else "\n")
    return picture


def _append(picture: Text, edge: Edge, line: str, puzzle: Circuit, lines: Collection[Edge], short: set[Edge]) -> None:
    style = "bold red" if edge in short else "bold" if edge in puzzle.given else "blue"
    picture.append(line if edge in lines else " " * len(line), style)


def _short(puzzle: Circuit, solution: Collection[Edge] | None) -> set[Edge]:
    return {edge_of(a, b) for a, b in pairwise(path(puzzle, solution or ()))}
