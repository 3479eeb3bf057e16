"""Which engine runs a toolbox."""

from __future__ import annotations

import warnings
from functools import partial

from deap import base

from evo.engine.deap_engine import DeapEngine
from evo.engine.grid_engine import GridEngine
from evo.engine.grid_problem import GridProblem
from evo.engine.native_engine import NativeEngine
from evo.engine.problem import TileProblem, is_compiled
from evo.engine.toolbox import REGISTERED, OwnMate, OwnMutation, toolbox_of


def make_engine(toolbox: base.Toolbox) -> NativeEngine | GridEngine | DeapEngine:
    """Return the fastest engine that can run a toolbox: the native one if all its operators are compiled, else DEAP's.

    Warns:
        UserWarning: An operator is plain Python, which the native engine cannot run; the message names it.
    """
    untouched = toolbox_of(toolbox.problem, toolbox.rng)
    own = {}
    for name in [*REGISTERED, *(f"mutate_{name}" for name in toolbox.problem.mutation_names)]:
        function = getattr(toolbox, name)
        operator = getattr(function, "func", None)
        tiles = isinstance(toolbox.problem, TileProblem)
        if tiles and isinstance(operator, OwnMate | OwnMutation) and is_compiled(operator.function):
            own[name] = operator.function
        elif isinstance(operator, OwnMate | OwnMutation) or _origin(function) != _origin(getattr(untouched, name)):
            warnings.warn(slow_engine(name), stacklevel=2)
            return DeapEngine(toolbox)
    if isinstance(toolbox.problem, GridProblem):
        return GridEngine(toolbox.problem, toolbox.rng)
    return NativeEngine(toolbox.problem, toolbox.rng, **own)


def slow_engine(name: str) -> str:
    """Return what to tell a user whose operator only the DEAP engine can run."""
    hint = "; a function compiled with numba.njit would run in the native engine" if name in ("mate", "mutate") else ""
    return f"the native engine cannot run this {name}; the DEAP engine does, about a hundred times slower{hint}"


def _origin(function: object) -> tuple[object, ...]:
    """What tells two registered functions apart, leaving aside which object they are bound to."""
    if not isinstance(function, partial):
        return (function,)
    arguments = [argument for argument in function.args if not isinstance(argument, partial)]
    return getattr(function.func, "__func__", function.func), arguments, function.keywords
