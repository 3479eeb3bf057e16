"""Sudoku of any box shape: every row, column and box holds every number once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from puzzles.errors import PuzzleError
from puzzles.pencil.rules import Cell, Fault, Grid, at, matrix

MIN_SIDE, MAX_SIDE = 4, 25


@dataclass(frozen=True)
class Sudoku:
    """A Sudoku.

    Attributes:
        clues: The given numbers, 0 for a cell to fill.
        box: Rows and columns of a box; their product is the side of the grid.
        name: What the puzzle is called; two puzzles that differ only in their names are equal.
    """

    clues: Grid
    box: tuple[int, int] = (3, 3)
    name: str = field(default="", compare=False)
    kind: ClassVar[str] = "sudoku"

    def __post_init__(self) -> None:
        rows, cols = self.box
        if rows < 1 or cols < 1 or not MIN_SIDE <= rows * cols <= MAX_SIDE:
            raise PuzzleError(f"boxes of {rows}x{cols} are not possible; the side must be {MIN_SIDE} to {MAX_SIDE}")
        checked = matrix(self.clues, self.side, self.side, 0, self.side, "number")
        object.__setattr__(self, "clues", checked)
        object.__setattr__(self, "box", (int(rows), int(cols)))

    @property
    def side(self) -> int:
        """The number of rows, of columns, of boxes and of numbers."""
        return self.box[0] * self.box[1]

    @property
    def given(self) -> int:
        """The number of clues."""
        return sum(number != 0 for row in self.clues for number in row)

    def _repr_html_(self) -> str:
        from puzzles.pencil.pictures import svg

        return svg(self)


def usual_box(side: int) -> tuple[int, int]:
    """Return the box shape that a grid of this side usually has: as square as possible, and not higher than wide.

    Raises:
        PuzzleError: The side is out of range, or a prime, which has no boxes.
    """
    if not MIN_SIDE <= side <= MAX_SIDE:
        raise PuzzleError(f"a side of {side} is not within {MIN_SIDE}..{MAX_SIDE}")
    rows = max(rows for rows in range(1, 6) if side % rows == 0 and rows * rows <= side)
    if rows == 1:
        raise PuzzleError(f"a grid of side {side} has no boxes")
    return rows, side // rows


def is_usual(box: tuple[int, int]) -> bool:
    """Return whether a grid with boxes of this shape is one whose boxes need not be stated."""
    try:
        return usual_box(box[0] * box[1]) == box
    except PuzzleError:
        return False


def units(side: int, box: tuple[int, int]) -> Iterator[tuple[str, list[Cell]]]:
    """Yield all rows, columns and boxes: their names and their cells."""
    for i in range(side):
        yield f"row {i + 1}", [(i, j) for j in range(side)]
    for j in range(side):
        yield f"column {j + 1}", [(i, j) for i in range(side)]
    for p in range(0, side, box[0]):
        for q in range(0, side, box[1]):
            cells = [(i, j) for i in range(p, p + box[0]) for j in range(q, q + box[1])]
            yield f"the box at {at((p, q))}", cells


def check(puzzle: Sudoku, solution: Sequence[Sequence[int]]) -> Fault | None:
    """Return the first rule that a filled grid breaks, or None if it solves the puzzle."""
    side = puzzle.side
    if len(solution) != side or any(len(row) != side for row in solution):
        return Fault("the grid", f"must have {side} rows of {side} cells")
    for i in range(side):
        for j in range(side):
            if not 1 <= solution[i][j] <= side:
                return Fault(at((i, j)), f"{solution[i][j]} is not a number within 1..{side}")
            if puzzle.clues[i][j] not in (0, solution[i][j]):
                return Fault(at((i, j)), f"the clue is {puzzle.clues[i][j]}, not {solution[i][j]}")
    for name, cells in units(side, puzzle.box):
        seen: set[int] = set()
        for i, j in cells:
            if solution[i][j] in seen:
                return Fault(name, f"{solution[i][j]} appears twice")
            seen.add(solution[i][j])
    return None
