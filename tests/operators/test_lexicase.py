"""Lexicase selection over regional scores: against a slow one with the same draws."""

import numpy as np
import pytest

from operators import fitness_weights, knowledge_boards, make_lattice, population_of, random_boards
from operators.lexicase import ACROSS, lexicase_best, make_lexicase, regional_score
from puzzles import DOWN, RIGHT, Board, generate
from tests.oracle import side_is_right

SHAPES = [(1, 2), (2, 2), (1, 9), (3, 5), (6, 7), (16, 16)]


def regional_scores(board: Board, edges: str) -> list[int]:
    """The matching edges on the right of the cells of each region and below them; only of regions that have edges."""
    rows, cols = board.puzzle.shape
    down, across = min(ACROSS, rows), min(ACROSS, cols)
    scores: dict[int, list[bool]] = {k: [] for k in range(down * across)}
    for row in range(rows):
        for col in range(cols):
            region = scores[row * down // rows * across + col * across // cols]
            if col < cols - 1 and (edges == "all" or row < rows - 1):
                region.append(side_is_right(board, row, col, RIGHT))
            if row < rows - 1 and (edges == "all" or col < cols - 1):
                region.append(side_is_right(board, row, col, DOWN))
    return [sum(found) for found in scores.values() if found]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("edges", ["all", "paper"])
def test_parents_are_those_of_the_slow_selection(shape: tuple[int, int], edges: str) -> None:
    puzzle, solution = generate(*shape, 3, 4, 1, style="benoist")
    if edges == "paper" and 1 in shape:
        pytest.skip("no edge counts on a board of one row")
    rng, lattice = np.random.default_rng(1), make_lattice(puzzle, edges=edges)
    boards = np.array([*random_boards(rng, puzzle, 5), *knowledge_boards(rng, puzzle, 6), solution.cells])
    population, how = population_of(lattice, boards, fitness_weights(puzzle, "normal")), make_lexicase(lattice, 12)
    scores = [regional_scores(Board(puzzle, board), edges) for board in boards]
    found = [[regional_score(population, how, k, one) for k in range(len(how.order))] for one in range(12)]
    assert found == scores
    assert [sum(each) for each in scores] == population.objectives[:, 0].tolist()
    one, other = np.random.default_rng(3), np.random.default_rng(3)
    chosen = set()
    for _ in range(100):
        left, regions = list(range(len(boards) - 1)), list(range(len(how.order)))
        while len(left) > 1 and regions:
            k = int(one.random() * len(regions))
            regions[k], regions[-1] = regions[-1], regions[k]
            region = regions.pop()
            most = max(scores[k][region] for k in left)
            left = [k for k in left if scores[k][region] == most]
        expected = left[int(one.random() * len(left))]
        part = population._replace(**{name: getattr(population, name)[:-1] for name in population._fields})
        assert lexicase_best(other, part, how) == expected
        chosen.add(expected)
    assert scores[lexicase_best(other, population, how)] == scores[-1]  # the last board is solved: the best everywhere
    assert len(chosen) > 1 or puzzle.size < 9
