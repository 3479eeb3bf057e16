"""How populations evolve: settings, algorithms, DEAP toolboxes, engines, experiments; and the command line, `evo`."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evo.analysis.comparison import compare
    from evo.analysis.conclusions import conclusions
    from evo.analysis.equal_seconds import after_seconds
    from evo.engine.runner import make_engine, run
    from evo.engine.toolbox import make_toolbox, use_compiled
    from evo.errors import ConfigError, EvoError, StoreError
    from evo.experiments.experiment import resume_experiment, run_experiment
    from evo.experiments.frames import fronts, results, traces
    from evo.settings.evolution import make_settings
    from evo.settings.paper import TABLE_1, TABLE_2

__version__ = "0.5.1"
__all__ = [
    "TABLE_1",
    "TABLE_2",
    "ConfigError",
    "EvoError",
    "StoreError",
    "after_seconds",
    "compare",
    "conclusions",
    "fronts",
    "make_engine",
    "make_settings",
    "make_toolbox",
    "results",
    "resume_experiment",
    "run",
    "run_experiment",
    "traces",
    "use_compiled",
]

_HOMES = {
    "TABLE_1": "evo.settings.paper",
    "TABLE_2": "evo.settings.paper",
    "ConfigError": "evo.errors",
    "EvoError": "evo.errors",
    "StoreError": "evo.errors",
    "after_seconds": "evo.analysis.equal_seconds",
    "compare": "evo.analysis.comparison",
    "conclusions": "evo.analysis.conclusions",
    "fronts": "evo.experiments.frames",
    "make_engine": "evo.engine.runner",
    "make_settings": "evo.settings.evolution",
    "make_toolbox": "evo.engine.toolbox",
    "results": "evo.experiments.frames",
    "resume_experiment": "evo.experiments.experiment",
    "run": "evo.engine.runner",
    "run_experiment": "evo.experiments.experiment",
    "traces": "evo.experiments.frames",
    "use_compiled": "evo.engine.toolbox",
}


def __getattr__(name: str) -> Any:
    """Import on first use: the command line starts faster without DEAP, pydantic and the engine."""
    if name not in _HOMES:
        raise AttributeError(f"module 'evo' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
