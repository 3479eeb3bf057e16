"""The sources that a module depends on, found without running them, and a stamp of their content.

A module depends on each project module that it imports, and on what those import. Imports are read from the source, so
it does not matter when they are executed. Where a name is imported from a package, which only passes it on, the module
that defines the name is what counts: a change of another module of that package is of no consequence.
"""

from __future__ import annotations

import ast
import hashlib
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
ROOMS = ("puzzles", "operators", "solvers", "evo")
_INSTALLED = ("site-packages", "dist-packages")
_CLOCK_STEP = 20_000_000  # nanoseconds by which a file's time may lag behind the clock
_STARTED = time.time_ns() - time.thread_time_ns() - _CLOCK_STEP
"""No source of what this process runs was read before."""


class _Import(NamedTuple):
    module: str
    name: str | None
    """What is imported from the module, `*` for all that it defines; None for the module itself."""


class _Source(NamedTuple):
    digest: str
    imports: tuple[_Import, ...]
    passed_on: dict[str, tuple[_Import, ...]]
    """Names that the module imports from others and binds in no other way."""
    changed: int
    """When the file was last changed, in nanoseconds."""


@cache
def stamp(path: Path) -> str | None:
    """Return a hash of the content of a module and of all project modules that it depends on.

    Args:
        path: The module's file.

    Returns:
        A hexadecimal digest, or None when it would not be that of the code which this process runs: when a source
        cannot be read, or was changed after the process started.
    """
    state = hashlib.sha256()
    try:
        for dependency in sorted(dependencies(path)):
            source = _read(dependency)
            if source.changed > _STARTED:
                return None
            state.update(f"{'.'.join(_name(dependency))} {source.digest}\n".encode())
    except (OSError, SyntaxError, ValueError):
        return None
    return state.hexdigest()


def dependencies(path: Path) -> set[Path]:
    """Return the files of a module and of all project modules that it imports, directly or not."""
    found, waiting = {path}, [path]
    while waiting:
        for file in _direct(waiting.pop()) - found:
            found.add(file)
            waiting.append(file)
    return found


@cache
def _direct(path: Path) -> frozenset[Path]:
    """Return the files of the project modules that a module imports itself."""
    files: set[Path] = set()
    seen: set[_Import] = set()
    waiting = list(_read(path).imports)
    while waiting:
        imported = waiting.pop()
        if imported in seen:
            continue
        seen.add(imported)
        module, name = imported
        if name is None:
            parts = module.split(".")
            files |= {file for k in range(len(parts)) if (file := _find(".".join(parts[: k + 1]), path))}
            continue
        submodule, file = _find(f"{module}.{name}", path), _find(module, path)
        if submodule:
            files.add(submodule)
        if file and (file.name != "__init__.py" or name == "*"):
            files.add(file)
        elif file:
            origins = _read(file).passed_on.get(name)
            if origins:
                waiting += origins
            elif not submodule:
                files.add(file)
    return frozenset(files)


@cache
def _read(path: Path) -> _Source:
    status, content = path.stat(), path.read_bytes()
    *package, last = _name(path)
    if path.name == "__init__.py":
        package.append(last)
    tree = ast.parse(content)
    imports: list[_Import] = []
    passed_on: dict[str, list[_Import]] = {}
    for node in _statements(tree):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                imported = _Import(module, alias.name)
                imports.append(imported)
                passed_on.setdefault(alias.asname or alias.name, []).append(imported)
        elif isinstance(node, ast.Import):
            imports += [_Import(alias.name, None) for alias in node.names]
    own = _bound_otherwise(tree) if path.name == "__init__.py" else set()
    origins = {name: tuple(found) for name, found in passed_on.items() if name not in own}
    changed = max(status.st_mtime_ns, status.st_ctime_ns)
    return _Source(hashlib.sha256(content).hexdigest(), tuple(imports), origins, changed)


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all statements of a module, however deep; to go through all expressions too would take far longer."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += [inner for inner in getattr(node, field, ()) if isinstance(inner, ast.AST)]


def _bound_otherwise(tree: ast.AST) -> set[str]:
    """Return the names that a module binds other than by importing them from another."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
    return names


def _find(module: str, importer: Path) -> Path | None:
    """Return the file of a module, as imported from another; None when it is not one of the project's."""
    parts = module.split(".")
    home = _home(importer)
    if parts[0] in ROOMS:
        home = ROOT
    elif home.name in _INSTALLED and parts[0] != _name(importer)[0]:
        return None
    return _file(home, module)


@cache
def _file(home: Path, module: str) -> Path | None:
    """Return the file of a module below a folder, if there is one."""
    place = home.joinpath(*module.split("."))
    for file in (place / "__init__.py", place.with_suffix(".py")):
        if file.is_file():
            return file
    return None


def _name(path: Path) -> list[str]:
    """Return the parts of a module's name."""
    parts = path.with_suffix("").relative_to(_home(path)).parts
    return list(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


@cache
def _home(path: Path) -> Path:
    """Return the folder that a module's top-level package lies in."""
    if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in ROOMS:
        return ROOT
    folder = path.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder
