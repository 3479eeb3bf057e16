"""Well-formed crossover, the paper's wish: a part of the father that fits is transplanted, and the rest is mended."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.crossover import crossover_size, region_crossover
from operators.holes import is_framed
from operators.lattice import Lattice
from operators.population import Population, Scratch, copy_individual, evaluate_anew
from operators.randomness import uniform
from operators.refill import fill_holes
from operators.variation import Variation
from operators.well_formed_parts import WellFormed, choose_rectangle, gain_of, grow_component, list_differing
from puzzles import EMPTY
from puzzles.compiled import inlined


@inlined
def cross_over(
    rng: np.random.Generator,
    lattice: Lattice,
    variation: Variation,
    weights: NDArray[np.int64],
    mothers: Population,
    mother: int,
    fathers: Population,
    father: int,
    children: Population,
    child: int,
    scratch: Scratch,
) -> None:
    """Write the evaluated child of two parents into `children`, by the crossover that `variation` chooses."""
    if not well_formed_crossover(
        rng, lattice, variation, weights, mothers, mother, fathers, father, children, child, scratch,
        variation.well_formed,
    ):  # fmt: skip
        region_crossover(rng, lattice, variation, weights, mothers, mother, fathers, father, children, child, scratch)


@inlined
def well_formed_crossover(
    rng: np.random.Generator,
    lattice: Lattice,
    variation: Variation,
    weights: NDArray[np.int64],
    mothers: Population,
    mother: int,
    fathers: Population,
    father: int,
    children: Population,
    child: int,
    scratch: Scratch,
    how: WellFormed | None,
) -> bool:
    """Write the evaluated child of two parents into `children`; return False, and do nothing, if `how` is None.

    Of several parts of the father, fully matched components or rectangles, the one is transplanted with which the most
    edges of the mother would match. It takes tiles away from elsewhere in the mother; these holes are filled by
    assignment with the tiles that lost their cell. A valid frame of both parents stays valid, and pinned tiles stay.
    """
    if how is None:
        return False
    copy_individual(mothers, mother, children, child)
    ours, theirs = mothers.cells[mother], fathers.cells[father]
    count = _best_part(rng, lattice, variation, ours, theirs, how)
    if count == 0:
        return True
    cells, spare, spare_count = children.cells[child], scratch.spare, 0
    for k in range(count):
        how.inside[how.best[k]] = True
    for k in range(count):
        cell = how.best[k]
        was_at = mothers.places[mother][theirs[cell] >> 2]
        if not how.inside[was_at]:
            cells[was_at] = EMPTY
        if not how.inside[fathers.places[father][ours[cell] >> 2]]:
            spare[spare_count] = ours[cell]
            spare_count += 1
    for k in range(count):
        cells[how.best[k]] = theirs[how.best[k]]
        how.inside[how.best[k]] = False
    framed = is_framed(lattice, ours) and is_framed(lattice, theirs)
    fill_holes(rng, lattice, framed, cells, spare, spare_count, how.refill)
    evaluate_anew(lattice, weights, children, child)
    return True


@inlined
def _best_part(
    rng: np.random.Generator,
    lattice: Lattice,
    variation: Variation,
    mother: NDArray[np.uint16],
    father: NDArray[np.uint16],
    how: WellFormed,
) -> int:
    """Put the cells of the best of several parts of the father into `how.best`; return their number."""
    differing = list_differing(mother, father, how.differing)
    if differing == 0:
        return 0
    components, best, most = uniform(rng) < how.components, 0, 0
    for attempt in range(how.tries):
        height, width = crossover_size(rng, variation)
        if components:
            count = grow_component(rng, lattice, mother, father, differing, height * width, how)
        else:
            count = choose_rectangle(rng, lattice, height, width, how)
        gain = gain_of(lattice, mother, father, count, how)
        for k in range(count):
            how.inside[how.chosen[k]] = False
        if attempt == 0 or gain > most:
            best, most = count, gain
            for k in range(count):
                how.best[k] = how.chosen[k]
    return best
