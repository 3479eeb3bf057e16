"""Checks of shapes, tiles and names: what a `Puzzle` or a `Board` refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from puzzles.errors import PuzzleError
from puzzles.tiles import GREY, MAX_COLOUR, MAX_TILES, border_sides, kind_counts, listed_kinds, needed_kinds, tile_kinds

MAX_NAME = 200
"""Longer names are truncated."""


def clean_name(name: str) -> str:
    """Return a name without unprintable characters, truncated to MAX_NAME.

    Names go into files, links, pictures and terminals.
    """
    return "".join(char for char in name if char.isprintable())[:MAX_NAME]


def check_shape(rows: int, cols: int) -> None:
    """Check that a board has cells, and not more than 16-bit cells can number.

    Raises:
        PuzzleError: It does not.
    """
    if rows < 1 or cols < 1:
        raise PuzzleError(f"a board of {rows} rows and {cols} columns has no cells")
    if rows * cols > MAX_TILES:
        raise PuzzleError(f"a board of {rows}x{cols} has {rows * cols} cells; at most {MAX_TILES} are supported")


def whole_numbers(values: ArrayLike, what: str) -> NDArray[Any]:
    """Return values as an integer array.

    Raises:
        PuzzleError: The values are not integers, or their rows differ in length; `what` names them in the message.
    """
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        raise PuzzleError(f"{what} must be a matrix; its rows differ in length") from None
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise PuzzleError(f"{what} must be integers; got {array.dtype}")
    return array


def checked_tiles(tiles: ArrayLike, rows: int, cols: int) -> NDArray[np.uint8]:
    """Return the tiles of a board as a uint8 array of shape (rows * cols, 4).

    Raises:
        PuzzleError: The shape or a colour is wrong.
    """
    array = whole_numbers(tiles, "side colours")
    if array.ndim != 2 or array.shape[1] != 4:
        raise PuzzleError(f"tiles must be rows of four side colours; got an array of shape {array.shape}")
    if len(array) != rows * cols:
        raise PuzzleError(f"a board of {rows}x{cols} needs {rows * cols} tiles; got {len(array)}")
    wrong = np.argwhere((array < 0) | (array > MAX_COLOUR))
    if len(wrong):
        tile, side = wrong[0]
        raise PuzzleError(f"piece {tile + 1}: colour {array[tile, side]} is not within 0..{MAX_COLOUR}")
    return array.astype(np.uint8, order="C")


def check_frame(tiles: NDArray[np.uint8], rows: int, cols: int) -> None:
    """Check that there are as many corner, border and inner tiles as the board needs.

    Raises:
        PuzzleError: There are not; the message names a tile that fits no cell, if there is one.
    """
    needed, found = needed_kinds(rows, cols), kind_counts(tiles)
    if needed == found:
        return
    message = f"a board of {rows}x{cols} needs {listed_kinds(needed)} pieces; this set has {listed_kinds(found)}"
    misfit = next((tile for tile, kind in enumerate(tile_kinds(tiles)) if kind not in needed), None)
    if misfit is not None:
        colours = ", ".join(map(str, tiles[misfit].tolist()))
        message += f" (piece {misfit + 1}, with the colours {colours}, fits no cell)"
    raise PuzzleError(message)


def check_colour_totals(tiles: NDArray[np.uint8]) -> None:
    """Check that each colour is on an even number of sides, along the frame and elsewhere.

    Raises:
        PuzzleError: It is not; the message names the colour and the first pieces that have it.
    """
    along_frame = border_sides(tiles)
    for zone, marked in (("border", along_frame), ("inner", ~along_frame & (tiles != GREY))):
        totals = np.bincount(tiles[marked], minlength=1)
        for colour in np.flatnonzero(totals % 2):
            pieces = np.flatnonzero(((tiles == colour) & marked).any(axis=1)) + 1
            listed = ", ".join(str(piece) for piece in pieces[:6]) + (", ..." if len(pieces) > 6 else "")
            raise PuzzleError(
                f"colour {colour} is on {totals[colour]} {zone} sides (pieces {listed}); an odd number cannot pair up"
            )
