"""`Board`: tiles placed on the cells of a puzzle, complete or partial, valid or not. Immutable."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from puzzles.checks import clean_name, whole_numbers
from puzzles.errors import PuzzleError
from puzzles.formats import grids, jsons, links, npz
from puzzles.puzzle import Puzzle, frozen
from puzzles.tiles import DOWN, EMPTY, GREY, LEFT, RIGHT, UP

if TYPE_CHECKING:
    from puzzles.verification import Report

Cell = tuple[int, int]


class Objectives(NamedTuple):
    """The three objectives of a board, all to be maximised."""

    score: int
    """Matching inner edges."""
    blocks: int
    """2x2 blocks whose four inner edges match."""
    complete: int
    """Tiles whose four sides all match; a side on the rim matches if it is grey."""


class Board:
    """A board of a puzzle.

    Args:
        puzzle: The puzzle that the tiles belong to.
        cells: Matrix of `tile * 4 + rotation`, EMPTY (65535) where there is no tile; rotations are clockwise.
        name: A label for people; it does not take part in comparisons.

    Raises:
        PuzzleError: The shape of the matrix differs from the puzzle's, or a value is not a tile of it.
    """

    def __init__(self, puzzle: Puzzle, cells: ArrayLike, name: str = "") -> None:
        matrix = whole_numbers(cells, "cells")
        if matrix.shape != puzzle.shape:
            raise PuzzleError(f"the cells have shape {matrix.shape}; {puzzle.name} is {puzzle.rows}x{puzzle.cols}")
        wrong = np.argwhere(((matrix < 0) | (matrix >= puzzle.size * 4)) & (matrix != EMPTY))
        if len(wrong):
            row, col = wrong[0]
            raise PuzzleError(f"row {row + 1}, column {col + 1}: {matrix[row, col]} is not a tile of {puzzle.name}")
        self._puzzle = puzzle
        self._cells = frozen(np.array(matrix, dtype=np.uint16, order="C"))
        self._name = clean_name(name)

    @classmethod
    def empty(cls, puzzle: Puzzle) -> Board:
        """Return the board without tiles."""
        return cls(puzzle, np.full(puzzle.shape, EMPTY, dtype=np.uint16))

    @classmethod
    def from_hints(cls, puzzle: Puzzle) -> Board:
        """Return the board with only the puzzle's hints on it."""
        cells = np.full(puzzle.shape, EMPTY, dtype=np.uint16)
        for hint in puzzle.hints:
            cells[hint.row, hint.col] = hint.tile * 4 + hint.rotation
        return cls(puzzle, cells)

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle that the tiles belong to."""
        return self._puzzle

    @property
    def cells(self) -> NDArray[np.uint16]:
        """Matrix of `tile * 4 + rotation`, read-only."""
        return self._cells

    @property
    def name(self) -> str:
        """A label for people; may be empty."""
        return self._name

    @cached_property
    def placed(self) -> NDArray[np.bool_]:
        """Which cells hold a tile."""
        mask: NDArray[np.bool_] = self._cells != EMPTY
        return mask

    @cached_property
    def sides(self) -> NDArray[np.uint8]:
        """The colours that show, shape (4, rows, cols); 0 where a cell is empty."""
        colours = np.zeros((4, *self._puzzle.shape), dtype=np.uint8)
        colours[:, self.placed] = self._puzzle.sides[:, self._cells[self.placed]]
        return colours

    @cached_property
    def objectives(self) -> Objectives:
        """Score, 2x2 blocks and complete tiles.

        For one board, plain numpy is as fast as the compiled `score_population` and does not need the compiler.
        """
        sides = self.sides
        beside = (sides[RIGHT, :, :-1] == sides[LEFT, :, 1:]) & (sides[RIGHT, :, :-1] != GREY)
        below = (sides[DOWN, :-1] == sides[UP, 1:]) & (sides[DOWN, :-1] != GREY)
        blocks = beside[:-1] & beside[1:] & below[:, :-1] & below[:, 1:]
        complete = self.placed.copy()  # a tile is complete if its inner edges match and its sides on the rim are grey
        complete[:, :-1] &= beside
        complete[:, 1:] &= beside
        complete[:-1] &= below
        complete[1:] &= below
        complete[0] &= sides[UP, 0] == GREY
        complete[-1] &= sides[DOWN, -1] == GREY
        complete[:, 0] &= sides[LEFT, :, 0] == GREY
        complete[:, -1] &= sides[RIGHT, :, -1] == GREY
        return Objectives(int(beside.sum() + below.sum()), int(blocks.sum()), int(complete.sum()))

    @property
    def score(self) -> int:
        """Matching inner edges."""
        return self.objectives.score

    @cached_property
    def mismatches(self) -> tuple[tuple[Cell, Cell], ...]:
        """The inner edges between two tiles that do not match, each as two cells (row, column).

        Edges of empty cells are in neither `score` nor `mismatches`.
        """
        found = []
        for side, other_side, step_row, step_col in ((RIGHT, LEFT, 0, 1), (DOWN, UP, 1, 0)):
            rows, cols = self._puzzle.rows - step_row, self._puzzle.cols - step_col
            here, there = self.sides[side, :rows, :cols], self.sides[other_side, step_row:, step_col:]
            both = self.placed[:rows, :cols] & self.placed[step_row:, step_col:]
            for row, col in np.argwhere(both & ((here != there) | (here == 0))).tolist():
                found.append(((row, col), (row + step_row, col + step_col)))
        return tuple(sorted(found))

    def verify(self) -> Report:
        """Return a report on the board: score, pieces placed, duplicates, frame, hints honoured."""
        from puzzles.verification import verify

        return verify(self)

    def rotated(self, quarter_turns: int = 1) -> Board:
        """Return the board turned clockwise together with its tiles.

        On a square board the puzzle stays as it is, so a board found in another orientation can be turned until it
        honours the hints. A rectangular board changes shape, so its puzzle and hints turn with it.
        """
        square = self._puzzle.rows == self._puzzle.cols
        puzzle = self._puzzle if square else self._puzzle.rotated(quarter_turns)
        turned = np.rot90(self._cells, -quarter_turns).astype(np.int64)
        cells = np.where(turned == EMPTY, EMPTY, turned - turned % 4 + (turned + quarter_turns) % 4)
        return Board(puzzle, cells, self._name)

    def to_url(self, motifs_order: str = "default", *, pieces: bool = True) -> str:
        """Return a link that shows the board in the viewer at e2.bucas.name.

        Args:
            motifs_order: The assignment of letters to colours: "default", "jblackwood", "marie" or "jef".
            pieces: Whether to include the piece numbers.
        """
        return links.write_link(self._puzzle, self._cells, self._name or self._puzzle.name, motifs_order, pieces)

    @classmethod
    def from_url(cls, link: str, puzzle: Puzzle | None = None) -> Board:
        """Read a board from a viewer link; without a puzzle, a 16x16 link is assumed to be Eternity II."""
        return cls(*links.read_link(link, puzzle, _bundled()["eternity2"]))

    def to_text(self) -> str:
        """Return the board as a grid of `piece/rotation`."""
        return grids.write_grid(self._cells)

    @classmethod
    def from_text(cls, text: str, puzzle: Puzzle) -> Board:
        """Read a board from a grid of `piece/rotation`."""
        return cls(puzzle, grids.read_grid(text, puzzle))

    def to_csv(self) -> str:
        """Return the board as a table `row,col,piece,rotation`."""
        return grids.write_csv(self._cells)

    @classmethod
    def from_csv(cls, text: str, puzzle: Puzzle) -> Board:
        """Read a board from a table `row,col,piece,rotation`."""
        return cls(puzzle, grids.read_csv(text, puzzle))

    def to_json(self) -> str:
        """Return the board and its puzzle in the project's own JSON."""
        return jsons.write_board(self._puzzle, self._cells, self._name, _bundled())

    @classmethod
    def from_json(cls, text: str) -> Board:
        """Read a board from the project's own JSON."""
        return cls(*jsons.read_board(jsons.parse(text), _bundled()))

    def to_npz(self) -> bytes:
        """Return the board and its puzzle as a numpy archive."""
        return npz.write_npz(self._puzzle, self._cells, self._name)

    @classmethod
    def from_npz(cls, data: bytes) -> Board:
        """Read a board from a numpy archive."""
        return cls(*npz.read_npz(data))

    def save(self, path: str | Path, format: str | None = None, *, force: bool = False) -> Path:
        """Write the board to a file; see `puzzles.save`."""
        from puzzles.saving import save

        return save(self, path, format, force=force)

    @property
    def title(self) -> str:
        """A one-line description."""
        name = f"{self._name}: " if self._name else ""
        return f"{name}{self._puzzle.name}, {self.score} of {self._puzzle.max_score} edges match"

    def to_svg(
        self, *, numbers: bool = False, hints: bool = False, mismatches: bool = True, title: str | None = None
    ) -> str:
        """Return a picture as SVG; see `puzzles.drawing.board_svg`."""
        from puzzles.drawing import board_svg

        return board_svg(self, numbers=numbers, hints=hints, mismatches=mismatches, title=title)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def __eq__(self, other: object) -> bool:
        """Compare puzzles and cells; the name is only a label."""
        if not isinstance(other, Board):
            return NotImplemented
        return self._puzzle == other._puzzle and bool((self._cells == other._cells).all())

    def __hash__(self) -> int:
        return hash((self._puzzle, self._cells.tobytes()))

    def __repr__(self) -> str:
        name = f" {self._name!r}" if self._name else ""
        placed = int(self.placed.sum())
        return (
            f"<Board{name} of {self._puzzle.name!r}: score {self.score} of {self._puzzle.max_score}, "
            f"{placed} of {self._puzzle.size} tiles placed>"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Board, (self._puzzle, np.array(self._cells), self._name)


def _bundled() -> dict[str, Puzzle]:
    from puzzles.bundled import bundled_puzzles

    return bundled_puzzles()
