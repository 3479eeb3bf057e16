"""Constraint programming with first fail, against what one can see on the board and against trying everything."""

from itertools import permutations, product

import numpy as np
import pytest

from puzzles import DOWN, EMPTY, LEFT, RIGHT, UP, Board, Hint, Puzzle, generate
from solvers import FirstFail, Outcome, SolverError, complete, first_fail, relaxed_positions


def checked(puzzle: Puzzle, outcome: Outcome, relaxed: list[int]) -> Board:
    """What must hold of every outcome, looked at through the board alone."""
    board = Board(puzzle, outcome.cells.reshape(puzzle.shape))
    assert board.mismatches == ()
    assert board.verify().valid
    assert board.verify().hints_honoured == len(puzzle.hints)
    assert (outcome.cells[relaxed] == EMPTY).all()
    assert outcome.placed == board.placed.sum()
    assert outcome.solved == (outcome.placed == puzzle.size - len(relaxed))
    assert not (outcome.solved and outcome.exhausted)
    return board


@pytest.mark.parametrize("shape", [(2, 2), (3, 3), (1, 6), (6, 1), (2, 5), (4, 5), (6, 6)])
@pytest.mark.parametrize("hints", [0, 2])
def test_it_solves_small_puzzles(shape: tuple[int, int], hints: int) -> None:
    puzzle, _ = generate(*shape, 4, 6, 1, style="benoist", hints=hints)
    outcome = first_fail(puzzle, np.random.default_rng(1), nodes=1_000_000, pins=puzzle.hints)
    assert checked(puzzle, outcome, []).verify().solved
    assert outcome.solved


def solutions(puzzle: Puzzle, relaxed: list[int]) -> set[tuple[int, ...]]:
    """Every solution of a relaxed problem on a board of 2x2, found by trying all boards, with tiles turned by hand."""
    cells = [cell for cell in range(4) if cell not in relaxed]
    outward = {0: (UP, LEFT), 1: (UP, RIGHT), 2: (DOWN, LEFT), 3: (DOWN, RIGHT)}
    edges = [(0, RIGHT, 1, LEFT), (2, RIGHT, 3, LEFT), (0, DOWN, 2, UP), (1, DOWN, 3, UP)]
    found = set()
    for tiles in permutations(range(4), len(cells)):
        for turns in product(range(4), repeat=len(cells)):
            shown, board = {}, [EMPTY] * 4
            for cell, tile, turn in zip(cells, tiles, turns, strict=True):
                sides = puzzle.tiles[tile].tolist()
                shown[cell], board[cell] = sides[4 - turn :] + sides[: 4 - turn], 4 * tile + turn
            grey = {(cell, side) for cell in cells for side in range(4) if shown[cell][side] == 0}
            rim = {(cell, side) for cell in cells for side in outward[cell]} if puzzle.framed else set()
            pairs = [(shown[a][s], shown[b][t]) for a, s, b, t in edges if a in shown and b in shown]
            if grey == rim and all(one == other for one, other in pairs):
                found.add(tuple(board))
    return found


@pytest.mark.parametrize("relaxed", [[], [1], [0, 3]])
@pytest.mark.parametrize("framed", [False, True])
def test_every_solution_is_found_and_no_other_board(relaxed: list[int], framed: bool) -> None:
    tiles = [[0, 1, 2, 0], [0, 1, 1, 0], [0, 2, 1, 0], [0, 1, 1, 0]] if framed else [[1, 2, 1, 3], [2, 2, 3, 1]] * 2
    puzzle = Puzzle(2, 2, tiles, strict=False)
    every, found = solutions(puzzle, relaxed), set()
    for seed in range(150):
        outcome = first_fail(puzzle, np.random.default_rng(seed), relaxed, nodes=1000)
        assert outcome.solved
        found.add(tuple(outcome.cells.tolist()))
    assert found <= every
    assert len(found) >= min(len(every), 20) > 1


@pytest.mark.parametrize("restart_after", [0, 3])
def test_what_has_no_solution_is_exhausted(restart_after: int) -> None:
    puzzle, _ = generate(3, 4, 3, 3, 1)
    tiles = np.array(puzzle.tiles)
    inner = int(np.flatnonzero((tiles != 0).all(axis=1))[0])
    tiles[inner] = [20, 21, 22, 23]  # fits nowhere
    hopeless, rng = Puzzle(3, 4, tiles, strict=False), np.random.default_rng(1)
    outcome = first_fail(hopeless, rng, nodes=1_000_000, restart_after=restart_after)
    assert outcome.exhausted
    assert outcome.nodes < 1_000_000
    checked(hopeless, outcome, [])
    solved = first_fail(hopeless, rng, [5, 7], nodes=1_000_000, restart_after=restart_after)
    assert solved.solved == ((solved.cells >> 2) != inner).all()  # it can only be what is left over


def test_a_search_that_must_backtrack_exhausts_as_trying_all_does() -> None:
    answers = set()
    for seed in range(10):
        tiles = np.random.default_rng(seed).integers(1, 7, (4, 4))
        puzzle = Puzzle(2, 2, tiles, strict=False)
        outcome = first_fail(puzzle, np.random.default_rng(seed), nodes=100_000)
        checked(puzzle, outcome, [])
        assert outcome.solved != outcome.exhausted
        assert outcome.solved == bool(solutions(puzzle, []))
        answers.add(outcome.solved)
    assert answers == {True, False}


def test_pins_that_cannot_be_are_reported_as_exhausted() -> None:
    puzzle, solved = generate(3, 3, 3, 3, 1)
    tile, turn = divmod(int(solved.cells[1, 1]), 4)
    wrong = puzzle.with_hints([Hint(tile, 0, 1, turn)])  # an inner tile on the rim, with no neighbour to match
    outcome = first_fail(wrong, np.random.default_rng(1), nodes=1000, pins=wrong.hints)
    assert outcome.exhausted
    assert (outcome.placed, outcome.nodes) == (1, 0)


@pytest.mark.parametrize("count", [0, 25])
def test_partial_boards_of_the_real_puzzle(count: int, eternity2: Puzzle) -> None:
    puzzle = eternity2.with_hints([hint for hint in eternity2.hints if hint.mandatory])
    rng = np.random.default_rng(1)
    relaxed = relaxed_positions(puzzle, rng, count, pins=puzzle.hints)
    outcome = first_fail(puzzle, rng, relaxed, nodes=1500, pins=puzzle.hints)
    board = checked(puzzle, outcome, relaxed.tolist())
    assert outcome.placed > 120
    assert outcome.nodes == 1500 or outcome.solved
    whole = Board(puzzle, complete(puzzle, rng, outcome.cells, pins=puzzle.hints).reshape(16, 16))
    assert whole.verify().valid
    assert whole.verify().placed == 256
    assert whole.score >= board.score


@pytest.mark.parametrize("restart_after", [0, 70])
def test_the_same_seed_gives_the_same_board_in_one_go_or_in_many(restart_after: int, eternity2: Puzzle) -> None:
    whole = FirstFail(eternity2, np.random.default_rng(3), [5, 9], restart_after=restart_after)
    parts = FirstFail(eternity2, np.random.default_rng(3), [5, 9], restart_after=restart_after)
    whole.search(900)
    for nodes in (1, 99, 0, 800):
        parts.search(nodes)
    assert parts.outcome()._replace(cells=None) == whole.outcome()._replace(cells=None)
    assert (parts.outcome().cells == whole.outcome().cells).all()
    other = first_fail(eternity2, np.random.default_rng(4), [5, 9], nodes=900, restart_after=restart_after)
    assert (other.cells != whole.outcome().cells).any()


def test_a_restart_begins_at_the_root_and_keeps_the_deepest(eternity2: Puzzle) -> None:
    placed = {}
    for restart_after in (0, 1, 150):
        search = FirstFail(eternity2, np.random.default_rng(5), restart_after=restart_after)
        search.search(150)
        before = search.outcome().placed
        search.search(1)
        placed[restart_after] = search.outcome().placed
        assert placed[restart_after] >= before
    assert placed[1] < 20  # a decision is taken back at once
    assert placed[0] > 120
    assert placed[150] > 120


def test_more_colours_than_a_word_has_bits() -> None:
    puzzle, _ = generate(6, 7, 60, 130, 1)
    outcome = first_fail(puzzle, np.random.default_rng(1), nodes=10_000)
    assert checked(puzzle, outcome, []).verify().solved


@pytest.mark.parametrize(("border", "inner", "style"), [(55, 55, "benoist"), (5, 50, "eternity")])
def test_more_colours_in_a_cell_than_half_a_word_has_bits(border: int, inner: int, style: str) -> None:
    puzzle, _ = generate(10, 10, border, inner, 0, style=style)
    outcome = first_fail(puzzle, np.random.default_rng(0), nodes=3000)
    assert checked(puzzle, outcome, []).verify().solved


def test_what_cannot_be_searched_is_refused(eternity2: Puzzle) -> None:
    rng = np.random.default_rng(1)
    pinned = eternity2.hints[0].row * 16 + eternity2.hints[0].col
    for relaxed, message in (([pinned], f"cannot relax cell {pinned}: a hint"), ([256], "cells 0 to 255")):
        with pytest.raises(SolverError, match=message):
            FirstFail(eternity2, rng, relaxed, pins=eternity2.hints)
    with pytest.raises(SolverError, match="expected 0 or more nodes; found -1"):
        FirstFail(eternity2, rng, restart_after=-1)
    large, _ = generate(33, 33, 9, 9, 1, style="benoist")
    with pytest.raises(SolverError, match="at most 1024 cells; this one has 1089"):
        FirstFail(large, rng)
