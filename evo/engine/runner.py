"""One interface for every algorithm of the paper: settings in, progress out."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import partial

import numpy as np
from deap import base

from evo.engine.beam_population import BeamPopulationSearch
from evo.engine.deap_engine import DeapEngine
from evo.engine.evolution_search import Evolution, evolve
from evo.engine.initial_boards import LocalSettings, start_of
from evo.engine.native_engine import NativeEngine
from evo.engine.problem import EvolutionSettings, make_problem
from evo.engine.toolbox import REGISTERED, CompiledMate, CompiledMutation, make_toolbox
from evo.errors import ConfigError
from evo.settings.construction import BACKTRACK, BEAM
from evo.settings.evolution import RAND, Settings
from evo.settings.local import TABU
from operators import OperatorError
from puzzles import Puzzle, PuzzleError
from solvers import (
    Backtrack,
    ExhaustiveSearch,
    Progress,
    RandomSearch,
    Search,
    SolverError,
    SwapTabu,
    VlnsOptions,
    VlnsTabu,
)


def run(
    puzzle: Puzzle,
    settings: Settings,
    *,
    rng: np.random.Generator | None = None,
    toolbox: base.Toolbox | None = None,
) -> Iterator[Progress]:
    """Run an algorithm, and tell how it goes after every generation or so, until the budget is spent.

    Stop it by not asking for more. The same settings and generator give the same boards, whatever the machine.

    Args:
        puzzle: What to solve.
        settings: The algorithm and how.
        rng: Where randomness comes from; by default from the setting `seed`.
        toolbox: A toolbox of `make_toolbox` with operators of your own in it; it brings its own generator.

    Raises:
        ConfigError: The settings do not fit the puzzle.
    """
    if toolbox is None:
        return make_search(puzzle, settings, rng).reports()
    if not isinstance(settings, EvolutionSettings):
        raise ConfigError(f"algorithm: {settings.algorithm} has no operators that a toolbox could bring")
    if toolbox.problem.settings != settings or toolbox.problem.puzzle != puzzle:
        raise ConfigError("the toolbox was made for another puzzle or other settings than those to run")
    return evolve(make_engine(toolbox), settings)


def make_search(puzzle: Puzzle, settings: Settings, rng: np.random.Generator | None = None) -> Search:
    """The search that settings are for, at its start.

    Raises:
        ConfigError: The settings do not fit the puzzle.
    """
    rng = np.random.default_rng(settings.seed) if rng is None else rng
    if isinstance(settings, EvolutionSettings):
        return Evolution(make_problem(puzzle, settings), rng)
    try:
        if isinstance(settings, BEAM):
            return BeamPopulationSearch(puzzle, settings, rng)
        if isinstance(settings, BACKTRACK):
            pins = puzzle.pinned_hints(settings.pins)
            return Backtrack(puzzle, rng, settings.evaluations, options=settings.how, path=settings.path, pins=pins)
        if isinstance(settings, LocalSettings):
            return _local_search(puzzle, settings, rng)
        if isinstance(settings, RAND):
            return RandomSearch(puzzle, rng, settings.evaluations, pins=puzzle.pinned_hints(settings.pins))
        centre = settings.pins == "mandatory" and not any(hint.mandatory for hint in puzzle.hints)
        pins = () if centre else puzzle.pinned_hints(settings.pins)  # a puzzle may have no mandatory hint
        return ExhaustiveSearch(puzzle, rng, settings.evaluations, pins=pins, refill=settings.refill)
    except (OperatorError, PuzzleError, SolverError) as error:
        raise ConfigError(f"{puzzle.name}: {error}") from None


def _local_search(puzzle: Puzzle, settings: LocalSettings, rng: np.random.Generator) -> Search:
    pins = puzzle.pinned_hints(settings.pins)
    start = start_of(puzzle, settings, pins)
    if isinstance(settings, TABU):
        return SwapTabu(puzzle, rng, settings.evaluations, start=start, tenure=settings.tenure, pins=pins)
    options = VlnsOptions(**{name: getattr(settings, name) for name in VlnsOptions._fields})
    return VlnsTabu(puzzle, rng, settings.evaluations, start=start, options=options, pins=pins)


def make_engine(toolbox: base.Toolbox) -> NativeEngine | DeapEngine:
    """The fastest engine that runs a toolbox: native when every operator in it is compiled, else DEAP's way.

    Warns:
        UserWarning: An operator is plain Python, which the native engine cannot run; the message says which.
    """
    untouched = make_toolbox(toolbox.problem.puzzle, toolbox.problem.settings, toolbox.rng)
    own = {}
    for name in REGISTERED:
        function = getattr(toolbox, name)
        compiled = getattr(function, "func", None)
        if isinstance(compiled, CompiledMate | CompiledMutation):
            own[name] = compiled.function
        elif _origin(function) != _origin(getattr(untouched, name)):
            hint = "; evo.use_compiled takes numba functions" if name in ("mate", "mutate") else ""
            warnings.warn(
                f"{name} is not the project's own nor compiled: the native engine is off, and DEAP's driver runs, "
                f"about a hundred times slower{hint}",
                stacklevel=2,
            )
            return DeapEngine(toolbox)
    return NativeEngine(toolbox.problem, toolbox.rng, **own)


def _origin(function: object) -> tuple[object, ...]:
    """What tells two registered functions apart, leaving aside which object they are bound to."""
    if not isinstance(function, partial):
        return (function,)
    arguments = [argument for argument in function.args if not isinstance(argument, partial)]
    return getattr(function.func, "__func__", function.func), arguments, function.keywords
