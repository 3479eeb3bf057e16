"""A region of a board filled anew: against an obvious search, and with everything else left as it was."""

import itertools

import numpy as np
import pytest

from puzzles import Board, Puzzle, generate
from solvers import SolverError, fill_region
from solvers.exact.region_filling import Region


def windows(puzzle: Puzzle, rows: int, cols: int) -> list[Region]:
    places = itertools.product(range(puzzle.rows - rows + 1), range(puzzle.cols - cols + 1))
    return [Region(row, col, rows, cols) for row, col in places]


def scrambled(board: Board, region: Region, rng: np.random.Generator) -> np.ndarray:
    """The board with the tiles of a region in another order and turned."""
    cells = board.cells.copy()
    part = cells[region.row : region.row + region.rows, region.col : region.col + region.cols]
    values = rng.permutation(part.ravel() >> 2) * 4 + rng.integers(0, 4, part.size)
    part[:] = values.reshape(part.shape)
    return cells


def mismatches(puzzle: Puzzle, cells: np.ndarray, region: Region) -> int:
    """Edges that do not match, of those inside a region or at its border, counted side by side."""
    sides, wrong = puzzle.sides, 0
    for row, col in itertools.product(
        range(region.row, region.row + region.rows), range(region.col, region.col + region.cols)
    ):
        for side, (down, right) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
            at = row + down, col + right
            inside = 0 <= at[0] < puzzle.rows and 0 <= at[1] < puzzle.cols
            other = sides[(side + 2) % 4, cells[at]] if inside else 0
            shown = sides[side, cells[row, col]]
            wrong += int(shown != other) + int(inside and shown == 0)
    return wrong


@pytest.mark.parametrize("side", [5, 12])
def test_a_scrambled_region_is_repaired_wherever_it_is(side: int) -> None:
    puzzle, solution = generate(side, side, 4, 6, 1)
    rng = np.random.default_rng(1)
    for region in windows(puzzle, 3, 4)[:: 1 + side // 3]:
        cells = scrambled(solution, region, rng)
        filling = fill_region(puzzle, cells, region, rng)
        assert filling.cells is not None
        assert mismatches(puzzle, filling.cells, region) == 0
        assert Board(puzzle, filling.cells).score == puzzle.max_score  # every tile once, and the rest was solved
        outside = np.ones(puzzle.shape, dtype=bool)
        outside[region.row : region.row + 3, region.col : region.col + 4] = False
        assert (filling.cells == cells)[outside].all()


def test_it_fills_exactly_the_regions_that_can_be_filled() -> None:
    puzzle, solution = generate(5, 5, 3, 3, 4, style="benoist")
    rng = np.random.default_rng(2)
    cells = scrambled(solution, Region(2, 1, 1, 3), rng)
    outcomes = []
    for region in windows(puzzle, 1, 3):
        places = region.row, slice(region.col, region.col + 3)
        possible = False
        for order in itertools.permutations(cells[places] >> 2):
            for turns in itertools.product(range(4), repeat=3):
                trial = cells.copy()
                trial[places] = 4 * np.array(order) + np.array(turns)
                possible = possible or mismatches(puzzle, trial, region) == 0
        filling = fill_region(puzzle, cells, region, rng)
        assert (filling.cells is not None, filling.impossible) == (possible, not possible)
        outcomes.append(possible)
    assert len(set(outcomes)) == 2


def test_grey_inside_matches_nothing() -> None:
    grey_inside = [[0, 0, 1, 0], [0, 0, 2, 0], [0, 1, 0, 0], [0, 2, 0, 0]]  # side by side they show grey to each other
    puzzle = Puzzle(2, 2, np.array(grey_inside), name="grey", strict=False)
    cells = np.arange(4).reshape(2, 2) * 4
    rng = np.random.default_rng(1)
    for region in (Region(0, 0, 2, 2), Region(0, 0, 1, 2), Region(0, 1, 2, 1)):
        filling = fill_region(puzzle, cells, region, rng)
        assert filling.cells is None or mismatches(puzzle, filling.cells, region) == 0
    loose = Puzzle(2, 2, np.ones((4, 4), dtype=int) + np.eye(4, dtype=int), name="loose", strict=False)
    with pytest.raises(SolverError, match="loose: expected tiles with grey sides for the rim; found none"):
        fill_region(loose, cells, Region(0, 0, 2, 2), rng)


def test_regions_that_cannot_be_are_refused() -> None:
    puzzle, solution = generate(12, 12, 4, 6, 1)
    rng = np.random.default_rng(1)
    with pytest.raises(SolverError, match="expected a region on a board of 12x12"):
        fill_region(puzzle, solution.cells, Region(10, 0, 3, 3), rng)
    with pytest.raises(SolverError, match="64 cells with the ring"):
        fill_region(puzzle, solution.cells, Region(0, 0, 7, 7), rng)
    filling = fill_region(puzzle, solution.cells, Region(2, 2, 6, 6), rng, nodes=1)
    assert filling.cells is None
    assert not filling.impossible
