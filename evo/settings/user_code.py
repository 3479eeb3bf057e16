"""A user's own code in settings: `my_search.py:MySettings`, `my_operators.py:well_formed`.

When settings are made, the file that such a reference names is read once, and the SHA-256 of its content becomes part
of the reference: `my_operators.py:well_formed@3f2a...`. From then on only that content counts, wherever the run goes:
it is stored with the experiment, and travels with each task to worker processes and clusters. Nothing is imported until
a reference is resolved, and then only the file that it names.
"""

from __future__ import annotations

import hashlib
import linecache
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from evo.errors import ConfigError, EvoError
from puzzles.file_io import naming, read_bytes

_REFERENCE = re.compile(r"(?P<path>.+\.py):(?P<name>[^\W\d]\w*)(?:@(?P<sha256>[0-9a-f]{64}))?")
_sources: dict[str, str] = {}
"""The content of every file that was read or provided in this process, by its SHA-256."""


class Reference(NamedTuple):
    """A name in a Python file; `sha256` is empty until the file has been read."""

    path: str
    name: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.path}:{self.name}@{self.sha256}" if self.sha256 else f"{self.path}:{self.name}"


def is_reference(value: object) -> bool:
    """Return whether a setting refers to a user's own code."""
    return isinstance(value, str) and _REFERENCE.fullmatch(value) is not None


def parse(text: str) -> Reference:
    """Return the parts of a reference.

    Raises:
        ConfigError: The text is not a reference.
    """
    found = _REFERENCE.fullmatch(text)
    if found is None:
        raise ConfigError(f"expected FILE.py:NAME; found {text!r:.80}")
    return Reference(found["path"], found["name"], found["sha256"] or "")


def beside(value: Any, folder: Path) -> Any:
    """Return a setting, or a list of them, whose references are relative to a folder instead of the current one."""
    if isinstance(value, list):
        return [beside(one, folder) for one in value]
    if not is_reference(value) or parse(value).sha256:
        return value
    reference = parse(value)
    return str(reference._replace(path=str(folder / reference.path)))


def pinned(text: str) -> str:
    """Return a reference with the SHA-256 of its file, which is read now, and without the folder of the file.

    Raises:
        ConfigError: The text is not a reference, or the file cannot be read.
    """
    reference = parse(text)
    if reference.sha256:
        return text
    try:
        with naming(reference.path):
            content = read_bytes(reference.path).decode()
    except UnicodeDecodeError:
        raise ConfigError(f"{reference.path}: is not text in UTF-8") from None
    except EvoError as error:
        raise ConfigError(str(error)) from None
    sha256 = _digest(content)
    _sources[sha256] = content
    return str(Reference(Path(reference.path).name, reference.name, sha256))


def provide(sources: Mapping[str, str]) -> None:
    """Make the content of files, by their SHA-256, available to `resolve`. Nothing is imported yet.

    Raises:
        ConfigError: A content does not have the SHA-256 that it is said to have.
    """
    for sha256, content in sources.items():
        if _digest(content) != sha256:
            raise ConfigError(f"the code with the SHA-256 {sha256[:12]}... has been changed")
        _sources[sha256] = content


def sources_of(settings: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """Return the name and content of every file that settings refer to, by its SHA-256."""
    references = [parse(value) for value in settings.values() if is_reference(value)]
    return {one.sha256: (one.path, _sources[one.sha256]) for one in references if one.sha256 in _sources}


def resolve(text: str) -> Any:
    """Return what a reference refers to; its file is imported if it has not been yet.

    Raises:
        ConfigError: The code is not available, cannot be imported, or does not define the name.
    """
    reference = parse(pinned(text))
    module = _imported(reference)
    if not hasattr(module, reference.name):
        raise ConfigError(f"{reference.path}: does not define {reference.name}")
    return getattr(module, reference.name)


def resolve_function(key: str, text: str) -> Callable[..., Any]:
    """Return the function that the setting `key` refers to.

    Raises:
        ConfigError: As in `resolve`, or it is not a function.
    """
    try:
        found = resolve(text)
    except ConfigError as error:
        raise ConfigError(f"{key}: {error}") from None
    if not callable(found):
        raise ConfigError(f"{key}: {parse(text).name} is not a function; found {type(found).__name__}")
    function: Callable[..., Any] = found
    return function


def _imported(reference: Reference) -> ModuleType:
    module_name = f"evo_user_code_{reference.sha256}"
    if module_name in sys.modules:
        return sys.modules[module_name]
    if reference.sha256 not in _sources:
        raise ConfigError(f"{reference.path}: the code with the SHA-256 {reference.sha256[:12]}... is not available")
    content = _sources[reference.sha256]
    module = ModuleType(module_name)
    module.__file__ = filename = f"<{reference.path} {reference.sha256[:12]}>"
    linecache.cache[filename] = (len(content), None, content.splitlines(keepends=True), filename)  # for tracebacks
    sys.modules[module_name] = module  # pydantic and dataclasses look annotations up there
    try:
        exec(compile(content, filename, "exec"), module.__dict__)
    except Exception as error:
        del sys.modules[module_name]
        where = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise ConfigError(f"{reference.path}{where}: {type(error).__name__}: {error}") from None
    return module


def _digest(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()
