"""Revision of `EdgeFiltering`: arc consistency between cells and the colours of edges.

A cell whose domain changed tells its edges which colours are left, and the cells beyond them are revised, the smallest
domain first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.bits import lowest, popcount
from puzzles.compiled import inlined
from solvers.exact.coloured_tiles import MOST
from solvers.exact.edge_tables import EdgeTables

LAZY = 48
"""A cell with a larger domain is not revised just because one of its tiles was used elsewhere: this rarely matters."""
FAILED, SAME, CHANGED = -1, 0, 1
"""What a rule has come to: a contradiction, nothing, or smaller domains."""
_ONE, _NONE = np.uint64(1), np.uint64(0)


class Domains(NamedTuple):
    """The state of a node. All arrays of a node are copied for each of its children, which is cheaper than undoing."""

    cells: NDArray[np.uint64]
    """The domains of the cells; see `EdgeTables.domain_at`. They may contain used tiles until a cell is revised."""
    tiles: NDArray[np.uint64]
    """The tiles in the domain of each cell, in any rotation, without the used ones."""
    edges: NDArray[np.uint64]
    sizes: NDArray[np.int64]
    """The sizes of the domains when they were last revised."""
    unassigned: NDArray[np.uint64]
    """Per group, the places of the cells without a tile."""
    available: NDArray[np.uint64]
    """Per group, the tiles that are not used."""
    removed: NDArray[np.uint64]
    """Per group, the tiles that were used, and are still to be taken from the other cells."""
    urgent: NDArray[np.uint64]
    """Cells to revise because an edge has lost a colour."""
    later: NDArray[np.uint64]
    """Cells to revise because a tile was used elsewhere."""


@inlined
def mark(cells: NDArray[np.uint64], cell: int) -> None:
    """Add a cell to a set of cells."""
    cells[cell >> 6] |= _ONE << np.uint64(cell & 63)


@inlined
def unmark(cells: NDArray[np.uint64], cell: int) -> None:
    """Remove a cell from a set of cells."""
    cells[cell >> 6] &= ~(_ONE << np.uint64(cell & 63))


@inlined
def revise_all(tables: EdgeTables, node: Domains) -> bool:
    """Revise cells until none is left to revise; return False on a contradiction."""
    while True:
        cell = _smallest(node)
        if cell < 0:
            if not _remove_used(tables, node):
                return False
            cell = _first(node.later)
            if cell < 0:
                return True
        unmark(node.urgent, cell)
        unmark(node.later, cell)
        if tables.slots[tables.kind[cell]] == 4:
            outcome = _revise_four(tables, node, cell)
        else:
            outcome = _revise(tables, node, cell)
        if outcome == FAILED or (outcome == CHANGED and not narrow(tables, node, cell)):
            return False


@inlined
def _smallest(node: Domains) -> int:
    """Return the urgent cell with the smallest domain; -1 if there is none."""
    best, size = -1, 1 << 30
    for word in range(len(node.urgent)):
        left = node.urgent[word]
        while left != _NONE:
            cell = (word << 6) + lowest(left)
            left &= left - _ONE
            if node.sizes[cell] < size:
                best, size = cell, node.sizes[cell]
    return best


@inlined
def _first(cells: NDArray[np.uint64]) -> int:
    for word in range(len(cells)):
        if cells[word] != _NONE:
            return (word << 6) + lowest(cells[word])
    return -1


@inlined
def _remove_used(tables: EdgeTables, node: Domains) -> bool:
    """Take used tiles from the cells that are not assigned; return False if a cell has no other."""
    for group in range(len(node.removed)):
        used = node.removed[group]
        if used == _NONE:
            continue
        node.removed[group] = _NONE
        left = node.unassigned[group]
        while left != _NONE:
            cell = tables.cell_of[group, lowest(left)]
            left &= left - _ONE
            if node.tiles[cell] & used != _NONE:
                node.tiles[cell] &= ~used
                if node.tiles[cell] == _NONE:
                    return False
                if node.sizes[cell] <= LAZY:
                    mark(node.later, cell)
    return True


@inlined
def usable_tiles(tables: EdgeTables, node: Domains, cell: int) -> np.uint64:
    """Return the tiles that may be in the domain of a cell."""
    group = tables.group[cell]
    if node.unassigned[group] >> np.uint64(tables.place[cell]) & _ONE:
        return np.uint64(node.tiles[cell] & node.available[group])
    return np.uint64(node.tiles[cell])


@inlined
def _revise_four(tables: EdgeTables, node: Domains, cell: int) -> int:
    """Remove what the edges do not support from the domain of a cell with four words."""
    at, base = tables.domain_at[cell], tables.support_at[tables.kind[cell]]
    cells, support = node.cells, tables.support
    usable = usable_tiles(tables, node, cell)
    before0, before1, before2, before3 = cells[at], cells[at + 1], cells[at + 2], cells[at + 3]
    word0, word1, word2, word3 = before0 & usable, before1 & usable, before2 & usable, before3 & usable
    bits = np.uint64(tables.chunk_bits)
    low = (_ONE << bits) - _ONE
    for side in range(4):
        edge = tables.edge[cell, side]
        if edge < 0:
            continue
        colours = node.edges[edge]
        any0 = any1 = any2 = any3 = _NONE
        for chunk in range(tables.chunks):
            row = ((side * tables.chunks + chunk) << tables.chunk_bits) + np.int64(colours & low)
            entry = base + 4 * row
            any0 |= support[entry]
            any1 |= support[entry + 1]
            any2 |= support[entry + 2]
            any3 |= support[entry + 3]
            colours >>= bits
        word0 &= any0
        word1 &= any1
        word2 &= any2
        word3 &= any3
    if (word0 | word1 | word2 | word3) == _NONE:
        return FAILED
    if ((word0 ^ before0) | (word1 ^ before1) | (word2 ^ before2) | (word3 ^ before3)) == _NONE:
        return SAME
    cells[at], cells[at + 1], cells[at + 2], cells[at + 3] = word0, word1, word2, word3
    return CHANGED


@inlined
def _revise(tables: EdgeTables, node: Domains, cell: int) -> int:
    """Remove what the edges do not support from the domain of a cell with one or two words."""
    at, kind = tables.domain_at[cell], tables.kind[cell]
    base, slots = tables.support_at[kind], tables.slots[kind]
    usable = usable_tiles(tables, node, cell)
    bits = np.uint64(tables.chunk_bits)
    low = (_ONE << bits) - _ONE
    all_words, changed = _NONE, False
    for slot in range(slots):
        word = node.cells[at + slot] & usable
        for side in range(4):
            edge = tables.edge[cell, side]
            if edge < 0:
                continue
            colours, supported = node.edges[edge], _NONE
            for chunk in range(tables.chunks):
                row = ((side * tables.chunks + chunk) << tables.chunk_bits) + np.int64(colours & low)
                supported |= tables.support[base + slots * row + slot]
                colours >>= bits
            word &= supported
        changed = changed or word != node.cells[at + slot]
        node.cells[at + slot] = word
        all_words |= word
    if all_words == _NONE:
        return FAILED
    return CHANGED if changed else SAME


@inlined
def narrow(tables: EdgeTables, node: Domains, cell: int) -> bool:
    """Draw the consequences of a changed domain: a tile that is certain, and colours that the edges have lost."""
    at, kind, group = tables.domain_at[cell], tables.kind[cell], tables.group[cell]
    slots = tables.slots[kind]
    all_tiles, size = _NONE, 0
    for slot in range(slots):
        all_tiles |= node.cells[at + slot]
        size += popcount(node.cells[at + slot])
    here = _ONE << np.uint64(tables.place[cell])
    if node.unassigned[group] & here:
        first = all_tiles & (~all_tiles + _ONE)
        if all_tiles & ~tables.twins[group, lowest(all_tiles)] == _NONE:
            if all_tiles != first:
                size = 0
                for slot in range(slots):
                    node.cells[at + slot] &= first
                    size += popcount(node.cells[at + slot])
            all_tiles = first
            node.unassigned[group] &= ~here
            node.available[group] &= ~first
            node.removed[group] |= first
    node.tiles[cell] = all_tiles
    node.sizes[cell] = size
    return _tell_edges(tables, node, cell, size)


@inlined
def _tell_edges(tables: EdgeTables, node: Domains, cell: int, size: int) -> bool:
    """Remove the colours that a cell no longer has from its edges; return False if an edge has none left."""
    at, kind = tables.domain_at[cell], tables.kind[cell]
    slots = tables.slots[kind]
    open_colours = 0
    for side in range(4):
        if tables.edge[cell, side] >= 0:
            count = popcount(node.edges[tables.edge[cell, side]])
            open_colours += count if count > 1 else 0
    if open_colours == 0:
        return True
    if size <= open_colours:  # collect the colours of each oriented tile; otherwise ask for each colour
        base = tables.shows_at[kind]
        shown0 = shown1 = shown2 = shown3 = _NONE
        for slot in range(slots):
            left = node.cells[at + slot]
            while left != _NONE:
                entry = base + 4 * (slot * MOST + lowest(left))
                left &= left - _ONE
                shown0 |= tables.shows[entry]
                shown1 |= tables.shows[entry + 1]
                shown2 |= tables.shows[entry + 2]
                shown3 |= tables.shows[entry + 3]
        return (
            _tell(tables, node, cell, 0, shown0)
            and _tell(tables, node, cell, 1, shown1)
            and _tell(tables, node, cell, 2, shown2)
            and _tell(tables, node, cell, 3, shown3)
        )
    for side in range(4):
        edge = tables.edge[cell, side]
        if edge < 0:
            continue
        left, shown = node.edges[edge], _NONE
        if left & (left - _ONE) == _NONE:
            continue
        while left != _NONE:
            colour = left & (~left + _ONE)
            left ^= colour
            entry = tables.colour_at[kind] + (side * tables.colours + lowest(colour)) * slots
            some = _NONE
            for slot in range(slots):
                some |= node.cells[at + slot] & tables.colour[entry + slot]
            if some != _NONE:
                shown |= colour
        if not _tell(tables, node, cell, side, shown):
            return False
    return True


@inlined
def _tell(tables: EdgeTables, node: Domains, cell: int, side: int, shown: np.uint64) -> bool:
    """Restrict the edge at a side to some colours; return False if none is left."""
    edge = tables.edge[cell, side]
    if edge >= 0:
        left = node.edges[edge] & shown
        if left != node.edges[edge]:
            node.edges[edge] = left
            mark(node.urgent, tables.near[cell, side])
            return bool(left != _NONE)
    return True


@inlined
def restrict(tables: EdgeTables, node: Domains, cell: int, tiles: np.uint64) -> bool:
    """Restrict an unassigned cell to some tiles; return False on a contradiction.

    Its domain may still contain a tile that was used a moment ago: with a twin that is free, it is not a contradiction.
    """
    at, some = tables.domain_at[cell], _NONE
    usable = tiles & node.available[tables.group[cell]]
    for slot in range(tables.slots[tables.kind[cell]]):
        node.cells[at + slot] &= usable
        some |= node.cells[at + slot]
    return some != _NONE and narrow(tables, node, cell)
