"""Boards as text: a grid of `piece/rotation`, and a table `row,col,piece,rotation`.

Neither contains its puzzle, so the readers take it as an argument.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from puzzles.errors import PuzzleError
from puzzles.formats.reading import Line, number, rows, shortened, table
from puzzles.puzzle import Puzzle
from puzzles.tiles import EMPTY

CSV_COLUMNS = ("row", "col", "piece", "rotation")
_EMPTY_TOKEN = "---/-"
_TOKEN = re.compile(r"([0-9]{1,5})/([0-9])")


def is_grid(lines: list[Line]) -> bool:
    """Return whether rows of tokens look like a grid of `piece/rotation`."""
    return lines[0].tokens[0] == _EMPTY_TOKEN or _TOKEN.match(lines[0].tokens[0]) is not None


def read_grid(text: str, puzzle: Puzzle) -> NDArray[np.uint16]:
    """Read a grid: a line per row of the board, a `piece/rotation` per cell, `---/-` for an empty cell."""
    lines = rows(text)
    if len(lines) != puzzle.rows:
        raise PuzzleError(f"found {len(lines)} rows; {puzzle.name} is {puzzle.rows}x{puzzle.cols}")
    cells = np.full(puzzle.shape, EMPTY, dtype=np.uint16)
    for row, (line, tokens) in enumerate(lines):
        if len(tokens) != puzzle.cols:
            raise PuzzleError(f"line {line}: found {len(tokens)} cells; {puzzle.name} is {puzzle.rows}x{puzzle.cols}")
        for col, token in enumerate(tokens):
            if token != _EMPTY_TOKEN:
                parts = _TOKEN.fullmatch(token)
                where = f"line {line}, column {col + 1}"
                if not parts or parts[2] > "3":
                    raise PuzzleError(
                        f"{where}: expected piece/rotation, such as 139/2; found {shortened(token, 20)!r}"
                    )
                piece = number(parts[1], where, "piece", 1, puzzle.size)
                cells[row, col] = (piece - 1) * 4 + int(parts[2])
    return cells


def write_grid(cells: NDArray[np.uint16]) -> str:
    """Return the grid with aligned columns."""
    return "".join(" ".join(_token(cell) for cell in row) + "\n" for row in cells.tolist())


def read_csv(text: str, puzzle: Puzzle) -> NDArray[np.uint16]:
    """Read a table `row,col,piece,rotation`; cells that are not in it are empty."""
    header, lines = table(text, CSV_COLUMNS)
    cells = np.full(puzzle.shape, EMPTY, dtype=np.uint16)
    for line in lines:
        values, where = dict(zip(header, line.tokens, strict=True)), f"line {line.line}"
        row = number(values["row"], where, "row", 1, puzzle.rows)
        col = number(values["col"], where, "col", 1, puzzle.cols)
        if cells[row - 1, col - 1] != EMPTY:
            raise PuzzleError(f"{where}: row {row}, column {col} is filled twice")
        piece = number(values["piece"], where, "piece", 1, puzzle.size)
        cells[row - 1, col - 1] = (piece - 1) * 4 + number(values["rotation"], where, "rotation", 0, 3)
    return cells


def write_csv(cells: NDArray[np.uint16]) -> str:
    """Return the table, row by row, without the empty cells."""
    lines = [",".join(CSV_COLUMNS)]
    for row, col in np.argwhere(cells != EMPTY).tolist():
        tile, rotation = divmod(int(cells[row, col]), 4)
        lines.append(f"{row + 1},{col + 1},{tile + 1},{rotation}")
    return "\n".join(lines) + "\n"


def _token(cell: int) -> str:
    return _EMPTY_TOKEN if cell == EMPTY else f"{cell // 4 + 1}/{cell % 4}".rjust(len(_EMPTY_TOKEN))
