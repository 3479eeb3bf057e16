"""Dominance as in the paper's MOEA (section III-D): the number of dominators, and the distance within the front."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import jit


@jit
def dominators(objectives: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the number of individuals that dominate each one: no objective is lower, and at least one is higher.

    Individuals are processed in order of the first objective, best first, and counted in a two-dimensional Fenwick tree
    over the other two; equal ones are processed together. This avoids comparing all pairs.
    """
    count = len(objectives)
    result = np.zeros(count, dtype=np.int64)
    if count == 0:
        return result
    low = np.array([objectives[:, 0].min(), objectives[:, 1].min(), objectives[:, 2].min()])
    high = np.array([objectives[:, 0].max(), objectives[:, 1].max(), objectives[:, 2].max()])
    widths = (high - low + 1).astype(np.int64)
    keys = np.empty(count, dtype=np.int64)
    for i in range(count):
        key = np.int64(0)
        for k in range(3):
            key = key * widths[k] + (high[k] - objectives[i, k])  # 0 is best
        keys[i] = key
    order = np.argsort(keys)
    tree = np.zeros((widths[1] + 1, widths[2] + 1), dtype=np.int64)
    start = 0
    while start < count:
        first = order[start]
        end = start
        while end < count and keys[order[end]] == keys[first]:
            end += 1
        second, third = int(high[1] - objectives[first, 1]) + 1, int(high[2] - objectives[first, 2]) + 1
        above = _count_up_to(tree, second, third)  # no equal individual is in the tree yet: each of these dominates
        for k in range(start, end):
            result[order[k]] = above
        _add(tree, second, third, end - start)
        start = end
    return result


@jit
def _count_up_to(tree: NDArray[np.int64], i: int, j: int) -> int:
    total = 0
    while i > 0:
        k = j
        while k > 0:
            total += tree[i, k]
            k -= k & -k
        i -= i & -i
    return total


@jit
def _add(tree: NDArray[np.int64], i: int, j: int, amount: int) -> None:
    while i < tree.shape[0]:
        k = j
        while k < tree.shape[1]:
            tree[i, k] += amount
            k += k & -k
        i += i & -i


@jit
def front_distance(objectives: NDArray[np.int32], front: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return, for each member of the front, the sum over the others of the number of objectives that differ."""
    distance = np.zeros(len(front), dtype=np.int64)
    for k in range(3):
        low = objectives[front, k].min()
        alike = np.zeros(objectives[front, k].max() - low + 1, dtype=np.int64)
        for individual in front:
            alike[objectives[individual, k] - low] += 1
        for place in range(len(front)):
            distance[place] += len(front) - alike[objectives[front[place], k] - low]
    return distance


@jit
def dominance_rank(objectives: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return a rank to compare by, lower being better: by dominators, then by distance within the front."""
    rank = dominators(objectives)
    front = np.flatnonzero(rank == 0)
    width = 3 * len(rank) + 1
    rank *= width
    rank[front] -= front_distance(objectives, front)
    return rank
