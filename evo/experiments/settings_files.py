"""Settings files: the bundled ones, found by name from any directory, and the user's own."""

from __future__ import annotations

import difflib
import tomllib
from functools import lru_cache
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any, NamedTuple

from evo.errors import ConfigError
from evo.settings import user_code
from puzzles.file_io import naming, read_bytes

_DEEPEST = 20


class Document(NamedTuple):
    """A settings file, or a row of one."""

    where: str
    """The name used in messages."""
    name: str
    folder: Path
    """The folder that paths in it are relative to."""
    values: dict[str, Any]


@lru_cache(maxsize=1)
def names() -> dict[str, Path]:
    """Return the paths of the bundled settings, by name."""
    root = Path(str(package_files("runs")))
    folders = [root, *sorted(path.parent for path in root.glob("*/__init__.py"))]  # results are not a package
    return {path.stem: path for folder in folders for path in sorted(folder.glob("*.toml"))}


def read(source: str, folder: Path = Path()) -> Document:
    """Return a setting or a suite.

    Args:
        source: The name of a bundled one, a path, or a reference to an algorithm of the user's own.
        folder: The folder that a path is relative to.

    Raises:
        ConfigError: There is no such setting, or it is not TOML.
        FileError: The file cannot be read.
    """
    if user_code.is_reference(source):  # an algorithm of the user's own, with its defaults
        return Document(source, user_code.parse(source).name, folder, {"algorithm": source})
    known = names()
    if source in known:
        path = known[source]
    elif source.endswith(".toml") or "/" in source:
        path = folder / source
    else:
        close = difflib.get_close_matches(source, known, 1) or difflib.get_close_matches(source.upper(), known, 1)
        hint = f"did you mean {close[0]}?" if close else f"expected one of {', '.join(known)}"
        raise ConfigError(f"{source}: is neither a bundled setting nor a .toml file; {hint}")
    with naming(path):
        content = read_bytes(path)
    where = source if source in known else str(path)
    try:
        values = tomllib.loads(content.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{where}: is not TOML: {error}") from None
    return Document(where, path.stem, path.parent, beside(values, path.parent))


def beside(values: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return settings whose files, the puzzle and the user's own code, are relative to the folder of the settings."""
    found = {key: user_code.beside(value, folder) for key, value in values.items()}
    puzzle = values.get("puzzle")
    if isinstance(puzzle, str) and (folder / puzzle).is_file():
        found["puzzle"] = str(folder / puzzle)
    return found


def merged(values: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Return settings overridden by others; a table, such as `repair`, has the keys of both."""
    both = {key for key in values.keys() & over.keys() if isinstance(values[key], dict) and isinstance(over[key], dict)}
    return values | over | {key: values[key] | over[key] for key in both}


def inherited(document: Document, depth: int = 0) -> Document:
    """Return a setting with the keys of the settings that it extends, directly or indirectly; its own take precedence.

    A row of a suite without a name takes the name of the setting that it extends.
    """
    if "extends" not in document.values:
        return document
    source = document.values["extends"]
    if not isinstance(source, str):
        raise ConfigError(f"{document.where}: extends: expected a name or a path; found {source!r:.60}")
    if depth == _DEEPEST:
        raise ConfigError(f"{document.where}: extends: {source!r} extends itself indirectly")
    parent = inherited(read(source, document.folder), depth + 1)
    if "rows" in parent.values:
        raise ConfigError(f"{document.where}: extends: {source!r} is a suite, not a setting")
    own = merged({key: value for key, value in parent.values.items() if key != "name"}, document.values)
    return document._replace(name=document.name or str(parent.values.get("name", parent.name)), values=own)
