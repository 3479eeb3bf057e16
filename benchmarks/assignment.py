"""The assignment kernel beside scipy's: `python -m benchmarks.assignment`."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from benchmarks.measure import seconds_each
from operators.assignment import AssignmentScratch, assign, make_assignment_scratch
from puzzles.compiled import jit

SIZES = (16, 32, 64, 128)
CASES, TIMES = 20, 20
"""A few cases over and over: in a search, the weights have just been worked out and are near the processor."""


def main() -> None:
    """Measure both on weights such as tiles give."""
    rng = np.random.default_rng(1)
    print("assignment of so many tiles, microseconds each")
    for size in SIZES:
        shares = [0.55, 0.3, 0.1, 0.04, 0.01]
        cases = rng.choice(5, (CASES, size, size), p=shares).astype(np.uint8)
        columns, scratch = np.zeros(size, dtype=np.int32), make_assignment_scratch(size, 5)
        by_scipy = partial(_all_by_scipy, cases)
        seconds = seconds_each({"ours": partial(_all, cases, columns, scratch), "scipy": by_scipy})
        ours, scipys = (1e6 * seconds[name] / (CASES * TIMES) for name in ("ours", "scipy"))
        print(f"  {size:4} tiles  {ours:8.2f}  scipy {scipys:8.2f}  {scipys / ours:5.1f}x")


@jit
def _all(cases: NDArray[np.uint8], columns: NDArray[np.int32], scratch: AssignmentScratch) -> int:
    total = 0
    for _ in range(TIMES):
        for case in range(len(cases)):
            total += assign(cases[case], cases.shape[1], columns, scratch)
    return total


def _all_by_scipy(cases: NDArray[np.uint8]) -> None:
    for _ in range(TIMES):
        for case in cases:
            linear_sum_assignment(case, maximize=True)


if __name__ == "__main__":
    main()
