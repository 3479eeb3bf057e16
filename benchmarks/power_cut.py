"""What a power cut leaves: files as long as they were when they were last forced to the disk."""

from __future__ import annotations

import os
from pathlib import Path


def sizes(directory: Path) -> dict[int, int]:
    """Return the sizes of all files below a directory, by their inodes."""
    found = {}
    for path in directory.rglob("*"):
        if path.is_file():
            about = path.stat()
            found[about.st_ino] = about.st_size
    return found


def note_fsyncs(log: Path) -> None:
    """Let this process note in a file what it forces to the disk."""
    log.write_text("")
    handle, fsync = os.open(log, os.O_WRONLY | os.O_APPEND), os.fsync

    def noting(file: int) -> None:
        fsync(file)
        about = os.fstat(file)
        os.write(handle, f"{about.st_ino} {about.st_size}\n".encode())

    os.fsync = noting  # type: ignore[assignment]


def cut_back(directory: Path, before: dict[int, int], log: Path) -> None:
    """Cut all files back to what had reached the disk.

    Args:
        directory: The directory.
        before: The sizes of its files before, all of which had reached the disk.
        log: What `note_fsyncs` has noted since.
    """
    safe = dict(before)
    if log.exists():
        for line in log.read_text().splitlines():
            inode, size = map(int, line.split())
            safe[inode] = size
    for path in directory.rglob("*"):
        if path.is_file() and path.stat().st_size > safe.get(path.stat().st_ino, 0):
            os.truncate(path, safe.get(path.stat().st_ino, 0))
