"""`TileLists`: the oriented tiles that may be placed in a cell, listed by the colours of up to two of its sides."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.lattice import Lattice
from puzzles import GREY, Puzzle
from puzzles.tiles import kind_counts, needed_kinds


class TileLists:
    """Tables of oriented tiles. A table has an entry for each colour, or pair of colours, of the sides it is made by.

    Args:
        puzzle: The puzzle.
        free: The tiles that are not pinned.
        framed: Whether grey may be on the rim and nowhere else.
    """

    def __init__(self, puzzle: Puzzle, free: NDArray[np.int64], framed: bool) -> None:
        self.puzzle, self.framed = puzzle, framed
        self.colours = int(puzzle.tiles.max()) + 2
        """Number of colours, including grey and its replacement in slots."""
        self.heads: list[int] = []
        """Where the tiles of each entry begin in `fitting`; they end at the next head."""
        self.fitting: list[int] = []
        """Oriented tiles, `tile * 4 + rotation`."""
        self._free = (free[:, None] * 4 + np.arange(4)).ravel()
        self._tables: dict[tuple[tuple[bool, ...], tuple[int, ...]], int] = {}

    def table(self, cell: int, pair: tuple[int, ...]) -> int:
        """Return where the table of a cell by some sides begins in `heads`, creating it if necessary."""
        rows, cols = self.puzzle.shape
        row, col = divmod(cell, cols)
        rim = tuple(wall and self.framed for wall in (row == 0, col == cols - 1, row == rows - 1, col == 0))
        if (rim, pair) not in self._tables:
            self._tables[rim, pair] = len(self.heads)
            self._add(rim, pair)
        return self._tables[rim, pair]

    def _add(self, rim: tuple[bool, ...], pair: tuple[int, ...]) -> None:
        sides = self.puzzle.sides[:, self._free]
        may = np.ones(len(self._free), dtype=bool)
        if self.framed:  # grey on the rim, and nowhere else
            may = ((sides == GREY) == np.array(rim)[:, None]).all(axis=0)
        entry = np.zeros(len(self._free), dtype=np.int64)
        for side in pair:
            entry = entry * self.colours + sides[side]
        codes = self._free[may][np.argsort(entry[may], kind="stable")]
        sizes = np.bincount(entry[may], minlength=self.colours ** len(pair))
        self.heads += (len(self.fitting) + np.concatenate([[0], np.cumsum(sizes)])).tolist()
        self.fitting += codes.tolist()


def is_framed(puzzle: Puzzle, lattice: Lattice) -> bool:
    """Return whether the tiles, including the pinned ones, allow a board with grey on the rim and nowhere else."""
    if needed_kinds(*puzzle.shape) != kind_counts(puzzle.tiles):
        return False
    pinned = np.flatnonzero(lattice.pinned)
    walls = lattice.near[pinned] == puzzle.size
    return bool((walls == (puzzle.sides[:, lattice.pins[pinned]].T == GREY)).all())
