"""What `evo --help` shows, and shell completion."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from evo.cli.app import app
from tests.end_to_end.commands import EVO, evo

COMMANDS = get_command(app).commands  # type: ignore[attr-defined]


def test_commands_are_grouped_one_line_each() -> None:
    shown = evo("--help").stdout
    panels = re.findall("╭─ ([A-Z][a-z ]+) ─", shown)
    assert panels == ["Options", "Solve", "Experiments", "Analysis", "Boards and puzzles"]
    for name, command in COMMANDS.items():
        summary = command.help.partition("\n")[0]
        assert re.search(rf"│ {name} +{re.escape(summary)} +│", shown), f"{name}: {summary}"
        assert summary.endswith(".")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example(name: str) -> None:
    command = COMMANDS[name]
    for one in getattr(command, "commands", {name: command}).values():
        assert re.search(rf"Example: evo .*{one.name}", one.help), name


def test_bare_evo_shows_the_help() -> None:
    done = evo()
    assert (done.returncode, done.stderr) == (0, "")
    assert "Usage: evo" in done.stdout


def test_completion_completes_and_can_be_installed(tmp_path: Path) -> None:
    program = tmp_path / "evo"
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{EVO[2]}' \"$@\"\n")
    program.chmod(0o755)
    asked = {"_EVO_COMPLETE": "complete_bash", "COMP_WORDS": "evo co", "COMP_CWORD": "1"}
    found = subprocess.run([program], env={**os.environ, **asked}, capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["compare", "conclusions", "counts", "convert"]
    environment = {**os.environ, "HOME": str(tmp_path), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    command = [program, "--install-completion", "bash"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "_EVO_COMPLETE" in (tmp_path / ".bash_completions" / "evo.sh").read_text()
