"""The five neighbourhoods of Salassa et al. and one more, each a function that improves a board and returns the gain.

- `assign_tiles` (TA): tiles that do not touch are taken out and put back optimally, as in Schaus and Deville;
- `optimise_border` (BO): the border is rearranged;
- `assign_squares` (BW): the same as TA for all black and all white squares of a checkerboard, in turns;
- `swap_and_rotate` (TSR): pairs of tiles are exchanged and turned;
- `optimise_region` (RO): the tiles of a random rectangle are rearranged by branch and bound;
- `rebuild_regions` (RB, not in the paper): the tiles of regions around unmatched cells are rearranged by a beam.

None of them makes a board worse, moves a pinned tile, or, if grey is on the rim and nowhere else, changes that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from operators import Lattice, Population, fitness_weights, make_lattice, make_population
from operators.best_swap import Swaps, best_swap, make_swaps, put
from operators.holes import is_framed
from operators.lattice import refresh_edges
from operators.neighbourhood import NeighbourhoodScratch, choose_colour, choose_scattered, make_neighbourhood_scratch
from operators.population import evaluate_anew, is_whole
from operators.randomness import below
from operators.rebuild import Rebuild, refill
from operators.rebuild_region import OUTSIDE, choose_region
from operators.repair import MoveTabu, replace_optimally
from puzzles import Hint, Puzzle
from puzzles.compiled import jit
from solvers.errors import SolverError
from solvers.regions.ground import Ground, Rectangle, make_ground
from solvers.regions.rectangle import DEFAULT_LIMIT, RegionScratch, cells_of, make_region_scratch, rearrange
from solvers.regions.ring import BorderSolver, RingSolver


@dataclass(frozen=True)
class Terrain:
    """A board and the working memory of the neighbourhoods."""

    puzzle: Puzzle
    lattice: Lattice
    ground: Ground
    weights: NDArray[np.int64]
    population: Population
    """The board, as the only individual; change its cells only through `place`."""
    scratch: NeighbourhoodScratch
    region: RegionScratch
    ring: BorderSolver | None
    """None if there is no border that could be rearranged on its own."""

    @property
    def cells(self) -> NDArray[np.uint16]:
        """The cells of the board, flat; to be read only."""
        return self.population.cells[0, :-1]

    @property
    def score(self) -> int:
        """The number of matching edges."""
        return int(self.population.objectives[0, 0])

    @property
    def framed(self) -> bool:
        """Whether grey is on the rim and nowhere else."""
        return is_framed(self.lattice, self.population.cells[0])

    def place(self, board: ArrayLike) -> None:
        """Put a complete board, and count its edges.

        Raises:
            SolverError: A tile is missing, or a pinned tile is not in its cell.
        """
        self.population.cells[0, :-1] = np.asarray(board).ravel()
        if not is_whole(self.lattice, self.population, 0):
            raise SolverError("the board does not have every tile once, and the pinned tiles in their cells")
        evaluate_anew(self.lattice, self.weights, self.population, 0)


def make_terrain(puzzle: Puzzle, pins: Sequence[Hint] = (), border: BorderSolver | None = None) -> Terrain:
    """Return room for a board of a puzzle, and for the moves of all neighbourhoods.

    Args:
        puzzle: The puzzle.
        pins: Hints to keep in place.
        border: What rearranges borders; by default the search for rings, which does not prove all of them.
    """
    lattice, ground = make_lattice(puzzle, pins), make_ground(puzzle, pins)
    bordered = ground.framed and min(puzzle.shape) > 2
    return Terrain(
        puzzle,
        lattice,
        ground,
        fitness_weights(puzzle, "normal"),
        make_population(lattice, 1),
        make_neighbourhood_scratch(lattice, puzzle.size),
        make_region_scratch(ground),
        (border or RingSolver(ground)) if bordered else None,
    )


def assign_tiles(
    rng: np.random.Generator, terrain: Terrain, moves: int, size: int = 16, violated: float = 0.9, ties: bool = True
) -> int:
    """Take out tiles that do not touch and put them back optimally (TA); return the edges gained.

    Args:
        rng: Source of randomness.
        terrain: The board.
        moves: The number of moves.
        size: The number of tiles of a move.
        violated: The probability that a tile is chosen for its unmatched edges.
        ties: Whether a move that gains nothing is made all the same, so that plateaus are crossed.
    """
    if moves < 1 or size < 1:
        raise SolverError(f"expected at least one move of at least one tile; found {moves} of {size}")
    gained = _assign(rng, terrain.lattice, terrain.population, terrain.scratch, moves, size, violated, ties)
    evaluate_anew(terrain.lattice, terrain.weights, terrain.population, 0)
    return gained


def assign_squares(rng: np.random.Generator, terrain: Terrain) -> int:
    """Take out all black squares and put them back optimally, then all white ones, until neither gains (BW)."""
    gained = _assign(rng, terrain.lattice, terrain.population, terrain.scratch, 0, 1, 0.0, True)
    evaluate_anew(terrain.lattice, terrain.weights, terrain.population, 0)
    return gained


def swap_and_rotate(rng: np.random.Generator, terrain: Terrain) -> int:
    """Exchange and turn pairs of tiles, the best move of each cell in turn, until no move gains (TSR)."""
    cells = terrain.population.cells[0]
    swaps = make_swaps(terrain.lattice, terrain.framed, cells)
    gained = _swap_and_rotate(rng, terrain.lattice, swaps, rng.permutation(terrain.puzzle.size))
    cells[:] = swaps.cells
    evaluate_anew(terrain.lattice, terrain.weights, terrain.population, 0)
    return gained


def optimise_border(rng: np.random.Generator, terrain: Terrain) -> int:
    """Rearrange the border (BO); return the edges gained. Boards without a valid frame are left alone."""
    if terrain.ring is None or not terrain.framed:
        return 0
    gained = terrain.ring.improve(rng, terrain.population.cells[0, :-1]).gained
    evaluate_anew(terrain.lattice, terrain.weights, terrain.population, 0)
    return gained


def optimise_region(
    rng: np.random.Generator, terrain: Terrain, height: int = 6, width: int = 6, limit: int = DEFAULT_LIMIT
) -> int:
    """Rearrange the tiles of a random rectangle (RO), which is cut to the size of the board; return the edges gained.

    The search for the best arrangement lays at most `limit` tiles.
    """
    rows, cols = terrain.puzzle.shape
    height, width = min(height, rows), min(width, cols)
    top, left = int(rng.random() * (rows - height + 1)), int(rng.random() * (cols - width + 1))
    cells = cells_of(terrain.ground, Rectangle(top, left, height, width))
    ground = terrain.ground if not terrain.ground.framed or terrain.framed else terrain.ground._replace(framed=False)
    gained, _, _ = rearrange(rng, ground, terrain.population.cells[0, :-1], cells, limit, terrain.region)
    evaluate_anew(terrain.lattice, terrain.weights, terrain.population, 0)
    return gained


def rebuild_regions(rng: np.random.Generator, terrain: Terrain, moves: int, how: Rebuild) -> int:
    """Rebuild regions around unmatched cells, each with its own tiles by a beam (RB); return the edges gained.

    A region that is as good as before is kept all the same, so that plateaus are crossed.

    Args:
        rng: Source of randomness.
        terrain: The board.
        moves: The number of regions.
        how: What regions are like, and the width of the beam; `operators.rebuild.make_rebuild` makes it.
    """
    return int(_rebuild(rng, terrain.lattice, terrain.weights, terrain.population, moves, how))


@jit
def _rebuild(
    rng: np.random.Generator,
    lattice: Lattice,
    weights: NDArray[np.int64],
    population: Population,
    moves: int,
    how: Rebuild,
) -> int:
    """Rebuild regions one after another; put the tiles of one back as they were if it has become worse."""
    cells, chosen, gained = population.cells[0], how.regions.chosen, 0
    for _ in range(moves):
        before = population.objectives[0, 0]
        count = choose_region(rng, lattice, cells, how.regions)
        if count > 1:
            refill(rng, lattice, cells, count, how)
            evaluate_anew(lattice, weights, population, 0)
            gain = population.objectives[0, 0] - before
            if gain < 0:
                for k in range(count):
                    cells[chosen[k]] = how.tiles[k]
                evaluate_anew(lattice, weights, population, 0)
            gained += max(gain, 0)
        for k in range(count):
            how.regions.place[chosen[k]] = OUTSIDE
    return gained


@jit
def _assign(
    rng: np.random.Generator,
    lattice: Lattice,
    population: Population,
    scratch: NeighbourhoodScratch,
    moves: int,
    size: int,
    violated: float,
    ties: bool,
) -> int:
    """Make moves of TA; or of BW, if their number is 0, until two in a row gain nothing."""
    cells, places, edges = population.cells[0], population.places[0], population.edges[0]
    anywhere, anyhow = np.zeros(0, dtype=np.int64), MoveTabu(np.zeros((0, 0), dtype=np.int64), 0, 0)
    framed, gained, before = is_framed(lattice, cells), 0, np.zeros(len(scratch.chosen), dtype=np.uint16)
    made, idle, colour = 0, 0, 0 if moves else below(rng, 2)  # what TA draws does not depend on how it is cut
    while made < moves or (moves == 0 and idle < 2):
        if moves:
            count = choose_scattered(rng, lattice, edges, size, violated, anywhere, 0, scratch)
        else:
            count = choose_colour(lattice, colour, scratch)
        for k in range(count):
            before[k] = cells[scratch.chosen[k]]
        gain = replace_optimally(rng, lattice, framed, cells, places, edges, count, anyhow, 0, scratch)
        if gain == 0 and not ties:
            for k in range(count):
                cells[scratch.chosen[k]] = before[k]
                places[before[k] >> 2] = scratch.chosen[k]
            refresh_edges(lattice, cells, edges, scratch.chosen, count)
        made, idle, gained, colour = made + 1, 0 if gain else idle + 1, gained + gain, 1 - colour
    return gained


@jit
def _swap_and_rotate(rng: np.random.Generator, lattice: Lattice, swaps: Swaps, order: NDArray[np.int64]) -> int:
    never = np.zeros((len(order), len(order)), dtype=np.int64)
    gained, idle, at = 0, 0, 0
    while idle < len(order):
        cell = order[at]
        at = (at + 1) % len(order)
        idle += 1
        if swaps.fixed[cell]:
            continue
        swap = best_swap(rng, lattice, swaps, cell, never, 1, 0)
        if swap.gain > 0:
            put(lattice, swaps, cell, swap.here)
            if swap.partner != cell:
                put(lattice, swaps, swap.partner, swap.there)
            gained, idle = gained + swap.gain, 0
    return gained
