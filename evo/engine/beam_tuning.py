"""Tuning a beam: CMA-ES (`deap.cma`) over the numbers of its key, on the mean score over new seeds.

A genome has, for each number, the logarithm of its ratio to the default: the search starts at the defaults, and no
number changes its sign. All candidates of a generation build boards with the same seeds, the next generation with
others. The outcome is the centre of the last generation and not its best candidate, which may have been lucky.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from deap import base, cma
from numpy.typing import NDArray

from evo.engine.individual import Minimised
from evo.settings.construction import KeySettings
from puzzles import Hint, Puzzle
from solvers.construct.beam import Beam, BeamOptions

GENES = ("concentration", "exponent", "border", "noise", "none_fits", "one_fits")
"""The numbers that are evolved: those that do not affect the speed of a beam."""
_BOARDS = 8
"""The number of boards that each candidate builds."""
_STEP = 0.3
"""The initial step size."""
_RANGE = {"exponent": (1.0, 4.0)}
_WIDEST_RANGE = (0.0, 100.0)


class Genome(list[float]):
    """Logarithms with a DEAP fitness, the mean number of mismatches."""

    def __init__(self, values: Sequence[float]) -> None:
        super().__init__(values)
        self.fitness: base.Fitness = Minimised()

    @property
    def key(self) -> KeySettings:
        """The key that the genome encodes."""
        numbers = {}
        for name, value in zip(GENES, self, strict=True):
            least, most = _RANGE.get(name, _WIDEST_RANGE)
            default = getattr(KeySettings(), name)
            numbers[name] = float(np.clip(default * np.exp(np.clip(value, -20.0, 20.0)), least, most))
        return KeySettings(**numbers)


class Generation(NamedTuple):
    """The progress of tuning after a generation."""

    boards: int
    """The number of boards built so far."""
    mean: float
    """The mean score of this generation's boards."""
    best: float
    """The best candidate's mean score."""
    step: float
    """The current step size."""
    key: KeySettings
    """The key at the centre of the generation."""


class _Strategy(cma.Strategy):  # type: ignore[misc]  # DEAP has no types
    """DEAP's strategy with an explicit generator instead of numpy's global one.

    Steps use the symmetric root of the covariance matrix: the signs of eigenvectors depend on the processor, and so
    would everything that follows from them.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        super().__init__([0.0] * len(GENES), _STEP)
        self._rng = rng

    def generate(self, ind_init: type[Genome]) -> list[Genome]:
        steps = self._rng.standard_normal((self.lambda_, self.dim)) @ (self.BD @ self.B.T)
        return [ind_init(genome.tolist()) for genome in self.centroid + self.sigma * steps]


def tune_beam(
    puzzle: Puzzle, rng: np.random.Generator, *, width: int, budget: int, pins: Sequence[Hint] = ()
) -> Iterator[Generation]:
    """Evolve the key of a beam of a given width, and yield after each generation, until the budget is spent.

    Args:
        puzzle: The puzzle to tune on.
        rng: The source of randomness.
        width: The width of the beam.
        budget: The number of boards to build; at least one generation is made.
        pins: Hints whose tiles stay in their cells.
    """
    strategy = _Strategy(rng)
    boards = 0
    while not boards or boards + strategy.lambda_ * _BOARDS <= budget:
        population = strategy.generate(Genome)
        seeds = rng.integers(1 << 62, size=_BOARDS).tolist()
        for genome in population:
            scores = scores_of(puzzle, genome.key, width, seeds, pins)
            genome.fitness.values = (puzzle.max_score - float(scores.mean()),)
        boards += len(population) * _BOARDS
        means = [puzzle.max_score - genome.fitness.values[0] for genome in population]
        strategy.update(population)
        centre = Genome(strategy.centroid.tolist()).key
        yield Generation(boards, float(np.mean(means)), max(means), float(strategy.sigma), centre)


def scores_of(
    puzzle: Puzzle, key: KeySettings, width: int, seeds: Sequence[int], pins: Sequence[Hint] = ()
) -> NDArray[np.int64]:
    """Return the scores of boards that a beam builds, one for each seed."""
    beam = Beam(puzzle, options=BeamOptions(width=width, **key.model_dump()), pins=pins)
    built = [beam.construct(np.random.default_rng(seed)).mismatches for seed in seeds]
    return puzzle.max_score - np.array(built)
