"""Puzzles with a proved number of solutions: puzzles are generated and enumerated until one has the number wanted."""

from __future__ import annotations

import numpy as np

from evo.errors import ConfigError
from evo.experiments.enumerating import EnumerationResult, Solutions
from evo.settings.enumeration import PORTFOLIO
from puzzles import Board, Puzzle, generate

ATTEMPTS = 1000
"""The number of puzzles that are tried."""
_NODES = 22_000_000
"""The nodes after which a puzzle is given up: a few seconds to half a minute."""
_GIVEN_UP = 20
"""The number of puzzles that may be given up: with these colours, no more can be expected of the others."""
_ROTATIONS = 4


def generate_counted(
    rows: int,
    cols: int,
    border_colours: int,
    inner_colours: int,
    seed: int,
    *,
    solutions: int = 1,
    style: str = "eternity",
    hints: int = 0,
) -> tuple[Puzzle, Board]:
    """Return a random puzzle with a proved number of solutions, and the solution that it was made of.

    A board and its rotations count once. If the puzzle has hints, only boards that honour them count.

    Args:
        rows: Number of rows of the board.
        cols: Number of columns of the board.
        border_colours: Number of colours on the edges between frame pieces; see `puzzles.generate`.
        inner_colours: Number of colours on the other edges.
        seed: The same seed gives the same puzzle.
        solutions: The number of solutions wanted.
        style: "eternity" or "benoist".
        hints: Number of cells of the solution to give as hints.

    Raises:
        PuzzleError: The numbers are out of range.
        ConfigError: No puzzle with so many solutions was found, or too many could not be counted.
    """
    if solutions < 1:
        raise ConfigError(f"solutions: expected 1 or more; found {solutions}")
    rng = np.random.default_rng(seed)
    name = f"{style}-{rows}x{cols}-{border_colours}-{inner_colours}-{seed}-solutions-{solutions}"
    given_up = 0
    for _ in range(ATTEMPTS):
        made = generate(rows, cols, border_colours, inner_colours, rng, style=style, hints=hints, name=name)
        result = _counted(made[0], solutions)
        if result.proved and result.up_to_rotation == solutions:
            return made
        given_up += not result.proved and result.nodes >= _NODES
        if given_up == _GIVEN_UP:
            raise ConfigError(
                f"{given_up} puzzles were given up, each after {_NODES:,} nodes of a search for all solutions: "
                "use more colours, more hints, or a smaller board"
            )
    raise ConfigError(
        f"none of {ATTEMPTS} puzzles was proved to have {solutions} solutions: "
        "use more colours for fewer solutions, fewer colours for more, or a smaller board"
    )


def _counted(puzzle: Puzzle, wanted: int) -> EnumerationResult:
    """Return what a search finds that ends when there are certainly more solutions than are wanted."""
    fixed = not puzzle.hints and puzzle.rows == puzzle.cols > 1
    limit = _ROTATIONS * wanted + 1
    settings = PORTFOLIO(pins="all" if puzzle.hints else "none", fix_corner=fixed, limit=limit, evaluations=_NODES)
    return Solutions(puzzle, settings).result()
