"""The late value of a state, compiled: how many ways there are to fill the cells that it leaves empty.

With n sides of a colour on unused tiles and f open sides of that colour on the frontier, n! / (m/2)! / 2^(m/2) of the
pairings of these sides match, where m = n - f. `completions` is the sum of the logarithms over all colours: up to a
constant of the step, the logarithm of the expected number of perfect completions if sides were paired at random. It
depends on n and m alone. Placing a tile takes each of its sides from n and m; a side that stays open takes another one
from m, and a side of the frontier that is covered, matched or not, returns one.
"""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from operators.bits import lowest
from puzzles import GREY
from puzzles.compiled import inlined
from solvers.construct.beam_states import Scratch, States, Weights
from solvers.construct.late_part import ACROSS, ALONG, Late
from solvers.construct.route import NONE, Route

FAULT = 0.01831563888873418
"""What a mismatch within a chain is worth, compared with a match: exp(-4)."""


@inlined
def completions(late: Late, step: int, weights: Weights, states: States, state: int, spare: NDArray[np.int32]) -> float:
    """Return the logarithm of the expected number of completions of a state, and write m of each colour to `spare`."""
    for colour in range(states.left.shape[1]):
        spare[state, colour] = states.left[state, colour]
    spare[state, states.left.shape[1]] = 0
    for slot in range(states.frontier.shape[1]):
        if late.holds[step, slot]:
            spare[state, states.frontier[state, slot]] -= 1
    total = 0.0
    for colour in range(GREY + 1, states.left.shape[1]):
        total += weights.arrangements[states.left[state, colour]] + weights.pairings[spare[state, colour]]
    return total


@inlined
def fewer(
    route: Route, step: int, weights: Weights, states: States, state: int, code: int, misses: int,
    spare: NDArray[np.int32],
) -> float:  # fmt: skip
    """Return the loss of `completions` when a tile is placed."""
    lost = 0.0
    if misses == 0 and not route.twice[code]:  # the most frequent case: no colour changes twice
        for side in range(4):
            colour = route.sides[code, side]
            if colour != GREY:
                lost += weights.logarithms[states.left[state, colour]]
                if route.known[step, side] == NONE:
                    m = spare[state, colour]
                    after = m - (1 if route.opened[step, side] == NONE else 2)
                    lost += weights.pairings[m] - weights.pairings[after]
        return lost
    for side in range(4):
        slot = route.known[step, side]
        if slot != NONE:
            lost += _moved(weights, spare, state, states.frontier[state, slot], 1)
    for side in range(4):
        colour = route.sides[code, side]
        if colour != GREY:
            n = states.left[state, colour]
            for other in range(side):
                n -= route.sides[code, other] == colour
            lost += weights.logarithms[n]
            lost += _moved(weights, spare, state, colour, -1 if route.opened[step, side] == NONE else -2)
    for side in range(4):  # back to what it was
        if route.known[step, side] != NONE:
            spare[state, states.frontier[state, route.known[step, side]]] -= 1
        if route.sides[code, side] != GREY:
            spare[state, route.sides[code, side]] += 1 if route.opened[step, side] == NONE else 2
    return lost


@inlined
def _moved(weights: Weights, spare: NDArray[np.int32], state: int, colour: int, change: int) -> float:
    """Change m of a colour; return the loss of `completions`."""
    before = spare[state, colour]
    spare[state, colour] = before + change
    if colour == spare.shape[1] - 1:  # what shows grey to an empty cell matches nothing
        return 0.0
    return float(weights.pairings[before] - weights.pairings[before + change])


@inlined
def least_lost(
    route: Route, late: Late, step: int, query: int, weights: Weights, states: States, state: int,
    spare: NDArray[np.int32],
) -> float:  # fmt: skip
    """Return a lower bound of the loss of `completions` for all tiles of a query.

    It is exact for the sides that are covered. A side that stays open gains nothing, because m never exceeds n.
    """
    lost = -late.allowance[query]
    for side in range(4):
        slot = route.known[step, side]
        if slot == NONE:
            continue
        colour = states.frontier[state, slot]
        if colour == spare.shape[1] - 1:
            continue
        if route.matched[query] >> side & 1:
            n = int(states.left[state, colour])
            for other in range(side):
                if route.matched[query] >> other & 1:
                    n -= states.frontier[state, route.known[step, other]] == colour
            lost += weights.logarithms[max(n, 0)]
        else:
            m = spare[state, colour]
            lost += weights.pairings[m] - weights.pairings[m + 1]
    return float(lost)


@inlined
def link(route: Route, late: Late, step: int, weights: Weights, states: States, state: int, scratch: Scratch) -> float:
    """Count the ways to fill the chains of a step, by the colour that the tile shows them, into `scratch.ways`.

    Returns:
        The highest value that the chains of a child of this state can have.
    """
    highest = 0.0
    for kind in (ALONG, ACROSS):
        weight = weights.along if kind == ALONG else weights.across
        if late.side[step, kind] != NONE and weight != 0:
            _count(route, late, step, kind, states, state, scratch.chain)
            most = 0.0
            for colour in range(route.colours):
                scratch.ways[state, kind, colour] = scratch.chain[0, colour]
                most = max(most, scratch.ways[state, kind, colour])
            highest += weight * log(most)
    return highest


@inlined
def _count(
    route: Route, late: Late, step: int, kind: int, states: States, state: int, chain: NDArray[np.float64]
) -> None:
    """Write to `chain[0]` the number of ways to fill a chain, by the colour that its first cell is shown.

    Each cell takes any unused tile, whether or not another cell of the chain takes it too. From the far end on, the
    ways of each tile are added up. A cell may also have a mismatch with the one before it, or with its other neighbour:
    these ways count `FAULT` each.
    """
    behind, way = late.behind[step, kind], late.side[step, kind]
    for colour in range(route.colours):
        open_end = behind == NONE or (colour == states.frontier[state, behind] and colour != route.colours - 1)
        chain[0, colour] = 1.0 if open_end else FAULT
    for place in range(late.links[step, kind, 1] - 1, late.links[step, kind, 0] - 1, -1):
        total, most = 0.0, 0.0
        for colour in range(route.colours):
            most = max(most, chain[0, colour])
            chain[1, colour] = 0.0
        entry = late.table[place]
        if late.by[place, 1] == NONE:
            entry += int(states.frontier[state, late.by[place, 0]])
        else:
            entry += int(states.frontier[state, late.by[place, 0]]) * route.colours
            entry += int(states.frontier[state, late.by[place, 1]])
        for word in range(states.used.shape[1]):
            unused = late.tiles[entry, word] & ~states.used[state, word]
            while unused != 0:
                tile = 64 * word + lowest(unused)
                unused &= unused - np.uint64(1)
                for rotation in range(4):
                    if late.turns[entry, tile] >> rotation & 1:
                        code = 4 * tile + rotation
                        ways = chain[0, route.opens[code, way]]
                        chain[1, route.sides[code, way ^ 2]] += ways
                        total += ways
        chain[1, GREY] = 0.0  # grey matches nothing
        for colour in range(route.colours):
            chain[0, colour] = chain[1, colour] + FAULT * (total + most)


@inlined
def chain_value(route: Route, late: Late, step: int, kind: int, state: int, code: int, scratch: Scratch) -> float:
    """Return the logarithm of the number of ways to fill a chain once a tile is placed."""
    return log(scratch.ways[state, kind, route.opens[code, late.side[step, kind]]])
