"""Sets of cells that do not touch: as many as asked for, evenly, or where edges do not match."""

from itertools import permutations

import numpy as np
import pytest

from operators import fitness_weights, make_lattice, population_of, random_boards
from operators.neighbourhood import (
    NeighbourhoodScratch,
    are_scattered,
    choose_checkerboard,
    choose_scattered,
    make_neighbourhood_scratch,
)
from puzzles import Board, Puzzle, generate

SHAPES = [(2, 2), (3, 3), (4, 6), (1, 7), (7, 1), (2, 5), (16, 16), (5, 63)]
NOTHING = np.zeros(0, dtype=np.int64)


def touching(puzzle: Puzzle, chosen: list[int]) -> bool:
    places = [divmod(cell, puzzle.cols) for cell in chosen]
    return any(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in permutations(places, 2))


class Chooser:
    """A random board and sets of its cells."""

    def __init__(self, shape: tuple[int, int], most: int = 9999, hints: int = 0) -> None:
        self.puzzle, _ = generate(*shape, 3, 4, 1, style="benoist", hints=hints)
        self.lattice, self.rng = make_lattice(self.puzzle, self.puzzle.hints), np.random.default_rng(1)
        self.board = random_boards(self.rng, self.puzzle, 1, self.puzzle.hints)
        self.edges = population_of(self.lattice, self.board, fitness_weights(self.puzzle, "normal")).edges[0]
        self.scratch: NeighbourhoodScratch = make_neighbourhood_scratch(self.lattice, most)

    def __call__(self, size: int, violated: float = 0.0, tabu: np.ndarray = NOTHING, now: int = 0) -> list[int]:
        count = choose_scattered(self.rng, self.lattice, self.edges, size, violated, tabu, now, self.scratch)
        return self.scratch.chosen[:count].tolist()


@pytest.mark.parametrize("violated", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("shape", SHAPES)
def test_chosen_cells_do_not_touch_and_there_are_as_many_as_asked_for(shape: tuple[int, int], violated: float) -> None:
    choose = Chooser(shape)
    puzzle = choose.puzzle
    seen: set[int] = set()
    for size in [1, 2, 3, 5, puzzle.size] * 20:
        chosen = choose(size, violated)
        assert len(set(chosen)) == len(chosen) <= size
        assert not touching(puzzle, chosen)
        assert are_scattered(choose.lattice, chosen)
        if len(chosen) < size:  # then nothing else could be added
            assert all(cell in chosen or touching(puzzle, [*chosen, cell]) for cell in range(puzzle.size))
        seen |= set(chosen)
    assert seen == set(range(puzzle.size))


def test_cells_are_chosen_evenly() -> None:
    choose = Chooser((6, 6), most=1)
    counts = np.zeros(36)
    for _ in range(7200):
        counts[choose(1)] += 1
    assert abs(counts - 200).max() < 75


def test_violated_cells_are_chosen_in_proportion_to_their_unmatched_edges() -> None:
    choose = Chooser((6, 6), most=1)
    unmatched = np.zeros((6, 6))
    for mismatch in Board(choose.puzzle, choose.board[0]).mismatches:
        for row, col in mismatch:
            unmatched[row, col] += 1
    assert len(np.unique(unmatched)) > 2
    expected = unmatched.ravel() / unmatched.sum()
    for violated in (1.0, 0.5):
        counts = np.zeros(36)
        for _ in range(7200):
            counts[choose(1, violated)] += 1
        assert abs(counts / 7200 - (violated * expected + (1 - violated) / 36)).max() < 0.012


def test_tabu_and_pinned_cells_are_left_alone() -> None:
    choose = Chooser((5, 6), hints=3)
    pinned = {hint.row * 6 + hint.col for hint in choose.puzzle.hints}
    assert len(pinned) == 3
    tabu = np.zeros(30, dtype=np.int64)
    tabu[[0, 7, 14, 15, 29]] = 10
    for violated in (0.0, 0.9):
        before, after = set(), set()
        for _ in range(300):
            before |= set(choose(8, violated, tabu, now=10))
            after |= set(choose(8, violated, tabu, now=11))
        assert before == set(range(30)) - pinned - {0, 7, 14, 15, 29}
        assert after == set(range(30)) - pinned


def test_a_choice_does_not_depend_on_those_before() -> None:
    one, other = Chooser((8, 8)), Chooser((8, 8))
    for size in (3, 30, 1):
        other(size)
    one.rng, other.rng = np.random.default_rng(5), np.random.default_rng(5)
    assert one(20, 0.5) == other(20, 0.5)


def test_checkerboard() -> None:
    choose = Chooser((5, 6), hints=2)
    pinned = {hint.row * 6 + hint.col for hint in choose.puzzle.hints}
    seen = set()
    for _ in range(20):
        count = choose_checkerboard(choose.rng, choose.lattice, choose.scratch)
        seen.add(tuple(choose.scratch.chosen[:count]))
    colours = [{row * 6 + col for row in range(5) for col in range(6) if (row + col) % 2 == k} for k in (0, 1)]
    assert sorted(seen) == sorted(tuple(sorted(colour - pinned)) for colour in colours)


def test_cells_that_touch_are_not_scattered() -> None:
    lattice = Chooser((4, 5), hints=2).lattice
    pinned = int(np.flatnonzero(lattice.pinned)[0])
    for cells in ([0, 1], [0, 5], [0, 0], [-1], [20], [pinned]):
        assert not are_scattered(lattice, cells), cells
    assert are_scattered(make_lattice(generate(4, 5, 3, 4, 1)[0]), [0, 6, 12, 18])
