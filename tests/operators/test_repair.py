"""Moves in the very large neighbourhood: nothing beats them, and they keep what is to be kept."""

from itertools import permutations, product

import numpy as np
import pytest

from benchmarks.moves import plain_move
from operators import (
    OperatorError,
    Repair,
    fitness_weights,
    make_lattice,
    population_of,
    random_boards,
    repaired,
    replaced,
)
from operators.holes import is_framed
from operators.neighbourhood import choose_scattered, make_neighbourhood_scratch
from operators.population import Population, evaluate_anew, is_whole
from operators.repair import MoveTabu, make_repair_scratch, repair, replace_optimally
from puzzles import Board, Puzzle, generate

SHAPES = [(2, 2), (3, 3), (4, 6), (1, 7), (7, 1), (2, 5), (16, 16)]
ANYWHERE = np.zeros(0, dtype=np.int64)
ANYHOW = MoveTabu(np.zeros((0, 0), dtype=np.int64), 0, 0)


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


def assert_exact(puzzle: Puzzle, population: Population, weights: np.ndarray) -> Board:
    """What a population knows of its first board is what follows from its cells."""
    cells = population.cells[0, :-1].reshape(puzzle.shape)
    anew = population_of(make_lattice(puzzle), cells[np.newaxis], weights)
    for mine, expected in zip(population, anew, strict=True):
        assert (mine == expected).all()
    return Board(puzzle, cells)


@pytest.mark.parametrize("framed", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_moves_keep_boards_whole_and_count_what_they_gain(shape: tuple[int, int], framed: bool) -> None:
    puzzle, solved = generate(*shape, 3, 4, 1, style="benoist", hints=2 if min(shape) > 2 else 0)
    lattice, rng = make_lattice(puzzle, puzzle.hints), np.random.default_rng(2)
    weights = fitness_weights(puzzle, "combined")
    start = random_boards(rng, puzzle, 1, puzzle.hints)[0]
    if framed:
        start = spoilt(puzzle, np.array(solved.cells), rng)
    population = population_of(lattice, start[np.newaxis], weights)
    scratch = make_neighbourhood_scratch(lattice, 40)
    cells, places, edges = population.cells[0], population.places[0], population.edges[0]
    score = Board(puzzle, start).score
    for move in range(60):
        count = choose_scattered(rng, lattice, edges, 1 + move % 40, 0.5, ANYWHERE, 0, scratch)
        gained = replace_optimally(rng, lattice, framed, cells, places, edges, count, ANYHOW, 0, scratch)
        assert gained >= 0
        assert is_whole(lattice, population, 0)
        evaluate_anew(lattice, weights, population, 0) if move % 2 else None
        assert (cells[places[cells[:-1] >> 2]] == cells[:-1]).all()
        board = Board(puzzle, cells[:-1].reshape(puzzle.shape))
        assert board.score == score + gained
        score = board.score
        assert (edges == population_of(lattice, [board.cells], weights).edges[0]).all()
        if framed:
            assert board.verify().frame


def test_no_other_way_to_put_the_tiles_back_is_better() -> None:
    puzzle, _ = generate(4, 4, 3, 4, 1, style="benoist")
    rng = np.random.default_rng(3)
    for _ in range(30):
        start = random_boards(rng, puzzle, 1)[0]
        holes = [int(cell) for cell in rng.permutation([0, 2, 5, 7, 8, 10, 13, 15])[:3]]
        tiles = start.ravel()[holes] // 4
        best = 0
        for order in permutations(tiles):
            for turns in product(range(4), repeat=3):
                board = start.ravel().copy()
                board[holes] = np.array(order) * 4 + turns
                best = max(best, Board(puzzle, board.reshape(4, 4)).score)
        assert Board(puzzle, replaced(rng, puzzle, start, holes)).score == best
    for holes in ([0, 1], [0, 0], [16]):
        with pytest.raises(OperatorError, match="no two of them may touch"):
            replaced(rng, puzzle, start, holes)


@pytest.mark.parametrize("size", [3, 16, 60, 128])
def test_moves_gain_as_much_as_those_of_numpy_and_scipy(size: int, eternity2: Puzzle) -> None:
    rng = np.random.default_rng(size)
    for _ in range(10):
        board = random_boards(rng, eternity2, 1)[0]
        holes = rng.permutation([cell for cell in range(256) if (cell // 16 + cell) % 2])[:size]
        expected = board.copy()
        plain_move(eternity2, expected, np.column_stack(np.divmod(holes, 16)))
        found = Board(eternity2, replaced(rng, eternity2, board, holes.tolist())).score
        assert found == Board(eternity2, expected).score >= Board(eternity2, board).score


def test_half_of_a_record_board_is_put_back_as_it_was_or_as_well(eternity2: Puzzle, record: Board) -> None:
    black = [cell for cell in range(256) if (cell // 16 + cell % 16) % 2 == 0]
    board = Board(eternity2, replaced(np.random.default_rng(4), eternity2, record.cells, black))
    assert board.score >= 470
    assert board.verify().frame


@pytest.mark.parametrize(
    "how",
    [
        Repair(1.0, 30, 4, 0.0, False),
        Repair(1.0, 30, 9, 1.0, False),
        Repair(1.0, 5, 1, 0.0, True),
        Repair(1.0, 1, 99, 0.5, False),
    ],
)
def test_repair_never_lowers_the_score_and_leaves_the_individual_evaluated(how: Repair) -> None:
    puzzle, solved = generate(6, 7, 3, 4, 1, hints=3)
    lattice, rng = make_lattice(puzzle, puzzle.hints), np.random.default_rng(5)
    weights, scratch = fitness_weights(puzzle, "combined"), make_repair_scratch(lattice, how)
    gains = 0
    for start in [*random_boards(rng, puzzle, 10, puzzle.hints), spoilt(puzzle, np.array(solved.cells), rng)]:
        population = population_of(lattice, start[np.newaxis], weights)
        repair(rng, lattice, weights, how, population, 0, scratch)
        before, after = Board(puzzle, start), assert_exact(puzzle, population, weights)
        assert after.score >= before.score
        assert after.verify().frame >= before.verify().frame
        assert all(after.cells[hint.row, hint.col] == hint.tile * 4 + hint.rotation for hint in puzzle.hints)
        gains += after.score > before.score
    assert gains > 5


def test_repair_of_one_board_improves_it_much(eternity2: Puzzle) -> None:
    rng = np.random.default_rng(1)
    start = random_boards(rng, eternity2, 1)[0]
    assert Board(eternity2, start).score < 40
    assert Board(eternity2, repaired(rng, eternity2, start, 200, 16, violated=0.9)).score > 250
    assert Board(eternity2, repaired(rng, eternity2, start, 10, checkerboard=True)).score > 250


def test_a_tabu_move_is_made_only_when_it_gains_more_than_its_penalty() -> None:
    puzzle, solved = generate(4, 5, 9, 9, 1, style="benoist")
    lattice, weights = make_lattice(puzzle), fitness_weights(puzzle, "normal")
    one, other = 6, 12  # (1, 1) and (2, 2)
    swapped = np.array(solved.cells).ravel()
    swapped[[one, other]] = swapped[[other, one]]
    for penalty, undone in ((0, True), (2, True), (4, False), (9, False)):  # turned where they lie they gain 2
        population = population_of(lattice, swapped.reshape(1, 4, 5), weights)
        scratch = make_neighbourhood_scratch(lattice, 2, penalty)
        scratch.chosen[:2] = one, other
        tabu = MoveTabu(np.zeros((20, 20), dtype=np.int64), 5, 5)
        tabu.until[[one, other], [other, one]] = 100
        cells, places, edges = population.cells[0], population.places[0], population.edges[0]
        rng = np.random.default_rng(1)
        gained = replace_optimally(rng, lattice, False, cells, places, edges, 2, tabu, 99, scratch)
        assert (gained == 8) == undone, penalty
        assert gained >= 0
        expected = 104 if undone else 100  # now tabu anew, or still
        assert tabu.until[one, other] == tabu.until[other, one] == expected
        assert np.count_nonzero(tabu.until) == 2


def test_whether_a_board_is_framed() -> None:
    rng = np.random.default_rng(1)
    for shape, style in (((3, 4), "eternity"), ((1, 5), "benoist"), ((2, 2), "benoist"), ((6, 5), "eternity")):
        puzzle, solved = generate(*shape, 3, 4, 1, style=style)
        lattice = make_lattice(puzzle)
        boards = [np.array(solved.cells), np.rot90(solved.cells, 2).copy(), *random_boards(rng, puzzle, 3)]
        for cell in range(puzzle.size):
            turned = np.array(solved.cells).ravel()
            turned[cell] ^= 1
            boards.append(turned.reshape(shape))
        for board in boards:
            walled = np.append(board.ravel(), 4 * puzzle.size).astype(np.uint16)
            assert is_framed(lattice, walled) == Board(puzzle, board).verify().frame
    colours = np.ones((4, 4), dtype=np.int64)
    assert not is_framed(make_lattice(Puzzle(2, 2, colours, strict=False)), np.array([0, 4, 8, 12, 16], np.uint16))
