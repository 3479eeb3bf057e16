"""Propagation of `EdgeFiltering`: revision of all cells, and stronger rules when nothing is left to revise.

The rules, from the cheapest on:

- a tile that fits a single cell lies there (hidden single), and one that fits none is a contradiction;
- two cells with the same two tiles take them from all other cells (naked pair);
- a colour that only one and the same tile supports on both sides of an edge is impossible (domino).
"""

from __future__ import annotations

import numpy as np

from operators.bits import lowest, popcount
from puzzles.compiled import inlined, jit
from solvers.exact.edge_revision import CHANGED, FAILED, SAME, Domains, mark, restrict, revise_all, usable_tiles
from solvers.exact.edge_tables import EdgeTables

DOMINO = 8
"""The largest domain to which the domino rule is applied."""
_ONE, _NONE = np.uint64(1), np.uint64(0)


@jit
def propagate(tables: EdgeTables, node: Domains) -> bool:
    """Filter the domains of a node until nothing changes; return False on a contradiction."""
    while True:
        if not revise_all(tables, node):
            return False
        outcome = _hidden_singles(tables, node)
        if outcome == SAME:
            outcome = _naked_pairs(tables, node)
        if outcome == SAME:
            outcome = _dominoes(tables, node)
        if outcome != CHANGED:
            return outcome == SAME


@jit
def _hidden_singles(tables: EdgeTables, node: Domains) -> int:
    """Assign the tiles that fit a single cell."""
    outcome = SAME
    for group in range(len(node.available)):
        once, twice = _NONE, _NONE
        left = node.unassigned[group]
        while left != _NONE:
            tiles = node.tiles[tables.cell_of[group, lowest(left)]]
            left &= left - _ONE
            twice |= once & tiles
            once |= tiles
        if once != node.available[group]:
            return FAILED
        single, left = once & ~twice, node.unassigned[group]
        while left != _NONE and single != _NONE:
            cell = tables.cell_of[group, lowest(left)]
            left &= left - _ONE
            tiles = node.tiles[cell] & single
            if tiles != _NONE:
                if tiles & (tiles - _ONE) != _NONE or not restrict(tables, node, cell, tiles):
                    return FAILED
                single &= ~tiles
                outcome = CHANGED
    return outcome


@jit
def _naked_pairs(tables: EdgeTables, node: Domains) -> int:
    """Take the two tiles of two cells that have no others from all other cells."""
    outcome = SAME
    for group in range(len(node.available)):
        one = node.unassigned[group]
        while one != _NONE:
            place = one & (~one + _ONE)
            one ^= place
            pair = node.tiles[tables.cell_of[group, lowest(place)]]
            if popcount(pair) != 2 or not node.unassigned[group] & place:
                continue
            other = one & node.unassigned[group]
            while other != _NONE:
                partner = other & (~other + _ONE)
                other ^= partner
                if node.tiles[tables.cell_of[group, lowest(partner)]] != pair:
                    continue
                left = node.unassigned[group] & ~(place | partner)
                while left != _NONE:
                    cell = tables.cell_of[group, lowest(left)]
                    left &= left - _ONE
                    if node.tiles[cell] & pair != _NONE:
                        if not restrict(tables, node, cell, node.tiles[cell] & ~pair):
                            return FAILED
                        outcome = CHANGED
                        left &= node.unassigned[group]
                break
    return outcome


@jit
def _dominoes(tables: EdgeTables, node: Domains) -> int:
    """Remove colours of edges that only one and the same tile supports on both sides."""
    outcome = SAME
    for cell in range(len(tables.kind)):
        if node.sizes[cell] < 2 or node.sizes[cell] > DOMINO:
            continue
        for side in range(4):
            near = tables.near[cell, side]
            if near < 0 or tables.group[near] != tables.group[cell] or node.sizes[near] > DOMINO:
                continue
            edge = tables.edge[cell, side]
            left = kept = node.edges[edge]
            if (node.sizes[near] > 1 and near < cell) or left & (left - _ONE) == _NONE:
                continue
            while left != _NONE:
                colour = left & (~left + _ONE)
                left ^= colour
                here = _with_colour(tables, node, cell, side, lowest(colour))
                there = _with_colour(tables, node, near, (side + 2) & 3, lowest(colour))
                if here == _NONE or there == _NONE or (here == there and here & (here - _ONE) == _NONE):
                    kept &= ~colour
            if kept != node.edges[edge]:
                if kept == _NONE:
                    return FAILED
                node.edges[edge] = kept
                mark(node.urgent, cell)
                mark(node.urgent, near)
                outcome = CHANGED
    return outcome


@inlined
def _with_colour(tables: EdgeTables, node: Domains, cell: int, side: int, colour: int) -> np.uint64:
    """Return the tiles of a cell that can show a colour at a side."""
    at, kind = tables.domain_at[cell], tables.kind[cell]
    slots = tables.slots[kind]
    entry, some = tables.colour_at[kind] + (side * tables.colours + colour) * slots, _NONE
    for slot in range(slots):
        some |= node.cells[at + slot] & tables.colour[entry + slot]
    return some & usable_tiles(tables, node, cell)
