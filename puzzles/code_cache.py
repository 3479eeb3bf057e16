"""Machine code on disk: a folder for each state of a module's sources, a file for each version of a function.

numba's own cache looks only at a function's own file, though parts of other files are compiled into it, and keeps an
index which processes that compile at the same time can spoil. Here the folder's name is the module's name and a stamp
of all the sources that it depends on (`puzzles.sources`), the file's name is a hash of all else that matters, and files
are written beside their place and then moved there: what is found is whole and up to date, and nothing is ever locked.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import sys
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.serialize import dumps

from puzzles.sources import ROOT, stamp

_KEPT_STATES, _KEPT_DAYS = 3, 30
"""Of each module so many states are kept, the last ones used, and none that was not used for so long."""
_VERSIONS = f"{sys.implementation.cache_tag} numba {numba.__version__} llvmlite {llvmlite.__version__}"


class CodeCache:
    """The compiled versions of a function, in the form in which a numba dispatcher asks for them.

    Args:
        function: What is compiled. One with a closure is not kept on disk: anything could be in there.
        suffix: Tells files of one kind from those of another.
        reduce: Makes something that can be pickled of a compiled version.
        rebuild: Makes a compiled version, for a target, of what `reduce` made.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        suffix: str,
        reduce: Callable[[Any], Any],
        rebuild: Callable[[Any, Any], Any],
    ) -> None:
        self._function, self._suffix = function, suffix
        self._reduce, self._rebuild = reduce, rebuild
        self._used = False

    @property
    def cache_path(self) -> str | None:
        """The folder where compiled versions are kept."""
        return None if self._folder is None else str(_homes()[0] / self._folder)

    @cached_property
    def _folder(self) -> str | None:
        path = Path(self._function.__code__.co_filename)
        if self._function.__closure__ is not None or not path.is_absolute() or not path.is_file():
            return None
        state = stamp(path)
        return None if state is None else f"{self._function.__module__}-{state[:24]}"

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the version for some types of arguments; None when it has to be compiled."""
        target.refresh()
        if self._folder is None:
            return None
        key = _key(signature, target.codegen())
        for home in _homes():
            path = home / self._folder / self._file(key)
            with suppress(OSError, EOFError, pickle.UnpicklingError):
                found, data = pickle.loads(path.read_bytes())
                if found == key:
                    self._note_use(path.parent)
                    return self._rebuild(target, data)
        announcement.show()
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a version on disk, in the first place where that is possible."""
        if self._folder is None or compiled.library.has_dynamic_globals:
            return
        key = _key(signature, compiled.codegen)
        if " at 0x" in repr(key):  # of no use to another process
            return
        content = dumps((key, self._reduce(compiled)))
        for home in _homes():
            with suppress(OSError):
                _write(home / self._folder / self._file(key), content)
                return

    def enable(self) -> None:
        """Do nothing; the cache is always in use."""

    def disable(self) -> None:
        """Do nothing; the cache is always in use."""

    def flush(self) -> None:
        """Remove all compiled versions of the module's present state."""
        if self._folder is not None:
            for home in _homes():
                shutil.rmtree(home / self._folder, ignore_errors=True)

    def _file(self, key: tuple[Any, ...]) -> str:
        code = self._function.__code__
        whole = f"{_VERSIONS} {self._function.__qualname__} {code.co_firstlineno} {key!r}"
        return f"{self._function.__name__}-{hashlib.sha256(whole.encode()).hexdigest()[:24]}{self._suffix}"

    def _note_use(self, folder: Path) -> None:
        if not self._used:
            self._used = True
            with suppress(OSError):
                os.utime(folder)


class Announcement:
    """A line for a person at a terminal, shown once a process when something has to be compiled."""

    def __init__(self) -> None:
        self._due = True

    def show(self) -> None:
        """Show the line, unless it was shown or disabled before."""
        if self._due and sys.stderr is not None and sys.stderr.isatty():
            print("evo: compiling for this machine; later runs start without this", file=sys.stderr)
        self._due = False

    def disable(self) -> None:
        """Show nothing in this process: somebody else does."""
        self._due = False


announcement = Announcement()


def _key(signature: Any, codegen: Any) -> tuple[Any, ...]:
    """Return what a version is for: types of arguments, and a processor."""
    return signature, codegen.magic_tuple()


@cache
def _homes() -> tuple[Path, ...]:
    """Return the folders to look for machine code in, and to put it into where that is possible."""
    chosen = numba.config.CACHE_DIR  # type: ignore[attr-defined]  # numba sets its options at run time
    if chosen:
        return (Path(chosen) / "evo",)
    personal = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return ROOT / "puzzles" / "__pycache__" / "compiled", Path(personal) / "evo" / "compiled"


def _write(path: Path, content: bytes) -> None:
    if not path.parent.is_dir():
        path.parent.mkdir(parents=True, exist_ok=True)
        _clean_up(path.parent)
    draft = path.with_name(f"{uuid.uuid4().hex}.tmp")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _clean_up(newest: Path) -> None:
    """Remove the folders of old states, after one was made."""
    module = newest.name.rpartition("-")[0]
    used = {}
    for folder in newest.parent.iterdir():
        with suppress(OSError):
            used[folder] = folder.stat().st_mtime
    old = [folder for folder, when in used.items() if when < time.time() - _KEPT_DAYS * 86_400]
    same = sorted((folder for folder in used if folder.name.rpartition("-")[0] == module), key=lambda one: -used[one])
    for folder in {*old, *same[_KEPT_STATES:]} - {newest}:
        shutil.rmtree(folder, ignore_errors=True)
