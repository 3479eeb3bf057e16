"""The models as data: printed, written to files that others read, and the paper's faulty forms."""

from collections.abc import Iterator
from itertools import pairwise
from math import inf
from pathlib import Path

import numpy as np
import pytest

from puzzles.pencil import Battleship, Circuit, Hashi, Island, check
from puzzles.pencil.battleship import UNKNOWN
from puzzles.pencil.zebra import LIFE_1962
from solvers.errors import SolverError
from solvers.pencil import MODELS, Model, Search, lp, make_model, mps, relaxation, solve
from solvers.programs.model import Row
from tests.puzzles.pencil.samples import SAMPLES


def some_models() -> Iterator[Model]:
    for kind, names in MODELS.items():
        puzzle, _ = SAMPLES[kind](np.random.default_rng(2))
        if kind == "circuit":
            puzzle = Circuit(puzzle.shape, puzzle.black, puzzle.given, (puzzle.points[0], puzzle.points[-1]))
        for name in names:
            if name == "search":
                continue
            if name in ("cm1", "cm2"):
                yield make_model(Circuit(puzzle.shape, puzzle.black, puzzle.given), name)
            else:
                yield make_model(puzzle, name)


def test_models_print_every_equation_that_they_have() -> None:
    for model in some_models():
        text = str(model)
        for row in model.rows:
            assert f"({row.equation})" in text
        assert f"{len(model.rows)} rows" in text.splitlines()[0]


@pytest.mark.parametrize(("write", "suffix"), [(lp, ".lp"), (mps, ".mps")])
def test_another_reader_takes_the_files_and_agrees(write, suffix: str, tmp_path: Path) -> None:
    highs = pytest.importorskip("scipy.optimize._highspy._core", reason="scipy hides its HiGHS elsewhere")
    for number, model in enumerate(some_models()):
        expected = Search(Model(**{**vars(model), "separate": None}), "scipy").feasible()
        path = tmp_path / f"{number}{suffix}"
        path.write_text(write(model))
        reader = highs._Highs()
        reader.setOptionValue("output_flag", False)
        reader.readModel(str(path))
        assert reader.getNumCol() == len(model.variables)
        reader.run()
        status = reader.modelStatusToString(reader.getModelStatus())
        assert status == ("Optimal" if expected else "Infeasible")
        if expected:
            value = sum(coefficient * expected[index] for index, coefficient in model.objective)
            assert reader.getInfo().objective_function_value == pytest.approx(value, abs=1e-6)


def test_the_printed_window_forbids_ships_with_one_water_cell_between_them() -> None:
    puzzle = Battleship((1, 0, 1), (2,), ((1, 2),), ((UNKNOWN,),) * 3)
    assert solve(puzzle, model="gbm").unique
    assert solve(puzzle, model="gbm", as_printed=True).status == "infeasible"


def test_the_printed_window_allows_nothing_wrong_and_forbids_most_boards() -> None:
    lost = 0
    for seed in range(12):
        puzzle, _ = SAMPLES["battleship"](np.random.default_rng(seed), 8, 40)
        right = solve(puzzle, model="gbm", solutions=50)
        printed = solve(puzzle, model="gbm", solutions=50, as_printed=True)
        assert set(printed.solutions) <= set(right.solutions)
        lost += printed.status == "infeasible"
    assert lost >= 6


def test_the_printed_cell_model_sees_a_ship_that_is_not_there() -> None:
    # A ship of 4 at the top left, a ship of 3 two rows below its left end: together they pass for one of 5.
    puzzle = Battleship((4, 0, 1, 1, 1, 0, 2), (4, 1, 1, 2, 1, 0, 0), ((4, 1), (5, 1)), ((UNKNOWN,) * 7,) * 7)
    assert solve(puzzle, model="gbm").status == "infeasible"
    assert solve(puzzle, model="cbm").status == "infeasible"
    model = make_model(puzzle, "cbm", as_printed=True)
    values = Search(model, "scipy").feasible()
    assert values is not None
    fault = check(puzzle, model.decode(values))
    assert fault is not None
    assert fault.place == "the fleet"
    with pytest.raises(SolverError, match="the printed model accepts a wrong solution: the fleet"):
        solve(puzzle, model="cbm", as_printed=True)


def test_the_printed_subtour_rows_kill_every_tree() -> None:
    for seed in range(5):
        puzzle, solution = SAMPLES["circuit"](np.random.default_rng(seed), 4)
        board = Circuit(puzzle.shape, puzzle.black, puzzle.given)
        assert solve(board, model="cm1").status == "solved"
        assert solve(board, model="cm1", as_printed=True).status == "infeasible"
        assert check(board, solution) is None


def test_the_printed_flow_model_needs_its_objective_to_avoid_cycles() -> None:
    cyclic = 0
    for seed in range(12):
        puzzle, _ = SAMPLES["circuit"](np.random.default_rng(seed), 5, 0.0)
        board = Circuit(puzzle.shape, puzzle.black)
        size = len(board.points)
        for as_printed in (False, True):
            model = make_model(board, "cm2", as_printed)
            more = Row("more", model.objective, size, inf)
            values = Search(Model(**{**vars(model), "objective": (), "rows": [*model.rows, more]}), "scipy").feasible()
            assert as_printed or values is None
            cyclic += values is not None
        printed = relaxation(make_model(board, "cm2", as_printed=True))
        tight = relaxation(make_model(board, "cm2"))
        assert tight == pytest.approx(size - 1, abs=1e-6)
        assert printed <= tight + 1e-6
        assert relaxation(make_model(board, "cm1")) == pytest.approx(size - 1, abs=1e-6)
    assert cyclic


def test_two_islands_of_one_bridge_are_no_contradiction() -> None:
    puzzle = Hashi((1, 3), (Island(0, 0, 1), Island(0, 2, 1)))
    for name in ("flow", "hdc", "cuts"):
        assert solve(puzzle, model=name).unique
    assert solve(puzzle, model="hdc", as_printed=True).status == "infeasible"


def test_the_printed_constant_is_too_small_for_many_islands() -> None:
    places = []
    for row in range(0, 26, 2):  # a snake of 13 rows of 10 islands, 3 columns apart, joined at the ends
        cols = range(0, 30, 3)
        places += [(row, col) for col in (cols if row % 4 == 0 else reversed(cols))]
    labels = [1, *[2] * (len(places) - 2), 1]
    puzzle = Hashi((25, 28), tuple(Island(*place, label) for place, label in zip(places, labels, strict=True)))
    assert len(puzzle.islands) == 130
    chain = solve(puzzle, model="cuts", solutions=1)
    assert chain.status == "solved"
    forced = make_model(puzzle, "flow", as_printed=True)
    right = make_model(puzzle, "flow")
    index = {pair: q for q, pair in enumerate(puzzle.possible)}
    for model, feasible in ((right, True), (forced, False)):
        rows = [Row("chain", ((3 * index[b.a, b.b] + b.n, 1),), 1, 1) for b in _snake(puzzle, places)]
        found = Search(Model(**{**vars(model), "rows": [*model.rows, *rows]}), "scipy", 60).feasible()
        assert (found is not None) == feasible


def _snake(puzzle: Hashi, places: list[tuple[int, int]]) -> list:
    from puzzles.pencil import Bridge

    number = {(island.row, island.col): k for k, island in enumerate(puzzle.islands)}
    pairs = [sorted((number[a], number[b])) for a, b in pairwise(places)]
    return [Bridge(a, b, 1) for a, b in pairs]


def test_the_redundant_row_of_the_flow_changes_nothing() -> None:
    for seed in range(5):
        puzzle, _ = SAMPLES["hashi"](np.random.default_rng(seed), 5, 7)
        both = [solve(puzzle, model="flow", solutions=40, as_printed=form).solutions for form in (False, True)]
        assert set(both[0]) == set(both[1])


def test_models_without_faults_have_no_printed_form() -> None:
    with pytest.raises(SolverError, match="no printed form"):
        make_model(LIFE_1962, as_printed=True)
