"""What the rules checkers of all pencil puzzles share: places, and the first rule that a solution breaks."""

from __future__ import annotations

from typing import NamedTuple

from puzzles.errors import PuzzleError

Cell = tuple[int, int]
"""Row and column, counted from 0."""
Grid = tuple[tuple[int, ...], ...]
"""A matrix of small integers, row by row."""


class Fault(NamedTuple):
    """The first rule that a solution breaks, and where."""

    place: str
    rule: str

    def __str__(self) -> str:
        return f"{self.place}: {self.rule}"


def at(cell: Cell) -> str:
    """Return the name of a cell as people count: from 1."""
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


def matrix(rows: object, height: int, width: int, low: int, high: int, what: str) -> Grid:
    """Return a checked copy of a matrix of integers.

    Args:
        rows: Nested sequences or an array of integers.
        height: The number of rows that there must be.
        width: The number of columns that there must be.
        low: The smallest allowed entry.
        high: The largest allowed entry.
        what: What an entry is, for messages.

    Raises:
        PuzzleError: The matrix has another shape, or an entry that is not allowed.
    """
    try:
        copy = tuple(tuple(int(entry) for entry in row) for row in rows)  # type: ignore[attr-defined]  # any nesting
    except (TypeError, ValueError):
        raise PuzzleError(f"expected a matrix of integers ({what})") from None
    if len(copy) != height or any(len(row) != width for row in copy):
        lengths = sorted({len(row) for row in copy})
        raise PuzzleError(f"expected {height} rows of {width} cells; found {len(copy)} rows of {lengths} cells")
    for r, row in enumerate(copy):
        for c, entry in enumerate(row):
            if not low <= entry <= high:
                raise PuzzleError(f"{at((r, c))}: {what} {entry} is not within {low}..{high}")
    return copy
