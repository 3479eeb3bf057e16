"""Solving a model with an engine: cuts as they are violated, the optimum, one solution after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil, inf, isfinite
from time import perf_counter

from solvers.programs.engines import LIMIT, SOLVED, make_engine
from solvers.programs.model import Model, Row, Values, another

_TOLERANCE = 1e-6


class Search:
    """Finds solutions of a model.

    Args:
        model: The model.
        engine: The name of an engine.
        seconds: Limit of time for everything that is asked of this search.
    """

    def __init__(self, model: Model, engine: str, seconds: float = inf) -> None:
        self._model, self._name = model, engine
        self._engine = make_engine(engine, model)
        self._cuts: list[Row] = []
        self._deadline = perf_counter() + seconds
        self.status = ""
        """How the last call ended: "solved", "infeasible" or "limit"."""
        self.bound = model.floor
        """The best lower bound of the objective that is proved."""
        self.rounds = 0
        """How often the engine was called."""

    @property
    def cuts(self) -> int:
        """The number of rows that were added because a solution violated them."""
        return len(self._cuts)

    def add(self, row: Row) -> None:
        """Add a row to the model."""
        self._engine.add(row)

    def feasible(self) -> Values | None:
        """Return a solution that satisfies all rows, those that are not written down included; or None.

        An engine that optimises returns an optimal one.
        """
        while True:
            left = self._deadline - perf_counter()
            if left <= 0:
                self.status = LIMIT
                return None
            self.rounds += 1
            found = self._engine.solve(left)
            self.status = found.status
            if self._model.objective and isfinite(found.bound):
                self.bound = max(self.bound, ceil(found.bound - _TOLERANCE))  # the objective is an integer
            if found.values is None:
                return None
            violated = self._model.separate(found.values) if self._model.separate else []
            if not violated:
                return found.values
            if found.status == LIMIT:
                return None
            for row in violated:
                self._engine.add(row)
            self._cuts += violated

    def optimum(self) -> Values | None:
        """Return a solution with the smallest objective; at the time limit the best one so far, or None."""
        best = None
        while True:
            values = self.feasible()
            if values is None:
                if best is not None and self.status != LIMIT:
                    self.status = SOLVED
                    self.bound = self.value(best)
                return best
            best = values
            if self._engine.optimises or self.value(best) <= self._model.floor or not self._model.objective:
                return best
            self.add(Row("better", self._model.objective, -inf, self.value(best) - 1))

    def value(self, values: Values) -> float:
        """Return the objective at a point."""
        return sum(coefficient * values[index] for index, coefficient in self._model.objective)

    def solutions(self) -> Iterator[Values]:
        """Yield all solutions with the smallest objective, each once; afterwards `status` tells why no more came."""
        values = self.optimum()
        if values is None:
            return
        yield values
        if self.status == LIMIT:
            return
        search: Search = self
        if self._model.objective and self.value(values) > self._model.floor:
            search = self._among_the_best(self.value(values))
        while True:
            search.add(another(self._model, values))
            found = search.feasible()
            self.status = search.status
            if found is None:
                return
            values = found
            yield values

    def _among_the_best(self, value: float) -> Search:
        """Return a search for solutions whose objective has a value, with all cuts so far."""
        rows = [*self._model.rows, *self._cuts, Row("best", self._model.objective, -inf, value)]
        model = replace(self._model, rows=rows, objective=(), floor=-inf)
        return Search(model, self._name, self._deadline - perf_counter())


def relaxation(model: Model) -> float:
    """Return the optimum of the linear relaxation (Table A.3): all variables continuous; infinite if infeasible."""
    continuous = [variable._replace(integer=False) for variable in model.variables]
    values = make_engine("scipy", replace(model, variables=continuous)).solve(inf).values
    return inf if values is None else sum(coefficient * values[index] for index, coefficient in model.objective)
