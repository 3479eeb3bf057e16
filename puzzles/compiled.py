"""numba's compiler with the project's settings, a type that mypy understands, and a cache that does not lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core.dispatcher import Dispatcher

from puzzles.code_cache import CodeCache

F = TypeVar("F", bound=Callable[..., Any])

_PLAIN: dict[str, Any] = {"nogil": True}
_INLINED: dict[str, Any] = {"nogil": True, "forceinline": True, "_nrt": False}


def jit(function: F) -> F:
    """Compile `function` on first call; keep the machine code on disk; run without the GIL."""
    return cast(F, _compiled(function, _PLAIN))


def inlined(function: F) -> F:
    """`jit` for the parts of a hot loop, which allocate nothing: the compiler puts them into whatever calls them.

    Without it, a call that passes a structure of arrays copies hundreds of bytes and counts references to each array.
    """
    return cast(F, _compiled(function, _INLINED))


def _compiled(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    compiled = numba.njit(**options)(function)
    if isinstance(compiled, Dispatcher):  # not when numba is told to compile nothing
        compiled._cache = CodeCache(function)  # type: ignore[attr-defined]  # numba has no way to choose a cache
    return compiled
