"""Decoders of orders: a permutation of tiles becomes a board, the same one every time.

The paper ends with the wish for a chromosome that is an array of tiles whose order drives a search. Here a depth-first
search along a path tries the tiles that fit a cell in that order, for a number of nodes. From its deepest point the
first tile that fits goes into each cell; cells that none fits are left as holes, and are filled at the end by
assignment, so that the most edges match. Without nodes, that is first fit from the first cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators import Lattice, make_lattice, make_path
from operators.assignment import assign
from operators.bits import popcount
from operators.holes import walls_of, wanted_so_far
from operators.initialise import fits
from operators.neighbourhood import NeighbourhoodScratch, make_neighbourhood_scratch
from operators.repair import weigh
from puzzles import EMPTY, GREY, Hint, Puzzle
from puzzles.compiled import inlined, jit
from solvers.construct.tile_lists import TileLists, is_framed

_FIRST, _SECOND = 1, 2
"""Which sides of a cell are known, as bits: the number of its list of tiles."""
_MOST_HOLES = 256
"""The largest number of holes that one assignment fills."""


class DecoderTable(NamedTuple):
    """The steps along the path, and where the tiles that may be placed at each are listed."""

    cells: NDArray[np.int32]
    """The cells of the path that are not pinned."""
    near: NDArray[np.int32]
    """By step, two cells beside it that hold a tile by then; `size`, the wall, if there are none."""
    facing: NDArray[np.int32]
    """Their sides that face the cell of the step."""
    lists: NDArray[np.int32]
    """By step and known sides, where its lists begin in `heads`."""
    more: NDArray[np.bool_]
    """By step, whether more than two sides may be known."""
    heads: NDArray[np.int32]
    """Where each list begins in the array of tiles; it ends at the next head."""
    listed: NDArray[np.int32]
    """The lists that each oriented tile is in; `starts` tells where they begin."""
    starts: NDArray[np.int32]
    colours: NDArray[np.int64]
    """The colours of the sides of each oriented tile; grey is replaced, as it matches nothing."""
    stride: int
    """The number of colours."""
    greys: NDArray[np.int8]
    """The number of grey sides of each tile."""
    framed: bool
    """Whether grey is put on the rim and nowhere else."""


class DecoderScratch(NamedTuple):
    """Working memory of `decode`, allocated once and reused."""

    fitting: NDArray[np.uint16]
    """The lists of tiles, in the order of the chromosome."""
    filled: NDArray[np.int32]
    at: NDArray[np.int32]
    """By step, where the next tile to try is listed."""
    end: NDArray[np.int32]
    """By step, where its list ends."""
    used: NDArray[np.bool_]
    best: NDArray[np.uint16]
    """The tiles of the deepest point, by step."""
    holes: NDArray[np.int32]
    neighbourhood: NeighbourhoodScratch


class OrderDecoder:
    """Turns orders of tiles into boards by a depth-first search of limited length.

    Args:
        puzzle: The puzzle.
        nodes: The number of tiles that the search may place; 0 for first fit alone.
        path: A name in `operators.PATHS`, or the cells in order.
        pins: Hints to keep in place.
    """

    def __init__(
        self, puzzle: Puzzle, nodes: int, *, path: str | Sequence[int] = "row", pins: Iterable[Hint] = ()
    ) -> None:
        self.nodes = nodes
        self._lattice = make_lattice(puzzle, pins)
        self._table = _make_table(puzzle, self._lattice, make_path(path, *puzzle.shape))
        self._scratch = _make_scratch(self._lattice, self._table)

    def __call__(self, order: NDArray[np.uint16], cells: NDArray[np.uint16]) -> None:
        """Write the board of an order of all tiles; pinned tiles stay where they are, wherever the order has them.

        Args:
            order: Every tile once.
            cells: The cells, followed by an entry for the wall.
        """
        decode(self._lattice, self._table, order, self.nodes, cells, self._scratch)


def _make_table(puzzle: Puzzle, lattice: Lattice, path: NDArray[np.int64]) -> DecoderTable:
    framed, size = is_framed(puzzle, lattice), puzzle.size
    pinned = lattice.pins[lattice.pinned] >> 2
    lists = TileLists(puzzle, np.setdiff1d(np.arange(size), pinned), framed)
    steps = path[~lattice.pinned[path]]
    number = np.full(size + 1, size)  # of the step that fills a cell; the wall comes last
    number[steps], number[:size][lattice.pinned] = np.arange(len(steps)), -1
    near, facing = np.full((len(steps), 2), size, dtype=np.int32), np.zeros((len(steps), 2), dtype=np.int32)
    begins, more = np.zeros((len(steps), 4), dtype=np.int32), np.zeros(len(steps), dtype=np.bool_)
    for step, cell in enumerate(steps.tolist()):
        known = [side for side in range(4) if number[lattice.near[cell][side]] < step]
        pair, more[step] = known[:2], len(known) > 2
        near[step, : len(pair)] = lattice.near[cell][pair]
        facing[step, : len(pair)] = [(side + 2) & 3 for side in pair]
        for kind in range(1 << len(pair)):
            begins[step, kind] = lists.table(cell, tuple(side for k, side in enumerate(pair) if kind >> k & 1))
    colours = np.where(puzzle.sides == GREY, lists.colours - 1, puzzle.sides).T
    listed, starts = _inverse(lists, 4 * size)
    greys = (puzzle.tiles == GREY).sum(axis=1).astype(np.int8)
    return DecoderTable(
        steps.astype(np.int32), near, facing, begins, more, np.array(lists.heads, dtype=np.int32), listed, starts,
        np.ascontiguousarray(colours, dtype=np.int64), lists.colours, greys, framed,
    )  # fmt: skip


def _inverse(lists: TileLists, codes: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the lists that each oriented tile is in, and where they begin."""
    heads = np.array(lists.heads)
    lengths = np.maximum(np.diff(heads), 0)
    number = np.repeat(np.arange(len(lengths)), lengths)
    fitting = np.array(lists.fitting)
    starts = np.searchsorted(np.sort(fitting), np.arange(codes + 1))
    return number[np.argsort(fitting, kind="stable")].astype(np.int32), starts.astype(np.int32)


def _make_scratch(lattice: Lattice, table: DecoderTable) -> DecoderScratch:
    size, steps = lattice.rows * lattice.cols, len(table.cells)
    return DecoderScratch(
        np.zeros(len(table.listed), np.uint16), np.zeros(len(table.heads), np.int32), np.zeros(steps + 1, np.int32),
        np.zeros(steps + 1, np.int32), np.zeros(size, np.bool_), np.zeros(steps, np.uint16), np.zeros(size, np.int32),
        make_neighbourhood_scratch(lattice, _MOST_HOLES),
    )  # fmt: skip


@jit
def decode(
    lattice: Lattice,
    table: DecoderTable,
    order: NDArray[np.uint16],
    nodes: int,
    cells: NDArray[np.uint16],
    scratch: DecoderScratch,
) -> None:
    """Write the board of an order; see `OrderDecoder`."""
    _list_tiles(table, order, scratch)
    used = scratch.used
    for cell in range(len(used)):
        cells[cell], used[cell] = lattice.pins[cell], False
    for pin in lattice.pins:
        if pin != EMPTY:
            used[pin >> 2] = True
    deepest = _descend(lattice, table, nodes, cells, scratch)
    holes = _first_fit(lattice, table, deepest, cells, scratch)
    if holes:
        _fill_holes(lattice, table, order, holes, cells, scratch)


@inlined
def _list_tiles(table: DecoderTable, order: NDArray[np.uint16], scratch: DecoderScratch) -> None:
    """Write every list of tiles in the order of the chromosome."""
    filled = scratch.filled
    for number in range(len(filled)):
        filled[number] = table.heads[number]
    for tile in order:
        for code in range(4 * int(tile), 4 * int(tile) + 4):
            for k in range(table.starts[code], table.starts[code + 1]):
                number = table.listed[k]
                scratch.fitting[filled[number]] = code
                filled[number] += 1


@inlined
def _open(table: DecoderTable, step: int, cells: NDArray[np.uint16], scratch: DecoderScratch) -> None:
    """Begin the list of the tiles that fit the cell of a step, by its sides that are known."""
    kind = entry = 0
    for k in range(2):
        near = table.near[step, k]
        held = cells[near]
        if near < len(scratch.used) and held != EMPTY:
            kind |= 1 << k
            entry = entry * table.stride + table.colours[held, table.facing[step, k]]
    head = table.lists[step, kind] + entry
    scratch.at[step], scratch.end[step] = table.heads[head], table.heads[head + 1]


@inlined
def _next(
    lattice: Lattice, table: DecoderTable, step: int, cells: NDArray[np.uint16], scratch: DecoderScratch
) -> np.uint16:
    """Return the next tile of the list of a step that is unused and fits; EMPTY if there is none."""
    at, end, found = scratch.at[step], scratch.end[step], np.uint16(EMPTY)
    while at < end:
        code = scratch.fitting[at]
        at += 1
        if scratch.used[code >> 2]:
            continue
        if table.more[step] and not fits(lattice, cells, table.cells[step], code, table.framed):
            continue
        found = code
        break
    scratch.at[step] = at
    return found


@inlined
def _descend(
    lattice: Lattice, table: DecoderTable, nodes: int, cells: NDArray[np.uint16], scratch: DecoderScratch
) -> int:
    """Search depth first until `nodes` tiles were placed; leave the deepest point on the board, return its depth."""
    if nodes == 0 or len(table.cells) == 0:
        return 0
    used, best = scratch.used, scratch.best
    depth = deepest = placed = 0
    _open(table, 0, cells, scratch)
    while True:
        code = _next(lattice, table, depth, cells, scratch)
        if code != EMPTY:
            cells[table.cells[depth]] = code
            used[code >> 2] = True
            depth, placed = depth + 1, placed + 1
            if placed < nodes and depth < len(table.cells):
                _open(table, depth, cells, scratch)
                continue
        over = code != EMPTY or depth == 0
        if depth > deepest:
            deepest = depth
            for step in range(depth):
                best[step] = cells[table.cells[step]]
        if over:
            break
        depth -= 1
        used[cells[table.cells[depth]] >> 2] = False
        cells[table.cells[depth]] = EMPTY
    for step in range(depth):
        used[cells[table.cells[step]] >> 2] = False
        cells[table.cells[step]] = EMPTY
    for step in range(deepest):
        cells[table.cells[step]] = best[step]
        used[best[step] >> 2] = True
    return deepest


@inlined
def _first_fit(
    lattice: Lattice, table: DecoderTable, start: int, cells: NDArray[np.uint16], scratch: DecoderScratch
) -> int:
    """Place the first tile that fits in each cell from a step on; list the holes, and return their number."""
    holes = 0
    for step in range(start, len(table.cells)):
        _open(table, step, cells, scratch)
        code = _next(lattice, table, step, cells, scratch)
        cells[table.cells[step]] = code
        if code == EMPTY:
            scratch.holes[holes] = table.cells[step]
            holes += 1
        else:
            scratch.used[code >> 2] = True
    return holes


@inlined
def _fill_holes(
    lattice: Lattice,
    table: DecoderTable,
    order: NDArray[np.uint16],
    holes: int,
    cells: NDArray[np.uint16],
    scratch: DecoderScratch,
) -> None:
    """Fill the holes with the tiles that are left, so that the most edges to tiles match; on a frame, by kind."""
    near = scratch.neighbourhood
    for kind in range(5 if table.framed else 1):
        hole = at = 0
        while True:
            count = 0
            while hole < holes and count < len(near.chosen):
                cell = scratch.holes[hole]
                if not table.framed or popcount(np.uint64(walls_of(lattice, cell))) == kind:
                    near.holes[count] = cell
                    count += 1
                hole += 1
            if count == 0:
                break
            for k in range(count):
                while scratch.used[order[at]] or (table.framed and table.greys[order[at]] != kind):
                    at += 1
                near.tiles[k] = 4 * order[at]
                near.around[k] = wanted_so_far(lattice, cells, near.holes[k])
                near.walls[k] = walls_of(lattice, near.holes[k])
                at += 1
            for k in range(count):
                weigh(lattice, table.framed, near, k, count)
            assign(near.weights, count, near.columns, near.assignment)
            for k in range(count):
                column = near.columns[k]
                cells[near.holes[column]] = near.tiles[k] | near.turns[k, column]
                scratch.used[near.tiles[k] >> 2] = True
