"""All solutions by libraries, as a check of the engines on small boards: SAT, and OR-tools' CP-SAT.

Both are given the same model, which shares nothing with the engines' filtering. There is a Boolean for each cell, class
of identical tiles and rotation that looks different, and one for each inner edge and colour. A cell has exactly one
tile, an edge exactly one colour; a tile implies the colours of its edges, and a colour of an edge some tile on either
side that shows it; and a class is used at most as often as it has tiles. So a solution of the model is a coloured
board.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import EMPTY, Hint, Puzzle
from solvers.errors import SolverError
from solvers.exact.coloured_tiles import ColouredTiles


class _Model(NamedTuple):
    """Booleans are numbered from 1; a clause is a list of them, negative if negated."""

    lies: list[dict[int, int]]
    """Per cell, the Boolean of each oriented tile, one tile for each class."""
    exactly_one: list[list[int]]
    clauses: list[list[int]]
    at_most: list[tuple[list[int], int]]
    """Of these Booleans, at most so many are true."""
    size: int
    """How many Booleans there are."""


def sat_solutions(puzzle: Puzzle, pins: Iterable[Hint] = (), limit: int = 0) -> list[NDArray[np.uint16]]:
    """Return all solutions of a puzzle, found by the SAT solver CaDiCaL.

    They are flat arrays of cells, labelled like those of the engines. Each solution is excluded by a clause before the
    solver looks for the next one.

    Args:
        puzzle: The puzzle.
        pins: Hints to keep in place.
        limit: The number of solutions after which the search ends; 0 means all.

    Raises:
        SolverError: python-sat is not installed.
    """
    try:
        from pysat.card import CardEnc, EncType
        from pysat.solvers import Solver
    except ImportError:
        raise SolverError("SAT needs python-sat: pip install 'evo-edge-matching[exact]'") from None
    tiles = ColouredTiles(puzzle, pins)
    model = _model(tiles)
    found: list[NDArray[np.uint16]] = []
    top = model.size
    with Solver(name="cadical153") as solver:
        for clause in model.clauses + model.exactly_one:
            solver.add_clause(clause)
        groups = model.at_most + [(group, 1) for group in model.exactly_one]
        for group, most in groups:
            encoded = CardEnc.atmost(lits=group, bound=most, top_id=top, encoding=EncType.seqcounter)
            top = max(top, encoded.nv)
            for clause in encoded.clauses:
                solver.add_clause(clause)
        while (not limit or len(found) < limit) and _possible(model) and solver.solve():
            true = set(solver.get_model())
            found.append(_board(tiles, model, true))
            solver.add_clause([-lie for cell in model.lies for lie in cell.values() if lie in true])
    return found


def cp_sat_solutions(puzzle: Puzzle, pins: Iterable[Hint] = (), limit: int = 0) -> list[NDArray[np.uint16]]:
    """Return all solutions of a puzzle, found by OR-tools' CP-SAT; otherwise like `sat_solutions`.

    Raises:
        SolverError: OR-tools is not installed.
    """
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise SolverError("CP-SAT needs OR-tools: pip install 'evo-edge-matching[exact]'") from None
    tiles = ColouredTiles(puzzle, pins)
    model, made = _model(tiles), cp_model.CpModel()
    if not _possible(model):
        return []
    variables = [made.new_bool_var("") for _ in range(model.size)]

    def literals(clause: list[int]) -> list[Any]:
        return [variables[one - 1] if one > 0 else ~variables[-one - 1] for one in clause]

    for clause in model.clauses:
        made.add_bool_or(literals(clause))
    for group in model.exactly_one:
        made.add_exactly_one(literals(group))
    for group, most in model.at_most:
        made.add(sum(literals(group)) <= most)

    class Collector(cp_model.CpSolverSolutionCallback):
        """Keeps every solution."""

        def __init__(self) -> None:
            super().__init__()
            self.found: list[NDArray[np.uint16]] = []

        def on_solution_callback(self) -> None:
            """Keep a solution; stop if it was the last one wanted."""
            lies = [lie for cell in model.lies for lie in cell.values()]
            self.found.append(_board(tiles, model, {lie for lie in lies if self.boolean_value(variables[lie - 1])}))
            if limit and len(self.found) == limit:
                self.stop_search()

    solver, collector = cp_model.CpSolver(), Collector()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1  # as many workers cannot enumerate
    solver.solve(made, collector)
    return collector.found


def _model(tiles: ColouredTiles) -> _Model:
    """Return the model of a puzzle."""
    puzzle, number = tiles.puzzle, iter(range(1, 1 << 62))
    every = [
        [value for value in tiles.values(cell) if tiles.classes[value >> 2] == value >> 2] for cell in _cells(tiles)
    ]
    lies = [{value: next(number) for value in values} for values in every]
    exactly_one, clauses = [list(cell.values()) for cell in lies], []
    for cell in _cells(tiles):
        for side in (1, 2):
            near = int(tiles.near[cell, side])
            if near < 0:
                continue
            here, there = (_by_colour(puzzle, lies[at], s) for at, s in ((cell, side), (near, side + 2 & 3)))
            colours = {colour: next(number) for colour in sorted(here.keys() | there.keys())}
            exactly_one.append(list(colours.values()))
            for colour, shown in colours.items():
                for showing in (here.get(colour, []), there.get(colour, [])):
                    clauses.append([-shown, *showing])
                    clauses += [[-lie, shown] for lie in showing]
    used: dict[int, list[int]] = {}
    for values in lies:
        for value, lie in values.items():
            used.setdefault(value >> 2, []).append(lie)
    copies = np.bincount(tiles.classes, minlength=puzzle.size)
    at_most = [(group, int(copies[kind])) for kind, group in used.items()]
    return _Model(lies, exactly_one, clauses, at_most, next(number) - 1)


def _cells(tiles: ColouredTiles) -> range:
    return range(tiles.puzzle.size)


def _by_colour(puzzle: Puzzle, lies: dict[int, int], side: int) -> dict[int, list[int]]:
    """Return the Booleans of the tiles that show each colour on a side."""
    found: dict[int, list[int]] = {}
    for value, lie in lies.items():
        found.setdefault(int(puzzle.sides[side, value]), []).append(lie)
    return found


def _possible(model: _Model) -> bool:
    """Return whether every cell has some tile; otherwise there is an empty clause."""
    return all(model.exactly_one)


def _board(tiles: ColouredTiles, model: _Model, true: set[int]) -> NDArray[np.uint16]:
    """Return the board of a solution of the model, in its standard labelling."""
    cells = np.full(len(model.lies), EMPTY, dtype=np.uint16)
    for cell, values in enumerate(model.lies):
        cells[cell] = next(value for value, lie in values.items() if lie in true)
    return tiles.labelled(cells)
