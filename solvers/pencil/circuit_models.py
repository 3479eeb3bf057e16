"""The integer programs of the Circuit Board game (chapter 5): spanning tree, network flow, shortest path."""

from __future__ import annotations

from collections import deque
from math import inf

from puzzles.pencil import Circuit
from puzzles.pencil.circuit import Edge, neighbours
from puzzles.pencil.rules import Cell, at
from solvers.pencil.graphs import components, cycle
from solvers.programs.model import Model, Row, Values, ones

_TREE = [
    ("5.1a", "minimise sum_e x_e"),
    ("5.1b", "x_e = 1,  for all e in H"),
    ("5.1c", "sum_(e: i in e) x_e = 1 + 2 y_i,  for all i in V"),
    ("5.1d", "sum_e x_e = |V| - 1"),
    ("5.1e", "sum_(e = (i, j): i and j in N) x_e <= |N| - 1,  for all N in V, |N| >= 2  (lazy)"),
    ("leaves", "x_e <= y_a + y_b,  for all e = (a, b): two leaves are not joined, if |V| > 2"),
    ("cut", "sum_(e leaves N) x_e >= 1,  for all N in V, N not V  (lazy)"),
    ("5.1f", "x_e in {0, 1},  for all e in E"),
    ("5.1g", "y_i in {0, 1},  for all i in V"),
]
_PRINTED = ("5.1e", "sum_(e = (i, j): i in N) x_e <= |N| - 1,  for all N in V, N not empty  (|N| = 1 at once)")
_PATH = [
    ("5.3a", "minimise sum_e x_e + sum_e p_e"),
    ("5.3f", "p_e <= x_e,  for all e in E"),
    ("5.3g", "sum_(e: u in e) p_e = 1,  for all u in {s, t}"),
    ("5.3h", "sum_(e: i in e) p_e = 2 u_i,  for all i in V without s, t"),
    ("5.3i", "p_e, x_e in {0, 1},  for all e in E"),
    ("5.3j", "u_i, y_i in {0, 1},  for all i in V"),
]
_FLOW = [
    ("5.2a", "minimise sum_(i, j) z_ij"),
    ("5.2b", "sum_j x_ij - sum_j x_ji = S_i,  for all i in V"),
    ("5.2c", "x_ij + x_ji <= M z_ij,  for all (i, j) in E, with M = |V| - 1"),
    ("5.2d", "x_ij + x_ji >= z_ij,  for all (i, j) in E"),
    ("5.2e", "sum_(e: i in e) z_e = 1 + 2 y_i,  for all i in V"),
    ("5.2f", "z_ij = 1,  for all (i, j) in H"),
    ("edges", "sum_(i, j) z_ij = |V| - 1"),
    ("5.2g", "x_ij >= 0,  for all (i, j) in A"),
    ("5.2h", "z_ij in {0, 1},  for all (i, j) in E"),
    ("5.2i", "y_i in {0, 1},  for all i in V"),
]
_PRINTED_FLOW = {
    "5.2c": "x_ij + x_ji <= M z_ij,  for all (i, j) in E, with M = 99",
    "5.2d": "M (x_ij + x_ji) >= z_ij,  for all (i, j) in E",
}
PRINTED_M = 99


def cm1(puzzle: Circuit, as_printed: bool = False) -> Model:
    """Return CM1 (5.1), the spanning tree; the subtour eliminations (5.1e) are found as they are violated.

    Args:
        puzzle: The board.
        as_printed: Whether (5.1e) sums over edges with one end in N, as printed. Then N = {i} leaves no solution.
    """
    formulas = [_PRINTED if as_printed and number == "5.1e" else (number, text) for number, text in _TREE]
    return _tree(puzzle, Model("cm1", formulas), "5.1", as_printed)


def cm3(puzzle: Circuit) -> Model:
    """Return CM3 (5.3): CM1, and the path between the two ends, whose length is minimised as well."""
    shared = [(f"5.3{number[3:]}" if number < "5.1f" else number, text) for number, text in _TREE if number < "5.1f"]
    rest = [(number, text) for number, text in _TREE if number in ("leaves", "cut")]
    model = _tree(puzzle, Model("cm3", [_PATH[0], *shared[1:], *rest, *_PATH[1:]]), "5.3", False)
    edges = puzzle.edges
    x = {edge: k for k, edge in enumerate(edges)}  # the tree's variables come first
    p = {edge: model.binary(f"p_{_name(edge)}") for edge in edges}
    assert puzzle.ends is not None
    near = _incident(puzzle)
    for edge in edges:
        model.at_most("5.3f", [(p[edge], 1), (x[edge], -1)], 0)
    for cell in puzzle.points:
        here = ones(p[edge] for edge in near[cell])
        if cell in puzzle.ends:
            model.equal("5.3g", here, 1)
        else:
            u = model.binary(f"u_{cell[0] + 1},{cell[1] + 1}")
            model.equal("5.3h", [*here, (u, -2)], 0)
    model.objective = (*model.objective, *((p[edge], 1) for edge in edges))
    model.floor += _distance(puzzle)
    return model


def cm2(puzzle: Circuit, as_printed: bool = False) -> Model:
    """Return CM2 (5.2), the network flow.

    Args:
        puzzle: The board.
        as_printed: Whether to leave out that there are |V| - 1 edges, and to use M = 99 and (5.2d) as printed.
    """
    formulas = [(n, _PRINTED_FLOW.get(n, text) if as_printed else text) for n, text in _FLOW]
    model = Model("cm2", [entry for entry in formulas if not (as_printed and entry[0] == "edges")])
    points, edges, near = puzzle.points, puzzle.edges, _incident(puzzle)
    z = {edge: model.binary(f"z_{_name(edge)}") for edge in edges}
    y = {cell: model.binary(f"y_{cell[0] + 1},{cell[1] + 1}") for cell in points}
    big = PRINTED_M if as_printed else len(points) - 1
    supply = len(points) - 1
    x = {way: model.flow(f"x_{_name(way)}", supply) for a, b in edges for way in ((a, b), (b, a))}
    for cell in points:
        others = [b if a == cell else a for a, b in near[cell]]
        out, back = [(x[cell, other], 1) for other in others], [(x[other, cell], -1) for other in others]
        model.equal("5.2b", [*out, *back], supply if cell == points[0] else -1)
        model.equal("5.2e", [*ones(z[edge] for edge in near[cell]), (y[cell], -2)], 1)
    for a, b in edges:
        both = [(x[a, b], 1), (x[b, a], 1)]
        model.at_most("5.2c", [*both, (z[a, b], -big)], 0)
        factor = big if as_printed else 1
        model.row("5.2d", [*((index, factor) for index, _ in both), (z[a, b], -1)], 0)
    for edge in sorted(puzzle.given):
        model.equal("5.2f", [(z[edge], 1)], 1, f"the line from {at(edge[0])} to {at(edge[1])}")
    if not as_printed:
        model.equal("edges", ones(z.values()), supply)
        model.floor = supply
    model.objective = tuple(ones(z.values()))
    model.key = list(z.values())
    model.decode = lambda values: frozenset(edge for edge in edges if values[z[edge]] > 0.5)
    return model


def _tree(puzzle: Circuit, model: Model, chapter: str, as_printed: bool) -> Model:
    """Add the spanning tree to a model; its equations have the numbers of CM1 or of CM3."""
    points, edges, near = puzzle.points, puzzle.edges, _incident(puzzle)
    x = {edge: model.binary(f"x_{_name(edge)}") for edge in edges}
    y = {cell: model.binary(f"y_{cell[0] + 1},{cell[1] + 1}") for cell in points}
    for edge in sorted(puzzle.given):
        model.equal(f"{chapter}b", [(x[edge], 1)], 1, f"the line from {at(edge[0])} to {at(edge[1])}")
    for cell in points:
        model.equal(f"{chapter}c", [*ones(x[edge] for edge in near[cell]), (y[cell], -2)], 1)
    model.equal(f"{chapter}d", ones(x.values()), len(points) - 1)
    if as_printed:
        for cell in points:
            model.at_most(f"{chapter}e", ones(x[edge] for edge in edges if edge[0] == cell), 0)
    for i, j in points:
        square = [
            ((i, j), (i, j + 1)),
            ((i, j), (i + 1, j)),
            ((i, j + 1), (i + 1, j + 1)),
            ((i + 1, j), (i + 1, j + 1)),
        ]
        if all(edge in x for edge in square):
            model.at_most(f"{chapter}e", ones(x[edge] for edge in square), 3)
    if len(points) > 2:
        for a, b in edges:
            model.at_most("leaves", [(x[a, b], 1), (y[a], -1), (y[b], -1)], 0)
    model.objective, model.floor = tuple(ones(x.values())), len(points) - 1
    model.key = list(x.values())

    def separate(values: Values) -> list[Row]:
        chosen = [edge for edge in edges if values[x[edge]] > 0.5]
        parts = components(points, chosen)
        rows = []
        for part in parts if len(parts) > 1 else []:
            leaving = ones(x[a, b] for a, b in edges if (a in part) != (b in part))
            rows.append(Row("cut", tuple(leaving), 1, inf))
            around = cycle(part, [edge for edge in chosen if edge[0] in part])
            if around:
                inside = ones(x[a, b] for a, b in edges if a in around and b in around)
                rows.append(Row(f"{chapter}e", tuple(inside), -inf, len(around) - 1))
        return rows

    model.separate = separate
    model.decode = lambda values: frozenset(edge for edge in edges if values[x[edge]] > 0.5)
    return model


def _incident(puzzle: Circuit) -> dict[Cell, list[Edge]]:
    near: dict[Cell, list[Edge]] = {cell: [] for cell in puzzle.points}
    for edge in puzzle.edges:
        near[edge[0]].append(edge)
        near[edge[1]].append(edge)
    return near


def _distance(puzzle: Circuit) -> int:
    """Return the length of a shortest path between the two ends if no other rule mattered; 0 if there is none."""
    assert puzzle.ends is not None
    joined, steps, queue = neighbours(puzzle.edges), {puzzle.ends[0]: 0}, deque([puzzle.ends[0]])
    while queue:
        cell = queue.popleft()
        for near in joined.get(cell, []):
            if near not in steps:
                steps[near] = steps[cell] + 1
                queue.append(near)
    return steps.get(puzzle.ends[1], 0)


def _name(edge: Edge) -> str:
    (i, j), (k, m) = edge
    return f"{i + 1},{j + 1}-{k + 1},{m + 1}"
