"""A walk over puzzles of one 9x9 solution grid in search of one with fewer clues.

Every unavoidable set needs a clue. A set that only the clue a hits must hit whatever replaces a; a set that only a and
b hit, whatever replaces both. One pass over the known sets therefore tells for every clue, and for every pair, which
cells could replace it. Cells that could replace a pair are tried first, for they save a clue; if there are none, a
random clue moves to a cell that could replace it. The Sudoku solver has the last word; what it refutes is a new set. A
walk that saves no more clues begins again with another puzzle.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import inlined, jit
from solvers.pencil.sudoku_bands import STATE, ones, remove_clues, solve_one

_MAX_SETS = 4096
_KEPT = 18  # the largest sets that are handed to the hitting-set problem
_STEPS = 1_000  # moves between two looks at the clock
_PATIENCE = 200  # moves without a saved clue, after which a random clue is added
_ABOVE = 3  # clues more than the best puzzle, to which such additions go at most
_ROUNDS = 4  # times `_STEPS` moves without a saved clue, after which the walk begins again
_ATTEMPTS = 60  # candidates that the solver may refute before another clue is added
_THIRD = (1 << 27) - 1
_SIZE, _BEST, _COUNT, _IDLE, _SEEN = range(5)  # indices of the counters


@inlined
def _in(words: Any, cell: int) -> bool:
    """Return whether a set of cells, as three words of 27 bits, has a cell."""
    return bool(words[cell // 27] >> (cell % 27) & 1)


@jit
def _survey(sets: Any, count: int, clues: Any, size: int, alone: Any, both: Any) -> None:
    """Compute the cells that could replace each clue, and with `both` each pair, as far as the known sets tell."""
    given = np.zeros(3, dtype=np.int64)
    place = np.zeros(81, dtype=np.int64)
    for k in range(size):
        given[clues[k] // 27] |= np.int64(1) << (clues[k] % 27)
        place[clues[k]] = k
    for third in range(3):
        for k in range(size):
            alone[k, third] = _THIRD & ~given[third]
            for other in range(size):
                both[k, other, third] = _THIRD & ~given[third]
    for k in range(count):
        _note(sets[k], given, place, alone, both)


@inlined
def _note(members: Any, given: Any, place: Any, alone: Any, both: Any) -> None:
    """Let a set restrict what can replace the one or two clues that hit it."""
    hits, first, second = 0, -1, -1
    for third in range(3):
        here = members[third] & given[third]
        while here and hits < 3:
            second, first = first, place[27 * third + ones((here & -here) - 1)]
            hits += 1
            here &= here - 1
    if hits == 1:
        for third in range(3):
            alone[first, third] &= members[third]
    elif hits == 2:
        for third in range(3):
            both[first, second, third] &= members[third]
            both[second, first, third] &= members[third]


@inlined
def _draw(rng: Any, words: Any) -> int:
    """Return a random cell of a set, or -1 if it is empty."""
    count = 0
    for third in range(3):
        count += ones(words[third])
    if count == 0:
        return -1
    left = int(rng.random() * count)
    found = -1
    for third in range(3):
        rest = words[third]
        while rest:
            if left == 0:
                found = 27 * third + ones((rest & -rest) - 1)
            left -= 1
            rest &= rest - 1
    return found


@jit
def _steps(
    rng: Any, cells: Any, sets: Any, clues: Any, best: Any, numbers: Any, least: int, steps: int, fixed: int, above: int
) -> None:
    """Make moves; the best puzzle is written to `best`, the sets that are met to `sets`."""
    alone, both = np.zeros((81, 3), dtype=np.int64), np.zeros((81, 81, 3), dtype=np.int64)
    stack, found = np.zeros((82, STATE), dtype=np.int64), np.zeros((2, 81), dtype=np.uint8)
    line, members, able = np.zeros(81, dtype=np.uint8), np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64)
    for _ in range(steps):
        if numbers[_BEST] <= least:
            return
        size = numbers[_SIZE]
        _survey(sets, numbers[_COUNT], clues, size, alone, both)
        moved = False
        for _ in range(_ATTEMPTS):
            one, other, cell = -1, -1, -1
            start = int(rng.random() * size * size)
            for k in range(size * size):  # a pair that one cell could replace
                pair = (start + k) % (size * size)
                a, b = pair // size, pair % size
                if a >= b:
                    continue
                for third in range(3):
                    able[third] = alone[a, third] & alone[b, third] & both[a, b, third]
                if able[0] | able[1] | able[2]:
                    one, other, cell = a, b, _draw(rng, able)
                    break
            if cell < 0:
                one = int(rng.random() * size)
                cell = _draw(rng, alone[one])
                if cell < 0:
                    continue
            line[:] = 0
            for k in range(size):
                if k != one and k != other:
                    line[clues[k]] = cells[clues[k]]
            line[cell] = cells[cell]
            solutions = solve_one(line, 2, stack, found)
            if solutions == 1:
                clues[one] = cell
                if other >= 0:
                    clues[other] = clues[size - 1]
                    numbers[_SIZE] -= 1
                    numbers[_IDLE] = 0
                    if numbers[_SIZE] < numbers[_BEST]:
                        numbers[_BEST] = numbers[_SIZE]
                        best[: numbers[_BEST]] = clues[: numbers[_BEST]]
                moved = True
                break
            wrong = 0
            for k in range(81):
                if found[0, k] != cells[k]:
                    wrong = 1
            members[:] = 0
            for k in range(81):
                if found[0 if wrong else 1, k] != cells[k]:
                    members[k // 27] |= np.int64(1) << (k % 27)
            if numbers[_COUNT] < len(sets):
                numbers[_COUNT] += 1
                sets[numbers[_COUNT] - 1] = members
            else:  # forget one of the sets that were met on the way
                sets[fixed + int(rng.random() * (len(sets) - fixed))] = members
            numbers[_SEEN] += 1
            for third in range(3):  # what the solver has refuted is excluded for the other attempts, too
                alone[one, third] &= members[third] if other < 0 else _THIRD
                if other >= 0:
                    both[one, other, third] &= members[third]
        numbers[_IDLE] += 1
        if (not moved or numbers[_IDLE] > _PATIENCE) and numbers[_SIZE] < min(numbers[_BEST] + above, 80):
            while True:
                cell = int(rng.random() * 81)
                known = False
                for k in range(numbers[_SIZE]):
                    known = known or clues[k] == cell
                if not known:
                    break
            clues[numbers[_SIZE]] = cell
            numbers[_SIZE] += 1
            numbers[_IDLE] = 0


def walk(
    cells: NDArray[np.int64],
    clues: set[int],
    known: list[frozenset[int]],
    rng: np.random.Generator,
    seconds: float,
    least: int,
) -> tuple[set[int], list[frozenset[int]]]:
    """Return a puzzle with as few clues as could be found, and the unavoidable sets that were met.

    Args:
        cells: The filled grid, row by row.
        clues: The cells of a puzzle with a unique solution.
        known: Unavoidable sets.
        rng: The source of randomness.
        seconds: Limit of time.
        least: The number of clues to stop at.
    """
    deadline = perf_counter() + seconds
    sets = np.zeros((_MAX_SETS, 3), dtype=np.int64)
    for k, members in enumerate(known[:_MAX_SETS]):
        for cell in members:
            sets[k, cell // 27] |= 1 << cell % 27
    count = min(len(known), _MAX_SETS)
    now, best = np.zeros(82, dtype=np.int64), np.zeros(82, dtype=np.int64)
    now[: len(clues)] = best[: len(clues)] = sorted(clues)
    numbers = np.array([len(clues), len(clues), count, 0, 0])
    fewest, rounds, idle = set(clues), 0, 0
    while perf_counter() < deadline and len(fewest) > least:
        before, rounds = numbers[_BEST], rounds + 1
        _steps(rng, cells, sets, now, best, numbers, least, _STEPS, count // 2, 1 + rounds % _ABOVE)
        if numbers[_BEST] < len(fewest):
            fewest = set(best[: numbers[_BEST]].tolist())
        idle = 0 if numbers[_BEST] < before else idle + 1
        if idle == _ROUNDS:  # begin again somewhere else, with what is known
            start = np.flatnonzero(remove_clues(cells.astype(np.uint8), rng.permutation(81), 0))
            now[: len(start)] = best[: len(start)] = start
            numbers[[_SIZE, _BEST]], idle = len(start), 0
    met = [
        frozenset(cell for cell in range(81) if words[cell // 27] >> cell % 27 & 1)
        for words in sets[: numbers[_COUNT]].tolist()
    ]
    return fewest, [members for members in dict.fromkeys(met) if len(members) <= _KEPT]
