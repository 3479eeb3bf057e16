"""Serving the live page: addresses, the server of `evo serve`, and the one that runs beside an experiment."""

from __future__ import annotations

import ipaddress
import multiprocessing
import os
import secrets
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing.connection import wait
from pathlib import Path

from evo.errors import ConfigError

LOOPBACK = "127.0.0.1"
PORT = 8100
_PORTS = 20
"""How many ports are tried if none is asked for."""
_NICE = 5
"""How much lower the priority of a server beside an experiment is: it computes when a core is free."""


def listening(host: str, port: int | None) -> socket.socket:
    """Return a socket on which the page can be served.

    Args:
        host: The address of this machine to listen on.
        port: The port; None for the first free one from 8100.

    Raises:
        ConfigError: It cannot be used.
    """
    error = OSError("no port is free")
    for number in range(PORT, PORT + _PORTS) if port is None else [port]:
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(host, number, type=socket.SOCK_STREAM)[0]
            made = socket.socket(family, kind, protocol)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind(address)
            made.listen(128)
            return made
        except (OSError, OverflowError) as found:
            error = found if isinstance(found, OSError) else OSError("expected a port from 0 to 65535")
    raise ConfigError(f"{host}:{port or PORT}: cannot be served: {error.strerror or error}; choose another --port")


def check_installed() -> None:
    """Refuse to serve without the packages of the extra `live`.

    Raises:
        ConfigError: One of them is not installed.
    """
    for name in ("starlette", "uvicorn", "python_multipart"):
        if find_spec(name) is None:
            raise ConfigError(f"serve: {name} is not installed; run pip install 'evo-edge-matching[live]'")


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def serve(folders: Sequence[Path], bound: socket.socket, host: str, announce: Callable[[str], None]) -> None:
    """Serve the live page until the process is interrupted.

    Args:
        folders: Experiments, folders of records, or folders that contain experiments.
        bound: The socket of `listening`.
        host: The address that it listens on.
        announce: Is told the address of the page, when it answers.

    Raises:
        ConfigError: The server is not installed.
    """
    check_installed()
    import uvicorn

    from evo.live.app import make_app

    alone = is_loopback(host)
    token = "" if alone else secrets.token_urlsafe(16)
    hosts = [host, "localhost", LOOPBACK, "[::1]", "::1"] if alone else ["*"]  # the token protects the others
    app = make_app(folders, hosts=hosts, token=token)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{bound.getsockname()[1]}/" + (f"?token={token}" if token else "")

    class Server(uvicorn.Server):
        """A server that says when it answers."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            announce(address)

    config = uvicorn.Config(
        app, log_level="critical", access_log=False, ws="none", server_header=False, timeout_graceful_shutdown=1
    )
    try:
        Server(config).run(sockets=[bound])
    except KeyboardInterrupt:  # the way to end it
        return


@contextmanager
def served_beside(folder: Path, announce: Callable[[str], None]) -> Iterator[None]:
    """Serve the live page about an experiment in a process of its own, as long as this context lasts.

    Args:
        folder: The directory of the experiment.
        announce: Is told the address of the page.

    Raises:
        ConfigError: The server is not installed, or no port is free.
    """
    check_installed()
    bound = listening(LOOPBACK, None)
    process = multiprocessing.get_context("spawn").Process(target=_serve_beside, args=(folder, bound), daemon=True)
    process.start()
    announce(f"http://{LOOPBACK}:{bound.getsockname()[1]}/")
    bound.close()
    try:
        yield
    finally:
        process.terminate()
        process.join()


def _serve_beside(folder: Path, bound: socket.socket) -> None:
    """Serve until the parent ends, in whatever way; Ctrl-C is for the parent."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    os.nice(_NICE)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        wait([parent.sentinel])
        signal.raise_signal(signal.SIGTERM)

    threading.Thread(target=follow, daemon=True).start()
    serve([folder], bound, LOOPBACK, lambda address: None)
