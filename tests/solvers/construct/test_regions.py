"""Boards built region by region: Algorithms 1 and 2, and the beam."""

import numpy as np
import pytest

from puzzles import EMPTY, Board, Puzzle, generate
from solvers import SolverError
from solvers.construct.backtracking_regions import BacktrackingRegions
from solvers.construct.greedy_regions import BeamOverRegions, GreedyRegions
from solvers.regions.ground import Ground, Rectangle, bands, check_regions, checked_cells, make_ground
from solvers.regions.region_solver import CompiledRegions
from solvers.regions.strip_solver import StripOptions
from tests.solvers.regions.regions_oracle import cost

ALGORITHM_1 = BeamOverRegions()


def greedy(
    puzzle: Puzzle,
    region: tuple[int, int],
    beam: BeamOverRegions = ALGORITHM_1,
    thrift: float = 0.0,
    pinned: bool = False,
) -> tuple[Ground, CompiledRegions, GreedyRegions]:
    ground = make_ground(puzzle, puzzle.hints if pinned else ())
    solver = CompiledRegions(ground, bands(*puzzle.shape, *region), StripOptions(thrift=thrift, limit=100_000))
    return ground, solver, GreedyRegions(ground, solver, beam)


@pytest.mark.parametrize("region", [(1, 7), (2, 7), (2, 3), (6, 1), (6, 2), (1, 4)])
@pytest.mark.parametrize("beam", [BeamOverRegions(), BeamOverRegions(5, 3, 0.1)])
def test_boards_are_whole_framed_counted_and_keep_their_pins(region: tuple[int, int], beam: BeamOverRegions) -> None:
    puzzle, _ = generate(6, 7, 3, 6, 1, hints=4)
    _, _, builder = greedy(puzzle, region, beam, pinned=True)
    for seed in range(3):
        built = builder.construct(np.random.default_rng(seed))
        board = Board(puzzle, built.cells.reshape(6, 7))
        assert (np.sort(built.cells >> 2) == np.arange(42)).all()
        assert board.verify().frame
        assert board.score == puzzle.max_score - built.mismatches
        assert built.regions == built.proved == len(bands(6, 7, *region))
        assert all(board.cells[hint.row, hint.col] == hint.tile * 4 + hint.rotation for hint in puzzle.hints)


def test_a_wider_beam_builds_better_boards_and_thrift_helps(eternity2: Puzzle) -> None:
    def mean(beam: BeamOverRegions, thrift: float, seeds: int) -> float:
        _, _, builder = greedy(eternity2, (1, 16), beam, thrift)
        return float(np.mean([480 - builder.construct(np.random.default_rng(k)).mismatches for k in range(seeds)]))

    plain = mean(BeamOverRegions(), 0.0, 40)
    assert plain > 442  # the paper's mean of 20 runs is 443.75
    assert mean(BeamOverRegions(), 0.3, 40) > plain + 0.7
    assert mean(BeamOverRegions(20, 5, 0.1), 0.2, 3) > plain + 8


def test_every_filling_of_a_region_is_found_once_and_none_is_missed() -> None:
    puzzle, solution = generate(3, 4, 2, 2, 5)
    ground = make_ground(puzzle)
    solver = CompiledRegions(ground, [Rectangle(0, 0, 1, 4), Rectangle(1, 0, 2, 4)], StripOptions())
    board, rows = ground.pins.copy(), np.zeros((0, 4), dtype=np.uint16)
    while outcome := solver.another(np.random.default_rng(len(rows)), board, 0, rows):
        rows = np.vstack([rows, outcome.cells])
        board[:4] = outcome.cells
        assert cost(puzzle, ground, board, [0, 1, 2, 3]) == 0
    sides, count = puzzle.sides, 0

    def walk(cells: list[int]) -> None:
        nonlocal count
        if len(cells) == 4:
            count += 1
            return
        for one in range(48):
            fits = ground.grey[one] == ground.walls[len(cells)] and one >> 2 not in [cell >> 2 for cell in cells]
            if fits and (not cells or sides[1, cells[-1]] == sides[3, one]):
                walk([*cells, one])

    walk([])
    assert count == len(rows) == len({row.tobytes() for row in rows}) > 10
    assert solution.cells[0].tobytes() in {row.tobytes() for row in rows}


def test_backtracking_solves_what_greedy_does_not() -> None:
    solved = {"greedy": 0, "backtracking": 0}
    for seed in range(4):
        puzzle, _ = generate(5, 5, 3, 4, seed)
        ground, solver, builder = greedy(puzzle, (1, 5))
        backtracking = BacktrackingRegions(ground, solver, builder, 20_000)
        for name, one in (("greedy", builder), ("backtracking", backtracking)):
            built = one.construct(np.random.default_rng(seed))
            assert Board(puzzle, built.cells.reshape(5, 5)).score == puzzle.max_score - built.mismatches
            solved[name] += built.mismatches == 0
    assert solved["backtracking"] == 4
    assert solved["greedy"] < 4


def matches(board: Board, row: int) -> int:
    """The matching edges within a row and with the row above."""
    above = board.cells[: row + 1].copy(), board.cells[:row].copy()
    full = [np.full(board.cells.shape, EMPTY, dtype=np.uint16) for _ in above]
    for one, part in zip(full, above, strict=True):
        one[: len(part)] = part
    return Board(board.puzzle, full[0]).score - Board(board.puzzle, full[1]).score


def test_backtracking_stops_at_its_limit_and_the_rest_is_greedy(eternity2: Puzzle) -> None:
    ground, solver, builder = greedy(eternity2, (1, 16))
    scores = []
    for attempts in (1, 300):
        built = BacktrackingRegions(ground, solver, builder, attempts).construct(np.random.default_rng(1))
        board = Board(eternity2, built.cells.reshape(16, 16))
        assert board.score == 480 - built.mismatches
        scores.append(board.score)
        assert all(matches(board, row) == 15 + 16 * (row > 0) for row in range(4))
    assert min(scores) > 430


def test_bad_regions_are_refused_in_one_line() -> None:
    puzzle, solution = generate(4, 5, 3, 4, 1)
    ground = make_ground(puzzle)
    for regions, message in (
        ([Rectangle(0, 0, 1, 6)], "region 1, 1x6 cells at row 1, column 1: is not within the board of 4x5"),
        ([Rectangle(-1, 0, 1, 5)], "is not within the board"),
        ([Rectangle(0, 0, 2, 5), Rectangle(1, 4, 2, 1)], "region 2, 2x1 cells at row 2, column 5: overlaps region 1"),
    ):
        with pytest.raises(SolverError, match=message):
            check_regions(4, 5, regions)
    with pytest.raises(SolverError, match="region 1 has 3x3 cells: the engine compiled takes one or two"):
        CompiledRegions(ground, [Rectangle(0, 0, 3, 3)], StripOptions())
    with pytest.raises(SolverError, match="expected at least 1x1"):
        bands(4, 5, 0, 2)
    solver = CompiledRegions(ground, bands(4, 5, 1, 5), StripOptions())
    with pytest.raises(SolverError, match="width: expected 1 or more; found 0"):
        GreedyRegions(ground, solver, BeamOverRegions(width=0))
    with pytest.raises(SolverError, match="attempts: expected 1 or more"):
        BacktrackingRegions(ground, solver, GreedyRegions(ground, solver), 0)
    cells = solution.cells.copy()
    for change, message in (
        ((0, 1, cells[0, 0]), "a tile twice"),
        ((0, 1, 4 * 20), "does not exist"),
        ((0, 1, cells[0, 1] ^ 1), "a grey side inside"),
    ):
        wrong = cells.copy()
        wrong[change[0], change[1]] = change[2]
        with pytest.raises(SolverError, match=message):
            checked_cells(ground, wrong)
    with pytest.raises(SolverError, match="has 19 cells; expected 20"):
        checked_cells(ground, cells.ravel()[1:])
    partly = cells.copy()
    partly[2:] = EMPTY
    assert (checked_cells(ground, partly) == partly.ravel()).all()
