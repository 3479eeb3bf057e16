"""Dominance as in the paper's MOEA (section III-D): the number of dominators, and the distance within the front."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import inlined, jit


def dominators(objectives: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the number of individuals that dominate each one: no objective is lower, and at least one is higher.

    Individuals are processed in order of the first objective, best first, and counted in a two-dimensional Fenwick tree
    over the other two; equal ones are processed together. This avoids comparing all pairs.
    """
    result = np.zeros(len(objectives), dtype=np.int64)
    if len(objectives):
        keys = np.empty(len(objectives), dtype=np.int64)
        second, third = _sort_keys(objectives, keys)
        tree = np.zeros((second + 1, third + 1), dtype=np.int64)
        _count_dominators(keys, np.argsort(keys), tree, result)  # numpy's sort: numba's takes longer to compile
    return result


@jit
def _sort_keys(objectives: NDArray[np.int32], keys: NDArray[np.int64]) -> tuple[int, int]:
    """Make the keys that put the best first; returns how many values the second and the third objective can have."""
    low, high = objectives[0].copy(), objectives[0].copy()
    for i in range(len(keys)):
        for k in range(3):
            low[k] = min(low[k], objectives[i, k])
            high[k] = max(high[k], objectives[i, k])
    second, third = int(high[1] - low[1]) + 1, int(high[2] - low[2]) + 1
    for i in range(len(keys)):
        key = int(high[0] - objectives[i, 0])  # 0 is best
        key = key * second + high[1] - objectives[i, 1]
        keys[i] = key * third + high[2] - objectives[i, 2]
    return second, third


@jit
def _count_dominators(
    keys: NDArray[np.int64], order: NDArray[np.int64], tree: NDArray[np.int64], result: NDArray[np.int64]
) -> None:
    second, third = tree.shape[0] - 1, tree.shape[1] - 1
    start = 0
    while start < len(order):
        key = keys[order[start]]
        end = start
        while end < len(order) and keys[order[end]] == key:
            end += 1
        i, j = key // third % second + 1, key % third + 1
        above = _count_up_to(tree, i, j)  # no equal individual is in the tree yet: each of these dominates
        for k in range(start, end):
            result[order[k]] = above
        _add(tree, i, j, end - start)
        start = end


@inlined
def _count_up_to(tree: NDArray[np.int64], i: int, j: int) -> int:
    total = 0
    while i > 0:
        k = j
        while k > 0:
            total += tree[i, k]
            k -= k & -k
        i -= i & -i
    return total


@inlined
def _add(tree: NDArray[np.int64], i: int, j: int, amount: int) -> None:
    while i < tree.shape[0]:
        k = j
        while k < tree.shape[1]:
            tree[i, k] += amount
            k += k & -k
        i += i & -i


def front_distance(objectives: NDArray[np.int32], front: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return, for each member of the front, the sum over the others of the number of objectives that differ."""
    distance = np.full(len(front), 3 * len(front), dtype=np.int64)
    if len(front):
        alike = np.zeros((3, int(objectives.max() - objectives.min()) + 1), dtype=np.int64)
        _subtract_alike(objectives - objectives.min(), front, alike, distance)
    return distance


@jit
def _subtract_alike(
    values: NDArray[np.int32], front: NDArray[np.int64], alike: NDArray[np.int64], distance: NDArray[np.int64]
) -> None:
    for individual in front:
        for k in range(3):
            alike[k, values[individual, k]] += 1
    for place in range(len(front)):
        for k in range(3):
            distance[place] -= alike[k, values[front[place], k]]


def dominance_rank(objectives: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return a rank to compare by, lower being better: by dominators, then by distance within the front."""
    rank = dominators(objectives)
    front = np.flatnonzero(rank == 0)
    width = 3 * len(rank) + 1
    rank *= width
    rank[front] -= front_distance(objectives, front)
    return rank
