"""`evo solve`: the best board in a given time."""

import json
import re
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from puzzles import Board, Puzzle, generate, load, load_board, save
from tests.end_to_end.commands import evo, start, wait_until


def test_it_ends_in_time_with_a_board_that_is_verified(tmp_path: Path) -> None:
    done = evo("solve", "eternity2", "--seconds", "3", "--jobs", "2", "-o", tmp_path / "best.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    score = int(re.search(r"score +(\d+) of 480", done.stdout)[1])
    assert load_board(tmp_path / "best.json").score == score > 440
    link = re.search(r"link +(\S+)", done.stdout)[1]
    assert Board.from_url(link).score == score
    picture = tmp_path / re.search(r"picture +(\S+)", done.stdout)[1]
    assert picture.read_text().startswith("<svg")
    assert re.search(rf"evo: {score} of 480 after \d+ s", done.stderr)


def test_a_second_is_enough_for_a_board(tmp_path: Path) -> None:
    done = evo("solve", "eternity2", "--seconds", "0.5", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert int(re.search(r"score +(\d+) of 480", done.stdout)[1]) > 430


def test_it_stops_at_once_when_the_puzzle_is_solved(tmp_path: Path) -> None:
    save(generate(4, 4, 2, 3, 5)[0], tmp_path / "four.json")
    before = time.monotonic()
    done = evo("solve", tmp_path / "four.json", "--seconds", "300", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "24 of 24" in done.stdout
    assert time.monotonic() - before < 200


def test_hints_are_honoured(tmp_path: Path) -> None:
    done = evo("solve", "eternity2", "--seconds", "2", "--hints", "all", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "5 of 5 honoured" in done.stdout


def test_ctrl_c_gives_the_best_so_far_and_it_can_be_resumed(tmp_path: Path) -> None:
    child = start("solve", load_path(tmp_path), "--seconds", "300", "-o", tmp_path / "best.csv", cwd=tmp_path)
    for line in child.stderr:
        if " of 40 after " in line:
            break
    child.send_signal(signal.SIGINT)
    said, _ = child.communicate(timeout=60)
    assert child.returncode == 0
    score = int(re.search(r"score +(\d+) of 40", said)[1])
    assert load_board(tmp_path / "best.csv", load(tmp_path / "odd.json")).score == score
    [directory] = (tmp_path / "runs" / "results").iterdir()
    again = start("resume", directory, cwd=tmp_path)
    wait_until(lambda: "running" in evo("status", directory).stdout)
    again.send_signal(signal.SIGINT)
    again.communicate(timeout=60)
    assert again.returncode == 130


def test_enumeration_shows_that_there_is_no_solution_and_beams_go_on(tmp_path: Path) -> None:
    done = evo("solve", load_path(tmp_path), "--seconds", "6", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    [directory] = (tmp_path / "runs" / "results").iterdir()
    states = {line["algorithm"]: line["state"] for line in json.loads(evo("results", directory, "--json").stdout)}
    assert states == {"PORTFOLIO": "done", "BEAM": "interrupted"}
    assert "evo: proved: no board with grey on its rim matches on all edges" in done.stderr


def test_a_proof_does_not_deny_the_board_that_was_found(tmp_path: Path) -> None:
    tiles = np.array([[0, 1, 1, 1], [0, 1, 1, 1], [0, 1, 1, 1], [2, 1, 1, 2]])
    save(Puzzle(2, 2, tiles, name="rimless", strict=False), tmp_path / "rimless.json")
    done = evo("solve", tmp_path / "rimless.json", "--seconds", "4", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "4 of 4, 0 mismatched edges" in done.stdout
    assert "evo: proved: no board with grey on its rim matches on all edges" in done.stderr


def load_path(folder: Path) -> Path:
    """A puzzle that a narrow beam does not solve at once: tiles that do not fit together."""
    puzzle = generate(5, 5, 3, 5, 1)[0]
    tiles = puzzle.tiles.copy()
    inner = [tile for tile, kind in enumerate(puzzle.kinds) if kind == "inner"]
    tiles[inner[0]] = [1, 1, 1, 1]  # a border colour on an inner tile matches nothing
    save(type(puzzle)(5, 5, tiles, name="odd", strict=False), folder / "odd.json")
    return folder / "odd.json"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["eternity2", "--seconds", "0"], "seconds: expected a number above 0; found 0"),
        (["eternity2", "--jobs", "0"], "jobs: expected 1 to 1024; found 0"),
        (["eternity2", "--hints", "some"], "hints: expected none, mandatory or all; found 'some'"),
        (["nothing.json"], "nothing.json: cannot be read"),
        (["eternity2", "-o", "there.json"], "there.json: already exists"),
    ],
)
def test_what_cannot_be_is_said_in_a_line(arguments: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "there.json").write_text("mine")
    done = evo("solve", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr
    assert not (tmp_path / "runs").exists()
