"""`evo pencil versus`: the table, the picture, continuing, and the suite that comes with the project."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evo.cli.app import main
from evo.experiments.plan import make_plan
from evo.experiments.versus import versus_tasks
from puzzles.pencil import write
from solvers.pencil import generate, solve

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def evo(capsys: pytest.CaptureFixture[str]) -> Command:
    def command(*arguments: str | Path) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return int(stop.value.code or 0), printed.out, printed.err

    return command


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(
        f'evaluations = 2000\n[puzzles]\n"a 4x4" = "{write(generate("sudoku", 1, side=4), "line")}"\n'
        '[[rows]]\nextends = "PENCIL_EXACT"\n[[rows]]\nextends = "PENCIL_SA"\nruns = 2\n'
    )
    return path


def test_a_table_and_a_picture_are_made_and_continued(evo: Command, suite: Path, tmp_path: Path) -> None:
    out, picture = tmp_path / "out", tmp_path / "versus.svg"
    code, table, _ = evo("pencil", "versus", suite, "--out", out, "-o", picture)
    assert code == 0
    exact, annealing = (line.split() for line in table.splitlines()[1:])
    assert exact[2:7] == ["PENCIL_EXACT", "1", "1", "32", "32"]
    assert exact[-1] == "unique"
    assert annealing[2:7] == ["PENCIL_SA", "2", "2", "32", "32"]
    assert "<svg" in picture.read_text()
    code, lines, _ = evo("pencil", "versus", suite, "--out", out, "--json")
    rows = [json.loads(line) for line in lines.splitlines()]
    assert [row["verdict"] for row in rows] == ["unique", ""]
    assert float(exact[-2]) == pytest.approx(rows[0]["seconds"], abs=1e-3)  # nothing was run again
    assert evo("results", out / "a-4x4")[0] == 0
    board = tmp_path / "board.svg"
    assert evo("plot", "board", out / "a-4x4", "-o", board)[0] == 0
    assert "PENCIL_EXACT, run 1: 32 of 32" in board.read_text()
    code, _, err = evo("plot", "board", out / "a-4x4", "-o", tmp_path / "board.png")
    assert (code, err.count("\n")) == (2, 1)
    assert "is not an edge-matching puzzle" in err


def test_errors_are_one_line(evo: Command, suite: Path, tmp_path: Path) -> None:
    for arguments, message in (
        (("pencil", "versus", "quick", "--out", tmp_path / "x"), r"expected a table [puzzles]"),
        (("pencil", "versus", tmp_path / "none.toml", "--out", tmp_path / "x"), "cannot be read"),
        (("run", "PENCIL_SA"), "puzzle: is missing"),
        (("run", "PENCIL_SA", "--puzzle", "eternity2"), "cannot be read"),
        (("run", "GA_1", "--puzzle", suite), ""),
        (("record", "--help"), None),
    ):
        code, _, err = evo(*arguments)
        if message is not None:
            assert (code, err.count("\n")) == (2, 1), arguments
            assert message in err
    suite.write_text(suite.read_text().replace("[puzzles]\n", '[puzzles]\n"a.4x4" = "' + 16 * "." + '"\n'))
    code, _, err = evo("pencil", "versus", suite, "--out", tmp_path / "x")
    assert (code, "two names differ only in signs" in err) == (2, True)


def test_the_puzzles_of_the_projects_suite_are_what_their_names_say() -> None:
    tasks = versus_tasks("versus")
    for name, task in tasks.items():
        kind, what = name.split(", ")
        assert task.puzzle.kind == kind.lower()
        answer = solve(task.puzzle)
        if what == "no solution":
            assert answer.status == "infeasible"
        else:
            assert answer.unique is (what != "several solutions")
        assert what in (f"{task.puzzle.given} clues", f"{task.shape[0]}x{task.shape[1]}") or " solution" in what
        make_plan(["versus"], puzzle=task)
