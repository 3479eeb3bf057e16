"""`Progress`: the report that every search of the workbench yields while it runs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.protocols import AnyBoard, AnyPuzzle


class Progress(NamedTuple):
    """A report of a search."""

    evaluations: int
    """Number of evaluations done."""
    best_score: int
    """The best score so far."""
    best_cells: NDArray[np.uint16]
    """A copy of the cells of the board with that score. Some cells are empty if the search leaves them so."""
    mean: float
    """Mean score of the current population, or of the boards scored since the last report. If no board was scored, as
    in most of an exhaustive search, this is the best score."""
    worst: int
    """The lowest of the scores that `mean` is of."""
    puzzle: AnyPuzzle
    """The puzzle being solved."""

    @property
    def board(self) -> AnyBoard:
        """The best board so far."""
        return self.puzzle.board(self.best_cells)
