"""Random puzzles and boards for property tests."""

import numpy as np
from hypothesis import strategies as st

from puzzles import EMPTY, Board, Hint, Puzzle, generate


@st.composite
def loose_puzzles(draw: st.DrawFn, most: int = 20) -> Puzzle:
    """Any tiles on any shape from 1x1 on, with few colours so that edges match often, and perhaps some hints."""
    rows, cols = draw(st.integers(1, most)), draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    tiles = rng.integers(0, draw(st.integers(1, 5)) + 1, (rows * cols, 4))
    tiles_hinted = rng.permutation(rows * cols)[: draw(st.integers(0, min(3, rows * cols)))]
    cells = rng.permutation(rows * cols)
    hints = [
        Hint(int(tile), int(cell) // cols, int(cell) % cols, int(rng.integers(4)), bool(rng.integers(2)))
        for tile, cell in zip(tiles_hinted, cells, strict=False)
    ]
    return Puzzle(rows, cols, tiles, hints, "loose", strict=False)


@st.composite
def framed_puzzles(draw: st.DrawFn, most: int = 8) -> tuple[Puzzle, Board]:
    """A puzzle that can be solved, and its solution."""
    rows, cols = draw(st.integers(1, most)), draw(st.integers(1, most))
    colours = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    hints = draw(st.integers(0, min(3, rows * cols)))
    return generate(rows, cols, *colours, draw(st.integers(0, 2**32)), style="benoist", hints=hints)


@st.composite
def boards(draw: st.DrawFn, most: int = 20, *, repeats: bool = True) -> Board:
    """A random board: shuffled tiles in random rotations, some cells empty, perhaps some tiles twice."""
    puzzle = draw(loose_puzzles(most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    tiles = (
        rng.integers(0, puzzle.size, puzzle.size) if repeats and draw(st.booleans()) else rng.permutation(puzzle.size)
    )
    cells = tiles * 4 + rng.integers(0, 4, puzzle.size)
    cells[rng.random(puzzle.size) < draw(st.sampled_from([0.0, 0.0, 0.2, 0.9, 1.0]))] = EMPTY
    return Board(puzzle, cells.reshape(puzzle.shape), draw(st.sampled_from(["", "a board", "J+P_469 & co #1"])))
