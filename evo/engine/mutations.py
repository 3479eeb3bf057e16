"""Mixtures of mutations, compiled: each mutation of an individual is drawn by its share.

A mutation is a compiled function that changes the cells of a board. To add one: a field of `MutationMixture`, a number
and a branch of `mutate_by` here, and, if it needs tables or working memory, a field of `Mutations` that is None where
the mixture does without it. A function with an argument of type None is compiled to nothing, so that a run compiles
only what its mixture contains.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evo.engine.prefix import Prefix, rebuild_rest
from evo.settings.mutations import MutationMixture
from operators.directed import directed_exchange, directed_rotation
from operators.lattice import Lattice
from operators.mutation import region_exchange, region_rotation
from operators.population import Population, evaluate_anew
from operators.randomness import uniform
from operators.rebuild import Rebuild, rebuild
from operators.variation import Variation
from puzzles.compiled import inlined, jit

EXCHANGE, ROTATION, DIRECTED_EXCHANGE, DIRECTED_ROTATION, REBUILD, PREFIX = range(6)
"""The numbers of the mutations: their places in `evo.settings.mutations.MUTATIONS`."""


class Mutations(NamedTuple):
    """A mixture of mutations, with what they need besides the board."""

    bounds: NDArray[np.float64]
    """By mutation, the sum of its share and those before it."""
    misfits: NDArray[np.int32] | None
    """Working memory of the directed mutations."""
    rebuild: Rebuild | None
    prefix: Prefix | None


def make_mutations(
    mixture: MutationMixture,
    misfits: NDArray[np.int32] | None = None,
    rebuild: Rebuild | None = None,
    prefix: Prefix | None = None,
) -> Mutations:
    """Return a mixture for compiled code, with the tables of the mutations in it that need some."""
    bounds = np.cumsum(list(mixture.shares.values()))
    bounds[bounds > 1 - 1e-9] = 1.0  # nothing is left to rounding: a draw is below the last bound
    return Mutations(bounds, misfits, rebuild, prefix)


@inlined
def mutate_some(
    rng: np.random.Generator,
    lattice: Lattice,
    variation: Variation,
    weights: NDArray[np.int64],
    mutations: Mutations,
    population: Population,
    individual: int,
    times: int,
) -> None:
    """Mutate an individual a number of times, each time by a mutation drawn from the mixture, and evaluate it."""
    cells = population.cells[individual]
    for _ in range(times):
        mutate_by(rng, lattice, variation, mutations, drawn_mutation(rng, mutations), cells)
    evaluate_anew(lattice, weights, population, individual)


@inlined
def drawn_mutation(rng: np.random.Generator, mutations: Mutations) -> int:
    """Return the number of a mutation, drawn by the shares."""
    draw, kind = uniform(rng), 0
    while draw >= mutations.bounds[kind]:
        kind += 1
    return kind


@inlined
def mutate_by(
    rng: np.random.Generator,
    lattice: Lattice,
    variation: Variation,
    mutations: Mutations,
    kind: int,
    cells: NDArray[np.uint16],
) -> None:
    """Change the cells of a board by the mutation of a given number."""
    if kind == EXCHANGE:
        region_exchange(rng, lattice, variation, cells)
    elif kind == ROTATION:
        region_rotation(rng, lattice, variation, cells)
    elif kind == DIRECTED_EXCHANGE:
        directed_exchange(rng, lattice, variation, cells, mutations.misfits)
    elif kind == DIRECTED_ROTATION:
        directed_rotation(rng, lattice, variation, cells, mutations.misfits)
    elif kind == REBUILD:
        rebuild(rng, lattice, cells, mutations.rebuild)
    else:
        rebuild_rest(rng, cells, mutations.prefix)


@jit
def mutate_one_by(
    rng: np.random.Generator,
    lattice: Lattice,
    variation: Variation,
    weights: NDArray[np.int64],
    mutations: Mutations,
    kind: int,
    population: Population,
    individual: int,
) -> None:
    """Mutate an individual once by the mutation of a given number, and evaluate it."""
    mutate_by(rng, lattice, variation, mutations, kind, population.cells[individual])
    evaluate_anew(lattice, weights, population, individual)
