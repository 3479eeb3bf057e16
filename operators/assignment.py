"""The linear assignment problem with small integer weights, for use inside compiled loops.

This is the Hungarian method, for all rows at once, on bit sets. The prices of a row and a column never add up to less
than their weight; where they are equal, the column is *tight* for the row. A row starts with its greatest weight as its
price, a column with 0. In rounds, from the greatest weight of all down to 0, the unassigned rows with that price search
for a free column along alternating paths of tight columns; where none is found, the prices of all rows reached fall by
one, and those of the columns reached rise by one. At price 0, every free column is tight: so there are no more rounds
than different weights, however many rows there are.

Because there are few different weights and prices, the tight columns of a row are a few intersections of bit sets, 64
columns at a time: the columns where the row has a given weight, and those that have the corresponding price.
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
"""Number of weights of a row that one instruction compares."""
MOST_LEVELS = 16


class AssignmentScratch(NamedTuple):
    """Working memory of `assign`, allocated once and reused."""

    weighing: NDArray[np.uint64]
    """Per row and weight, the columns in which the row has this weight."""
    priced: NDArray[np.uint64]
    """Per price, the columns that have it."""
    free: NDArray[np.uint64]
    """The columns that are not assigned yet."""
    seen: NDArray[np.uint64]
    """The columns that a search has reached."""
    dead: NDArray[np.uint64]
    """The columns from which no free column can be reached until prices change."""
    row_price: NDArray[np.int64]
    row_of: NDArray[np.int32]
    """The row that each column is assigned to."""
    reached_from: NDArray[np.int32]
    """The row from which a search reached each column."""
    queue: NDArray[np.int32]
    """The rows reached; those from which no free column can be reached come first."""
    waiting: NDArray[np.uint64]
    """The unassigned rows."""
    joining: NDArray[np.uint64]
    """Per price, the rows that start searching in that round: before, they have no tight column."""


def make_assignment_scratch(most: int, levels: int) -> AssignmentScratch:
    """Return working memory for up to `most` rows, and weights from 0 to `levels - 1`."""
    if most < 1 or not 1 <= levels <= MOST_LEVELS:
        raise OperatorError(
            f"expected at least one row and 1 to {MOST_LEVELS} different weights; got {most} and {levels}"
        )
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
    """Return an array for the weights of up to `most` rows and columns; rows are read sixteen weights at a time."""
    return np.zeros((most, -(-most // _PART) * _PART), dtype=np.uint8)


@inlined
def assign(weights: NDArray[np.uint8], count: int, columns: NDArray[np.int32], scratch: AssignmentScratch) -> int:
    """Assign each row its own column so that the sum of the weights is greatest; return the sum.

    Args:
        weights: The weight of each row and column, from 0 to one below the scratch's levels, in an array from
            `make_weights`, of which the first `count` rows and columns are used.
        count: Number of rows and of columns.
        columns: The column of each row is written here.
        scratch: Working memory for at least `count` rows.
    """
    if count <= WORD:
        _solve(weights, count, 1, columns, scratch)  # with a constant, the compiler removes all loops over words
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
    highest = 0  # price of a column
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
    """Group the columns of each row by weight, and the rows by their greatest weight, which is their first price."""
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
    """Search from a row along tight columns; return the length of the queue, and a free column or _NONE.

    Args:
        words: Number of words of a set of columns.
        highest: The highest price of a column.
        scratch: Working memory.
        start: The row, which is unassigned.
        at: The position in the queue to begin at.
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
    """Lower the prices of the first `length` rows in the queue and raise those of dead columns; return the highest."""
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
    """Assign each row on the path from the start to a free column to the next column of the path."""
    column = end
    row = scratch.reached_from[column]
    while row != start:
        previous = columns[row]
        columns[row], scratch.row_of[column] = column, row
        column = previous
        row = scratch.reached_from[column]
    columns[row], scratch.row_of[column] = column, row
