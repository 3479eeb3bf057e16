"""The swap and rotate move: at random, and the best of a cell, against a recount of every board."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given

from operators import fitness_weights, make_lattice, population_of, random_boards
from operators.best_swap import NO_MOVE, best_swap, make_swaps, most_violated, put
from operators.holes import wanted
from operators.population import is_whole
from operators.swap import is_framed, swap_randomly
from puzzles import Board, Hint, Puzzle, generate
from tests.oracle import side_is_right
from tests.strategies import boards

SHAPES = [(2, 2), (3, 3), (3, 4), (1, 5), (5, 1), (2, 4)]
FREE = np.int64(-1)


def puzzle_of(shape: tuple[int, int], hints: int = 0) -> tuple[Puzzle, Board]:
    return generate(*shape, 2, 2, 1, style="benoist", hints=hints)


def mixed(puzzle: Puzzle, solved: Board, framed: bool, seed: int) -> np.ndarray:
    """A board far from solved, flat: any board, or one on which only tiles of a kind were exchanged."""
    rng = np.random.default_rng(seed)
    if not framed:
        return random_boards(rng, puzzle, 1, puzzle.hints)[0].ravel()
    population = population_of(lattice := make_lattice(puzzle, puzzle.hints), solved.cells[np.newaxis], weights(puzzle))
    swap_randomly(rng, lattice, True, population.cells[0], population.places[0], population.edges[0], 40)
    return population.cells[0, :-1].copy()


def weights(puzzle: Puzzle) -> np.ndarray:
    return fitness_weights(puzzle, "normal")


def board_of(puzzle: Puzzle, cells: np.ndarray) -> Board:
    return Board(puzzle, cells.reshape(puzzle.shape))


def exchanged(cells: np.ndarray, cell: int, partner: int, here: int, there: int) -> np.ndarray:
    """A copy with two tiles exchanged and turned, or one only turned."""
    moved = cells.copy()
    moved[partner] = cells[cell] // 4 * 4 + there
    moved[cell] = cells[partner] // 4 * 4 + here
    return moved


def walls(puzzle: Puzzle, cell: int) -> int:
    row, col = divmod(cell, puzzle.cols)
    return (row == 0) + (row == puzzle.rows - 1) + (col == 0) + (col == puzzle.cols - 1)


def all_moves(puzzle: Puzzle, cells: np.ndarray, cell: int, framed: bool) -> dict[bytes, tuple[int, int]]:
    """Every board that one move of a cell leads to, with the change of its score and the partner."""
    before = board_of(puzzle, cells).score
    pinned = {hint.row * puzzle.cols + hint.col for hint in puzzle.hints}
    found = {}
    for partner, here, there in product(range(puzzle.size), range(4), range(4)):
        moved = exchanged(cells, cell, partner, here, there)
        if partner in pinned or (moved == cells).all():
            continue
        if framed and not board_of(puzzle, moved).verify().frame:
            continue
        found[moved.tobytes()] = board_of(puzzle, moved).score - before, partner
    return found


@given(boards(6, repeats=False))
def test_framed_is_what_a_report_calls_a_right_frame(board: Board) -> None:
    if board.placed.all() and board.puzzle.size > 1:
        assert is_framed(make_lattice(board.puzzle), board.cells.ravel()) == bool(board.verify().frame)


@pytest.mark.parametrize("shape", [*SHAPES, (4, 5)])
def test_one_tile_turned_or_one_grey_side_inside_makes_a_board_unframed(shape: tuple[int, int]) -> None:
    puzzle, solved = puzzle_of(shape)
    lattice, cells = make_lattice(puzzle), np.array(solved.cells).ravel()
    assert is_framed(lattice, cells)
    for cell in range(puzzle.size):
        turned = cells.copy()
        turned[cell] ^= 1
        assert is_framed(lattice, turned) == bool(board_of(puzzle, turned).verify().frame) == (walls(puzzle, cell) == 0)
    grey_inside = np.array(puzzle.tiles)
    grey_inside[grey_inside != 0] = np.where(np.arange((grey_inside != 0).sum()) == 0, 0, grey_inside[grey_inside != 0])
    assert not is_framed(make_lattice(Puzzle(*shape, grey_inside, strict=False)), cells)
    assert not is_framed(make_lattice(Puzzle(*shape, np.array(puzzle.tiles) + 1, strict=False)), cells)


@pytest.mark.parametrize("framed", [False, True])
@pytest.mark.parametrize(("shape", "hints"), [*((shape, 0) for shape in SHAPES), ((3, 3), 2), ((3, 4), 3)])
def test_best_move_is_the_best_of_all_boards_it_can_lead_to(shape: tuple[int, int], hints: int, framed: bool) -> None:
    puzzle, solved = puzzle_of(shape, hints)
    lattice, rng = make_lattice(puzzle, puzzle.hints), np.random.default_rng(1)
    until, partners = np.full((puzzle.size, puzzle.size), FREE), set()
    for seed in range(3):
        cells = mixed(puzzle, solved, framed, seed)
        for cell in np.flatnonzero(~lattice.pinned).tolist():
            swaps, moves = make_swaps(lattice, framed, cells), all_moves(puzzle, cells, cell, framed)
            swap = best_swap(rng, lattice, swaps, cell, until, 0, 99)
            assert swap.gain == max((gain for gain, _ in moves.values()), default=NO_MOVE)
            put(lattice, swaps, cell, swap.here)
            put(lattice, swaps, swap.partner, swap.there)
            if moves:
                assert moves[swaps.cells[:-1].tobytes()] == (swap.gain, swap.partner)
            else:
                assert (swaps.cells[:-1] == cells).all()
            expected = [wanted(lattice, swaps.cells, there) for there in range(puzzle.size)]
            assert swaps.around[:-1].tolist() == expected
            partners.add(abs(cell - swap.partner))
    assert len(partners) > 1  # some tiles were turned and some exchanged


def test_equally_good_moves_are_equally_likely_also_with_neighbours() -> None:
    puzzle, solved = puzzle_of((2, 3))
    lattice, rng = make_lattice(puzzle), np.random.default_rng(1)
    until = np.full((6, 6), FREE)
    for seed in range(100):
        cells = mixed(puzzle, solved, False, seed)
        moves = all_moves(puzzle, cells, 0, False)
        most = max(gain for gain, _ in moves.values())
        counts = {board: 0 for board, (gain, _) in moves.items() if gain == most}
        if {0, 1, 5} <= {moves[board][1] for board in counts}:  # itself, a neighbour, one apart
            break
    else:
        pytest.fail("no board with ties of all sorts")
    for _ in range(400 * len(counts)):
        swaps = make_swaps(lattice, False, cells)
        swap = best_swap(rng, lattice, swaps, 0, until, 0, 99)
        put(lattice, swaps, 0, swap.here)
        put(lattice, swaps, swap.partner, swap.there)
        counts[swaps.cells[:-1].tobytes()] += 1
    assert all(300 < count < 500 for count in counts.values())


def test_tabu_moves_are_left_out_unless_they_gain_more_than_is_aspired_to() -> None:
    puzzle, solved = puzzle_of((3, 3))
    lattice, rng = make_lattice(puzzle), np.random.default_rng(2)
    for seed in range(18):
        cells = mixed(puzzle, solved, False, seed)
        cell, until = seed % 9, rng.integers(0, 10, (9, 9))
        moves = all_moves(puzzle, cells, cell, False).values()
        for now, aspiration in product((0, 4, 7, 10), (-3, 0, 1, 99)):
            allowed = [
                gain
                for gain, partner in moves
                if gain > aspiration
                or (until[cells[cell] // 4, partner] < now and until[cells[partner] // 4, cell] < now)
            ]
            swap = best_swap(rng, lattice, make_swaps(lattice, False, cells), cell, until, now, aspiration)
            assert swap.gain == max(allowed, default=NO_MOVE)


@pytest.mark.parametrize(("shape", "hints"), [((3, 4), 0), ((3, 4), 3), ((1, 5), 0)])
def test_most_violated_cells_are_drawn_evenly_and_pinned_ones_never(shape: tuple[int, int], hints: int) -> None:
    puzzle, solved = puzzle_of(shape, hints)
    lattice, rng = make_lattice(puzzle, puzzle.hints), np.random.default_rng(3)
    for seed in range(5):
        cells = mixed(puzzle, solved, False, seed)
        board = board_of(puzzle, cells)
        wrong = np.zeros(puzzle.size, dtype=int)
        for pair in board.mismatches:
            for row, col in pair:
                wrong[row * puzzle.cols + col] += not side_is_right(board, row, col, side_between(pair, (row, col)))
        wrong[lattice.pinned] = 0
        expected = np.flatnonzero(wrong == wrong.max())
        swaps = make_swaps(lattice, False, cells)
        drawn = [most_violated(rng, lattice, swaps) for _ in range(300 * len(expected))]
        counts = np.bincount(drawn, minlength=puzzle.size)
        assert (np.flatnonzero(counts) == expected).all()
        assert counts[expected].min() > 200
    assert most_violated(rng, lattice, make_swaps(lattice, False, np.array(solved.cells).ravel())) == -1


def test_a_corner_that_can_neither_swap_nor_turn_is_never_drawn() -> None:
    puzzle, solved = generate(4, 4, 3, 4, 1)
    cells = np.array(solved.cells).ravel()
    corners = [
        swapped
        for here, there in product(range(4), range(4))
        if is_framed(make_lattice(puzzle), swapped := exchanged(cells, 0, 3, here, there))
    ]
    (cells,) = corners
    pins = [Hint(int(cells[cell]) // 4, *divmod(cell, 4), int(cells[cell]) % 4) for cell in (3, 12, 15)]
    lattice, rng = make_lattice(puzzle, pins), np.random.default_rng(7)
    until = np.full((16, 16), FREE)
    swaps = make_swaps(lattice, True, cells)
    assert best_swap(rng, lattice, swaps, 0, until, 0, 99).gain == NO_MOVE
    assert {cell for cell in range(16) if swaps.fixed[cell]} == {0, 3, 12, 15}
    assert not {most_violated(rng, lattice, swaps) for _ in range(50)} & {0, 3, -1}
    assert not make_swaps(make_lattice(puzzle), True, cells).fixed.any()
    free = make_swaps(lattice, False, cells)
    assert (free.fixed == lattice.pinned).all()


def side_between(pair: tuple[tuple[int, int], tuple[int, int]], end: tuple[int, int]) -> int:
    other = pair[1] if end == pair[0] else pair[0]
    return {(-1, 0): 0, (0, 1): 1, (1, 0): 2, (0, -1): 3}[other[0] - end[0], other[1] - end[1]]


@pytest.mark.parametrize("framed", [False, True])
@pytest.mark.parametrize(("shape", "hints"), [*((shape, 0) for shape in SHAPES), ((5, 4), 4), ((16, 16), 5)])
def test_random_moves_keep_boards_whole_exact_and_framed(shape: tuple[int, int], hints: int, framed: bool) -> None:
    puzzle, solved = puzzle_of(shape, hints)
    lattice, rng = make_lattice(puzzle, puzzle.hints), np.random.default_rng(4)
    start = np.array(solved.cells) if framed else random_boards(rng, puzzle, 1, puzzle.hints)[0]
    population = population_of(lattice, start[np.newaxis], weights(puzzle))
    cells, places, edges = population.cells[0], population.places[0], population.edges[0]
    for move in range(60):
        before = cells.copy()
        swap_randomly(rng, lattice, framed, cells, places, edges, 1 + move % 3)
        assert 1 < ((before ^ cells) >> 2 > 0).sum() <= 2 * (1 + move % 3) or move % 3
        anew = population_of(lattice, cells[:-1].reshape(1, *shape), weights(puzzle))
        assert (anew.edges[0] == edges).all()
        assert (anew.places[0] == places).all()
        assert is_whole(lattice, population, 0)
        if framed:
            assert board_of(puzzle, cells[:-1]).verify().frame


def test_random_moves_reach_all_that_they_may_evenly() -> None:
    puzzle, solved = puzzle_of((3, 4))
    lattice, rng = make_lattice(puzzle), np.random.default_rng(5)
    for framed, cell, others in ((True, 0, [3, 8, 11]), (True, 5, [6]), (False, 5, [*range(5), *range(6, 12)])):
        counts, turns = np.zeros(12), np.zeros(4)
        for _ in range(3000):
            population = population_of(lattice, solved.cells[np.newaxis], weights(puzzle))
            places = population.places[0]
            swap_randomly(rng, lattice, framed, population.cells[0], places, population.edges[0], 1)
            to = places[solved.cells.ravel()[cell] >> 2]
            if to != cell:
                counts[to] += 1
                turns[population.cells[0, to] & 3] += 1
        assert np.flatnonzero(counts).tolist() == others
        mean = 3000 * 2 / 12 / len(others)
        assert abs(counts[others] - mean).max() < 5 * mean**0.5
        if cell == 5:
            assert abs(turns - 125).max() < 55


def test_random_moves_do_nothing_where_no_two_cells_can_swap() -> None:
    puzzle, solved = puzzle_of((3, 3), 8)
    lattice, rng = make_lattice(puzzle, puzzle.hints), np.random.default_rng(6)
    population = population_of(lattice, solved.cells[np.newaxis], weights(puzzle))
    swap_randomly(rng, lattice, False, population.cells[0], population.places[0], population.edges[0], 5)
    assert (population.cells[0, :-1] == solved.cells.ravel()).all()
