"""Experiments about Sudoku and Battleship: the same store, resuming, tables and pictures as for boards of tiles."""

import json
import threading
from pathlib import Path

import pytest

import evo
from evo.analysis.study import Study
from evo.analysis.versus import versus_runs, versus_table
from evo.errors import ConfigError, EvoError
from evo.experiments.driver import Unwatched, carry_out, take_up
from evo.experiments.experiment import begin, resume_experiment
from evo.experiments.plan import Run, make_plan
from evo.experiments.store import Record, Store
from evo.experiments.versus import versus_stores
from evo.experiments.workers import Here
from evo.live.drawing import draw_picture, draw_report
from evo.live.standing import store_standing
from evo.live.view import View
from evo.settings.pencil import PENCIL_AIEA, PENCIL_EXACT, PENCIL_GA, PENCIL_SA, PENCIL_TABU
from puzzles.pencil import Filling, PencilTask, write
from solvers.pencil import generate

SUDOKU = PencilTask(generate("sudoku", 3, clues=26)).named("a sudoku")
SEA = PencilTask(generate("battleship", 1, side=6))
UNIQUE, SEVERAL = write(generate("sudoku", 1, side=4), "line"), "................"
ROWS = [
    PENCIL_GA(population=20, crossover=10, mutation=9, evaluations=2_000),
    PENCIL_AIEA(population=20, evaluations=2_000),
    PENCIL_SA(evaluations=2_000),
    PENCIL_TABU(evaluations=2_000),
    PENCIL_EXACT(),
]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return evo.run_experiment(ROWS, puzzle=SUDOKU, runs=2, out=tmp_path_factory.mktemp("pencil") / "x").directory


def test_an_experiment_is_stored_with_its_boards(directory: Path) -> None:
    result = evo.ExperimentResult(directory)
    assert (result.runs["state"] == "done").all()
    assert result.score == SUDOKU.max_score == 162
    assert isinstance(result.board, Filling)
    assert result.board.fault is None
    assert "162" in repr(result)
    assert "<svg" in result._repr_html_()
    store = Store(directory)
    assert store.puzzle == SUDOKU
    assert store.puzzle.name == "a sudoku"
    for run, record in store.records():
        board = store.board(run)
        assert board is not None
        assert board.score == record.best_score == record.true_score
    exact = [record for run, record in store.records() if run.algorithm == "PENCIL_EXACT"]
    assert [(one.solutions, one.proved) for one in exact] == [(1, True)] * 2


def test_tables_reports_and_pictures_are_made(directory: Path) -> None:
    study = Study(directory)
    for kind in ("convergence", "distributions", "ecdf", "diversity", "board", "comparison"):
        assert b"There is no" not in draw_picture(study, kind, View())
    assert "a sudoku" in draw_report(study).decode()
    standing = store_standing(Store(directory))
    assert (standing.puzzle, standing.best, standing.most) == ("a sudoku, 9x9", 162, 162)


class Stopping(Unwatched):
    """Stops an experiment after a number of slices."""

    def __init__(self, slices: int) -> None:
        self.left, self.stopped = slices, threading.Event()

    def advanced(self, run: Run, record: Record) -> None:
        self.left -= 1
        if self.left == 0:
            self.stopped.set()


@pytest.mark.parametrize("task", [SUDOKU, SEA], ids=["sudoku", "battleship"])
def test_a_run_that_was_interrupted_ends_with_the_same_bytes(
    task: PencilTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evo.experiments.workers.SLICE_SECONDS", 0.0, raising=True)
    whole = evo.run_experiment(ROWS, puzzle=task, out=tmp_path / "whole").directory
    store = begin(make_plan(ROWS, puzzle=task), tmp_path / "parts")
    with store.locked():
        for slices in (1, 3, 9):
            watch = Stopping(slices)
            left = [run for run in store.runs if store.record(run).state != "done"]
            carry_out(store, Here(), watch, {run.id: take_up(store, run) for run in left}, watch.stopped)
    resume_experiment(store.path)
    for run in store.runs:
        ends = [
            [line.split(",")[0::2] for line in (path / "runs" / run.id / "trace.csv").read_text().splitlines()]
            for path in (whole, store.path)
        ]
        assert ends[0] == ends[1]
        boards = [(path / "runs" / run.id / "board.json").read_bytes() for path in (whole, store.path)]
        assert boards[0] == boards[1]


def test_a_puzzle_must_be_named_and_of_the_right_kind(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="puzzle: is missing; name the file"):
        evo.run_experiment(PENCIL_SA(), out=tmp_path / "x")
    with pytest.raises(EvoError, match="found hashi"):
        evo.run_experiment(
            PENCIL_SA(), puzzle="https://puzz.link/p?hashikake/5/5/4g2i3h23k3g1g3g4g3", out=tmp_path / "x"
        )
    with pytest.raises(ConfigError, match="eternity2: PENCIL_SA solves a Sudoku or Battleship"):
        evo.run_experiment([evo.GA(population=10, crossover=5, mutation=4), PENCIL_SA()], out=tmp_path / "x")
    with pytest.raises(ConfigError, match="a sudoku: RAND solves an edge-matching puzzle"):
        evo.run_experiment(evo.RAND(), puzzle=SUDOKU, out=tmp_path / "x")
    with pytest.raises(ConfigError, match="engine: 'gurobi' is not one of"):
        evo.run_experiment(PENCIL_EXACT(engine="gurobi"), puzzle=SUDOKU, out=tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_a_damaged_puzzle_or_board_is_named(directory: Path, tmp_path: Path) -> None:
    store = evo.run_experiment(PENCIL_SA(evaluations=10), puzzle=SUDOKU, out=tmp_path / "x")._store
    path = store.file(store.runs[0], "board.json")
    for text in ("{}", "[]", "nonsense", '{"cells": [[1]]}', '{"cells": [["a"]]}', '{"cells": [[-1]]}'):
        path.write_text(text)
        with pytest.raises(EvoError, match=r"board\.json: ") as caught:
            Store(store.path).board(store.runs[0])
        assert "\n" not in str(caught.value)
    for text in ('{"pencil": 3}', '{"pencil": "chess", "name": ""}', '{"pencil": "sudoku", "name": "", "clues": 1}'):
        with pytest.raises(EvoError, match=r"is not a Sudoku or Battleship puzzle|expected a matrix"):
            PencilTask.from_json(text)


def test_versus_tells_what_only_exact_searches_can(tmp_path: Path) -> None:
    suite = tmp_path / "small.toml"
    (tmp_path / "unique.txt").write_text(UNIQUE)
    suite.write_text(
        'evaluations = 300\n[puzzles]\n"one" = "unique.txt"\n'
        f'"two" = "{SEVERAL}"\n"three" = "1..............1"\n'
        '[[rows]]\nname = "exact"\nalgorithm = "PENCIL_EXACT"\n'
        '[[rows]]\nname = "sa"\nalgorithm = "PENCIL_SA"\nruns = 2\n'
    )
    stores = versus_stores(str(suite), tmp_path / "out", {})
    for store in stores:
        resume_experiment(store.path)
    again = versus_stores(str(suite), tmp_path / "out", {})
    table = versus_table(versus_runs(again))
    assert list(table["puzzle"]) == ["one", "one", "two", "two", "three", "three"]
    assert list(table["of"]) == [1, 2] * 3
    assert list(table["verdict"][::2]) == ["unique", "several solutions", "several solutions"]
    assert set(table["verdict"][1::2]) == {""}
    assert list(table["solved"][::2]) == [1, 1, 1]
    suite.write_text(suite.read_text().replace("unique.txt", "12.............."))
    with pytest.raises(ConfigError, match="is about another puzzle than 'one'"):
        versus_stores(str(suite), tmp_path / "out", {})
    suite.write_text('algorithm = "PENCIL_SA"\n')
    with pytest.raises(ConfigError, match=r"expected a table \[puzzles\]"):
        versus_stores(str(suite), tmp_path / "out", {})


def test_a_puzzle_without_a_solution_is_told(tmp_path: Path) -> None:
    task = PencilTask.load("12....3........3")  # the 3 of the first row has no place
    result = evo.run_experiment([PENCIL_EXACT(), PENCIL_SA(evaluations=500)], puzzle=task, out=tmp_path / "x")
    records = {run.algorithm: record for run, record in Store(result.directory).records()}
    assert (records["PENCIL_EXACT"].solutions, records["PENCIL_EXACT"].proved) == (0, True)
    assert records["PENCIL_SA"].best_score < task.max_score
    assert json.loads((tmp_path / "x" / "puzzle.json").read_text())["pencil"] == "sudoku"
