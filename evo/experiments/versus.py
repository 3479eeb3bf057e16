"""The same searches on several puzzles: an experiment for each puzzle, side by side in a folder.

A suite for this is a TOML file with rows, as for `evo run`, and a table `[puzzles]` of names and puzzles: files,
addresses or lines. Experiments that are there already are continued, so that calling again resumes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from evo.errors import ConfigError
from evo.experiments.plan import make_plan
from evo.experiments.settings_files import read
from evo.experiments.store import Store
from puzzles.file_io import naming
from puzzles.pencil import PencilTask


def versus_tasks(suite: str) -> dict[str, PencilTask]:
    """Return the puzzles of a suite by their names.

    Raises:
        ConfigError: The suite has no table of puzzles, or cannot be read.
        PuzzleError: A puzzle cannot be read.
    """
    document = read(suite)
    table = document.values.get("puzzles")
    if not isinstance(table, dict) or not table or not all(isinstance(source, str) for source in table.values()):
        raise ConfigError(f"{document.where}: puzzles: expected a table [puzzles] of names and puzzles")
    folders = {name: _folder(name) for name in table}
    if len(set(folders.values())) < len(folders):
        raise ConfigError(f"{document.where}: puzzles: two names differ only in signs that folders cannot have")
    found = {}
    for name, source in table.items():
        path = document.folder / source
        with naming(f"{document.where}: {name}"):
            found[name] = PencilTask.load(path if len(source) < 200 and path.is_file() else source).named(name)
    return found


def versus_stores(suite: str, folder: Path, overrides: dict[str, Any]) -> list[Store]:
    """Return the experiments of a suite in a folder, a folder for each puzzle; they are made if they do not exist.

    Args:
        suite: The name of a suite that comes with the project, or the path of a TOML file.
        folder: The folder of the experiments.
        overrides: Values that replace those of the suite, when an experiment is made; see `make_plan`.

    Raises:
        ConfigError: Something is wrong with the suite, or an experiment in the folder is about another puzzle.
        StoreError: The folder cannot be written.
    """
    stores = []
    for name, task in versus_tasks(suite).items():
        target = folder / _folder(name)
        if (target / "experiment.json").exists():
            store = Store(target)
            if store.puzzle != task:
                raise ConfigError(f"{target}: is about another puzzle than {name!r} of {suite}; use another folder")
        else:
            folder.mkdir(parents=True, exist_ok=True)
            store = Store.create(target, make_plan([suite], **{**overrides, "puzzle": task}))
        stores.append(store)
    return stores


def _folder(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "puzzle"
