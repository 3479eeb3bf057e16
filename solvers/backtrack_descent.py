"""The descent of a backtracking search, compiled: one tile put after the other, and taken away again.

What is known of a cell is read from the tiles that lie around it, and the list of candidates at each step remembers
how far it was tried: nothing else has to be undone when a tile is taken away.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import EMPTY, GREY
from puzzles.compiled import inlined, jit
from solvers.backtrack_lists import FIRST, WIDTH, Lists, Plan
from solvers.beam_route import NONE

DEPTH, BEST, OVER, CEILING = range(4)
"""Numbers of a descent: tiles put, best score, whether it is over and why, the most mismatches a board may have."""
EXHAUSTED, SOLVED = 1, 2
"""Why a descent is over."""
_ONE, _TURNS = np.uint64(1), np.uint64(2)
"""Indices without a sign: compiled code need not look whether they count from the end. Two bits are a rotation."""


class Stand(NamedTuple):
    """Where a search stands; the first six are by number of tiles put."""

    at: NDArray[np.int32]
    """The next candidate."""
    end: NDArray[np.int32]
    """The end of its list."""
    row: NDArray[np.int32]
    """The list of tiles that fit."""
    missing: NDArray[np.int32]
    """Whether the list in use is the one after it, of tiles that miss one side."""
    misses: NDArray[np.int32]
    """Mismatches of what lies."""
    favoured: NDArray[np.int32]
    """Favoured sides of what lies."""
    budget: NDArray[np.int64]
    """By number of tiles put: the most mismatches."""
    laid: NDArray[np.uint16]
    """The oriented tile of each step; then the pinned ones, then an empty cell."""
    used: NDArray[np.bool_]
    best: NDArray[np.uint16]
    """The oriented tiles of the best board, by step."""
    numbers: NDArray[np.int64]


@jit
def descend(plan: Plan, lists: Lists, stand: Stand, limit: int) -> int:
    """Go on until `limit` tiles were put or all was tried; returns how many were put."""
    laid, used, numbers = stand.laid, stand.used, stand.numbers
    depth, best, last = np.uint64(numbers[DEPTH]), numbers[BEST], np.uint64(len(plan.cells))
    at, end = np.uint64(stand.at[depth]), np.uint64(stand.end[depth])
    put = 0
    while put < limit:
        code = np.uint64(EMPTY)
        while at < end:
            candidate = np.uint64(lists.codes[at])
            at += _ONE
            if not used[candidate >> _TURNS] and (not plan.more[depth] or _fits(plan, stand, depth, candidate)):
                code = candidate
                break
        if code == np.uint64(EMPTY):
            if not stand.missing[depth] and stand.misses[depth] < stand.budget[depth + _ONE]:
                at, end = _open_list(lists, stand, depth, np.uint64(stand.row[depth]), 1)
                continue
            if depth == 0:
                numbers[OVER] = EXHAUSTED
                break
            depth -= _ONE
            used[np.uint64(laid[depth]) >> _TURNS] = False
            at, end = np.uint64(stand.at[depth]), np.uint64(stand.end[depth])
            continue
        stand.at[depth] = at
        laid[depth] = code
        used[code >> _TURNS] = True
        put += 1
        misses = stand.misses[depth] + stand.missing[depth]
        favoured = stand.favoured[depth] + lists.favour[code]
        depth += _ONE
        stand.misses[depth], stand.favoured[depth] = misses, favoured
        if plan.edges[depth] - misses > best:
            best = plan.edges[depth] - misses
            _remember(stand, depth)
        if depth < last:
            at, end = _open_list(lists, stand, depth, _row(plan, stand, depth), 0)
        else:
            _finish(plan, stand)
            at = end = np.uint64(0)
            if numbers[OVER]:
                break
    stand.at[depth] = at
    numbers[DEPTH], numbers[BEST] = depth, best
    return put


@inlined
def _row(plan: Plan, stand: Stand, depth: np.uint64) -> np.uint64:
    """Which list the colours around a cell find."""
    near, other = np.uint64(stand.laid[plan.near[depth]]), np.uint64(stand.laid[plan.other[depth]])
    first = np.uint64(plan.sides[(near << _TURNS) + plan.near_side[depth]])
    second = np.uint64(plan.sides[(other << _TURNS) + plan.other_side[depth]])
    return np.uint64((plan.base[depth] + first * plan.stride[depth] + second) << _ONE)


@inlined
def _open_list(
    lists: Lists, stand: Stand, depth: np.uint64, row: np.uint64, missing: int
) -> tuple[np.uint64, np.uint64]:
    """Begin a list of candidates; where it ends follows from how many favoured sides are needed."""
    needed = np.uint64(min(max(lists.quota[depth + _ONE] - stand.favoured[depth], 0), FIRST))
    place = (row + np.uint64(missing)) * np.uint64(WIDTH)
    at, end = np.uint64(lists.ends[place + np.uint64(FIRST)]), np.uint64(lists.ends[place + needed])
    stand.row[depth], stand.missing[depth], stand.end[depth] = row, missing, end
    return at, end


@inlined
def _fits(plan: Plan, stand: Stand, depth: np.uint64, code: np.uint64) -> bool:
    """Whether a tile misses just as many of all known sides as the tiles of this list should."""
    misses = 0
    for side in range(4):
        near = plan.around[depth, side]
        if near != NONE:
            here, there = plan.sides[4 * int(code) + side], plan.sides[4 * int(stand.laid[near]) + ((side + 2) & 3)]
            if here != there or here == GREY:
                misses += 1
                if plan.is_border[here] or plan.is_border[there]:
                    return False
    return bool(misses == stand.missing[depth])


@inlined
def _remember(stand: Stand, depth: np.uint64) -> None:
    """The board is the best so far."""
    for step in range(len(stand.best)):
        stand.best[step] = stand.laid[step] if step < depth else EMPTY


@inlined
def _finish(plan: Plan, stand: Stand) -> None:
    """The board is full: from now on only boards with fewer mismatches count."""
    last = len(plan.cells)
    ceiling = stand.misses[last] - 1
    stand.numbers[CEILING] = ceiling
    if ceiling < 0:
        stand.numbers[OVER] = SOLVED
    stand.end[last], stand.missing[last] = 0, 1  # an empty list, and no other to open
    for depth in range(last):
        stand.budget[depth + 1] = min(stand.budget[depth + 1], ceiling)
        if stand.misses[depth] + stand.missing[depth] > ceiling:
            stand.end[depth] = stand.at[depth]


@jit
def begin(plan: Plan, lists: Lists, stand: Stand, favoured: int) -> None:
    """Take all tiles away, and open the first list; the pinned tiles have some favoured sides."""
    for depth in range(stand.numbers[DEPTH]):
        stand.used[stand.laid[depth] >> 2] = False
    stand.numbers[DEPTH], stand.numbers[OVER] = 0, 0
    stand.misses[0], stand.favoured[0] = 0, favoured
    first = np.uint64(0)
    stand.at[0], _ = _open_list(lists, stand, first, _row(plan, stand, first), 0)
