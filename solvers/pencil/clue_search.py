"""Is there a puzzle of a 9x9 solution grid with at most so many clues? A compiled search through hitting sets.

Clues must hit every unavoidable set. A node has some clues; a cell that is *dead* there is not a clue below it. The
known sets that no clue hits are looked at without their dead cells:

- Disjoint sets need a clue each. If there are more of them than clues left, the node is given up; if there are as
  many, all cells outside them are dead. Disjoint sets are collected from the smallest on, and then one of them is
  exchanged for two others as often as possible.
- The cells of the smallest set are tried one after another, those of most sets first. A cell that has been tried is
  dead for the others, so that no set of clues is seen twice.

If all known sets are hit, the Sudoku solver finds that the puzzle is unique, or a second solution. The cells in which
that differs contain another unavoidable set, which is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import inlined, jit
from solvers.pencil.sudoku_bands import STATE, solve_one

_HALF = 41  # a set of cells is two words, of 41 and 40 bits
_FULL = ((1 << 41) - 1, (1 << 40) - 1)
_MAX_SETS = 1024
LARGEST = 12  # cells of a set that is kept from the beginning: larger ones cost more time than they save
_KIN = 32  # sets that are considered in exchange for one
_NODES = 100_000  # between two looks at the clock
_FOUND, _NONE, _OPEN = range(3)


class _Levels(NamedTuple):
    """The nodes from the root to the current one, an entry of each array a level."""

    live: NDArray[np.int64]  # the sets that are not hit: two words without dead cells, and their size
    counts: NDArray[np.int64]  # the number of these sets
    dead: NDArray[np.int64]
    given: NDArray[np.int64]
    cells: NDArray[np.int64]  # the cells to try
    widths: NDArray[np.int64]  # the number of these cells; -1 of a node that has not been entered
    tried: NDArray[np.int64]


class _Pool(NamedTuple):
    """The grid, the known sets, and room for the solver."""

    grid: NDArray[np.int64]
    sets: NDArray[np.int64]
    numbers: NDArray[np.int64]  # of known sets; the level
    stack: NDArray[np.int64]
    solutions: NDArray[np.uint8]
    line: NDArray[np.uint8]
    room: NDArray[np.int64]
    sorted: NDArray[np.int64]


@inlined
def _size(a: Any, b: Any) -> Any:
    """Return the number of cells of a set."""
    a = a - ((a >> 1) & 0x5555555555555555)
    b = b - ((b >> 1) & 0x5555555555555555)
    a = (a & 0x3333333333333333) + ((a >> 2) & 0x3333333333333333)
    b = (b & 0x3333333333333333) + ((b >> 2) & 0x3333333333333333)
    a = ((a + (a >> 4)) & 0x0F0F0F0F0F0F0F0F) + ((b + (b >> 4)) & 0x0F0F0F0F0F0F0F0F)
    a = a + (a >> 8)
    a = a + (a >> 16)
    return (a + (a >> 32)) & 0xFF


@inlined
def _sort(live: Any, count: int, inside: Any, ends: Any, room: Any) -> bool:
    """Restrict sets to some cells and sort them by size; return False if one is empty."""
    ends[:] = 0
    for k in range(count):
        live[k, 0] &= inside[0]
        live[k, 1] &= inside[1]
        live[k, 2] = _size(live[k, 0], live[k, 1])
        ends[live[k, 2] + 1] += 1
    if ends[1]:
        return False
    for size in range(2, 82):
        ends[size] += ends[size - 1]
    for k in range(count):
        place = ends[live[k, 2]]
        ends[live[k, 2]] += 1
        room[place, 0], room[place, 1] = live[k, 0], live[k, 1]
    for k in range(count):
        live[k, 0], live[k, 1] = room[k, 0], room[k, 1]
    return True


@inlined
def _exchange(live: Any, count: int, packing: Any, packed: int, kin: Any, many: Any) -> bool:
    """Replace a set of the packing by two that meet no other set of it; return False if there are none."""
    many[:packed] = 0
    for k in range(count):
        meets, which = 0, 0
        for p in range(packed):
            if (live[k, 0] & live[packing[p], 0]) | (live[k, 1] & live[packing[p], 1]):
                meets += 1
                which = p
                if meets == 2:
                    break
        if meets == 1 and packing[which] != k and many[which] < _KIN:
            for i in range(many[which]):
                other = kin[which, i]
                if (live[k, 0] & live[other, 0]) | (live[k, 1] & live[other, 1]) == 0:
                    packing[which], packing[packed] = k, other
                    return True
            kin[which, many[which]] = k
            many[which] += 1
    return False


@jit
def _bound(live: Any, count: int, clues: int, dead: Any, pool: Any) -> bool:
    """Return whether so many clues may hit all sets of a node, as far as packings tell; exclude what they exclude."""
    ends, packing, many, inside, union = pool.room[0], pool.room[1], pool.room[2], pool.room[3], pool.room[4]
    inside[0], inside[1] = _FULL
    while _sort(live, count, inside, ends, pool.sorted):
        union[0], union[1], packed = 0, 0, 0
        for k in range(count):
            if (live[k, 0] & union[0]) | (live[k, 1] & union[1]) == 0:
                union[0] |= live[k, 0]
                union[1] |= live[k, 1]
                packing[packed] = k
                packed += 1
                if packed > clues:
                    return False
        while packed >= clues - 1 and _exchange(live, count, packing, packed, pool.room[5:], many):
            packed += 1
            if packed > clues:
                return False
        union[0], union[1] = 0, 0
        for k in range(packed):
            union[0] |= live[packing[k], 0]
            union[1] |= live[packing[k], 1]
        if packed < clues or (union[0] | dead[0] == _FULL[0] and union[1] | dead[1] == _FULL[1]):
            return True
        for half in range(2):
            inside[half] = union[half]
            dead[half] |= _FULL[half] & ~union[half]
    return False


@jit
def _order(live: Any, count: int, cells: Any, hits: Any) -> int:
    """Write the cells of the first set, those of most sets first; return their number."""
    width = 0
    for half in range(2):
        rest = live[0, half]
        while rest:
            bit = rest & -rest
            rest ^= bit
            here = 0
            for k in range(count):
                here += (live[k, half] & bit) != 0
            place = width
            while place and hits[place - 1] < here:
                hits[place], cells[place] = hits[place - 1], cells[place - 1]
                place -= 1
            hits[place], cells[place] = here, _HALF * half + _size(bit - 1, 0)
            width += 1
    return width


@jit
def _second(given: Any, members: Any, pool: Any) -> bool:
    """Write the cells in which a second solution differs; return False if there is none."""
    for k in range(81):
        pool.line[k] = pool.grid[k] if given[k // _HALF] >> (k % _HALF) & 1 else 0
    if solve_one(pool.line, 2, pool.stack, pool.solutions) < 2:
        return False
    other = 1
    for k in range(81):
        if pool.solutions[0, k] != pool.grid[k]:
            other = 0
    members[:] = 0
    for k in range(81):
        if pool.solutions[other, k] != pool.grid[k]:
            members[k // _HALF] |= np.int64(1) << (k % _HALF)
    return True


@jit
def _learn(members: Any, level: int, levels: Any, pool: Any) -> None:
    """Add a smallest unavoidable set within another one, which no clue hits, to the nodes down to a level."""
    given, smaller = pool.room[0], pool.room[1]
    for k in range(81):
        half, bit = k // _HALF, np.int64(1) << (k % _HALF)
        if members[half] & bit:
            given[0], given[1] = _FULL[0] & ~members[0], _FULL[1] & ~members[1]
            given[half] |= bit
            if _second(given, smaller, pool):
                members[0], members[1] = smaller[0], smaller[1]
    top = level
    if pool.numbers[0] < len(pool.sets):
        pool.sets[pool.numbers[0], 0], pool.sets[pool.numbers[0], 1] = members[0], members[1]
        pool.numbers[0] += 1
        top = 0
    for upper in range(top, level + 1):
        for half in range(2):
            levels.live[upper, levels.counts[upper], half] = members[half] & ~levels.dead[upper, half]
        levels.counts[upper] += 1


@jit
def _descend(level: int, levels: Any) -> None:
    """Make the node of the next cell."""
    cell = levels.cells[level, levels.tried[level]]
    levels.tried[level] += 1
    below, half, bit = level + 1, cell // _HALF, np.int64(1) << (cell % _HALF)
    count = 0
    for k in range(levels.counts[level]):
        if levels.live[level, k, half] & bit == 0:
            for side in range(2):
                levels.live[below, count, side] = levels.live[level, k, side] & ~levels.dead[level, side]
            count += 1
    for side in range(2):
        levels.given[below, side], levels.dead[below, side] = levels.given[level, side], levels.dead[level, side]
    levels.given[below, half] |= bit
    levels.counts[below], levels.widths[below] = count, -1
    levels.dead[level, half] |= bit


@jit
def _search(limit: int, levels: Any, pool: Any, nodes: int) -> int:
    """Visit nodes; return whether a puzzle was found, there is none, or the search is still open."""
    level = pool.numbers[1]
    members = np.zeros(2, dtype=np.int64)
    for _ in range(nodes):
        if level < 0:
            return _NONE
        if levels.widths[level] < 0:
            if levels.counts[level] == 0:
                if not _second(levels.given[level], members, pool):
                    pool.numbers[1] = level
                    return _FOUND
                _learn(members, level, levels, pool)
            levels.widths[level] = levels.tried[level] = 0
            live, count = levels.live[level], levels.counts[level]
            if level < limit and _bound(live, count, limit - level, levels.dead[level], pool):
                levels.widths[level] = _order(live, count, levels.cells[level], pool.room[0])
        if levels.tried[level] == levels.widths[level]:
            level -= 1
        else:
            _descend(level, levels)
            level += 1
    pool.numbers[1] = level
    return _OPEN


class ClueSearch:
    """A search for a puzzle of a filled 9x9 grid with at most so many clues."""

    def __init__(self, grid: NDArray[np.int64], sets: Iterable[Iterable[int]]) -> None:
        """Prepare the search.

        Args:
            grid: The filled grid, row by row.
            sets: Some unavoidable sets.
        """
        self._pool = _Pool(
            grid,
            np.zeros((_MAX_SETS, 2), dtype=np.int64),
            np.zeros(2, dtype=np.int64),
            np.zeros((82, STATE), dtype=np.int64),
            np.zeros((2, 81), dtype=np.uint8),
            np.zeros(81, dtype=np.uint8),
            np.zeros((5 + 81, 83), dtype=np.int64),
            np.zeros((_MAX_SETS + 1, 2), dtype=np.int64),
        )
        small = sorted({frozenset(members) for members in sets}, key=lambda members: (len(members), sorted(members)))
        small = [members for members in small if len(members) <= LARGEST][: _MAX_SETS // 2]
        for k, members in enumerate(small):
            for cell in members:
                self._pool.sets[k, cell // _HALF] |= 1 << cell % _HALF
        self._pool.numbers[0] = len(small)
        self._limit = -1

    def begin(self, limit: int) -> None:
        """Begin a search for at most `limit` clues, with all sets that are known by now."""
        shape, known = limit + 2, self._pool.numbers[0]
        self._levels = _Levels(
            np.zeros((shape, _MAX_SETS + 1, 3), dtype=np.int64),
            np.zeros(shape, dtype=np.int64),
            np.zeros((shape, 2), dtype=np.int64),
            np.zeros((shape, 2), dtype=np.int64),
            np.zeros((shape, 81), dtype=np.int64),
            np.full(shape, -1, dtype=np.int64),
            np.zeros(shape, dtype=np.int64),
        )
        self._levels.live[0, :known, :2] = self._pool.sets[:known]
        self._levels.counts[0] = known
        self._pool.numbers[1], self._limit = 0, limit

    def go_on(self) -> set[int] | bool:
        """Search a little further; return the clues that were found, True if there is more to do, or False."""
        outcome = _search(self._limit, self._levels, self._pool, _NODES)
        if outcome != _FOUND:
            return outcome == _OPEN
        words = self._levels.given[self._pool.numbers[1]].tolist()
        return {cell for cell in range(81) if words[cell // _HALF] >> cell % _HALF & 1}
