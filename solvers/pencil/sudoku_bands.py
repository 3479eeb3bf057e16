"""A compiled exact solver of 9x9 Sudoku: it finds all solutions up to a limit, ten thousands of puzzles a second.

For each number and each band (three rows) a word of 27 bits has the cells that the number may still take; bit
`9 * row + column` within the band. Four deductions are made until nothing changes:

- A number has one of its rows in each box of a band: the 9 three-cell pieces that are left must contain one of the six
  ways to do that, and pieces that are in none of them go (tables of 512 entries).
- A column that only one band can serve takes the number there, so the other columns of that box go.
- A row with one place for a number, and a cell with one number, are filled.

Then a cell with as few numbers as possible is tried.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import inlined, jit

_FULL = 0x7FFFFFF
STATE = 30  # 27 words of candidates, number by number; 3 words of filled cells


def _tables() -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32]]:
    pieces = np.zeros(512, dtype=np.uint32)  # of a row of 9 cells: which of its three pieces are not empty
    kept = np.zeros(512, dtype=np.uint32)  # of the 9 pieces of a band: the cells of those that can be used
    columns = np.zeros(512, dtype=np.uint32)  # of the columns that a band alone can serve: the cells that remain
    for mask in range(512):
        pieces[mask] = sum(1 << box for box in range(3) if mask >> 3 * box & 7)
        usable = 0
        for boxes in permutations(range(3)):
            way = sum(1 << 3 * row + box for row, box in enumerate(boxes))
            if mask & way == way:
                usable |= way
        kept[mask] = sum(7 << 9 * row + 3 * box for row in range(3) for box in range(3) if usable >> 3 * row + box & 1)
        remaining = 0
        for box in range(3):
            here = mask >> 3 * box & 7
            remaining |= ((7, 1, 2, 0, 4, 0, 0, 0)[here]) << 3 * box
        columns[mask] = remaining * (1 + (1 << 9) + (1 << 18))
    others = np.zeros(27, dtype=np.uint32)  # of a cell of a band: the other cells of its row and box
    for cell in range(27):
        row, col = divmod(cell, 9)
        seen = 511 << 9 * row | (7 << col // 3 * 3) * (1 + (1 << 9) + (1 << 18))
        others[cell] = seen & ~(1 << cell)
    return pieces, kept, columns, others


_PIECES, _KEPT, _COLUMNS, _OTHERS = _tables()


@inlined
def ones(x: Any) -> Any:
    """Return the number of bits of a word of 32 bits."""
    x = x - ((x >> 1) & 0x55555555)
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F
    return ((x * 0x01010101) & 0xFFFFFFFF) >> 24


@inlined
def _fill(state: Any, number: Any, band: Any, bit: Any) -> None:
    """Put a number into a cell, given by its bit in a band."""
    cell = ones(bit - 1)
    for other in range(9):
        if other != number:
            state[3 * other + band] &= ~bit
    for near in range(3):
        if near != band:
            state[3 * number + near] &= ~((1 + (1 << 9) + (1 << 18)) << (cell % 9))
    state[3 * number + band] &= ~np.int64(_OTHERS[cell])
    state[27 + band] |= bit


@jit
def _deduce(state: Any) -> bool:
    """Make all deductions; return False at a contradiction."""
    before = np.full(27, -1, dtype=np.int64)
    while True:
        again = True
        while again:
            again = False
            for number in range(9):
                base = 3 * number
                if (
                    state[base] == before[base]
                    and state[base + 1] == before[base + 1]
                    and state[base + 2] == before[base + 2]
                ):
                    continue
                again = True
                for band in range(3):
                    before[base + band] = state[base + band]
                for band in range(3):
                    p = state[base + band]
                    q, r = state[base + (band + 1) % 3], state[base + (band + 2) % 3]
                    served = (p | p >> 9 | p >> 18) & 511
                    elsewhere = ((q | r) | (q | r) >> 9 | (q | r) >> 18) & 511
                    if served | elsewhere != 511:
                        return False
                    p &= _COLUMNS[served & ~elsewhere]
                    left = _PIECES[p & 511] | _PIECES[p >> 9 & 511] << 3 | _PIECES[p >> 18] << 6
                    p &= np.int64(_KEPT[left])
                    state[base + band] = p
                    if p == 0:
                        return False
                    for row in range(3):
                        places = p & (511 << 9 * row)
                        if places == 0:
                            return False
                        if places & (places - 1) == 0 and state[27 + band] & places == 0:
                            _fill(state, number, band, places)
        filled = False
        for band in range(3):
            once, twice = np.int64(0), np.int64(0)
            for number in range(9):
                twice |= once & state[3 * number + band]
                once |= state[3 * number + band]
            if once != _FULL:
                return False
            single = once & ~twice & ~state[27 + band]
            if single:
                filled = True
                for number in range(9):
                    here = single & state[3 * number + band]
                    while here:
                        bit = here & -here
                        if state[3 * number + band] & bit == 0:  # an earlier one of them excluded it
                            return False
                        _fill(state, number, band, bit)
                        here ^= bit
        if not filled:
            return True


@jit
def _branch(state: Any) -> tuple[Any, Any]:
    """Return a band and the bit of a cell in it with as few numbers as possible; a bit of 0 if all are filled."""
    best, best_band, best_bit = 10, 0, np.int64(0)
    for band in range(3):
        once, twice, thrice = np.int64(0), np.int64(0), np.int64(0)
        for number in range(9):
            word = state[3 * number + band]
            thrice |= twice & word
            twice |= once & word
            once |= word
        pairs = twice & ~thrice
        if pairs:
            return band, pairs & -pairs
        rest = _FULL & ~state[27 + band]
        while rest:
            bit = rest & -rest
            rest ^= bit
            numbers = 0
            for number in range(9):
                numbers += state[3 * number + band] & bit != 0
            if numbers < best:
                best, best_band, best_bit = numbers, band, bit
    return best_band, best_bit


@jit
def solve_one(clues: Any, limit: int, stack: Any, found: Any) -> int:
    """Write up to `limit` solutions of one puzzle to `found`, and return their number."""
    state = stack[0]
    state[:27] = _FULL
    state[27:] = 0
    for cell in range(81):
        if clues[cell]:
            third, place = cell // 27, np.int64(1) << cell % 27
            if state[3 * (clues[cell] - 1) + third] & place == 0:
                return 0
            _fill(state, clues[cell] - 1, third, place)
    depth, count = 0, 0
    while depth >= 0:
        state = stack[depth]
        if not _deduce(state):
            depth -= 1
            continue
        band, bit = _branch(state)
        if bit == 0:
            for number in range(9):
                for third in range(3):
                    word = state[3 * number + third]
                    while word:
                        found[count, 27 * third + ones((word & -word) - 1)] = number + 1
                        word &= word - 1
            count += 1
            if count == limit:
                break
            depth -= 1
            continue
        number = 0
        while state[3 * number + band] & bit == 0:
            number += 1
        stack[depth + 1] = state  # the number is tried above, and excluded here for later
        state[3 * number + band] &= ~bit
        _fill(stack[depth + 1], number, band, bit)
        depth += 1
    return count


@jit
def _solve_all(clues: Any, limit: int, counts: Any, solutions: Any) -> None:
    stack = np.zeros((82, STATE), dtype=np.int64)
    for k in range(len(clues)):
        counts[k] = solve_one(clues[k], limit, stack, solutions[k])


@jit
def _remove(cells: Any, order: Any, wanted: int) -> None:
    stack = np.zeros((82, STATE), dtype=np.int64)
    found = np.zeros((2, 81), dtype=np.uint8)
    left = np.sum(cells > 0)
    for cell in order:
        if left <= wanted:
            return
        number, cells[cell] = cells[cell], 0
        left -= 1
        if solve_one(cells, 2, stack, found) != 1:
            cells[cell] = number
            left += 1


def remove_clues(grid: NDArray[np.uint8], order: NDArray[np.int64], wanted: int) -> NDArray[np.uint8]:
    """Return a filled 9x9 grid without the clues that can be spared, one after another, until `wanted` are left.

    Args:
        grid: 81 numbers.
        order: The order in which clues are tried.
        wanted: The number of clues to stop at; 0 tries all.
    """
    cells = np.array(grid, dtype=np.uint8)
    _remove(cells, order, wanted)
    return cells


def solve_lines(clues: NDArray[np.uint8], limit: int = 2) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Solve many 9x9 Sudoku.

    Args:
        clues: A matrix with a puzzle a row: 81 numbers, 0 for a cell to fill.
        limit: How many solutions of each to look for; 2 tells whether the solution is unique.

    Returns:
        The number of solutions of each puzzle, at most `limit`, and the solutions as an array of shape
        (puzzles, limit, 81).
    """
    counts = np.zeros(len(clues), dtype=np.int64)
    solutions = np.zeros((len(clues), limit, 81), dtype=np.uint8)
    _solve_all(np.ascontiguousarray(clues, dtype=np.uint8), limit, counts, solutions)
    return counts, solutions
