"""The two fitness functions (section III-E), as integers so that no comparison depends on rounding.

Both are to be minimised, and 0 is a solved board:

- normal: maximum score minus score (equation 4);
- combined: 1 minus the mean of the three objectives, each divided by its maximum (equation 5), times a common
  denominator. For Eternity II (480, 225, 256) that is 3 * 57,600.

The maxima are those that the paper prints, of all edges. If fewer count (`operators.counting`), a solved board has the
lowest fitness, but not 0.
"""

from __future__ import annotations

from math import lcm

import numpy as np
from numpy.typing import NDArray

from operators.errors import OperatorError
from puzzles import Puzzle

FITNESSES = ("normal", "combined")


def fitness_weights(puzzle: Puzzle, fitness: str) -> NDArray[np.int64]:
    """Return the weights of score, blocks and complete tiles, and the constant that they are subtracted from."""
    if fitness not in FITNESSES:
        raise OperatorError(f"fitness {fitness!r} is not one of {', '.join(FITNESSES)}")
    maxima = (puzzle.max_score, puzzle.max_blocks, puzzle.size)
    if fitness == "normal":
        return np.array([1, 0, 0, puzzle.max_score])
    common = lcm(*(maximum for maximum in maxima if maximum))  # a board one cell wide has no blocks
    weights = [common // maximum if maximum else 0 for maximum in maxima]
    return np.array([*weights, common * sum(maximum > 0 for maximum in maxima)])
