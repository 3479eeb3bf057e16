"""Tournament selection. Fitness is minimised; of equals, the first one drawn wins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.randomness import below
from puzzles.compiled import inlined

WITH_REPLACEMENT = np.zeros(0, dtype=np.int64)
"""Argument for tournaments that may draw an individual more than once."""


@inlined
def tournament_best(
    rng: np.random.Generator, fitness: NDArray[np.int64], size: int, drawn: NDArray[np.int64] = WITH_REPLACEMENT
) -> int:
    """Return the fittest of `size` individuals drawn at random. Size 1 is a uniform choice.

    Args:
        rng: Source of randomness.
        fitness: To be minimised.
        size: Number of individuals to draw.
        drawn: WITH_REPLACEMENT, or an array of `size` entries to draw without replacement.
    """
    best = _draw(rng, len(fitness), drawn, 0)
    for k in range(1, size):
        other = _draw(rng, len(fitness), drawn, k)
        if fitness[other] < fitness[best]:
            best = other
    return best


@inlined
def tournament_worst(
    rng: np.random.Generator, fitness: NDArray[np.int64], size: int, drawn: NDArray[np.int64] = WITH_REPLACEMENT
) -> int:
    """Return the least fit of `size` individuals drawn at random; the arguments are those of `tournament_best`."""
    worst = _draw(rng, len(fitness), drawn, 0)
    for k in range(1, size):
        other = _draw(rng, len(fitness), drawn, k)
        if fitness[other] > fitness[worst]:
            worst = other
    return worst


@inlined
def _draw(rng: np.random.Generator, limit: int, drawn: NDArray[np.int64], count: int) -> int:
    """Return a random number below a limit; unless `drawn` is empty, not one of its first `count` entries."""
    number = below(rng, limit)
    if len(drawn):
        while _contains(drawn, count, number):
            number = below(rng, limit)
        drawn[count] = number
    return number


@inlined
def _contains(numbers: NDArray[np.int64], count: int, number: int) -> bool:
    found = False
    for k in range(count):
        found |= numbers[k] == number
    return found
