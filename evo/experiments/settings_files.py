"""The settings that come with the project, found by name from any directory; and settings files of the user's own."""

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
    """What messages call it."""
    name: str
    folder: Path
    """What paths in it are relative to."""
    values: dict[str, Any]


@lru_cache(maxsize=1)
def names() -> dict[str, Path]:
    """The settings that come with the project."""
    root = Path(str(package_files("runs")))
    folders = [root, *sorted(path.parent for path in root.glob("*/__init__.py"))]  # results are not a package
    return {path.stem: path for folder in folders for path in sorted(folder.glob("*.toml"))}


def read(source: str, folder: Path = Path()) -> Document:
    """Read a setting or suite: the name of one that comes with the project, or a path.

    Raises:
        ConfigError: There is none, or it is not TOML.
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
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
        raise ConfigError(f"{source}: no setting of this name, and no .toml file; {hint}")
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
    """Settings with others over them; a table, such as `repair`, has the keys of both."""
    both = {key for key in values.keys() & over.keys() if isinstance(values[key], dict) and isinstance(over[key], dict)}
    return values | over | {key: values[key] | over[key] for key in both}


def inherited(document: Document, depth: int = 0) -> Document:
    """A setting with the keys of what it extends, and what that extends; its own go first.

    A row of a suite without a name of its own takes that of the setting it extends.
    """
    if "extends" not in document.values:
        return document
    source = document.values["extends"]
    if not isinstance(source, str):
        raise ConfigError(f"{document.where}: extends: expected a name or a path; found {source!r:.60}")
    if depth == _DEEPEST:
        raise ConfigError(f"{document.where}: extends: {source!r} extends itself, by way of others")
    parent = inherited(read(source, document.folder), depth + 1)
    if "rows" in parent.values:
        raise ConfigError(f"{document.where}: extends: {source!r} is a suite, not a setting")
    own = merged({key: value for key, value in parent.values.items() if key != "name"}, document.values)
    return document._replace(name=document.name or str(parent.values.get("name", parent.name)), values=own)
