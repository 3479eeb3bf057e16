"""A store that is read again and again: only files that have changed since the last time are parsed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from evo.experiments.lock import is_locked
from evo.experiments.plan import Run
from evo.experiments.store import Record, Store

T = TypeVar("T")
Stamp = tuple[int, int, int]
"""The identity, the time of change and the size of a file."""


def stamp(path: Path) -> Stamp | None:
    """Return what changes when a file does; None if there is no file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


class WatchedStore(Store):
    """A directory of results that remembers what it has read.

    Args:
        path: The directory.

    Raises:
        StoreError: It does not contain an experiment, or a damaged one.
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__(path)
        self._kept: dict[Path, tuple[Stamp | None, Any]] = {}
        self._paths: dict[tuple[str, str], Path] = {}
        self._outside: tuple[object, ...] = ()
        self._version = ""
        self.alive = False
        """Whether a process was working on it when the version was last asked for."""

    def version(self) -> str:
        """Return a text that changes when the experiment does.

        Only the holder of the lock writes, and taking the lock changes its file. So without a holder, and with the same
        lock file, nothing has changed, and the files of the runs need not be looked at.
        """
        self.alive = locked = is_locked(self.path)
        outside = (locked, stamp(self.path / "experiment.json"), stamp(self.path / "lock"))
        if locked or outside != self._outside:
            inside = [stamp(self.file(run, name)) for run in self.runs for name in ("run.json", "trace.csv")]
            self._outside = outside
            self._version = hashlib.sha256(repr((outside, inside)).encode()).hexdigest()[:12]
        return self._version

    def file(self, run: Run, name: str) -> Path:
        """Return the path of a file of a run, made once: most of the cost of looking at hundreds of files is in it."""
        path = self._paths.get((run.id, name))
        if path is None:
            path = self._paths[run.id, name] = super().file(run, name)
        return path

    def record(self, run: Run) -> Record:
        """Return the record of a run, a copy that the caller may change."""
        return replace(self._remembered(self.file(run, "run.json"), lambda: super(WatchedStore, self).record(run)))

    def rows(self, run: Run) -> NDArray[np.float64]:
        """Return the trace of a run as an array, which the caller must not change."""
        return self._remembered(self.file(run, "trace.csv"), lambda: super(WatchedStore, self).rows(run))

    def _remembered(self, path: Path, read: Callable[[], T]) -> T:
        now = stamp(path)
        kept = self._kept.get(path)
        if kept is None or kept[0] != now:  # a file that is still missing is not looked for again
            kept = self._kept[path] = now, read()
        return kept[1]
