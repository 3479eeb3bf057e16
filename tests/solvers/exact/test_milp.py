"""The integer programs: the paper's numbers of variables and rows; equal to brute force and to the compiled strips."""

from pathlib import Path

import numpy as np
import pytest

from puzzles import EMPTY, Board, Puzzle, generate, load
from solvers import SolverError
from solvers.construct.backtracking_regions import BacktrackingRegions
from solvers.construct.greedy_regions import GreedyRegions
from solvers.exact.clique import clique_graph
from solvers.exact.milp import milp_model
from solvers.exact.milp_regions import MilpRegions
from solvers.programs.engines import make_engine
from solvers.programs.model_files import lp, mps
from solvers.regions.ground import Rectangle, bands, make_ground
from solvers.regions.strip import strip_of
from solvers.regions.strip_solver import StripOptions, StripSolver
from tests.solvers.regions.regions_oracle import full_board, least_mismatches, random_puzzle, unused

TABLE_1 = {3: (336, 126), 4: (1048, 288), 5: (2540, 630), 6: (5244, 1056)}
"""Variables and constraints of the paper's small instances."""


@pytest.mark.parametrize("size", TABLE_1)
def test_the_printed_model_has_the_numbers_of_table_1(size: int, instances: Path) -> None:
    puzzle = load(instances / "meta2010" / f"small_{size}x{size}.csv")
    model = milp_model(puzzle, kind="printed").model
    assert (len(model.variables), len(model.rows)) == TABLE_1[size]


@pytest.mark.parametrize("engine", ["scipy", "scip", "cp-sat"])
@pytest.mark.parametrize("kind", ["printed", "strong"])
def test_small_boards_are_solved_by_every_engine(engine: str, kind: str) -> None:
    if engine != "scipy":
        pytest.importorskip("ortools")
    puzzle, _ = generate(3, 3, 2, 3, 1)
    model = milp_model(puzzle, kind="strong" if kind == "strong" else "printed", binary=engine == "cp-sat").model
    found = make_engine(engine, model).solve(60)
    assert found.status == "solved"
    assert found.values is not None
    board = Board(puzzle, model.decode(found.values).reshape(3, 3))
    assert board.score == puzzle.max_score
    assert board.verify().frame


@pytest.mark.parametrize("seed", range(3))
def test_regions_have_the_optimum_of_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(4):
        puzzle = random_puzzle(rng)
        ground, (rows, cols) = make_ground(puzzle, puzzle.hints), puzzle.shape
        board = full_board(rng, puzzle, ground)
        board[(rng.random(puzzle.size) < 0.3) & (ground.pins == EMPTY)] = EMPTY
        regions = [Rectangle(int(rng.integers(rows - 1)), int(rng.integers(cols - 1)), 2, 2)]
        solver = MilpRegions(puzzle, regions, pins=puzzle.hints)
        board[solver.cells(0)] = EMPTY
        (outcome,) = solver.fillings(rng, board, 0, 1)
        least = least_mismatches(puzzle, ground, board, solver.cells(0).tolist(), unused(board, puzzle))
        assert (outcome.mismatches, outcome.proved) == (least, True)


def test_compiled_strips_of_a_real_puzzle_have_the_same_optimum(instances: Path) -> None:
    puzzle = load(instances / "meta2010" / "meta_10x10.csv")
    ground, rng = make_ground(puzzle), np.random.default_rng(3)
    for height, rows in ((1, (4, 8, 9)), (2, (8,))):
        regions = bands(10, 10, height, 10)
        compiled, milp = StripSolver(ground, 10 * height, height == 2), MilpRegions(puzzle, regions, seconds=120)
        board = ground.pins.copy()
        for number, region in enumerate(regions):
            strip = strip_of(10, 10, region)
            outcome = compiled.solve(rng, board, strip)
            if region.top in rows:
                (other,) = milp.fillings(rng, board, number, 1)
                assert other.proved
                assert outcome.proved
                assert other.mismatches == outcome.mismatches
            board[strip.cells] = outcome.cells


def test_cuts_exclude_one_solution_each_until_there_is_none() -> None:
    puzzle, _ = generate(3, 3, 2, 3, 1)
    ground = make_ground(puzzle)
    solver = MilpRegions(puzzle, [Rectangle(0, 0, 1, 3)])
    fast = StripSolver(ground, 3, False, StripOptions())
    rows = np.zeros((0, 3), dtype=np.uint16)
    while outcome := solver.another(np.random.default_rng(1), ground.pins, 0, rows):
        rows = np.vstack([rows, outcome.cells])
    others = np.zeros((len(rows) + 5, 3), dtype=np.uint16)
    strip = strip_of(3, 3, Rectangle(0, 0, 1, 3))
    count = fast.solve_several(np.random.default_rng(1), ground.pins, strip, others, most=0)[0]
    assert {row.tobytes() for row in rows} == {row.tobytes() for row in others[:count]}
    assert len(rows) > 3


def test_the_constructors_run_with_integer_programs_and_any_rectangles() -> None:
    puzzle, _ = generate(4, 4, 2, 3, 1)
    ground, regions = make_ground(puzzle), [Rectangle(0, 0, 3, 3), Rectangle(0, 3, 3, 1), Rectangle(3, 0, 1, 4)]
    solver = MilpRegions(puzzle, regions)
    greedy = GreedyRegions(ground, solver)
    for builder in (greedy, BacktrackingRegions(ground, solver, greedy, 5)):
        built = builder.construct(np.random.default_rng(1))
        assert Board(puzzle, built.cells.reshape(4, 4)).score == 24 - built.mismatches
        assert built.proved == 3


def test_models_are_written_as_files_with_equation_numbers() -> None:
    puzzle, _ = generate(3, 3, 2, 3, 1)
    model = milp_model(puzzle, kind="printed").model
    assert " e4_" in lp(model)
    assert "ENDATA" in mps(model)
    assert "(16)" in str(model)
    assert "[9 rows]" in str(model)


def test_bad_regions_are_refused() -> None:
    puzzle, solution = generate(3, 3, 2, 3, 1)
    tight = Puzzle(3, 3, puzzle.tiles)
    for region, message in (([9], "cell 9 is not on the board"), ([1, 1], "a cell occurs twice")):
        with pytest.raises(SolverError, match=message):
            milp_model(tight, region=region)
        with pytest.raises(SolverError, match=message):
            clique_graph(tight, region=region)
    crowded = solution.cells.copy()
    crowded[1, 1], crowded[0, 0] = crowded[0, 0], EMPTY  # four cells for corner tiles, three such tiles
    for model in (milp_model, clique_graph):
        with pytest.raises(SolverError, match=r"^the board has a grey side inside or a coloured side on the rim$"):
            model(puzzle, board=crowded)
    program = milp_model(puzzle, board=solution.cells, region=[0])
    with pytest.raises(SolverError, match="not a solution of the model"):
        program.exclude(np.roll(solution.cells, 1))
