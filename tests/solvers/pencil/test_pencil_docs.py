"""What docs/pencil.md shows works as shown."""

import re
from pathlib import Path

import pytest

from puzzles.pencil import parse

PAGE = Path(__file__).parents[3] / "docs" / "pencil.md"


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    [example] = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    exec(example, {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "solved True None"
    assert lines[1].startswith("flow: ")
    assert lines[-1] in ("True", "False")


def test_the_examples_of_texts_are_puzzles() -> None:
    block = next(part for part in PAGE.read_text().split("\n\n") if part.startswith("    circuit  "))
    left = "\n".join(line[4:21].rstrip() for line in block.splitlines())
    right = "\n".join(line[21:] for line in block.splitlines())
    assert parse(left)[0].puzzle.ends == ((1, 2), (2, 0))
    assert [clue.relation for clue in parse(right)[0].puzzle.clues] == ["same", "at", "next to"]
