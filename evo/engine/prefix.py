"""Mutation by prefix, compiled: the first cells along a path keep their tiles, and a beam builds the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evo.settings.mutations import PrefixSettings
from operators.randomness import below
from puzzles import Hint, Puzzle
from puzzles.compiled import jit
from solvers.construct.beam import Beam, BeamOptions
from solvers.construct.beam_board import BoardBuilder, build_rest, make_builder


class Prefix(NamedTuple):
    """How much of a board is kept, and what builds the rest."""

    least: int
    most: int
    """Bounds of the number of cells that keep their tiles, besides the pinned ones."""
    builder: BoardBuilder


def make_prefix(puzzle: Puzzle, how: PrefixSettings, pins: Sequence[Hint]) -> Prefix:
    """Return how the rest of a puzzle's boards is built.

    Raises:
        SolverError: The beam does not fit into memory.
    """
    beam = Beam(puzzle, options=BeamOptions(width=how.width), path=how.path, pins=pins)
    least, most = (round(share * len(beam.route.cells)) for share in how.kept)
    return Prefix(least, most, make_builder(beam))


@jit
def rebuild_rest(rng: np.random.Generator, cells: NDArray[np.uint16], how: Prefix | None) -> None:
    """Keep a random number of tiles of a board, and build the rest; if that is impossible, the board is unchanged."""
    if how is None:
        return
    build_rest(rng, how.builder, how.least + below(rng, how.most - how.least + 1), cells)
