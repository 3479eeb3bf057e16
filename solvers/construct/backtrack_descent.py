"""The descent of a backtracking search, compiled: tiles are placed one after the other, and removed again.

The known colours around a cell are read from the neighbouring tiles, and each step remembers its next candidate:
nothing else has to be undone when a tile is removed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import EMPTY, GREY
from puzzles.compiled import inlined, jit
from solvers.construct.backtrack_lists import FIRST, WIDTH, Lists, StepTable
from solvers.construct.route import NONE

DEPTH, BEST, OVER, CEILING = range(4)
"""Indices of the counters: tiles placed, best score, whether and why the descent is over, most mismatches allowed."""
EXHAUSTED, SOLVED = 1, 2
"""Reasons why a descent is over."""
_ONE, _TURNS = np.uint64(1), np.uint64(2)
"""Unsigned indices: compiled code need not handle negative ones. Two bits are a rotation."""


class DescentState(NamedTuple):
    """The state of a descent; the first six arrays are indexed by the number of tiles placed."""

    at: NDArray[np.int32]
    """The next candidate."""
    end: NDArray[np.int32]
    """The end of its list."""
    row: NDArray[np.int32]
    """The list of tiles that fit."""
    missing: NDArray[np.int32]
    """Whether the list in use is the one after `row`, of tiles with one mismatch."""
    misses: NDArray[np.int32]
    """Mismatches of the tiles placed."""
    favoured: NDArray[np.int32]
    """Favoured sides of the tiles placed."""
    budget: NDArray[np.int64]
    """The most mismatches, by number of tiles placed."""
    laid: NDArray[np.uint16]
    """The oriented tile of each step; then the pinned ones, then an empty cell."""
    used: NDArray[np.bool_]
    best: NDArray[np.uint16]
    """The oriented tiles of the best board, by step."""
    numbers: NDArray[np.int64]


@jit
def descend(steps: StepTable, lists: Lists, state: DescentState, limit: int) -> int:
    """Search until `limit` tiles were placed or every board was tried; return the number of tiles placed."""
    laid, used, numbers = state.laid, state.used, state.numbers
    depth, best, last = np.uint64(numbers[DEPTH]), numbers[BEST], np.uint64(len(steps.cells))
    at, end = np.uint64(state.at[depth]), np.uint64(state.end[depth])
    put = 0
    while put < limit:
        code = np.uint64(EMPTY)
        while at < end:
            candidate = np.uint64(lists.codes[at])
            at += _ONE
            if not used[candidate >> _TURNS] and (not steps.more[depth] or _fits(steps, state, depth, candidate)):
                code = candidate
                break
        if code == np.uint64(EMPTY):
            if not state.missing[depth] and state.misses[depth] < state.budget[depth + _ONE]:
                at, end = _open_list(lists, state, depth, np.uint64(state.row[depth]), 1)
                continue
            if depth == 0:
                numbers[OVER] = EXHAUSTED
                break
            depth -= _ONE
            used[np.uint64(laid[depth]) >> _TURNS] = False
            at, end = np.uint64(state.at[depth]), np.uint64(state.end[depth])
            continue
        state.at[depth] = at
        laid[depth] = code
        used[code >> _TURNS] = True
        put += 1
        misses = state.misses[depth] + state.missing[depth]
        favoured = state.favoured[depth] + lists.favour[code]
        depth += _ONE
        state.misses[depth], state.favoured[depth] = misses, favoured
        if steps.edges[depth] - misses > best:
            best = steps.edges[depth] - misses
            _remember(state, depth)
        if depth < last:
            at, end = _open_list(lists, state, depth, _row(steps, state, depth), 0)
        else:
            _finish(steps, state)
            at = end = np.uint64(0)
            if numbers[OVER]:
                break
    state.at[depth] = at
    numbers[DEPTH], numbers[BEST] = depth, best
    return put


@inlined
def _row(steps: StepTable, state: DescentState, depth: np.uint64) -> np.uint64:
    """Return the list for the colours around a cell."""
    near, other = np.uint64(state.laid[steps.near[depth]]), np.uint64(state.laid[steps.other[depth]])
    first = np.uint64(steps.sides[(near << _TURNS) + steps.near_side[depth]])
    second = np.uint64(steps.sides[(other << _TURNS) + steps.other_side[depth]])
    return np.uint64((steps.base[depth] + first * steps.stride[depth] + second) << _ONE)


@inlined
def _open_list(
    lists: Lists, state: DescentState, depth: np.uint64, row: np.uint64, missing: int
) -> tuple[np.uint64, np.uint64]:
    """Begin a list of candidates, and return its range; its end depends on how many favoured sides are needed."""
    needed = np.uint64(min(max(lists.quota[depth + _ONE] - state.favoured[depth], 0), FIRST))
    place = (row + np.uint64(missing)) * np.uint64(WIDTH)
    at, end = np.uint64(lists.ends[place + np.uint64(FIRST)]), np.uint64(lists.ends[place + needed])
    state.row[depth], state.missing[depth], state.end[depth] = row, missing, end
    return at, end


@inlined
def _fits(steps: StepTable, state: DescentState, depth: np.uint64, code: np.uint64) -> bool:
    """Return whether the mismatches of a tile on all known sides are as many as its list implies."""
    misses = 0
    for side in range(4):
        near = steps.around[depth, side]
        if near != NONE:
            here, there = steps.sides[4 * int(code) + side], steps.sides[4 * int(state.laid[near]) + ((side + 2) & 3)]
            if here != there or here == GREY:
                misses += 1
                if steps.is_border[here] or steps.is_border[there]:
                    return False
    return bool(misses == state.missing[depth])


@inlined
def _remember(state: DescentState, depth: np.uint64) -> None:
    """Store the board as the best so far."""
    for step in range(len(state.best)):
        state.best[step] = state.laid[step] if step < depth else EMPTY


@inlined
def _finish(steps: StepTable, state: DescentState) -> None:
    """Handle a complete board: from now on, only boards with fewer mismatches are searched for."""
    last = len(steps.cells)
    ceiling = state.misses[last] - 1
    state.numbers[CEILING] = ceiling
    if ceiling < 0:
        state.numbers[OVER] = SOLVED
    state.end[last], state.missing[last] = 0, 1  # an empty list, and no other to open
    for depth in range(last):
        state.budget[depth + 1] = min(state.budget[depth + 1], ceiling)
        if state.misses[depth] + state.missing[depth] > ceiling:
            state.end[depth] = state.at[depth]


@jit
def begin(steps: StepTable, lists: Lists, state: DescentState, favoured: int) -> None:
    """Remove all tiles and open the first list; `favoured` is the number of favoured sides of the pinned tiles."""
    for depth in range(state.numbers[DEPTH]):
        state.used[state.laid[depth] >> 2] = False
    state.numbers[DEPTH], state.numbers[OVER] = 0, 0
    state.misses[0], state.favoured[0] = 0, favoured
    first = np.uint64(0)
    state.at[0], _ = _open_list(lists, state, first, _row(steps, state, first), 0)
