"""Sides, colours and kinds of tiles: the constants of the representation, and what grey sides say about a tile."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import ArrayLike, NDArray

GREY = 0
"""The colour of the frame. It never scores."""
EMPTY = 65535
"""The content of a cell without a tile."""
UP, RIGHT, DOWN, LEFT = range(4)
"""The sides of a tile, clockwise."""
MAX_TILES = EMPTY // 4
"""The largest number of tiles: a cell holds `tile * 4 + rotation` in 16 bits, and one value is reserved for EMPTY."""
MAX_COLOUR = 250
"""The largest colour: colours fit a byte, and the scoring kernel reserves a few values."""

_KINDS = {0b0000: "inner", 0b0001: "border", 0b0011: "corner", 0b0101: "strip", 0b0111: "end", 0b1111: "single"}
"""The kind of a tile by its grey sides, as returned by `_patterns`."""


def border_sides(tiles: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return a mask of the coloured sides next to a grey side of the same tile, which lie along the frame."""
    grey = tiles == GREY
    marked: NDArray[np.bool_] = ~grey & (np.roll(grey, 1, axis=1) | np.roll(grey, -1, axis=1))
    return marked


def tile_kinds(tiles: ArrayLike) -> tuple[str, ...]:
    """Return the kind of each tile, by its grey sides."""
    return tuple(_KINDS[pattern] for pattern in _patterns(np.asarray(tiles) == GREY).tolist())


def kind_counts(tiles: ArrayLike) -> Counter[str]:
    """Return the number of tiles of each kind, by their grey sides."""
    return _count_kinds(np.asarray(tiles) == GREY)


def needed_kinds(rows: int, cols: int) -> Counter[str]:
    """Return the number of tiles of each kind that a board of this shape needs."""
    outward = np.zeros((rows, cols, 4), dtype=np.bool_)
    outward[0, :, UP] = outward[:, -1, RIGHT] = outward[-1, :, DOWN] = outward[:, 0, LEFT] = True
    return _count_kinds(outward.reshape(-1, 4))


def listed_kinds(kinds: Counter[str]) -> str:
    """Return counts of kinds as text for a message, such as "196 inner, 56 border, 4 corner"."""
    return ", ".join(f"{kinds[kind]} {kind}" for kind in _KINDS.values() if kinds[kind])


def _patterns(grey: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the grey sides of each tile as a four-bit number, in the rotation that makes the number smallest."""
    bits = grey @ np.array([1, 2, 4, 8])
    turns = [(bits << turn | bits >> (4 - turn)) & 0b1111 for turn in range(4)]
    smallest: NDArray[np.int64] = np.min(turns, axis=0)
    return smallest


def _count_kinds(grey: NDArray[np.bool_]) -> Counter[str]:
    patterns, counts = np.unique(_patterns(grey), return_counts=True)
    return Counter({_KINDS[int(p)]: int(count) for p, count in zip(patterns, counts, strict=True)})
