"""Tournament selection. Fitness is minimised; of equals, the first one drawn is taken."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.variation import below
from puzzles._numba import inlined


@inlined
def tournament_best(rng: np.random.Generator, fitness: NDArray[np.int64], size: int) -> int:
    """The fittest of `size` individuals drawn at random, with replacement. Size 1 is a uniform choice."""
    best = below(rng, len(fitness))
    for _ in range(size - 1):
        other = below(rng, len(fitness))
        if fitness[other] < fitness[best]:
            best = other
    return best


@inlined
def tournament_worst(rng: np.random.Generator, fitness: NDArray[np.int64], size: int) -> int:
    """The least fit of `size` individuals drawn at random, with replacement."""
    worst = below(rng, len(fitness))
    for _ in range(size - 1):
        other = below(rng, len(fitness))
        if fitness[other] > fitness[worst]:
            worst = other
    return worst
