"""`EdgeFiltering`: search with arc consistency on the colours of edges, on bit sets.

Benoist and Bourreau found that rich filtering on edge colours needs far fewer nodes than their colour pairs (section
6.3), but was slow in a general solver. With bit sets it takes a few microseconds a node. The next cell is the one with
the fewest tiles per colour that is open at its sides; a side on the rim counts as many open colours, so that the frame
is filled first, unless its colours are few.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.bits import lowest, popcount
from puzzles import EMPTY, Hint, Puzzle
from puzzles.compiled import inlined, jit
from solvers.exact.edge_propagation import propagate
from solvers.exact.edge_revision import Domains, narrow, restrict
from solvers.exact.edge_tables import EdgeTables, Roots, make_edge_tables
from solvers.exact.enumerator import (
    DEALT,
    DEEPEST,
    DEPTH,
    EXHAUSTED,
    FOUND,
    LIMITED,
    NODES,
    OVER,
    SOLUTIONS,
    WHOLE,
    Division,
    Enumerator,
    Walk,
)

CHUNK = 10_000
"""The most nodes between two reports: about a tenth of a second."""
_ONE, _NONE = np.uint64(1), np.uint64(0)
_NOT_BEGUN, _SOLVED = -1, -2


class Levels(NamedTuple):
    """The nodes from the root to the current one, a row each, and the children of each that are left."""

    cells: NDArray[np.uint64]
    tiles: NDArray[np.uint64]
    edges: NDArray[np.uint64]
    sizes: NDArray[np.int64]
    unassigned: NDArray[np.uint64]
    available: NDArray[np.uint64]
    removed: NDArray[np.uint64]
    urgent: NDArray[np.uint64]
    later: NDArray[np.uint64]
    branch: NDArray[np.int64]
    """The cell whose tiles the children of a node place."""
    left: NDArray[np.uint64]
    """The oriented tiles of that cell that were not tried, as the words of a domain."""


class EdgeFiltering(Enumerator):
    """Enumeration with arc consistency on edge colours; the arguments are those of `Enumerator`."""

    def __init__(
        self,
        puzzle: Puzzle,
        rng: np.random.Generator,
        evaluations: int,
        *,
        pins: Iterable[Hint] = (),
        limit: int = 0,
        division: Division = WHOLE,
    ) -> None:
        super().__init__(puzzle, rng, evaluations, chunk=CHUNK, pins=pins, limit=limit, division=division)
        self._tiles.check_small("edge filtering")
        self._prepare()

    def _prepare(self) -> None:
        self._tables, self._roots = make_edge_tables(self._tiles, self._order)
        self._levels = _make_levels(self._puzzle.size, self._roots)

    def _visit(self, until: int) -> None:
        walk(self._tables, self._levels, self._walk, *self._division, self._limit, until)

    def _retrace(self, path: NDArray[np.int32], depth: int) -> bool:
        self._walk.numbers[DEPTH] = depth
        self._levels = _make_levels(self._puzzle.size, self._roots)  # the root's domains were filtered in place
        return retrace(self._tables, self._levels, self._walk, path, depth)


def _make_levels(cells: int, roots: Roots) -> Levels:
    def rows(*like: NDArray[np.uint64]) -> list[NDArray[np.uint64]]:
        return [np.zeros((cells + 2, len(one)), dtype=np.uint64) for one in like]

    words, tiles = np.zeros((cells + 63) // 64, dtype=np.uint64), np.zeros(cells, dtype=np.uint64)
    sizes = np.zeros((cells + 2, cells), dtype=np.int64)
    domains, of_tiles, edges = rows(roots.domains, tiles, roots.edges)
    unassigned, available, removed = rows(roots.unassigned, roots.available, roots.available)
    urgent, later = rows(words, words)
    domains[0], edges[0], unassigned[0], available[0] = roots.domains, roots.edges, roots.unassigned, roots.available
    branch = np.full(cells + 2, _NOT_BEGUN, dtype=np.int64)
    left = np.zeros((cells + 2, 4), dtype=np.uint64)
    return Levels(domains, of_tiles, edges, sizes, unassigned, available, removed, urgent, later, branch, left)


@jit  # not inlined: it makes views of arrays, whose references must be counted
def _node(levels: Levels, level: int) -> Domains:
    return Domains(
        levels.cells[level],
        levels.tiles[level],
        levels.edges[level],
        levels.sizes[level],
        levels.unassigned[level],
        levels.available[level],
        levels.removed[level],
        levels.urgent[level],
        levels.later[level],
    )


@inlined
def _copy_words(rows: NDArray[np.uint64], level: int) -> None:
    for k in range(rows.shape[1]):
        rows[level + 1, k] = rows[level, k]


@inlined
def _copy(levels: Levels, level: int) -> None:
    """Make the next level a copy of a level that was propagated, so that its sets of cells to revise are empty."""
    _copy_words(levels.cells, level)
    _copy_words(levels.tiles, level)
    _copy_words(levels.edges, level)
    _copy_words(levels.unassigned, level)
    _copy_words(levels.available, level)
    for k in range(levels.sizes.shape[1]):
        levels.sizes[level + 1, k] = levels.sizes[level, k]
    levels.removed[level + 1, :] = _NONE
    levels.urgent[level + 1, :] = _NONE
    levels.later[level + 1, :] = _NONE


@inlined
def _choose(tables: EdgeTables, levels: Levels, level: int) -> int:
    """Return the open cell with the fewest oriented tiles per open colour; `_SOLVED` if there is none."""
    best, best_size, best_open = _SOLVED, 1, 0
    for cell in range(len(tables.kind)):
        size = levels.sizes[level, cell]
        if size < 2:
            continue
        colours = 0
        for side in range(4):
            edge = tables.edge[cell, side]
            colours += tables.rim if edge < 0 else popcount(levels.edges[level, edge])
        if best == _SOLVED or size * best_open < best_size * colours:
            best, best_size, best_open = cell, size, colours
    return best


@inlined
def _open(tables: EdgeTables, levels: Levels, walk: Walk, level: int) -> None:
    """Choose the cell of a propagated node, and list its children: of identical tiles only the first."""
    cell = _choose(tables, levels, level)
    levels.branch[level] = cell
    walk.path[level] = 0
    walk.children[level] = 0
    if cell == _SOLVED:
        return
    at, kind, group = tables.domain_at[cell], tables.kind[cell], tables.group[cell]
    allowed = levels.tiles[level, cell]
    if levels.unassigned[level, group] >> np.uint64(tables.place[cell]) & _ONE:
        allowed &= levels.available[level, group]
    first, rest = _NONE, allowed
    while rest != _NONE:
        first |= rest & (~rest + _ONE)
        rest &= ~tables.twins[group, lowest(rest)]
    for slot in range(tables.slots[kind]):
        levels.left[level, slot] = levels.cells[level, at + slot] & first
        walk.children[level] += popcount(levels.left[level, slot])


@inlined
def _next_child(tables: EdgeTables, levels: Levels, walk: Walk, level: int) -> bool:
    """Place the next tile on the next level, without propagation; return False if the node has no more children."""
    cell = levels.branch[level]
    if walk.path[level] >= walk.children[level]:
        return False
    slot = 0
    while levels.left[level, slot] == _NONE:
        slot += 1
    tile = levels.left[level, slot] & (~levels.left[level, slot] + _ONE)
    levels.left[level, slot] ^= tile
    walk.path[level] += 1
    _copy(levels, level)
    at, slots = tables.domain_at[cell], tables.slots[tables.kind[cell]]
    for other in range(slots):
        levels.cells[level + 1, at + other] = _NONE
    levels.cells[level + 1, at + slot] = tile
    return True


@inlined
def _board(tables: EdgeTables, levels: Levels, level: int, board: NDArray[np.uint16]) -> None:
    """Write the tiles that are certain at a level to a board."""
    for cell in range(len(tables.kind)):
        board[cell] = EMPTY
        if levels.sizes[level, cell] == 1:
            at, kind = tables.domain_at[cell], tables.kind[cell]
            for slot in range(tables.slots[kind]):
                word = levels.cells[level, at + slot]
                if word != _NONE:
                    board[cell] = tables.values[kind, slot, lowest(word)]


@jit
def _enter(tables: EdgeTables, levels: Levels, walk: Walk, level: int) -> bool:
    """Propagate a node, and find its children; return False if it is contradictory."""
    node = _node(levels, level)
    if level > 0:
        if not narrow(tables, node, levels.branch[level - 1]):
            return False
    else:
        for cell in range(len(tables.kind)):
            if not restrict(tables, node, cell, ~_NONE):
                return False
    if not propagate(tables, node):
        return False
    _open(tables, levels, walk, level)
    return True


@jit
def walk(
    tables: EdgeTables, levels: Levels, walk: Walk, part: int, parts: int, split: int, limit: int, until: int
) -> None:
    """Walk until `until` nodes are done, the batch of solutions is full, or the search is over."""
    numbers = walk.numbers
    if levels.branch[0] == _NOT_BEGUN and not _enter(tables, levels, walk, 0):
        numbers[OVER] = EXHAUSTED
        return
    level = numbers[DEPTH]
    while numbers[NODES] < until and numbers[FOUND] < len(walk.found):
        if level > numbers[DEEPEST]:
            numbers[DEEPEST] = level
            _board(tables, levels, level, walk.deepest)
        if levels.branch[level] == _SOLVED:
            levels.branch[level] = _NOT_BEGUN
            if level >= split or part == 0:
                _board(tables, levels, level, walk.found[numbers[FOUND]])
                numbers[FOUND] += 1
                numbers[SOLUTIONS] += 1
                if numbers[SOLUTIONS] == limit:
                    numbers[OVER] = LIMITED
                    break
        elif _next_child(tables, levels, walk, level):
            numbers[NODES] += 1
            if parts > 1 and level + 1 == split:
                numbers[DEALT] += 1
                if (numbers[DEALT] - 1) % parts != part:
                    continue
            if _enter(tables, levels, walk, level + 1):
                level += 1
            continue
        if level == 0:
            numbers[OVER] = EXHAUSTED
            break
        level -= 1
    numbers[DEPTH] = level


@jit
def retrace(tables: EdgeTables, levels: Levels, walk: Walk, path: NDArray[np.int32], depth: int) -> bool:
    """Descend along a path from the root; return whether the tree has such a path."""
    if not _enter(tables, levels, walk, 0):
        return False
    for level in range(depth + 1):
        entered = path[level]
        if entered < (level < depth) or entered > walk.children[level]:
            return False
        for _ in range(entered):
            _next_child(tables, levels, walk, level)
        if level < depth and not _enter(tables, levels, walk, level + 1):
            return False
    return True
