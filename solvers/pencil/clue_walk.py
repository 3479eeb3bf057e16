"""A walk over puzzles of one 9x9 solution grid in search of one with fewer clues.

Known unavoidable sets say at once which cell could replace one or two clues: it must be in every set that the others do
not hit. Only such replacements are given to the Sudoku solver, and one that fails gives a new set.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import jit
from solvers.pencil.sudoku_bands import solve_lines

_STEPS = 2_000_000  # look-ups of sets between two looks at the clock
_MAX_SETS = 4096


@jit
def _replacement(rng: Any, clues: Any, sets: Any, count: int, drop: int, chosen: Any, steps: int) -> int:
    """Draw `drop` clues until one cell can replace them as far as the sets tell.

    The cells to drop and the new one are written to `chosen`. Returns False if the steps are spent.
    """
    size = len(clues)
    hits = np.zeros(count, dtype=np.int64)  # how many clues each set has
    for k in range(count):
        for clue in clues:
            hits[k] += sets[k, clue]
    common = np.zeros(81, dtype=np.int64)
    while steps > 0:
        steps -= count + 81
        for d in range(drop):
            while True:
                chosen[d] = clues[int(rng.random() * size)]
                if d == 0 or chosen[d] != chosen[0]:
                    break
        common[:] = 0
        unhit = 0
        for k in range(count):
            left = hits[k]
            for d in range(drop):
                left -= sets[k, chosen[d]]
            if left == 0:
                unhit += 1
                for cell in range(81):
                    common[cell] += sets[k, cell]
        places = 0
        for cell in range(81):
            usable = common[cell] == unhit
            for d in range(drop):
                usable = usable and cell != chosen[d]
            for clue in clues:
                usable = usable and cell != clue
            if usable:
                places += 1
                if rng.random() * places < 1:
                    chosen[2] = cell
        if places:
            return 1
    return 0


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
    table = np.zeros((_MAX_SETS, 81), dtype=np.int8)
    for k, members in enumerate(known[:_MAX_SETS]):
        table[k, sorted(members)] = 1
    count = min(len(known), _MAX_SETS)
    new: list[frozenset[int]] = []
    now, chosen = np.array(sorted(clues), dtype=np.int64), np.zeros(3, dtype=np.int64)
    while perf_counter() < deadline and len(now) > least:
        drop = 2 if rng.random() < 0.5 else 1
        if not _replacement(rng, now, table, count, drop, chosen, _STEPS // (20 if drop == 2 else 1)):
            continue
        trial = np.array(sorted({*now.tolist(), int(chosen[2])} - set(chosen[:drop].tolist())), dtype=np.int64)
        line = np.zeros((1, 81), dtype=np.uint8)
        line[0, trial] = cells[trial]
        counts, grids = solve_lines(line, 2)
        if counts[0] == 1:
            now = trial
            continue
        other = next(grid for grid in grids[0] if (grid != cells).any())
        members = frozenset(np.flatnonzero(other != cells).tolist())
        new.append(members)
        if count == _MAX_SETS:  # forget one of the sets that were met on the way
            place = int(rng.integers(len(known) // 2, _MAX_SETS))
        else:
            place, count = count, count + 1
        table[place] = 0
        table[place, sorted(members)] = 1
    return set(now.tolist()), [members for members in dict.fromkeys(new) if len(members) <= 18]
