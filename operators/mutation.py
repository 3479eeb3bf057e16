"""Mutation (section III-B): region exchange or region rotation, with equal probability.

A mutation changes about 40 cells of a 16x16 board, so everything else about the board is recomputed: that is faster
than updating it cell by cell, and several mutations in a row need it only once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from operators.lattice import Lattice
from operators.population import Population, evaluate_anew
from operators.randomness import below, uniform
from operators.variation import Variation
from puzzles.compiled import inlined


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
    """Exchange two rectangles of the same size that do not overlap; tiles keep their rotation.

    If they overlap, either only the positions are drawn again (`size_first`), so that all sizes that fit are equally
    likely, or size and positions together, which favours small regions. A cell takes no part if it or its counterpart
    is pinned.
    """
    height, width = _exchange_size(rng, variation)
    while variation.size_first and 2 * height > lattice.rows and 2 * width > lattice.cols:
        height, width = _exchange_size(rng, variation)  # no two regions of that size fit side by side
    while True:
        top, left = below(rng, lattice.rows - height + 1), below(rng, lattice.cols - width + 1)
        other_top, other_left = below(rng, lattice.rows - height + 1), below(rng, lattice.cols - width + 1)
        if abs(top - other_top) >= height or abs(left - other_left) >= width:
            break
        if not variation.size_first:
            height, width = _exchange_size(rng, variation)
    one, other = top * lattice.cols + left, other_top * lattice.cols + other_left
    for row in range(0, height * lattice.cols, lattice.cols):
        for k in range(row, row + width):
            if lattice.has_pins and (lattice.pinned[one + k] or lattice.pinned[other + k]):
                continue
            cells[one + k], cells[other + k] = cells[other + k], cells[one + k]


@inlined
def _exchange_size(rng: np.random.Generator, variation: Variation) -> tuple[int, int]:
    height = variation.exchange_low_rows + below(rng, variation.exchange_high_rows - variation.exchange_low_rows + 1)
    width = variation.exchange_low_cols + below(rng, variation.exchange_high_cols - variation.exchange_low_cols + 1)
    return height, width


@inlined
def region_rotation(
    rng: np.random.Generator, lattice: Lattice, variation: Variation, cells: NDArray[np.uint16]
) -> None:
    """Rotate a square region clockwise together with its tiles.

    A rotation moves tiles along cycles of four cells; a cycle with a pinned cell does not move.
    """
    size = variation.turn_low + below(rng, variation.turn_high - variation.turn_low + 1)
    top, left = below(rng, lattice.rows - size + 1), below(rng, lattice.cols - size + 1)
    turns = 1 + below(rng, 3) if variation.any_turn else 1
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
            one, two, three, four = cells[circle[0]], cells[circle[1]], cells[circle[2]], cells[circle[3]]
            if turns == 1:
                one, two, three, four = four, one, two, three
            elif turns == 2:
                one, two, three, four = three, four, one, two
            else:
                one, two, three, four = two, three, four, one
            cells[circle[0]], cells[circle[1]] = _turned(one, turns), _turned(two, turns)
            cells[circle[2]], cells[circle[3]] = _turned(three, turns), _turned(four, turns)
    centre = corner + (last // 2) * (cols + 1)
    if size % 2 and not lattice.pinned[centre]:
        cells[centre] = _turned(cells[centre], turns)


@inlined
def any_pinned(lattice: Lattice, circle: tuple[int, int, int, int]) -> bool:
    """Return whether one of four cells is pinned."""
    pinned = lattice.pinned
    return bool(pinned[circle[0]] or pinned[circle[1]] or pinned[circle[2]] or pinned[circle[3]])


@inlined
def _turned(held: np.uint16, turns: int) -> np.uint16:
    return (held & 0xFFFC) | ((held + turns) & 3)
