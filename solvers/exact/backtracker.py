"""`Backtracker`: cells are filled row by row with tiles that fit, by sets of tiles in 64-bit words.

This is the kind of program with which Benoist and Bourreau compare their filtering (section 6). The tiles that fit a
cell are one look-up and one intersection: `fitting[kind of cell][left colour][upper colour] & available`. A child is
entered only if some tile fits the next cell. Of identical tiles, only the lowest that is not used is available.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.bits import lowest, popcount
from puzzles import EMPTY, Hint, Puzzle
from puzzles.compiled import inlined, jit
from puzzles.hints import rotated_hint
from solvers.exact.coloured_tiles import ColouredTiles
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
from solvers.exact.row_tables import RowTables, make_row_tables

CHUNK = 4_000_000
"""The most nodes between two reports: about a tenth of a second."""
_ONE, _NONE = np.uint64(1), np.uint64(0)


class RowStack(NamedTuple):
    """Where the search stands in each cell, in row-major order."""

    left: NDArray[np.int64]
    """The colour that the cell must show on its left side."""
    up: NDArray[np.int64]
    """The colour that it must show on its upper side."""
    cand: NDArray[np.uint64]
    """The tiles of the current layer that were not tried."""
    layer: NDArray[np.int64]
    taken: NDArray[np.uint64]
    """What placing the tile changed in the available tiles."""
    laid: NDArray[np.uint16]
    available: NDArray[np.uint64]


class Backtracker(Enumerator):
    """Enumeration by row-major backtracking; the arguments are those of `Enumerator`.

    The board is turned so that its pins come early and its rows are short; solutions are turned back.
    """

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
        self._tiles.check_small("the backtracker")
        self._turns = best_turn(self._tiles)
        self._back = _cells_turned_back(puzzle, self._turns)
        self._prepare()

    def _prepare(self) -> None:
        self._tables = make_row_tables(turned_for_rows(self._tiles, self._turns), self._order)
        self._stack = self._start()

    def _start(self) -> RowStack:
        size, tables = self._puzzle.size, self._tables
        numbers, words = np.zeros((3, size + tables.cols + 1), dtype=np.int64), np.zeros((2, size), dtype=np.uint64)
        laid = np.zeros(size, dtype=np.uint16)
        stack = RowStack(numbers[0], numbers[1], words[0], numbers[2], words[1], laid, tables.available.copy())
        enter(tables, stack, 0)
        return stack

    def _visit(self, until: int) -> None:
        before, deepest = self._walk.numbers[[FOUND, DEEPEST]].tolist()
        descend(self._tables, self._stack, self._walk, *self._division, self._limit, until)
        for cells in self._walk.found[before : int(self._walk.numbers[FOUND])]:
            cells[:] = self._turned_back(cells)
        if self._walk.numbers[DEEPEST] > deepest:
            self._walk.deepest[:] = self._turned_back(self._walk.deepest)

    def _turned_back(self, cells: NDArray[np.uint16]) -> NDArray[np.uint16]:
        """Return a board in the orientation of the puzzle."""
        rotated = cells - cells % 4 + (cells % 4 - self._turns) % 4
        back: NDArray[np.uint16] = np.where(cells == EMPTY, EMPTY, rotated)[self._back].astype(np.uint16)
        return back

    def _retrace(self, path: NDArray[np.int32], depth: int) -> bool:
        self._stack = self._start()
        self._walk.numbers[DEPTH] = depth
        return depth < self._puzzle.size and retrace(self._tables, self._stack, self._walk, path, depth)

    def _current_path(self) -> NDArray[np.int32]:
        path = np.zeros_like(self._walk.path)
        trace(self._tables, self._stack, path, int(self._walk.numbers[DEPTH]))
        return path


def turned_for_rows(tiles: ColouredTiles, turns: int) -> ColouredTiles:
    """Return a puzzle and its pins after quarter turns."""
    pins = [rotated_hint(pin, *tiles.puzzle.shape, turns) for pin in tiles.pins]
    return ColouredTiles(tiles.puzzle.rotated(turns), pins)


def best_turn(tiles: ColouredTiles) -> int:
    """Return the quarter turns after which rows are short, and then the pins come early in row-major order."""

    def merit(turns: int) -> tuple[int, int]:
        cols = tiles.puzzle.shape[1 - turns % 2]
        turned = [rotated_hint(pin, *tiles.puzzle.shape, turns) for pin in tiles.pins]
        return cols, sum(pin.row * cols + pin.col for pin in turned)

    return min(range(4), key=merit)


def _cells_turned_back(puzzle: Puzzle, turns: int) -> NDArray[np.int64]:
    """Return, for each cell of the puzzle, its cell on the turned board."""
    rows, cols = puzzle.shape if turns % 2 == 0 else puzzle.shape[::-1]
    return np.rot90(np.arange(rows * cols).reshape(rows, cols), turns).ravel().copy()


@inlined
def enter(tables: RowTables, stack: RowStack, depth: int) -> None:
    """Find the candidates of the first layer of a cell, whose left and upper colours are known."""
    kind, left, up = tables.kind[depth], stack.left[depth], stack.up[depth]
    stack.cand[depth] = tables.fitting[0, kind, left, up] & stack.available[tables.group[depth]]
    stack.layer[depth] = 0


@inlined
def lay(tables: RowTables, stack: RowStack, depth: int, bit: np.uint64) -> np.int64:
    """Put a tile into a cell; return what it shows."""
    group, position = tables.group[depth], lowest(bit)
    kind, left, up, layer = tables.kind[depth], stack.left[depth], stack.up[depth], stack.layer[depth]
    shown = np.int64(tables.shown[layer, kind, left, up, position])
    stack.laid[depth] = 4 * tables.tiles[group, position] + (shown >> 12)
    stack.taken[depth] = bit | tables.twin[group, position]
    stack.available[group] ^= stack.taken[depth]
    return shown


@inlined
def pass_on(tables: RowTables, stack: RowStack, depth: int, shown: np.int64) -> None:
    """Tell the cells to the right and below which colours they must show."""
    cols = tables.cols
    stack.up[depth + cols] = (shown >> 6) & 63
    stack.left[depth + 1] = 0 if (depth + 1) % cols == 0 else shown & 63


@jit
def descend(
    tables: RowTables, stack: RowStack, walk: Walk, part: int, parts: int, split: int, limit: int, until: int
) -> None:
    """Walk until `until` nodes are done, the batch of solutions is full, or the search is over."""
    numbers, size, layers = walk.numbers, len(tables.kind), len(tables.fitting)
    cols = tables.cols
    depth, nodes, deepest = numbers[DEPTH], numbers[NODES], numbers[DEEPEST]
    while nodes < until and numbers[FOUND] < len(walk.found):
        cand = stack.cand[depth]
        group = tables.group[depth]
        if cand == _NONE:
            if stack.layer[depth] + 1 < layers:
                stack.layer[depth] += 1
                kind, left, up = tables.kind[depth], stack.left[depth], stack.up[depth]
                stack.cand[depth] = tables.fitting[stack.layer[depth], kind, left, up] & stack.available[group]
                continue
            if depth == 0:
                numbers[OVER] = EXHAUSTED
                break
            depth -= 1
            stack.available[tables.group[depth]] ^= stack.taken[depth]
            continue
        bit = cand & (~cand + _ONE)
        stack.cand[depth] = cand ^ bit
        nodes += 1
        position = lowest(bit)
        shown = np.int64(
            tables.shown[stack.layer[depth], tables.kind[depth], stack.left[depth], stack.up[depth], position]
        )
        if depth == size - 1:
            if parts > 1 and split > depth and part > 0:
                continue
            stack.laid[depth] = 4 * tables.tiles[group, position] + (shown >> 12)
            numbers[SOLUTIONS] += 1
            walk.found[numbers[FOUND]] = stack.laid
            numbers[FOUND] += 1
            if numbers[SOLUTIONS] == limit:
                numbers[OVER] = LIMITED
                break
            continue
        taken = bit | tables.twin[group, position]
        stack.available[group] ^= taken
        right, below = depth + 1, stack.up[depth + 1]
        left = shown & 63
        if cols == 1:
            below = (shown >> 6) & 63
        if right % cols == 0:
            left = 0
        kind, there = tables.kind[right], stack.available[tables.group[right]]
        if tables.any_fitting[kind, left, below] & there == _NONE:
            stack.available[group] ^= taken
            continue
        if parts > 1 and right == split:
            numbers[DEALT] += 1
            if (numbers[DEALT] - 1) % parts != part:
                stack.available[group] ^= taken
                continue
        stack.taken[depth] = taken
        stack.laid[depth] = 4 * tables.tiles[group, position] + (shown >> 12)
        stack.up[depth + cols] = (shown >> 6) & 63
        stack.left[right] = left
        stack.cand[right] = tables.fitting[0, kind, left, below] & there
        stack.layer[right] = 0
        depth = right
        if depth > deepest:
            deepest = depth
            walk.deepest[:depth] = stack.laid[:depth]
            walk.deepest[depth:] = EMPTY
    numbers[DEPTH], numbers[NODES], numbers[DEEPEST] = depth, nodes, deepest


@jit
def trace(tables: RowTables, stack: RowStack, path: NDArray[np.int32], depth: int) -> None:
    """Compute how many children of each level were entered, from the candidates that are left."""
    available = tables.available.copy()
    for level in range(depth + 1):
        kind, group = tables.kind[level], tables.group[level]
        entered = 0
        for layer in range(stack.layer[level] + 1):
            entered += popcount(tables.fitting[layer, kind, stack.left[level], stack.up[level]] & available[group])
        path[level] = entered - popcount(stack.cand[level])
        if level < depth:
            available[group] ^= stack.taken[level]


@jit
def retrace(tables: RowTables, stack: RowStack, walk: Walk, path: NDArray[np.int32], depth: int) -> bool:
    """Descend along a path from the root; return whether the tree has such a path."""
    layers = len(tables.fitting)
    for level in range(depth + 1):
        enter(tables, stack, level)
        kind, group, left, up = tables.kind[level], tables.group[level], stack.left[level], stack.up[level]
        walk.children[level] = 0
        for layer in range(layers):
            walk.children[level] += popcount(tables.fitting[layer, kind, left, up] & stack.available[group])
        if path[level] < (level < depth) or path[level] > walk.children[level]:
            return False
        bit = _NONE
        for _ in range(path[level]):
            while stack.cand[level] == _NONE:
                stack.layer[level] += 1
                stack.cand[level] = tables.fitting[stack.layer[level], kind, left, up] & stack.available[group]
            bit = stack.cand[level] & (~stack.cand[level] + _ONE)
            stack.cand[level] ^= bit
        if level < depth:
            pass_on(tables, stack, level, lay(tables, stack, level, bit))
    return True
