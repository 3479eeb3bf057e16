"""numba's compiler with the project's settings, a type that mypy understands, and a cache that does not lie.

numba looks only at a function's own file when it decides whether its machine code on disk is still good, though parts
of other files are compiled into it. So each state of the sources gets a cache folder of its own.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

_ROOT = Path(__file__).parents[1]
_ROOMS = ("puzzles", "operators", "solvers", "evo")
_INLINED: dict[str, Any] = {"cache": True, "nogil": True, "forceinline": True, "_nrt": False}
_KEPT = 3  # cache folders, the newest; older ones are removed


def jit(function: F) -> F:
    """Compile `function` on first call; keep the machine code on disk; run without the GIL."""
    return cast(F, numba.njit(cache=True, nogil=True)(function))


def inlined(function: F) -> F:
    """`jit` for the parts of a hot loop, which allocate nothing: the compiler puts them into whatever calls them.

    Without it, a call that passes a structure of arrays copies hundreds of bytes and counts references to each array.
    """
    return cast(F, numba.njit(**_INLINED)(function))


def _choose_cache() -> None:
    """Point numba's cache to a folder for just this state of the sources, unless the user has chosen one."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    state = hashlib.sha256()
    # Compiled code is in the rooms themselves, never in their sub-packages.
    for path in sorted(path for room in _ROOMS for path in (_ROOT / room).glob("*.py")):
        status = path.stat()
        state.update(f"{path}:{status.st_mtime_ns}:{status.st_size}\n".encode())
    home = _ROOT / "puzzles" / "__pycache__"
    if not os.access(home if home.exists() else home.parent, os.W_OK):
        home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "evo"
    folder = home / f"numba-{state.hexdigest()[:16]}"
    if not folder.exists():
        older = sorted(home.glob("numba-*"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in older[_KEPT - 1 :]:
            shutil.rmtree(path, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        if sys.stderr is not None and sys.stderr.isatty():
            print("compiling for this machine, once: the first run takes some seconds longer", file=sys.stderr)
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # numba sets its options at run time


_choose_cache()
