"""The compiled loops of the engine for Sudoku and Battleship: generations, and steps of clonal selection."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evo.engine.grid_problem import GridPopulation
from evo.engine.native_kernels import clone_mutations, make_tree, update_tree
from operators.pencil.grid import Grid, cross, fill, mutate, score
from operators.selection import tournament_best, tournament_worst
from puzzles.compiled import inlined, jit


@inlined
def evaluate(grid: Grid, most: int, population: GridPopulation, individual: int) -> None:
    """Compute the score and the fitness of an individual."""
    found = score(grid, population.cells[individual])
    population.objectives[individual, 0] = found
    population.fitness[individual] = most - found


@jit
def evaluate_all(grid: Grid, most: int, population: GridPopulation) -> None:
    """Compute the score and the fitness of every individual."""
    for individual in range(len(population.fitness)):
        evaluate(grid, most, population, individual)


@jit
def fill_all(rng: np.random.Generator, grid: Grid, population: GridPopulation) -> None:
    """Fill every individual at random."""
    for individual in range(len(population.fitness)):
        fill(rng, grid, population.cells[individual])


@inlined
def copy_one(source: GridPopulation, original: int, target: GridPopulation, copy: int) -> None:
    """Copy everything about an individual into another population."""
    for k in range(source.cells.shape[1]):
        target.cells[copy, k] = source.cells[original, k]
    target.objectives[copy, 0] = source.objectives[original, 0]
    target.fitness[copy] = source.fitness[original]


@jit
def breed(
    rng: np.random.Generator,
    grid: Grid,
    most: int,
    parents: GridPopulation,
    children: GridPopulation,
    start: int,
    stop: int,
    rank: NDArray[np.int64],
    tournament: int,
    crossing: bool,
) -> None:
    """Make the children `start` to `stop` of parents selected by tournament: by crossover, or mutated copies."""
    for child in range(start, stop):
        mother = tournament_best(rng, rank, tournament)
        if crossing:
            father = tournament_best(rng, rank, tournament)
            cross(rng, grid, parents.cells[mother], parents.cells[father], children.cells[child])
        else:
            copy_one(parents, mother, children, child)
            mutate(rng, grid, children.cells[child], 1)
        evaluate(grid, most, children, child)


@jit
def clonal_selection(
    rng: np.random.Generator,
    grid: Grid,
    most: int,
    population: GridPopulation,
    best: GridPopulation,
    steps: int,
    tournament: int,
    fewest_mutations: int,
    most_mutations: int,
) -> None:
    """Run lines 8 to 17 of Algorithm 2 a number of times."""
    fitness = population.fitness
    clone = GridPopulation(
        np.empty_like(population.cells[:1]),
        np.empty_like(population.objectives[:1]),
        np.empty_like(population.fitness[:1]),
    )
    least, greatest = make_tree(fitness), make_tree(-fitness)
    for _ in range(steps):
        individual = tournament_best(rng, fitness, tournament)
        copy_one(population, individual, clone, 0)
        times = clone_mutations(fitness[individual], least[1], -greatest[1], fewest_mutations, most_mutations)
        mutate(rng, grid, clone.cells[0], times)
        evaluate(grid, most, clone, 0)
        if clone.objectives[0, 0] > best.objectives[0, 0]:
            copy_one(clone, 0, best, 0)
        removed = tournament_worst(rng, fitness, tournament)
        copy_one(clone, 0, population, removed)
        update_tree(least, removed, fitness[removed])
        update_tree(greatest, removed, -fitness[removed])
