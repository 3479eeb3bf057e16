"""`PencilTask` and `Filling`: a Sudoku or Battleship puzzle as a task for searches that vary whole candidates.

They are to the puzzles of the daily paper what `Puzzle` and `Board` are to edge matching; see `puzzles.protocols`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from puzzles.errors import PuzzleError
from puzzles.pencil.battleship import SHIP, UNKNOWN, WATER, Battleship
from puzzles.pencil.battleship import check as battleship_check
from puzzles.pencil.files import load
from puzzles.pencil.pictures import svg
from puzzles.pencil.rules import Fault
from puzzles.pencil.sudoku import Sudoku
from puzzles.pencil.sudoku import check as sudoku_check


@dataclass(frozen=True)
class PencilTask:
    """A Sudoku or Battleship puzzle whose candidates have scores.

    The score counts, for every row and every column that the rules say something about, the cells that need not change
    for that line to be right, and for Battleship also the hints that are met. A solution has the greatest score; so has
    anything that agrees with all lines and hints and also keeps the rest of the rules, as searches see to.

    Attributes:
        puzzle: The puzzle.
    """

    puzzle: Sudoku | Battleship

    @classmethod
    def load(cls, source: str | Path) -> PencilTask:
        """Load the one puzzle of a file, address, game ID or line.

        Raises:
            PuzzleError: There are several puzzles, or the puzzle is neither a Sudoku nor a Battleship puzzle.
        """
        readings = load(source)
        if len(readings) != 1:
            raise PuzzleError(f"{source}: contains {len(readings)} puzzles; expected one")
        puzzle = readings[0].puzzle
        if not isinstance(puzzle, Sudoku | Battleship):
            raise PuzzleError(f"{source!s:.80}: expected a Sudoku or a Battleship puzzle; found {puzzle.kind}")
        return cls(puzzle)

    def named(self, name: str) -> PencilTask:
        """Return the same task with another name."""
        return PencilTask(replace(self.puzzle, name=name))

    @classmethod
    def from_json(cls, text: str) -> PencilTask:
        """Read a task from what `to_json` has written.

        Raises:
            PuzzleError: It is something else.
        """
        try:
            values = json.loads(text)
            kind, name = values.pop("pencil"), values.pop("name")
            made = {"sudoku": Sudoku, "battleship": Battleship}[kind](**_tuples(values), name=str(name))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            if isinstance(error, PuzzleError):
                raise
            raise PuzzleError("is not a Sudoku or Battleship puzzle in the project's own JSON") from None
        return cls(made)

    @property
    def name(self) -> str:
        """The name of the puzzle, or its kind if it has none."""
        return self.puzzle.name or self.puzzle.kind

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return (self.puzzle.side, self.puzzle.side) if isinstance(self.puzzle, Sudoku) else self.puzzle.shape

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.shape[0] * self.shape[1]

    @property
    def max_score(self) -> int:
        """The score of a solution."""
        rows, cols = self.shape
        if isinstance(self.puzzle, Sudoku):
            return 2 * rows * cols
        known = [sum(count != UNKNOWN for count in counts) for counts in _counts(self.puzzle)]
        return known[0] * cols + known[1] * rows + self.puzzle.given

    def board(self, cells: ArrayLike) -> Filling:
        """Return a candidate with these cells."""
        return Filling(self, cells)

    def read_board(self, text: str) -> Filling:
        """Read a candidate from what its `to_json` has written."""
        try:
            return Filling(self, json.loads(text)["cells"])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise PuzzleError(f"is not a candidate of {self.name}: {error}") from None

    def to_json(self) -> str:
        """Return the puzzle as JSON."""
        names = ("clues", "box") if isinstance(self.puzzle, Sudoku) else _BATTLESHIP
        values = {name: getattr(self.puzzle, name) for name in names}
        return json.dumps({"pencil": self.puzzle.kind, "name": self.puzzle.name, **values})


_BATTLESHIP = ("row_counts", "column_counts", "fleet", "hints")


class Filling:
    """A candidate for the solution of a Sudoku or of a Battleship puzzle.

    Args:
        puzzle: The task.
        cells: The numbers, 0 in an empty cell, or the cell types of a sea.

    Raises:
        PuzzleError: The shape of the matrix is not that of the puzzle.
    """

    def __init__(self, puzzle: PencilTask, cells: ArrayLike) -> None:
        matrix = np.asarray(cells)
        if matrix.shape != puzzle.shape or matrix.dtype.kind not in "iu":
            rows, cols = puzzle.shape
            raise PuzzleError(f"the cells have shape {matrix.shape}; expected whole numbers of {rows}x{cols}")
        if matrix.size and (matrix.min() < 0 or matrix.max() > max(puzzle.shape[0], SHIP)):
            raise PuzzleError(f"{matrix.max()} is not a number of {puzzle.name}")
        self.puzzle = puzzle
        self.cells: NDArray[np.uint16] = matrix.astype(np.uint16)
        self.cells.flags.writeable = False

    @cached_property
    def score(self) -> int:
        """How good it is; see `PencilTask`."""
        puzzle, cells = self.puzzle.puzzle, self.cells.astype(int)
        lines = [*cells, *cells.T]
        if isinstance(puzzle, Sudoku):
            return sum(len(set(line.tolist()) - {0}) for line in lines)
        counts = [count for both in _counts(puzzle) for count in both]
        total = 0
        for line, count in zip(lines, counts, strict=True):
            if count != UNKNOWN:
                total += len(line) - abs(int((line != WATER).sum()) - count)
        for hint, kind in zip(np.array(puzzle.hints).ravel().tolist(), cells.ravel().tolist(), strict=True):
            total += hint != UNKNOWN and (kind != WATER if hint == SHIP else kind == hint)
        return total

    @property
    def fault(self) -> Fault | None:
        """The first rule that is broken and its place, or None if this is a solution."""
        rows = tuple(map(tuple, self.cells.tolist()))
        if isinstance(self.puzzle.puzzle, Sudoku):
            return sudoku_check(self.puzzle.puzzle, rows)
        return battleship_check(self.puzzle.puzzle, rows)

    @property
    def title(self) -> str:
        """A one-line description."""
        return f"{self.puzzle.name}, {self.score} of {self.puzzle.max_score}"

    def to_url(self) -> str:
        """Refuse: the links of these puzzles show no candidates."""
        raise PuzzleError("links show puzzles, not candidates for their solutions")

    def to_json(self) -> str:
        """Return the cells as JSON."""
        return json.dumps({"cells": self.cells.tolist()})

    def to_svg(
        self, *, numbers: bool = False, hints: bool = False, mismatches: bool = True, title: str | None = None
    ) -> str:
        """Return a picture as SVG; only the title matters among the arguments."""
        return svg(self.puzzle.puzzle, self.cells.tolist(), self.title if title is None else title)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Filling) and self.puzzle == other.puzzle and bool((self.cells == other.cells).all())

    def __hash__(self) -> int:
        return hash((self.puzzle, self.cells.tobytes()))

    def __repr__(self) -> str:
        return f"<Filling of {self.title}>"


def _counts(puzzle: Battleship) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return puzzle.row_counts, puzzle.column_counts


def _tuples(value: Any) -> Any:
    """Return a value with tuples for lists."""
    if isinstance(value, dict):
        return {key: _tuples(one) for key, one in value.items()}
    return tuple(_tuples(one) for one in value) if isinstance(value, list) else value
