"""Reading and writing whole files, carefully: nothing too large comes in, nothing is ever written in part."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

from puzzles.errors import PuzzleError
from puzzles.formats.reading import MAX_BYTES


def read_bytes(path: str | Path) -> bytes:
    """The content of a file, or of standard input for "-", refusing what is missing or too large."""
    try:
        if str(path) == "-":
            if sys.stdin is None:
                raise PuzzleError("is closed")
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open(path, "rb") as stream:
                data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise PuzzleError(f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a path with a null byte in it; PuzzleError is one too
        raise error if isinstance(error, PuzzleError) else PuzzleError(f"cannot be read: {error}") from None
    if len(data) > MAX_BYTES:
        raise PuzzleError(f"larger than {MAX_BYTES} bytes: this is no puzzle or board")
    return data


def check_free(target: Path, *, force: bool = False) -> None:
    """Refuse a target that is there already, unless forced."""
    if os.path.lexists(target) and not force:
        raise PuzzleError("is there already and is not replaced unless forced")


def write_bytes(target: Path, content: bytes, *, force: bool = False) -> Path:
    """Write a file by way of a temporary one beside it; refuse to replace one that is there unless forced."""
    try:
        check_free(target, force=force)
        temporary = target.parent / f".evo-{secrets.token_hex(8)}"
        with open(temporary, "xb") as stream:
            try:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
                os.replace(temporary, target)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise PuzzleError(f"cannot be written: {error.strerror or error}") from None
    return target
