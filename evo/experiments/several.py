"""Several experiments side by side: which can be, and what their experiments and settings are called then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from evo.errors import ConfigError
from evo.experiments.store import Store

Source = str | Path | Store
"""An experiment: its directory, or the store that is open on it."""


def opened(source: Source | Sequence[Source]) -> list[Store]:
    """Return the stores of one or several experiments that can be put side by side.

    Raises:
        StoreError: A directory does not hold an experiment, or the experiment is damaged.
        ConfigError: There is none, one is named twice, their puzzles differ, or the edges that count.
    """
    sources = [source] if isinstance(source, str | Path | Store) else source
    stores = [one if isinstance(one, Store) else Store(one) for one in sources]
    if not stores:
        raise ConfigError("expected the directory of an experiment; found none")
    first, *others = stores
    for at, other in enumerate(others, start=1):
        if any(other.path.resolve() == one.path.resolve() for one in stores[:at]):
            raise ConfigError(f"{other.path}: is named twice")
        if other.puzzle != first.puzzle:
            pair = f"{first.path} ({first.puzzle.name}) and {other.path} ({other.puzzle.name})"
            raise ConfigError(f"{pair} are about different puzzles; only scores on the same puzzle can be compared")
        if other.edges != first.edges:
            pair = f"{first.path} ({first.edges}) and {other.path} ({other.edges})"
            raise ConfigError(f"edges: {pair} do not count the same edges, so their scores cannot be compared")
    return stores


def experiment_names(stores: Sequence[Store]) -> list[str]:
    """Return a different name for each experiment: its own, that of its directory, or these with a number."""
    own = [store.name for store in stores]
    folders = [store.path.resolve().name for store in stores]
    chosen = [name if own.count(name) == 1 else folder for name, folder in zip(own, folders, strict=True)]
    seen: Counter[str] = Counter()
    names = []
    for name in chosen:
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name}.{seen[name]}")
    return names


def shown_settings(stores: Sequence[Store]) -> list[dict[str, str]]:
    """Return, for each experiment, what its settings are called beside the others.

    A setting that occurs in one experiment only keeps its name, and so its colour in pictures.
    """
    settings = [dict.fromkeys(run.setting for run in store.runs) for store in stores]
    times = Counter(setting for found in settings for setting in found)
    return [
        {setting: setting if times[setting] == 1 else f"{setting}@{name}" for setting in found}
        for name, found in zip(experiment_names(stores), settings, strict=True)
    ]
