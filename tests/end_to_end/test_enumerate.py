"""`evo enumerate`: every solution, proved."""

import json
import signal
from pathlib import Path

import pytest

from puzzles import Board, generate, save
from tests.end_to_end.commands import evo, start, wait_until


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(generate(5, 5, 4, 5, 3)[0], tmp_path_factory.mktemp("puzzles") / "small.json")


def test_the_counts_are_printed_with_their_definition_and_the_links(small: Path, tmp_path: Path) -> None:
    done = evo("enumerate", small, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "4 solutions (proved: there are no others)\n4 labelled, 1 up to rotation" in done.stdout
    assert "identical pieces are interchangeable" in done.stdout
    links = [line for line in done.stdout.splitlines() if line.startswith("https://")]
    assert len(links) == 4


def test_one_object_of_json_and_a_file_of_solutions(small: Path, tmp_path: Path) -> None:
    target = tmp_path / "solutions.jsonl"
    done = evo("enumerate", small, "--fix-corner", "--json", "-o", target, cwd=tmp_path)
    counts = json.loads(done.stdout)
    assert {**counts, "nodes": 0, "seconds": 0} == {
        "solutions": 1, "labelled": 1, "up_to_rotation": 1, "proved": True, "nodes": 0, "seconds": 0,
        "engine": "PORTFOLIO",
    }  # fmt: skip
    [line] = target.read_text().splitlines()
    solution = json.loads(line)
    board = Board.from_url(solution["url"], generate(5, 5, 4, 5, 3)[0])
    assert board.verify().solved
    assert (board.cells // 4 + 1).tolist() == solution["pieces"]
    assert (board.cells % 4).tolist() == solution["rotations"]
    again = evo("enumerate", small, "-o", target, cwd=tmp_path)
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    assert "exists" in again.stderr


def test_ctrl_c_keeps_the_state_and_it_can_be_resumed(tmp_path: Path) -> None:
    large = save(generate(9, 9, 4, 9, 1)[0], tmp_path / "large.json")
    child = start("enumerate", large, "--engine", "edge-filtering", cwd=tmp_path)
    results = tmp_path / "runs" / "results"
    wait_until(lambda: any(results.glob("*/runs/*/trace.csv")))
    child.send_signal(signal.SIGINT)
    said, errors = child.communicate(timeout=60)
    assert child.returncode == 130, errors
    assert "0 solutions (not proved: the search did not finish)" in said
    [directory] = results.iterdir()
    assert f"evo resume {directory.relative_to(tmp_path)}" in errors
    nodes = int(evo("results", directory, "--csv").stdout.splitlines()[1].split(",")[7])
    again = start("resume", directory, cwd=tmp_path)
    record = next(directory.glob("runs/*/run.json"))
    wait_until(lambda: json.loads(record.read_text())["evaluations"] > nodes)
    again.send_signal(signal.SIGINT)
    again.communicate(timeout=60)
    assert again.returncode == 130


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1,0,0,1,1", "colour 1 is on 7 border sides"),
        ("1,1,1,1,1", "needs 4 corner pieces; this set has"),
    ],
)
def test_pieces_that_cannot_pair_up_are_told_before_any_search(row: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(f"piece,top,right,bottom,left\n{row}\n2,0,0,1,2\n3,0,0,1,1\n4,0,0,1,1\n")
    done = evo("enumerate", path, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "runs").exists()


def test_a_puzzle_without_a_solution_says_so_proved(tmp_path: Path) -> None:
    path = tmp_path / "none.csv"
    path.write_text("piece,top,right,bottom,left\n1,0,0,1,1\n2,0,0,1,1\n3,0,0,2,2\n4,0,0,2,2\n")
    done = evo("enumerate", path, "--json", cwd=tmp_path)
    counts = json.loads(done.stdout)
    assert (counts["solutions"], counts["proved"]) == (0, True)
