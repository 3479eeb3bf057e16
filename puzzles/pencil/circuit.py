"""The Circuit Board game: a spanning tree of points with one or three lines each (chapter 5 of the paper)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from puzzles.errors import PuzzleError
from puzzles.pencil.rules import Cell, Fault, at

Edge = tuple[Cell, Cell]
"""Two neighbouring points, the upper or left one first."""
MAX_SIDE = 40


@dataclass(frozen=True)
class Circuit:
    """A circuit board.

    Attributes:
        shape: Rows and columns.
        black: The cells without a point.
        given: The lines that are drawn already.
        ends: The two points whose connection must be as short as the rules allow (Circuit 3), or None.
        name: What the board is called; it plays no part in comparisons.
    """

    shape: tuple[int, int]
    black: frozenset[Cell] = frozenset()
    given: frozenset[Edge] = frozenset()
    ends: tuple[Cell, Cell] | None = None
    name: str = field(default="", compare=False)
    kind: ClassVar[str] = "circuit"

    def __post_init__(self) -> None:
        rows, cols = self.shape
        if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
            raise PuzzleError(f"a board of {rows}x{cols} is not within 1x1..{MAX_SIDE}x{MAX_SIDE}")
        object.__setattr__(self, "black", frozenset(self.black))
        object.__setattr__(self, "given", frozenset(edge_of(*edge) for edge in self.given))
        for cell in self.black:
            if not (0 <= cell[0] < rows and 0 <= cell[1] < cols):
                raise PuzzleError(f"{at(cell)}: the black cell is not on the board")
        if len(self.points) % 2 or not self.points:
            raise PuzzleError(
                f"the board has {len(self.points)} points; every point has one or three lines, so only a board with an"
                " even number of points, at least 2, has a solution"
            )
        possible = set(self.edges)
        for edge in self.given:
            if edge not in possible:
                raise PuzzleError(f"{at(edge[0])}: the given line does not join two neighbouring points")
        if self.ends is not None:
            for cell in self.ends:
                if cell not in set(self.points):
                    raise PuzzleError(f"{at(cell)}: an end of the path must be a point")
            if self.ends[0] == self.ends[1]:
                raise PuzzleError("the two ends of the path are the same point")
            object.__setattr__(self, "ends", tuple(sorted(self.ends)))

    @property
    def points(self) -> list[Cell]:
        """The vertices V, row by row."""
        rows, cols = self.shape
        return [(i, j) for i in range(rows) for j in range(cols) if (i, j) not in self.black]

    @property
    def edges(self) -> list[Edge]:
        """The possible edges E: all pairs of neighbouring points."""
        points = set(self.points)
        pairs = [((i, j), near) for i, j in self.points for near in ((i, j + 1), (i + 1, j))]
        return [edge for edge in pairs if edge[1] in points]

    def _repr_html_(self) -> str:
        from puzzles.pencil.pictures import svg

        return svg(self)


def edge_of(one: Cell, other: Cell) -> Edge:
    """Return the edge between two cells, the upper or left cell first."""
    return (one, other) if one <= other else (other, one)


def neighbours(edges: Iterable[Edge]) -> dict[Cell, list[Cell]]:
    """Return the cells to which each cell is joined."""
    joined: dict[Cell, list[Cell]] = {}
    for a, b in edges:
        joined.setdefault(a, []).append(b)
        joined.setdefault(b, []).append(a)
    return joined


def path(puzzle: Circuit, solution: Iterable[Edge]) -> list[Cell]:
    """Return the path between the two ends of a board along the lines of a solution; empty if there is none."""
    if puzzle.ends is None:
        return []
    start, goal = puzzle.ends
    joined, before, queue = neighbours(solution), {start: start}, deque([start])
    while queue:
        cell = queue.popleft()
        for near in joined.get(cell, []):
            if near not in before:
                before[near] = cell
                queue.append(near)
    if goal not in before:
        return []
    way = [goal]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]


def check(puzzle: Circuit, solution: Iterable[Edge]) -> Fault | None:
    """Return the first rule that some lines break, or None if they solve the board.

    That no other solution has a shorter path between the two ends cannot be seen from one solution; it is proved by
    the solvers.
    """
    lines = list(solution)
    possible = set(puzzle.edges)
    for line in lines:
        if line not in possible:
            return Fault(at(line[0]), "a line does not join two neighbouring points")
    if len(set(lines)) != len(lines):
        return Fault("the board", "a line appears twice")
    for line in sorted(puzzle.given):
        if line not in lines:
            return Fault(at(line[0]), f"the given line to {at(line[1])} is missing")
    joined = neighbours(lines)
    for cell in puzzle.points:
        degree = len(joined.get(cell, []))
        if degree not in (1, 3):
            return Fault(at(cell), f"the point has {degree} lines; expected 1 or 3")
    reached, frontier = {puzzle.points[0]}, [puzzle.points[0]]
    while frontier:
        fresh = [near for near in joined[frontier.pop()] if near not in reached]
        reached.update(fresh)
        frontier += fresh
    for cell in puzzle.points:
        if cell not in reached:
            return Fault(at(cell), f"the point is not connected with {at(puzzle.points[0])}")
    if len(lines) != len(puzzle.points) - 1:
        return Fault("the board", "the lines enclose an area")
    return None
