"""The registry of algorithms: settings classes of this package, of installed packages, and of a user's own files."""

from __future__ import annotations

import difflib
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from typing import Any

import evo.settings
from evo.errors import ConfigError
from evo.settings import user_code
from evo.settings.base import RunSettings

GROUP = "evo.algorithms"
"""The entry point through which installed packages add algorithms: `NAME = "package.module:SettingsClass"`."""


@cache
def own_algorithms() -> dict[str, type[RunSettings]]:
    """Return the settings classes that come with the project, by the name of their algorithm."""
    modules = [import_module(f"evo.settings.{module.name}") for module in iter_modules(evo.settings.__path__)]
    classes = [one for module in modules for one in vars(module).values() if _is_algorithm(one, module.__name__)]
    return {name_of(one): one for one in sorted(classes, key=name_of)}


def algorithms() -> dict[str, type[RunSettings]]:
    """Return all settings classes by the name of their algorithm, those of installed packages included.

    Raises:
        ConfigError: An installed package's class cannot be loaded.
    """
    return {name: _loaded(point) for name, point in _installed().items()} | own_algorithms()


def algorithm_names() -> list[str]:
    """Return the names of all algorithms; no installed package is imported for it."""
    return [*own_algorithms(), *(name for name in _installed() if name not in own_algorithms())]


def settings_class(algorithm: Any) -> type[RunSettings]:
    """Return the settings class of an algorithm: a name, or a reference such as "my_search.py:MySettings".

    Raises:
        ConfigError: There is no such algorithm, or its class cannot be loaded.
    """
    if isinstance(algorithm, str) and algorithm in own_algorithms():
        return own_algorithms()[algorithm]
    if isinstance(algorithm, str) and algorithm in _installed():
        return _loaded(_installed()[algorithm])
    if user_code.is_reference(algorithm):
        try:
            return _checked(user_code.resolve(algorithm), user_code.parse(algorithm).name)
        except ConfigError as error:
            raise ConfigError(f"algorithm: {error}") from None
    known = algorithm_names()
    close = difflib.get_close_matches(str(algorithm).upper(), known, 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise ConfigError(f"algorithm: {algorithm!r:.60} is not one of {', '.join(known)}, nor FILE.py:CLASS{hint}")


def make_settings(values: dict[str, Any]) -> RunSettings:
    """Return settings made of plain values, such as those of a TOML file.

    Raises:
        ConfigError: Something is wrong; the message names the keys.
    """
    if not isinstance(values, dict):
        raise ConfigError(f"settings are names and values; found {type(values).__name__}")
    if "algorithm" not in values:
        raise ConfigError(f"algorithm: is missing; expected one of {', '.join(algorithm_names())}")
    kind = settings_class(values["algorithm"])
    rest = {key: value for key, value in values.items() if key != "algorithm"}
    if rest.get("repair") == "none":  # TOML has no word for nothing
        rest["repair"] = None
    settings = kind(**rest)
    if user_code.is_reference(values["algorithm"]):
        settings._reference = user_code.pinned(values["algorithm"])
    return settings


def plain_values(settings: RunSettings) -> dict[str, Any]:
    """Return settings as plain values, from which `make_settings` makes them again in any process."""
    values = settings.model_dump(mode="json")
    return values | {"algorithm": settings._reference} if settings._reference else values


def name_of(kind: type[RunSettings]) -> str:
    """Return the name of the algorithm that a settings class is for."""
    return str(kind.model_fields["algorithm"].default)


def _is_algorithm(found: object, module: str) -> bool:
    return (
        isinstance(found, type)
        and issubclass(found, RunSettings)
        and found.__module__ == module
        and isinstance(found.model_fields["algorithm"].default, str)
    )


@cache
def _installed() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


def _loaded(point: EntryPoint) -> type[RunSettings]:
    try:
        found = point.load()
    except Exception as error:  # whatever the code of another package does when it is imported
        raise ConfigError(f"algorithm: {point.name} ({point.value}) cannot be loaded: {error}") from None
    return _checked(found, point.value)


def _checked(found: Any, name: str) -> type[RunSettings]:
    if not isinstance(found, type) or not issubclass(found, RunSettings):
        raise ConfigError(f"{name} is not a subclass of evo.RunSettings")
    if not isinstance(found.model_fields["algorithm"].default, str):
        raise ConfigError(f"{name} does not name its algorithm: algorithm: Literal['NAME'] = 'NAME'")
    return found
