"""Boards as numpy archives: `cells`, `tiles`, `hints`, `strict` and `names`.

Files are read without numpy's loader: it evaluates headers as Python and allocates whatever size they claim.
"""

from __future__ import annotations

import io
import re
import zipfile
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.errors import PuzzleError
from puzzles.formats.reading import MAX_BYTES
from puzzles.hints import Hint
from puzzles.puzzle import Puzzle

MAGIC = b"PK\x03\x04"
_TYPES = {"cells": "<u2", "tiles": "|u1", "hints": "<i8", "strict": "|b1"}
_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '([<|][a-zA-Z][0-9]{1,4})', 'fortran_order': False, "
    rb"'shape': \(([0-9]{0,9}(?:, ?[0-9]{1,9})?),?\), \} *\n",
    flags=re.DOTALL,
)


def write_npz(puzzle: Puzzle, cells: NDArray[np.uint16], name: str) -> bytes:
    """Return a board and its puzzle as the bytes of an `.npz` file."""
    stream = io.BytesIO()
    np.savez_compressed(
        stream,
        cells=cells.astype("<u2"),
        tiles=puzzle.tiles,
        hints=np.array(puzzle.hints, dtype="<i8").reshape(-1, 5),
        strict=np.array(puzzle.strict),
        names=np.array([name, puzzle.name], dtype="<U"),
    )
    return stream.getvalue()


def read_npz(data: bytes) -> tuple[Puzzle, NDArray[np.uint16], str]:
    """Return the puzzle, the cells and the name of a board in an `.npz` file."""
    members = _members(data)
    cells, tiles, hints, strict = (_array(key, kind, members[key]) for key, kind in _TYPES.items())
    if cells.ndim != 2 or hints.ndim != 2 or hints.shape[1] != 5 or strict.ndim != 0:
        raise PuzzleError("the arrays of the .npz file do not have the shapes of a board")
    board_name, puzzle_name = _names(members["names"])
    rows, cols = cells.shape
    places = [Hint(tile, row, col, turn, bool(must)) for tile, row, col, turn, must in hints.tolist()]
    return Puzzle(rows, cols, tiles, places, puzzle_name, bool(strict)), cells, board_name


def _members(data: bytes) -> dict[str, bytes]:
    """Return the unpacked members of the archive, each of at most MAX_BYTES."""
    members = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for key in (*_TYPES, "names"):
                information = archive.getinfo(f"{key}.npy")
                if information.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    raise PuzzleError(f"{key} in the .npz file is compressed with a method that numpy does not use")
                with archive.open(information) as member:
                    members[key] = member.read(MAX_BYTES + 1)
                if len(members[key]) > MAX_BYTES:
                    raise PuzzleError(f"{key} in the .npz file is larger than {MAX_BYTES} bytes")
    except PuzzleError:
        raise
    except Exception as error:  # zipfile raises many kinds of exceptions on damaged archives
        raise PuzzleError(f"damaged .npz file: {str(error)[:100]}") from None
    return members


def _array(key: str, kind: str | None, content: bytes) -> NDArray[Any]:
    """Return an array of a known type from the content of its `.npy` file."""
    header = _HEADER.match(content)
    if not header or (kind is not None and header[1].decode() != kind):
        raise PuzzleError(f"{key} in the .npz file is not an array of type {kind or 'text'}")
    dtype = np.dtype(header[1].decode())
    shape = tuple(int(part) for part in header[2].split(b",") if part.strip())
    if prod(shape) * dtype.itemsize != len(content) - header.end():
        raise PuzzleError(f"{key} in the .npz file does not have the size that its header declares")
    return np.frombuffer(content, dtype=dtype, offset=header.end()).reshape(shape)


def _names(content: bytes) -> tuple[str, str]:
    header = _HEADER.match(content)
    kind = header[1].decode() if header else ""
    if not header or not kind.startswith("<U") or header[2].rstrip(b", ") != b"2":
        raise PuzzleError("names in the .npz file is not an array of two strings")
    text, length = content[header.end() :], 4 * int(kind[2:])
    if len(text) != 2 * length:
        raise PuzzleError("names in the .npz file does not have the size that its header declares")
    try:
        one, other = (part.decode("utf-32-le").rstrip("\0") for part in (text[:length], text[length:]))
    except UnicodeDecodeError:
        raise PuzzleError("names in the .npz file is not text") from None
    return one, other
