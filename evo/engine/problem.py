"""`Problem`: a puzzle and settings, worked out into what both drivers need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evo.engine.initial_boards import InitialBeams
from evo.errors import ConfigError
from evo.settings.construction import BeamInit
from evo.settings.evolution import AIEA, GA, MOEA
from operators import Lattice, OperatorError, Variation, fitness_weights, make_lattice, make_path, make_variation
from operators.repair import Repair
from puzzles import Puzzle, PuzzleError
from solvers import SolverError

EvolutionSettings = GA | AIEA | MOEA


@dataclass(frozen=True)
class Problem:
    """What evolution is about: tables for compiled code, all checked against each other."""

    puzzle: Puzzle
    settings: EvolutionSettings
    lattice: Lattice
    variation: Variation
    weights: NDArray[np.int64]
    path: NDArray[np.int64]
    framed: bool
    """Whether initialisation with knowledge keeps grey on the rim: as set, where the puzzle has grey sides at all."""

    repair: Repair
    """How individuals are repaired; no moves where they are not."""
    beams: InitialBeams | None
    """What builds initial boards, where beams do."""

    @property
    def repairs_offspring(self) -> bool:
        """Whether it is children who are repaired."""
        return self.settings.repair is not None and self.settings.repair.when == "offspring"

    @property
    def mutant_tournament(self) -> int:
        """How many are drawn to choose whom to mutate."""
        settings = self.settings
        return settings.tournament if isinstance(settings, AIEA) else settings.mutant_tournament


def make_problem(puzzle: Puzzle, settings: EvolutionSettings) -> Problem:
    """Work out a puzzle and settings.

    Raises:
        ConfigError: The settings do not fit the puzzle.
    """
    if not isinstance(settings, EvolutionSettings):
        raise ConfigError(f"algorithm: {settings.algorithm} does not evolve a population")
    try:
        lattice = make_lattice(puzzle, puzzle.pinned_hints(settings.pins))
        crossover_sizes = settings.crossover_sizes if not isinstance(settings, AIEA) else (2, 8)
        refill = isinstance(settings, AIEA) or settings.refill == "random"
        variation = make_variation(
            lattice,
            crossover_sizes,
            settings.mutation_sizes,
            random_refill=refill,
            any_turn=settings.turns == "any",
            size_first=settings.exchange == "size_first",
        )
        fitness = "combined" if isinstance(settings, MOEA) else settings.fitness
        path = make_path(settings.path, *puzzle.shape)
        pins = puzzle.pinned_hints(settings.pins)
        beams = InitialBeams(puzzle, settings.init, pins) if isinstance(settings.init, BeamInit) else None
    except (OperatorError, PuzzleError, SolverError) as error:
        raise ConfigError(f"{puzzle.name}: {error}") from None
    framed = settings.framed and puzzle.framed
    return Problem(
        puzzle, settings, lattice, variation, fitness_weights(puzzle, fitness), path, framed, _repair(settings), beams
    )


def _repair(settings: EvolutionSettings) -> Repair:
    how = settings.repair
    if how is None:
        return Repair(0.0, 0, 1, 0.0, False)
    return Repair(how.share, how.moves, how.size, how.violated, how.cells == "checkerboard")
