"""Brute force on the black squares, against brute force on all of them."""

from itertools import permutations, product
from math import factorial

import numpy as np
import pytest

from puzzles import Board, Puzzle, generate
from solvers import SolverError, brute_force


def best_of_all(puzzle: Puzzle) -> int:
    """The best score of all n! * 4^n boards, by looking at each; tiles are turned by hand."""
    rows, cols = puzzle.shape
    turns = np.array(list(product(range(4), repeat=puzzle.size)))
    best = 0
    for order in permutations(range(puzzle.size)):
        shown = np.stack([puzzle.tiles[list(order)][:, (side - np.arange(4)) % 4] for side in range(4)])
        colours = shown[:, np.arange(puzzle.size), turns].reshape(4, len(turns), rows, cols)
        up, right, down, left = colours
        across = (right[:, :, :-1] == left[:, :, 1:]) & (right[:, :, :-1] != 0)
        along = (down[:, :-1] == up[:, 1:]) & (down[:, :-1] != 0)
        best = max(best, int((across.sum(axis=(1, 2)) + along.sum(axis=(1, 2))).max()))
    return best


@pytest.mark.parametrize("shape", [(2, 2), (1, 5), (2, 3), (3, 2)])
@pytest.mark.parametrize("lowest", [0, 1])
def test_it_finds_the_best_score_of_all_boards(shape: tuple[int, int], lowest: int) -> None:
    found = set()
    for seed in range({(2, 3): 1, (3, 2): 1}.get(shape, 10)):
        tiles = np.random.default_rng(seed).integers(lowest, 9, (shape[0] * shape[1], 4))
        puzzle = Puzzle(*shape, tiles, strict=False)
        best = brute_force(puzzle)
        board = Board(puzzle, best.cells)
        assert board.verify().duplicates == ()
        assert board.verify().placed == puzzle.size
        assert board.score == best.score == best_of_all(puzzle)
        found.add(best.score == puzzle.max_score)
    assert False in found  # where any board would do, nothing was tested


@pytest.mark.parametrize("shape", [(1, 2), (2, 2), (1, 5), (2, 3), (3, 3)])
def test_as_many_placements_as_the_paper_counts_and_the_solution_is_among_them(shape: tuple[int, int]) -> None:
    puzzle, _ = generate(*shape, 4, 4, 1, style="benoist")
    best, black = brute_force(puzzle), puzzle.size // 2
    assert best.score == puzzle.max_score
    assert best.placements == factorial(puzzle.size) // factorial(puzzle.size - black) * 4**black


def test_larger_boards_are_refused() -> None:
    puzzle, _ = generate(3, 4, 4, 4, 1)
    with pytest.raises(SolverError, match=r"3x4 has 2.72e\+09 placements of its black squares; at most 1e\+08"):
        brute_force(puzzle)
