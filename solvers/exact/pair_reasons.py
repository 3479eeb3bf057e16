"""Reasons of `ColourPairs`: which decisions explain a contradiction or a tile that was placed without a decision (5.2).

A reason is a set of decisions, by their levels, as bits: whatever else is decided, what follows from these decisions
remains. A cell that was filled by a decision is explained by it; one that was filled by filtering, by the reasons of
the cells that imply it. Reasons speak of the colours that cells show, so that they hold whichever of several identical
tiles lies there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.bits import lowest
from puzzles.compiled import inlined, uncounted
from solvers.exact.pair_state import NOT_PREEMPTED, PAIRS, PairState, PairTables, cell_pair, fits

_ONE, _NONE = np.uint64(1), np.uint64(0)


@inlined
def clear(reason: NDArray[np.uint64]) -> None:
    """Make a reason empty."""
    for word in range(len(reason)):
        reason[word] = _NONE


@inlined
def decide(state: PairState, cell: int, level: int) -> None:
    """Let the reason for a cell be the decision of a level."""
    for word in range(len(state.reason)):
        state.because[cell, word] = _NONE
    state.because[cell, level >> 6] = _ONE << np.uint64(level & 63)


@inlined
def conclude(state: PairState, cell: int) -> None:
    """Let the reason for a cell be the one that was computed last."""
    for word in range(len(state.reason)):
        state.because[cell, word] = state.reason[word]


@inlined
def forget_level(reason: NDArray[np.uint64], level: int) -> None:
    """Remove a decision from a reason."""
    reason[level >> 6] &= ~(_ONE << np.uint64(level & 63))


@inlined
def last_before(reason: NDArray[np.uint64], level: int) -> int:
    """Return the last decision of a reason before a level; -1 if there is none."""
    for before in range(level - 1, -1, -1):
        if reason[before >> 6] >> np.uint64(before & 63) & _ONE:
            return before
    return -1


@inlined
def blame_cell(state: PairState, cell: int) -> None:
    """Add the reason for a cell to the current reason."""
    for word in range(len(state.reason)):
        state.reason[word] |= state.because[cell, word]


@inlined
def _blame_side(tables: PairTables, state: PairState, cell: int, side: int) -> None:
    """Add the reason why a side of a cell is known: that of the neighbour; the rim needs none."""
    near = tables.near[cell, side]
    if state.known[cell, side] >= 0 and near >= 0:
        blame_cell(state, near)


@inlined
def _blame_pair(tables: PairTables, state: PairState, cell: int, pair: int) -> bool:
    """Add the reason why a cell must show a pair, known from its neighbours; return whether it must."""
    for number in range(PAIRS):
        if cell_pair(tables, state, cell, number) == pair:
            _blame_side(tables, state, cell, number if number < 4 else number - 4)
            _blame_side(tables, state, cell, (number + 1) & 3 if number < 4 else number - 2)
            return True
    return False


@uncounted
def explain_shortage(tables: PairTables, state: PairState, pair: int, counted: bool) -> None:
    """Explain why so few tiles of a pair are left for the cells that demand it.

    A tile that is placed is explained by its cell; or better, if its cell was bound to take some tile of the pair, by
    the older neighbours that bound it. This replacement is valid where only the number of tiles matters (`counted`),
    not which tiles they are.
    """
    clear(state.reason)
    for word in range(state.demanded.shape[1]):
        left = state.demanded[pair, word]
        while left != _NONE:
            _blame_pair(tables, state, (word << 6) + lowest(left), pair)
            left &= left - _ONE
    for word in range(state.offered.shape[1]):
        left = tables.every[pair, word] & ~state.offered[pair, word]
        while left != _NONE:
            cell = state.place_of[(word << 6) + lowest(left)]
            left &= left - _ONE
            if not (counted and _blame_pair(tables, state, cell, pair)):  # a filled cell knows what it knew before
                blame_cell(state, cell)


@uncounted
def explain_preempted(tables: PairTables, state: PairState, pair: int) -> None:
    """Explain why too few tiles of a pair are left if those that other pairs have preempted are not counted.

    No placed tile is replaced by the neighbours of its cell here: the cell might be one for which a tile was preempted.
    """
    explain_shortage(tables, state, pair, False)
    for word in range(state.offered.shape[1]):
        left = state.offered[pair, word]
        while left != _NONE:
            tile = (word << 6) + lowest(left)
            left &= left - _ONE
            if state.preempted_by[tile] != NOT_PREEMPTED and state.preempted_by[tile] != pair:
                for at in range(len(state.reason)):
                    state.reason[at] |= state.preempted_because[tile, at]


@uncounted
def explain_last(tables: PairTables, state: PairState, pair: int, cell: int, tile: int) -> None:
    """Explain why a tile, the last one of a pair, must lie in a cell that demands the pair, and how it is turned."""
    clear(state.reason)
    for word in range(state.offered.shape[1]):
        left = tables.every[pair, word] & ~state.offered[pair, word]
        while left != _NONE:
            blame_cell(state, state.place_of[(word << 6) + lowest(left)])
            left &= left - _ONE
    _blame_pair(tables, state, cell, pair)
    ways = 0
    for number in range(PAIRS):
        if cell_pair(tables, state, cell, number) == pair:
            one = number if number < 4 else number - 4
            other = (number + 1) & 3 if number < 4 else number - 2
            for value in range(4 * tile, 4 * tile + tables.turns[tile]):
                shown = tables.sides[value, one] == state.known[cell, one]
                ways += shown and tables.sides[value, other] == state.known[cell, other]
            break
    if ways > 1:  # other sides decide how it is turned
        for side in range(4):
            _blame_side(tables, state, cell, side)


@uncounted
def explain_misfit(tables: PairTables, state: PairState, pair: int, cell: int, tile: int) -> None:
    """Explain why no tile of a pair that a cell demands fits the cell."""
    explain_last(tables, state, pair, cell, tile)
    for side in range(4):
        _blame_side(tables, state, cell, side)


@uncounted
def explain_choice(tables: PairTables, state: PairState, cell: int) -> None:
    """Add to the reason why a cell can take no other tiles: its neighbours, and the cells of tiles that would fit."""
    for side in range(4):
        _blame_side(tables, state, cell, side)
    for word in range(state.offered.shape[1]):
        left = ~_NONE
        for number in range(PAIRS):
            pair = cell_pair(tables, state, cell, number)
            if pair >= 0:
                left &= tables.every[pair, word] & ~state.offered[pair, word]
        while left != _NONE:
            tile = (word << 6) + lowest(left)
            left &= left - _ONE
            if tile >= len(state.place_of):  # nothing is known of the cell, on a board without a frame
                break
            for value in range(4 * tile, 4 * tile + tables.turns[tile]):
                if state.place_of[tile] >= 0 and fits(tables, state, cell, value):
                    blame_cell(state, state.place_of[tile])
                    break


@uncounted
def explain_colour(tables: PairTables, state: PairState, colour: int) -> None:
    """Explain which sides of a colour are left, and where they are demanded: by all cells with this colour."""
    clear(state.reason)
    for tile in range(len(state.place_of)):
        if state.place_of[tile] < 0:
            continue
        for side in range(4):
            if tables.sides[4 * tile, side] == colour:
                blame_cell(state, state.place_of[tile])
                break
