"""Generators of circuit boards and Hashi puzzles whose solution is proved to be unique."""

from __future__ import annotations

from math import inf

import numpy as np

from puzzles.pencil import Bridge, Circuit, Hashi, Island
from puzzles.pencil.circuit import Edge, edge_of
from puzzles.pencil.rules import Cell
from solvers.errors import SolverError
from solvers.pencil.circuit_models import cm1
from solvers.pencil.hashi_models import hashi_cuts
from solvers.pencil.search import Search
from solvers.pencil.solving import usual_engine
from solvers.programs.model import Row

_TREES = 40  # of which the one that covers most cells is taken
_REPAIRS = 400  # changes of bridges before another start
_STARTS = 20
_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def circuit(rng: np.random.Generator, side: int, given: int = 0, path: bool = False) -> Circuit:
    """Return a circuit board with a unique solution.

    Lines of the solution are given where another solution differs, until there is none.

    Args:
        rng: The source of randomness.
        side: The number of rows and columns.
        given: The least number of given lines.
        path: Whether to mark two points whose connection must be short; the solution is unique without that.
    """
    lines = max((tree(rng, side) for _ in range(_TREES)), key=len)
    points = {cell for edge in lines for cell in edge}
    black = frozenset((i, j) for i in range(side) for j in range(side) if (i, j) not in points)
    board = Circuit((side, side), black)
    model = cm1(board)
    index = dict(zip(board.edges, model.key, strict=True))
    search = Search(model, usual_engine(board, model))
    search.add(Row("another", tuple((index[edge], 1) for edge in sorted(lines)), -inf, len(lines) - 1))
    shown = {sorted(lines)[k] for k in rng.permutation(len(lines))[:given]}
    for edge in sorted(shown):
        search.add(Row("given", ((index[edge], 1),), 1, 1))
    while (values := search.feasible()) is not None:
        missing = [edge for edge in sorted(lines) if values[index[edge]] < 0.5]
        edge = missing[int(rng.integers(len(missing)))]
        shown.add(edge)
        search.add(Row("given", ((index[edge], 1),), 1, 1))
    ends = None
    if path:
        chosen = rng.permutation(len(points))[:2]
        ends = (sorted(points)[chosen[0]], sorted(points)[chosen[1]])
    return Circuit((side, side), black, frozenset(shown), ends)


def tree(rng: np.random.Generator, side: int) -> set[Edge]:
    """Return a random tree in which every point has one or three lines: leaves get two more leaves."""
    start = (int(rng.integers(side)), int(rng.integers(side)))

    def near(cell: Cell) -> list[Cell]:
        places = [(cell[0] + a, cell[1] + b) for a, b in _STEPS]
        return [(r, c) for r, c in places if 0 <= r < side and 0 <= c < side]

    second = near(start)[int(rng.integers(len(near(start))))]
    points, edges, leaves = {start, second}, {edge_of(start, second)}, [start, second]
    while leaves:
        leaf = leaves.pop(int(rng.integers(len(leaves))))
        free = [cell for cell in near(leaf) if cell not in points]
        if len(free) < 2:
            continue
        for k in rng.permutation(len(free))[:2].tolist():
            points.add(free[k])
            edges.add(edge_of(leaf, free[k]))
            leaves.append(free[k])
    return edges


def hashi(rng: np.random.Generator, side: int, islands: int) -> Hashi:
    """Return a Hashi puzzle with a unique solution, in which no islands touch.

    Bridges of the solution are changed where another solution differs, until there is none.

    Args:
        rng: The source of randomness.
        side: The number of rows and columns.
        islands: The number of islands.

    Raises:
        SolverError: So many islands do not fit, or no unique puzzle was found.
    """
    if islands < 2 or side < 2:
        raise SolverError(f"a Hashi puzzle needs at least 2 islands and 2 rows; found {islands} and {side}")
    most = (side * side + 1) // 2
    if islands > most:
        raise SolverError(f"at most {most} islands that do not touch fit on a {side}x{side} grid; found {islands}")
    for _ in range(_STARTS):
        places, bridges = _grown(rng, side, islands)
        if len(places) < islands:
            continue
        puzzle = _repaired(rng, side, places, bridges)
        if puzzle is not None:
            return puzzle
    raise SolverError(f"no unique puzzle with {islands} islands on a {side}x{side} grid was found from this seed")


def _repaired(
    rng: np.random.Generator, side: int, places: list[Cell], bridges: dict[tuple[int, int], int]
) -> Hashi | None:
    """Change single and double bridges until the solution is unique; None if that takes too many changes."""
    for _ in range(_REPAIRS):
        labels = [sum(n for pair, n in bridges.items() if a in pair) for a in range(len(places))]
        puzzle = Hashi((side, side), tuple(Island(*place, label) for place, label in zip(places, labels, strict=True)))
        target = {Bridge(a, b, n) for (a, b), n in bridges.items()}
        other = _other(puzzle, target)
        if other is None:
            return puzzle
        wrong = {(a, b): n for a, b, n in other}
        pairs = sorted(pair for pair in {*bridges, *wrong} if bridges.get(pair, 0) != wrong.get(pair, 0))
        pair = pairs[int(rng.integers(len(pairs)))]
        if pair in bridges:
            bridges[pair] = 3 - bridges[pair]
        elif not _crosses(puzzle, pair, bridges):
            bridges[pair] = int(rng.integers(1, 3))
    return None


def _other(puzzle: Hashi, target: set[Bridge]) -> set[Bridge] | None:
    model = hashi_cuts(puzzle)
    for values in Search(model, usual_engine(puzzle, model)).solutions():
        found = set(model.decode(values))
        if found != target:
            return found
    return None


def _crosses(puzzle: Hashi, pair: tuple[int, int], bridges: dict[tuple[int, int], int]) -> bool:
    built = {q for q, other in enumerate(puzzle.possible) if other in bridges}
    new = puzzle.possible.index(pair)
    return any(new in crossing and set(crossing) & built for crossing in puzzle.crossings)


def _grown(rng: np.random.Generator, side: int, islands: int) -> tuple[list[Cell], dict[tuple[int, int], int]]:
    """Return islands, row by row, and bridges between them that grew from the first one."""
    taken: dict[Cell, int] = {}  # the number of an island, or -1 under a bridge
    places = [(int(rng.integers(side)), int(rng.integers(side)))]
    taken[places[0]] = 0
    bridges: dict[tuple[int, int], int] = {}
    for _ in range(200 * islands):
        if len(places) == islands:
            break
        index, (dr, dc) = int(rng.integers(len(places))), _STEPS[int(rng.integers(4))]
        length = int(rng.integers(2, max(3, side // 3) + 1))
        cells = [(places[index][0] + k * dr, places[index][1] + k * dc) for k in range(1, length + 1)]
        if any(cell in taken or not (0 <= cell[0] < side and 0 <= cell[1] < side) for cell in cells):
            continue
        end = cells[-1]
        if any(taken.get((end[0] + a, end[1] + b), -1) >= 0 for a, b in _STEPS):
            continue
        taken.update(dict.fromkeys(cells, -1))
        taken[end] = len(places)
        bridges[index, len(places)] = int(rng.integers(1, 3))
        places.append(end)
    order = {old: new for new, old in enumerate(sorted(range(len(places)), key=places.__getitem__))}
    renumbered = {(min(order[a], order[b]), max(order[a], order[b])): n for (a, b), n in bridges.items()}
    return sorted(places), renumbered
