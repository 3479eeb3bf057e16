"""The levels of a beam search, compiled: collecting the children of all states, and keeping the best of them.

The key of a child is its cost: mismatches, minus the weighted value of what is left, plus noise. The value is the
concentration of the colours left, or, in the late part of the path, the logarithm of the expected number of completions
and of the ways to fill some chains of cells. Keys are sorted into bins as they arrive. Once the lower bins have enough
children, no child from a higher bin can be among the best: the bound falls, and a state is skipped if even its best
child would be above the bound.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.randomness import uniform
from puzzles.compiled import inlined, jit
from solvers.construct.beam_keep import keep
from solvers.construct.beam_keys import entry_of, lost_concentration, matches, outlook
from solvers.construct.beam_late import chain_value, completions, fewer, least_lost, link
from solvers.construct.beam_states import Children, History, Scratch, States, Weights
from solvers.construct.late_part import ACROSS, ALONG, Late
from solvers.construct.route import NONE, Route

BINS, FINENESS = 24_000, 1_000.0
"""The number of bins, and the number of bins per mismatch; the last bin collects all higher keys."""
LOWEST = -4.0
"""The key of the first bin, which collects all lower keys; the best state before the step has key 0."""
SPARE = 1.3
"""Children collected, as a multiple of those kept: some of them turn out to be duplicates."""


@jit
def climb(
    rng: np.random.Generator,
    route: Route,
    late: Late,
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
        collected, bound, tried = expand(rng, route, late, step, now, count, widths[step], weights, children, scratch)
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
    late: Late,
    step: int,
    states: States,
    count: int,
    width: int,
    weights: Weights,
    children: Children,
    scratch: Scratch,
) -> tuple[int, int, int]:
    """Collect the children of all states that may be among the `width` best.

    Returns:
        The number of children collected, the bound (the highest bin that counts), and the number of children evaluated.
    """
    bins, costs = scratch.bins, scratch.costs
    bins[:] = 0
    bound, enough = BINS - 1, int(SPARE * width) + 10
    collected = under = evaluated = 0
    counts = step >= late.first and weights.completions != 0
    along = step >= late.first and late.side[step, ALONG] != NONE and weights.along != 0
    across = step >= late.first and late.side[step, ACROSS] != NONE and weights.across != 0
    ranked = len(weights.ranks) > 0
    lowest = _rate(route, late, step, states, count, weights, scratch)
    looks = step + 1 < len(route.cells) and (weights.none_fits != 0 or weights.one_fits != 0)
    for query in range(route.first_query[step], route.first_query[step + 1]):
        misses = route.misses[query]
        for state in range(count):
            cost = costs[state] - lowest + misses
            highest = scratch.highest[state]
            least = cost - highest
            if counts:
                lost_least = least_lost(route, late, step, query, weights, states, state, scratch.spare)
                least += weights.completions * lost_least
            if _bin(least) >= bound + 1:
                continue
            entry = entry_of(route, query, states.frontier, state)
            for place in range(route.heads[entry], route.heads[entry + 1]):
                code = route.fitting[place]
                tile = code >> 2
                if states.used[state, tile >> 6] >> np.uint64(tile & 63) & np.uint64(1):
                    continue
                if not route.listed[query] and not matches(route, step, query, states.frontier, state, code):
                    continue
                evaluated += 1
                lost = np.float32(0)
                if counts:
                    key = cost + weights.completions * fewer(
                        route, step, weights, states, state, code, misses, scratch.spare
                    )
                else:
                    lost = lost_concentration(route, weights, states.left, state, code)
                    key = cost + weights.concentration * lost
                if _bin(key - highest) >= bound + 1:
                    continue
                if along:
                    key -= weights.along * chain_value(route, late, step, ALONG, state, code, scratch)
                value = states.across[state]
                if across:
                    value = np.float32(chain_value(route, late, step, ACROSS, state, code, scratch))
                    key -= weights.across * value
                key += weights.noise * (weights.ranks[tile] if ranked else uniform(rng))
                if _bin(key) >= bound + 1:
                    continue
                if looks:
                    key += outlook(route, step, weights, states, state, code)
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
                children.across[collected] = value
                collected += 1
                bins[bin_] += 1
                under += 1
                while under - bins[bound] >= enough:
                    under -= bins[bound]
                    bound -= 1
    return collected, bound, evaluated


@inlined
def _rate(
    route: Route, late: Late, step: int, states: States, count: int, weights: Weights, scratch: Scratch
) -> np.float32:
    """Write the cost of each state and the highest value of its chains; return the lowest cost."""
    lowest = np.float32(np.inf)
    for state in range(count):
        highest = 0.0
        cost = float(states.mismatches[state])
        if step >= late.first and weights.completions != 0:
            cost -= weights.completions * completions(late, step, weights, states, state, scratch.spare)
        else:
            cost -= weights.concentration * states.gathered[state]
        if step >= late.first:
            if late.kept[step]:
                cost -= weights.across * states.across[state]
            highest = link(route, late, step, weights, states, state, scratch)
        scratch.costs[state], scratch.highest[state] = cost, highest
        lowest = min(lowest, scratch.costs[state])
    return lowest


@inlined
def _bin(key: float) -> float:
    """Return the bin of a key, before it is rounded down. Multiples of 0.001 lie in the middle of a bin."""
    return min(max((key - LOWEST) * FINENESS + 0.5, 0.0), BINS - 1.0)


@inlined
def _tidied(children: Children, collected: int, bound: int) -> int:
    """Drop children that are above the bound by now; return the number kept."""
    kept = 0
    for child in range(collected):
        if children.bin[child] <= bound:
            children.parent[kept], children.code[kept] = children.parent[child], children.code[child]
            children.misses[kept], children.bin[kept] = children.misses[child], children.bin[child]
            children.gathered[kept], children.across[kept] = children.gathered[child], children.across[child]
            kept += 1
    return kept
