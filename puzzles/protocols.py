"""What searches and experiments need to know of a puzzle, whether it is a board of tiles or anything else.

`puzzles.Puzzle` with `puzzles.Board` are such a pair, and so are `puzzles.pencil.PencilTask` with `Filling`.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray


class AnyPuzzle(Protocol):
    """A puzzle whose candidates are matrices of whole numbers, each with a score."""

    @property
    def name(self) -> str:
        """A label for people."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""

    @property
    def size(self) -> int:
        """The number of cells."""

    @property
    def max_score(self) -> int:
        """The score of a solution."""

    def board(self, cells: ArrayLike) -> AnyBoard:
        """Return a candidate with these cells, right or not."""

    def read_board(self, text: str) -> AnyBoard:
        """Read a candidate from what its `to_json` has written."""

    def to_json(self) -> str:
        """Return the puzzle as JSON."""


class AnyBoard(Protocol):
    """A candidate for the solution of a puzzle, right or not."""

    @property
    def puzzle(self) -> AnyPuzzle:
        """The puzzle."""

    @property
    def cells(self) -> NDArray[np.uint16]:
        """The matrix that searches vary, read-only."""

    @property
    def score(self) -> int:
        """How good it is: a solution has the score `max_score`."""

    @property
    def title(self) -> str:
        """A one-line description."""

    def to_url(self) -> str:
        """Return a link that shows it.

        Raises:
            PuzzleError: There is none.
        """

    def to_json(self) -> str:
        """Return it as JSON."""

    def to_svg(
        self, *, numbers: bool = False, hints: bool = False, mismatches: bool = True, title: str | None = None
    ) -> str:
        """Return a picture as SVG.

        Args:
            numbers: Whether to write the numbers of tiles, where there are any.
            hints: Whether to outline the cells of hints.
            mismatches: Whether to mark what does not fit.
            title: The title of the picture; a description by default.
        """
