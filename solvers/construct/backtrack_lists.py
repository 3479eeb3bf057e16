"""`StepTable` and `Lists`: precomputed data of the steps of a backtracking search, and the candidates of an opening.

Up to two known colours select a list of the oriented tiles that fit a cell, and a second list of those that fit except
for one side, which never has a border colour. In both, tiles with many favoured sides come first, so that a quota costs
nothing: it determines where a list ends. In the opening, tiles with any favoured side come first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import EMPTY, GREY, Board, Puzzle
from puzzles.compiled import inlined, jit
from solvers.construct.route import NONE, Route

WIDTH, FIRST = 8, 5
"""The entries of a list in `Lists.ends`: where it ends if 0 to 4 favoured sides are needed; for 5 it is empty, so that
this entry is where it begins."""


class StepTable(NamedTuple):
    """The steps of a search, as arrays for compiled code; the first nine are indexed by step."""

    cells: NDArray[np.int64]
    around: NDArray[np.int64]
    """By side, the step that fills the neighbour, pinned cells counting after the last step; NONE if unknown."""
    near: NDArray[np.uint64]
    """The step of the tile with the first of two known colours."""
    near_side: NDArray[np.uint64]
    other: NDArray[np.uint64]
    """The step of the tile with the second."""
    other_side: NDArray[np.uint64]
    stride: NDArray[np.uint64]
    """Distance between the lists of two consecutive first colours."""
    base: NDArray[np.uint64]
    """The first list of the step."""
    more: NDArray[np.bool_]
    """Whether more than two colours are known, so that tiles of a list need a further check."""
    edges: NDArray[np.int64]
    """The score without mismatches, by number of tiles placed."""
    kinds: NDArray[np.int64]
    """A row per kind of list: the number of key colours, their two sides, the first list, the range of its tiles in
    `fitting`, whether more colours are known than the keys, and whether it belongs to the opening."""
    fitting: NDArray[np.uint16]
    """The oriented tiles that may be placed in the cells of each kind."""
    sides: NDArray[np.uint8]
    """The four colours of each oriented tile, flattened, followed by four grey ones for an empty cell."""
    is_border: NDArray[np.bool_]
    """By colour, whether it occurs between frame tiles."""
    lists: int
    """Number of lists, not counting those of tiles with one mismatch."""


class Lists(NamedTuple):
    """The candidates of all steps, in the order of one opening."""

    ends: NDArray[np.int32]
    """WIDTH entries per list: of list 0, of its tiles with one mismatch, of list 1, and so on."""
    codes: NDArray[np.uint16]
    """Oriented tiles, list after list."""
    favour: NDArray[np.uint8]
    """Favoured sides of each oriented tile."""
    quota: NDArray[np.int64]
    """The least number of favoured sides, by number of tiles placed."""


def make_step_table(puzzle: Puzzle, route: Route, pinned: NDArray[np.uint16], opening: int) -> StepTable:
    """Return the steps of a search along a route.

    Args:
        puzzle: The puzzle to solve.
        route: The route.
        pinned: The tile of each pinned cell; EMPTY elsewhere.
        opening: Number of steps of the opening.
    """
    steps, colours = len(route.cells), route.colours
    around = _around(puzzle, route, pinned)
    nowhere = steps + np.count_nonzero(pinned != EMPTY)
    near, other = np.full((2, 2, steps), nowhere)
    near[1] = other[1] = 0
    base, kinds, count = np.zeros(steps, dtype=np.int64), [], 0
    bases: dict[tuple[int, bool, bool], int] = {}
    for step in range(steps):
        known = np.flatnonzero(around[step] != NONE).tolist()
        keys = known[:2]
        for key, side in zip((near, other), keys, strict=False):
            key[:, step] = around[step, side], (side + 2) & 3
        table = int(route.table[route.first_query[step]])
        kind = table, len(known) > len(keys), step < opening
        if kind not in bases:
            bases[kind], size = count, colours ** len(keys)
            tiles = route.heads[[table, table + size]].tolist()
            kinds.append([len(keys), *[*keys, 0, 0][:2], count, *tiles, *kind[1:]])
            count += size
        base[step] = bases[kind]
    degree = (around != NONE).sum(axis=1)
    stride = np.where(degree > 1, colours, 1)
    edges = Board(puzzle, pinned.reshape(puzzle.shape)).score + np.cumsum([0, *degree])
    sides = np.append(route.sides.ravel(), np.zeros(4, dtype=np.uint8))
    is_border = np.isin(np.arange(colours), list(set(puzzle.border_colours) - {GREY}))
    index = [column.astype(np.uint64) for column in (*near, *other, stride, base)]
    return StepTable(
        route.cells, around, index[0], index[1], index[2], index[3], index[4], index[5], degree > 2, edges,
        np.array(kinds, dtype=np.int64).reshape(-1, 8), route.fitting, sides, is_border, count,
    )  # fmt: skip


def _around(puzzle: Puzzle, route: Route, pinned: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Return the steps of the known neighbours of each step, pinned cells counting after the last step."""
    when = np.zeros(puzzle.size, dtype=np.int64)
    when[route.cells] = np.arange(len(route.cells))
    filled = np.flatnonzero(pinned != EMPTY)
    when[filled] = len(route.cells) + np.arange(len(filled))
    around = np.full(route.known.shape, NONE)
    for side, away in enumerate((-puzzle.cols, 1, puzzle.cols, -1)):
        known = route.known[:, side] != NONE
        around[known, side] = when[route.cells[known] + away]
    return around


def make_lists(
    rng: np.random.Generator, steps: StepTable, colours: NDArray[np.int64], quota: NDArray[np.float64], opening: int
) -> Lists:
    """Return the lists of an opening.

    Args:
        rng: Shuffles the tiles.
        steps: The steps.
        colours: The favoured colours.
        quota: Fraction of all favoured sides that must be placed, by number of tiles placed.
        opening: Number of steps to which the quota does not apply.
    """
    fitting = steps.fitting.copy()
    for low, high in np.unique(steps.kinds[:, 4:6], axis=0).tolist():
        rng.shuffle(fitting[low:high])
    favour = np.isin(steps.sides.reshape(-1, 4), colours).sum(axis=1, dtype=np.uint8)
    least = np.floor(quota * int(favour[:-1:4].sum()) + 1e-9).astype(np.int64)
    least[: opening + 1] = 0
    return Lists(*arrange(steps, fitting, favour), favour, least)


@jit
def arrange(
    steps: StepTable, fitting: NDArray[np.uint16], favour: NDArray[np.uint8]
) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
    """Build the lists of an opening.

    Args:
        steps: The steps.
        fitting: `steps.fitting` with the tiles of each kind shuffled; it orders tiles with equally many favoured sides.
        favour: Favoured sides of each oriented tile.

    Returns:
        `ends` and `codes` of `Lists`.
    """
    count = steps.lists
    ends = np.zeros(2 * count * WIDTH, dtype=np.int32)
    codes = np.empty(0, dtype=np.uint16)
    _enlist_all(steps, fitting, favour, ends, codes)
    total = 0
    for place in range(2 * count):
        row = (
            2 * place if place < count else 2 * (place - count) + 1
        )  # short lists that are read most lie close together
        ends[row * WIDTH + FIRST] = total
        for level in range(row * WIDTH + FIRST - 1, row * WIDTH - 1, -1):
            size = ends[level]
            ends[level] = total
            total += size
    codes = np.empty(total, dtype=np.uint16)
    _enlist_all(steps, fitting, favour, ends, codes)
    return ends, codes


@jit
def _enlist_all(
    steps: StepTable,
    fitting: NDArray[np.uint16],
    favour: NDArray[np.uint8],
    ends: NDArray[np.int32],
    codes: NDArray[np.uint16],
) -> None:
    """Count the tiles of each list by favoured sides; if `codes` has room, write them at the positions in `ends`."""
    for kind in range(len(steps.kinds)):
        for place in range(steps.kinds[kind, 4], steps.kinds[kind, 5]):
            code = fitting[place]
            level = int(favour[code])
            if steps.kinds[kind, 7]:
                level = min(level, 1)
            _enlist(steps, kind, code, level, ends, codes)


@inlined
def _enlist(
    steps: StepTable, kind: int, code: int, level: int, ends: NDArray[np.int32], codes: NDArray[np.uint16]
) -> None:
    """Add a tile to all lists of a kind that it fits."""
    keys, base, more, is_border = steps.kinds[kind, 0], steps.kinds[kind, 3], steps.kinds[kind, 6], steps.is_border
    first = int(steps.sides[4 * int(code) + steps.kinds[kind, 1]]) if keys > 0 else 0
    second = int(steps.sides[4 * int(code) + steps.kinds[kind, 2]]) if keys > 1 else 0
    stride = len(is_border) if keys > 1 else 1
    first_fits, second_fits = keys < 1 or first != GREY, keys < 2 or second != GREY
    if first_fits and second_fits:
        row = 2 * (base + first * stride + second)
        _add(row, code, level, ends, codes)
        if more:  # it may mismatch on a side that is not a key
            _add(row + 1, code, level, ends, codes)
    if keys > 0 and second_fits and not is_border[first]:
        for colour in range(len(is_border)):
            if not is_border[colour] and (colour != first or colour == GREY):
                _add(2 * (base + colour * stride + second) + 1, code, level, ends, codes)
    if keys > 1 and first_fits and not is_border[second]:
        for colour in range(len(is_border)):
            if not is_border[colour] and (colour != second or colour == GREY):
                _add(2 * (base + first * stride + colour) + 1, code, level, ends, codes)


@inlined
def _add(row: int, code: int, level: int, ends: NDArray[np.int32], codes: NDArray[np.uint16]) -> None:
    if len(codes):
        codes[ends[row * WIDTH + level]] = code
    ends[row * WIDTH + level] += 1
