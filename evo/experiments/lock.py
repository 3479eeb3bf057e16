"""A lock on a directory of results: only one process at a time works on an experiment."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evo.errors import StoreError


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Hold the lock. The operating system releases it when the process ends, in whatever way.

    Raises:
        StoreError: Another process holds the lock, or it cannot be acquired.
    """
    path = directory / "lock"
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written: {error.strerror}") from None
    try:
        try:
            _take(handle)
            if os.fstat(handle).st_ino != path.stat().st_ino:
                raise StoreError(f"{path}: was just replaced by another process; try again")
        except BlockingIOError:
            owner = os.read(handle, 20).decode(errors="replace").strip()
            raise StoreError(f"{directory}: process {owner or '?'} is working on it; see `evo status`") from None
        except OSError as error:
            raise StoreError(f"{path}: cannot be locked: {error.strerror}") from None
        try:
            os.ftruncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
        except OSError as error:
            raise StoreError(f"{path}: cannot be written: {error.strerror}") from None
        yield
    finally:
        os.close(handle)


def _take(handle: int) -> None:
    for _ in range(5):  # `is_locked` of another process holds it for a moment
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            time.sleep(0.02)
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_locked(directory: Path) -> bool:
    """Return whether a process is working on a directory."""
    try:
        handle = os.open(directory / "lock", os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False
