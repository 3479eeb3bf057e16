"""The command that shows experiments on a live page: serve."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

RESULTS = Path("runs") / "results"
ServeOption = Annotated[
    bool, typer.Option("--serve", help="Show the experiment on a live page while it runs; see `evo serve`.")
]


def serve(
    directories: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[DIR...]", help="Experiments, records, or folders of experiments [runs/results]."),
    ] = None,
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Address to listen on; other machines need the token that is printed.")
    ] = "127.0.0.1",
    port: Annotated[int | None, typer.Option(metavar="N", help="Port [the first free one from 8100].")] = None,
    browse: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Show experiments on a live page while they run.

    The page updates by itself. It only reads; Ctrl-C ends it.

    Example: evo serve --open
    """
    from evo.errors import ConfigError
    from evo.live.server import listening
    from evo.live.server import serve as serve_live

    folders = directories or [RESULTS]
    for folder in directories or []:
        if not folder.is_dir():
            raise ConfigError(f"{folder}: is not a folder")

    def announce(address: str) -> None:
        print(f"evo: serving {', '.join(map(str, folders))} at {address} (Ctrl-C ends it)", flush=True)
        if browse:
            typer.launch(address)

    serve_live(folders, listening(host, port), host, announce)


@contextmanager
def served(folder: Path, wanted: bool) -> Iterator[None]:
    """Serve an experiment beside the work in this context, if that is wanted."""
    if not wanted:
        yield
        return
    from evo.live.server import served_beside

    with served_beside(folder, lambda address: print(f"evo: the live page is at {address}", flush=True)):
        yield
