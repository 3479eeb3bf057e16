"""Boards as numpy archives: `cells`, `tiles`, `hints` and the names. Read without numpy's pickles or its trust."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from puzzles.errors import PuzzleError
from puzzles.formats.reading import MAX_BYTES
from puzzles.puzzle import EMPTY, MAX_NAME, Hint, Puzzle

MAGIC = b"PK\x03\x04"
_KEYS = {"cells": "u2", "tiles": "u1", "hints": "i8", "strict": "b1", "names": "U"}


def write_npz(puzzle: Puzzle, cells: NDArray[np.uint16], name: str) -> bytes:
    """A board and its puzzle as the bytes of an `.npz` file."""
    stream = io.BytesIO()
    hints = np.array(puzzle.hints, dtype=np.int64).reshape(-1, 5)
    names = np.array([name, puzzle.name])
    np.savez_compressed(
        stream, cells=cells, tiles=puzzle.tiles, hints=hints, strict=np.array(puzzle.strict), names=names
    )
    return stream.getvalue()


def read_npz(data: bytes) -> tuple[Puzzle, NDArray[np.uint16], str]:
    """The puzzle, the cells and the name of a board."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            arrays = {key: _member(archive, key) for key in _KEYS}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, KeyError) as error:
        if isinstance(error, PuzzleError):
            raise
        raise PuzzleError(f"damaged .npz file: {str(error)[:100]}") from None
    cells, tiles, hints, strict, names = arrays.values()
    if cells.ndim != 2 or hints.ndim != 2 or hints.shape[1] != 5 or strict.ndim != 0 or names.shape != (2,):
        raise PuzzleError("the arrays of the .npz file do not have the shapes of a board")
    board_name, puzzle_name = (str(name)[:MAX_NAME] for name in names)
    rows, cols = cells.shape
    places = [Hint(tile, row, col, turn, bool(must)) for tile, row, col, turn, must in hints.tolist()]
    puzzle = Puzzle(rows, cols, tiles, places, puzzle_name, bool(strict))
    wrong = np.argwhere((cells >= puzzle.size * 4) & (cells != EMPTY))
    if len(wrong):
        row, col = wrong[0]
        raise PuzzleError(f"cells row {row + 1}, column {col + 1}: {cells[row, col]} is no tile of the puzzle")
    return puzzle, cells, board_name


def _member(archive: zipfile.ZipFile, key: str) -> NDArray[Any]:
    """One array of the archive. numpy's own loader would allocate whatever size a header claims: look first."""
    with archive.open(f"{key}.npy") as member:
        content = member.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise PuzzleError(f"{key} in the .npz file is larger than {MAX_BYTES} bytes")
    stream = io.BytesIO(content)
    read_header = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}[npy.read_magic(stream)]
    shape, _, dtype = read_header(stream)
    if dtype.kind + (str(dtype.itemsize) if dtype.kind != "U" else "") != _KEYS[key] or dtype.hasobject:
        raise PuzzleError(f"{key} in the .npz file has the type {dtype}")
    if int(np.prod(shape, dtype=object)) * dtype.itemsize != len(content) - stream.tell():
        raise PuzzleError(f"{key} in the .npz file does not have the size its header says")
    return npy.read_array(io.BytesIO(content), allow_pickle=False)
