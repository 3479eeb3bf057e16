"""Local search in several neighbourhoods: none makes a board worse, and the whole resumes exactly."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from operators import knowledge_boards, random_boards
from operators.rebuild import make_rebuild
from puzzles import Board, Puzzle, generate
from solvers import SolverError
from solvers.local import neighbourhoods
from solvers.local.multi_neighbourhood import NEIGHBOURHOODS, MnlsOptions, MultiNeighbourhood
from solvers.local.neighbourhoods import Terrain, make_terrain
from tests.solvers.regions.regions_oracle import full_board

MOVES: dict[str, Callable[[np.random.Generator, Terrain], int]] = {
    "TA": lambda rng, terrain: neighbourhoods.assign_tiles(rng, terrain, 20, 6),
    "TA without ties": lambda rng, terrain: neighbourhoods.assign_tiles(rng, terrain, 20, 6, ties=False),
    "BO": neighbourhoods.optimise_border,
    "BW": neighbourhoods.assign_squares,
    "TSR": neighbourhoods.swap_and_rotate,
    "RO": lambda rng, terrain: neighbourhoods.optimise_region(rng, terrain, 3, 4, 5000),
    "RB": lambda rng, terrain: neighbourhoods.rebuild_regions(
        rng, terrain, 5, make_rebuild(terrain.lattice, (4, 12), 5, 0.5)
    ),
}


@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("kind", ["framed", "random", "loose"])
def test_a_neighbourhood_keeps_what_it_must_and_never_loses(name: str, kind: str) -> None:
    puzzle, _ = generate(7, 6, 3, 6, 1, hints=3)
    if kind == "loose":
        puzzle = Puzzle(7, 6, np.random.default_rng(1).integers(0, 5, (42, 4)), puzzle.hints, "loose", strict=False)
    terrain, gained = make_terrain(puzzle, puzzle.hints), 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        boards = random_boards(rng, puzzle, 1, puzzle.hints)
        if kind == "framed":
            boards = full_board(rng, puzzle, terrain.ground).reshape(1, 7, 6)
        terrain.place(boards[0])
        before = Board(puzzle, boards[0]).score
        gain = MOVES[name](rng, terrain)
        after = Board(puzzle, terrain.cells.reshape(7, 6))
        assert gain >= 0
        assert after.score == before + gain == terrain.score
        assert (np.sort(terrain.cells >> 2) == np.arange(42)).all()
        assert all(after.cells[hint.row, hint.col] == hint.tile * 4 + hint.rotation for hint in puzzle.hints)
        assert kind != "framed" or after.verify().frame
        gained += gain
    assert gained > 0 or (name == "BO" and kind != "framed")


def test_without_ties_a_move_that_gains_nothing_changes_nothing() -> None:
    puzzle, _ = generate(6, 6, 3, 6, 1)
    terrain, rng = make_terrain(puzzle), np.random.default_rng(1)
    terrain.place(random_boards(rng, puzzle, 1)[0])
    idle = 0
    for _ in range(300):
        before = terrain.cells.copy()
        if neighbourhoods.assign_tiles(rng, terrain, 1, 6, ties=False) == 0:
            idle += 1
            assert (terrain.cells == before).all()
    assert idle > 50


def test_local_optima_are_local_optima() -> None:
    puzzle, _ = generate(6, 6, 3, 6, 1)
    terrain, rng = make_terrain(puzzle), np.random.default_rng(1)
    terrain.place(random_boards(rng, puzzle, 1)[0])
    assert neighbourhoods.swap_and_rotate(rng, terrain) > 0
    cells, score = terrain.cells.copy(), terrain.score
    for one in range(36):
        for other in range(one + 1, 36):
            for turns in range(16):
                board = cells.copy()
                board[one] = cells[other] & 0xFFFC | (cells[other] + turns) & 3
                board[other] = cells[one] & 0xFFFC | (cells[one] + turns // 4) & 3
                assert Board(puzzle, board.reshape(6, 6)).score <= score
    assert neighbourhoods.swap_and_rotate(rng, terrain) == 0
    neighbourhoods.assign_squares(rng, terrain)
    assert neighbourhoods.assign_squares(rng, terrain) == 0


def search(puzzle: Puzzle, seed: int, evaluations: int, **options: Any) -> MultiNeighbourhood:
    def start(rng: np.random.Generator) -> np.ndarray:
        return knowledge_boards(rng, puzzle, 1)[0]

    rng = np.random.default_rng(seed)
    return MultiNeighbourhood(puzzle, rng, evaluations, start=start, options=MnlsOptions(**options))


SMALL = {"ta_moves": 30, "ta_size": 6, "region": (3, 3), "ro_moves": 2, "ro_limit": 500}


def test_a_search_goes_on_from_where_another_stood() -> None:
    puzzle, _ = generate(7, 7, 3, 7, 1)
    how = SMALL | {"patience": 3, "sequence": NEIGHBOURHOODS, "rb_moves": 30, "rb_cells": (3, 9)}
    whole = [(one[0], one[1], one.best_cells.tobytes()) for one in search(puzzle, 5, 2000, **how).reports()]
    for after in (1, 20, 60):
        first, second = search(puzzle, 5, 2000, **how), search(puzzle, 6, 2000, **how)
        loop = first.reports()
        made = [next(loop) for _ in range(after)]
        second.restore(first.state())
        second.rng.bit_generator.state = first.rng.bit_generator.state
        both = [(one[0], one[1], one.best_cells.tobytes()) for one in [*made, *second.reports()]]
        assert both == whole


def test_a_smaller_budget_visits_the_first_boards_of_a_larger_one() -> None:
    puzzle, _ = generate(6, 6, 3, 5, 1)
    options = MnlsOptions(NEIGHBOURHOODS, ta_size=4, ta_moves=30, ro_moves=3, region=(2, 2), rb_moves=30)
    boards = []
    for stops in ((150,), (40, 77, 150)):
        state, rng = None, np.random.default_rng(5)
        for evaluations in stops:
            start = lambda rng: random_boards(rng, puzzle, 1)[0].ravel()  # noqa: E731
            search = MultiNeighbourhood(puzzle, rng, evaluations, start=start, options=options)
            if state is not None:
                search.restore(state)
            assert [report.evaluations for report in search.reports()][-1] == evaluations
            state = search.state()
        boards.append(search.state())
    assert all((boards[0][name] == boards[1][name]).all() for name in boards[0])


def test_small_puzzles_are_solved_and_the_search_then_ends() -> None:
    solved = 0
    for seed in range(5):
        puzzle, _ = generate(4, 4, 2, 3, seed)
        *_, last = search(puzzle, seed, 30_000, **SMALL, patience=5).reports()
        assert Board(puzzle, last.best_cells).score == last.best_score
        solved += last.best_score == puzzle.max_score and last.evaluations < 30_000
    assert solved >= 4


def test_the_sequence_is_followed() -> None:
    puzzle, _ = generate(7, 7, 3, 7, 1)
    for sequence in (("BW",), ("RO", "TSR"), NEIGHBOURHOODS):
        one = search(puzzle, 1, 400, **SMALL, sequence=sequence)
        assert len(list(one.reports())) > 5
        assert {name for name, gain in one.gains.items() if gain} <= set(sequence)
        assert sum(one.gains.values()) > 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"sequence": ()},
        {"sequence": ("TA", "XX")},
        {"ta_size": 0},
        {"patience": -1},
        {"violated": 1.5},
        {"region": (0, 3)},
        {"region": (20, 20)},
        {"rb_width": 0},
        {"sequence": ("RB",), "rb_cells": (17, 30)},
    ],
)
def test_numbers_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SolverError, match=r"expected|is not one of TA, BO, BW, TSR, RO"):
        search(generate(4, 4, 3, 5, 1)[0], 1, 100, **wrong)
