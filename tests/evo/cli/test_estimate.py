"""`evo estimate`: what it prints, its table as a file, and its one-line errors."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from evo.cli.app import main
from puzzles import load
from solvers.exact.tree_size import tree_size

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def estimate(capsys: pytest.CaptureFixture[str]) -> Command:
    def command(*arguments: str | Path) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main(["estimate", *(str(argument) for argument in arguments)])
        printed = capsys.readouterr()
        return int(stop.value.code or 0), printed.out, printed.err

    return command


def test_it_prints_what_the_function_finds(estimate: Command, tmp_path: Path) -> None:
    code, out, _ = estimate("eternity2", "--path", "blocks", "--breaks", "201, 239", "--csv", tmp_path / "tree.csv")
    size = tree_size(load("eternity2"), "blocks", [201, 239])
    assert code == 0
    assert "2 mismatches allowed" in out
    exponent = int(size.log10_nodes)
    assert f"expected nodes      {10 ** (size.log10_nodes - exponent):.2f}e+{exponent}, " in out
    assert f"most of them with {size.widest} pieces placed" in out
    with (tmp_path / "tree.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert [int(row["pieces"]) for row in rows] == list(range(257))
    assert [float(row["log10_boards"]) for row in rows] == pytest.approx(size.log10_boards.tolist(), abs=1e-6)


def test_hints_are_honoured(estimate: Command) -> None:
    _, out, _ = estimate("eternity2", "--hints", "mandatory")
    assert "hints: mandatory" in out
    assert "expected solutions  1.764e+04" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--breaks", "3,x"], "--breaks 3,x: expected whole numbers"),
        (["--breaks", "0,9"], "expected 1 to 256 tiles"),
        (["--path", "snake"], "'snake' is not one of row"),
        (["--hints", "some"], "--hints some: expected none, mandatory or all"),
    ],
)
def test_errors_are_one_line(estimate: Command, arguments: list[str], message: str) -> None:
    code, out, err = estimate("eternity2", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_file_is_not_overwritten(estimate: Command, tmp_path: Path) -> None:
    (tmp_path / "tree.csv").write_text("mine")
    code, _, err = estimate("eternity2", "--csv", tmp_path / "tree.csv")
    assert code == 2
    assert "already exists" in err
    assert (tmp_path / "tree.csv").read_text() == "mine"
