"""Tables of `Backtracker`: which tiles fit a cell whose left and upper colours are known, as sets in 64-bit words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import DOWN, LEFT, RIGHT, UP
from solvers.exact.coloured_tiles import MOST, ColouredTiles

_ONE = np.uint64(1)
_COLOUR = 64
"""Factor of the lower colour in what a tile shows: right colour + 64 * lower colour + 4096 * rotation."""


class RowTables(NamedTuple):
    """What fits where. Colours are numbered from 1 in each zone; 0 stands for the rim."""

    kind: NDArray[np.int64]
    """The kind of each cell: cells of a kind must show the same colours, as far as these are known."""
    group: NDArray[np.int64]
    """The group of tiles of each cell."""
    fitting: NDArray[np.uint64]
    """Per layer, kind, left colour and upper colour: the tiles that fit. A tile that fits in several rotations is in
    several layers."""
    any_fitting: NDArray[np.uint64]
    """The union of the layers."""
    shown: NDArray[np.uint16]
    """Per layer, kind, left colour, upper colour and tile: the right and the lower colour, and the rotation."""
    twin: NDArray[np.uint64]
    """Per group and tile: the next identical tile, as a set."""
    available: NDArray[np.uint64]
    """Per group: the tiles that are available at the start."""
    tiles: NDArray[np.int64]
    """Per group and position in the sets: the tile."""
    cols: int


def make_row_tables(tiles: ColouredTiles, tried: NDArray[np.int32]) -> RowTables:
    """Return the tables of a puzzle; `tried` is the order in which tiles are tried."""
    sides, cells = tiles.puzzle.sides, tiles.puzzle.size
    number = [{colour: k for k, colour in enumerate(zone, start=1)} for zone in tiles.zones]
    width = max(map(len, tiles.zones)) + 1
    kinds: dict[tuple[int, ...], int] = {}
    kind = np.zeros(cells, dtype=np.int64)
    order = tiles.ordered_groups(tried)
    position = {tile: k for group in order for k, tile in enumerate(group)}
    entries: list[tuple[int, int, int, int, int]] = []
    for cell in range(cells):
        zone = tiles.along[cell].astype(int)
        key = (*tiles.wanted[cell].tolist(), *zone.tolist(), *(tiles.near[cell] < 0).tolist())
        if key in kinds:
            kind[cell] = kinds[key]
            continue
        kind[cell] = kinds[key] = len(kinds)

        def colour(side: int, value: int, cell: int = cell, zone: NDArray[np.int64] = zone) -> int:
            return 0 if tiles.near[cell, side] < 0 else number[zone[side]][int(sides[side, value])]

        for value in tiles.values(cell):
            left, right, up, down = (colour(side, value) for side in (LEFT, RIGHT, UP, DOWN))
            shown = right + _COLOUR * down + _COLOUR * _COLOUR * (value & 3)
            entries.append((kinds[key], left, up, position[value >> 2], shown))
    return _filled(tiles, order, kind, len(kinds), width, entries)


def _filled(
    tiles: ColouredTiles,
    order: list[list[int]],
    kind: NDArray[np.int64],
    kinds: int,
    width: int,
    entries: list[tuple[int, int, int, int, int]],
) -> RowTables:
    layer: dict[tuple[int, int, int, int], int] = {}
    fitting = np.zeros((4, kinds, width, width), dtype=np.uint64)
    shown = np.zeros((4, kinds, width, width, MOST), dtype=np.uint16)
    for *where, tile, shows in entries:
        key = (where[0], where[1], where[2], tile)
        at = layer[key] = layer.get(key, -1) + 1
        fitting[at, where[0], where[1], where[2]] |= _ONE << np.uint64(tile)
        shown[at, where[0], where[1], where[2], tile] = shows
    layers = max(layer.values(), default=0) + 1
    twin = np.zeros((len(order), MOST), dtype=np.uint64)
    available = np.zeros(len(order), dtype=np.uint64)
    numbers = np.zeros((len(order), MOST), dtype=np.int64)
    for group, members in enumerate(order):
        last: dict[int, int] = {}
        for k, tile in enumerate(members):
            numbers[group, k] = tile
            before = last.get(int(tiles.classes[tile]))
            if before is None:
                available[group] |= _ONE << np.uint64(k)
            else:
                twin[group, before] = _ONE << np.uint64(k)
            last[int(tiles.classes[tile])] = k
    any_fitting = np.bitwise_or.reduce(fitting, axis=0)
    cols = tiles.puzzle.cols
    group_of_cell = tiles.group_of_cell.astype(np.int64)
    return RowTables(
        kind, group_of_cell, fitting[:layers].copy(), any_fitting, shown[:layers].copy(), twin, available, numbers, cols
    )
