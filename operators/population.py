"""`Population`: many boards as a structure of arrays, with derived data that makes varying and scoring them cheap."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from operators.errors import OperatorError
from operators.lattice import Lattice, count_objectives, set_all_edges
from puzzles import EMPTY
from puzzles.compiled import inlined, jit


class Population(NamedTuple):
    """Individuals as a structure of arrays: row i of each array belongs to individual i."""

    cells: NDArray[np.uint16]
    """`tile * 4 + rotation` of each cell, row by row, followed by an entry for the wall."""
    places: NDArray[np.uint16]
    """The cell of each tile: the inverse of `cells`, so that a tile is found without searching."""
    edges: NDArray[np.uint64]
    """Which edges match; see `operators.lattice`."""
    objectives: NDArray[np.int32]
    """Score, 2x2 blocks, complete tiles."""
    fitness: NDArray[np.int64]
    """To be minimised; 0 is a solved board."""

    @property
    def size(self) -> int:
        """The number of individuals."""
        return len(self.fitness)


class Scratch(NamedTuple):
    """Working memory of the operators, allocated once and reused."""

    changed: NDArray[np.int32]
    """The cells that a crossover changed."""
    holes: NDArray[np.int32]
    spare: NDArray[np.uint16]
    drawn: NDArray[np.int64]
    """The participants of a tournament without replacement; empty for tournaments with replacement."""


def make_population(lattice: Lattice, size: int) -> Population:
    """Return a population whose boards are still to be written."""
    tiles = lattice.rows * lattice.cols
    places = np.uint8 if tiles <= 256 else np.uint16  # small types are fast: an individual is copied for every child
    cells = np.zeros((size, tiles + 1), dtype=np.uint16)
    cells[:, tiles] = 4 * tiles
    return Population(
        cells,
        np.zeros((size, tiles), dtype=places),
        np.zeros((size, 2, lattice.counted.shape[1]), dtype=np.uint64),
        np.zeros((size, 3), dtype=np.int32),
        np.zeros(size, dtype=np.int64),
    )


def make_scratch(lattice: Lattice, distinct: int = 0) -> Scratch:
    """Return working memory for boards of this size, and for tournaments of `distinct` different individuals."""
    tiles = lattice.rows * lattice.cols
    drawn = np.zeros(distinct, dtype=np.int64)
    return Scratch(np.zeros(tiles, np.int32), np.zeros(tiles, np.int32), np.zeros(tiles, np.uint16), drawn)


def boards_of(lattice: Lattice, population: Population) -> NDArray[np.uint16]:
    """Return the boards as a view of shape (size, rows, cols); writing to it changes the individuals' cells."""
    view = population.cells[:, :-1]
    return np.lib.stride_tricks.as_strided(
        view, (population.size, lattice.rows, lattice.cols), (view.strides[0], 2 * lattice.cols, 2)
    )


def population_of(lattice: Lattice, boards: ArrayLike, weights: NDArray[np.int64]) -> Population:
    """Return an evaluated population of given boards.

    Raises:
        OperatorError: A board has the wrong shape, or does not contain every tile exactly once.
    """
    matrices = np.asarray(boards)
    population = make_population(lattice, len(matrices))
    flat = matrices.reshape(len(matrices), -1)
    if flat.shape[1] != lattice.rows * lattice.cols or (flat == EMPTY).any():
        raise OperatorError("individuals must be complete boards of the lattice's shape")
    if (np.sort(flat // 4, axis=1) != np.arange(flat.shape[1])).any():
        raise OperatorError("an individual does not contain every tile exactly once")
    population.cells[:, :-1] = flat
    evaluate_all(lattice, weights, population)
    return population


@jit
def is_whole(lattice: Lattice, population: Population, individual: int) -> bool:
    """Return whether an individual has every tile once and the pinned tiles in their cells; also compute its places."""
    cells, places = population.cells[individual], population.places[individual]
    tiles = len(places)
    for cell in range(tiles):
        if cells[cell] >= 4 * tiles or (lattice.pinned[cell] and cells[cell] != lattice.pins[cell]):
            return False
        places[cells[cell] >> 2] = cell
    whole = True
    for tile in range(tiles):
        whole &= cells[places[tile]] >> 2 == tile
    return whole


@jit
def all_whole(lattice: Lattice, population: Population) -> bool:
    """Return whether every individual is whole; see `is_whole`."""
    whole = True
    for individual in range(len(population.fitness)):
        whole = whole and is_whole(lattice, population, individual)
    return whole


@jit
def evaluate_all(lattice: Lattice, weights: NDArray[np.int64], population: Population) -> None:
    """Recompute everything about each individual from its cells."""
    for individual in range(len(population.fitness)):
        evaluate_anew(lattice, weights, population, individual)


@inlined
def evaluate_anew(lattice: Lattice, weights: NDArray[np.int64], population: Population, individual: int) -> None:
    """Recompute everything about an individual from its cells."""
    cells, places = population.cells[individual], population.places[individual]
    tiles = len(places)
    for cell in range(tiles):
        places[cells[cell] >> 2] = cell
    set_all_edges(lattice, cells, population.edges[individual])
    evaluate(lattice, weights, population, individual)


@inlined
def evaluate(lattice: Lattice, weights: NDArray[np.int64], population: Population, individual: int) -> None:
    """Compute the objectives and the fitness of an individual whose edges are up to date."""
    objectives = population.objectives[individual]
    count_objectives(lattice, population.edges[individual], objectives)
    fitness = weights[3]
    for k in range(3):
        fitness -= weights[k] * objectives[k]
    population.fitness[individual] = fitness


@inlined
def copy_individual(source: Population, original: int, target: Population, copy: int) -> None:
    """Copy everything about an individual into another population."""
    from_cells, to_cells = source.cells[original], target.cells[copy]
    for k in range(len(from_cells)):
        to_cells[k] = from_cells[k]
    from_places, to_places = source.places[original], target.places[copy]
    for k in range(len(from_places)):
        to_places[k] = from_places[k]
    from_edges, to_edges = source.edges[original], target.edges[copy]
    for k in range(from_edges.shape[1]):
        to_edges[0, k], to_edges[1, k] = from_edges[0, k], from_edges[1, k]
    for k in range(3):
        target.objectives[copy, k] = source.objectives[original, k]
    target.fitness[copy] = source.fitness[original]
