"""Commands as a person types them, each in a process of its own."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

EVO = [sys.executable, "-c", "from evo.cli import main; main()"]


def evo(*arguments: str | Path, stdin: str = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [*EVO, *map(str, arguments)]
    limit = 600  # the first run of all compiles
    return subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=cwd, timeout=limit)


def start(*arguments: str | Path, cwd: Path | None = None) -> subprocess.Popen[str]:
    """The command in the background, in a session of its own."""
    return subprocess.Popen(
        [*EVO, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        cwd=cwd,
    )  # fmt: skip


def wait_until(condition: Callable[[], bool], seconds: float = 300.0) -> None:
    """Look again and again, and fail if it does not come to be."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
