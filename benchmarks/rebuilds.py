"""Regions that one core rebuilds per second: `python -m benchmarks.rebuilds`."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from operators import make_lattice, searched_boards
from operators.lattice import Lattice
from operators.rebuild import Rebuild, make_rebuild, rebuild
from puzzles import load
from puzzles.compiled import jit

SETTINGS = (((6, 30), 10), ((12, 36), 16), ((6, 30), 30))
"""Cells of a region and width of the beam."""
TIMES, BOARDS = 50, 200


@jit
def rebuild_often(
    rng: np.random.Generator, lattice: Lattice, cells: NDArray[np.uint16], how: Rebuild, times: int
) -> None:
    """Rebuild regions of a board one after another."""
    for _ in range(times):
        rebuild(rng, lattice, cells, how)


def main() -> None:
    """Print the number of regions per second of the processor, on boards made by search."""
    puzzle, rng = load("eternity2"), np.random.default_rng(1)
    lattice = make_lattice(puzzle)
    boards = np.full((BOARDS, puzzle.size + 1), 4 * puzzle.size, dtype=np.uint16)
    boards[:, :-1] = searched_boards(rng, puzzle, BOARDS).reshape(BOARDS, -1)
    for cells, width in SETTINGS:
        how = make_rebuild(lattice, cells, width, 0.7)
        rebuild_often(rng, lattice, boards[0].copy(), how, 1)
        start = time.process_time()
        for board in boards:
            rebuild_often(rng, lattice, board, how, TIMES)
        rate = BOARDS * TIMES / (time.process_time() - start)
        print(f"{cells[0]} to {cells[1]} cells, width {width}: {rate:,.0f} regions per second")


if __name__ == "__main__":
    main()
