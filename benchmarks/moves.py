"""Moves in the very large neighbourhood, compiled and written with numpy and scipy: `python -m benchmarks.moves`."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from benchmarks.measure import seconds_each
from operators import Repair, fitness_weights, make_lattice, population_of, random_boards
from operators.repair import make_repair_scratch, repair
from puzzles import Puzzle, load
from solvers.exact.relaxed_instance import scattered_positions

SIZES = (8, 16, 32, 64)
MOVES, PLAIN_MOVES = 2_000, 20


def main() -> None:
    """Measure both on Eternity II, from a random board that a few thousand moves have repaired."""
    puzzle, rng = load("eternity2"), np.random.default_rng(1)
    lattice, weights = make_lattice(puzzle), fitness_weights(puzzle, "normal")
    print("moves of so many tiles in the very large neighbourhood, microseconds each")
    for size in SIZES:
        population = population_of(lattice, random_boards(rng, puzzle, 1), weights)
        how = Repair(1.0, MOVES, size, 0.0, False)
        ours = partial(repair, rng, lattice, weights, how, population, 0, make_repair_scratch(lattice, how))
        ours()
        board = population.cells[0, :-1].reshape(puzzle.shape).copy()
        plain = partial(_plain_moves, rng, puzzle, board, size)
        seconds = seconds_each({"ours": ours, "plain": plain})
        mine, theirs = 1e6 * seconds["ours"] / MOVES, 1e6 * seconds["plain"] / PLAIN_MOVES
        print(f"  {size:4} tiles  {mine:8.2f}  numpy and scipy {theirs:8.1f}  {theirs / mine:5.0f}x")


def _plain_moves(rng: np.random.Generator, puzzle: Puzzle, board: NDArray[np.uint16], size: int) -> None:
    lattice = make_lattice(puzzle)
    for _ in range(PLAIN_MOVES):
        holes = scattered_positions(lattice, rng, size)
        plain_move(puzzle, board, np.column_stack(np.divmod(holes, puzzle.cols)))


def plain_move(puzzle: Puzzle, board: NDArray[np.uint16], holes: NDArray[np.int64]) -> None:
    """Put the tiles of some cells of a board back so that most edges match."""
    sides = np.pad(puzzle.sides[:, board], ((0, 0), (1, 1), (1, 1)))
    row, col = holes.T + 1
    around = np.stack([sides[2, row - 1, col], sides[3, row, col + 1], sides[0, row + 1, col], sides[1, row, col - 1]])
    tiles = board[tuple(holes.T)] // 4
    turned = puzzle.sides[:, 4 * tiles[:, np.newaxis] + np.arange(4)]  # side, tile, rotation
    equal = turned[..., np.newaxis] == around[:, np.newaxis, np.newaxis]
    matches = (equal & (around[:, np.newaxis, np.newaxis] != 0)).sum(axis=0)  # tile, rotation, hole
    which, where = linear_sum_assignment(matches.max(axis=1), maximize=True)
    board[tuple(holes[where].T)] = 4 * tiles[which] + matches.argmax(axis=1)[which, where]


if __name__ == "__main__":
    main()
