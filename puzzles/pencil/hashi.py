"""Hashi (Hashiwokakero, Bridges): islands joined by single and double bridges (chapter 6 of the paper)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, NamedTuple

from puzzles.errors import PuzzleError
from puzzles.pencil.rules import Fault, at

MAX_SIDE = 100
MAX_LABEL = 8


class Island(NamedTuple):
    """An island, and the number of bridges that end there."""

    row: int
    col: int
    label: int


class Bridge(NamedTuple):
    """Bridges between two islands, which are given by their indices, the smaller first."""

    a: int
    b: int
    n: int


@dataclass(frozen=True)
class Hashi:
    """A Hashi puzzle.

    Attributes:
        shape: Rows and columns.
        islands: The islands, row by row: the paper's numbering.
        name: What the puzzle is called; it plays no part in comparisons.
    """

    shape: tuple[int, int]
    islands: tuple[Island, ...]
    name: str = field(default="", compare=False)
    kind: ClassVar[str] = "hashi"

    def __post_init__(self) -> None:
        rows, cols = self.shape
        if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
            raise PuzzleError(f"a grid of {rows}x{cols} is not within 1x1..{MAX_SIDE}x{MAX_SIDE}")
        islands = tuple(sorted(Island(*island) for island in self.islands))
        object.__setattr__(self, "islands", islands)
        if len(islands) < 2:
            raise PuzzleError(f"found {len(islands)} islands; expected at least 2")
        if len({(island.row, island.col) for island in islands}) < len(islands):
            raise PuzzleError("two islands are in one place")
        ends = [0] * len(islands)
        for a, b in self.possible:
            ends[a] += 1
            ends[b] += 1
        for island, near in zip(islands, ends, strict=True):
            where = at((island.row, island.col))
            if not (0 <= island.row < rows and 0 <= island.col < cols):
                raise PuzzleError(f"{where}: the island is not on the grid")
            if not 1 <= island.label <= MAX_LABEL:
                raise PuzzleError(f"{where}: the label {island.label} is not within 1..{MAX_LABEL}")
            if island.label > 2 * near:
                raise PuzzleError(f"{where}: the island has the label {island.label} and only {near} neighbours")

    @cached_property
    def possible(self) -> list[tuple[int, int]]:
        """The possible bridges B: pairs of islands that see each other along a row or a column."""
        pairs = []
        last_in_row: dict[int, int] = {}
        last_in_column: dict[int, int] = {}
        for index, island in enumerate(self.islands):
            for last, line in ((last_in_row, island.row), (last_in_column, island.col)):
                if line in last:
                    pairs.append((last[line], index))
                last[line] = index
        return sorted(pairs)

    @cached_property
    def crossings(self) -> list[tuple[int, int]]:
        """Pairs of possible bridges, by their indices in `possible`, that would cross: a horizontal and a vertical."""
        over: dict[tuple[int, int], int] = {}
        vertical = []
        for q, (a, b) in enumerate(self.possible):
            one, other = self.islands[a], self.islands[b]
            if one.row == other.row:
                over.update({(one.row, col): q for col in range(one.col + 1, other.col)})
            else:
                vertical.append((q, [(row, one.col) for row in range(one.row + 1, other.row)]))
        return [(over[cell], r) for r, cells in vertical for cell in cells if cell in over]

    def _repr_html_(self) -> str:
        from puzzles.pencil.pictures import svg

        return svg(self)


def check(puzzle: Hashi, solution: Iterable[Bridge]) -> Fault | None:
    """Return the first rule that some bridges break, or None if they solve the puzzle."""
    islands = puzzle.islands
    bridges = [Bridge(*bridge) for bridge in solution]
    places = {(island.row, island.col) for island in islands}
    ends = [0] * len(islands)
    spans: dict[tuple[int, int], Bridge] = {}
    group = list(range(len(islands)))
    for bridge in bridges:
        if not (0 <= bridge.a < bridge.b < len(islands)):
            return Fault(f"the bridge {bridge.a}-{bridge.b}", "does not join two islands, the smaller index first")
        one, other = islands[bridge.a], islands[bridge.b]
        where = at((one.row, one.col))
        if bridge.n not in (1, 2):
            return Fault(where, f"there are {bridge.n} bridges to {at((other.row, other.col))}; expected 1 or 2")
        if one.row != other.row and one.col != other.col:
            return Fault(where, f"the bridge to {at((other.row, other.col))} is neither horizontal nor vertical")
        for cell in _between(one, other):
            if cell in places:
                return Fault(at(cell), "a bridge runs over an island")
            if cell in spans:
                return Fault(at(cell), "two bridges cross or overlap")
            spans[cell] = bridge
        ends[bridge.a] += bridge.n
        ends[bridge.b] += bridge.n
        kept, lost = group[bridge.a], group[bridge.b]
        group = [kept if number == lost else number for number in group]
    if len({(bridge.a, bridge.b) for bridge in bridges}) < len(bridges):
        return Fault("the bridges", "a pair of islands appears twice")
    for island, count in zip(islands, ends, strict=True):
        if island.label != count:
            return Fault(at((island.row, island.col)), f"{count} bridges end here; the label is {island.label}")
    for island, number in zip(islands, group, strict=True):
        if number != group[0]:
            return Fault(at((island.row, island.col)), "the island is not connected with the first one")
    return None


def _between(one: Island, other: Island) -> list[tuple[int, int]]:
    if one.row == other.row:
        return [(one.row, col) for col in range(one.col + 1, other.col)]
    return [(row, one.col) for row in range(one.row + 1, other.row)]
