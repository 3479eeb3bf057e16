"""Mutation (section III-B): region exchange or region rotation, with equal probability.

A mutation changes about 40 cells of a 16x16 board, so everything else about the board is recomputed: that is faster
than updating it cell by cell, and several mutations in a row need it only once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.frame import NEVER, rotated_sides, turns_between, wall_sides
from operators.holes import is_framed
from operators.lattice import Lattice
from operators.population import Population, evaluate_anew
from operators.randomness import below, uniform
from operators.variation import Variation
from puzzles.compiled import inlined

ANYWHERE = -1
"""Given in place of a cell: a region need not contain any."""


@inlined
def mutate(
    rng: np.random.Generator,
    lattice: Lattice,
    variation: Variation,
    weights: NDArray[np.int64],
    population: Population,
    individual: int,
    times: int,
) -> None:
    """Mutate an individual a number of times, each time by one of the two mutations, and evaluate it."""
    cells = population.cells[individual]
    for _ in range(times):
        if uniform(rng) < 0.5:
            region_exchange(rng, lattice, variation, cells)
        else:
            region_rotation(rng, lattice, variation, cells)
    evaluate_anew(lattice, weights, population, individual)


@inlined
def region_exchange(
    rng: np.random.Generator, lattice: Lattice, variation: Variation, cells: NDArray[np.uint16]
) -> None:
    """Exchange two rectangles of the same size that do not overlap; see `exchange_around`."""
    exchange_around(rng, lattice, variation, cells, ANYWHERE)


@inlined
def exchange_around(
    rng: np.random.Generator, lattice: Lattice, variation: Variation, cells: NDArray[np.uint16], cell: int
) -> None:
    """Exchange two rectangles of the same size that do not overlap, of which one contains a cell, or is ANYWHERE.

    If they overlap, either only the positions are drawn again (`size_first`), so that all sizes that fit are equally
    likely, or size and positions together, which favours small regions. A cell takes no part if it or its counterpart
    is pinned. Tiles keep their rotation; but if the frame is to be kept, those of the rim face the wall again, and a
    pair of which one is on the rim and the other is not stays where it is.
    """
    height, width = _exchange_size(rng, variation)
    while variation.size_first and 2 * height > lattice.rows and 2 * width > lattice.cols:
        height, width = _exchange_size(rng, variation)  # no two regions of that size fit side by side
    while True:
        top, left = _corner(rng, lattice, height, width, cell)
        other_top, other_left = _corner(rng, lattice, height, width, ANYWHERE)
        if abs(top - other_top) >= height or abs(left - other_left) >= width:
            break
        if not variation.size_first:
            height, width = _exchange_size(rng, variation)
    framed = variation.keep_frame and is_framed(lattice, cells)
    one, other = top * lattice.cols + left, other_top * lattice.cols + other_left
    for row in range(0, height * lattice.cols, lattice.cols):
        for k in range(row, row + width):
            if lattice.has_pins and (lattice.pinned[one + k] or lattice.pinned[other + k]):
                continue
            turns = turns_between(wall_sides(lattice, one + k), wall_sides(lattice, other + k)) if framed else 0
            if turns != NEVER:
                ours, theirs = cells[one + k], cells[other + k]
                cells[one + k], cells[other + k] = turned(theirs, 4 - turns), turned(ours, turns)


@inlined
def _exchange_size(rng: np.random.Generator, variation: Variation) -> tuple[int, int]:
    height = variation.exchange_low_rows + below(rng, variation.exchange_high_rows - variation.exchange_low_rows + 1)
    width = variation.exchange_low_cols + below(rng, variation.exchange_high_cols - variation.exchange_low_cols + 1)
    return height, width


@inlined
def _corner(rng: np.random.Generator, lattice: Lattice, height: int, width: int, cell: int) -> tuple[int, int]:
    """Return the upper left corner of a random region that contains a cell, or is ANYWHERE."""
    if cell == ANYWHERE:
        return below(rng, lattice.rows - height + 1), below(rng, lattice.cols - width + 1)
    top = min(max(int(lattice.row[cell]) - below(rng, height), 0), lattice.rows - height)
    left = min(max(int(lattice.col[cell]) - below(rng, width), 0), lattice.cols - width)
    return top, left


@inlined
def region_rotation(
    rng: np.random.Generator, lattice: Lattice, variation: Variation, cells: NDArray[np.uint16]
) -> None:
    """Rotate a square region clockwise together with its tiles; see `rotate_around`."""
    rotate_around(rng, lattice, variation, cells, ANYWHERE)


@inlined
def rotate_around(
    rng: np.random.Generator, lattice: Lattice, variation: Variation, cells: NDArray[np.uint16], cell: int
) -> None:
    """Rotate a square region that contains a cell, or is ANYWHERE, clockwise together with its tiles.

    A rotation moves tiles along cycles of four cells; a cycle with a pinned cell does not move, nor one that would
    break a frame that is to be kept.
    """
    size = variation.turn_low + below(rng, variation.turn_high - variation.turn_low + 1)
    top, left = _corner(rng, lattice, size, size, cell)
    turns = 1 + below(rng, 3) if variation.any_turn else 1
    framed = variation.keep_frame and is_framed(lattice, cells)
    last, cols = size - 1, lattice.cols
    corner = top * cols + left
    for row in range((size + 1) // 2):
        for col in range(size // 2):
            circle = (
                corner + row * cols + col,
                corner + col * cols + last - row,
                corner + (last - row) * cols + last - col,
                corner + (last - col) * cols + row,
            )
            if lattice.has_pins and any_pinned(lattice, circle):
                continue
            if framed and not _keeps_frame(lattice, circle, turns):
                continue
            one, two, three, four = _moved(
                cells[circle[0]], cells[circle[1]], cells[circle[2]], cells[circle[3]], turns
            )
            cells[circle[0]], cells[circle[1]] = turned(one, turns), turned(two, turns)
            cells[circle[2]], cells[circle[3]] = turned(three, turns), turned(four, turns)
    centre = corner + (last // 2) * (cols + 1)
    if size % 2 and not lattice.pinned[centre]:
        walls = wall_sides(lattice, centre)
        if not framed or rotated_sides(walls, turns) == walls:
            cells[centre] = turned(cells[centre], turns)


@inlined
def any_pinned(lattice: Lattice, circle: tuple[int, int, int, int]) -> bool:
    """Return whether one of four cells is pinned."""
    pinned = lattice.pinned
    return bool(pinned[circle[0]] or pinned[circle[1]] or pinned[circle[2]] or pinned[circle[3]])


@inlined
def _keeps_frame(lattice: Lattice, circle: tuple[int, int, int, int], turns: int) -> bool:
    """Return whether tiles whose grey sides face the wall do so again after they have moved along a cycle."""
    up, right = wall_sides(lattice, circle[0]), wall_sides(lattice, circle[1])
    down, left = wall_sides(lattice, circle[2]), wall_sides(lattice, circle[3])
    one, two, three, four = _moved(up, right, down, left, turns)
    return bool(
        rotated_sides(one, turns) == up
        and rotated_sides(two, turns) == right
        and rotated_sides(three, turns) == down
        and rotated_sides(four, turns) == left
    )


@inlined
def _moved(one: int, two: int, three: int, four: int, turns: int) -> tuple[int, int, int, int]:
    """Return what is on the four cells of a cycle after everything has moved on by 1, 2 or 3 cells."""
    if turns == 1:
        return four, one, two, three
    if turns == 2:
        return three, four, one, two
    return two, three, four, one


@inlined
def turned(held: int, turns: int) -> np.uint16:
    """Return an oriented tile after some quarter turns clockwise."""
    return np.uint16((held & 0xFFFC) | ((held + turns) & 3))
