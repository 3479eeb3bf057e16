"""Pictures of Zebra puzzles: a grid of attributes and houses."""

from __future__ import annotations

from rich.text import Text

from puzzles.pencil.pictures.canvas import GIVEN, INK, SHADE, SOLVED, Canvas
from puzzles.pencil.zebra import Table, Zebra


def svg(puzzle: Zebra, solution: Table | None, title: str) -> str:
    """Return a table of attributes and houses as SVG; what a clue puts into a house directly is shaded.

    Without a solution, the clues are written below the table.
    """
    columns, given = _columns(puzzle, solution), _given(puzzle)
    words = [[cell for _, cell in column] for column in columns]
    widths = [max(2.0, 0.24 * max(map(len, column)) + 0.6) for column in words]
    height = len(puzzle.attributes) + 1
    below = 0.0 if solution is not None else 0.5 + 0.6 * len(puzzle.clues)
    canvas = Canvas(max(sum(widths), 8.0), height + below, title)
    canvas.rectangle(0, 0, sum(widths), 1, SHADE)
    x = 0.0
    for column, width in zip(columns, widths, strict=True):
        for i, (heading, cell) in enumerate(column):
            if cell in given:
                canvas.rectangle(x, i, width, 1, SHADE)
            colour = GIVEN if heading or cell in given else SOLVED
            canvas.write(x + width / 2, i + 0.5, cell, 0.42, colour, bold=heading)
        canvas.line(x, 0, x, height, 0.03, INK)
        x += width
    canvas.line(x, 0, x, height, 0.03, INK)
    for i in range(height + 1):
        canvas.line(0, i, x, i, 0.03, INK)
    for k, clue in enumerate(puzzle.clues if solution is None else ()):
        canvas.write(0, height + 0.7 + 0.6 * k, f"{k + 1}. {clue}", 0.4, anchor="start")
    return canvas.svg()


def text(puzzle: Zebra, solution: Table | None) -> Text:
    """Return the table for a terminal, with the clues below it where there is no solution."""
    columns = _columns(puzzle, solution)
    widths = [max(len(cell) for _, cell in column) for column in columns]
    picture = Text(no_wrap=True)
    for i in range(len(puzzle.attributes) + 1):
        for column, width in zip(columns, widths, strict=True):
            heading, cell = column[i]
            picture.append(f" {cell:<{width}} ", "bold" if heading else "blue")
            picture.append("│")
        picture.append("\n" + ("┼".join("─" * (width + 2) for width in widths) + "\n" if i == 0 else ""))
    for k, clue in enumerate(puzzle.clues if solution is None else (), start=1):
        picture.append(f"{k:>3}. {clue}\n")
    return picture


def _columns(puzzle: Zebra, solution: Table | None) -> list[list[tuple[bool, str]]]:
    """Return the table column by column: whether a cell is a heading, and its words."""
    given = _given(puzzle)
    columns = [[(True, "House"), *((True, attribute.name) for attribute in puzzle.attributes)]]
    for house in range(puzzle.houses):
        column = [(True, str(house + 1))]
        for k, attribute in enumerate(puzzle.attributes):
            fixed = [word for word in attribute.properties if given.get(word) == house + 1]
            column.append((False, solution[k][house] if solution is not None else (fixed or [""])[0]))
        columns.append(column)
    return columns


def _given(puzzle: Zebra) -> dict[str, int]:
    return {clue.one: clue.other for clue in puzzle.clues if isinstance(clue.other, int)}
