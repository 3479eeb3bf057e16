"""The relaxed instance (`solvers.exact.relaxed_instance`) as a model for OR-tools' CP-SAT, which learns clauses.

There is a Boolean per cell and oriented tile, and one per inner edge and colour. A cell has exactly one tile, an edge
exactly one colour, and a tile at most one cell; for each edge and colour, a tile that shows the colour there is chosen
if and only if the edge has it. A formulation of the last constraint as sums, without edge colours, solved none of the
small test puzzles; table constraints with all-different were about as good as this one.

CP-SAT returns no partial assignment: an instance that is not solved comes back with its pins only.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from operators.lattice import Lattice, make_lattice
from puzzles import DOWN, EMPTY, RIGHT, Hint, Puzzle
from solvers.errors import SolverError
from solvers.exact.relaxed_instance import Outcome, domains, relaxed_mask

DEFAULT_EFFORT = 30.0
_LOOK = 0.1  # seconds between two checks for an interrupt


def cp_sat(
    puzzle: Puzzle,
    rng: np.random.Generator,
    relaxed: ArrayLike = (),
    *,
    effort: float = DEFAULT_EFFORT,
    seconds: float | None = None,
    pins: Iterable[Hint] = (),
) -> Outcome:
    """Solve a relaxed instance with CP-SAT. Without `seconds`, the same seed gives the same outcome.

    Args:
        puzzle: The puzzle to solve.
        rng: Seeds the solver, and shuffles the order of cells and tiles in the model.
        relaxed: The cells to leave empty.
        effort: Limit of work in the solver's deterministic time; a unit is about a second.
        seconds: An additional limit of wall-clock time.
        pins: Hints to keep in place.

    Returns:
        The outcome; a node is one of the solver's branches.

    Raises:
        SolverError: OR-tools is not installed, or a relaxed cell is invalid.
    """
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise SolverError("CP-SAT needs OR-tools: pip install 'evo-edge-matching[exact]'") from None
    lattice, model = make_lattice(puzzle, pins), cp_model.CpModel()
    chosen = _state(model, rng, puzzle, lattice, relaxed_mask(lattice, relaxed))
    solver: Any = cp_model.CpSolver()
    solver.parameters.num_workers = 1  # more than one is not deterministic
    solver.parameters.random_seed = int(rng.integers(1 << 30))
    solver.parameters.max_deterministic_time = effort
    solver.parameters.catch_sigint_signal = False
    if seconds is not None:
        solver.parameters.max_time_in_seconds = seconds
    status = _solve(solver, model)
    if status == cp_model.MODEL_INVALID:
        raise SolverError(f"CP-SAT rejected the model: {model.validate()}")
    cells, solved = lattice.pins.copy(), status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    if solved:
        for cell, values in chosen.items():
            cells[cell] = next(value for value, lies in values.items() if solver.boolean_value(lies))
    placed = int((cells != EMPTY).sum())
    return Outcome(cells, solved, status == cp_model.INFEASIBLE, placed, int(solver.num_branches))


def _state(
    model: Any, rng: np.random.Generator, puzzle: Puzzle, lattice: Lattice, relaxed: NDArray[np.bool_]
) -> dict[int, dict[int, Any]]:
    """Add the variables and constraints to the model; return the Boolean of each cell and oriented tile."""
    possible = domains(puzzle, lattice)
    chosen: dict[int, dict[int, Any]] = {}
    of_tile: list[list[Any]] = [[] for _ in range(puzzle.size)]
    for cell in rng.permutation(np.flatnonzero(~relaxed)).tolist():
        values = rng.permutation(np.flatnonzero(possible[cell])).tolist()
        chosen[cell] = {value: model.new_bool_var("") for value in values}
        model.add_exactly_one(chosen[cell].values())
        for value, lies in chosen[cell].items():
            of_tile[value >> 2].append(lies)
    for places in of_tile:
        model.add_at_most_one(places)
    for cell in chosen:
        for side in (RIGHT, DOWN):
            near = int(lattice.near[cell][side])
            if near in chosen:
                here = _by_colour(puzzle.sides[side], chosen[cell])
                there = _by_colour(puzzle.sides[(side + 2) & 3], chosen[near])
                _match(model, here, there)
    return chosen


def _by_colour(colours: NDArray[np.uint8], values: dict[int, Any]) -> dict[int, list[Any]]:
    """Return the Booleans of the tiles that show each colour."""
    sorted_out: dict[int, list[Any]] = {}
    for value, lies in values.items():
        sorted_out.setdefault(int(colours[value]), []).append(lies)
    return sorted_out


def _match(model: Any, here: dict[int, list[Any]], there: dict[int, list[Any]]) -> None:
    """Constrain the edge between two cells to have one colour, which both show."""
    shown = []
    for colour in sorted(here.keys() | there.keys()):
        shows = model.new_bool_var("")
        shown.append(shows)
        for side in (here, there):
            model.add_exactly_one([*side.get(colour, []), ~shows])
    model.add_exactly_one(shown)


def _solve(solver: Any, model: Any) -> Any:
    """Solve in a separate thread, because the solver would not react to Ctrl-C until it is done."""
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(solver.solve(model)))
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_LOOK)
    except KeyboardInterrupt:
        solver.stop_search()
        thread.join()
        raise
    return answers[0]
