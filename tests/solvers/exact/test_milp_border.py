"""Borders that the ring search does not prove are proved by the integer program, as good as brute force finds."""

import numpy as np
import pytest

from puzzles import EMPTY, Board, Puzzle, generate
from solvers import SolverError
from solvers.exact.milp_border import MilpBorder
from solvers.local.neighbourhoods import make_terrain, optimise_border
from solvers.regions.ground import make_ground
from solvers.regions.ring import RingSolver, ring_cells
from solvers.regions.strip_solver import StripOptions
from tests.solvers.regions.regions_oracle import cost, full_board, least_mismatches

HASTY = StripOptions(quick=1, limit=1, steps=1)
"""So that the ring search proves next to nothing."""


@pytest.mark.parametrize("engine", ["scipy", "cp-sat"])
def test_a_border_is_rearranged_as_well_as_brute_force_can(engine: str) -> None:
    if engine == "cp-sat":
        pytest.importorskip("ortools")
    rng, gained, unproved = np.random.default_rng(1), 0, 0
    for _ in range(8):
        puzzle, _ = generate(3, 3, 2, 3, int(rng.integers(1000)), hints=int(rng.integers(0, 3)))
        ground, ring = make_ground(puzzle, puzzle.hints), ring_cells(3, 3)
        board = full_board(rng, puzzle, ground)
        holes, before = board.copy(), Board(puzzle, board.reshape(3, 3)).score
        holes[ring] = EMPTY
        least = least_mismatches(puzzle, ground, holes, ring.tolist(), (board[ring] >> 2).tolist())
        unproved += not RingSolver(ground, HASTY).improve(rng, board.copy()).proved
        found = MilpBorder(puzzle, engine=engine, pins=puzzle.hints, options=HASTY).improve(rng, board)
        assert found.proved
        assert cost(puzzle, ground, board, ring.tolist()) == least
        assert Board(puzzle, board.reshape(3, 3)).score == before + found.gained
        assert all(board[3 * hint.row + hint.col] == 4 * hint.tile + hint.rotation for hint in puzzle.hints)
        gained += found.gained
    assert gained > 0
    assert unproved > 0  # or the integer program was never asked


def test_the_neighbourhood_takes_it_and_says_where_there_is_no_border() -> None:
    puzzle, _ = generate(6, 6, 4, 4, 1)
    ground = make_ground(puzzle)
    gains = {"ring": 0, "milp": 0}
    for seed in range(4):
        board = full_board(np.random.default_rng(seed), puzzle, ground)
        for name, border in (("ring", RingSolver(ground, HASTY)), ("milp", MilpBorder(puzzle, options=HASTY))):
            terrain = make_terrain(puzzle, border=border)
            terrain.place(board)
            before = terrain.score
            gain = optimise_border(np.random.default_rng(1), terrain)
            assert gain == terrain.score - before
            gains[name] += gain
    assert gains["milp"] > gains["ring"] > 0
    with pytest.raises(SolverError, match="a frame for at least 3x3"):
        MilpBorder(Puzzle(3, 3, np.ones((9, 4), dtype=int), strict=False))
