"""Safe reading and writing of whole files: large files are refused, and no file is ever written in part."""

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
    """Return the content of a file, or of standard input for "-".

    Raises:
        FileError: The file cannot be read, or is too large.
    """
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
    except ValueError as error:  # a path with a null byte; FileError is a ValueError too
        raise error if isinstance(error, FileError) else FileError(f"cannot be read: {error}") from None
    if len(data) > MAX_BYTES:
        raise FileError(f"is larger than {MAX_BYTES // 2**20} MiB; refusing to read it")
    return data


def check_free(target: Path, *, force: bool = False) -> None:
    """Check that a target does not exist yet, or that `force` allows replacing it.

    Raises:
        FileError: The target exists.
    """
    if os.path.lexists(target) and not force:
        raise FileError("already exists; refusing to overwrite it (--force replaces it)")


def write_bytes(target: Path, content: bytes, *, force: bool = False) -> Path:
    """Write a file by way of a temporary file beside it, and return its path.

    Raises:
        FileError: The file cannot be written, or exists and `force` is not set.
    """
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
    """Prefix the message of any `EvoError` raised in this context with the name of a source."""
    try:
        yield
    except EvoError as error:
        # Text that a user gave may be anything, such as a whole link; a path is shown as it is.
        name = "standard input" if str(source) == "-" else source if isinstance(source, Path) else shortened(source)
        raise type(error)(f"{name}: {error}") from None
