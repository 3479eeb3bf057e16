"""The next states of a beam search, compiled: made from the best children, without duplicates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import inlined, jit
from solvers.construct.beam_states import Children, History, Scratch, States
from solvers.construct.route import NONE, Route


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
        following.gathered[kept], following.across[kept] = children.gathered[child], children.across[child]
        following.hashes[kept] = sign
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
    following.gathered[0] = following.across[0] = (
        0  # this state is an ancestor of all others, so only differences from it count
    )
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
