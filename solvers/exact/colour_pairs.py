"""`ColourPairs`: enumeration with global filtering in constant time (Benoist and Bourreau, sections 3 to 5).

What is implemented of the paper: clockwise and opposite pairs, contradiction, instantiation, preemption, the bound on
shared edges, the branching patterns 1 to 4, the five heuristics for the most urgent pair, and shaving. Conflict-based
backjumping and the cycle rule of the border are not. What the paper leaves open: a node is a tile placed by a decision;
among equal cells the lowest is chosen, not a random one; shaving is repeated until nothing changes; a cell is shaved if
one of its pairs is offered by at most `shaving` tiles.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import EMPTY, Hint, Puzzle
from puzzles.compiled import inlined, jit
from solvers.errors import SolverError
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
from solvers.exact.pair_choice import HEURISTICS, candidates, least_offer, pattern_cell, urgent_cell
from solvers.exact.pair_filtering import (
    EMPTY_CELLS,
    TRAIL,
    WORK,
    PairState,
    PairTables,
    fits,
    place,
    propagate,
    undo,
)
from solvers.exact.pair_tables import PairOptions, make_pair_state, make_pair_tables

CHUNK = 50_000
"""The most nodes between two reports: about a tenth of a second."""
_BEST = PairOptions()


class PairLevels(NamedTuple):
    """The decisions from the root to the current node."""

    cell: NDArray[np.int64]
    candidates: NDArray[np.uint16]
    mark: NDArray[np.int64]
    """Per level, the length of the trail of its node."""


class ColourPairs(Enumerator):
    """Enumeration by colour pairs; arguments other than `options` are those of `Enumerator`.

    Raises:
        SolverError: An option is out of range.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        rng: np.random.Generator,
        evaluations: int,
        *,
        options: PairOptions = _BEST,
        pins: Iterable[Hint] = (),
        limit: int = 0,
        division: Division = WHOLE,
    ) -> None:
        super().__init__(puzzle, rng, evaluations, chunk=CHUNK, pins=pins, limit=limit, division=division)
        if options.heuristic not in HEURISTICS:
            raise SolverError(f"heuristic: expected one of {', '.join(HEURISTICS)}; found {options.heuristic!r:.60}")
        if options.shaving < 0:
            raise SolverError(f"shaving: expected 0 or more; found {options.shaving}")
        self._options = options
        self._prepare()

    def _prepare(self) -> None:
        size, options = self._puzzle.size, self._options
        self._tables = make_pair_tables(self._tiles, self._order, options)
        self._state = make_pair_state(self._tiles, self._tables)
        candidates = np.zeros((size + 1, 4 * size), dtype=np.uint16)
        numbers = np.zeros((2, size + 1), dtype=np.int64)
        numbers[1, 0] = -1  # the root is not propagated yet
        self._levels = PairLevels(numbers[0], candidates, numbers[1])
        number = {int(tile): k for k, tile in enumerate(self._order)}
        cols = self._puzzle.cols
        pins = [(pin.row * cols + pin.col, 4 * number[pin.tile] + pin.rotation) for pin in self._tiles.pins]
        self._pins = np.array(pins, dtype=np.int64).reshape(len(pins), 2)

    @property
    def work(self) -> int:
        """The number of set operations made so far, which the paper claims to be constant per placed tile."""
        return int(self._state.counts[WORK])

    def _visit(self, until: int) -> None:
        before, deepest = self._walk.numbers[[FOUND, DEEPEST]].tolist()
        chosen = (HEURISTICS.index(self._options.heuristic), self._options.patterns, self._options.shaving)
        walk(
            self._tables,
            self._state,
            self._levels,
            self._walk,
            self._pins,
            *chosen,
            *self._division,
            self._limit,
            until,
        )
        for cells in self._walk.found[before : int(self._walk.numbers[FOUND])]:
            cells[:] = self._renumbered(cells)
        if self._walk.numbers[DEEPEST] > deepest:
            self._walk.deepest[:] = self._renumbered(self._walk.deepest)

    def _renumbered(self, cells: NDArray[np.uint16]) -> NDArray[np.uint16]:
        """Return a board with the puzzle's own numbers of tiles instead of the order in which they are tried."""
        tiles = self._order[np.minimum(cells >> 2, len(self._order) - 1)]
        own: NDArray[np.uint16] = np.where(cells == EMPTY, EMPTY, 4 * tiles + cells % 4).astype(np.uint16)
        return own

    def _retrace(self, path: NDArray[np.int32], depth: int) -> bool:
        work = self.work
        self._prepare()
        self._walk.numbers[DEPTH] = depth
        chosen = (HEURISTICS.index(self._options.heuristic), self._options.patterns, self._options.shaving)
        found = retrace(self._tables, self._state, self._levels, self._walk, self._pins, *chosen, path, depth)
        self._state.counts[WORK] = work
        return bool(found)


@jit
def _shave(tables: PairTables, state: PairState, limit: int, found: NDArray[np.uint16]) -> bool:
    """Try every tile of each cell with few of them: a cell with none left is a contradiction, one tile is placed."""
    again = True
    while again:
        again = False
        for cell in range(len(state.board)):
            if state.board[cell] >= 0 or state.known_count[cell] < 2 or least_offer(tables, state, cell) > limit:
                continue
            count = candidates(tables, state, cell, found)
            possible, last = 0, np.int64(-1)
            for k in range(count):
                mark, value = state.counts[TRAIL], np.int64(found[k])
                if place(tables, state, cell, value) and propagate(tables, state):
                    possible, last = possible + 1, value
                undo(tables, state, mark)
                if possible > 1:
                    break
            if possible == 0:
                return False
            if possible == 1:
                if not place(tables, state, cell, last) or not propagate(tables, state):
                    return False
                again = True
    return True


@jit
def _open(
    tables: PairTables, state: PairState, levels: PairLevels, walk: Walk, heuristic: int, patterns: bool, level: int
) -> None:
    """Choose the cell of a node, and list its children."""
    levels.mark[level] = state.counts[TRAIL]
    walk.path[level] = walk.children[level] = 0
    if state.counts[EMPTY_CELLS] == 0:
        return
    cell = pattern_cell(tables, state) if patterns else -1
    if cell < 0:
        cell = urgent_cell(tables, state, heuristic)
    levels.cell[level] = cell
    walk.children[level] = candidates(tables, state, cell, levels.candidates[level])


@jit
def _begin_root(
    tables: PairTables,
    state: PairState,
    levels: PairLevels,
    walk: Walk,
    pins: NDArray[np.int64],
    heuristic: int,
    patterns: bool,
    shaving: int,
) -> bool:
    """Place the pins, and open the root; return False if they are contradictory."""
    for k in range(len(pins)):
        cell, value = pins[k, 0], pins[k, 1]
        if state.board[cell] == value:
            continue
        if state.board[cell] >= 0 or not fits(tables, state, cell, value) or not place(tables, state, cell, value):
            return False
    if not propagate(tables, state):
        return False
    if shaving > 0 and not _shave(tables, state, shaving, levels.candidates[len(levels.cell) - 1]):
        return False
    _open(tables, state, levels, walk, heuristic, patterns, 0)
    return True


@jit
def walk(
    tables: PairTables,
    state: PairState,
    levels: PairLevels,
    walk: Walk,
    pins: NDArray[np.int64],
    heuristic: int,
    patterns: bool,
    shaving: int,
    part: int,
    parts: int,
    split: int,
    limit: int,
    until: int,
) -> None:
    """Walk until `until` nodes are done, the batch of solutions is full, or the search is over."""
    numbers = walk.numbers
    if levels.mark[0] < 0 and not _begin_root(tables, state, levels, walk, pins, heuristic, patterns, shaving):
        numbers[OVER] = EXHAUSTED
        return
    level, scratch = numbers[DEPTH], levels.candidates[len(levels.cell) - 1]
    while numbers[NODES] < until and numbers[FOUND] < len(walk.found):
        if level > numbers[DEEPEST]:
            numbers[DEEPEST] = level
            for cell in range(len(state.board)):
                walk.deepest[cell] = state.board[cell] if state.board[cell] >= 0 else EMPTY
        if state.counts[EMPTY_CELLS] == 0:
            if level >= split or part == 0:
                for cell in range(len(state.board)):
                    walk.found[numbers[FOUND], cell] = state.board[cell]
                numbers[FOUND] += 1
                numbers[SOLUTIONS] += 1
                if numbers[SOLUTIONS] == limit:
                    numbers[OVER] = LIMITED
                    break
        elif walk.path[level] < walk.children[level]:
            value = np.int64(levels.candidates[level, walk.path[level]])
            walk.path[level] += 1
            numbers[NODES] += 1
            if parts > 1 and level + 1 == split:
                numbers[DEALT] += 1
                if (numbers[DEALT] - 1) % parts != part:
                    continue
            if _enter(tables, state, levels.cell[level], value, shaving, scratch):
                level += 1
                _open(tables, state, levels, walk, heuristic, patterns, level)
            else:
                undo(tables, state, levels.mark[level])
            continue
        if level == 0:
            numbers[OVER] = EXHAUSTED
            break
        level -= 1
        undo(tables, state, levels.mark[level])
    numbers[DEPTH] = level


@inlined
def _enter(
    tables: PairTables, state: PairState, cell: int, value: np.int64, shaving: int, scratch: NDArray[np.uint16]
) -> bool:
    """Place the tile of a child, and draw all consequences; return False on a contradiction."""
    if not place(tables, state, cell, value) or not propagate(tables, state):
        return False
    return shaving == 0 or _shave(tables, state, shaving, scratch)


@jit
def retrace(
    tables: PairTables,
    state: PairState,
    levels: PairLevels,
    walk: Walk,
    pins: NDArray[np.int64],
    heuristic: int,
    patterns: bool,
    shaving: int,
    path: NDArray[np.int32],
    depth: int,
) -> bool:
    """Descend along a path from the root; return whether the tree has such a path."""
    if not _begin_root(tables, state, levels, walk, pins, heuristic, patterns, shaving):
        return False
    scratch = levels.candidates[len(levels.cell) - 1]
    for level in range(depth + 1):
        entered = path[level]
        if entered < (level < depth) or entered > walk.children[level]:
            return False
        walk.path[level] = entered
        if level < depth:
            value = np.int64(levels.candidates[level, entered - 1])
            if not _enter(tables, state, levels.cell[level], value, shaving, scratch):
                return False
            _open(tables, state, levels, walk, heuristic, patterns, level + 1)
            walk.path[level] = entered
    return True
