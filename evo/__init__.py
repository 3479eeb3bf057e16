"""How populations evolve: settings, the algorithms, DEAP toolboxes, the native engine; and the command line, `evo`."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evo.errors import ConfigError
    from evo.running import make_engine, run
    from evo.settings import make_settings
    from evo.table1 import TABLE_1, TABLE_2
    from evo.toolbox import make_toolbox, use_compiled

__version__ = "0.2.0"
__all__ = [
    "TABLE_1",
    "TABLE_2",
    "ConfigError",
    "make_engine",
    "make_settings",
    "make_toolbox",
    "run",
    "use_compiled",
]

_HOMES = {
    "TABLE_1": "evo.table1",
    "TABLE_2": "evo.table1",
    "ConfigError": "evo.errors",
    "make_engine": "evo.running",
    "make_settings": "evo.settings",
    "make_toolbox": "evo.toolbox",
    "run": "evo.running",
    "use_compiled": "evo.toolbox",
}


def __getattr__(name: str) -> Any:
    """Import on first use: the command line starts faster without DEAP, pydantic and the engine."""
    if name not in _HOMES:
        raise AttributeError(f"module 'evo' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
