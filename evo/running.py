"""One interface for every algorithm of the paper: settings in, progress out."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
from deap import base
from numpy.typing import NDArray

from evo.algorithms import Engine, aiea, ga, moea
from evo.deap_driver import DeapEngine
from evo.errors import ConfigError
from evo.native import NativeEngine
from evo.problem import make_problem, pinned_hints
from evo.settings import AieaSettings, ExhaustiveSettings, GaSettings, MoeaSettings, RandomSettings, Settings
from evo.toolbox import CompiledMate, CompiledMutation, make_toolbox
from operators import OperatorError, Population
from puzzles import Puzzle
from solvers import Progress, exhaustive, random_search


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
    rng = np.random.default_rng(settings.seed) if rng is None else rng
    try:
        if isinstance(settings, RandomSettings):
            return random_search(puzzle, rng, settings.evaluations, pinned_hints(puzzle, settings.pins))
        if isinstance(settings, ExhaustiveSettings):
            pins = pinned_hints(puzzle, settings.pins)
            return exhaustive(puzzle, rng, settings.evaluations, pins, refill=settings.refill)
    except OperatorError as error:
        raise ConfigError(f"{puzzle.name}: {error}") from None
    if toolbox is None:
        return evolve(NativeEngine(make_problem(puzzle, settings), rng), settings)
    return evolve(make_engine(toolbox), settings)


def evolve(engine: Engine, settings: GaSettings | AieaSettings | MoeaSettings) -> Iterator[Progress]:
    """Run an evolutionary algorithm on an engine, and tell how it goes after every generation or so."""
    best = -1
    best_cells: NDArray[np.uint16] = np.zeros((0, 0), dtype=np.uint16)
    for _ in algorithm(engine, settings):
        population = engine.population
        scores = population.objectives[:, 0]
        leader = int(scores.argmax())
        if scores[leader] > best:
            best, best_cells = int(scores[leader]), _board(population, leader, engine)
        yield Progress(engine.evaluations, best, best_cells, float(scores.mean()), int(scores.min()))


def algorithm(engine: Engine, settings: GaSettings | AieaSettings | MoeaSettings) -> Iterator[None]:
    """The algorithm that settings are for."""
    if isinstance(settings, GaSettings):
        return ga(engine, settings)
    if isinstance(settings, MoeaSettings):
        return moea(engine, settings)
    return aiea(engine, settings)


def make_engine(toolbox: base.Toolbox) -> NativeEngine | DeapEngine:
    """The fastest engine that runs a toolbox: native when every operator in it is compiled, else DEAP's way.

    Warns:
        UserWarning: An operator is plain Python, which the native engine cannot run; the message says which.
    """
    untouched = make_toolbox(toolbox.problem.puzzle, toolbox.problem.settings, toolbox.rng)
    own = {}
    for name in (
        "individual",
        "population",
        "evaluate",
        "mate",
        "mutate",
        "select",
        "select_mutant",
        "select_removed",
        "repair",
    ):
        function = getattr(toolbox, name).func
        if isinstance(function, CompiledMate | CompiledMutation):
            own[name] = function.function
        elif _origin(function) != _origin(getattr(untouched, name).func):
            warnings.warn(
                f"{name} is a plain Python function: the native engine is off, and DEAP's driver runs, about a hundred "
                f"times slower; evo.toolbox.use_compiled takes numba functions",
                stacklevel=2,
            )
            return DeapEngine(toolbox)
    return NativeEngine(toolbox.problem, toolbox.rng, **own)


def _origin(function: object) -> object:
    """What tells two registered functions apart, leaving aside which object they are bound to."""
    return getattr(function, "__func__", function)


def _board(population: Population, individual: int, engine: Engine) -> NDArray[np.uint16]:
    lattice = engine.lattice
    return population.cells[individual, :-1].reshape(lattice.rows, lattice.cols).copy()
