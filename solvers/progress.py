"""`Progress`: what every search of the workbench tells of itself, again and again while it runs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Progress(NamedTuple):
    """The state of a search after so many evaluations."""

    evaluations: int
    best_score: int
    """The best score so far."""
    best_cells: NDArray[np.uint16]
    """The board that has it; a copy. It may have empty cells where a search leaves some."""
    mean: float
    """The mean score of what the search holds now: of a population, or of the boards scored since the last time.
    When there were none, as in most of an exhaustive search, the best score."""
    worst: int
    """The worst of those scores."""
