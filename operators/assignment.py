"""The linear assignment problem on a few small whole weights, inside compiled loops.

The Hungarian method with sets of bits. Prices are such that no row gains by any column; a row's *tight* columns are
those where it loses nothing. Because there are few different weights and prices, the tight columns of a row are a
handful of intersections of bit sets, 64 columns at a time: those where the row has a certain weight, and those that
have the price which goes with it. From each row in turn, a breadth-first search over tight columns looks for a free
one; where there is none, the prices of all that was reached move by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.bits import WORD, lowest
from operators.errors import OperatorError
from puzzles._numba import inlined, jit

_NONE = -1
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_EACH, _GATHER = np.uint64(0x0101010101010101), np.uint64(0x0102040810204080)
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
    """The columns that the search has reached."""
    row_price: NDArray[np.int64]
    row_of: NDArray[np.int32]
    """The row that has a column."""
    reached_from: NDArray[np.int32]
    """The row from which the search reached a column."""
    queue: NDArray[np.int32]
    """The rows that the search has reached."""


def make_assignment_scratch(most: int, levels: int) -> AssignmentScratch:
    """Working memory for up to so many rows, and weights from 0 to one below `levels`."""
    if most < 1 or not 1 <= levels <= MOST_LEVELS:
        raise OperatorError(f"an assignment has a row at least, and 1 to {MOST_LEVELS} different weights")
    words = -(-most // WORD)
    # A price is at most what a path through all rows can lose.
    return AssignmentScratch(
        np.zeros((most, levels, words), dtype=np.uint64),
        np.zeros((most * levels + 2, words), dtype=np.uint64),
        np.zeros(words, dtype=np.uint64),
        np.zeros(words, dtype=np.uint64),
        np.zeros(most, dtype=np.int64),
        np.zeros(most, dtype=np.int32),
        np.zeros(most, dtype=np.int32),
        np.zeros(most + 1, dtype=np.int32),
    )


def make_weights(most: int) -> NDArray[np.uint8]:
    """Room for the weights of up to so many rows and columns; rows are read eight weights at a time."""
    return np.zeros((most, -(-most // 8) * 8), dtype=np.uint8)


@jit
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
    _prepare(weights, count, words, scratch)
    highest = 0  # of the prices that some column has
    for start in range(count):
        scratch.seen[:words] = _ZERO
        scratch.queue[0] = start
        length, end = _search(words, highest, scratch, 0, 1)
        while end == _NONE:
            highest = _move_prices(words, highest, scratch, length)
            length, end = _search(words, highest, scratch, 0, length)
        scratch.free[end >> 6] ^= _ONE << np.uint64(end & 63)
        _swap(start, end, columns, scratch)


@inlined
def _prepare(weights: NDArray[np.uint8], count: int, words: int, scratch: AssignmentScratch) -> None:
    """Sort the columns by weight; a row's first price is its greatest weight, a column's is nothing."""
    weighing = scratch.weighing
    for word in range(words):
        left = count - WORD * word
        scratch.free[word] = ~_ZERO if left >= WORD else (_ONE << np.uint64(left)) - _ONE
        scratch.priced[0, word] = scratch.free[word]
    for row in range(count):
        greatest = 0
        eights = weights[row].view(np.uint64)
        for word in range(words):
            ones = twos = fours = far = _ZERO
            for part in range(8 * word, min(len(eights), 8 * word + 8)):
                shift = np.uint64(8 * (part & 7))
                ones |= _lowest_bits(eights[part]) << shift
                twos |= _lowest_bits(eights[part] >> _ONE) << shift
                fours |= _lowest_bits(eights[part] >> np.uint64(2)) << shift
                far |= _lowest_bits(eights[part] >> np.uint64(3)) << shift
            for level in range(weighing.shape[1]):
                having = scratch.free[word]
                having &= ones if level & 1 else ~ones
                having &= twos if level & 2 else ~twos
                having &= fours if level & 4 else ~fours
                having &= far if level & 8 else ~far
                weighing[row, level, word] = having
                greatest = level if having and level > greatest else greatest
        scratch.row_price[row] = greatest


@inlined
def _lowest_bits(bytes_: np.uint64) -> np.uint64:
    """The lowest bit of each of eight bytes, side by side: a multiplication moves them all at once."""
    return np.uint64(((bytes_ & _EACH) * _GATHER) >> np.uint64(56))


@inlined
def _search(words: int, highest: int, scratch: AssignmentScratch, at: int, length: int) -> tuple[int, int]:
    """Go on from the rows of the queue; returns its length, and a free column that was reached, or none."""
    weighing, priced, seen, queue = scratch.weighing, scratch.priced, scratch.seen, scratch.queue
    while at < length:
        row = queue[at]
        at += 1
        price = scratch.row_price[row]
        first, last = max(0, price), min(weighing.shape[1], price + highest + 1)
        for word in range(words):
            tight = _ZERO
            for level in range(first, last):
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
    """Make the rows that were reached cheaper by one, and the columns dearer; returns the highest price."""
    priced, seen = scratch.priced, scratch.seen
    for k in range(length):
        scratch.row_price[scratch.queue[k]] -= 1
    some = _ZERO
    for word in range(words):
        priced[highest + 1, word] = priced[highest, word] & seen[word]
        some |= priced[highest + 1, word]
        for price in range(highest, 0, -1):
            priced[price, word] = (priced[price, word] & ~seen[word]) | (priced[price - 1, word] & seen[word])
        priced[0, word] &= ~seen[word]
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
