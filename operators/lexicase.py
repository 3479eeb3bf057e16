"""Lexicase selection over regional scores (Spector, 2012): a parent is the best one in some part of the board.

The board is divided into a grid of regions. For each selection they are put into a random order; of all individuals
those stay in the race that have the greatest score in the first region, of these those with the greatest in the second
one, and so on, until one is left or all regions were compared. So boards that are excellent somewhere become parents
although others have a better score.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.bits import WORD, popcount
from operators.lattice import Lattice
from operators.population import Population
from operators.randomness import below
from operators.selection import tournament_best
from puzzles.compiled import inlined, jit

ACROSS = 4
"""The number of regions of a board from top to bottom, and from left to right."""


class Lexicase(NamedTuple):
    """The regions, and working memory."""

    masks: NDArray[np.uint64]
    """By region, the bits of h and of v of its edges that count: those on the right of its cells and below them."""
    words: NDArray[np.int64]
    """By region, the first word of these bits, and the one after the last."""
    order: NDArray[np.int64]
    """The regions; those that were not drawn yet come first."""
    left: NDArray[np.int64]
    """The individuals that are left."""


def make_lexicase(lattice: Lattice, population: int) -> Lexicase:
    """Return regions and working memory for selection from a population of a given size."""
    rows, cols = min(ACROSS, lattice.rows), min(ACROSS, lattice.cols)
    down = lattice.row.astype(np.int64) * rows // lattice.rows
    region = down * cols + lattice.col.astype(np.int64) * cols // lattice.cols
    masks = np.zeros((rows * cols, *lattice.counted.shape), dtype=np.uint64)
    for cell, bit in enumerate(lattice.bit.tolist()):
        masks[region[cell], :, bit // WORD] |= np.uint64(1) << np.uint64(bit % WORD)
    masks &= lattice.counted
    masks = masks[masks.any(axis=(1, 2))]  # a region may have no edge that counts
    used = [np.flatnonzero(mask.any(axis=0)) for mask in masks]
    words = np.array([(each[0], each[-1] + 1) for each in used])
    return Lexicase(masks, words, np.arange(len(masks)), np.zeros(population, dtype=np.int64))


@inlined
def select_parent(
    rng: np.random.Generator,
    population: Population,
    rank: NDArray[np.int64],
    tournament: int,
    drawn: NDArray[np.int64],
    how: Lexicase | None,
) -> int:
    """Return an individual that a tournament selects, or lexicase selection unless `how` is None."""
    if how is None:
        return tournament_best(rng, rank, tournament, drawn)
    return lexicase_best(rng, population, how)


@jit
def lexicase_best(rng: np.random.Generator, population: Population, how: Lexicase) -> int:
    """Return an individual by lexicase selection over the scores of regions, in a random order for each selection."""
    left, order = how.left, how.order
    count, regions = len(population.fitness), len(order)
    for k in range(count):
        left[k] = k
    for k in range(regions):
        order[k] = k
    while count > 1 and regions:
        pick = below(rng, regions)
        regions -= 1
        order[pick], order[regions] = order[regions], order[pick]
        count = _keep_best(population, how, order[regions], count)
    return int(left[below(rng, count)])


@inlined
def _keep_best(population: Population, how: Lexicase, region: int, count: int) -> int:
    """Keep those of the first `count` individuals that have the greatest score in a region; return their number."""
    most, kept, left = -1, 0, how.left
    for k in range(count):
        score = regional_score(population, how, region, left[k])
        if score > most:
            most, kept = score, 0
        if score == most:
            left[kept] = left[k]
            kept += 1
    return kept


@inlined
def regional_score(population: Population, how: Lexicase, region: int, individual: int) -> int:
    """Return the number of matching edges of an individual on the right of the cells of a region, and below them."""
    h, v, score = population.edges[individual][0], population.edges[individual][1], 0
    for word in range(how.words[region][0], how.words[region][1]):
        score += popcount(h[word] & how.masks[region, 0, word]) + popcount(v[word] & how.masks[region, 1, word])
    return score
