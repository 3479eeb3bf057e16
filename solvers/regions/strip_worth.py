"""What a tile is worth keeping for later strips: one with rare colours is worth little."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.randomness import uniform
from puzzles.compiled import jit
from solvers.regions.ground import Ground


@jit
def rarity(ground: Ground, used: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return, for each unused tile, how many sides of unused tiles have the colours of its sides; 0 for the others."""
    left, worth = np.zeros(ground.colours), np.zeros(len(used))
    for tile in range(len(used)):
        for side in range(4):
            left[ground.sides[side, 4 * tile]] += not used[tile]
    left[0] = 0
    for tile in range(len(used)):
        for side in range(4):
            if not used[tile]:
                worth[tile] += left[ground.sides[side, 4 * tile]]
    return worth


@jit
def sort_by_rarity(rng: np.random.Generator, ground: Ground, used: NDArray[np.bool_], order: NDArray[np.int32]) -> None:
    """Sort tiles so that those with rare colours come first, with some chance."""
    worth = rarity(ground, used)
    key, most = np.zeros(len(order)), max(1.0, worth.max())
    for one in range(len(order)):
        key[one] = worth[one >> 2] / most + 0.1 * uniform(rng)
    order[:] = np.argsort(key)
