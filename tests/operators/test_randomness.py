"""Random numbers in compiled code are numpy's own."""

import numpy as np
import pytest

from operators.randomness import below, uniform
from puzzles.compiled import jit


@jit
def _numbers(rng: np.random.Generator, count: int) -> np.ndarray:
    found = np.empty(count)
    for k in range(count):
        found[k] = uniform(rng)
    return found


@jit
def _whole_numbers(rng: np.random.Generator, limit: int, count: int) -> np.ndarray:
    found = np.empty(count, dtype=np.int64)
    for k in range(count):
        found[k] = below(rng, limit)
    return found


@pytest.mark.parametrize("kind", ["PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"])
def test_every_generator_gives_the_numbers_that_numpy_draws_from_it(kind: str) -> None:
    ours, numpys = (np.random.Generator(getattr(np.random, kind)(7)) for _ in range(2))
    assert (_numbers(ours, 10_000) == numpys.random(10_000)).all()
    assert ours.integers(1 << 60) == numpys.integers(1 << 60)  # and both stand where the other does


def test_numbers_and_steps_outside_of_compiled_code_take_turns() -> None:
    ours, numpys = np.random.default_rng(3), np.random.default_rng(3)
    for _ in range(50):
        assert _numbers(ours, 3).tolist() == numpys.random(3).tolist()
        assert ours.integers(10) == numpys.integers(10)
    restored = np.random.default_rng()
    restored.bit_generator.state = ours.bit_generator.state
    assert (_numbers(restored, 100) == numpys.random(100)).all()


def test_whole_numbers_below_a_limit_are_all_there_and_evenly() -> None:
    found = np.bincount(_whole_numbers(np.random.default_rng(1), 10, 100_000), minlength=10)
    assert len(found) == 10
    assert abs(found - 10_000).max() < 5 * 95  # a deviation is 95
