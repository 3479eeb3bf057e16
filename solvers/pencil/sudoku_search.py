"""A compiled exact solver of Sudoku with boxes of any shape: singles, then the cell with the fewest numbers.

It works in chunks, so that a time limit and Ctrl-C take effect. For 9x9, `solvers.pencil.sudoku_bands` is faster.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import inlined, jit
from puzzles.pencil import Sudoku
from puzzles.pencil.rules import Grid
from puzzles.pencil.sudoku import units

_CHUNK = 20_000  # nodes between two looks at the clock


@inlined
def _ones(x: Any) -> Any:
    x = x - ((x >> 1) & 0x55555555)
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F
    return ((x * 0x01010101) & 0xFFFFFFFF) >> 24


@inlined
def _fill(cells: Any, done: Any, peers: Any, cell: Any, bit: Any) -> Any:
    """Put a number into a cell; return False if a cell that sees it has no number left."""
    cells[cell] = bit
    done[cell] = 1
    good = True
    for near in peers[cell]:
        cells[near] &= ~bit
        good = good and cells[near] != 0
    return good


@jit
def _deduce(cells: Any, done: Any, units: Any, peers: Any) -> bool:
    """Fill naked and hidden singles until there are none; return False at a contradiction."""
    full = (np.int64(1) << units.shape[1]) - 1
    changed = True
    while changed:
        changed = False
        for cell in range(len(cells)):
            if not done[cell] and cells[cell] & (cells[cell] - 1) == 0:
                if cells[cell] == 0 or not _fill(cells, done, peers, cell, cells[cell]):
                    return False
                changed = True
        for unit in units:
            once, twice = np.int64(0), np.int64(0)
            for cell in unit:
                twice |= once & cells[cell]
                once |= cells[cell]
            if once != full:
                return False
            hidden = once & ~twice
            for cell in unit:
                here = cells[cell] & hidden
                if here and not done[cell]:
                    if here & (here - 1) != 0 or not _fill(cells, done, peers, cell, here):
                        return False
                    changed = True
    return True


@jit
def _search(stack: Any, done: Any, units: Any, peers: Any, depth: int, nodes: int) -> tuple[int, bool]:
    """Search until a solution lies at the depth that is returned, or nodes are spent; a depth of -1 is the end."""
    while depth >= 0:
        if nodes == 0:
            return depth, False
        nodes -= 1
        cells = stack[depth]
        if not _deduce(cells, done[depth], units, peers):
            depth -= 1
            continue
        best, chosen = 100, -1
        for cell in range(len(cells)):
            if not done[depth, cell]:
                count = _ones(cells[cell])
                if count < best:
                    best, chosen = count, cell
        if chosen < 0:
            return depth, True
        bit = cells[chosen] & -cells[chosen]
        stack[depth + 1] = cells
        done[depth + 1] = done[depth]
        cells[chosen] ^= bit  # excluded here for later
        depth += 1
        stack[depth, chosen] = bit
    return depth, False


def solutions(puzzle: Sudoku) -> Iterator[Grid | None]:
    """Yield all solutions, each once, and None now and then while there is nothing new."""
    side = puzzle.side
    stack = np.zeros((side * side + 1, side * side), dtype=np.int64)
    done = np.zeros(stack.shape, dtype=np.uint8)
    lines, peers = _geometry(side, puzzle.box)
    stack[0] = [1 << number - 1 if number else (1 << side) - 1 for row in puzzle.clues for number in row]
    depth = 0
    while depth >= 0:
        depth, solved = _search(stack, done, lines, peers, depth, _CHUNK)
        if solved:
            numbers = [int(bit).bit_length() for bit in stack[depth]]
            yield tuple(tuple(numbers[i * side : (i + 1) * side]) for i in range(side))
            depth -= 1
        elif depth >= 0:
            yield None


@cache
def _geometry(side: int, box: tuple[int, int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the cells of all units, and the cells that each cell sees."""
    lines = [[i * side + j for i, j in cells] for _, cells in units(side, box)]
    peers = [sorted({other for line in lines if cell in line for other in line} - {cell}) for cell in range(side**2)]
    return np.array(lines), np.array(peers)
