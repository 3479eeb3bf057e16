"""Reading and writing whole files, carefully: nothing too large comes in, nothing is ever written in part."""

from __future__ import annotations

import os
from pathlib import Path

from puzzles.errors import PuzzleError
from puzzles.formats.reading import MAX_BYTES


def read_bytes(path: str | Path) -> bytes:
    """A file's content, refusing what is missing or too large."""
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise PuzzleError(f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a path with a null byte
        raise PuzzleError(f"cannot be read: {error}") from None
    if len(data) > MAX_BYTES:
        raise PuzzleError(f"larger than {MAX_BYTES} bytes: this is no puzzle or board")
    return data


def write_bytes(target: Path, content: bytes, *, force: bool = False) -> Path:
    """Write a file by way of a temporary one beside it; refuse to replace one that is there unless forced."""
    if target.exists() and not force:
        raise PuzzleError("is there already and is not replaced unless forced")
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with open(temporary, "xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, target)
    except (OSError, ValueError) as error:
        temporary.unlink(missing_ok=True)
        reason = error.strerror if isinstance(error, OSError) else None
        raise PuzzleError(f"cannot be written: {reason or error}") from None
    return target
