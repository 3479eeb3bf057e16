"""The walk of `ColourPairs` through its tree: shaving, the choice of a cell, and where a failure leads."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import EMPTY
from puzzles.compiled import inlined, jit
from solvers.exact.enumerator import DEALT, DEEPEST, DEPTH, EXHAUSTED, FOUND, LIMITED, NODES, OVER, SOLUTIONS, Walk
from solvers.exact.pair_choice import candidates, least_offer, pattern_cell, urgent_cell
from solvers.exact.pair_filtering import place, propagate, undo
from solvers.exact.pair_reasons import clear, conclude, decide, explain_choice, forget_level, last_before
from solvers.exact.pair_state import EMPTY_CELLS, TRAIL, PairState, PairTables, fits


class PairLevels(NamedTuple):
    """The decisions from the root to the current node."""

    cell: NDArray[np.int64]
    candidates: NDArray[np.uint16]
    mark: NDArray[np.int64]
    """Per level, the length of the trail of its node."""
    failed: NDArray[np.uint64]
    """Per level, why the children that were entered have no solutions: earlier decisions, as a set. A child with a
    solution counts as one that every earlier decision explains, so that no other solution is jumped over."""
    gathered: NDArray[np.uint64]
    """Why the tiles of a cell that is being shaved fail."""


class Choices(NamedTuple):
    """How a node is chosen and filtered: numbers of `PairOptions`."""

    heuristic: int
    patterns: bool
    shaving: int


@jit
def _shave(tables: PairTables, state: PairState, levels: PairLevels, limit: int) -> bool:
    """Try every tile of each cell with few of them: a cell with none left is a contradiction, one tile is placed."""
    again, found, gathered = True, levels.candidates[len(levels.cell) - 1], levels.gathered
    trial = len(state.board)  # the level of a trial, after all others
    while again:
        again = False
        for cell in range(len(state.board)):
            if state.board[cell] >= 0 or state.known_count[cell] < 2 or least_offer(tables, state, cell) > limit:
                continue
            count = candidates(tables, state, cell, found)
            possible, last = 0, np.int64(-1)
            clear(gathered)
            for k in range(count):
                mark, value = state.counts[TRAIL], np.int64(found[k])
                decide(state, cell, trial)
                if place(tables, state, cell, value) and propagate(tables, state):
                    possible, last = possible + 1, value
                else:
                    for word in range(len(gathered)):
                        gathered[word] |= state.reason[word]
                undo(tables, state, mark)
                if possible > 1:
                    break
            if possible > 1:
                continue
            if tables.backjumping:
                forget_level(gathered, trial)
                for word in range(len(gathered)):
                    state.reason[word] = gathered[word]
                explain_choice(tables, state, cell)
                conclude(state, cell)
            if possible == 0:
                return False
            if not place(tables, state, cell, last) or not propagate(tables, state):
                return False
            again = True
    return True


@jit
def _open(tables: PairTables, state: PairState, levels: PairLevels, walk: Walk, choices: Choices, level: int) -> None:
    """Choose the cell of a node, and list its children."""
    levels.mark[level] = state.counts[TRAIL]
    walk.path[level] = walk.children[level] = 0
    if state.counts[EMPTY_CELLS] == 0:
        return
    cell = pattern_cell(tables, state) if choices.patterns else -1
    if cell < 0:
        cell = urgent_cell(tables, state, choices.heuristic)
    levels.cell[level] = cell
    walk.children[level] = candidates(tables, state, cell, levels.candidates[level])


@jit
def _begin_root(
    tables: PairTables, state: PairState, levels: PairLevels, walk: Walk, pins: NDArray[np.int64], choices: Choices
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
    if choices.shaving > 0 and not _shave(tables, state, levels, choices.shaving):
        return False
    _open(tables, state, levels, walk, choices, 0)
    return True


@jit
def walk(
    tables: PairTables,
    state: PairState,
    levels: PairLevels,
    walk: Walk,
    pins: NDArray[np.int64],
    choices: Choices,
    part: int,
    parts: int,
    split: int,
    limit: int,
    until: int,
) -> None:
    """Walk until `until` nodes are done, the batch of solutions is full, or the search is over."""
    numbers = walk.numbers
    if levels.mark[0] < 0 and not _begin_root(tables, state, levels, walk, pins, choices):
        numbers[OVER] = EXHAUSTED
        return
    level, common = numbers[DEPTH], split - 1 if parts > 1 else -1
    while numbers[NODES] < until and numbers[FOUND] < len(walk.found):
        if level > numbers[DEEPEST]:
            numbers[DEEPEST] = level
            for cell in range(len(state.board)):
                walk.deepest[cell] = state.board[cell] if state.board[cell] >= 0 else EMPTY
        if state.counts[EMPTY_CELLS] == 0:
            _blame_all_before(levels, level)
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
            if _enter(tables, state, levels, level, value, choices.shaving):
                level += 1
                clear(levels.failed[level])
                _open(tables, state, levels, walk, choices, level)
            else:
                undo(tables, state, levels.mark[level])
                _blame(levels, level, state.reason)
            continue
        before = _return_from(tables, state, levels, level, common)
        if before < 0:
            numbers[OVER], level = EXHAUSTED, 0
            break
        level = before
        undo(tables, state, levels.mark[level])
    numbers[DEPTH] = level


@inlined
def _blame(levels: PairLevels, level: int, reason: NDArray[np.uint64]) -> None:
    """Add the reason for the failure of a child to those of its node; the decision for the child is none of them."""
    for word in range(len(reason)):
        levels.failed[level, word] |= reason[word]
    forget_level(levels.failed[level], level)


@inlined
def _blame_all_before(levels: PairLevels, level: int) -> None:
    """Let every decision before a level be a reason for its failure."""
    for before in range(level):
        levels.failed[level, before >> 6] |= np.uint64(1) << np.uint64(before & 63)


@inlined
def _return_from(tables: PairTables, state: PairState, levels: PairLevels, level: int, common: int) -> int:
    """Return the level at which the walk goes on when a node is exhausted; -1 if the tree is.

    Without backjumping it is the level before. The levels that all parts of a divided tree walk are never jumped over,
    because each part must deal the same nodes.
    """
    if not tables.backjumping or level <= common:
        return level - 1
    if state.counts[EMPTY_CELLS] > 0:
        clear(state.reason)
        explain_choice(tables, state, levels.cell[level])
        _blame(levels, level, state.reason)
    before = max(last_before(levels.failed[level], level), common)
    if before >= 0:
        _blame(levels, before, levels.failed[level])
    return before


@inlined
def _enter(tables: PairTables, state: PairState, levels: PairLevels, level: int, value: np.int64, shaving: int) -> bool:
    """Place the tile of a child, and draw all consequences; return False on a contradiction."""
    cell = levels.cell[level]
    decide(state, cell, level)
    if not place(tables, state, cell, value) or not propagate(tables, state):
        return False
    return shaving == 0 or _shave(tables, state, levels, shaving)


@jit
def retrace(
    tables: PairTables,
    state: PairState,
    levels: PairLevels,
    walk: Walk,
    pins: NDArray[np.int64],
    choices: Choices,
    path: NDArray[np.int32],
    depth: int,
) -> bool:
    """Descend along a path from the root; return whether the tree has such a path."""
    if not _begin_root(tables, state, levels, walk, pins, choices):
        return False
    for level in range(depth + 1):
        entered = path[level]
        if entered < (level < depth) or entered > walk.children[level]:
            return False
        walk.path[level] = entered
        if level < depth:
            value = np.int64(levels.candidates[level, entered - 1])
            if not _enter(tables, state, levels, level, value, choices.shaving):
                return False
            _open(tables, state, levels, walk, choices, level + 1)
            walk.path[level] = entered
    return True
