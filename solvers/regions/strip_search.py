"""Depth-first search for a strip with at most so many unmatched edges, pruned by the bound of `strip_prices`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.randomness import below
from puzzles.compiled import inlined
from solvers.regions.ground import Ground
from solvers.regions.strip import UNIT, Strip, Tables, is_second
from solvers.regions.strip_prices import Prices, cost_of_match, cut_after, index_of_cut

FOUND, NOTHING, LIMIT = range(3)
"""Outcomes of a search: a strip was found, there is none, or the search met its limit of nodes."""
_SEEN = 1 << 16


class Stack(NamedTuple):
    """Working memory of a search: a row a depth, and the cuts from which nothing was found."""

    cut: NDArray[np.int32]
    """What the next cell must match, the other colour, the cross colour."""
    spent: NDArray[np.int32]
    """The cost so far, prices included."""
    missed: NDArray[np.int32]
    """The number of unmatched edges so far."""
    width: NDArray[np.int32]
    """The number of tiles to try."""
    known: NDArray[np.bool_]
    """Whether a strip that is known already was found below: then the cut is not a vain one."""
    at: NDArray[np.int32]
    choice: NDArray[np.int32]
    """The tiles to try, as places in the tables, in order."""
    cost: NDArray[np.int32]
    """What has been spent after each of them, how many edges do not match, and their bounds."""
    misses: NDArray[np.int32]
    bound: NDArray[np.int32]
    number: NDArray[np.uint64]
    """A random number per tile, and one for the search: a set of tiles is the exclusive or of theirs."""
    seen: NDArray[np.uint64]
    seen_cost: NDArray[np.int32]


def make_stack(ground: Ground, length: int) -> Stack:
    """Return working memory for strips of up to so many cells."""
    most = ground.sides.shape[1]
    numbers = np.random.default_rng(1).integers(1 << 63, size=ground.rows * ground.cols + 1, dtype=np.uint64)
    spent, missed, width, at = np.zeros((4, length + 1), dtype=np.int32)
    choice, cost, misses, bound = np.zeros((4, length, most), dtype=np.int32)
    return Stack(
        np.zeros((length + 1, 3), dtype=np.int32),
        spent,
        missed,
        width,
        np.zeros(length + 1, dtype=np.bool_),
        at,
        choice,
        cost,
        misses,
        bound,
        numbers,
        np.zeros(_SEEN, dtype=np.uint64),
        np.zeros(_SEEN, dtype=np.int32),
    )


@inlined
def search_strip(
    rng: np.random.Generator,
    codes: int,
    strip: Strip,
    tables: Tables,
    prices: Prices,
    most: int,
    limit: int,
    turning: bool,
    used: NDArray[np.bool_],
    stack: Stack,
    fillings: NDArray[np.uint16],
    row: int,
) -> tuple[int, int]:
    """Search for a strip with at most so many unmatched edges; return the outcome and the number of nodes.

    Cuts that were reached before with the same tiles, at no greater cost and in vain, are not searched again. They are
    recognised by 64-bit keys.

    Args:
        rng: The source of randomness.
        codes: The number of codes of colours.
        strip: The strip.
        tables: What tiles cost.
        prices: The prices, and the values of the cuts.
        most: The most unmatched edges.
        limit: The most tiles to lay.
        turning: Whether tiles that look equally good are tried in random order, or as the tables have them.
        used: The tiles that may not be used; changed and restored.
        stack: Working memory.
        fillings: Strips as oriented tiles; the one that is found differs from the rows above its own.
        row: The row where it is written.
    """
    length, depth, nodes = len(strip.cells), 0, 0
    taken = stack.number[len(used)] = np.uint64(below(rng, 1 << 53)) << np.uint64(11)
    stack.cut[0, 0] = stack.cut[0, 1] = stack.cut[0, 2] = 0
    stack.spent[0] = stack.missed[0] = 0
    stack.known[0] = False
    budget = UNIT * most
    for tile in range(len(prices.price)):
        budget += prices.price[tile]
    _list_choices(rng, codes, strip, tables, prices, budget, most, turning, used, stack, 0)
    while depth >= 0:
        if stack.at[depth] == stack.width[depth]:
            key = _key(taken, depth, stack)
            place = int(key & np.uint64(_SEEN - 1))
            if not stack.known[depth]:
                stack.seen[place], stack.seen_cost[place] = key, stack.spent[depth]
            depth -= 1
            if depth >= 0:
                tile = _laid(tables, stack, depth)
                used[tile] = False
                taken ^= stack.number[tile]
            continue
        if nodes == limit:
            for k in range(depth):
                used[_laid(tables, stack, k)] = False
            return LIMIT, nodes
        nodes += 1
        k, second = stack.choice[depth, stack.at[depth]], is_second(strip, depth)
        stack.spent[depth + 1] = stack.cost[depth, stack.at[depth]]
        stack.missed[depth + 1] = stack.misses[depth, stack.at[depth]]
        stack.at[depth] += 1
        depth += 1
        cut = stack.cut[depth - 1]
        after = cut_after(codes, tables.follow[depth - 1, k], second, strip.ladder, cut[0], cut[1])
        stack.cut[depth, 0], stack.cut[depth, 1], stack.cut[depth, 2] = after
        tile = tables.tile[depth - 1, k] >> 2
        used[tile] = True
        taken ^= stack.number[tile]
        if depth == length:
            if _is_new(tables, stack, depth, fillings, row):
                for k in range(depth):
                    used[_laid(tables, stack, k)] = False
                return FOUND, nodes
            used[tile] = False
            taken ^= stack.number[tile]
            depth -= 1
            stack.known[:] = True
            continue
        stack.known[depth] = False
        key = _key(taken, depth, stack)
        place = int(key & np.uint64(_SEEN - 1))
        if stack.seen[place] == key and stack.seen_cost[place] <= stack.spent[depth]:
            stack.at[depth] = stack.width[depth] = 0
        else:
            _list_choices(rng, codes, strip, tables, prices, budget, most, turning, used, stack, depth)
    return NOTHING, nodes


@inlined
def _is_new(tables: Tables, stack: Stack, depth: int, fillings: NDArray[np.uint16], row: int) -> bool:
    """Write the strip that was laid into its row; return whether it differs from all rows above."""
    for k in range(depth):
        fillings[row, k] = tables.tile[k, stack.choice[k, stack.at[k] - 1]]
    for other in range(row):
        same = True
        for k in range(depth):
            same = same and fillings[other, k] == fillings[row, k]
        if same:
            return False
    return True


@inlined
def _laid(tables: Tables, stack: Stack, depth: int) -> int:
    return int(tables.tile[depth, stack.choice[depth, stack.at[depth] - 1]]) >> 2


@inlined
def _key(taken: np.uint64, depth: int, stack: Stack) -> np.uint64:
    cut = stack.cut[depth]
    state = np.uint64(((depth * 256 + cut[0]) * 256 + cut[1]) * 256 + cut[2] + 1)
    key = taken ^ (state * np.uint64(0x9E3779B97F4A7C15))
    key = (key ^ (key >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return key ^ (key >> np.uint64(32))


@inlined
def _list_choices(
    rng: np.random.Generator,
    codes: int,
    strip: Strip,
    tables: Tables,
    prices: Prices,
    budget: int,
    most: int,
    turning: bool,
    used: NDArray[np.bool_],
    stack: Stack,
    depth: int,
) -> None:
    """List the tiles that can follow within the budget, those with the lowest bound first."""
    second, ladder = is_second(strip, depth), strip.ladder
    match, other, cross = stack.cut[depth, 0], stack.cut[depth, 1], stack.cut[depth, 2]
    spent, width = stack.spent[depth], 0
    choice, cost, misses, bound = stack.choice[depth], stack.cost[depth], stack.misses[depth], stack.bound[depth]
    first, last = 0, tables.choices[depth]
    if spent + UNIT + prices.least[depth, other] > budget:  # then every edge has to match
        bucket = cross * codes + match
        first, last = tables.first[depth, bucket], tables.first[depth, bucket + 1]
    turn = below(rng, last - first) if turning and last > first else 0
    for step in range(last - first):
        k = first + turn + step
        k = k - (last - first) if k >= last else k
        if used[tables.tile[depth, k] >> 2]:
            continue
        unmatched = cost_of_match(depth, k, second, match, cross, tables)
        missed = stack.missed[depth] + tables.base[depth, k] + unmatched // UNIT
        paid = spent + prices.cost[depth, k] + unmatched
        after = cut_after(codes, tables.follow[depth, k], second, ladder, match, other)
        there = index_of_cut(codes, ladder and not second, ladder, after[0], after[1], after[2])
        least = paid + prices.value[depth + 1, there]
        if least > budget or missed > most:
            continue
        place = width
        while place > 0 and bound[place - 1] > least:
            choice[place], bound[place] = choice[place - 1], bound[place - 1]
            cost[place], misses[place] = cost[place - 1], misses[place - 1]
            place -= 1
        choice[place], cost[place], misses[place], bound[place] = k, paid, missed, least
        width += 1
    stack.width[depth], stack.at[depth] = width, 0
