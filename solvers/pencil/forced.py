"""What is the same in every solution of a puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from puzzles.pencil import Battleship, Circuit, Hashi, PencilPuzzle, Sudoku, Zebra
from puzzles.pencil.battleship import UNKNOWN
from solvers.errors import SolverError
from solvers.pencil.search import Search
from solvers.pencil.solving import make_model, usual_engine
from solvers.programs.engines import INFEASIBLE, load
from solvers.programs.model import Row


def forced(puzzle: PencilPuzzle, *, engine: str | None = None, seconds: float = inf) -> Any:
    """Return the part of the solution that all solutions have in common.

    A row asks for a solution in which something of this part is different; every one that is found makes the part
    smaller, and the proof that there is none ends the search.

    Args:
        puzzle: The puzzle.
        engine: The name of an engine; the fastest one by default.
        seconds: Limit of time.

    Returns:
        A solution with gaps: 0 in the cells of a Sudoku that are not forced, `UNKNOWN` in those of Battleship, only
        the forced lines of a circuit board and bridges of Hashi, and "" in the houses of a Zebra puzzle.

    Raises:
        SolverError: The puzzle has no solution, or the time is over.
    """
    model = make_model(puzzle, {"sudoku": "ip", "battleship": "cbm"}.get(puzzle.kind))
    chosen = engine or usual_engine(puzzle, model)
    load(chosen)
    search = Search(model, chosen, seconds)
    values = next(search.solutions(), None)
    if values is None:
        what = "the puzzle has no solution" if search.status == INFEASIBLE else "the time was over before a solution"
        raise SolverError(f"{what}; nothing can be said about its solutions")
    if model.objective:  # among solutions that are as good
        search.add(Row("best", model.objective, -inf, search.value(values)))
    common = {index for index in model.key if values[index] > 0.5}
    while (other := _different(search, common)) is not None:
        common = {index for index in common if other[index] > 0.5}
    if search.status != INFEASIBLE:
        raise SolverError("the time was over before all forced parts were known")
    return _with_gaps(puzzle, model.decode(values), [index in common for index in model.key])


def _different(search: Search, common: set[int]) -> Sequence[float] | None:
    if not common:
        search.status = INFEASIBLE
        return None
    search.add(Row("different", tuple((index, 1) for index in sorted(common)), -inf, len(common) - 1))
    return search.feasible()


def _with_gaps(puzzle: PencilPuzzle, solution: Any, fixed: list[bool]) -> Any:
    """Return the forced part of a solution; `fixed` belongs to the key variables of the model, in their order."""
    match puzzle:
        case Sudoku():
            side = puzzle.side
            cells = [
                [n if fixed[(i * side + j) * side + n - 1] else 0 for j, n in enumerate(r)]
                for i, r in enumerate(solution)
            ]
            return tuple(map(tuple, cells))
        case Battleship():
            cols = puzzle.shape[1]
            cells = [
                [k if fixed[(i * cols + j) * 7 + k] else UNKNOWN for j, k in enumerate(r)]
                for i, r in enumerate(solution)
            ]
            return tuple(map(tuple, cells))
        case Circuit():
            return frozenset(edge for edge, known in zip(puzzle.edges, fixed, strict=True) if known)
        case Hashi():
            number = {pair: q for q, pair in enumerate(puzzle.possible)}
            return tuple(bridge for bridge in solution if fixed[3 * number[bridge.a, bridge.b] + bridge.n])
        case Zebra():
            houses, start, rows = puzzle.houses, 0, []
            for attribute, row in zip(puzzle.attributes, solution, strict=True):
                place = {word: start + k * houses for k, word in enumerate(attribute.properties)}
                rows.append(tuple(word if fixed[place[word] + i] else "" for i, word in enumerate(row)))
                start += houses * houses
            return tuple(rows)
