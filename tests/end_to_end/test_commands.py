"""The commands as a person types them, each in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from puzzles import Board, generate, load, load_board, save
from tests.end_to_end.commands import evo


def test_verify_recounts_links_files_names_and_standard_input(record: Board, tmp_path: Path) -> None:
    path = save(record.rotated(1), tmp_path / "turned.npz")
    done = evo(
        "verify", "--json", "blackwood470", record.to_url("jef", pieces=False), path, "-", stdin=record.to_text()
    )
    assert done.returncode == 0
    assert done.stderr == ""
    reports = json.loads(done.stdout)
    assert [report["score"] for report in reports] == [470] * 4
    assert [report["hints_honoured"] for report in reports] == [1, 1, 0, 1]
    assert all(report["valid"] and report["duplicates"] == [] and report["hints"] == 5 for report in reports)


def test_verify_says_no_with_exit_code_1(record: Board, tmp_path: Path) -> None:
    cells = np.array(record.cells)
    cells[8, 8] = cells[7, 7]
    path = save(Board(record.puzzle, cells), tmp_path / "cheat.json")
    done = evo("verify", "blackwood470", path)
    assert done.returncode == 1
    assert "verdict     valid" in done.stdout
    assert "verdict     NOT VALID" in done.stdout


def test_show_draws_what_the_suffix_says_and_tells_in_a_pipe(tmp_path: Path) -> None:
    for name, start in (("a.svg", b"<svg"), ("b.png", b"\x89PNG"), ("c.pdf", b"%PDF")):
        done = evo("show", "blackwood470", "--numbers", "--hints", "-o", tmp_path / name)
        assert (done.returncode, done.stderr, done.stdout) == (0, "", f"{tmp_path / name}\n")
        assert (tmp_path / name).read_bytes().startswith(start)
    again = evo("show", "blackwood470", "-o", tmp_path / "a.svg")
    assert (again.returncode, again.stderr) == (
        2,
        f"evo: {tmp_path / 'a.svg'}: already exists; refusing to overwrite it (--force replaces it)\n",
    )
    assert evo("show", "blackwood470", "-o", tmp_path / "a.svg", "--force").returncode == 0
    piped = evo("show", "blackwood470").stdout
    assert piped.startswith("  3/1  40/2")
    assert "score       470 of 480" in piped
    assert "4 corner, 56 border, 196 inner" in evo("show", "eternity2").stdout
    assert evo("show", "eternity2", "-o", tmp_path / "pieces.svg").returncode == 0


def test_convert_goes_there_and_back(record: Board, tmp_path: Path) -> None:
    for first, second in (("a.json", "b.csv"), ("b.csv", "c.txt"), ("c.txt", "d.npz"), ("d.npz", "e.url")):
        source = "blackwood470" if first == "a.json" else tmp_path / first
        assert evo("convert", source, tmp_path / second).returncode == 0
    assert load_board(tmp_path / "e.url") == record
    assert evo("convert", "blackwood470", "-", "--to", "url-jef").stdout == record.to_url("jef") + "\n"
    assert (
        evo("convert", "eternity2", "-", "--to", "csv").stderr == "evo: note: the format csv cannot hold the 5 hints\n"
    )
    benoist = evo("convert", "eternity2", tmp_path / "b.txt", "--to", "benoist")
    assert benoist.stderr == "evo: note: the format benoist cannot hold which hints are mandatory\n"
    to_pieces = evo("convert", "eternity2", tmp_path / "pieces.txt", "--to", "e2pieces-nswe")
    assert to_pieces.stderr == "evo: note: the format e2pieces-nswe cannot hold the 5 hints\n"
    back = evo("convert", tmp_path / "pieces.txt", tmp_path / "back.json")
    assert back.stderr == "evo: note: assumed columns in the order nswe\n"
    assert (load(tmp_path / "back.json").tiles == record.puzzle.tiles).all()


def test_generate_writes_a_puzzle_and_its_solution(tmp_path: Path) -> None:
    done = evo("generate", 5, 6, "--seed", 3, "--hints", 2, "-o", tmp_path / "p.json", "--solution", tmp_path / "s.txt")
    assert done.returncode == 0
    puzzle, solution = generate(5, 6, 4, 5, 3, hints=2)
    assert load(tmp_path / "p.json") == puzzle
    verified = evo("verify", tmp_path / "s.txt", "--puzzle", tmp_path / "p.json", "--json")
    [report] = json.loads(verified.stdout)
    assert (report["solved"], report["hints_honoured"]) == (True, 2)
    assert load_board(tmp_path / "s.txt", puzzle) == solution
    piped = evo("generate", 3, 3, "--style", "benoist", "--border-colours", 2, "--inner-colours", 2)
    assert evo("show", "-", stdin=piped.stdout).stdout.startswith("benoist-3x3-2-2-1 (3x3)")


def test_generate_writes_both_files_or_none(tmp_path: Path) -> None:
    (tmp_path / "there.json").write_text("mine")
    done = evo("generate", 4, 4, "-o", tmp_path / "new.json", "--solution", tmp_path / "there.json")
    assert done.returncode == 2
    assert "there.json: already exists" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["there.json"]


def test_verify_reports_what_it_can_and_names_what_it_cannot(record: Board, tmp_path: Path) -> None:
    (tmp_path / "mail.txt").write_text(f"{record.to_url()}\n{record.to_url()}0\n{record.to_url()}\n")
    done = evo("verify", "--json", tmp_path / "mail.txt", "nothing.txt", cwd=tmp_path)
    assert done.returncode == 2
    assert [report["score"] for report in json.loads(done.stdout)] == [470, 470]
    assert done.stderr.splitlines()[0].startswith(f"evo: {tmp_path / 'mail.txt'}, link 2: board_pieces has 769 digits")
    assert done.stderr.splitlines()[1] == "evo: nothing.txt: cannot be read: No such file or directory"


def test_a_bundled_name_is_not_hidden_by_a_folder(tmp_path: Path) -> None:
    (tmp_path / "eternity2").mkdir()
    assert evo("show", "eternity2", cwd=tmp_path).returncode == 0


def test_closed_streams_are_no_accident() -> None:
    command = [sys.executable, "-c", "from evo.cli import main; main()"]
    for arguments, code, message in (
        (["verify", "blackwood470", ">&-"], 0, ""),
        (["verify", "-", "<&-"], 2, "is closed"),
    ):
        words = " ".join(f"'{word}'" for word in [*command, *arguments[:-1]])
        done = subprocess.run(f"{words} {arguments[-1]}", shell=True, capture_output=True, text=True, timeout=60)
        assert done.returncode == code
        assert message in done.stderr
        assert "Traceback" not in done.stderr


def test_a_puzzle_becomes_a_graph(tmp_path: Path) -> None:
    evo("generate", "3", "3", "--seed", "2", "-o", str(tmp_path / "small.json"))
    told = evo("clique", str(tmp_path / "small.json"), "-o", str(tmp_path / "small.clq"), "--selections", "5000")
    assert "30 nodes" in told.stdout
    assert "clique of 9 of 9 nodes" in told.stdout
    assert "p edge 30 " in (tmp_path / "small.clq").read_text()
    again = evo("clique", str(tmp_path / "small.json"), "-o", str(tmp_path / "small.clq"))
    assert (again.returncode, again.stdout, again.stderr.count("\n")) == (2, "", 1)
    assert "small.clq: already exists" in again.stderr


def test_census_and_list() -> None:
    counts = evo("census").stdout
    for number in ("1,312", "73,003", "2,633,221"):
        assert number in counts
    listed = evo("puzzles").stdout
    assert "eternity2" in listed
    assert "blackwood470" in listed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify", "nothing.txt"], "nothing.txt: cannot be read: No such file or directory"),
        (["verify", "eternity2"], "eternity2: this is a puzzle; expected a board"),
        (["census", "blackwood470"], "blackwood470: this is a board; expected a puzzle"),
        (["verify", "-"], "standard input: the file is empty"),
        (["verify", "https://e2.bucas.name/#puzzle=x"], "https://e2.bucas.name/#puzzle=x: the link has no board_edges"),
        (["convert", "blackwood470", "x.json", "--hints", "h.csv"], "--hints applies to puzzles; this is a board"),
        (
            ["convert", "blackwood470", "x.json", "--order", "nswe"],
            "a column order applies to e2pieces.txt only",
        ),
        (["convert", "eternity2", "y" * 300 + ".json"], "cannot be written: File name too long"),
        (["verify", "https://e2.bucas.name/#board_edges=abc"], "board_edges has 3 letters; a 16x16 board needs 1024"),
        (["verify"], "Missing argument 'BOARD...'"),
        (["show", "blackwood470", "-o", "board.bmp"], "board.bmp: expected a .svg, .png or .pdf file; found .bmp"),
        (["show", "blackwood470", "-o", "no/such/board.png"], "no/such/board.png: cannot be written: No such file"),
        (["convert", "blackwood470", "x.doc"], "x.doc: no format has the suffix '.doc'"),
        (["convert", "blackwood470", "x.txt", "--to", "benoist"], "a board cannot be written as 'benoist'"),
        (["convert", "eternity2", "x.json", "--size", "16"], "--size: expected ROWSxCOLS, such as 6x8; found '16'"),
        (["generate", "3", "3", "--inner-colours", "0"], "at least one border and one inner colour"),
        (["generate", "three", "3"], "ROWS"),
        (["fly"], "No such command 'fly'"),
        (["verify", "--fly", "x"], "No such option"),
    ],
)
def test_an_error_is_one_message_and_exit_code_2(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = evo(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("evo: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_help_shows_an_example_for_every_command() -> None:
    for command in ("verify", "show", "convert", "puzzles", "generate", "census", "bench"):
        done = evo(command, "--help")
        assert done.returncode == 0
        assert f"Example: evo {command}" in done.stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_an_error_and_a_closed_pipe_is_not() -> None:
    program = [sys.executable, "-c", "from evo.cli import main; main()", "convert", "blackwood470", "-", "--to", "json"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (2, "evo: standard output: No space left on device\n")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(program, stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")
