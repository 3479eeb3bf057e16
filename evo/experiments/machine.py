"""What the figures of a run depend on besides its settings: versions and the machine."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from evo import __version__

_PACKAGES = ("numpy", "numba", "llvmlite", "deap", "scipy", "pandas")


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """Return the versions of the project, of Python, and of the packages that a result may depend on."""
    found = {"evo": __version__, "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "none"
    return found


def toolchain() -> dict[str, str | None]:
    """Return the versions that a driver and its workers must have in common, so that they compute the same."""
    found = versions()
    python = ".".join(found["python"].split(".")[:2])
    return {"evo": found["evo"], "Python": python, "numba": found["numba"]}


def versions_text(found: Mapping[str, str | None]) -> str:
    """Return versions as text, such as "evo 0.7.0, Python 3.11, numba 0.68.1"."""
    return ", ".join(f"{name} {number or '(none)'}" for name, number in found.items())


@lru_cache(maxsize=1)
def machine() -> dict[str, Any]:
    """Return a summary of the machine: enough to compare speeds, nothing that identifies it."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_gb": _memory_gb(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _memory_gb() -> float | None:
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    except (ValueError, OSError):
        return None
