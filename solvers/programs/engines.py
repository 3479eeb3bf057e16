"""The engines that solve models: `scipy` (HiGHS), `scip` and `cp-sat` (OR-tools), and `sat` (python-sat).

An engine is made of a model, takes further rows, and solves again; `sat` keeps what it has learnt. All of them use one
core.
"""

from __future__ import annotations

import importlib
import importlib.util
import threading
from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from solvers.errors import SolverError
from solvers.programs.clauses import Clauses
from solvers.programs.model import Model, Row

SOLVED, INFEASIBLE, LIMIT = "solved", "infeasible", "limit"
_LOOK = 0.05  # seconds between two checks for an interrupt
T = TypeVar("T")


class Found(NamedTuple):
    """What one call of an engine found.

    Attributes:
        status: "solved" (optimal, where there is an objective), "infeasible" (proved) or "limit".
        values: The values of the variables; also at a limit, if a solution was found by then.
        bound: The best lower bound of the objective that was proved, where the engine tells one.
    """

    status: str
    values: list[float] | None = None
    bound: float = -inf


class Engine(Protocol):
    """Something that solves a model."""

    optimises: bool
    """Whether `solve` minimises the objective; the callers of an engine that does not have to ask for less."""

    def add(self, row: Row) -> None:
        """Add a row to the model."""

    def solve(self, seconds: float) -> Found:
        """Solve the model as it is now."""


def available() -> list[str]:
    """Return the names of the engines that are installed."""
    return [name for name, (module, _) in _ENGINES.items() if importlib.util.find_spec(module)]


def make_engine(name: str, model: Model) -> Engine:
    """Return an engine for a model.

    Raises:
        SolverError: The name is unknown, the engine is not installed, or it cannot carry the model.
    """
    if name not in _ENGINES:
        raise SolverError(f"unknown engine {name!r}; expected one of {', '.join(_ENGINES)}")
    module, make = _ENGINES[name]
    if not importlib.util.find_spec(module):
        raise SolverError(f"the engine {name} is not installed: pip install 'evo-edge-matching[exact]'")
    if name not in _CONTINUOUS and not model.binary_only:
        raise SolverError(f"the engine {name} cannot carry the model {model.name}, which has continuous variables")
    return make(model)


def load(name: str) -> None:
    """Import what an engine needs, so that the first puzzle does not take the time for that."""
    for module in _IMPORTS.get(name, ()):
        importlib.import_module(module)


class _Scipy:
    optimises = True

    def __init__(self, model: Model) -> None:
        self._model, self._rows = model, list(model.rows)

    def add(self, row: Row) -> None:
        self._rows.append(row)

    def solve(self, seconds: float) -> Found:
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        variables = self._model.variables
        terms = [row.terms for row in self._rows]
        ends = np.cumsum([0, *map(len, terms)])
        flat = np.array([term for of_row in terms for term in of_row]).reshape(-1, 2)
        matrix = csr_array((flat[:, 1].astype(float), flat[:, 0], ends), shape=(len(terms), len(variables)))
        limits = np.array([(row.low, row.high) for row in self._rows], dtype=float).reshape(-1, 2)
        costs = np.zeros(len(variables))
        for index, coefficient in self._model.objective:
            costs[index] = coefficient
        if not len(variables):
            feasible = bool((limits[:, 0] <= 0).all() and (limits[:, 1] >= 0).all())
            return Found(SOLVED, []) if feasible else Found(INFEASIBLE)
        answer: Any = _interruptible(
            lambda: milp(
                costs,
                integrality=[v.integer for v in variables],
                bounds=Bounds([v.low for v in variables], [v.high for v in variables]),
                constraints=LinearConstraint(matrix, limits[:, 0], limits[:, 1]),
                options={"time_limit": seconds, "mip_rel_gap": 0.0} if seconds < inf else {"mip_rel_gap": 0.0},
            )
        )
        bound = answer.get("mip_dual_bound")
        low = -inf if bound is None else float(bound)
        values = None if answer.x is None else [round(a, 9) for a in answer.x.tolist()]
        if answer.status == 0:
            return Found(SOLVED, values, low)
        if answer.status == 2:
            return Found(INFEASIBLE)
        if answer.status == 1:
            return Found(LIMIT, values, low)
        raise SolverError(f"HiGHS could not solve the model {self._model.name}: {answer.message}")


class _Scip:
    optimises = True

    def __init__(self, model: Model) -> None:
        from ortools.linear_solver import pywraplp

        self._api: Any = pywraplp.Solver
        self._program: Any = pywraplp.Solver.CreateSolver("SCIP")
        if self._program is None:
            raise SolverError("OR-tools has no SCIP here: pip install 'evo-edge-matching[exact]'")
        self._variables = [
            self._program.IntVar(v.low, v.high, "") if v.integer else self._program.NumVar(v.low, v.high, "")
            for v in model.variables
        ]
        for row in model.rows:
            self.add(row)
        target = self._program.Objective()
        for index, coefficient in model.objective:
            target.SetCoefficient(self._variables[index], coefficient)
        target.SetMinimization()

    def add(self, row: Row) -> None:
        made = self._program.Constraint(row.low, row.high)
        for index, coefficient in row.terms:
            made.SetCoefficient(self._variables[index], coefficient)

    def solve(self, seconds: float) -> Found:
        if seconds < inf:
            self._program.SetTimeLimit(max(1, int(1000 * seconds)))
        status = _interruptible(self._program.Solve, self._program.InterruptSolve)
        bound = float(self._program.Objective().BestBound())
        if status == self._api.INFEASIBLE:
            return Found(INFEASIBLE)
        if status not in (self._api.OPTIMAL, self._api.FEASIBLE):
            return Found(LIMIT, None, bound)
        values = [round(float(variable.solution_value()), 9) for variable in self._variables]
        return Found(SOLVED if status == self._api.OPTIMAL else LIMIT, values, bound)


class _CpSat:
    optimises = True

    def __init__(self, model: Model) -> None:
        from ortools.sat.python import cp_model

        self._api: Any = cp_model
        self._program: Any = cp_model.CpModel()
        self._variables: list[Any] = [self._program.new_bool_var(v.name) for v in model.variables]
        for row in model.rows:
            self.add(row)
        if model.objective:
            self._program.minimize(self._sum(model.objective))

    def _sum(self, terms: tuple[tuple[int, int], ...]) -> Any:
        chosen = [self._variables[index] for index, _ in terms]
        return self._api.LinearExpr.weighted_sum(chosen, [coefficient for _, coefficient in terms])

    def add(self, row: Row) -> None:
        size = sum(abs(coefficient) for _, coefficient in row.terms)
        low, high = int(max(row.low, -size - 1)), int(min(row.high, size + 1))
        self._program.add_linear_constraint(self._sum(row.terms), low, high)

    def solve(self, seconds: float) -> Found:
        solver: Any = self._api.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.catch_sigint_signal = False
        if seconds < inf:
            solver.parameters.max_time_in_seconds = seconds
        status = _interruptible(lambda: solver.solve(self._program), solver.stop_search)
        if status == self._api.INFEASIBLE:
            return Found(INFEASIBLE)
        if status not in (self._api.OPTIMAL, self._api.FEASIBLE):
            return Found(LIMIT, None, float(solver.best_objective_bound))
        values = [float(solver.value(variable)) for variable in self._variables]
        return Found(SOLVED if status == self._api.OPTIMAL else LIMIT, values, float(solver.best_objective_bound))


class _Sat:
    optimises = False

    def __init__(self, model: Model) -> None:
        from pysat.solvers import Glucose4

        self._size = len(model.variables)
        self._clauses = Clauses(self._size)
        self._solver: Any = Glucose4()
        for row in model.rows:
            self.add(row)

    def add(self, row: Row) -> None:
        for clause in self._clauses.of(row):
            self._solver.add_clause(clause)

    def solve(self, seconds: float) -> Found:
        if self._clauses.contradiction:
            return Found(INFEASIBLE)
        self._solver.clear_interrupt()
        timer = threading.Timer(seconds, self._solver.interrupt) if seconds < inf else None
        if timer:
            timer.daemon = True
            timer.start()
        try:
            found = _interruptible(lambda: self._solver.solve_limited(expect_interrupt=True), self._solver.interrupt)
        finally:
            if timer:
                timer.cancel()
        if found is None:
            return Found(LIMIT)
        if not found:
            return Found(INFEASIBLE)
        model = self._solver.get_model()
        true = {literal for literal in model if literal > 0}
        return Found(SOLVED, [1.0 if index + 1 in true else 0.0 for index in range(self._size)])


_ENGINES: dict[str, tuple[str, Callable[[Model], Engine]]] = {
    "scipy": ("scipy", _Scipy),
    "scip": ("ortools", _Scip),
    "cp-sat": ("ortools", _CpSat),
    "sat": ("pysat", _Sat),
}
ENGINES = tuple(_ENGINES)
_CONTINUOUS = ("scipy", "scip")
"""The engines that can carry continuous variables."""
_IMPORTS = {
    "scip": ("ortools.linear_solver.pywraplp",),
    "scipy": ("scipy.optimize", "scipy.sparse"),
    "cp-sat": ("ortools.sat.python.cp_model",),
    "sat": ("pysat.solvers",),
}


def _interruptible(call: Callable[[], T], stop: Callable[[], None] | None = None) -> T:
    """Call a solver in a thread of its own, because it would not react to Ctrl-C until it is done."""
    answers: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(call())
        except BaseException as error:  # handed to the caller's thread
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_LOOK)
    except KeyboardInterrupt:
        if stop:
            stop()
            thread.join()
        raise
    if errors:
        raise errors[0]
    return answers[0]
