"""What the README shows works as shown."""

import re
from pathlib import Path

import numpy as np
import pytest

import puzzles

ROOT = Path(__file__).parents[1]


def test_the_python_examples_run(capsys) -> None:
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
    with pytest.warns(UserWarning, match="mutate is not the project's own nor compiled"):
        exec(examples[0], names)
    exec(examples[1], names)  # warnings are errors here: none is given
    python, compiled = (line.split() for line in capsys.readouterr().out.splitlines())
    assert python[0] == compiled[0] == "1981"
    assert min(int(python[1]), int(compiled[1])) > 12  # random boards have about 8


def test_the_json_example_in_the_docs_is_a_puzzle() -> None:
    [example] = re.findall(r"```json\n(.*?)```", (ROOT / "docs" / "formats.md").read_text(), flags=re.DOTALL)
    puzzle = puzzles.files.parse(example.encode(), "x")
    assert (puzzle.name, puzzle.shape, len(puzzle.hints)) == ("four", (2, 2), 1)


def test_every_linked_file_is_there() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for link in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if not link.startswith("http"):
                assert (page.parent / link).exists(), f"{page.name}: {link}"
