"""`jit`: numba's compiler with the project's settings and a type that mypy understands."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def jit(function: F) -> F:
    """Compile `function` on first call; keep the machine code on disk; run without the GIL."""
    return cast(F, numba.njit(cache=True, nogil=True)(function))
