"""Initial boards of searches: random, with knowledge, or built by constraint programming or by beams."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from evo.engine.region_boards import start_by_regions
from evo.errors import ConfigError
from evo.settings.construction import BeamInit
from evo.settings.local import CpSettings, LocalSettings
from evo.settings.regions import RegionInit
from operators import knowledge_boards, random_boards
from puzzles import EMPTY, Hint, Puzzle
from solvers import Start, complete, cp_sat, first_fail, relaxed_positions
from solvers.construct.beam import Beam, BeamOptions
from solvers.exact.first_fail import MOST_CELLS


def start_of(puzzle: Puzzle, settings: LocalSettings, pins: Sequence[Hint]) -> Start:
    """Return the function that makes the initial board of a local search."""
    if isinstance(settings.init, BeamInit):
        return InitialBeams(puzzle, settings.init, pins).board
    if isinstance(settings.init, RegionInit):
        return start_by_regions(puzzle, settings.init, pins)

    def start(rng: np.random.Generator) -> NDArray[np.uint16]:
        if settings.init == "cp":
            return by_constraints(rng, puzzle, settings.cp, pins)
        if settings.init == "framed":
            return complete(puzzle, rng, np.full(puzzle.size, EMPTY, dtype=np.uint16), pins=pins)
        if settings.init == "knowledge":
            return knowledge_boards(rng, puzzle, 1, framed=puzzle.framed, pins=pins).ravel()
        return random_boards(rng, puzzle, 1, pins).ravel()

    if settings.init == "cp":
        _check(puzzle, settings.cp, pins)
    return start


def _check(puzzle: Puzzle, how: CpSettings, pins: Sequence[Hint]) -> None:
    relaxed_positions(puzzle, np.random.default_rng(0), how.relaxed, pins=pins)  # raises if there are too many
    if puzzle.size > MOST_CELLS:
        raise ConfigError(f"init: cp takes boards of at most {MOST_CELLS} cells; {puzzle.name} has {puzzle.size}")
    if how.solver == "cp_sat" and find_spec("ortools") is None:
        raise ConfigError("cp.solver: cp_sat needs OR-tools: pip install 'evo-edge-matching[exact]'")


class InitialBeams:
    """Builds the boards of an initial population, each along an order and with a weight of its own.

    Args:
        puzzle: The puzzle to solve.
        how: The settings.
        pins: Hints whose tiles stay in their cells.
    """

    def __init__(self, puzzle: Puzzle, how: BeamInit, pins: Sequence[Hint] = ()) -> None:
        self._how = how
        self._beams = [
            Beam(puzzle, options=BeamOptions(width=how.width), path=order, pins=pins) for order in how.orders
        ]

    def board(self, rng: np.random.Generator) -> NDArray[np.uint16]:
        """Return a new board."""
        beam = self._beams[int(rng.integers(len(self._beams)))]
        return beam.construct(rng, concentration=float(rng.uniform(*self._how.concentration))).cells


def by_constraints(
    rng: np.random.Generator, puzzle: Puzzle, how: CpSettings, pins: Sequence[Hint] = ()
) -> NDArray[np.uint16]:
    """Return a board made by relaxing some positions, solving the rest, and completing it (section 5).

    If the rest is solved, the relaxed positions are filled optimally; otherwise the deepest partial assignment of first
    fail is completed at random.
    """
    relaxed = relaxed_positions(puzzle, rng, how.relaxed, pins=pins)
    if how.solver == "cp_sat":
        outcome = cp_sat(puzzle, rng, relaxed, effort=how.effort, pins=pins)
        if outcome.solved:
            return complete(puzzle, rng, outcome.cells, pins=pins)
    outcome = first_fail(puzzle, rng, relaxed, nodes=how.nodes, pins=pins)
    return complete(puzzle, rng, outcome.cells, pins=pins)
