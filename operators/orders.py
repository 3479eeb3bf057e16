"""Variation of orders, that is permutations, and of random keys.

There are compiled twins of DEAP's `cxOrdered`, `cxPartialyMatched` and `mutShuffleIndexes`, which draw the same random
numbers in the same order as DEAP's own functions do, so that they give the same orders bit for bit. As in DEAP both
parents change; they become two children.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from operators.randomness import below, uniform
from puzzles.compiled import jit

Order = NDArray[np.uint16]


@jit
def ordered_crossover(rng: np.random.Generator, one: Order, other: Order) -> None:
    """Exchange a segment of two orders; what it displaces moves around it and keeps its order (Goldberg's OX)."""
    size = len(one)
    first = below(rng, size)
    last = below(rng, size - 1)
    if last >= first:
        last += 1
    if first > last:
        first, last = last, first
    inside = one[first : last + 1].copy(), other[first : last + 1].copy()
    _make_way(one, inside[1], first, last)
    _make_way(other, inside[0], first, last)


@jit
def _make_way(order: Order, segment: Order, first: int, last: int) -> None:
    """Put a segment into an order; the other values keep their cyclic order, from behind the segment on."""
    size = len(order)
    taken = np.zeros(size, dtype=np.bool_)
    for value in segment:
        taken[value] = True
    before, place = order.copy(), last + 1
    for k in range(size):
        value = before[(last + 1 + k) % size]
        if not taken[value]:
            order[place % size] = value
            place += 1
    order[first : last + 1] = segment


@jit
def partially_matched_crossover(rng: np.random.Generator, one: Order, other: Order) -> None:
    """Exchange a segment of two orders value by value; the values that it displaces change places (Goldberg's PMX)."""
    size = len(one)
    first, last = below(rng, size + 1), below(rng, size)
    if last >= first:
        last += 1
    else:
        first, last = last, first
    in_one, in_other = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    for place in range(size):
        in_one[one[place]], in_other[other[place]] = place, place
    for place in range(first, last):
        ours, theirs = one[place], other[place]
        one[place], one[in_one[theirs]] = theirs, ours
        other[place], other[in_other[ours]] = ours, theirs
        in_one[ours], in_one[theirs] = in_one[theirs], in_one[ours]
        in_other[ours], in_other[theirs] = in_other[theirs], in_other[ours]


@jit
def shuffle_indexes(rng: np.random.Generator, order: Order, share: float) -> None:
    """Exchange each value, with a probability of `share`, with another one chosen at random."""
    size = len(order)
    for place in range(size):
        if uniform(rng) < share:
            other = below(rng, size - 1)
            if other >= place:
                other += 1
            order[place], order[other] = order[other], order[place]


@jit
def biased_crossover(
    rng: np.random.Generator, better: NDArray[np.float64], other: NDArray[np.float64], bias: float
) -> NDArray[np.float64]:
    """Return a child of two arrays of random keys: each key is that of the better parent with a probability of `bias`.

    This is the parameterised uniform crossover of biased random-key genetic algorithms (Goncalves and Resende, 2011).
    """
    child = other.copy()
    for place in range(len(child)):
        if uniform(rng) < bias:
            child[place] = better[place]
    return child


class RandomNumbers:
    """The functions of Python's module `random` that DEAP's operators call, drawing from a generator.

    Args:
        rng: The source of randomness.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def random(self) -> float:
        """Return a random number in [0, 1)."""
        return float(self._rng.random())

    def randint(self, least: int, most: int) -> int:
        """Return a random integer from `least` to `most`."""
        return least + int(self._rng.random() * (most - least + 1))

    def sample(self, values: range, count: int) -> list[int]:
        """Return some different values of a range, one after another."""
        left = list(values)
        return [left.pop(self.randint(0, len(left) - 1)) for _ in range(count)]


def drawing_from(rng: np.random.Generator, function: Any) -> Any:
    """Return a function of DEAP that draws from a generator instead of Python's global one.

    Args:
        rng: The source of randomness.
        function: A plain function of a module that has `import random`, such as `deap.tools.cxOrdered`.
    """
    own = {**function.__globals__, "random": RandomNumbers(rng)}
    return FunctionType(function.__code__, own, function.__name__, function.__defaults__, function.__closure__)
