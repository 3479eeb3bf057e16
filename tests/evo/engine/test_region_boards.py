"""Settings of regions become constructors, and the pins, engines and bad values of these are looked after."""

import sys

import numpy as np
import pytest

from evo.engine.region_boards import constructor_of
from evo.errors import ConfigError
from evo.settings.base import make_search
from evo.settings.regions import RegionSettings
from evo.settings.registry import make_settings
from puzzles import Board, Puzzle, generate


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    return generate(4, 5, 3, 4, 1, hints=2)[0]


@pytest.mark.parametrize("engine", ["compiled", "milp", "scip"])
def test_every_engine_builds_boards(puzzle: Puzzle, engine: str) -> None:
    if engine == "scip":
        pytest.importorskip("ortools")
    how = RegionSettings(engine=engine, region=(2, 2))
    built = constructor_of(puzzle, how, puzzle.hints)(np.random.default_rng(1))
    board = Board(puzzle, built.cells.reshape(4, 5))
    assert board.score == puzzle.max_score - built.mismatches
    assert built.proved == built.regions == 6
    assert all(board.cells[hint.row, hint.col] == hint.tile * 4 + hint.rotation for hint in puzzle.hints)


def test_what_does_not_fit_is_refused_in_one_line(puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="region 1 has 3x3 cells: the engine compiled takes one or two rows"):
        make_search(puzzle, make_settings({"algorithm": "REGIONS", "regions": {"region": [3, 3]}}))
    monkeypatch.setattr(sys.modules["evo.engine.region_boards"], "available", lambda: ["scipy"])
    with pytest.raises(ConfigError, match=r"engine: cp-sat needs OR-tools: pip install 'evo-edge-matching\[exact\]'"):
        make_search(puzzle, make_settings({"algorithm": "REGIONS", "regions": {"engine": "cp-sat"}}))
    with pytest.raises(ConfigError, match=r"^border: scip needs OR-tools: pip install 'evo-edge-matching\[exact\]'$"):
        make_search(puzzle, make_settings({"algorithm": "MNLS", "border": "scip"}))


@pytest.mark.parametrize("init", [{"kind": "beam", "width": 3}, {"kind": "regions"}, "random"])
def test_local_search_begins_with_boards_of_all_kinds(puzzle: Puzzle, init: object) -> None:
    settings = make_settings({"algorithm": "MNLS", "init": init, "evaluations": 300, "ta_moves": 20, "region": [3, 3]})
    reports = list(make_search(puzzle, settings).reports())
    assert reports[-1].best_score >= reports[0].best_score
    assert reports[-1].board.score == reports[-1].best_score
