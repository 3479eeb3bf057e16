"""Lower bounds for strips: a dynamic program over the colours of the cut, with a price for each tile.

Without the rule that a tile lies in one cell only, the best strip is a shortest path through the colours on the cut.
The rule is relaxed with prices (Lagrange multipliers): whoever uses a tile pays its price, and what the prices of all
tiles add up to is paid back. For any prices that are not negative the result is a lower bound, and where a kind has
just as many tiles as cells, so that each must be used, prices may be negative too. Prices rise for tiles that the best
path uses twice and fall for those that it does not use (subgradient steps).

The value of a cut is the least cost of all that lies ahead of it, so a search through partial strips knows the bound of
each from one look into a table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import inlined
from solvers.regions.ground import Ground
from solvers.regions.strip import UNIT, Strip, Tables, is_second

_FAR = 1 << 29
"""More than any cost."""
_PATIENCE = 5
"""Steps without a better bound after which they become shorter."""


class Prices(NamedTuple):
    """The prices, and the values of all cuts with these prices."""

    price: NDArray[np.int32]
    """Per tile."""
    best: NDArray[np.int32]
    """The prices with the best bound so far."""
    uses: NDArray[np.int32]
    """Per tile, how often the best path uses it."""
    free: NDArray[np.bool_]
    """The tiles whose price may be negative."""
    cost: NDArray[np.int32]
    """Per cell of the strip and oriented tile of its table: what it costs, with its price."""
    value: NDArray[np.int32]
    """Per cell of the strip and cut before it: the least cost from there to the end.

    A cut is numbered `match` in a chain, `match * codes + other` before the first cell of a column, where `other` is
    what the second will have to match, and `(match * codes + other) * codes + cross` before the second, where `other`
    is shown to the next column."""
    live: NDArray[np.bool_]
    """Per cell, the colours that `other` can have."""
    least: NDArray[np.int32]
    """Per cell and `other`, the least cost from there if nothing had to match."""
    row: NDArray[np.int32]
    column: NDArray[np.int32]
    pair: NDArray[np.int32]


def make_prices(ground: Ground, length: int, ladder: bool) -> Prices:
    """Return room for the prices of strips of up to so many cells."""
    tiles, codes = ground.rows * ground.cols, ground.colours + 1
    cuts = codes**3 if ladder else codes
    price, best, uses = np.zeros((3, tiles), dtype=np.int32)
    row, column = np.zeros((2, codes), dtype=np.int32)
    return Prices(
        price,
        best,
        uses,
        np.zeros(tiles, dtype=np.bool_),
        np.zeros((length, ground.sides.shape[1]), dtype=np.int32),
        np.zeros((length + 1, cuts), dtype=np.int32),
        np.zeros((length, codes), dtype=np.bool_),
        np.zeros((length, codes), dtype=np.int32),
        row,
        column,
        np.zeros(codes * codes, dtype=np.int32),
    )


@inlined
def price_all(codes: int, strip: Strip, tables: Tables, prices: Prices) -> int:
    """Compute the value of every cut with the current prices; return the bound."""
    length, value = len(strip.cells), prices.value
    value[length, :] = 0
    for at in range(length - 1, -1, -1):
        count, cost = tables.choices[at], prices.cost[at]
        for k in range(count):
            cost[k] = UNIT * tables.base[at, k] + prices.price[tables.tile[at, k] >> 2]
        for other in range(codes):
            if not prices.live[at, other]:
                continue
            if is_second(strip, at):
                _second_of_column(codes, at, other, tables, prices)
            else:
                _first_of_column(codes, at, other, strip.ladder, tables, prices)
    bound = int(value[0, 0])
    for tile in range(len(prices.price)):
        bound -= prices.price[tile]
    return bound


@inlined
def find_live(codes: int, strip: Strip, tables: Tables, prices: Prices) -> None:
    """Find out which colours the cut can have where the next cell does not touch it."""
    for at in range(len(strip.cells)):
        prices.live[at, :] = False
        if at == 0 or not strip.ladder:
            prices.live[at, 0] = True
        if at > 0 and strip.ladder:
            for k in range(tables.choices[at - 1]):
                follow = tables.follow[at - 1, k]
                prices.live[at, follow // codes if is_second(strip, at) else follow] = True


@inlined
def _first_of_column(codes: int, at: int, other: int, ladder: bool, tables: Tables, prices: Prices) -> None:
    row, stride = prices.row, codes if ladder else 1
    ahead = prices.value[at + 1, other * codes * codes :]
    cost, match, follow = prices.cost[at], tables.match[at], tables.follow[at]
    row[:] = _FAR
    for k in range(tables.choices[at]):
        found = cost[k] + ahead[follow[k]]
        row[match[k]] = min(row[match[k]], found)
    least = _FAR
    for colour in range(codes):
        least = min(least, row[colour])
    prices.least[at, other] = least
    value = prices.value[at]
    for colour in range(codes):
        value[colour * stride + other] = min(row[colour], least + UNIT)


@inlined
def _second_of_column(codes: int, at: int, other: int, tables: Tables, prices: Prices) -> None:
    row, column, pair = prices.row, prices.column, prices.pair
    ahead = prices.value[at + 1, other * codes :]
    cost, match, cross, follow = prices.cost[at], tables.match[at], tables.cross[at], tables.follow[at]
    row[:], column[:], pair[:] = _FAR, _FAR, _FAR
    for k in range(tables.choices[at]):
        found, place = cost[k] + ahead[follow[k]], cross[k] * codes + match[k]
        pair[place] = min(pair[place], found)
    least = _FAR
    for upper in range(codes):
        for colour in range(codes):
            found = pair[upper * codes + colour]
            row[upper], column[colour] = min(row[upper], found), min(column[colour], found)
        least = min(least, row[upper])
    prices.least[at, other] = least
    value = prices.value[at]
    for colour in range(codes):
        start, beside = (colour * codes + other) * codes, min(column[colour], least + UNIT)
        for upper in range(codes):
            found = min(min(pair[upper * codes + colour], row[upper] + UNIT), beside + UNIT)
            value[start + upper] = found


@inlined
def cost_of_match(at: int, k: int, second: bool, match: int, cross: int, tables: Tables) -> int:
    """Return the cost of the edges by which a tile does not match the cut."""
    missed = int(tables.match[at, k] != match)
    if second:
        missed += int(tables.cross[at, k] != cross)
    return UNIT * missed


@inlined
def cut_after(codes: int, follow: int, second: bool, ladder: bool, match: int, other: int) -> tuple[int, int, int]:
    """Return what the next cell has to match, what the one after it has, and the cross colour, after a tile is laid."""
    if not ladder:
        return follow, 0, 0
    if second:  # `other` was shown by the first cell of this column
        return other, follow, 0
    return other, follow // codes, follow % codes


@inlined
def index_of_cut(codes: int, second: bool, ladder: bool, match: int, other: int, cross: int) -> int:
    """Return the number of a cut; see `Prices.value`."""
    if not ladder:
        return match
    return (match * codes + other) * codes + cross if second else match * codes + other


@inlined
def follow_best(codes: int, strip: Strip, tables: Tables, prices: Prices, turn: int) -> None:
    """Count how often the best path uses each tile; of several best paths, `turn` chooses one."""
    prices.uses[:] = 0
    match = other = cross = 0
    for at in range(len(strip.cells)):
        second, count = is_second(strip, at), tables.choices[at]
        best, chosen = 2 * _FAR, 0
        for step in range(count):
            k = step + turn % count
            k = k - count if k >= count else k
            after = cut_after(codes, tables.follow[at, k], second, strip.ladder, match, other)
            there = index_of_cut(codes, strip.ladder and not second, strip.ladder, after[0], after[1], after[2])
            found = (
                cost_of_match(at, k, second, match, cross, tables) + prices.cost[at, k] + prices.value[at + 1, there]
            )
            if found < best:
                best, chosen = found, k
        prices.uses[tables.tile[at, chosen] >> 2] += 1
        match, other, cross = cut_after(codes, tables.follow[at, chosen], second, strip.ladder, match, other)


@inlined
def raise_bound(codes: int, strip: Strip, tables: Tables, prices: Prices, steps: int, enough: int) -> int:
    """Improve the prices by subgradient steps until the bound is above `enough`; return the best bound.

    The prices with that bound, and the values of the cuts with these prices, are the result.
    """
    bound = best = price_all(codes, strip, tables, prices)
    _copy(prices.price, prices.best)
    reach, idle = 1.0, 0
    for step in range(steps):
        if best > enough:
            break
        follow_best(codes, strip, tables, prices, 37 * step)
        norm = 0
        for tile in range(len(prices.price)):
            slope = prices.uses[tile] - 1
            if slope > 0 or prices.price[tile] > 0 or prices.free[tile]:
                norm += slope * slope
        if norm == 0:
            break
        length = reach * (best + UNIT - bound) / norm
        for tile in range(len(prices.price)):
            slope = prices.uses[tile] - 1
            if slope > 0 or prices.price[tile] > 0 or prices.free[tile]:
                price = int(np.round(prices.price[tile] + length * slope))
                prices.price[tile] = price if prices.free[tile] else max(0, price)
        bound = price_all(codes, strip, tables, prices)
        idle += 1
        if bound > best:
            best, idle = bound, 0
            _copy(prices.price, prices.best)
        elif idle == _PATIENCE:
            reach, idle = 0.7 * reach, 0
    _copy(prices.best, prices.price)
    return price_all(codes, strip, tables, prices)


@inlined
def _copy(source: NDArray[np.int32], target: NDArray[np.int32]) -> None:
    for k in range(len(source)):
        target[k] = source[k]
