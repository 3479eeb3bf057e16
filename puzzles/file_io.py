"""Reading and writing whole files, carefully: nothing too large comes in, nothing is ever written in part."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from puzzles.errors import EvoError, FileError
from puzzles.formats.reading import MAX_BYTES, shortened


def read_bytes(path: str | Path) -> bytes:
    """The content of a file, or of standard input for "-", refusing what is missing or too large."""
    try:
        if str(path) == "-":
            if sys.stdin is None:
                raise FileError("is closed")
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open(path, "rb") as stream:
                data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a path with a null byte in it; FileError is one too
        raise error if isinstance(error, FileError) else FileError(f"cannot be read: {error}") from None
    if len(data) > MAX_BYTES:
        raise FileError(f"is larger than {MAX_BYTES // 2**20} MiB; refusing to read it")
    return data


def check_free(target: Path, *, force: bool = False) -> None:
    """Refuse a target that is there already, unless forced."""
    if os.path.lexists(target) and not force:
        raise FileError("already exists; refusing to overwrite it (--force replaces it)")


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
        raise FileError(f"cannot be written: {error.strerror or error}") from None
    return target


@contextmanager
def naming(source: str | Path) -> Iterator[None]:
    """Put the name of a source in front of the message of any error that reading or writing it raises."""
    try:
        yield
    except EvoError as error:
        name = "standard input" if str(source) == "-" else shortened(source)
        raise type(error)(f"{name}: {error}") from None
