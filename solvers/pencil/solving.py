"""Solving any pencil puzzle: the model and the engine are chosen, every solution is checked, uniqueness is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import inf
from time import perf_counter
from typing import Any

import numpy as np

from puzzles.pencil import PencilPuzzle, Sudoku, check, svg
from solvers.errors import SolverError
from solvers.pencil import sudoku_bands, sudoku_search
from solvers.pencil.battleship_models import cbm, gbm
from solvers.pencil.circuit_models import cm1, cm2, cm3
from solvers.pencil.hashi_models import hashi_cuts, hashi_flow, hashi_hdc
from solvers.pencil.search import Search
from solvers.pencil.sudoku_models import sudoku_ip
from solvers.pencil.zebra_models import zebra_ip
from solvers.programs.engines import INFEASIBLE, LIMIT, SOLVED, available, load
from solvers.programs.model import Model

COMPILED = "compiled"
"""The engine of the model "search": the compiled exact Sudoku solver, which needs no integer program."""
MODELS: dict[str, dict[str, Callable[..., Model] | None]] = {
    "sudoku": {"search": None, "ip": sudoku_ip},
    "battleship": {"gbm": gbm, "cbm": cbm},
    "circuit": {"cm1": cm1, "cm2": cm2, "cm3": cm3},
    "hashi": {"cuts": hashi_cuts, "flow": hashi_flow, "hdc": hashi_hdc},
    "zebra": {"ip": zebra_ip},
}
"""The models of each kind of puzzle by name; the first one is the usual one (for a circuit with two ends, cm3)."""
_ALL, _ENOUGH, _TIME, _INTERRUPT = "all", "enough", "time", "interrupt"  # why a search for solutions ended
_PRINTED = (gbm, cbm, cm1, cm2, hashi_flow, hashi_hdc)
_PREFERRED = {"battleship": ("cp-sat", "scipy"), "circuit": ("sat", "cp-sat", "scipy"), "hashi": ("sat", "scipy")}


@dataclass(frozen=True)
class Answer:
    """What is known of a puzzle after solving.

    Attributes:
        puzzle: The puzzle.
        status: "solved", "infeasible" (proved) or "limit" (the time is over, or Ctrl-C, and there is no solution yet).
        solutions: The solutions that were found, all different, each of them checked.
        complete: Whether it is proved that there are no others.
        model: The name of the model.
        engine: The name of the engine.
        seconds: Wall-clock time, building the model included, loading code not.
        bound: A proved lower bound of the objective, where there is one: edges, or edges and path.
        objective: The objective of the solutions, where there is one.
        interrupted: Whether Ctrl-C ended the search.
    """

    puzzle: PencilPuzzle
    status: str
    solutions: tuple[Any, ...]
    complete: bool
    model: str
    engine: str
    seconds: float
    bound: float | None = None
    objective: float | None = None
    interrupted: bool = False

    @property
    def solution(self) -> Any:
        """The first solution, or None."""
        return self.solutions[0] if self.solutions else None

    @property
    def unique(self) -> bool | None:
        """Whether there is exactly one solution; None if that is not known."""
        if len(self.solutions) > 1:
            return False
        return True if self.complete and self.solutions else None

    def _repr_html_(self) -> str:
        return svg(self.puzzle, self.solution)


def solve(
    puzzle: PencilPuzzle,
    *,
    model: str | None = None,
    engine: str | None = None,
    solutions: int = 2,
    seconds: float = inf,
    as_printed: bool = False,
) -> Answer:
    """Solve a pencil puzzle.

    Args:
        puzzle: The puzzle.
        model: One of `MODELS[puzzle.kind]`; the fastest one by default.
        engine: "scipy", "scip", "cp-sat" or "sat"; the fastest one that is installed by default.
        solutions: How many solutions to look for; 2 tells whether the solution is unique.
        seconds: Limit of time.
        as_printed: Whether to use the paper's equations with their errors.

    Raises:
        SolverError: An argument is unknown, an engine is not installed or cannot carry the model, or a printed model
            accepts something that is no solution.
    """
    if solutions < 1:
        raise SolverError(f"the number of solutions must be at least 1; found {solutions}")
    name = model or usual_model(puzzle)
    build = _builder(puzzle, name)
    if build is None:
        if engine not in (None, COMPILED) or as_printed:
            raise SolverError(
                "the model search is compiled code, and has no engines and no printed form; use the model ip"
            )
        _warm(getattr(puzzle, "box", None) == (3, 3))
        start = perf_counter()
        found, end = _collect(_compiled(puzzle, solutions), solutions, start + seconds)
        status = SOLVED if found else INFEASIBLE if end == _ALL else LIMIT
        taken = perf_counter() - start
        return Answer(puzzle, status, found, end == _ALL, name, COMPILED, taken, interrupted=end == _INTERRUPT)
    start = perf_counter()
    made = make_model(puzzle, name, as_printed)
    chosen = engine or usual_engine(puzzle, made)
    paused = perf_counter()
    load(chosen)
    start += perf_counter() - paused
    search = Search(made, chosen, seconds)
    values: list[Any] = []

    def decoded() -> Iterator[Any]:
        for point in search.solutions():
            solution = made.decode(point)
            if search.status == LIMIT and as_printed and check(puzzle, solution) is not None:
                return  # some printed models have only solutions that are right if they are optimal, too
            values.append(point)
            yield _checked(puzzle, solution, as_printed)

    found, end = _collect(decoded(), solutions, inf)
    complete = end == _ALL and search.status == INFEASIBLE
    status = SOLVED if found else INFEASIBLE if complete else LIMIT
    objective = search.value(values[0]) if made.objective and values else None
    bound = search.bound if made.objective and search.bound > -inf else None
    taken = perf_counter() - start
    return Answer(puzzle, status, found, complete, name, chosen, taken, bound, objective, end == _INTERRUPT)


def make_model(puzzle: PencilPuzzle, name: str | None = None, as_printed: bool = False) -> Model:
    """Return an integer program of a puzzle.

    Args:
        puzzle: The puzzle.
        name: One of `MODELS[puzzle.kind]` that is an integer program; the usual one by default.
        as_printed: Whether to use the paper's equations with their errors, where the model has any.

    Raises:
        SolverError: There is no such model, or no printed form that differs.
    """
    wanted = name or usual_model(puzzle)
    build = _builder(puzzle, "ip" if name is None and wanted == "search" else wanted)
    if build is None:
        raise SolverError(f"{wanted} is not an integer program; expected ip")
    if not as_printed:
        return build(puzzle)
    if build not in _PRINTED:
        raise SolverError(f"the model {wanted} of {puzzle.kind} has no printed form of its own that could be solved")
    return build(puzzle, as_printed=True)


def usual_model(puzzle: PencilPuzzle) -> str:
    """Return the name of the model that is used unless another one is asked for."""
    if getattr(puzzle, "ends", None) is not None:
        return "cm3"
    return next(iter(MODELS[puzzle.kind]))


def usual_engine(puzzle: PencilPuzzle, model: Model) -> str:
    """Return the fastest installed engine that can carry a model."""
    installed = available()
    if not model.binary_only:
        return "scipy"
    return next(name for name in _PREFERRED.get(puzzle.kind, ("scipy",)) if name in installed)


def _builder(puzzle: PencilPuzzle, name: str) -> Callable[..., Model] | None:
    known = MODELS[puzzle.kind]
    if name not in known:
        raise SolverError(f"unknown model {name!r} of {puzzle.kind}; expected one of {', '.join(known)}")
    if name == "cm3" and getattr(puzzle, "ends", None) is None:
        raise SolverError("the model cm3 needs a board with two ends, S and T")
    if puzzle.kind == "circuit" and name != "cm3" and getattr(puzzle, "ends", None) is not None:
        raise SolverError(f"the model {name} does not know of the path between two ends; use cm3")
    return known[name]


@cache
def _warm(bands: bool) -> None:
    """Load the compiled code, once in a process."""
    if bands:
        sudoku_bands.solve_lines(np.zeros((0, 81), dtype=np.uint8))
    else:
        next(sudoku_search.solutions(Sudoku(((0,) * 4,) * 4, (2, 2))))


def _compiled(puzzle: PencilPuzzle, limit: int) -> Iterator[Any]:
    assert isinstance(puzzle, Sudoku)
    if puzzle.box == (3, 3) and limit <= 1000:
        line = np.array(puzzle.clues, dtype=np.uint8).reshape(1, 81)
        counts, grids = sudoku_bands.solve_lines(line, limit)
        for grid in grids[0, : counts[0]].tolist():
            yield _checked(puzzle, tuple(tuple(grid[9 * i : 9 * i + 9]) for i in range(9)), False)
        return
    for found in sudoku_search.solutions(puzzle):
        yield found if found is None else _checked(puzzle, found, False)


def _collect(found: Iterator[Any], wanted: int, deadline: float) -> tuple[tuple[Any, ...], str]:
    """Return solutions, and why there are no more of them.

    None in the source means that it is still searching.
    """
    kept: list[Any] = []
    try:
        for solution in found:
            if solution is not None:
                kept.append(solution)
                if len(kept) == wanted:
                    return tuple(kept), _ENOUGH
            if perf_counter() > deadline:
                return tuple(kept), _TIME
    except KeyboardInterrupt:
        return tuple(kept), _INTERRUPT
    return tuple(kept), _ALL


def _checked(puzzle: PencilPuzzle, solution: Any, as_printed: bool) -> Any:
    fault = check(puzzle, solution)
    if fault is not None:
        what = "the printed model accepts a wrong solution" if as_printed else "an engine returned a wrong solution"
        raise SolverError(f"{what}: {fault}")
    return solution
