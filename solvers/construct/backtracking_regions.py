"""Algorithm 2 of Salassa et al.: regions without mismatches, with backtracking; what is left is filled greedily.

    while the limit is not reached:
        fill the next region without mismatches, in a way that was not tried yet
        if there is none: go back to the region before
    fill the rest of the best partial board greedily

The paper limits the time; here the number of regions that are solved is limited, so that a run can be repeated.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solvers.construct.greedy_regions import Built, GreedyRegions
from solvers.errors import SolverError
from solvers.regions.ground import Ground
from solvers.regions.region_solver import RegionSolver


class BacktrackingRegions:
    """Builds boards region by region, with backtracking as long as no edge is unmatched.

    Args:
        ground: The puzzle.
        solver: Fills regions; its regions are filled in their order.
        greedy: Completes partial boards.
        attempts: The number of regions to solve before the rest is filled greedily.

    Raises:
        SolverError: There is no attempt.
    """

    def __init__(self, ground: Ground, solver: RegionSolver, greedy: GreedyRegions, attempts: int) -> None:
        if attempts < 1:
            raise SolverError(f"attempts: expected 1 or more; found {attempts}")
        self._ground, self._solver, self._greedy, self._attempts = ground, solver, greedy, attempts

    def construct(self, rng: np.random.Generator) -> Built:
        """Return a board."""
        count = len(self._solver.regions)
        boards = [self._ground.pins.copy()]
        excluded: list[list[NDArray[np.uint16]]] = [[]]
        best, nodes, attempt = (0, boards[0]), 0, 0
        while boards and len(boards) <= count and attempt < self._attempts:
            attempt += 1
            number, board = len(boards) - 1, boards[-1]
            where = self._solver.cells(number)
            rows = np.array(excluded[-1], dtype=np.uint16).reshape(-1, len(where))
            outcome = self._solver.another(rng, board, number, rows)
            if outcome is None:
                boards.pop()
                excluded.pop()
                continue
            nodes += outcome.nodes
            excluded[-1].append(outcome.cells)
            boards.append(board.copy())
            boards[-1][where] = outcome.cells
            excluded.append([])
            if number + 1 > best[0]:
                best = number + 1, boards[-1]
        filled, board = best
        rest = self._greedy.construct(rng, board, filled)
        return Built(rest.cells, rest.mismatches, count, filled + rest.proved, nodes + rest.nodes)
