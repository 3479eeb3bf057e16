"""Timing two ways of doing the same thing, in turns."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median


def seconds_each(ways: dict[str, Callable[[], object]], rounds: int = 9) -> dict[str, float]:
    """The median seconds of each way. They take turns, so that noise from outside hits all of them."""
    for way in ways.values():
        way()  # compiles, fills caches
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            times[name].append(time.perf_counter() - start)
    return {name: median(of_one) for name, of_one in times.items()}
