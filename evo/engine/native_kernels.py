"""The compiled loops of the native engine: whole generations, and steps of clonal selection."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evo.engine.mutations import Mutations, mutate_some
from operators.lattice import Lattice
from operators.lexicase import Lexicase, select_parent
from operators.neighbourhood import NeighbourhoodScratch
from operators.population import Population, Scratch, copy_individual
from operators.randomness import uniform
from operators.repair import Repair, repair
from operators.replacement import ANYBODY, NOBODY, Replacement, replaced_by, replaced_copy
from operators.selection import tournament_worst
from operators.variation import Variation
from operators.well_formed import cross_over
from puzzles.compiled import inlined, jit


@jit
def copy_individuals(source: Population, individuals: NDArray[np.int64], target: Population, first: int) -> None:
    """Copy individuals to consecutive places of another population."""
    for k in range(len(individuals)):
        copy_individual(source, individuals[k], target, first + k)


@jit
def repair_individuals(
    rng: np.random.Generator,
    lattice: Lattice,
    weights: NDArray[np.int64],
    how: Repair,
    population: Population,
    individuals: NDArray[np.int64],
    neighbourhood: NeighbourhoodScratch,
) -> None:
    """Repair individuals of a population, one after another."""
    for individual in individuals:
        repair(rng, lattice, weights, how, population, individual, neighbourhood)


@jit
def breed_by_crossover(
    rng: np.random.Generator,
    lattice: Lattice,
    variation: Variation,
    weights: NDArray[np.int64],
    parents: Population,
    children: Population,
    start: int,
    stop: int,
    rank: NDArray[np.int64],
    tournament: int,
    partner_tournament: int,
    distinct: bool,
    scratch: Scratch,
    lexicase: Lexicase | None,
) -> None:
    """Make the children `start` to `stop`, each from two parents selected by tournament."""
    for child in range(start, stop):
        mother = select_parent(rng, parents, rank, tournament, scratch.drawn, lexicase)
        father = select_parent(rng, parents, rank, partner_tournament, scratch.drawn, lexicase)
        while distinct and father == mother:
            father = select_parent(rng, parents, rank, partner_tournament, scratch.drawn, lexicase)
        cross_over(
            rng, lattice, variation, weights, parents, mother, parents, father, children, child, scratch
        )  # fmt: skip


@jit
def breed_by_mutation(
    rng: np.random.Generator,
    lattice: Lattice,
    variation: Variation,
    weights: NDArray[np.int64],
    mutations: Mutations,
    parents: Population,
    children: Population,
    start: int,
    stop: int,
    rank: NDArray[np.int64],
    tournament: int,
    scratch: Scratch,
    lexicase: Lexicase | None,
) -> None:
    """Make the children `start` to `stop`, each a mutated copy of an individual selected by tournament."""
    for child in range(start, stop):
        original = select_parent(rng, parents, rank, tournament, scratch.drawn, lexicase)
        copy_individual(parents, original, children, child)
        mutate_some(rng, lattice, variation, weights, mutations, children, child, 1)


@jit
def make_clone(
    rng: np.random.Generator,
    lattice: Lattice,
    variation: Variation,
    weights: NDArray[np.int64],
    mutations: Mutations,
    population: Population,
    clone: Population,
    tournament: int,
    least: int,
    greatest: int,
    fewest: int,
    most: int,
    scratch: Scratch,
    lexicase: Lexicase | None,
) -> None:
    """Copy the best of a tournament and mutate the copy (lines 8 to 10 of Algorithm 2)."""
    individual = select_parent(rng, population, population.fitness, tournament, scratch.drawn, lexicase)
    copy_individual(population, individual, clone, 0)
    times = clone_mutations(population.fitness[individual], least, greatest, fewest, most)
    mutate_some(rng, lattice, variation, weights, mutations, clone, 0, times)


@jit
def admit_clone(
    rng: np.random.Generator,
    population: Population,
    best: Population,
    clone: Population,
    tournament: int,
    replacement: Replacement,
    scratch: Scratch,
) -> int:
    """Let a clone replace the worst of a tournament; return the place (lines 11 to 17 of Algorithm 2).

    A near copy replaces what `replaced_copy` says, which may be NOBODY.
    """
    if clone.objectives[0, 0] > best.objectives[0, 0]:
        copy_individual(clone, 0, best, 0)
    removed = replaced_copy(population, clone, replacement)
    if removed == ANYBODY:
        removed = tournament_worst(rng, population.fitness, tournament, scratch.drawn)
    if removed != NOBODY:
        copy_individual(clone, 0, population, removed)
    return removed


@jit
def clonal_selection(
    rng: np.random.Generator,
    lattice: Lattice,
    variation: Variation,
    weights: NDArray[np.int64],
    mutations: Mutations,
    population: Population,
    best: Population,
    clone: Population,
    steps: int,
    tournament: int,
    fewest: int,
    most: int,
    replacement: Replacement,
    scratch: Scratch,
    lexicase: Lexicase | None,
    how: Repair,
    neighbourhood: NeighbourhoodScratch,
) -> int:
    """Run lines 8 to 17 of Algorithm 2 a number of times; return how many clones were repaired."""
    repaired = 0
    fitness = population.fitness
    least, greatest = make_tree(fitness), make_tree(-fitness)
    for _ in range(steps):
        make_clone(
            rng, lattice, variation, weights, mutations, population, clone, tournament, least[1], -greatest[1], fewest,
            most, scratch, lexicase,
        )  # fmt: skip
        if how.moves and uniform(rng) < how.share:
            repair(rng, lattice, weights, how, clone, 0, neighbourhood)
            repaired += 1
        removed = admit_clone(rng, population, best, clone, tournament, replacement, scratch)
        if removed != NOBODY:
            update_tree(least, removed, fitness[removed])
            update_tree(greatest, removed, -fitness[removed])
    return repaired


@jit
def breed_steadily(
    rng: np.random.Generator,
    lattice: Lattice,
    variation: Variation,
    weights: NDArray[np.int64],
    mutations: Mutations,
    population: Population,
    best: Population,
    steps: int,
    idle: int,
    tournament: int,
    crossover: float,
    replacement: Replacement,
    scratch: Scratch,
    lexicase: Lexicase | None,
    how: Repair,
    neighbourhood: NeighbourhoodScratch,
) -> tuple[int, int]:
    """Make children one by one in a steady state; return how many were repaired, and how many came since a fitter one.

    `idle` is the latter number before these children.
    """
    repaired, fitness = 0, population.fitness
    least = fitness.min()
    child = Population(
        np.empty_like(population.cells[:1]),
        np.empty_like(population.places[:1]),
        np.empty_like(population.edges[:1]),
        np.empty_like(population.objectives[:1]),
        np.empty_like(population.fitness[:1]),
    )
    for _ in range(steps):
        mother = select_parent(rng, population, fitness, tournament, scratch.drawn, lexicase)
        if crossover > 0 and uniform(rng) < crossover:
            father = select_parent(rng, population, fitness, tournament, scratch.drawn, lexicase)
            cross_over(rng, lattice, variation, weights, population, mother, population, father, child, 0, scratch)
        else:
            copy_individual(population, mother, child, 0)
            mutate_some(rng, lattice, variation, weights, mutations, child, 0, 1)
        if how.moves and uniform(rng) < how.share:
            repair(rng, lattice, weights, how, child, 0, neighbourhood)
            repaired += 1
        if child.objectives[0, 0] > best.objectives[0, 0]:
            copy_individual(child, 0, best, 0)
        idle += 1
        replaced = replaced_by(population, mother, child, replacement)
        if replaced != NOBODY:
            copy_individual(child, 0, population, replaced)
            if child.fitness[0] < least:
                least, idle = child.fitness[0], 0
    return repaired, idle


@inlined
def clone_mutations(fitness: float, least: float, greatest: float, fewest: int, most: int) -> int:
    """Return how often a clone is mutated: in proportion to where its fitness lies between the best and the worst."""
    if greatest == least:
        return fewest
    span = greatest - least
    return fewest + int((2 * (fitness - least) * (most - fewest) + span) // (2 * span))  # rounded to the nearest


@jit
def make_tree(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a tree of minima: entry 1 is the minimum, and a value is changed in as many steps as there are levels."""
    size = len(values)
    tree = np.empty(2 * size, dtype=np.int64)
    tree[size:] = values
    for node in range(size - 1, 0, -1):
        tree[node] = min(tree[2 * node], tree[2 * node + 1])
    return tree


@inlined
def update_tree(tree: NDArray[np.int64], place: int, value: int) -> None:
    """Change one value of a tree of minima."""
    node = place + len(tree) // 2
    tree[node] = value
    while node > 1:
        node //= 2
        smaller = min(tree[2 * node], tree[2 * node + 1])
        if tree[node] == smaller:
            break
        tree[node] = smaller
