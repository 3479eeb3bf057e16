"""Battleship solitaire: ships that do not touch, with given counts in rows and columns (chapter 4 of the paper)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from puzzles.errors import PuzzleError
from puzzles.pencil.rules import Cell, Fault, Grid, at, matrix

WATER, LEFT, RIGHT, TOP, BOTTOM, HULL, BUOY = range(7)
"""The cell types of Table 4.1."""
SHIP = 7
"""A hint that says only that there is some part of a ship; not in the paper, used by puzz.link."""
UNKNOWN = -1
"""A cell without a hint, or a row or column without a count."""
CELL_NAMES = ("water", "left end", "right end", "top end", "bottom end", "hull", "buoy", "part of a ship")
MAX_SIDE, MAX_SHIPS = 60, 400


@dataclass(frozen=True)
class Battleship:
    """A Battleship solitaire puzzle.

    Attributes:
        row_counts: The number of cells with ships in each row, or `UNKNOWN`.
        column_counts: The same of each column.
        fleet: Pairs of a ship length and the number of ships of that length.
        hints: The given cell types, `SHIP`, or `UNKNOWN`, cell by cell.
        name: What the puzzle is called; it plays no part in comparisons.
    """

    row_counts: tuple[int, ...]
    column_counts: tuple[int, ...]
    fleet: tuple[tuple[int, int], ...]
    hints: Grid
    name: str = field(default="", compare=False)
    kind: ClassVar[str] = "battleship"

    def __post_init__(self) -> None:
        rows, cols = self.shape
        if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
            raise PuzzleError(f"a sea of {rows}x{cols} is not within 1x1..{MAX_SIDE}x{MAX_SIDE}")
        [row_counts] = matrix([self.row_counts], 1, rows, UNKNOWN, cols, "row count")
        [column_counts] = matrix([self.column_counts], 1, cols, UNKNOWN, rows, "column count")
        ships: Counter[int] = Counter()
        for length, count in self.fleet:
            if not 1 <= length <= max(rows, cols):
                raise PuzzleError(f"a ship of length {length} does not fit into a sea of {rows}x{cols}")
            if not 0 <= count <= MAX_SHIPS:
                raise PuzzleError(f"the number of ships of length {length} is {count}; expected 0..{MAX_SHIPS}")
            ships[length] += count
        object.__setattr__(self, "row_counts", row_counts)
        object.__setattr__(self, "column_counts", column_counts)
        object.__setattr__(self, "fleet", tuple(sorted((length, n) for length, n in ships.items() if n)))
        object.__setattr__(self, "hints", matrix(self.hints, rows, cols, UNKNOWN, SHIP, "cell type"))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.row_counts), len(self.column_counts)

    @property
    def given(self) -> int:
        """The number of hints."""
        return sum(hint != UNKNOWN for row in self.hints for hint in row)

    def _repr_html_(self) -> str:
        from puzzles.pencil.pictures import svg

        return svg(self)


def ship_cells(start: Cell, length: int, vertical: bool) -> list[tuple[Cell, int]]:
    """Return the cells of a ship with their cell types, from its left or top end."""
    row, col = start
    if length == 1:
        return [(start, BUOY)]
    ends = (TOP, BOTTOM) if vertical else (LEFT, RIGHT)
    kinds = [ends[0], *[HULL] * (length - 2), ends[1]]
    return [((row + k, col) if vertical else (row, col + k), kind) for k, kind in enumerate(kinds)]


def check(puzzle: Battleship, solution: Sequence[Sequence[int]]) -> Fault | None:
    """Return the first rule that a sea breaks, or None if it solves the puzzle."""
    rows, cols = puzzle.shape
    if len(solution) != rows or any(len(row) != cols for row in solution):
        return Fault("the sea", f"must have {rows} rows of {cols} cells")
    for i in range(rows):
        for j in range(cols):
            here, hint = solution[i][j], puzzle.hints[i][j]
            if not WATER <= here <= BUOY:
                return Fault(at((i, j)), f"{here} is not a cell type within {WATER}..{BUOY}")
            if hint != UNKNOWN and (here == WATER if hint == SHIP else here != hint):
                return Fault(at((i, j)), f"the hint is {CELL_NAMES[hint]}, not {CELL_NAMES[here]}")
    for i, count in enumerate(puzzle.row_counts):
        found = sum(kind != WATER for kind in solution[i])
        if count not in (UNKNOWN, found):
            return Fault(f"row {i + 1}", f"has {found} cells with ships; the count is {count}")
    for j, count in enumerate(puzzle.column_counts):
        found = sum(row[j] != WATER for row in solution)
        if count not in (UNKNOWN, found):
            return Fault(f"column {j + 1}", f"has {found} cells with ships; the count is {count}")
    return _ships_fault(puzzle, solution)


def _ships_fault(puzzle: Battleship, solution: Sequence[Sequence[int]]) -> Fault | None:
    """Follow every ship from its first cell; parts that touch, diagonally too, are one ship and must be straight."""
    rows, cols = puzzle.shape
    seen: set[Cell] = set()
    lengths: Counter[int] = Counter()
    for i in range(rows):
        for j in range(cols):
            if solution[i][j] == WATER or (i, j) in seen:
                continue
            ship, frontier = {(i, j)}, [(i, j)]
            while frontier:
                r, c = frontier.pop()
                for near in [(r + a, c + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]:
                    inside = 0 <= near[0] < rows and 0 <= near[1] < cols
                    if inside and near not in ship and solution[near[0]][near[1]] != WATER:
                        ship.add(near)
                        frontier.append(near)
            seen |= ship
            vertical = len({c for _, c in ship}) == 1
            if not vertical and len({r for r, _ in ship}) > 1:
                return Fault(at((i, j)), "ships touch")
            for (r, c), kind in ship_cells((i, j), len(ship), vertical):
                if solution[r][c] != kind:
                    wrong = CELL_NAMES[solution[r][c]]
                    return Fault(
                        at((r, c)), f"a ship of length {len(ship)} has its {CELL_NAMES[kind]} here, not {wrong}"
                    )
            lengths[len(ship)] += 1
    for length in sorted({*lengths, *dict(puzzle.fleet)}):
        wanted = dict(puzzle.fleet).get(length, 0)
        if lengths[length] != wanted:
            return Fault("the fleet", f"has {lengths[length]} ships of length {length}; expected {wanted}")
    return None
