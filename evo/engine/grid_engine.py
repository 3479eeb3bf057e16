"""The compiled engine for Sudoku and Battleship."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from evo.engine.engine_state import make_state, parts_of
from evo.engine.grid_kernels import (
    breed,
    clonal_selection,
    evaluate_all,
    fill_all,
)
from evo.engine.grid_problem import GridProblem, copy_rows, make_grid_population
from operators.pencil.grid import is_whole
from solvers import SolverError, State

CHUNK = 20_000
"""The maximum number of children made in one compiled call, so that Python can react several times a second."""
_BROKEN = "an individual breaks the rules that the operators of this puzzle keep"


class GridEngine:
    """Evolves populations in compiled code; see `evo.engine.algorithms.Engine` for its methods.

    Args:
        problem: The puzzle and the settings.
        rng: The source of randomness.
    """

    def __init__(self, problem: GridProblem, rng: np.random.Generator) -> None:
        self.problem, self.rng = problem, rng
        self.evaluations = self.generation = 0
        self.idle = 0  # of a steady state, which is for boards of tiles only
        cells, size = problem.puzzle.size, problem.settings.population
        self.population = make_grid_population(cells, size)
        self._next = make_grid_population(cells, size)
        self._best = make_grid_population(cells, 1)
        self._best.objectives[:] = -1
        self._filled = 0
        self._most = problem.puzzle.max_score

    @property
    def best(self) -> tuple[int, NDArray[np.uint16]]:
        """The best score so far, and the first board that had it."""
        return int(self._best.objectives[0, 0]), self._best.cells[0].reshape(self.problem.puzzle.shape).copy()

    def initialise(self) -> None:
        """Make the initial population and evaluate it."""
        fill_all(self.rng, self.problem.grid, self.population)
        evaluate_all(self.problem.grid, self._most, self.population)
        self.evaluations += self.population.size
        self._note_best()

    def state(self) -> State:
        """Return the individuals, the best board so far and the counters; everything else follows from the cells."""
        return make_state(
            (self.evaluations, self.generation, self.idle), self.population.cells.copy(), self._best.cells[0].copy()
        )

    def restore(self, state: State) -> None:
        """Continue from the state of another engine for the same problem.

        Raises:
            SolverError: The state is not one of such an engine.
        """
        (evaluations, generation, self.idle), cells, best = parts_of(state, self.state())
        if not evaluations:
            return
        for population, boards in ((self.population, cells), (self._best, best[np.newaxis])):
            if not all(is_whole(self.problem.grid, board) for board in np.ascontiguousarray(boards)):
                raise SolverError(_BROKEN)
            population.cells[:] = boards
            evaluate_all(self.problem.grid, self._most, population)
        self.evaluations, self.generation = evaluations, generation

    def keep(self, individuals: NDArray[np.int64]) -> None:
        """Copy individuals to the next generation."""
        copy_rows(self.population, individuals, self._next, self._filled)
        self._filled += len(individuals)

    def cross(self, count: int, rank: NDArray[np.int64]) -> None:
        """Add children of parents selected by tournament to the next generation."""
        self._breed(count, rank, True)

    def mutate(self, count: int, rank: NDArray[np.int64]) -> None:
        """Add mutated copies of individuals selected by tournament to the next generation."""
        self._breed(count, rank, False)

    def _breed(self, count: int, rank: NDArray[np.int64], crossing: bool) -> None:
        grid, tournament = self.problem.grid, self.problem.settings.tournament
        for start, stop in self._parts(count):
            breed(
                self.rng, grid, self._most, self.population, self._next, start, stop, rank, tournament, crossing
            )  # fmt: skip

    def turn(self) -> None:
        """Make the next generation the population."""
        self.population, self._next, self._filled = self._next, self.population, 0
        self._note_best()

    def clone(self, steps: int) -> None:
        """Make steps of clonal selection."""
        settings = self.problem.settings
        fewest, most = settings.fewest_mutations, settings.most_mutations
        for start in range(0, steps, CHUNK):
            clonal_selection(
                self.rng, self.problem.grid, self._most, self.population, self._best, min(CHUNK, steps - start),
                settings.tournament, fewest, most,
            )  # fmt: skip
        self.evaluations += steps

    def repair(self, individuals: NDArray[np.int64]) -> None:
        """Do nothing: these puzzles have no repair."""

    def _note_best(self) -> None:
        leader = int(self.population.objectives[:, 0].argmax())
        if self.population.objectives[leader, 0] > self._best.objectives[0, 0]:
            copy_rows(self.population, [leader], self._best, 0)

    def _parts(self, count: int) -> list[tuple[int, int]]:
        first, last = self._filled, self._filled + count
        self._filled = last
        self.evaluations += count
        return [(start, min(start + CHUNK, last)) for start in range(first, last, CHUNK)]
