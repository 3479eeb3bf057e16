"""The levels of a beam search, compiled: collecting the children of all states, and keeping the best of them.

The key of a child is its cost: mismatches, minus the weighted concentration of the colours left, plus noise. Keys are
sorted into bins as they arrive. Once the lower bins have enough children, no child from a higher bin can be among the
best: the bound falls, and a state is skipped if even its best child would be above the bound.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from operators.randomness import uniform
from puzzles.compiled import inlined, jit
from solvers.construct.beam_states import Children, History, Scratch, States, Weights
from solvers.construct.route import NONE, OWN, Route

BINS, FINENESS = 20_000, 1_000.0
"""The number of bins, and the number of bins per mismatch; the last bin collects all higher keys."""
SPARE = 1.3
"""Children collected, as a multiple of those kept: some of them turn out to be duplicates."""


@jit
def climb(
    rng: np.random.Generator,
    route: Route,
    step: int,
    limit: int,
    states: States,
    following: States,
    count: int,
    widths: NDArray[np.int64],
    weights: Weights,
    children: Children,
    history: History,
    scratch: Scratch,
) -> tuple[int, int, int]:
    """Continue from the states of a step to the end, or until `limit` children were evaluated.

    `states` and `following` alternate: after an odd number of steps, the last states are in `following`.

    Returns:
        The next step, the number of states (0 if no tile may be placed in its cell), and the number of children
        evaluated.
    """
    evaluated = steps = 0
    while step < len(widths) and evaluated < limit and count:
        now, then = (following, states) if steps & 1 else (states, following)
        collected, bound, tried = expand(
            rng, route, step, now, count, widths[step], weights, children, scratch.bins, scratch.costs
        )
        count = keep(route, step, now, children, collected, bound, widths[step], scratch, then, history)
        evaluated += tried
        if count:
            step += 1
            steps += 1
    return step, count, evaluated


@jit
def expand(
    rng: np.random.Generator,
    route: Route,
    step: int,
    states: States,
    count: int,
    width: int,
    weights: Weights,
    children: Children,
    bins: NDArray[np.int64],
    costs: NDArray[np.float32],
) -> tuple[int, int, int]:
    """Collect the children of all states that may be among the `width` best.

    Returns:
        The number of children collected, the bound (the highest bin that counts), and the number of children evaluated.
    """
    bins[:] = 0
    bound, enough = BINS - 1, int(SPARE * width) + 10
    collected = under = evaluated = 0
    lowest = np.float32(np.inf)
    for state in range(count):
        costs[state] = states.mismatches[state] - weights.concentration * states.gathered[state]
        lowest = min(lowest, costs[state])
    looks = step + 1 < len(route.cells) and (weights.none_fits != 0 or weights.one_fits != 0)
    for query in range(route.first_query[step], route.first_query[step + 1]):
        misses = route.misses[query]
        for state in range(count):
            cost = costs[state] - lowest + misses
            if _bin(cost) > bound:
                continue
            entry = _entry(route, query, states.frontier, state)
            for place in range(route.heads[entry], route.heads[entry + 1]):
                code = route.fitting[place]
                tile = code >> 2
                if states.used[state, tile >> 6] >> np.uint64(tile & 63) & np.uint64(1):
                    continue
                if not route.listed[query] and not _matches(route, step, query, states.frontier, state, code):
                    continue
                evaluated += 1
                lost = _lost(route, weights, states.left, state, code)
                key = cost + weights.concentration * lost
                if _bin(key) > bound:
                    continue
                key += weights.noise * uniform(rng)
                if looks:
                    key += _outlook(route, step, weights, states, state, code)
                bin_ = int(_bin(key))
                if bin_ > bound:
                    continue
                if collected == len(children.bin):
                    collected = _tidied(children, collected, bound)
                    if collected == len(children.bin):
                        continue
                children.parent[collected], children.code[collected] = state, code
                children.misses[collected], children.bin[collected] = misses, bin_
                children.gathered[collected] = states.gathered[state] - lost
                collected += 1
                bins[bin_] += 1
                under += 1
                while under - bins[bound] >= enough:
                    under -= bins[bound]
                    bound -= 1
    return collected, bound, evaluated


@inlined
def _bin(key: float) -> float:
    return min(key * FINENESS, BINS - 1.0)


@inlined
def _entry(route: Route, query: int, frontier: NDArray[np.uint8], state: int) -> int:
    """Return the index in `heads` of the tiles of a query for a state."""
    first, second = route.by[query, 0], route.by[query, 1]
    if second != NONE:
        entry = int(frontier[state, first]) * route.colours + int(frontier[state, second])
    else:
        entry = int(frontier[state, first]) if first != NONE else 0
    return entry + int(route.table[query])


@inlined
def _matches(route: Route, step: int, query: int, frontier: NDArray[np.uint8], state: int, code: int) -> bool:
    """Return whether the sides of a tile that match are exactly those of the query."""
    matched = 0
    for side in range(4):
        slot = route.known[step, side]
        if slot != NONE and frontier[state, slot] == route.sides[code, side]:
            matched |= 1 << side
    return matched == int(route.matched[query])


@inlined
def _lost(route: Route, weights: Weights, left: NDArray[Any], state: int, code: int) -> np.float32:
    """Return the loss of concentration when a tile is used."""
    lost = np.float32(0)
    if not route.twice[code]:
        for side in range(4):
            colour = route.sides[code, side]
            lost += weights.loss[colour, left[state, colour]]
        return lost
    for side in range(4):
        colour = route.sides[code, side]
        before = left[state, colour]
        for other in range(side):
            before -= route.sides[code, other] == colour
        lost += weights.loss[colour, before]
    return lost


@inlined
def _outlook(route: Route, step: int, weights: Weights, states: States, state: int, code: int) -> float:
    """Return the cost of the next cell if at most one unused tile fits it once this tile is placed."""
    query = route.first_query[step + 1]
    entry = route.table[query]
    first, second = route.by_ahead[step, 0], route.by_ahead[step, 1]
    if first != NONE:
        colour = int(_ahead(route, states.frontier, state, code, first))
        if second != NONE:
            colour = colour * route.colours + int(_ahead(route, states.frontier, state, code, second))
        entry += colour
    found = 0
    for place in range(route.heads[entry], route.heads[entry + 1]):
        other = route.fitting[place]
        tile = other >> 2
        if tile == code >> 2 or states.used[state, tile >> 6] >> np.uint64(tile & 63) & np.uint64(1):
            continue
        if not route.listed[query] and not _fits_ahead(route, step, states.frontier, state, code, other):
            continue
        found += 1
        if found == 2:
            return 0.0
    return weights.one_fits if found else weights.none_fits


@inlined
def _ahead(route: Route, frontier: NDArray[np.uint8], state: int, code: int, source: int) -> np.uint8:
    """Return a colour next to the next cell: of the tile being placed, or from the state."""
    return np.uint8(route.opens[code, source - OWN] if source >= OWN else frontier[state, source])


@inlined
def _fits_ahead(route: Route, step: int, frontier: NDArray[np.uint8], state: int, code: int, other: int) -> bool:
    """Return whether another tile matches all known sides of the next cell once a tile is placed."""
    for side in range(4):
        source = route.ahead[step, side]
        if source != NONE and _ahead(route, frontier, state, code, source) != route.sides[other, side]:
            return False
    return True


@inlined
def _tidied(children: Children, collected: int, bound: int) -> int:
    """Drop children that are above the bound by now; return the number kept."""
    kept = 0
    for child in range(collected):
        if children.bin[child] <= bound:
            children.parent[kept], children.code[kept] = children.parent[child], children.code[child]
            children.misses[kept], children.bin[kept] = children.misses[child], children.bin[child]
            children.gathered[kept] = children.gathered[child]
            kept += 1
    return kept


@jit
def keep(
    route: Route,
    step: int,
    states: States,
    children: Children,
    collected: int,
    bound: int,
    width: int,
    scratch: Scratch,
    following: States,
    history: History,
) -> int:
    """Make the next states from the best children, lowest bins first and without duplicates; return their number.

    Args:
        route: The route.
        step: The step of the children.
        states: Their parents.
        children: From `expand`, with `collected`, `bound` and the bins of `scratch`.
        collected: Number of children.
        bound: The highest bin that counts.
        width: Number of states to keep.
        scratch: Working memory.
        following: The next states are written here.
        history: Their parents and tiles are written here.
    """
    total = _sort(children, collected, bound, scratch.bins, scratch.order)
    start, room = history.starts[step], 4
    while room < 4 * width:
        room *= 2
    seen = scratch.seen[:room]
    seen[:] = 0
    mask = np.uint64(len(seen) - 1)
    kept = 0
    for rank in range(total):
        child = scratch.order[rank]
        parent, code = children.parent[child], children.code[child]
        sign = _sign(route, step, states, parent, code, scratch.signs)
        mark = sign | np.uint64(1)
        at = (mark >> np.uint64(32)) & mask
        while seen[at] != 0 and seen[at] != mark:
            at = (at + np.uint64(1)) & mask
        if seen[at] == mark:
            continue
        seen[at] = mark
        _follow(route, step, states, parent, code, following, kept)
        following.mismatches[kept] = states.mismatches[parent] + children.misses[child]
        following.gathered[kept], following.hashes[kept] = children.gathered[child], sign
        history.parents[start + kept], history.codes[start + kept] = parent, code
        kept += 1
        if kept == width:
            break
    return kept


@jit
def put(
    route: Route,
    step: int,
    states: States,
    code: int,
    following: States,
    history: History,
    signs: NDArray[np.uint64],
) -> None:
    """Place a tile in the first state, whether it fits or not, and write the first of the following states."""
    misses = 0
    for side in range(4):
        slot = route.known[step, side]
        misses += slot != NONE and states.frontier[0, slot] != route.sides[code, side]
    _follow(route, step, states, 0, code, following, 0)
    following.mismatches[0] = states.mismatches[0] + misses
    following.gathered[0] = 0  # this state is an ancestor of all others, so only differences from it count
    following.hashes[0] = _sign(route, step, states, 0, code, signs)
    history.parents[history.starts[step]], history.codes[history.starts[step]] = 0, code


@inlined
def _sign(route: Route, step: int, states: States, parent: int, code: int, signs: NDArray[np.uint64]) -> np.uint64:
    """Return the hash of a child, of its used tiles and of the colours in its slots."""
    tiles = len(route.sides) // 4
    sign = states.hashes[parent] ^ signs[code >> 2]
    for side in range(4):
        slot = route.known[step, side]
        if slot != NONE:
            sign ^= signs[tiles + slot * route.colours + states.frontier[parent, slot]]
    for side in range(4):
        slot = route.opened[step, side]
        if slot != NONE:
            sign ^= signs[tiles + slot * route.colours + route.opens[code, side]]
    return np.uint64(sign)


@inlined
def _sort(children: Children, collected: int, bound: int, bins: NDArray[np.int64], order: NDArray[np.int32]) -> int:
    """Sort children by bin, stably, with a counting sort; return their number."""
    total = 0
    for bin_ in range(bound + 1):
        size = bins[bin_]
        bins[bin_] = total
        total += size
    for child in range(collected):
        bin_ = children.bin[child]
        if bin_ <= bound:
            order[bins[bin_]] = child
            bins[bin_] += 1
    return total


@inlined
def _follow(route: Route, step: int, states: States, parent: int, code: int, following: States, child: int) -> None:
    """Write the child of a state, except for the parts of its key."""
    for word in range(states.used.shape[1]):
        following.used[child, word] = states.used[parent, word]
    tile = code >> 2
    following.used[child, tile >> 6] |= np.uint64(1) << np.uint64(tile & 63)
    for slot in range(states.frontier.shape[1]):
        following.frontier[child, slot] = states.frontier[parent, slot]
    for colour in range(states.left.shape[1]):
        following.left[child, colour] = states.left[parent, colour]
    for side in range(4):
        colour = route.sides[code, side]
        following.left[child, colour] -= 1
        slot = route.opened[step, side]
        if slot != NONE:
            following.frontier[child, slot] = route.opens[code, side]
