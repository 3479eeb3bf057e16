"""Asking for memory before it is taken."""

from __future__ import annotations

import os

from solvers.errors import SolverError

_SHARE = 0.9
"""How much of the free memory one may take."""


def free_memory() -> int | None:
    """The bytes of memory that can be had, where the system tells."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    except (OSError, ValueError):
        return None


def check_memory(what: str, needed: int) -> None:
    """Refuse what does not fit into memory.

    Raises:
        SolverError: It does not; the message tells both figures.
    """
    free = free_memory()
    if free is not None and needed > _SHARE * free:
        raise SolverError(f"{what} needs {needed / 2**30:.1f} GB of memory, and {free / 2**30:.1f} GB are free")
