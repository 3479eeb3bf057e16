"""`StripSolver`: the best strip from all unused tiles, given what lies around it, with proof.

The budget of unmatched edges begins at the bound without prices and rises by one whenever a search shows that no strip
keeps to it, so the first strip found is optimal. A search that is not over soon is given prices, which raise the bound,
and then a limit of nodes; if it meets that limit too, the strip that is found in the end may not be optimal, and the
outcome says so.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.bits import popcount
from operators.randomness import below
from puzzles import EMPTY
from puzzles.compiled import inlined, jit
from solvers.errors import SolverError
from solvers.regions.ground import Ground
from solvers.regions.strip import UNIT, Strip, Tables, fill_tables, make_tables
from solvers.regions.strip_prices import Prices, find_live, make_prices, price_all, raise_bound
from solvers.regions.strip_search import FOUND, LIMIT, Stack, make_stack, search_strip

MOST_COLOURS = 64
"""The most colours of a puzzle: the table of a ladder has an entry per three of them."""
_KINDS = 5  # by the number of grey sides


class StripOptions(NamedTuple):
    """Options of `StripSolver`."""

    steps: int = 100
    """Number of subgradient steps that improve the prices."""
    quick: int = 2000
    """Number of nodes of a search before prices are improved."""
    limit: int = 10_000_000
    """Number of nodes of a search with prices: a search that meets it proves nothing."""


class Outcome(NamedTuple):
    """The outcome of solving a region."""

    cells: NDArray[np.uint16]
    """The content of the region's cells, in the region's order."""
    mismatches: int
    """The unmatched edges within the region and with the tiles around it."""
    bound: int
    """A number of unmatched edges below which no filling is; the filling is optimal if it has as many."""
    nodes: int
    """The number of nodes of all searches."""

    @property
    def proved(self) -> bool:
        """Whether the filling is known to be optimal."""
        return self.mismatches == self.bound


class StripScratch(NamedTuple):
    """Working memory of `solve_strip`."""

    tables: Tables
    prices: Prices
    stack: Stack
    order: NDArray[np.int32]
    used: NDArray[np.bool_]


_DEFAULTS = StripOptions()


class StripSolver:
    """Solves strips of a puzzle.

    Args:
        ground: The puzzle.
        length: The most cells of a strip.
        ladder: Whether strips have two rows or columns.
        options: Limits of the work.

    Raises:
        SolverError: The puzzle has too many colours.
    """

    def __init__(self, ground: Ground, length: int, ladder: bool, options: StripOptions = _DEFAULTS) -> None:
        if ground.colours > MOST_COLOURS:
            raise SolverError(f"strips support at most {MOST_COLOURS} colours; this puzzle has {ground.colours}")
        self.ground, self.options = ground, options
        self.scratch = make_strip_scratch(ground, length, ladder)

    def solve(self, rng: np.random.Generator, board: NDArray[np.uint16], strip: Strip) -> Outcome:
        """Return the best strip from the tiles that are not on the board outside of it.

        Args:
            rng: Chooses among equally good strips.
            board: The cells of a board, flat; those of the strip are ignored, others may be EMPTY.
            strip: The strip.

        Raises:
            SolverError: There are more cells in the strip than tiles of a kind.
        """
        fillings = np.zeros((1, len(strip.cells)), dtype=np.uint16)
        _, mismatches, bound, nodes = self.solve_several(rng, board, strip, fillings)
        return Outcome(fillings[0], mismatches, bound, nodes)

    def solve_several(
        self, rng: np.random.Generator, board: NDArray[np.uint16], strip: Strip, fillings: NDArray[np.uint16]
    ) -> tuple[int, int, int, int]:
        """Fill each row of an array with a strip, all equally good; return their number, mismatches, bound and nodes.

        They may repeat, and there may be fewer than rows if searches after the first meet their limit.
        """
        answer = solve_strip(rng, self.ground, strip, board, self.options, self.scratch, fillings)
        if answer[0] == 0:
            raise SolverError(f"a strip of {len(strip.cells)} cells has more cells than unused tiles of some kind")
        return answer


def make_strip_scratch(ground: Ground, length: int, ladder: bool) -> StripScratch:
    """Return working memory for strips of up to so many cells."""
    return StripScratch(
        make_tables(ground, length),
        make_prices(ground, length, ladder),
        make_stack(ground, length),
        np.arange(ground.sides.shape[1], dtype=np.int32),
        np.zeros(ground.rows * ground.cols, dtype=np.bool_),
    )


@jit
def solve_strip(
    rng: np.random.Generator,
    ground: Ground,
    strip: Strip,
    board: NDArray[np.uint16],
    options: StripOptions,
    scratch: StripScratch,
    fillings: NDArray[np.uint16],
) -> tuple[int, int, int, int]:
    """Compute what `StripSolver.solve_several` returns; no strips if there are not enough tiles."""
    tables, prices, used, codes = scratch.tables, scratch.prices, scratch.used, ground.colours + 1
    if not _prepare(rng, ground, strip, board, scratch):
        return 0, 0, 0, 0
    fill_tables(ground, strip, board, used, scratch.order, tables)
    for cell in strip.cells:
        if ground.pins[cell] != EMPTY:
            used[ground.pins[cell] >> 2] = False  # its own cell is the only one that has it in its table
    find_live(codes, strip, tables, prices)
    prices.price[:] = 0
    least = max(0, _whole(price_all(codes, strip, tables, prices)))
    budget, total, priced, proving = least, 0, False, True
    while True:
        limit = options.limit if priced else options.quick
        outcome, nodes = search_strip(
            rng, codes, strip, tables, prices, budget, limit, used, scratch.stack, fillings[0]
        )
        total += nodes
        if outcome == FOUND:
            break
        if outcome == LIMIT and not priced:
            priced = True
            bound = _whole(raise_bound(codes, strip, tables, prices, options.steps, UNIT * budget))
            if bound > budget:
                budget, priced = bound, False
                least = max(least, bound)
        else:
            proving = proving and outcome != LIMIT
            budget += 1
            if proving:
                least = budget
    found = 1
    while found < len(fillings):
        outcome, nodes = search_strip(
            rng, codes, strip, tables, prices, budget, options.quick, used, scratch.stack, fillings[found]
        )
        total += nodes
        if outcome != FOUND:
            break
        found += 1
    return found, budget, least, total


@inlined
def _whole(cost: int) -> int:
    """Return a lower bound as a number of edges."""
    return -((-cost) // UNIT)


@inlined
def _prepare(
    rng: np.random.Generator, ground: Ground, strip: Strip, board: NDArray[np.uint16], scratch: StripScratch
) -> bool:
    """Shuffle the tiles, find those in use and those whose price may be negative; return whether there are enough."""
    used, free, order, most = scratch.used, scratch.prices.free, scratch.order, ground.sides.shape[1]
    for k in range(most):
        order[k] = k
    for k in range(most - 1):
        other = k + below(rng, most - k)
        order[k], order[other] = order[other], order[k]
    used[:], free[:] = False, False
    for cell in range(len(board)):
        if board[cell] != EMPTY:
            used[board[cell] >> 2] = True
    for cell in strip.cells:
        if board[cell] != EMPTY:
            used[board[cell] >> 2] = False
    for pin in ground.pins:
        if pin != EMPTY:
            used[pin >> 2] = True
    for kind in range(_KINDS):
        cells = tiles = 0
        for cell in strip.cells:
            cells += ground.pins[cell] == EMPTY and popcount(np.uint64(ground.walls[cell])) == kind
        for tile in range(len(used)):
            tiles += not used[tile] and _kind(ground, tile) == kind
        if tiles < cells:
            return False
        for tile in range(len(used)):
            free[tile] |= tiles == cells and not used[tile] and _kind(ground, tile) == kind
    return True


@inlined
def _kind(ground: Ground, tile: int) -> int:
    return popcount(np.uint64(ground.grey[4 * tile])) if ground.framed else 0
