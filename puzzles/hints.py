"""`Hint`: a tile whose cell and rotation are known beforehand."""

from __future__ import annotations

from operator import index
from typing import NamedTuple

from puzzles.errors import PuzzleError


class Hint(NamedTuple):
    """A tile whose cell and rotation are known beforehand. All numbers count from 0."""

    tile: int
    row: int
    col: int
    rotation: int
    mandatory: bool = False


def checked_hint(hint: Hint) -> Hint:
    """Return a hint as plain Python integers.

    Raises:
        PuzzleError: A part of the hint is missing or is not an integer.
    """
    try:
        tile, row, col, rotation = (index(part) for part in hint[:4])
    except (TypeError, ValueError):
        raise PuzzleError(f"expected a hint of four integers (tile, row, column, rotation); got {hint}") from None
    return Hint(tile, row, col, rotation, bool(hint[4]) if len(hint) > 4 else False)


def check_hints(hints: tuple[Hint, ...], rows: int, cols: int) -> None:
    """Check that hints fit a board, and that no two of them share a tile or a cell.

    Raises:
        PuzzleError: They do not; the message names the first bad hint.
    """
    for number, (tile, row, col, rotation, _) in enumerate(hints, start=1):
        if not 0 <= tile < rows * cols:
            raise PuzzleError(f"hint {number}: there is no piece {tile + 1}; pieces are numbered 1 to {rows * cols}")
        if not (0 <= row < rows and 0 <= col < cols):
            raise PuzzleError(f"hint {number}: row {row + 1}, column {col + 1} is outside a {rows}x{cols} board")
        if not 0 <= rotation < 4:
            raise PuzzleError(f"hint {number}: rotation {rotation} is not one of 0, 1, 2, 3")
    if len({hint.tile for hint in hints}) < len(hints):
        raise PuzzleError("two hints place the same piece")
    if len({(hint.row, hint.col) for hint in hints}) < len(hints):
        raise PuzzleError("two hints use the same cell")


def rotated_hint(hint: Hint, rows: int, cols: int, turns: int) -> Hint:
    """Return a hint after its board of `rows` by `cols` was turned clockwise by so many quarter turns."""
    tile, row, col, rotation, mandatory = hint
    for _ in range(turns):
        row, col = col, rows - 1 - row
        rows, cols = cols, rows
    return Hint(tile, row, col, (rotation + turns) % 4, mandatory)
