"""Machine instructions that numba has no name for, beside plain Python."""

import numpy as np

from operators.bits import equal_bytes
from puzzles.compiled import jit


@jit
def found(values: np.ndarray, position: int, value: int) -> int:
    return int(equal_bytes(values, position, value))


def test_sixteen_bytes_are_compared_at_once() -> None:
    rng = np.random.default_rng(1)
    for most in (2, 5, 256):
        values = rng.integers(0, most, 64, dtype=np.uint8)
        for position in (0, 1, 16, 48):
            for value in (0, 1, 4, 255):
                expected = sum(1 << k for k in range(16) if values[position + k] == value)
                assert found(values, position, value) == expected
