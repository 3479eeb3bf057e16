"""Smallest sets that have an element in common with each of some given sets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf, isfinite

import numpy as np


def smallest_hitting_set(sets: Sequence[Iterable[int]], size: int) -> list[int]:
    """Return a smallest subset of 0..size-1 that hits all sets."""
    return hitting_set(sets, size, inf)[0]


def hitting_set(sets: Sequence[Iterable[int]], size: int, seconds: float) -> tuple[list[int], int]:
    """Return a small subset of 0..size-1 that hits all sets, and a proved lower bound of the smallest one's size.

    At the time limit the subset may be empty, if none was found.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    members = [sorted(members) for members in sets]
    if not members:
        return [], 0
    ends = np.cumsum([0, *map(len, members)])
    flat = np.array([index for indices in members for index in indices])
    matrix = csr_array((np.ones(len(flat)), flat, ends), shape=(len(members), size))
    options = {"time_limit": seconds} if isfinite(seconds) else {}
    answer = milp(
        np.ones(size),
        integrality=np.ones(size),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, np.ones(len(members)), np.full(len(members), np.inf)),
        options=options,
    )
    bound = answer.get("mip_dual_bound")
    low = 0 if bound is None or not isfinite(bound) else int(np.ceil(bound - 1e-6))
    return [] if answer.x is None else np.flatnonzero(answer.x > 0.5).tolist(), low
