"""`Late`: precomputed data of the late part of a beam search, in which states are ranked by what they leave to fill.

A *chain* is a straight line of empty cells that starts next to the cell being filled, and each of which has a known
colour on a side other than those along the line: the tiles that fit can be counted cell by cell. There are two kinds.
The chain *along* the path is the rest of the line that the path is in; the chain *across* is the longest one in another
direction. Where the last rows are filled column by column, they are the rest of the column, at every cell, and the next
cells of the topmost of these rows, at its cells. Along some other paths there are hardly any chains.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import lgamma, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.lattice import Lattice, make_lattice
from operators.paths import make_path
from puzzles import Hint, Puzzle
from solvers.construct.route import NONE, Route
from solvers.construct.tile_lists import TileLists, is_framed

ALONG, ACROSS = 0, 1
"""The two kinds of chains."""
REACH = 5
"""The maximum number of cells of a chain."""
_LARGEST_GAIN = lgamma(1.5) + log(2) / 2
"""The largest gain of `completions` by a side that is used up and not matched: the last one of its colour."""


class Late(NamedTuple):
    """The late part of a route, as arrays for compiled code."""

    first: int
    """The first step of the late part; the number of steps if there is none."""
    holds: NDArray[np.bool_]
    """By step and slot, whether the slot holds the colour of an open side before the step."""
    side: NDArray[np.int64]
    """By step and kind of chain, the side of the cell at which the chain starts; NONE if there is no chain."""
    links: NDArray[np.int64]
    """By step, kind of chain, and 0 or 1: the first link of the chain, and the end of its links. A link is a cell."""
    behind: NDArray[np.int64]
    """By step and kind of chain, the slot of the colour that is known at the far end of the chain, or NONE."""
    kept: NDArray[np.bool_]
    """By step, whether the chain across of an earlier step still counts, because its first cell is empty."""
    table: NDArray[np.int64]
    """By link, the first entry of the table of its tiles."""
    by: NDArray[np.int64]
    """By link, the slots of the two colours that select an entry of the table, or NONE."""
    tiles: NDArray[np.uint64]
    """By entry, its tiles as bits, so that used ones cost no time."""
    turns: NDArray[np.uint8]
    """By entry and tile, the rotations in which the tile fits, as bits."""
    allowance: NDArray[np.float64]
    """By query of the route, the largest gain of `completions` by the sides of a tile that are not matched."""


def make_late(puzzle: Puzzle, route: Route, rows: float, path: str | Sequence[int], pins: Iterable[Hint] = ()) -> Late:
    """Return the late part of a route: its steps in the last cells of a path.

    Args:
        puzzle: The puzzle.
        route: The route, along the same path and with the same pins.
        rows: The length of the late part, in multiples of the length of a row; 0 for none.
        path: A name in `operators.PATHS`, or the cells in order.
        pins: Hints to keep in place.
    """
    lattice = make_lattice(puzzle, pins)
    steps = len(route.cells)
    filled = np.full(puzzle.size + 1, steps)  # the step that fills each cell; walls are never filled
    filled[:-1][lattice.pinned] = NONE
    filled[route.cells] = np.arange(steps)
    last = make_path(path, *puzzle.shape)[max(0, puzzle.size - int(rows * puzzle.cols)) :]
    first = int(filled[last][filled[last] != NONE].min(initial=steps))
    free = np.flatnonzero(~np.isin(np.arange(puzzle.size), lattice.pins[lattice.pinned] >> 2))
    framed = is_framed(puzzle, lattice)
    lists = TileLists(puzzle, free, framed)
    side, behind = np.full((2, steps, 2), NONE)
    links = np.zeros((steps, 2, 2), dtype=np.int64)
    kept = np.zeros(steps, dtype=bool)
    table: list[int] = []
    by: list[list[int]] = []
    waiting = NONE  # the first cell of the last chain across
    for step in range(first, steps):
        cell = int(route.cells[step])
        following = int(route.cells[step + 1]) if step + 1 < steps else NONE
        chains = [_chain(lattice, filled, cell, way, step) for way in range(4)]
        ways = [way for way in range(4) if lattice.near[cell, way] == following]
        others = [way for way in range(4) if way not in ways and chains[way]]
        chosen = ways, sorted(others, key=lambda way: -len(chains[way]))[:1]
        for kind in (ALONG, ACROSS):
            for way in chosen[kind]:
                if not chains[way]:
                    continue
                side[step, kind] = way
                links[step, kind] = len(table), len(table) + len(chains[way])
                for link in chains[way]:
                    across = _known(lattice, filled, link, way, step)
                    slots = [int(route.known[filled[link], other]) for other in across]
                    table.append(lists.table(link, across))
                    by.append(slots + [NONE] * (2 - len(slots)))
                end = chains[way][-1]
                if filled[lattice.near[end, way]] < step:
                    behind[step, kind] = route.known[filled[end], way]
        if side[step, ACROSS] != NONE:
            waiting = int(lattice.near[cell, side[step, ACROSS]])
        elif waiting != NONE and filled[waiting] > step:
            kept[step] = True
    tiles, turns = _bits(puzzle, lists)
    return Late(
        first=first,
        holds=_holds(route, lattice, filled),
        side=side,
        links=links,
        behind=behind,
        kept=kept,
        table=np.array(table, dtype=np.int64),
        by=np.array(by, dtype=np.int64).reshape(-1, 2),
        tiles=tiles,
        turns=turns,
        allowance=_allowance(route, framed),
    )


def _chain(lattice: Lattice, filled: NDArray[np.int64], cell: int, way: int, step: int) -> list[int]:
    """Return the cells of the chain that starts at a side of a cell; none if there is no chain."""
    chain: list[int] = []
    following = int(lattice.near[cell, way])
    while len(chain) < REACH and step < filled[following] and _known(lattice, filled, following, way, step):
        chain.append(following)
        following = int(lattice.near[following, way])
    return chain


def _known(lattice: Lattice, filled: NDArray[np.int64], cell: int, way: int, step: int) -> tuple[int, ...]:
    """Return the sides of a cell, other than those along a line, whose colours are known before a step."""
    if cell == len(filled) - 1:
        return ()
    return tuple(side for side in range(4) if side % 2 != way % 2 and filled[lattice.near[cell, side]] < step)


def _bits(puzzle: Puzzle, lists: TileLists) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """Return the tiles of each entry as bits, and the rotations of each tile as bits."""
    ends = np.array([*lists.heads[1:], len(lists.fitting)], dtype=np.int64)
    sizes = ends - np.array(lists.heads, dtype=np.int64)
    entries = np.repeat(np.arange(len(sizes)), sizes)
    tiles, rotations = np.divmod(np.array(lists.fitting, dtype=np.int64), 4)
    bits = np.zeros((len(sizes), (puzzle.size + 63) // 64), dtype=np.uint64)
    np.bitwise_or.at(bits, (entries, tiles >> 6), np.uint64(1) << (tiles & 63).astype(np.uint64))
    turns = np.zeros((len(sizes), puzzle.size), dtype=np.uint8)
    np.bitwise_or.at(turns, (entries, tiles), (1 << rotations).astype(np.uint8))
    return bits, turns


def _holds(route: Route, lattice: Lattice, filled: NDArray[np.int64]) -> NDArray[np.bool_]:
    holds = np.zeros((len(route.cells), route.slots), dtype=bool)
    for step, cell in enumerate(route.cells.tolist()):
        for side in range(4):
            if route.known[step, side] != NONE:
                holds[filled[lattice.near[cell, side]] + 1 : step + 1, route.known[step, side]] = True
    return holds


def _allowance(route: Route, framed: bool) -> NDArray[np.float64]:
    """Return the largest gain of `completions` that unmatched sides allow, by query: only grey faces a framed wall."""
    walls = ((route.known == NONE) & (route.opened == NONE)).sum(axis=1)
    queries = np.diff(route.first_query)
    unmatched = route.misses + (0 if framed else np.repeat(walls, queries))
    allowance: NDArray[np.float64] = _LARGEST_GAIN * unmatched
    return allowance
