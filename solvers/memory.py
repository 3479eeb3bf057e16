"""Checks that memory suffices before it is allocated."""

from __future__ import annotations

import os

from solvers.errors import SolverError

_SHARE = 0.9
"""The fraction of the free memory that one allocation may use."""


def free_memory() -> int | None:
    """Return the bytes of free memory, or None if the system does not report them."""
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
    """Check that an allocation fits into the free memory.

    Raises:
        SolverError: It does not; the message gives both sizes.
    """
    free = free_memory()
    if free is not None and needed > _SHARE * free:
        raise SolverError(f"{what} needs {needed / 2**30:.1f} GB of memory; only {free / 2**30:.1f} GB are free")
