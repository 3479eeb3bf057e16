"""`run`: one run of an algorithm in this process, as an iterator of progress reports."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from evo.errors import ConfigError
from evo.experiments.result import Result
from evo.experiments.trace import Point, Recorder, point_of
from evo.settings.base import RunSettings, make_search
from puzzles.protocols import AnyPuzzle
from solvers import Progress, Search

if TYPE_CHECKING:
    from deap import base


def run(
    puzzle: AnyPuzzle | str,
    settings: RunSettings,
    *,
    rng: np.random.Generator | None = None,
    toolbox: base.Toolbox | None = None,
) -> SingleRun:
    """Run an algorithm, and report its progress after every generation or so, until the budget is spent.

    The same settings and generator give the same boards on every machine. To stop early, stop iterating.

    Args:
        puzzle: The puzzle to solve, or its name or path.
        settings: The algorithm and its settings, such as `evo.GA(population=1_000, ...)`.
        rng: The source of randomness; by default a new generator with the setting `seed`.
        toolbox: A toolbox made by `make_toolbox` that holds operators of your own; it brings its own generator.

    Returns:
        An iterator of `Progress`. Its method `result()` finishes the run and returns the best board with its trace.

    Raises:
        ConfigError: The settings do not fit the puzzle.
    """
    found = settings.load_puzzle(puzzle) if isinstance(puzzle, str) else puzzle
    return SingleRun(found, settings, rng, toolbox)


class SingleRun(Iterator[Progress]):
    """An iterator of the progress reports of one run, which records a trace; see `run`."""

    def __init__(
        self, puzzle: AnyPuzzle, settings: RunSettings, rng: np.random.Generator | None, toolbox: base.Toolbox | None
    ) -> None:
        self.puzzle, self.settings = puzzle, settings
        self._search: Search | None
        if toolbox is None:
            self._search = make_search(puzzle, settings, rng)
            self._reports = self._search.reports()
        else:
            self._search, self._reports = None, _toolbox_reports(puzzle, settings, toolbox)
        self._recorder = Recorder(settings.evaluations)
        self._points: list[Point] = []
        self._last: Progress | None = None
        self._seconds = 0.0

    def __next__(self) -> Progress:
        start = time.perf_counter()
        try:
            progress = next(self._reports)
        finally:
            self._seconds += time.perf_counter() - start
        self._last = progress
        if self._recorder.wants(progress):
            self._points.append(point_of(self._search, progress, self._seconds))
        return progress

    def result(self) -> Result:
        """Finish the run, and return its result."""
        for _ in self:
            pass
        return self.result_so_far()

    def result_so_far(self) -> Result:
        """Return the result of the part of the run that has been made, at least one report of it."""
        import pandas as pd

        last = next(self) if self._last is None else self._last
        points = list(self._points)
        if points[-1].evaluations < last.evaluations:
            points.append(point_of(self._search, last, self._seconds))
        trace = pd.DataFrame(points, columns=list(Point._fields))
        return Result(last.board, self.settings, trace, last.evaluations, self._seconds)


def _toolbox_reports(puzzle: AnyPuzzle, settings: RunSettings, toolbox: base.Toolbox) -> Iterator[Progress]:
    from evo.engine.engines import make_engine
    from evo.engine.evolution_search import evolve
    from evo.settings.evolution import EvolutionSettings
    from evo.settings.pencil import PencilEvolution

    if not isinstance(settings, EvolutionSettings | PencilEvolution):
        raise ConfigError(f"algorithm: {settings.algorithm} has no operators that a toolbox could replace")
    if toolbox.problem.settings != settings or toolbox.problem.puzzle != puzzle:
        raise ConfigError("toolbox: was made for another puzzle or other settings than those to run")
    return evolve(make_engine(toolbox), settings)
