"""Mutations aimed at mismatches: the paper's region exchange and rotation, of a region around an unmatched cell."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.lattice import Lattice
from operators.misfits import random_misfit
from operators.mutation import exchange_around, rotate_around
from operators.variation import Variation
from puzzles.compiled import inlined


@inlined
def directed_exchange(
    rng: np.random.Generator,
    lattice: Lattice,
    variation: Variation,
    cells: NDArray[np.uint16],
    misfits: NDArray[np.int32] | None,
) -> None:
    """Exchange a rectangle that contains a random unmatched cell with another one; `misfits` is working memory."""
    if misfits is not None:
        exchange_around(rng, lattice, variation, cells, random_misfit(rng, lattice, cells, misfits))


@inlined
def directed_rotation(
    rng: np.random.Generator,
    lattice: Lattice,
    variation: Variation,
    cells: NDArray[np.uint16],
    misfits: NDArray[np.int32] | None,
) -> None:
    """Rotate a square region that contains a random unmatched cell; `misfits` is working memory."""
    if misfits is not None:
        rotate_around(rng, lattice, variation, cells, random_misfit(rng, lattice, cells, misfits))
