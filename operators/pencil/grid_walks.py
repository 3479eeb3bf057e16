"""The compiled walks of local searches on Sudoku and Battleship candidates."""

from __future__ import annotations

from math import exp

import numpy as np
from numpy.typing import NDArray

from operators.pencil.grid import Grid, mutate, score
from operators.randomness import below, uniform
from puzzles.compiled import jit

NOW, CURRENT, BEST, MOVES = range(4)
"""Indices of the numbers of a walk: evaluations, the scores of the current and the best candidate, moves."""


@jit
def anneal(
    rng: np.random.Generator,
    grid: Grid,
    cells: NDArray[np.uint16],
    numbers: NDArray[np.int64],
    limit: int,
    most: int,
    hottest: float,
    fall: float,
    cycle: int,
) -> None:
    """Make steps of simulated annealing, until a solution is found or the limit is reached.

    Args:
        rng: The source of randomness.
        grid: The puzzle.
        cells: The current and the best candidate.
        numbers: The counters.
        limit: The number of steps.
        most: The score of a solution.
        hottest: The temperature at the beginning of a cycle.
        fall: The logarithm of the coldest temperature over the hottest.
        cycle: The number of evaluations of a cycle.
    """
    trial = np.empty_like(cells[0])
    for _ in range(limit):
        if numbers[BEST] == most:
            return
        temperature = hottest * exp(fall * ((numbers[NOW] % cycle) / cycle))
        trial[:] = cells[0]
        mutate(rng, grid, trial, 1)
        found = score(grid, trial)
        numbers[NOW] += 1
        if found >= numbers[CURRENT] or uniform(rng) < exp((found - numbers[CURRENT]) / temperature):
            cells[0] = trial
            numbers[CURRENT] = found
            if found > numbers[BEST]:
                numbers[BEST] = found
                cells[1] = trial


@jit
def tabu(
    rng: np.random.Generator,
    grid: Grid,
    cells: NDArray[np.uint16],
    numbers: NDArray[np.int64],
    until: NDArray[np.int64],
    limit: int,
    most: int,
    candidates: int,
    least: int,
    longest: int,
) -> None:
    """Make moves of tabu search, until a solution is found or the limit is reached.

    A candidate is tabu if every cell that it changes takes back a value that has left it lately, unless the candidate
    is the best so far. If all are tabu, the best of them is made.

    Args:
        rng: The source of randomness.
        grid: The puzzle.
        cells: The current and the best candidate.
        numbers: The counters.
        until: For each cell and value, the move before which the value may not return.
        limit: The number of evaluations.
        most: The score of a solution.
        candidates: The number of candidates of which one is chosen.
        least: The fewest moves for which a value may not return.
        longest: The most moves.
    """
    trial, chosen = np.empty_like(cells[0]), np.empty_like(cells[0])
    while limit > 0 and numbers[BEST] < most:
        top = top_free = -1
        for _ in range(min(candidates, limit)):
            trial[:] = cells[0]
            mutate(rng, grid, trial, 1)
            found = score(grid, trial)
            changed, free = False, found > numbers[BEST]
            for cell in range(len(trial)):
                if trial[cell] != cells[0, cell]:
                    changed = True
                    free = free or until[cell, trial[cell]] <= numbers[MOVES]
            if changed and ((free and found > top_free) or (top_free < 0 and found > top)):
                chosen[:] = trial
                top = found
                if free:
                    top_free = found
        numbers[NOW] += min(candidates, limit)
        limit -= min(candidates, limit)
        numbers[MOVES] += 1
        if top < 0:  # no candidate differs
            continue
        tenure = least + below(rng, longest - least + 1)
        for cell in range(len(chosen)):
            if chosen[cell] != cells[0, cell]:
                until[cell, cells[0, cell]] = numbers[MOVES] + tenure
                cells[0, cell] = chosen[cell]
        numbers[CURRENT] = top
        if top > numbers[BEST]:
            numbers[BEST] = top
            cells[1] = chosen
