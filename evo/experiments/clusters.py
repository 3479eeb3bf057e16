"""Connections to Dask clusters, given as people have them: an address, a scheduler file, or a function that makes one.

Every worker must have the same versions as the driver of what a result depends on, which is asked when a connection is
made and again with every slice, as workers may come and go.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from evo.errors import ConfigError
from evo.experiments.machine import versions_text
from evo.settings import user_code
from puzzles.file_io import read_bytes

if TYPE_CHECKING:
    from distributed import Client

_DISTRIBUTION = "evo-edge-matching"
"""The name under which the project is installed."""
_WAIT_FOR_WORKERS = 30.0
_TIMEOUT, _CLOSING = "10s", 30.0
_FACTORY = re.compile(r"(?P<module>[^\W\d]\w*(\.[^\W\d]\w*)*):(?P<name>[^\W\d]\w*)")
"""`module:function`; an address has a number behind its last colon."""


class Connection(NamedTuple):
    """A client, and the cluster that was made for it, if any, which is to be closed with it."""

    client: Client
    cluster: Any = None


def connect(where: str, jobs: int) -> Connection:
    """Connect to a cluster.

    Args:
        where: The address of a scheduler, such as tcp://host:8786 or tls://host:8786; the scheduler file that
            `dask scheduler --scheduler-file` writes; `module:function` or `file.py:function`, a function without
            arguments that returns a cluster; or "local" to start a cluster on this machine.
        jobs: The number of workers of a local cluster.

    Raises:
        ConfigError: There is no such cluster, or one of its workers has other versions.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise ConfigError("dask: is not installed; run pip install 'evo-edge-matching[distributed]'") from None
    _silence_dask()
    cluster = None
    try:
        if where == "local":
            cluster = LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None)
        elif user_code.is_reference(where) or _FACTORY.fullmatch(where):
            cluster = _made_by(where)
        address = _address_in(Path(where)) if Path(where).is_file() else where
        client = Client(address if cluster is None else cluster, timeout=_TIMEOUT)
        client.wait_for_workers(1, timeout=_WAIT_FOR_WORKERS)
    except (OSError, ValueError, TypeError) as error:  # a time-out is an OSError
        if cluster is not None:
            cluster.close()
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ConfigError(f"dask: cannot use {where!r:.80}: {reason:.200}") from None
    connection = Connection(client, cluster)
    try:
        refuse_other_versions(client)
    except ConfigError:
        disconnect(connection)
        raise
    return connection


def _silence_dask() -> None:
    """Leave errors to this project; Dask gives some of its loggers levels of their own."""
    for name in {"distributed", *logging.root.manager.loggerDict}:
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


def disconnect(connection: Connection) -> None:
    """Disconnect from a cluster, and stop it if it was started for this connection."""
    with suppress(OSError):  # a time-out is one; everything is stored, and the cluster goes when it can
        connection.client.close(timeout=1)
    with suppress(OSError):
        if connection.cluster is not None:
            connection.cluster.close(timeout=_CLOSING)


def refuse_other_versions(client: Client) -> None:
    """Check the versions of all current workers.

    Raises:
        ConfigError: A worker has other versions of what a result depends on.
    """
    known: Any = client.get_versions(packages=[_DISTRIBUTION, "numba"])
    wanted = _toolchain_in(known["client"])
    for address, found in known["workers"].items():
        there = _toolchain_in(found)
        if there != wanted:
            raise ConfigError(
                f"dask: the worker {address} has {versions_text(there)}, but here is {versions_text(wanted)}"
            )


def _toolchain_in(found: Any) -> dict[str, str | None]:
    """Return what Dask tells of one process in the form of `machine.toolchain`."""
    packages, python = found["packages"], str(found["host"]["python"]).split(".")
    return {"evo": packages[_DISTRIBUTION], "Python": ".".join(python[:2]), "numba": packages["numba"]}


def _address_in(file: Path) -> str:
    """Return the address that a scheduler file holds."""
    try:
        return str(json.loads(read_bytes(file))["address"])
    except (ValueError, TypeError, KeyError):
        raise ConfigError(f"dask: {file}: is not a scheduler file; expected JSON with an address") from None


def _made_by(reference: str) -> Any:
    """Return the cluster that a user's function makes."""
    if user_code.is_reference(reference):
        function = user_code.resolve_function("dask", reference)
    else:
        module, _, name = reference.partition(":")
        if "" not in sys.path:
            sys.path.insert(0, "")  # as `python -m` does
        try:
            function = getattr(import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise ConfigError(f"dask: {reference}: {error}") from None
    try:
        cluster = function()
    except Exception as error:
        raise ConfigError(f"dask: {reference}: {type(error).__name__}: {error}") from None
    if not hasattr(cluster, "scheduler_address"):
        raise ConfigError(f"dask: {reference} returned {type(cluster).__name__}; expected a Dask cluster")
    return cluster
