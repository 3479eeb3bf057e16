"""Paths: orders in which to visit the cells of a board, as flat indices `row * cols + col`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from operators.errors import OperatorError

_LAST_ROWS = 4


def _rows(index: NDArray[np.int64]) -> list[int]:
    return [int(cell) for cell in index.ravel()]


def _columns(index: NDArray[np.int64]) -> list[int]:
    return [int(cell) for cell in index.T.ravel()]


def _rows_columns(index: NDArray[np.int64]) -> list[int]:
    switch = max(0, len(index) - _LAST_ROWS)
    return _rows(index[:switch]) + _columns(index[switch:])


def _zigzag(index: NDArray[np.int64]) -> list[int]:
    return [int(cell) for number, row in enumerate(index) for cell in (row[::-1] if number % 2 else row)]


def _diagonal(index: NDArray[np.int64]) -> list[int]:
    rows, cols = index.shape
    return [
        int(index[row, total - row])
        for total in range(rows + cols - 1)
        for row in range(rows)
        if 0 <= total - row < cols
    ]


def _spiral_in(index: NDArray[np.int64]) -> list[int]:
    path: list[int] = []
    while index.size:
        path += [
            int(cell) for cell in index[0]
        ]  # the top row, then what is left, turned so that its next side is on top
        index = np.rot90(index[1:])
    return path


def _spiral_out(index: NDArray[np.int64]) -> list[int]:
    return _spiral_in(index)[::-1]


def _blocks(index: NDArray[np.int64]) -> list[int]:
    rows, cols = index.shape
    top, last = np.split(index, [rows - round(rows * 5 / 16)])
    left, middle, right = np.split(last, [round(cols * 5 / 16), round(cols * 12 / 16)], axis=1)
    return _rows(top) + _rows(left) + _columns(middle) + _spiral_in(right)


PATHS: dict[str, Callable[[NDArray[np.int64]], list[int]]] = {
    "row": _rows,
    "column": _columns,
    "rows_columns": _rows_columns,
    "blocks": _blocks,
    "zigzag": _zigzag,
    "diagonal": _diagonal,
    "spiral_in": _spiral_in,
    "spiral_out": _spiral_out,
}
"""The named paths, each a function of the matrix of cells. Spirals run clockwise from the top left, or back to it.
`rows_columns` runs row by row, and column by column in the last four rows. `blocks`, which found a record of Eternity
II, runs row by row, and then through three blocks: row by row, column by column, and in a spiral; on that board the
blocks have 5 rows, and 5, 7 and 4 columns."""


def make_path(path: str | Sequence[int], rows: int, cols: int) -> NDArray[np.int64]:
    """Return a path given by its name, or as a list that has every cell of the board exactly once.

    Raises:
        OperatorError: The name is unknown, or the list is not a path of the board.
    """
    if isinstance(path, str):
        if path not in PATHS:
            raise OperatorError(f"path {path!r} is not one of {', '.join(PATHS)}")
        return np.array(PATHS[path](np.arange(rows * cols).reshape(rows, cols)), dtype=np.int64)
    try:
        cells = np.array(path, dtype=np.int64)
    except (OverflowError, ValueError, TypeError):
        raise OperatorError("a path must be a name or a list of integers") from None
    if cells.shape != (rows * cols,) or (np.sort(cells) != np.arange(rows * cols)).any():
        raise OperatorError(
            f"a path of a {rows}x{cols} board must have each of the cells 0..{rows * cols - 1} exactly once"
        )
    return cells
