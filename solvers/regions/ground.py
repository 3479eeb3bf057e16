"""`Ground`: a puzzle as the solvers of regions see it, and the rectangles that a board is divided into."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from operators.lattice import make_lattice
from puzzles import EMPTY, Hint, Puzzle
from puzzles.tiles import GREY, kind_counts, needed_kinds
from solvers.errors import SolverError


class Ground(NamedTuple):
    """The geometry of a board and the colours of its tiles, as arrays for compiled code."""

    rows: int
    cols: int
    near: NDArray[np.int32]
    """The cells up, right, down and left of each cell; `rows * cols` is the wall."""
    sides: NDArray[np.int32]
    """The colour of each side of each oriented tile: 0 is grey, the others are numbered without gaps."""
    grey: NDArray[np.uint8]
    """Per oriented tile, the grey sides as bits."""
    walls: NDArray[np.uint8]
    """Per cell, the sides that face the wall as bits; 0 everywhere if grey need not be on the rim."""
    framed: bool
    """Whether grey is kept on the rim and off all other sides: it is where the tiles have a frame for the board."""
    colours: int
    """The number of codes of colours, grey included."""
    pins: NDArray[np.uint16]
    """The content of the cells that stay as they are; EMPTY elsewhere."""


class Rectangle(NamedTuple):
    """A rectangle of cells."""

    top: int
    left: int
    height: int
    width: int


def make_ground(puzzle: Puzzle, pins: Iterable[Hint] = ()) -> Ground:
    """Return what the solvers of regions know of a puzzle. Pinned tiles stay in their cells."""
    lattice = make_lattice(puzzle, pins)
    _, numbered = np.unique(np.append(puzzle.sides, GREY), return_inverse=True)
    sides = numbered[:-1].reshape(puzzle.sides.shape).astype(np.int32)
    bits = np.array([1, 2, 4, 8], dtype=np.uint8)
    grey = ((sides == 0) * bits[:, np.newaxis]).sum(axis=0).astype(np.uint8)
    walls = ((lattice.near == puzzle.size) * bits).sum(axis=1).astype(np.uint8)
    pinned = np.flatnonzero(lattice.pinned)
    framed = puzzle.framed and kind_counts(puzzle.tiles) == needed_kinds(*puzzle.shape)
    framed = framed and bool((grey[lattice.pins[pinned]] == walls[pinned]).all())
    return Ground(
        puzzle.rows,
        puzzle.cols,
        lattice.near.astype(np.int32),
        np.ascontiguousarray(sides),
        grey,
        walls if framed else np.zeros_like(walls),
        framed,
        int(sides.max()) + 1,
        lattice.pins,
    )


def bands(rows: int, cols: int, height: int, width: int) -> list[Rectangle]:
    """Return the rectangles of a size that divide a board, row by row; those at its end may be smaller.

    Raises:
        SolverError: A side of the rectangles is not positive.
    """
    if height < 1 or width < 1:
        raise SolverError(f"region of {height}x{width} cells: expected at least 1x1")
    return [
        Rectangle(top, left, min(height, rows - top), min(width, cols - left))
        for top in range(0, rows, height)
        for left in range(0, cols, width)
    ]


def check_regions(rows: int, cols: int, regions: Sequence[Rectangle]) -> None:
    """Refuse regions that leave the board or overlap.

    Raises:
        SolverError: They do; the message names the first such region, counting from 1 as files do.
    """
    taken = np.zeros((rows, cols), dtype=np.int64)
    for number, (top, left, height, width) in enumerate(regions, 1):
        place = f"region {number}, {height}x{width} cells at row {top + 1}, column {left + 1}"
        if height < 1 or width < 1 or top < 0 or left < 0 or top + height > rows or left + width > cols:
            raise SolverError(f"{place}: is not within the board of {rows}x{cols} cells")
        part = taken[top : top + height, left : left + width]
        if part.any():
            raise SolverError(f"{place}: overlaps region {part.max()}")
        part[:] = number


def checked_cells(ground: Ground, cells: ArrayLike) -> NDArray[np.uint16]:
    """Return a copy of a board's cells as a flat array, with the pinned tiles, after checking that it can be completed.

    Raises:
        SolverError: The board has the wrong size, a tile that does not exist or occurs twice, a pinned tile elsewhere,
            or, where the frame is kept, a tile in a cell of another kind.
    """
    flat = np.array(cells).ravel()
    size = ground.rows * ground.cols
    if len(flat) != size:
        raise SolverError(f"the board has {len(flat)} cells; expected {size}")
    placed = flat != EMPTY
    if (flat[placed] < 0).any() or (flat[placed] >= 4 * size).any():
        raise SolverError("the board has a tile that does not exist")
    flat = flat.astype(np.uint16)
    pinned = ground.pins != EMPTY
    if (flat[pinned & placed] != ground.pins[pinned & placed]).any():
        raise SolverError("the board has another tile in the cell of a pinned tile")
    flat[pinned] = ground.pins[pinned]
    placed |= pinned
    if len(np.unique(flat[placed] >> 2)) < placed.sum():
        raise SolverError("the board has a tile twice")
    if ground.framed and (ground.grey[flat[placed]] != ground.walls[placed]).any():
        raise SolverError("the board has a grey side inside or a coloured side on the rim")
    return flat


def checked_region(board: NDArray[np.uint16], region: Iterable[int] | None) -> list[int]:
    """Return the cells of a region of a board; by default all that are empty.

    Raises:
        SolverError: A cell is not on the board, or occurs twice.
    """
    asked = np.flatnonzero(board == EMPTY).tolist() if region is None else [int(cell) for cell in region]
    for cell in asked:
        if not 0 <= cell < len(board):
            raise SolverError(f"region: cell {cell} is not on the board of {len(board)} cells")
    if len(set(asked)) < len(asked):
        raise SolverError("region: a cell occurs twice")
    return asked
