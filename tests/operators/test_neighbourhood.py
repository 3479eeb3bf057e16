"""The very large neighbourhood: sets that do not touch, and moves that nothing beats."""

from itertools import permutations, product

import numpy as np
import pytest

from operators import fitness_weights, make_lattice, population_of, random_boards
from operators.neighbourhood import choose_scattered, make_neighbourhood_scratch, replace_optimally
from operators.population import is_whole
from puzzles import Board, Puzzle, generate

SHAPES = [(2, 2), (3, 3), (4, 6), (1, 7), (7, 1), (2, 5), (16, 16)]


def touching(puzzle: Puzzle, chosen: list[int]) -> bool:
    places = [divmod(cell, puzzle.cols) for cell in chosen]
    return any(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in permutations(places, 2))


def puzzle_of(shape: tuple[int, int], hints: int = 0) -> tuple[Puzzle, Board]:
    return generate(*shape, 3, 4, 1, style="benoist", hints=hints)


@pytest.mark.parametrize("shape", SHAPES)
def test_chosen_cells_do_not_touch_and_there_are_as_many_as_asked_for(shape: tuple[int, int]) -> None:
    puzzle, _ = puzzle_of(shape)
    lattice, rng = make_lattice(puzzle), np.random.default_rng(1)
    scratch = make_neighbourhood_scratch(lattice, puzzle.size)
    seen: set[int] = set()
    for size in [1, 2, 3, 5, puzzle.size] * 20:
        count = choose_scattered(rng, lattice, size, scratch)
        chosen = scratch.chosen[:count].tolist()
        assert len(set(chosen)) == count <= size
        assert not touching(puzzle, chosen)
        if count < size:  # then nothing else could be added
            assert all(cell in chosen or touching(puzzle, [*chosen, cell]) for cell in range(puzzle.size))
        seen |= set(chosen)
    assert seen == set(range(puzzle.size))


def test_cells_are_chosen_evenly() -> None:
    puzzle, _ = puzzle_of((6, 6))
    lattice, rng = make_lattice(puzzle), np.random.default_rng(1)
    scratch = make_neighbourhood_scratch(lattice, 1)
    counts = np.zeros(36)
    for _ in range(7200):
        choose_scattered(rng, lattice, 1, scratch)
        counts[scratch.chosen[0]] += 1
    assert abs(counts - 200).max() < 75


@pytest.mark.parametrize("framed", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_moves_keep_boards_whole_and_count_what_they_gain(shape: tuple[int, int], framed: bool) -> None:
    puzzle, solved = puzzle_of(shape, hints=2 if min(shape) > 2 else 0)
    lattice, rng = make_lattice(puzzle, puzzle.hints), np.random.default_rng(2)
    weights = fitness_weights(puzzle, "normal")
    start = random_boards(rng, puzzle, 1, puzzle.hints)[0]
    if framed:
        start = spoilt(puzzle, np.array(solved.cells), rng)
    population = population_of(lattice, start[np.newaxis], weights)
    scratch = make_neighbourhood_scratch(lattice, 40)
    cells, places = population.cells[0], population.places[0]
    score = Board(puzzle, start).score
    for move in range(60):
        count = choose_scattered(rng, lattice, 1 + move % 40, scratch)
        gained = replace_optimally(rng, lattice, framed, cells, places, count, scratch)
        board = Board(puzzle, cells[:-1].reshape(puzzle.shape))
        assert gained >= 0
        assert board.score == score + gained
        score = board.score
        assert (cells[places[cells[:-1] >> 2]] == cells[:-1]).all()
        assert is_whole(lattice, population, 0)
        if framed:
            assert board.verify().frame


def spoilt(puzzle: Puzzle, cells: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Tiles exchanged with others of their kind, turned so that the frame stays grey."""
    pinned = {(hint.row, hint.col) for hint in puzzle.hints}
    board = cells.copy()
    inner = [(row, col) for row in range(1, puzzle.rows - 1) for col in range(1, puzzle.cols - 1)]
    inner = [place for place in inner if place not in pinned]
    order = rng.permutation(len(inner))
    for here, there in zip(inner, order, strict=True):
        board[here] = cells[inner[there]] // 4 * 4 + rng.integers(4)
    return board


def test_no_other_way_to_put_the_tiles_back_is_better() -> None:
    puzzle, _ = puzzle_of((4, 4))
    lattice, rng = make_lattice(puzzle), np.random.default_rng(3)
    scratch = make_neighbourhood_scratch(lattice, 3)
    for _ in range(30):
        start = random_boards(rng, puzzle, 1)[0]
        population = population_of(lattice, start[np.newaxis], fitness_weights(puzzle, "normal"))
        count = choose_scattered(rng, lattice, 3, scratch)
        holes = scratch.chosen[:count].tolist()
        tiles = start.ravel()[holes] // 4
        best = 0
        for order in permutations(tiles):
            for turns in product(range(4), repeat=count):
                board = start.ravel().copy()
                board[holes] = np.array(order) * 4 + turns
                best = max(best, Board(puzzle, board.reshape(4, 4)).score)
        replace_optimally(rng, lattice, False, population.cells[0], population.places[0], count, scratch)
        assert Board(puzzle, population.cells[0][:-1].reshape(4, 4)).score == best


def test_half_of_a_solved_board_is_put_back_as_it_was_or_as_well(eternity2: Puzzle, record: Board) -> None:
    lattice, rng = make_lattice(eternity2), np.random.default_rng(4)
    population = population_of(lattice, np.array(record.cells)[np.newaxis], fitness_weights(eternity2, "normal"))
    scratch = make_neighbourhood_scratch(lattice, 128)
    black = [cell for cell in range(256) if (cell // 16 + cell % 16) % 2 == 0]
    scratch.chosen[:128] = black
    gained = replace_optimally(rng, lattice, True, population.cells[0], population.places[0], 128, scratch)
    board = Board(eternity2, population.cells[0][:-1].reshape(16, 16))
    assert board.score == 470 + gained >= 470
    assert board.verify().frame
