"""Compiling what runs need, or loading it from the cache, before the seconds of any run are counted.

`python -m evo.experiments.warmup` compiles everything for boards of up to 256 tiles.
"""

from __future__ import annotations

from evo.errors import EvoError
from evo.settings.base import RunSettings, make_search
from evo.settings.islands import PopulationSettings
from evo.settings.registry import algorithms
from puzzles import generate
from puzzles.protocols import AnyPuzzle
from solvers import PopulationSearch

_warm: set[tuple[RunSettings, bool]] = set()


def warm(puzzle: AnyPuzzle, settings: RunSettings) -> None:
    """Make this process ready for runs of some settings; compiled code differs between small and large boards."""
    for tiny in warm_up_runs(settings):
        kind = tiny, puzzle.size <= 256
        if kind not in _warm:
            run_through(puzzle, tiny)
            _warm.add(kind)


def warm_up_runs(settings: RunSettings) -> list[RunSettings]:
    """Return the small settings that compile what runs of some settings need; they are equal for all runs of a row.

    Islands need the same as a single population.
    """
    alone = {"seed": 1} | ({"islands": None} if isinstance(settings, PopulationSettings) else {})
    return [one.model_copy(update=alone) for one in settings.warm_up()]


def run_through(puzzle: AnyPuzzle, settings: RunSettings) -> None:
    """Run settings to the end, and call everything else that a run calls."""
    search = make_search(puzzle, settings)
    for report in search.reports():
        evaluations = report.evaluations
    search.restore(search.state())
    if isinstance(search, PopulationSearch):
        search.diversity(evaluations)
        search.front()


if __name__ == "__main__":
    for algorithm in algorithms().values():
        for settings in algorithm.tiny():
            try:
                run_through(settings.load_puzzle(None), settings)
            except EvoError:  # some enumerators are for boards of up to 10x10
                run_through(generate(6, 6, 3, 6, 1)[0], settings)
