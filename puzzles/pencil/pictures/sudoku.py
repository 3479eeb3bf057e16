"""Pictures of Sudoku grids."""

from __future__ import annotations

from rich.text import Text

from puzzles.pencil.formats.sudoku import DIGITS
from puzzles.pencil.pictures.canvas import GIVEN, INK, SHADE, SOLVED, Canvas
from puzzles.pencil.rules import Grid
from puzzles.pencil.sudoku import Sudoku


def svg(puzzle: Sudoku, solution: Grid | None, title: str) -> str:
    """Return the grid as SVG; given cells are shaded, found numbers are blue."""
    side, (high, wide) = puzzle.side, puzzle.box
    canvas = Canvas(side, side, title)
    for i in range(side):
        for j in range(side):
            if puzzle.clues[i][j]:
                canvas.rectangle(j, i, 1, 1, SHADE)
                canvas.write(j + 0.5, i + 0.5, str(puzzle.clues[i][j]), colour=GIVEN, bold=True)
            elif solution is not None and solution[i][j]:
                canvas.write(j + 0.5, i + 0.5, str(solution[i][j]), colour=SOLVED)
    for k in range(side + 1):
        canvas.line(k, 0, k, side, 0.08 if k % wide == 0 else 0.02, INK)
        canvas.line(0, k, side, k, 0.08 if k % high == 0 else 0.02, INK)
    return canvas.svg()


def text(puzzle: Sudoku, solution: Grid | None) -> Text:
    """Return the grid for a terminal, with lines between the boxes; given numbers are bold."""
    side, (high, wide) = puzzle.side, puzzle.box
    bar = "─" * (2 * wide + 1)
    picture = Text(no_wrap=True)
    for i in range(side + 1):
        if i % high == 0:
            left, middle, right = "┌┬┐" if i == 0 else "└┴┘" if i == side else "├┼┤"
            picture.append(left + middle.join([bar] * (side // wide)) + right + "\n")
        if i == side:
            break
        for j in range(side):
            picture.append("│ " if j % wide == 0 else "")
            clue = puzzle.clues[i][j]
            shown = clue or (solution[i][j] if solution is not None else 0)
            picture.append(DIGITS[shown] + " ", "bold" if clue else "blue")
        picture.append("│\n")
    return picture
