"""Compiling what the algorithms need, or loading it from the cache, before any run's seconds are counted.

`python -m evo.experiments.warmup` compiles everything for boards of up to 256 tiles; it is part of the set-up.
"""

from __future__ import annotations

from typing import Any

from evo.engine.evolution_search import Evolution
from evo.engine.runner import make_search
from evo.settings.evolution import make_settings
from puzzles import Puzzle, load

_warm: set[tuple[str, bool]] = set()
_REPAIR: dict[str, Any] = {"moves": 1, "size": 2, "share": 1.0}
_SMALL: dict[str, Any] = {"population": 4, "mutation_sizes": (1, 1), "evaluations": 20, "repair": _REPAIR}
_SHARES: dict[str, Any] = {"crossover": 2, "mutation": 1, "elite": 1, "crossover_sizes": (1, 1)}
_LOCAL: dict[str, Any] = {"evaluations": 12, "cp": {"nodes": 2}}
_TINY: dict[str, list[dict[str, Any]]] = {
    "GA": [_SMALL | _SHARES | {"init": init} for init in ("random", "knowledge")],
    "MOEA": [_SMALL | _SHARES | {"init": init} for init in ("random", "knowledge")],
    "AIEA": [
        _SMALL | {"init": "random"},
        _SMALL | {"init": "knowledge", "repair": _REPAIR | {"when": "elite"}},
        _SMALL | {"init": {"kind": "beam", "width": 1}},
    ],
    "RAND": [{"evaluations": 12}],
    "ES": [{"evaluations": 12}],
    "BEAM": [{"evaluations": 3, "width": 2, "population": 1, "fresh": 0.0}],
    "BACKTRACK": [{"evaluations": 12}],
    "VLNS": [_LOCAL | {"init": init} for init in ("random", "knowledge", "cp")],
    "TABU": [_LOCAL | {"init": init} for init in ("random", "knowledge", "cp")],
}
"""Settings of runs that are over at once and call everything."""


def warm(puzzle: Puzzle, algorithm: str) -> None:
    """Make an algorithm ready to run in this process; compiled code differs between small and large boards."""
    kind = algorithm, puzzle.size <= 256
    if kind in _warm:
        return
    for values in _TINY[algorithm]:
        search = make_search(puzzle, make_settings({"algorithm": algorithm, **values}))
        for report in search.reports():
            evaluations = report.evaluations
        search.restore(search.state())
        if isinstance(search, Evolution):
            search.diversity(evaluations)
            search.front()
    _warm.add(kind)


if __name__ == "__main__":
    for name in _TINY:
        warm(load("eternity2"), name)
