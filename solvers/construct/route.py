"""`Route`: precomputed data of a beam search: its cells in order, the known sides of each, and the tiles that fit.

A side between a filled cell and an empty one has a slot, in which each state stores its colour; a slot is reused as
soon as the second cell is filled, so that a state has no more slots than the frontier has sides. At each step some
sides of the cell are known. Children that match all of them are found in a list of tiles by two of their colours; those
that match all but one, in lists by the others; and so on. These lists are the queries of a step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.lattice import Lattice, make_lattice
from operators.paths import make_path
from puzzles import DOWN, EMPTY, GREY, LEFT, RIGHT, UP, Hint, Puzzle
from solvers.construct.tile_lists import TileLists, is_framed

NONE = -1
"""No slot."""
OWN = 1 << 20
"""Offset that marks sides of the tile being placed; larger than any slot."""
DEFAULT_PATH = "rows_columns"
"""The best path found on Eternity II."""


class Route(NamedTuple):
    """The steps of a beam search, as arrays for compiled code. A row of each array but the last six is a step."""

    cells: NDArray[np.int64]
    known: NDArray[np.int64]
    """The slot of the colour on each side whose neighbour is filled; NONE for the others."""
    opened: NDArray[np.int64]
    """The slot of each side whose neighbour is filled later; NONE for the others."""
    ahead: NDArray[np.int64]
    """The source of the colour on each known side of the next cell: a slot, or `OWN + side` of the new tile."""
    first_query: NDArray[np.int64]
    """The first query of each step, which is for perfect fits, and the end of the last step's queries."""
    misses: NDArray[np.int64]
    """By query, the number of known sides that do not match."""
    matched: NDArray[np.int64]
    """By query, the sides that match, as bits; other known sides do not match."""
    table: NDArray[np.int64]
    """By query, where its table begins in `heads`."""
    by: NDArray[np.int64]
    """By query, the slots of the two colours that select an entry of the table, or NONE."""
    by_ahead: NDArray[np.int64]
    """By step, the same for the first query of the next step, with sources as in `ahead`."""
    listed: NDArray[np.bool_]
    """By query, whether the table alone decides, because no other side is known."""
    heads: NDArray[np.int64]
    """Where the tiles of each entry begin in `fitting`; they end at the next head."""
    fitting: NDArray[np.uint16]
    """Oriented tiles, `tile * 4 + rotation`."""
    sides: NDArray[np.uint8]
    """The four colours of each oriented tile."""
    opens: NDArray[np.uint8]
    """The same as seen by the neighbour: grey, which matches nothing, is replaced by an unused colour."""
    twice: NDArray[np.bool_]
    """Whether an oriented tile has a colour other than grey twice."""
    colours: int
    """Number of colours, including grey and its replacement in slots."""
    slots: int
    """Number of slots of a state."""


class Beginning(NamedTuple):
    """The initial state of a beam search, with the pinned tiles in place."""

    used: NDArray[np.uint64]
    frontier: NDArray[np.uint8]
    left: NDArray[Any]
    """Number of sides of each colour on unused tiles, in the smallest type that holds them."""
    mismatches: int
    cells: NDArray[np.uint16]


def make_route(
    puzzle: Puzzle, path: str | Sequence[int] = DEFAULT_PATH, pins: Iterable[Hint] = ()
) -> tuple[Route, Beginning]:
    """Return the route of a beam search along a path, and its initial state.

    Args:
        puzzle: The puzzle to solve.
        path: A name in `operators.PATHS`, or the cells in order.
        pins: Hints to keep in place.

    Raises:
        OperatorError: The path is invalid.
    """
    lattice = make_lattice(puzzle, pins)
    order = make_path(path, *puzzle.shape)
    cells = np.array([cell for cell in order.tolist() if not lattice.pinned[cell]], dtype=np.int64)
    known, opened, frontier, slots = _slots(puzzle, lattice, cells)
    free = np.flatnonzero(~np.isin(np.arange(puzzle.size), lattice.pins[lattice.pinned] >> 2))
    lists = TileLists(puzzle, free, is_framed(puzzle, lattice))
    first, misses, matched, table, by, listed = [0], [], [], [], [], []
    for cell, sides in zip(cells.tolist(), known.tolist(), strict=True):
        there = [side for side in range(4) if sides[side] != NONE]
        for missing in range(len(there) + 1):
            for kept in combinations(there, len(there) - missing):
                pair = kept[:2]
                misses.append(missing)
                matched.append(sum(1 << side for side in kept))
                table.append(lists.table(cell, pair))
                by.append([sides[side] for side in pair] + [NONE] * (2 - len(pair)))
                listed.append(len(pair) == len(there))
        first.append(len(misses))
    oriented = np.ascontiguousarray(puzzle.sides.T)
    ahead = _ahead(known, opened)
    by_ahead = np.full((len(cells), 2), NONE)
    for step in range(len(cells) - 1):
        found = [source for source in ahead[step].tolist() if source != NONE][:2]
        by_ahead[step, : len(found)] = found
    route = Route(
        cells=cells,
        known=known,
        opened=opened,
        ahead=ahead,
        first_query=np.array(first),
        misses=np.array(misses),
        matched=np.array(matched),
        table=np.array(table),
        by=np.array(by),
        by_ahead=by_ahead,
        listed=np.array(listed),
        heads=np.array(lists.heads),
        fitting=np.array(lists.fitting, dtype=np.uint16),
        sides=oriented,
        opens=_opens(oriented),
        twice=_twice(oriented),
        colours=lists.colours,
        slots=slots,
    )
    return route, _beginning(puzzle, lattice, free, frontier, slots)


def _slots(
    puzzle: Puzzle, lattice: Lattice, cells: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], dict[int, int], int]:
    """Return known and opened slots of each step, the initial colours from pinned tiles, and the number of slots.

    Slots of known sides can be reused for the sides that the same step opens.
    """
    when = {cell: step for step, cell in enumerate(cells.tolist())}
    spare: list[int] = []
    held: dict[tuple[int, int], int] = {}  # (later cell, its side) -> slot
    count = 0
    frontier: dict[int, int] = {}

    def take(later: int, side: int) -> int:
        nonlocal count
        if not spare:
            spare.append(count)
            count += 1
        held[later, side] = spare.pop()
        return held[later, side]

    for cell in np.flatnonzero(lattice.pinned).tolist():
        for side in range(4):
            near = int(lattice.near[cell, side])
            if near in when:
                colour = int(puzzle.sides[side, lattice.pins[cell]])
                frontier[take(near, _opposite(side))] = colour if colour != GREY else int(puzzle.tiles.max()) + 1
    known, opened = np.full((2, len(cells), 4), NONE)
    for step, cell in enumerate(cells.tolist()):
        for side in range(4):
            if (cell, side) in held:
                known[step, side] = held[cell, side]
        spare += [int(slot) for slot in known[step] if slot != NONE]
        for side in range(4):
            near = int(lattice.near[cell, side])
            if when.get(near, NONE) > step:
                opened[step, side] = take(near, _opposite(side))
    return known, opened, frontier, max(count, 1)


def _ahead(known: NDArray[np.int64], opened: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sources of the colours on the next cell's known sides; NONE at the last step."""
    ahead = np.full(known.shape, NONE)
    for step in range(len(known) - 1):
        for side in range(4):
            slot = known[step + 1, side]
            own = np.flatnonzero(opened[step] == slot)
            ahead[step, side] = OWN + own[0] if len(own) and slot != NONE else slot
    return ahead


def _beginning(
    puzzle: Puzzle, lattice: Lattice, free: NDArray[np.int64], frontier: dict[int, int], slots: int
) -> Beginning:
    used = np.zeros((puzzle.size + 63) // 64, dtype=np.uint64)
    for tile in np.setdiff1d(np.arange(puzzle.size), free).tolist():
        used[tile >> 6] |= np.uint64(1 << (tile & 63))
    held = np.zeros(slots, dtype=np.uint8)
    for slot, colour in frontier.items():
        held[slot] = colour
    left = np.bincount(puzzle.tiles[free].ravel(), minlength=int(puzzle.tiles.max()) + 1)
    left = left.astype(np.uint8 if left.max() < 256 else np.uint16)
    cells = lattice.pins.copy()
    mismatches = 0
    for cell in np.flatnonzero(lattice.pinned).tolist():
        for side in (RIGHT, DOWN):
            near = int(lattice.near[cell, side])
            if near < puzzle.size and cells[near] != EMPTY:
                colour = puzzle.sides[side, cells[cell]]
                mismatches += int(colour != puzzle.sides[_opposite(side), cells[near]] or colour == GREY)
    return Beginning(used, held, left, mismatches, cells)


def _opposite(side: int) -> int:
    return {UP: DOWN, RIGHT: LEFT, DOWN: UP, LEFT: RIGHT}[side]


def _opens(sides: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.where(sides == GREY, sides.max() + 1, sides).astype(np.uint8)


def _twice(sides: NDArray[np.uint8]) -> NDArray[np.bool_]:
    ordered = np.sort(sides, axis=1)
    twice: NDArray[np.bool_] = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != GREY)).any(axis=1)
    return twice
