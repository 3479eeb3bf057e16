"""Tables of `EdgeFiltering`: which tiles have which colours, as sets in 64-bit words.

The domain of a cell is a set of oriented tiles: one word per rotation that the cell allows (four for an inner cell, one
on the frame, where the rotation follows from the grey side), one bit per tile of its group. The domain of an edge is a
set of colours, numbered within its zone. The tiles that have one of a set of colours on a side are looked up in parts:
the colours are cut into chunks of at most seven bits, and the union over the chunks is taken.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.exact.coloured_tiles import MOST, ColouredTiles

_WIDEST_CHUNK = 7
"""Bits of a chunk: the tables of an inner cell with 14 colours then fit the fastest cache."""
RIM, RIM_IF_FEW, FEW_ALONG = 24, 3, 5
"""The frame is filled first if it has more than five colours; with fewer, a frame can be filled in too many ways."""
_ONE = np.uint64(1)


class EdgeTables(NamedTuple):
    """What compiled code needs to know of a puzzle. `slots` is the number of words of a domain."""

    kind: NDArray[np.int64]
    """The kind of each cell: its group and its sides on the rim."""
    slots: NDArray[np.int64]
    """Per kind, the number of words of a domain."""
    support_at: NDArray[np.int64]
    """Per kind, where its part of `support` begins."""
    support: NDArray[np.uint64]
    """Per kind, side, chunk and set of colours in the chunk: the domain of oriented tiles with such a colour there."""
    colour_at: NDArray[np.int64]
    colour: NDArray[np.uint64]
    """Per kind, side and colour: the domain of oriented tiles with that colour there."""
    shows_at: NDArray[np.int64]
    shows: NDArray[np.uint64]
    """Per kind, slot, tile and side: the colour there, as a set; empty on the rim."""
    domain_at: NDArray[np.int64]
    """Per cell, where its domain begins in the row of domains."""
    group: NDArray[np.int64]
    place: NDArray[np.int64]
    """The number of each cell among those of its group."""
    cell_of: NDArray[np.int64]
    """Per group and place, the cell."""
    near: NDArray[np.int64]
    edge: NDArray[np.int64]
    """Per cell and side, the edge; -1 on the rim."""
    twins: NDArray[np.uint64]
    """Per group and tile, all tiles that are identical to it, itself included."""
    values: NDArray[np.int64]
    """Per kind, slot and tile of the group: the oriented tile; -1 if there is none."""
    chunks: int
    chunk_bits: int
    colours: int
    """The number of colours of the zone that has most."""
    rim: int
    """A side on the rim counts as this many open colours when the next cell is chosen."""


class Roots(NamedTuple):
    """The domains at the root of the tree."""

    domains: NDArray[np.uint64]
    edges: NDArray[np.uint64]
    available: NDArray[np.uint64]
    """Per group, all its tiles."""
    unassigned: NDArray[np.uint64]
    """Per group, all its cells, by their places."""


def make_edge_tables(tiles: ColouredTiles, tried: NDArray[np.int32]) -> tuple[EdgeTables, Roots]:
    """Return the tables of a puzzle, and the domains at the root; `tried` is the order in which tiles are tried."""
    cells, groups = tiles.puzzle.size, len(tiles.groups)
    order = tiles.ordered_groups(tried)
    colours = max(1, max(map(len, tiles.zones)))
    chunks = -(-colours // _WIDEST_CHUNK)
    bits = -(-colours // chunks)
    kinds: dict[tuple[int, ...], int] = {}
    kind = np.zeros(cells, dtype=np.int64)
    first_cell: list[int] = []
    for cell in range(cells):
        key = (int(tiles.group_of_cell[cell]), *(tiles.near[cell] < 0).tolist(), *tiles.along[cell].tolist())
        kind[cell] = kinds.setdefault(key, len(kinds))
        if kind[cell] == len(first_cell):
            first_cell.append(cell)
    made = [_kind_tables(tiles, cell, order, colours, chunks, bits) for cell in first_cell]
    slots = np.array([one.slots for one in made])
    edge, count = _edges(tiles)
    place, cell_of = np.zeros(cells, dtype=np.int64), np.zeros((groups, MOST), dtype=np.int64)
    met = [0] * groups
    for cell in range(cells):
        group = int(tiles.group_of_cell[cell])
        place[cell], cell_of[group, met[group]] = met[group], cell
        met[group] += 1
    tables = EdgeTables(
        kind,
        slots,
        _starts([len(one.support) for one in made]),
        np.concatenate([one.support for one in made]),
        _starts([len(one.colour) for one in made]),
        np.concatenate([one.colour for one in made]),
        _starts([len(one.shows) for one in made]),
        np.concatenate([one.shows for one in made]),
        _starts([int(slots[k]) for k in kind]),
        tiles.group_of_cell.astype(np.int64),
        place,
        cell_of,
        tiles.near,
        edge,
        _twins(tiles, order),
        np.array([one.values for one in made]),
        chunks,
        bits,
        colours,
        RIM if len(tiles.zones[1]) > FEW_ALONG else RIM_IF_FEW,
    )
    return tables, _roots(tiles, tables, order, count, met)


class _KindTables(NamedTuple):
    slots: int
    support: NDArray[np.uint64]
    colour: NDArray[np.uint64]
    shows: NDArray[np.uint64]
    values: NDArray[np.int64]


def _kind_tables(
    tiles: ColouredTiles, cell: int, order: list[list[int]], colours: int, chunks: int, bits: int
) -> _KindTables:
    """Return the tables of a kind of cell, of which one cell is given."""
    number = [{colour: k for k, colour in enumerate(zone)} for zone in tiles.zones]
    members, sides, rim = order[tiles.group_of_cell[cell]], tiles.puzzle.sides, tiles.near[cell] < 0
    per_tile = [[v for v in range(4 * t, 4 * t + int(tiles.turns[t])) if _may_lie(tiles, rim, v)] for t in members]
    slots = max(map(len, per_tile))
    slots = slots if slots < 3 else 4  # compiled code has a fast way for four words
    colour = np.zeros((4, colours, slots), dtype=np.uint64)
    shows = np.zeros((slots, MOST, 4), dtype=np.uint64)
    values = np.full((4, MOST), -1, dtype=np.int64)
    for position, oriented in enumerate(per_tile):
        for slot, value in enumerate(oriented):
            values[slot, position] = value
            for side in range(4):
                if not rim[side]:
                    k = number[int(tiles.along[cell, side])][int(sides[side, value])]
                    colour[side, k, slot] |= _ONE << np.uint64(position)
                    shows[slot, position, side] = _ONE << np.uint64(k)
    support = np.zeros((4, chunks, 1 << bits, slots), dtype=np.uint64)
    for chunk in range(chunks):
        for within in range(1 << bits):
            for bit in range(bits):
                if within >> bit & 1 and chunk * bits + bit < colours:
                    support[:, chunk, within] |= colour[:, chunk * bits + bit]
    return _KindTables(slots, support.ravel(), colour.ravel(), shows.ravel(), values)


def _may_lie(tiles: ColouredTiles, rim: NDArray[np.bool_], value: int) -> bool:
    """Return whether an oriented tile has grey on the rim and nowhere else; without a frame, grey nowhere inside."""
    grey = tiles.puzzle.sides[:, value] == 0
    return bool((grey == rim).all()) if tiles.puzzle.framed else not (grey & ~rim).any()


def _edges(tiles: ColouredTiles) -> tuple[NDArray[np.int64], int]:
    """Number the inner edges: those to the right of and below each cell."""
    edge, count = np.full((tiles.puzzle.size, 4), -1, dtype=np.int64), 0
    for cell in range(tiles.puzzle.size):
        for side in (1, 2):
            near = int(tiles.near[cell, side])
            if near >= 0:
                edge[cell, side] = edge[near, side + 2 & 3] = count
                count += 1
    return edge, count


def _twins(tiles: ColouredTiles, order: list[list[int]]) -> NDArray[np.uint64]:
    twins = np.zeros((len(order), MOST), dtype=np.uint64)
    for group, members in enumerate(order):
        for k, tile in enumerate(members):
            for other, twin in enumerate(members):
                if tiles.classes[tile] == tiles.classes[twin]:
                    twins[group, k] |= _ONE << np.uint64(other)
    return twins


def _roots(tiles: ColouredTiles, tables: EdgeTables, order: list[list[int]], edges: int, met: list[int]) -> Roots:
    domains = np.zeros(int(tables.slots[tables.kind].sum()), dtype=np.uint64)
    for cell in range(tiles.puzzle.size):
        allowed, kind = set(tiles.values(cell)), int(tables.kind[cell])
        members = order[tiles.group_of_cell[cell]]
        for slot in range(int(tables.slots[kind])):
            for position in range(len(members)):
                if int(tables.values[kind, slot, position]) in allowed:
                    domains[tables.domain_at[cell] + slot] |= _ONE << np.uint64(position)
    full = np.zeros(edges, dtype=np.uint64)
    for cell in range(tiles.puzzle.size):
        for side in (1, 2):
            if tables.edge[cell, side] >= 0:
                full[tables.edge[cell, side]] = _lowest_bits(len(tiles.zones[int(tiles.along[cell, side])]))
    available = np.array([_lowest_bits(len(members)) for members in order], dtype=np.uint64)
    unassigned = np.array([_lowest_bits(count) for count in met], dtype=np.uint64)
    return Roots(domains, full, available, unassigned)


def _lowest_bits(count: int) -> np.uint64:
    return np.uint64((1 << count) - 1)


def _starts(lengths: list[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64)
