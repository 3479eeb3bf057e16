"""The linear assignment problem on a few small whole weights, inside compiled loops.

The Hungarian method, for all rows at once, with sets of bits. Prices are such that no row gains by any column; a row's
*tight* columns are those where it loses nothing. A row's first price is its greatest weight, a column's is nothing. In
rounds, from the greatest weight of all down to nothing, the rows of that price that have no column look for a free one
along tight columns, each as far as it can; the prices of those that find none, and of all that they reached, move by
one. At a price of nothing all that is free is tight: so there are no more rounds than weights, however many the rows.

Because there are few different weights and prices, the tight columns of a row are a handful of intersections of bit
sets, 64 columns at a time: those where the row has a certain weight, and those that have the price which goes with it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.bits import WORD, equal_bytes, lowest
from operators.errors import OperatorError
from puzzles.compiled import inlined

_NONE = -1
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_PART = 16
"""So many weights of a row are compared in one instruction."""
MOST_LEVELS = 16


class AssignmentScratch(NamedTuple):
    """Working memory of `assign`, to be had once and used over and over."""

    weighing: NDArray[np.uint64]
    """Per row and weight, the columns in which the row weighs so much."""
    priced: NDArray[np.uint64]
    """Per price, the columns that have it."""
    free: NDArray[np.uint64]
    """The columns that no row has yet."""
    seen: NDArray[np.uint64]
    """The columns that a search has reached."""
    dead: NDArray[np.uint64]
    """The columns that were reached in vain: until prices move, nothing leads from there to a free one."""
    row_price: NDArray[np.int64]
    row_of: NDArray[np.int32]
    """The row that has a column."""
    reached_from: NDArray[np.int32]
    """The row from which a search reached a column."""
    queue: NDArray[np.int32]
    """The rows that were reached, in vain ones first."""
    waiting: NDArray[np.uint64]
    """The rows that look for a column."""
    joining: NDArray[np.uint64]
    """Per price, the rows that look for a column from then on: before, they have no tight one."""


def make_assignment_scratch(most: int, levels: int) -> AssignmentScratch:
    """Working memory for up to so many rows, and weights from 0 to one below `levels`."""
    if most < 1 or not 1 <= levels <= MOST_LEVELS:
        raise OperatorError(f"an assignment has a row at least, and 1 to {MOST_LEVELS} different weights")
    words = -(-most // WORD)
    return AssignmentScratch(
        np.zeros((most, levels, words), dtype=np.uint64),
        np.zeros((levels, words), dtype=np.uint64),
        np.zeros(words, dtype=np.uint64),
        np.zeros(words, dtype=np.uint64),
        np.zeros(words, dtype=np.uint64),
        np.zeros(most, dtype=np.int64),
        np.zeros(most, dtype=np.int32),
        np.zeros(most, dtype=np.int32),
        np.zeros(most, dtype=np.int32),
        np.zeros(words, dtype=np.uint64),
        np.zeros((levels, words), dtype=np.uint64),
    )


def make_weights(most: int) -> NDArray[np.uint8]:
    """Room for the weights of up to so many rows and columns; rows are read sixteen weights at a time."""
    return np.zeros((most, -(-most // _PART) * _PART), dtype=np.uint8)


@inlined
def assign(weights: NDArray[np.uint8], count: int, columns: NDArray[np.int32], scratch: AssignmentScratch) -> int:
    """Give each row a column of its own so that the sum of their weights is the greatest; returns the sum.

    Args:
        weights: What each row weighs in each column, from 0 to one below the scratch's levels, in an array of
            `make_weights`; the first `count` rows and columns count.
        count: How many rows, and columns, there are.
        columns: The column of each row is written here.
        scratch: Working memory for `count` rows at least.
    """
    if count <= WORD:
        _solve(weights, count, 1, columns, scratch)  # with a constant, the compiler leaves out all loops over words
    else:
        _solve(weights, count, (count + WORD - 1) // WORD, columns, scratch)
    total = 0
    for row in range(count):
        total += weights[row, columns[row]]
    return total


@inlined
def _solve(
    weights: NDArray[np.uint8], count: int, words: int, columns: NDArray[np.int32], scratch: AssignmentScratch
) -> None:
    free, seen, dead, waiting = scratch.free, scratch.seen, scratch.dead, scratch.waiting
    _prepare(weights, count, words, scratch)
    highest = 0  # price that a column has
    for price in range(len(scratch.priced) - 1, -1, -1):
        reached = 0
        for word in range(words):
            dead[word] = _ZERO
        for part in range(words):
            waiting[part] |= scratch.joining[price, part]
            rows = waiting[part]
            while rows:
                start = WORD * part + lowest(rows)
                rows &= rows - _ONE
                for word in range(words):
                    seen[word] = dead[word]
                length, end = _search(words, highest, scratch, start, reached)
                if end == _NONE:
                    reached = length
                    for word in range(words):
                        dead[word] = seen[word]
                else:
                    waiting[part] ^= _ONE << np.uint64(start & 63)
                    free[end >> 6] ^= _ONE << np.uint64(end & 63)
                    _swap(start, end, columns, scratch)
        if reached:
            highest = _move_prices(words, highest, scratch, reached)


@inlined
def _prepare(weights: NDArray[np.uint8], count: int, words: int, scratch: AssignmentScratch) -> None:
    """Sort the columns of each row by weight, and the rows by the greatest, which is their first price."""
    weighing, joining = scratch.weighing, scratch.joining
    levels = len(joining)
    for word in range(words):
        left = count - WORD * word
        scratch.free[word] = ~_ZERO if left >= WORD else (_ONE << np.uint64(left)) - _ONE
        scratch.priced[0, word] = scratch.free[word]
        scratch.waiting[word] = _ZERO
        for level in range(levels):
            joining[level, word] = _ZERO
    for row in range(count):
        greatest = 0
        for word in range(words):
            first, last = 4 * word, min(4 * word + 4, weights.shape[1] // _PART)
            for level in range(levels):
                having = _ZERO
                for part in range(first, last):
                    having |= equal_bytes(weights[row], _PART * part, level) << np.uint64(_PART * (part - first))
                having &= scratch.free[word]
                weighing[row, level, word] = having
                greatest = level if having and level > greatest else greatest
        scratch.row_price[row] = greatest
        joining[greatest, row >> 6] |= _ONE << np.uint64(row & 63)


@inlined
def _search(words: int, highest: int, scratch: AssignmentScratch, start: int, at: int) -> tuple[int, int]:
    """Go from a row along tight columns; returns the length of the queue, and a free column, or none.

    Args:
        words: How many words a set of columns has.
        highest: The highest price of a column.
        scratch: Working memory.
        start: The row, which has no column.
        at: Where in the queue to begin.
    """
    weighing, priced, seen, queue = scratch.weighing, scratch.priced, scratch.seen, scratch.queue
    queue[at] = start
    length = at + 1
    while at < length:
        row = queue[at]
        at += 1
        price = scratch.row_price[row]
        last = min(weighing.shape[1], price + highest + 1)
        for word in range(words):
            tight = _ZERO
            for level in range(price, last):
                tight |= weighing[row, level, word] & priced[level - price, word]
            tight &= ~seen[word]
            open_ones = tight & scratch.free[word]
            if open_ones:
                end = WORD * word + lowest(open_ones)
                scratch.reached_from[end] = row
                return length, end
            seen[word] |= tight
            while tight:
                column = WORD * word + lowest(tight)
                tight &= tight - _ONE
                scratch.reached_from[column] = row
                queue[length] = scratch.row_of[column]
                length += 1
    return length, _NONE


@inlined
def _move_prices(words: int, highest: int, scratch: AssignmentScratch, length: int) -> int:
    """Make the rows that were reached in vain cheaper by one, and the columns dearer; returns the highest price."""
    priced, dead = scratch.priced, scratch.dead
    for k in range(length):
        scratch.row_price[scratch.queue[k]] -= 1
    some = _ZERO
    for word in range(words):
        dearest = priced[highest, word] & dead[word]
        some |= dearest
        for price in range(highest, 0, -1):
            priced[price, word] = (priced[price, word] & ~dead[word]) | (priced[price - 1, word] & dead[word])
        priced[0, word] &= ~dead[word]
        if highest + 1 < len(priced):
            priced[highest + 1, word] = dearest
    return highest + 1 if some else highest


@inlined
def _swap(start: int, end: int, columns: NDArray[np.int32], scratch: AssignmentScratch) -> None:
    """Give each row on the way from the start to a free column the next column of the way."""
    column = end
    row = scratch.reached_from[column]
    while row != start:
        previous = columns[row]
        columns[row], scratch.row_of[column] = column, row
        column = previous
        row = scratch.reached_from[column]
    columns[row], scratch.row_of[column] = column, row
