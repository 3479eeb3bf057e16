"""The operators on single boards, as matrices: convenient rather than fast."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from operators.crossover import region_crossover
from operators.errors import OperatorError
from operators.fitness import fitness_weights
from operators.holes import is_framed
from operators.initialise import fill_randomly, fill_with_knowledge
from operators.lattice import make_lattice
from operators.mutation import mutate, region_exchange, region_rotation
from operators.neighbourhood import are_scattered, make_neighbourhood_scratch
from operators.paths import make_path
from operators.population import boards_of, make_population, make_scratch, population_of
from operators.rebuild import make_rebuild, rebuild
from operators.repair import MoveTabu, Repair, make_repair_scratch, repair, replace_optimally
from operators.search import fill_by_search, make_search
from operators.variation import make_variation
from puzzles import Hint, Puzzle

Boards = NDArray[np.uint16]
Sizes = tuple[int, int]


def random_boards(rng: np.random.Generator, puzzle: Puzzle, count: int, pins: Sequence[Hint] = ()) -> Boards:
    """Return boards with every tile in a random cell and rotation, shape (count, rows, cols)."""
    lattice = make_lattice(puzzle, pins)
    population = make_population(lattice, count)
    fill_randomly(rng, lattice, population.cells)
    return np.ascontiguousarray(boards_of(lattice, population))


def knowledge_boards(
    rng: np.random.Generator,
    puzzle: Puzzle,
    count: int,
    *,
    path: str | Sequence[int] = "zigzag",
    framed: bool = True,
    pins: Sequence[Hint] = (),
) -> Boards:
    """Return boards initialised with knowledge (Algorithm 3), shape (count, rows, cols).

    Args:
        rng: Source of randomness.
        puzzle: The puzzle of the boards.
        count: Number of boards.
        path: The order in which cells are filled: a name in PATHS, or every cell once.
        framed: Whether grey sides must be on the rim and nowhere else.
        pins: Hints to keep in place.
    """
    lattice = make_lattice(puzzle, pins)
    population = make_population(lattice, count)
    fill_with_knowledge(rng, lattice, make_path(path, *puzzle.shape), framed, population.cells)
    return np.ascontiguousarray(boards_of(lattice, population))


def searched_boards(
    rng: np.random.Generator,
    puzzle: Puzzle,
    count: int,
    nodes: int = 10_000,
    *,
    path: str | Sequence[int] = "row",
    pins: Sequence[Hint] = (),
) -> Boards:
    """Return boards initialised by search, shape (count, rows, cols); see `operators.search`.

    Args:
        rng: Source of randomness.
        puzzle: The puzzle of the boards.
        count: Number of boards.
        nodes: Number of tiles that the search for a board may lay.
        path: The order in which cells are filled: a name in PATHS, or every cell once.
        pins: Hints to keep in place.
    """
    lattice = make_lattice(puzzle, pins)
    population = make_population(lattice, count)
    search = make_search(lattice, make_path(path, *puzzle.shape), puzzle.framed, nodes)
    fill_by_search(rng, lattice, search, population.cells)
    return np.ascontiguousarray(boards_of(lattice, population))


def offspring(
    rng: np.random.Generator,
    puzzle: Puzzle,
    mother: ArrayLike,
    father: ArrayLike,
    sizes: Sizes = (2, 8),
    *,
    random_refill: bool = True,
) -> Boards:
    """Return the child of two boards by region crossover (Algorithm 1)."""
    lattice, weights = make_lattice(puzzle), fitness_weights(puzzle, "normal")
    parents = population_of(lattice, np.stack([np.asarray(mother), np.asarray(father)]), weights)
    child, variation = make_population(lattice, 1), make_variation(lattice, sizes, random_refill=random_refill)
    region_crossover(rng, lattice, variation, weights, parents, 0, parents, 1, child, 0, make_scratch(lattice))
    return np.ascontiguousarray(boards_of(lattice, child)[0])


def mutated(
    rng: np.random.Generator,
    puzzle: Puzzle,
    board: ArrayLike,
    times: int = 1,
    sizes: Sizes = (1, 10),
    *,
    any_turn: bool = True,
    pins: Sequence[Hint] = (),
) -> Boards:
    """Return a board after some mutations, each a region exchange or a region rotation with equal probability."""
    lattice, weights = make_lattice(puzzle, pins), fitness_weights(puzzle, "normal")
    population = population_of(lattice, np.asarray(board)[np.newaxis], weights)
    variation = make_variation(lattice, mutation_sizes=sizes, any_turn=any_turn)
    mutate(rng, lattice, variation, weights, population, 0, times)
    return np.ascontiguousarray(boards_of(lattice, population)[0])


def exchanged(
    rng: np.random.Generator, puzzle: Puzzle, board: ArrayLike, sizes: Sizes = (1, 10), pins: Sequence[Hint] = ()
) -> Boards:
    """Return a board after one region exchange."""
    lattice = make_lattice(puzzle, pins)
    population = population_of(lattice, np.asarray(board)[np.newaxis], fitness_weights(puzzle, "normal"))
    variation = make_variation(lattice, mutation_sizes=sizes)
    region_exchange(rng, lattice, variation, population.cells[0])
    return np.ascontiguousarray(boards_of(lattice, population)[0])


def turned(
    rng: np.random.Generator,
    puzzle: Puzzle,
    board: ArrayLike,
    sizes: Sizes = (1, 10),
    *,
    any_turn: bool = True,
    pins: Sequence[Hint] = (),
) -> Boards:
    """Return a board after one region rotation."""
    lattice = make_lattice(puzzle, pins)
    population = population_of(lattice, np.asarray(board)[np.newaxis], fitness_weights(puzzle, "normal"))
    variation = make_variation(lattice, mutation_sizes=sizes, any_turn=any_turn)
    region_rotation(rng, lattice, variation, population.cells[0])
    return np.ascontiguousarray(boards_of(lattice, population)[0])


def rebuilt(
    rng: np.random.Generator,
    puzzle: Puzzle,
    board: ArrayLike,
    times: int = 1,
    sizes: Sizes = (6, 30),
    width: int = 10,
    *,
    rectangles: float = 0.7,
    pins: Sequence[Hint] = (),
) -> Boards:
    """Return a board after some of its regions, one after another, were rebuilt by a beam; see `operators.rebuild`."""
    lattice = make_lattice(puzzle, pins)
    population = population_of(lattice, np.asarray(board)[np.newaxis], fitness_weights(puzzle, "normal"))
    how = make_rebuild(lattice, sizes, width, rectangles)
    for _ in range(times):
        rebuild(rng, lattice, population.cells[0], how)
    return np.ascontiguousarray(boards_of(lattice, population)[0])


def repaired(
    rng: np.random.Generator,
    puzzle: Puzzle,
    board: ArrayLike,
    moves: int = 1,
    size: int = 16,
    *,
    violated: float = 0.0,
    checkerboard: bool = False,
    pins: Sequence[Hint] = (),
) -> Boards:
    """Return a board after some moves in the very large neighbourhood; see `Repair`."""
    lattice, weights = make_lattice(puzzle, pins), fitness_weights(puzzle, "normal")
    population = population_of(lattice, np.asarray(board)[np.newaxis], weights)
    how = Repair(1.0, moves, size, violated, checkerboard)
    repair(rng, lattice, weights, how, population, 0, make_repair_scratch(lattice, how))
    return np.ascontiguousarray(boards_of(lattice, population)[0])


def replaced(
    rng: np.random.Generator,
    puzzle: Puzzle,
    board: ArrayLike,
    holes: Sequence[int],
    pins: Sequence[Hint] = (),
) -> Boards:
    """Return a board after the tiles of some cells that do not touch were taken out and put back optimally.

    Raises:
        OperatorError: The cells are not on the board, are pinned, or touch.
    """
    lattice = make_lattice(puzzle, pins)
    population = population_of(lattice, np.asarray(board)[np.newaxis], fitness_weights(puzzle, "normal"))
    if not are_scattered(lattice, holes):
        raise OperatorError("holes must be cells of the board that are not pinned, and no two of them may touch")
    scratch = make_neighbourhood_scratch(lattice, len(holes))
    scratch.chosen[: len(holes)] = holes
    cells, places, edges = population.cells[0], population.places[0], population.edges[0]
    free = MoveTabu(np.zeros((0, 0), dtype=np.int64), 0, 0)
    framed = is_framed(lattice, cells)
    replace_optimally(rng, lattice, framed, cells, places, edges, len(holes), free, 0, scratch)
    return np.ascontiguousarray(boards_of(lattice, population)[0])
