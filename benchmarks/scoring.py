"""Population scoring: 10,000 random boards, all three objectives, the compiled kernel beside plain numpy."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

import puzzles
from benchmarks.measure import seconds_each

BOARDS = 10_000


def plain_numpy(sides: NDArray[np.uint8], boards: NDArray[np.uint16]) -> NDArray[np.int64]:
    """The three objectives as one would write them with numpy, for boards without empty cells."""
    up, right, down, left = sides[:, boards]
    h = (right[:, :, :-1] == left[:, :, 1:]) & (right[:, :, :-1] != 0)
    v = (down[:, :-1] == up[:, 1:]) & (down[:, :-1] != 0)
    score = h.sum(axis=(1, 2)) + v.sum(axis=(1, 2))
    blocks = (h[:, :-1] & h[:, 1:] & v[:, :, :-1] & v[:, :, 1:]).sum(axis=(1, 2))
    left_right = np.concatenate([left[:, :, :1] == 0, h], axis=2) & np.concatenate([h, right[:, :, -1:] == 0], axis=2)
    up_down = np.concatenate([up[:, :1] == 0, v], axis=1) & np.concatenate([v, down[:, -1:] == 0], axis=1)
    return np.stack([score, blocks, (left_right & up_down).sum(axis=(1, 2))], axis=1)


def main() -> None:
    """Print boards per second and the ratio, on several sizes."""
    print(f"scoring {BOARDS:,} random boards, three objectives: boards per second, median of 9 rounds in turns")
    print(f"{'board':>8} {'compiled':>12} {'plain numpy':>12} {'ratio':>7}")
    for side in (8, 16, 32):
        puzzle = puzzles.load("eternity2") if side == 16 else puzzles.generate(side, side, 5, 17, 1, style="benoist")[0]
        rng = np.random.default_rng(1)
        tiles = rng.permuted(np.tile(np.arange(puzzle.size), (BOARDS, 1)), axis=1)
        cells = tiles * 4 + rng.integers(0, 4, tiles.shape)
        boards = cells.reshape(BOARDS, *puzzle.shape).astype(np.uint16)
        if not (puzzles.score_population(puzzle.sides, boards) == plain_numpy(puzzle.sides, boards)).all():
            raise AssertionError("the two ways disagree")
        seconds = seconds_each(
            {
                "compiled": partial(puzzles.score_population, puzzle.sides, boards),
                "numpy": partial(plain_numpy, puzzle.sides, boards),
            }
        )
        compiled, numpy = BOARDS / seconds["compiled"], BOARDS / seconds["numpy"]
        print(f"{f'{side}x{side}':>8} {compiled:>12,.0f} {numpy:>12,.0f} {compiled / numpy:>6.1f}x")
