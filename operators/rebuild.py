"""Mutation by rebuilding: a region is emptied and filled again with its own tiles by a narrow beam.

The tiles of a region are the bits of a word, and for each colour and side there is the set of tiles that show it there.
So the tiles that match one, two, three or four neighbours of a cell are found by a few operations on words for all of
them at once, and only the children that the beam keeps are ever looked at one by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.bits import lowest, popcount
from operators.errors import OperatorError
from operators.holes import equal_sides, is_framed, packed_sides, walls_of
from operators.lattice import Lattice, side_code
from operators.randomness import below
from operators.rebuild_region import OUTSIDE, Regions, choose_region, make_regions
from puzzles.compiled import inlined
from puzzles.scoring import GREY_LEFT_UP, GREY_RIGHT_DOWN, WALL

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_GREY = ~WALL
_NOBODY = GREY_RIGHT_DOWN
"""A side code whose sets of tiles are empty, because grey matches nothing."""


class Rebuild(NamedTuple):
    """How regions are chosen and rebuilt, with working memory that is allocated once."""

    regions: Regions
    width: int
    """The number of states that the beam keeps."""
    showing: NDArray[np.uint64]
    """By side code and side, the tiles that show it there; the sides are there twice, for turned tiles."""
    walled: NDArray[np.uint64]
    """By sides that face the wall and turn, the tiles that are grey there and nowhere else."""
    laid: NDArray[np.uint16]
    """By parity of the step and state, the oriented tiles laid so far."""
    used: NDArray[np.uint64]
    """By parity and state, the tiles laid so far as a set."""
    misses: NDArray[np.int64]
    """By parity and state, the edges around these tiles that do not match."""
    matching: NDArray[np.uint64]
    """By state, turn, and number of sides that match, the tiles that may come next."""
    counts: NDArray[np.int64]
    """By number of mismatches, the children of all states."""
    source: NDArray[np.int64]
    """By side of the next cell, the place in the region of the tile that it has to match, or OUTSIDE."""
    wanted: NDArray[np.uint32]
    """By side of the next cell, the code that it has to match if that is the same for all states."""
    tiles: NDArray[np.uint16]


def make_rebuild(lattice: Lattice, sizes: tuple[int, int], width: int, rectangles: float) -> Rebuild:
    """Return how regions of a board are rebuilt.

    Args:
        lattice: The board.
        sizes: The least and the greatest number of cells of a region.
        width: The number of states that the beam keeps.
        rectangles: The probability that a region is a rectangle; the others are blobs.

    Raises:
        OperatorError: The sizes or the width are invalid, or the sizes larger than the board.
    """
    if width < 1:
        raise OperatorError(f"width of a beam: expected 1 or more; found {width}")
    regions = make_regions(lattice, sizes, rectangles)
    return Rebuild(
        regions,
        width,
        np.zeros((256, 8), np.uint64),
        np.zeros((16, 4), np.uint64),
        np.zeros((2, width, regions.most), np.uint16),
        np.zeros((2, width), np.uint64),
        np.zeros((2, width), np.int64),
        np.zeros((width, 4, 5), np.uint64),
        np.zeros(4 * regions.most + 1, np.int64),
        np.zeros(4, np.int64),
        np.zeros(4, np.uint32),
        np.zeros(regions.most, np.uint16),
    )


@inlined
def rebuild(rng: np.random.Generator, lattice: Lattice, cells: NDArray[np.uint16], how: Rebuild | None) -> None:
    """Rebuild a region of a board around an unmatched cell; a valid frame stays valid, and pinned cells stay."""
    if how is None:
        return
    count = choose_region(rng, lattice, cells, how.regions)
    if count > 1:
        refill(rng, lattice, cells, count, how)
    for k in range(count):
        how.regions.place[how.regions.chosen[k]] = OUTSIDE


@inlined
def refill(
    rng: np.random.Generator, lattice: Lattice, cells: NDArray[np.uint16], count: int, how: Rebuild
) -> int:
    """Fill the first `count` chosen cells again with their own tiles; return the mismatches of their edges."""
    chosen = how.regions.chosen
    framed = is_framed(lattice, cells)
    for k in range(count):
        how.tiles[k] = cells[chosen[k]]
    _gather(lattice, count, how)
    how.used[0, 0], how.misses[0, 0], states = _ZERO, 0, 1
    everything = ~_ZERO >> np.uint64(64 - count)
    for step in range(count):
        known = _look_around(lattice, cells, chosen[step], step, how)
        walls = packed_sides(walls_of(lattice, chosen[step])) if framed else -1
        fewest = _match(lattice, step, states, known, walls, everything, how)
        states = _keep(rng, step, states, known, fewest, how)
    best, ties = 0, 1
    for state in range(1, states):
        if how.misses[count & 1, state] > how.misses[count & 1, best]:
            break  # states are in order
        ties += 1
        if below(rng, ties) == 0:
            best = state
    for k in range(count):
        cells[chosen[k]] = how.laid[count & 1, best, k]
    return how.misses[count & 1, best]


@inlined
def _gather(lattice: Lattice, count: int, how: Rebuild) -> None:
    """Enter the tiles of a region into the sets by colour and side, and by the sides on which they are grey."""
    showing, walled = how.showing, how.walled
    showing[:], walled[:] = _ZERO, _ZERO
    for k in range(count):
        tile, bit = how.tiles[k], _ONE << np.uint64(k)
        codes = lattice.codes[tile]
        for side in range(4):
            code = side_code(codes, side)
            if code != GREY_LEFT_UP and code != GREY_RIGHT_DOWN:
                showing[code, side] |= bit
                showing[code, side + 4] |= bit
        for turn in range(4):
            turned = (tile & 0xFFFC) | ((tile + turn) & 3)
            walled[packed_sides(equal_sides(lattice.codes[turned] ^ _GREY)), turn] |= bit


@inlined
def _look_around(lattice: Lattice, cells: NDArray[np.uint16], cell: int, step: int, how: Rebuild) -> int:
    """Note what the next cell has to match on each side; return the number of sides that count and are known."""
    known, wall = 0, lattice.rows * lattice.cols
    for side in range(4):
        near = lattice.near[cell][side]
        place = how.regions.place[near]
        how.source[side], how.wanted[side] = OUTSIDE, _NOBODY
        if near == wall or place >= step or side_code(lattice.uncounted[cell], side):
            continue
        known += 1
        if place == OUTSIDE:
            how.wanted[side] = side_code(lattice.codes[cells[near]], (side + 2) & 3)
        else:
            how.source[side] = place
    return known


@inlined
def _match(
    lattice: Lattice, step: int, states: int, known: int, walls: int, everything: np.uint64, how: Rebuild
) -> int:
    """Find the tiles that may come next in each state, by turn and matches, and count them; return the fewest misses.

    Args:
        lattice: The board.
        step: The number of tiles laid.
        states: The number of states.
        known: The number of sides of the next cell that are known.
        walls: The sides of the next cell that must be grey, no other being grey; -1 if there is no frame.
        everything: The tiles of the region.
        how: Working memory.
    """
    now = step & 1
    used, misses, matching, counts, showing = how.used[now], how.misses[now], how.matching, how.counts, how.showing
    counts[:] = 0
    fewest = len(counts)
    for state in range(states):
        up, right = _code_on(lattice, now, state, 0, how), _code_on(lattice, now, state, 1, how)
        down, left = _code_on(lattice, now, state, 2, how), _code_on(lattice, now, state, 3, how)
        worst = misses[state] + known
        for turn in range(4):
            free = everything & ~used[state]
            if walls >= 0:
                free &= how.walled[walls, turn]
            a, b = showing[up, 4 - turn], showing[right, 5 - turn]
            c, d = showing[down, 6 - turn], showing[left, 7 - turn]
            both, either, all_two, any_two = a & b, a | b, c & d, c | d
            four = both & all_two & free
            three = ((both & any_two) | (either & all_two)) & free
            two = (both | all_two | (either & any_two)) & free
            one = (either | any_two) & free
            matching[state, turn, 0] = free & ~one
            matching[state, turn, 1] = one & ~two
            matching[state, turn, 2] = two & ~three
            matching[state, turn, 3] = three & ~four
            matching[state, turn, 4] = four
            for matches in range(known + 1):
                found = popcount(matching[state, turn, matches])
                counts[worst - matches] += found
                if found:
                    fewest = min(fewest, worst - matches)
    return fewest


@inlined
def _code_on(lattice: Lattice, now: int, state: int, side: int, how: Rebuild) -> np.uint32:
    """Return the code that a side of the next cell has to match in a state."""
    source = how.source[side]
    if source == OUTSIDE:
        return how.wanted[side]
    return np.uint32(side_code(lattice.codes[how.laid[now, state, source]], (side + 2) & 3))


@inlined
def _keep(rng: np.random.Generator, step: int, states: int, known: int, fewest: int, how: Rebuild) -> int:
    """Keep the children with the fewest mismatches, a random choice of equals; return how many are kept."""
    kept, misses = 0, fewest
    while kept < how.width and misses < len(how.counts):
        left = how.counts[misses]
        if left <= how.width - kept:
            for state in range(states):
                matches = how.misses[step & 1, state] + known - misses
                if 0 <= matches <= known:
                    for turn in range(4):
                        tiles = how.matching[state, turn, matches]
                        while tiles:
                            _add(step, state, turn, lowest(tiles), misses, kept, how)
                            tiles &= tiles - _ONE
                            kept += 1
        else:
            while kept < how.width:
                state, turn, tile = _take(step, states, known, misses, below(rng, left), how)
                left -= 1
                _add(step, state, turn, tile, misses, kept, how)
                kept += 1
        misses += 1
    return kept


@inlined
def _take(step: int, states: int, known: int, misses: int, rank: int, how: Rebuild) -> tuple[int, int, int]:
    """Take the child of a given rank out of those with a number of mismatches: its state, turn and tile."""
    for state in range(states):
        matches = how.misses[step & 1, state] + known - misses
        if 0 <= matches <= known:
            for turn in range(4):
                tiles = how.matching[state, turn, matches]
                found = popcount(tiles)
                if rank < found:
                    for _ in range(rank):
                        tiles &= tiles - _ONE
                    taken = lowest(tiles)
                    how.matching[state, turn, matches] ^= _ONE << np.uint64(taken)
                    return state, turn, taken
                rank -= found
    return 0, 0, 0  # never reached: the rank is below the number of children


@inlined
def _add(step: int, state: int, turn: int, tile: int, misses: int, kept: int, how: Rebuild) -> None:
    """Make a child of a state."""
    now, then = step & 1, (step + 1) & 1
    from_laid, to_laid = how.laid[now, state], how.laid[then, kept]
    for k in range(step):
        to_laid[k] = from_laid[k]
    code = how.tiles[tile]
    to_laid[step] = (code & 0xFFFC) | ((code + turn) & 3)
    how.used[then, kept] = how.used[now, state] | (_ONE << np.uint64(tile))
    how.misses[then, kept] = misses
