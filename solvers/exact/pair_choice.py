"""The branching strategy of `ColourPairs` (section 5.1): patterns, the most urgent pair, and the tiles that fit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.bits import lowest
from puzzles.compiled import inlined
from solvers.exact.pair_state import PAIRS, PairState, PairTables, cell_pair, fits, is_first_twin

HEURISTICS = (
    "MinOffer",
    "MinExpectedOffer",
    "MinExpectedGap",
    "MinExpectedRatio",
    "MaxExpectedFiltering",
)
"""How the most urgent pair is chosen where no pattern applies (section 5.1)."""
_MIN_OFFER, _EXPECTED_OFFER, _EXPECTED_GAP, _EXPECTED_RATIO, _EXPECTED_FILTERING = range(5)
_NO_PATTERN = 5
_ONE, _NONE = np.uint64(1), np.uint64(0)


@inlined
def candidates(tables: PairTables, state: PairState, cell: int, found: NDArray[np.uint16]) -> int:
    """List the oriented tiles that fit a cell, of identical tiles only the first; return their number."""
    count = 0
    for word in range(state.offered.shape[1]):
        left = ~_NONE
        paired = False
        for number in range(PAIRS):
            pair = cell_pair(tables, state, cell, number)
            if pair >= 0:
                left &= state.offered[pair, word]
                paired = True
        if not paired:  # a board without a frame begins with a cell of which nothing is known
            left = _NONE
            for bit in range(min(64, len(state.board) - (word << 6))):
                tile = (word << 6) + bit
                if state.offered[tables.pairs[tile, 0], word] >> np.uint64(bit) & _ONE:
                    left |= _ONE << np.uint64(bit)
        while left != _NONE:
            tile = (word << 6) + lowest(left)
            left &= left - _ONE
            if is_first_twin(tables, state, tile):
                for value in range(4 * tile, 4 * tile + tables.turns[tile]):
                    if fits(tables, state, cell, value):
                        found[count] = value
                        count += 1
    return count


@inlined
def least_offer(tables: PairTables, state: PairState, cell: int) -> int:
    """Return the smallest offer of the pairs that a cell demands."""
    least = 1 << 30
    for number in range(PAIRS):
        pair = cell_pair(tables, state, cell, number)
        if pair >= 0:
            least = min(least, state.offer[pair])
    return least


@inlined
def pattern_cell(tables: PairTables, state: PairState) -> int:
    """Return the cell of the most constrained pattern, with the least offer among equals; -1 if there is none."""
    best, chosen, least = _NO_PATTERN, -1, 1 << 30
    for cell in range(len(state.board)):
        if state.board[cell] >= 0:
            continue
        known, pattern, target = state.known_count[cell], _NO_PATTERN, cell
        if known >= 3:
            pattern = 5 - known
        elif known >= 1:
            surrounded, first = 0, -1
            for side in range(4):
                near = tables.near[cell, side]
                if near >= 0 and state.board[near] < 0 and state.known_count[near] >= 2:
                    surrounded += 1
                    if first < 0 or least_offer(tables, state, near) < least_offer(tables, state, first):
                        first = near
            if known == 2 and surrounded >= 1:
                pattern = 3
            elif known == 1 and surrounded >= 2:
                pattern, target = 4, first
        if pattern < _NO_PATTERN and pattern <= best:
            offer = least_offer(tables, state, target)
            if pattern < best or offer < least:
                best, chosen, least = pattern, target, offer
    return chosen


@inlined
def _expected_offer(tables: PairTables, state: PairState, pair: int) -> float:
    """Return E(|Offer|): the sum over its tiles of the probability that no other pair uses the tile."""
    expected = 0.0
    for word in range(state.offered.shape[1]):
        left = state.offered[pair, word]
        while left != _NONE:
            tile = (word << 6) + lowest(left)
            left &= left - _ONE
            probability = 1.0
            for k in range(PAIRS):
                other = tables.pairs[tile, k]
                if other >= 0 and other != pair and state.demand[other] > 0:
                    probability *= 1.0 - state.demand[other] / state.offer[other]
            expected += probability
    return expected


@inlined
def urgent_cell(tables: PairTables, state: PairState, heuristic: int) -> int:
    """Return a cell that demands the most urgent pair; if no pair is demanded, the cell of which most is known."""
    chosen, most = -1, -1
    least = np.inf
    for cell in range(len(state.board)):
        if state.board[cell] >= 0:
            continue
        for number in range(PAIRS):
            pair = cell_pair(tables, state, cell, number)
            if pair < 0:
                continue
            offer, demand = float(state.offer[pair]), float(state.demand[pair])
            urgency = offer
            if heuristic != _MIN_OFFER:
                expected = _expected_offer(tables, state, pair)
                urgency = expected
                if heuristic == _EXPECTED_GAP:
                    urgency = expected - demand
                elif heuristic == _EXPECTED_RATIO:
                    urgency = expected / demand
                elif heuristic == _EXPECTED_FILTERING:
                    urgency = expected - offer
            if urgency < least:
                least, chosen, most = urgency, cell, 4
        if state.known_count[cell] > most:
            chosen, most = cell, state.known_count[cell]
    return chosen
