"""The command `evo serve`, in this process: what it serves, and what it opens."""

from collections.abc import Callable, Sequence
from pathlib import Path
from socket import socket

import pytest
import typer

from evo.cli.app import main
from evo.live import server


@pytest.mark.parametrize(("options", "opened"), [([], []), (["--open"], ["http://127.0.0.1:1/"])])
def test_the_browser_is_opened_where_it_is_wanted(
    options: list[str],
    opened: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    asked: list[str] = []
    served: list[Sequence[Path]] = []

    def serve(folders: Sequence[Path], bound: socket, host: str, announce: Callable[[str], None]) -> None:
        bound.close()
        served.append(folders)
        announce("http://127.0.0.1:1/")

    monkeypatch.setattr(server, "serve", serve)
    monkeypatch.setattr(typer, "launch", asked.append)
    with pytest.raises(SystemExit) as stop:
        main(["serve", str(tmp_path), "--port", "0", *options])
    assert stop.value.code in (0, None)
    assert asked == opened
    assert served == [[tmp_path]]
    assert capsys.readouterr().out == f"evo: serving {tmp_path} at http://127.0.0.1:1/ (Ctrl-C ends it)\n"
