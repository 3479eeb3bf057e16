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
from operators.randomness import below, uniform
from puzzles import EMPTY
from puzzles.compiled import inlined, jit
from solvers.errors import SolverError
from solvers.regions.ground import Ground
from solvers.regions.strip import UNIT, Strip, Tables, fill_tables, make_tables
from solvers.regions.strip_prices import Prices, find_live, make_prices, price_all, raise_bound
from solvers.regions.strip_search import FOUND, LIMIT, Stack, make_stack, search_strip
from solvers.regions.strip_worth import rarity, sort_by_rarity

MOST_COLOURS = 64
"""The most colours of a puzzle: the table of a ladder has an entry per three of them."""
MOST_MISMATCHES = 1 << 20
"""More than any strip has."""
_KINDS = 5  # by the number of grey sides
_NOISE, _GUIDED = 0.05, 200
"""The random part of a tile's worth, in unmatched edges, and the nodes of a search that it guides."""


class StripOptions(NamedTuple):
    """Options of `StripSolver`."""

    steps: int = 100
    """Number of subgradient steps that improve the prices."""
    quick: int = 2000
    """Number of nodes of a search before prices are improved."""
    limit: int = 10_000_000
    """Number of nodes of a search with prices: a search that meets it proves nothing. A search may lay as many tiles as
    a strip has, whatever the limits are, so that some strip is found."""
    thrift: float = 0.0
    """What a tile costs for each 50 unused sides that share a colour with one of its sides, in unmatched edges. It
    decides among optimal strips only: those that use up rare colours leave more to later strips."""


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
        self,
        rng: np.random.Generator,
        board: NDArray[np.uint16],
        strip: Strip,
        fillings: NDArray[np.uint16],
        *,
        excluded: int = 0,
        most: int = MOST_MISMATCHES,
    ) -> tuple[int, int, int, int]:
        """Fill the rows of an array with different strips, all equally good.

        Args:
            rng: Chooses among equally good strips.
            board: The cells of a board, as for `solve`.
            strip: The strip.
            fillings: The array.
            excluded: The number of rows that hold strips already, which are not to be found again (17).
            most: The most mismatches that a strip may have.

        Returns:
            The number of strips found, their mismatches, a bound below which there are none, and the nodes. Fewer are
            found than there are rows if there are no more or a search for more is not over soon.

        Raises:
            SolverError: There are more cells in the strip than tiles of a kind.
        """
        answer = solve_strip(rng, self.ground, strip, board, self.options, self.scratch, most, fillings, excluded)
        if answer[2] < 0:
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
    most: int,
    fillings: NDArray[np.uint16],
    excluded: int,
) -> tuple[int, int, int, int]:
    """Compute what `StripSolver.solve_several` returns; no strips and the bound -1 if there are not enough tiles.

    The first `excluded` rows of the fillings are strips that must not be found again, and strips with more than `most`
    mismatches are not sought.
    """
    tables, prices, used, codes = scratch.tables, scratch.prices, scratch.used, ground.colours + 1
    if not _prepare(rng, ground, strip, board, scratch):
        return 0, 0, -1, 0
    if options.thrift > 0:
        sort_by_rarity(rng, ground, used, scratch.order)
    fill_tables(ground, strip, board, used, scratch.order, tables)
    for cell in strip.cells:
        if ground.pins[cell] != EMPTY:
            used[ground.pins[cell] >> 2] = False  # its own cell is the only one that has it in its table
    find_live(codes, strip, tables, prices)
    prices.price[:] = 0
    least = max(0, _whole(price_all(codes, strip, tables, prices)))
    budget, total, priced, proving = least, 0, False, True
    if options.thrift > 0 and least <= most:
        found, total = _guided(rng, ground, codes, strip, options, least, scratch, fillings, excluded)
        if found:
            return found, least, least, total
        prices.price[:] = 0
        price_all(codes, strip, tables, prices)
    while budget <= most:
        limit = max(len(strip.cells), options.limit if priced else options.quick)  # fewer nodes fill no strip
        outcome, nodes = search_strip(
            rng,
            codes,
            strip,
            tables,
            prices,
            budget,
            limit,
            options.thrift == 0,
            used,
            scratch.stack,
            fillings,
            excluded,
        )
        total += nodes
        if outcome == FOUND:
            missed = int(scratch.stack.missed[len(strip.cells)])  # fewer than the budget if a search met its limit
            found, nodes = _more(rng, codes, strip, options, missed, scratch, fillings, excluded + 1)
            return 1 + found, missed, least, total + nodes
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
    return 0, budget, least, total


@jit
def _more(
    rng: np.random.Generator,
    codes: int,
    strip: Strip,
    options: StripOptions,
    budget: int,
    scratch: StripScratch,
    fillings: NDArray[np.uint16],
    first: int,
) -> tuple[int, int]:
    """Search for more strips of a budget, to be written from a row on; return their number and the nodes."""
    row, total = first, 0
    while row < len(fillings):
        outcome, nodes = search_strip(
            rng,
            codes,
            strip,
            scratch.tables,
            scratch.prices,
            budget,
            options.quick,
            True,
            scratch.used,
            scratch.stack,
            fillings,
            row,
        )
        total += nodes
        if outcome != FOUND:
            break
        row += 1
    return row - first, total


@jit
def _guided(
    rng: np.random.Generator,
    ground: Ground,
    codes: int,
    strip: Strip,
    options: StripOptions,
    budget: int,
    scratch: StripScratch,
    fillings: NDArray[np.uint16],
    first: int,
) -> tuple[int, int]:
    """Search for strips within a budget in order of what their tiles are worth; return their number and the nodes.

    The worth of a tile is its price: so the best path is followed first, but bounds are weak, and searches short.
    """
    tables, prices, found, total = scratch.tables, scratch.prices, first, 0
    worth = rarity(ground, scratch.used)
    while found < len(fillings):
        for tile in range(len(prices.price)):
            if not scratch.used[tile]:
                prices.price[tile] = int(UNIT * (options.thrift * worth[tile] / 50 + _NOISE * uniform(rng)))
        price_all(codes, strip, tables, prices)
        outcome, nodes = search_strip(
            rng, codes, strip, tables, prices, budget, _GUIDED, False, scratch.used, scratch.stack, fillings, found
        )
        total += nodes
        if outcome != FOUND:
            break
        found += 1
    return found - first, total


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
