"""Near copies kept out of a population: whom a child replaces in a steady state, and which individuals are an elite."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.bits import popcount, unequal_cells
from operators.population import Population
from puzzles.compiled import inlined, jit

NOBODY, ANYBODY = -1, -2
"""What stands for a rejected child, and for one that may replace any individual."""
_PART = 16
"""The number of cells that are compared at a time."""


class Replacement(NamedTuple):
    """Options of `replaced_by` and `replaced_copy`."""

    apart: int
    """The least number of cells in which a child must differ from boards of like score; 0 for any child."""
    like: int
    """The greatest difference between like scores."""
    parent_only: bool
    """Whether a child can replace its own parent only."""


@jit
def replaced_by(population: Population, parent: int, child: Population, how: Replacement) -> int:
    """Return the individual that a child replaces, or NOBODY if the child is rejected.

    A near copy replaces what `replaced_copy` says. Any other child replaces the least fit individual unless that is
    fitter. Of equals, the first one counts.

    Args:
        population: The population.
        parent: The individual that was varied.
        child: A population of one.
        how: The options.
    """
    fitness, own = population.fitness, child.fitness[0]
    if how.parent_only:
        return parent if own <= fitness[parent] else NOBODY
    copied = replaced_copy(population, child, how)
    if copied != ANYBODY:
        return copied
    worst = 0
    for individual in range(1, len(fitness)):
        if fitness[individual] > fitness[worst]:
            worst = individual
    return worst if own <= fitness[worst] else NOBODY


@inlined
def replaced_copy(population: Population, child: Population, how: Replacement) -> int:
    """Return the individual that a near copy replaces, NOBODY if it is rejected, ANYBODY if a child is no near copy.

    A child nearer than `apart` cells to a board of like score is a near copy: it replaces the nearest such board if it
    is fitter, or as fit and different, and is rejected otherwise. Of equals, the first one counts.

    Args:
        population: The population.
        child: A population of one.
        how: The options.
    """
    if how.apart == 0:
        return ANYBODY
    nearest, distance = _nearest(population, child, how)
    if nearest == NOBODY:
        return ANYBODY
    own, fitness = child.fitness[0], population.fitness[nearest]
    return nearest if own < fitness or (own == fitness and distance > 0) else NOBODY


@jit
def without_copies(
    cells: NDArray[np.uint16],
    objectives: NDArray[np.int32],
    order: NDArray[np.int64],
    count: int,
    apart: int,
    like: int,
) -> NDArray[np.int64]:
    """Return the first individuals of an order, passing over near copies of those that are returned already.

    Args:
        cells: The cells of each individual.
        objectives: The objectives of each individual; the first one is the score.
        order: The individuals to choose from, the best first.
        count: The number of individuals to return; fewer if there are no more.
        apart: The least number of cells in which individuals of like score must differ.
        like: The greatest difference between like scores.
    """
    kept, found = np.empty(count, dtype=np.int64), 0
    for individual in order:
        if found == count:
            break
        differs = True
        for k in range(found):
            if abs(objectives[individual, 0] - objectives[kept[k], 0]) <= like:
                differs &= _differing(cells[individual], cells[kept[k]], apart) >= apart
        if differs:
            kept[found] = individual
            found += 1
    return kept[:found]


@inlined
def _nearest(population: Population, child: Population, how: Replacement) -> tuple[int, int]:
    """Return the nearest board of like score that is nearer than `apart`, or NOBODY, and the distance."""
    nearest, bound, score = NOBODY, how.apart, child.objectives[0, 0]
    for individual in range(len(population.fitness)):
        if abs(population.objectives[individual, 0] - score) <= how.like:
            distance = _differing(population.cells[individual], child.cells[0], bound)
            if distance < bound:
                nearest, bound = individual, distance
    return nearest, bound


@inlined
def _differing(one: NDArray[np.uint16], other: NDArray[np.uint16], bound: int) -> int:
    """Return the number of cells in which two boards differ, or any number from `bound` on."""
    count, cell = 0, 0
    while cell + _PART <= len(one) and count < bound:
        count += popcount(unequal_cells(one, other, cell))
        cell += _PART
    while cell < len(one) and count < bound:
        count += one[cell] != other[cell]
        cell += 1
    return count
