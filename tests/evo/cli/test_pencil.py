"""`evo pencil`: what it prints, and its one-line errors."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evo.cli.app import main
from puzzles.pencil import check, load, parse, read_solution, write
from puzzles.pencil.zebra import LIFE_1962

Command = Callable[..., tuple[int, str, str]]
LINE = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."
BRIDGES = "https://puzz.link/p?hashikake/5/5/4g2i3h23k3g1g3g4g3"


@pytest.fixture
def evo(capsys: pytest.CaptureFixture[str]) -> Command:
    def command(*arguments: str | Path) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main(["pencil", *(str(argument) for argument in arguments)])
        printed = capsys.readouterr()
        return int(stop.value.code or 0), printed.out, printed.err

    return command


def test_json_has_one_object_a_puzzle(evo: Command, tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text("\n".join([LINE, "0" * 81, "11" + "." * 79]))
    code, out, _ = evo("solve", tmp_path / "many.txt", "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 1
    assert [(row["status"], row["unique"]) for row in rows] == [
        ("solved", True),
        ("solved", False),
        ("infeasible", None),
    ]
    assert list(rows[0]) == ["name", "kind", "status", "unique", "model", "engine", "seconds", "solution"]
    assert rows[1]["name"] == "many 2"
    [reading] = parse(LINE)
    assert check(reading.puzzle, read_solution(reading.puzzle, rows[0]["solution"])) is None
    assert rows[2]["solution"] is None


def test_several_processes_give_the_same_answers_in_order(evo: Command, tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text("\n".join([LINE, "0" * 81] * 6))
    alone, together = (
        [json.loads(line) for line in evo("solve", tmp_path / "many.txt", "--json", "--jobs", jobs)[1].splitlines()]
        for jobs in (1, 2)
    )
    for row in (*alone, *together):
        del row["seconds"]
    assert alone == together
    assert len(alone) == 12


def test_models_engines_and_all_solutions(evo: Command) -> None:
    for model, engine in (("cuts", "sat"), ("flow", "scipy"), ("hdc", "scipy"), ("cuts", "cp-sat")):
        code, out, _ = evo("solve", BRIDGES, "--model", model, "--engine", engine)
        assert code == 0
        assert "solved, unique" in out
        assert "3═══4═══3" in out
    code, out, _ = evo("solve", "0" * 16, "--all", "300", "--json")
    row = json.loads(out)
    assert len(set(row["solutions"])) == 288
    assert row["complete"]


def test_a_picture_is_drawn_and_nothing_is_overwritten(evo: Command, tmp_path: Path) -> None:
    target = tmp_path / "bridges.svg"
    assert evo("solve", BRIDGES, "-o", target)[0] == 0
    assert target.read_text().startswith("<svg")
    code, _, err = evo("show", BRIDGES, "-o", target)
    assert code == 2
    assert "refusing to overwrite" in err
    assert evo("show", BRIDGES, "-o", target, "--force")[0] == 0


def test_a_solution_can_be_checked(evo: Command, tmp_path: Path) -> None:
    (tmp_path / "zebra.txt").write_text(write(LIFE_1962))
    solution = json.loads(evo("solve", tmp_path / "zebra.txt", "--json")[1])["solution"]
    (tmp_path / "right.txt").write_text(solution)
    (tmp_path / "wrong.txt").write_text(solution.replace("Fox, Horse", "Horse, Fox"))
    assert evo("check", tmp_path / "zebra.txt", tmp_path / "right.txt")[:2] == (0, "zebra zebra: right\n")
    code, out, _ = evo("check", tmp_path / "zebra.txt", tmp_path / "wrong.txt")
    assert (code, out) == (1, "zebra zebra: wrong: clue 10: 'next to: Chesterfields, Fox' does not hold\n")


def test_puzzles_are_converted_and_programs_are_printed(evo: Command) -> None:
    assert evo("convert", BRIDGES, "--to", "plain")[1].splitlines()[0] == "4.2.."
    assert evo("convert", LINE, "--to", "link")[1].startswith("https://puzz.link/p?sudoku/9/9/")
    assert "(3.1f)" in evo("convert", LINE, "--to", "equations")[1]
    assert "M = 126" in evo("convert", BRIDGES, "--to", "equations", "--model", "flow", "--as-printed")[1]
    assert evo("convert", BRIDGES, "--to", "mps", "--model", "flow")[1].startswith("NAME flow")


@pytest.mark.parametrize(
    "arguments",
    [
        ("sudoku", "--size", "6"),
        ("sudoku", "--clues", "30"),
        ("battleship", "--size", "6", "--hints", "4"),
        ("circuit", "--size", "5", "--given", "6", "--path"),
        ("hashi", "--size", "9", "--islands", "15"),
        ("hashi", "--size", "7"),
        ("zebra", "--size", "4", "--attributes", "3"),
    ],
)
def test_generated_puzzles_are_unique_and_repeatable(evo: Command, arguments: tuple[str, ...], tmp_path: Path) -> None:
    texts = {evo("generate", *arguments, "--seed", "5")[1] for _ in range(2)}
    assert len(texts) == 1
    (tmp_path / "made.txt").write_text(texts.pop())
    [reading] = load(tmp_path / "made.txt", arguments[0])
    assert json.loads(evo("solve", tmp_path / "made.txt", "--kind", arguments[0], "--json")[1])["unique"] is True
    if "--clues" in arguments:
        assert reading.puzzle.given == 30


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("solve", "no-such-file.txt"), "cannot be read"),
        (("solve", LINE, "--model", "gbm"), "unknown model 'gbm' of sudoku"),
        (("solve", LINE, "--engine", "gurobi", "--model", "ip"), "unknown engine 'gurobi'"),
        (("solve", LINE, "--kind", "chess"), "unknown kind 'chess'"),
        (("solve", BRIDGES, "--kind", "sudoku"), "this is hashi; expected sudoku"),
        (("solve", BRIDGES, "--model", "flow", "--engine", "sat"), "continuous variables"),
        (("check", LINE), "comes without a solution"),
        (("convert", LINE, "--to", "plain"), "unknown format 'plain' of sudoku"),
        (("generate", "chess"), "unknown kind 'chess'"),
        (("generate", "hashi", "--clues", "3"), "hashi has no option 'clues'"),
        (("generate", "sudoku", "--clues", "16"), "no puzzle with 16 clues"),
        (("generate", "hashi", "--size", "3", "--islands", "9"), "at most 5 islands that do not touch fit"),
        (("show", LINE, "-o", "x.gif"), "expected a .svg file"),
    ],
)
def test_errors_are_one_line(evo: Command, arguments: tuple[str, ...], message: str) -> None:
    code, _, err = evo(*arguments)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1
