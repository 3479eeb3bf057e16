"""What the README shows works as shown."""

import re
from pathlib import Path

import numpy as np
import pytest

import puzzles
from evo.cli.app import app
from evo.experiments.plan import make_plan

ROOT = Path(__file__).parents[1]


def test_the_python_examples_run(capsys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = {"population": np.array(puzzles.bundled_board("blackwood470").cells)[np.newaxis]}
    for example in re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL):
        exec(example, names)
    printed = capsys.readouterr().out
    assert printed.startswith("Objectives(score=470, blocks=207, complete=239)\n")
    assert "1 of 5 honoured" in printed
    assert "motifs_order=jblackwood" in printed
    assert names["scores"].tolist() == [[470, 207, 239]]


def test_the_examples_of_extending_run(capsys) -> None:
    names: dict[str, object] = {}
    examples = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "extending.md").read_text(), flags=re.DOTALL)
    with pytest.warns(UserWarning, match="the native engine cannot run this mutate"):
        exec(examples[0], names)
    exec(examples[1], names)  # warnings are errors here: none is given
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == 2
    for line in shown:
        [score] = re.findall(r"<Result GA: (\d+) of 60, 1,981 evaluations", line)
        assert int(score) > 12  # random boards have about 8


def test_the_examples_of_experiments_run(capsys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "experiments.md").read_text()
    [python] = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    names: dict[str, object] = {}
    exec(python, names)
    assert len(names["frame"]) == 4
    assert set(names["trace"]["run"]) == {1, 2}
    assert "too few runs" in capsys.readouterr().out  # two of each show nothing yet
    [toml] = re.findall(r"```toml\n(.*?)```", page, flags=re.DOTALL)
    (tmp_path / "mine.toml").write_text(toml)
    puzzles.save(puzzles.load("eternity2"), tmp_path / "mine.json")
    plan = make_plan([str(tmp_path / "mine.toml")])
    assert len(plan.runs) == 10
    assert {run.settings["elite"] for run in plan.runs} == {10}


def test_the_examples_of_the_very_large_neighbourhood_run(capsys, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "vlns.md").read_text()
    [python] = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    exec(python, {})
    random, repaired, halved = map(int, re.findall(r"\d+", capsys.readouterr().out))
    assert random < 60 < 300 < repaired <= halved
    [toml] = re.findall(r"```toml\n(.*?)```", page, flags=re.DOTALL)
    (tmp_path / "mine.toml").write_text(toml)
    [run] = make_plan([str(tmp_path / "mine.toml")]).runs
    assert run.settings["repair"]["moves"] == 10


def test_the_example_of_the_best_board_runs(capsys) -> None:
    [python] = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "champion.md").read_text(), flags=re.DOTALL)
    exec(python, {})
    score, evaluated = map(int, capsys.readouterr().out.split())
    assert 450 <= score <= 480
    assert evaluated > 50_000


def test_the_examples_for_users_of_deap_run(capsys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for example in re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "from_deap.md").read_text(), flags=re.DOTALL):
        exec(example, names)
    printed = capsys.readouterr().out
    assert printed.startswith("True\n")
    assert re.search(r"<Result GA: 1[5-9] of 60, ", printed)
    assert printed.count("True\n") == 2
    assert "\n()\n" in printed
    assert "2 of 2 runs done" in printed
    assert "knowledge better" in printed
    assert printed.splitlines()[-1] == "population: 100 is not crossover + mutation + elite (80 + 30 + 1 = 111)"


def test_every_command_in_the_docs_is_one() -> None:
    known = {command.name for command in (*app.registered_commands, *app.registered_groups)}
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for block in re.findall(r"```\n(.*?)```", page.read_text(), flags=re.DOTALL):
            for command in re.findall(r"\bevo ([a-z]+)", block):
                assert command in known, f"{page.name}: evo {command}"


def test_the_json_example_in_the_docs_is_a_puzzle() -> None:
    [example] = re.findall(r"```json\n(.*?)```", (ROOT / "docs" / "formats.md").read_text(), flags=re.DOTALL)
    puzzle = puzzles.files.parse(example.encode(), "x")
    assert (puzzle.name, puzzle.shape, len(puzzle.hints)) == ("four", (2, 2), 1)


def test_every_linked_file_is_there() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for link in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if not link.startswith("http"):
                assert (page.parent / link).exists(), f"{page.name}: {link}"
