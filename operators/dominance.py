"""Dominance as the paper's MOEA defines it (section III-D): how many dominate each, and distance within the front."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import inlined, jit


def dominators(objectives: NDArray[np.int32]) -> NDArray[np.int64]:
    """How many individuals dominate each: none of their three objectives is lower, and one is higher.

    Individuals are taken in order of the first objective, best first, and counted in a two-dimensional Fenwick tree
    over the other two; alike ones are taken together. n individuals cost n log n, not n squared.
    """
    result = np.zeros(len(objectives), dtype=np.int64)
    if len(objectives):
        lacking = objectives.max(axis=0).astype(np.int64) - objectives  # 0 is best
        _, second, third = lacking.max(axis=0) + 1
        keys = (lacking[:, 0] * second + lacking[:, 1]) * third + lacking[:, 2]
        tree = np.zeros((second + 1, third + 1), dtype=np.int64)
        _count_dominators(lacking, keys, np.argsort(keys), tree, result)
    return result


@jit
def _count_dominators(
    lacking: NDArray[np.int64],
    keys: NDArray[np.int64],
    order: NDArray[np.int64],
    tree: NDArray[np.int64],
    result: NDArray[np.int64],
) -> None:
    start = 0
    while start < len(order):
        first = order[start]
        end = start
        while end < len(order) and keys[order[end]] == keys[first]:
            end += 1
        second, third = lacking[first, 1] + 1, lacking[first, 2] + 1
        above = _count_up_to(tree, second, third)  # none is alike yet: each of these dominates
        for k in range(start, end):
            result[order[k]] = above
        _add(tree, second, third, end - start)
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
    """For each member of the front, the sum over the others of the number of objectives in which the two differ."""
    distance = np.full(len(front), 3 * len(front), dtype=np.int64)
    for values in (objectives[front] - objectives[front].min(axis=0)).T:
        distance -= np.bincount(values)[values]
    return distance


def dominance_rank(objectives: NDArray[np.int32]) -> NDArray[np.int64]:
    """One number to compare by, lower being better: dominators first, then distance within the front."""
    rank = dominators(objectives)
    front = np.flatnonzero(rank == 0)
    width = 3 * len(rank) + 1
    rank *= width
    rank[front] -= front_distance(objectives, front)
    return rank
