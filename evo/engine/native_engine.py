"""The native engine: whole generations in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from evo.engine.algorithms import steps_at_once
from evo.engine.engine_state import NOT_WHOLE, make_state, parts_of
from evo.engine.native_kernels import (
    admit_clone,
    breed_by_crossover,
    breed_by_mutation,
    breed_steadily,
    clonal_selection,
    copy_individuals,
    make_clone,
    repair_individuals,
)
from evo.engine.problem import TileProblem
from evo.engine.region_boards import RegionRepair
from evo.settings.evolution import AIEA, GA, MEMETIC, MOEA
from operators.errors import BROKEN_BOARD, OperatorError
from operators.initialise import fill_randomly, fill_with_knowledge
from operators.lexicase import make_lexicase
from operators.population import (
    all_whole,
    copy_individual,
    evaluate_all,
    evaluate_anew,
    is_whole,
    make_population,
    make_scratch,
)
from operators.repair import make_repair_scratch
from operators.search import fill_by_search
from solvers import SolverError, State

CHUNK = 50_000
"""The maximum number of children made in one compiled call, so that Python can react several times a second."""
COMPARED = 1_000 * CHUNK
"""The maximum number of boards with which children are compared in one compiled call where near copies are kept out."""

Compiled = Callable[..., Any]


class NativeEngine:
    """Evolves populations in compiled code; see `evo.engine.algorithms.Engine` for its methods.

    Args:
        problem: The puzzle and the settings.
        rng: The source of randomness.
        mate: A compiled function (rng, mother, father, child) on boards, in place of that of the problem.
        mutate: A compiled function (rng, board), in place of that of the problem.
    """

    def __init__(
        self,
        problem: TileProblem,
        rng: np.random.Generator,
        *,
        mate: Compiled | None = None,
        mutate: Compiled | None = None,
    ) -> None:
        self.problem = problem
        self.rng = rng
        self.evaluations = self.generation = self.idle = 0
        size = problem.settings.population
        self.population = make_population(problem.lattice, size)
        self._next = make_population(problem.lattice, 0 if isinstance(problem.settings, AIEA | MEMETIC) else size)
        self._best, self._clone = make_population(problem.lattice, 1), make_population(problem.lattice, 1)
        self._best.objectives[:] = -1
        self._filled = self._kept = 0
        # A compiled call is to take a fraction of a second on any board.
        most = min(CHUNK, COMPARED // size) if problem.settings.apart else CHUNK
        self._chunk = max(1, most * 256 // problem.puzzle.size)
        repair, self._neighbourhood = problem.repair, make_repair_scratch(problem.lattice, problem.repair)
        self._of_clones = repair if problem.repairs_offspring else repair._replace(moves=0)
        self._repairs = max(1, self._chunk // (1 + repair.moves * len(self._neighbourhood.chosen) // 2))
        largest = max(problem.settings.tournament, problem.partner_tournament, problem.mutant_tournament)
        self._scratch = make_scratch(problem.lattice, 0 if problem.settings.replacement else largest)
        self._lexicase = make_lexicase(problem.lattice, size) if problem.settings.selection == "lexicase" else None
        self._by_crossover, self._by_mutation, self._by_cloning, self._make_clone, self._by_breeding = _kernels(
            mate or problem.own.mate, mutate or problem.own.mutate
        )

    @property
    def best(self) -> tuple[int, NDArray[np.uint16]]:
        """The score to report, and the first board that has it: the best so far, or of the current population."""
        if self.problem.settings.reported == "best":
            source, leader = self._best, 0
        else:
            source, leader = self.population, int(self.population.objectives[:, 0].argmax())
        cells = source.cells[leader, :-1].reshape(self.problem.puzzle.shape).copy()
        return int(source.objectives[leader, 0]), cells

    def initialise(self) -> None:
        """Make the initial population and evaluate it."""
        problem, cells = self.problem, self.population.cells
        step = max(1, 500 * 256**2 // problem.puzzle.size**2)
        for start in range(0, len(cells), step):
            part = cells[start : start + step]
            if problem.own.init is not None:
                for row in part:
                    problem.own.init(self.rng, problem.puzzle.sides, row[:-1].reshape(problem.puzzle.shape))
            elif problem.beams is not None:
                for row in part:
                    row[:-1] = problem.beams.board(self.rng).ravel()
            elif problem.search is not None:
                fill_by_search(self.rng, problem.lattice, problem.search, part)
            elif problem.settings.init == "random":
                fill_randomly(self.rng, problem.lattice, part)
            else:
                fill_with_knowledge(self.rng, problem.lattice, problem.path, problem.framed, part)
        if problem.own.init is not None and not all_whole(problem.lattice, self.population):
            raise OperatorError(BROKEN_BOARD)
        evaluate_all(problem.lattice, problem.weights, self.population)
        self.evaluations += len(cells)
        self.idle = 0
        self._note_best()

    def state(self) -> State:
        """Return the individuals, the best board so far and the counters; everything else follows from the cells."""
        cells, best = self.population.cells[:, :-1].copy(), self._best.cells[0, :-1].copy()
        return make_state((self.evaluations, self.generation, self.idle), cells, best)

    def restore(self, state: State) -> None:
        """Continue from the state of another engine for the same problem.

        Raises:
            SolverError: The state is not one of such an engine.
        """
        counters, cells, best = parts_of(state, self.state())
        if not counters[0]:
            return
        lattice, weights = self.problem.lattice, self.problem.weights
        for population, boards in ((self.population, cells), (self._best, best)):
            population.cells[:, :-1] = boards
            if not all_whole(lattice, population):
                raise SolverError(NOT_WHOLE)
            evaluate_all(lattice, weights, population)
        self.evaluations, self.generation, self.idle = counters

    def keep(self, individuals: NDArray[np.int64]) -> None:
        """Copy individuals to the next generation."""
        copy_individuals(self.population, individuals, self._next, self._filled)
        self._filled += len(individuals)
        self._kept = self._filled

    def cross(self, count: int, rank: NDArray[np.int64]) -> None:
        """Add children of parents selected by tournament to the next generation."""
        problem, settings = self.problem, self.problem.settings
        assert isinstance(settings, GA | MOEA)
        for start, stop in self._parts(count):
            self._by_crossover(
                self.rng, problem.lattice, problem.variation, problem.weights, self.population, self._next, start, stop,
                rank, settings.tournament, problem.partner_tournament, settings.distinct_parents, self._scratch,
                self._lexicase,
            )  # fmt: skip

    def mutate(self, count: int, rank: NDArray[np.int64]) -> None:
        """Add mutated copies of individuals selected by tournament to the next generation."""
        problem = self.problem
        for start, stop in self._parts(count):
            self._by_mutation(
                self.rng, problem.lattice, problem.variation, problem.weights, problem.mutations, self.population,
                self._next, start, stop, rank, problem.mutant_tournament, self._scratch, self._lexicase,
            )  # fmt: skip

    def turn(self) -> None:
        """Make the next generation the population; repair its children if so configured."""
        self.population, self._next = self._next, self.population
        if self.problem.repairs_offspring:
            how, left = self.problem.repair, self.problem.settings.evaluations - self.evaluations
            drawn = np.flatnonzero(self.rng.random(self._filled - self._kept) < how.share)
            self.repair(self._kept + drawn[: left // how.moves])
        self._filled = self._kept = 0
        self._note_best()

    def clone(self, steps: int) -> None:
        """Make steps of clonal selection."""
        problem, settings = self.problem, self.problem.settings
        assert isinstance(settings, AIEA)
        self.evaluations += steps
        if problem.regions is not None and problem.repairs_offspring:
            self._clone_with_regions(steps, settings, problem.regions)
            return
        chunk = max(1, self._chunk // settings.most_mutations)
        chunk = min(chunk, self._repairs) if problem.repairs_offspring else chunk
        while steps:
            count = min(steps, chunk)
            repaired = self._by_cloning(
                self.rng, problem.lattice, problem.variation, problem.weights, problem.mutations, self.population,
                self._best, self._clone, count, settings.tournament, settings.fewest_mutations,
                settings.most_mutations, problem.replacement, self._scratch, self._lexicase, self._of_clones,
                self._neighbourhood,
            )  # fmt: skip
            self.evaluations += repaired * problem.repair.moves
            steps -= count

    def breed(self, steps: int) -> None:
        """Make children one by one, each of which may replace an individual."""
        problem, settings = self.problem, self.problem.settings
        assert isinstance(settings, MEMETIC)
        self.evaluations += steps
        chunk = min(steps_at_once(settings, self._chunk), self._repairs)
        while steps:
            count = min(steps, chunk)
            repaired, self.idle = self._by_breeding(
                self.rng, problem.lattice, problem.variation, problem.weights, problem.mutations, self.population,
                self._best, count, self.idle, settings.tournament, settings.crossover, problem.replacement,
                self._scratch, self._lexicase, self._of_clones, self._neighbourhood,
            )  # fmt: skip
            self.evaluations += repaired * problem.repair.moves
            steps -= count

    def _clone_with_regions(self, steps: int, settings: AIEA, regions: RegionRepair) -> None:
        """Make steps of clonal selection one by one: regions are solved between the compiled parts of a step."""
        problem, population, clone = self.problem, self.population, self._clone
        for _ in range(steps):
            least, greatest = int(population.fitness.min()), int(population.fitness.max())
            self._make_clone(
                self.rng, problem.lattice, problem.variation, problem.weights, problem.mutations, population, clone,
                settings.tournament, least, greatest, settings.fewest_mutations, settings.most_mutations, self._scratch,
                self._lexicase,
            )  # fmt: skip
            if self.rng.random() < problem.repair.share:
                regions.repair(self.rng, clone.cells[0])
                evaluate_anew(problem.lattice, problem.weights, clone, 0)
                self.evaluations += problem.repair.moves
            admit_clone(
                self.rng, population, self._best, clone, settings.tournament, problem.replacement, self._scratch
            )  # fmt: skip

    def repair(self, individuals: NDArray[np.int64]) -> None:
        """Repair individuals of the population."""
        problem, step = self.problem, self._repairs
        if problem.regions is not None:
            for k in individuals.tolist():
                problem.regions.repair(self.rng, self.population.cells[k])
                evaluate_anew(problem.lattice, problem.weights, self.population, k)
        else:
            for start in range(0, len(individuals), step):
                repair_individuals(
                    self.rng, problem.lattice, problem.weights, problem.repair, self.population,
                    individuals[start : start + step], self._neighbourhood,
                )  # fmt: skip
        self.evaluations += len(individuals) * problem.repair.moves
        self._note_best()

    def _note_best(self) -> None:
        leader = int(self.population.objectives[:, 0].argmax())
        if self.population.objectives[leader, 0] > self._best.objectives[0, 0]:
            copy_individual(self.population, leader, self._best, 0)

    def _parts(self, count: int) -> list[tuple[int, int]]:
        first, last = self._filled, self._filled + count
        self._filled = last
        self.evaluations += count
        return [(start, min(start + self._chunk, last)) for start in range(first, last, self._chunk)]


@lru_cache(maxsize=8)
def _kernels(mate: Compiled | None, mutate_board: Compiled | None) -> tuple[Compiled, ...]:
    """Return the compiled loops, with the user's own operators in them; compiled once, not for each slice of a run."""
    crossing: Compiled = breed_by_crossover
    mutating: Compiled = breed_by_mutation
    cloning: Compiled = clonal_selection
    making: Compiled = make_clone
    breeding: Compiled = breed_steadily
    own: dict[str, Compiled] = {}
    if mate is not None:
        own["cross_over"] = _mating(mate)
        crossing = _with(breed_by_crossover, **own)
    if mutate_board is not None:
        own["mutate_some"] = mutation = _mutating(mutate_board)
        mutating, making = _with(breed_by_mutation, mutate_some=mutation), _with(make_clone, mutate_some=mutation)
        cloning = _with(clonal_selection, make_clone=making)
    if own:
        breeding = _with(breed_steadily, **own)
    return crossing, mutating, cloning, making, breeding


def _with(kernel: Any, **operators: Compiled) -> Compiled:
    """Return a kernel that is compiled again with other operators under the names that it calls."""
    source = kernel.py_func
    copy = FunctionType(source.__code__, {**source.__globals__, **operators}, source.__name__)
    return numba.njit(nogil=True)(copy)


def _mating(mate: Compiled) -> Compiled:
    """Return a crossover on boards as a function with the arguments of `cross_over`."""

    @numba.njit(nogil=True)
    def cross(
        rng: Any, lattice: Any, variation: Any, weights: Any, mothers: Any, mother: int, fathers: Any, father: int,
        children: Any, child: int, scratch: Any,
    ) -> None:  # fmt: skip
        copy_individual(mothers, mother, children, child)
        shape = (lattice.rows, lattice.cols)
        one, other = mothers.cells[mother][:-1].reshape(shape), fathers.cells[father][:-1].reshape(shape)
        mate(rng, one, other, children.cells[child][:-1].reshape(shape))
        if not is_whole(lattice, children, child):
            raise OperatorError(BROKEN_BOARD)
        evaluate_anew(lattice, weights, children, child)

    return cross


def _mutating(mutate_board: Compiled) -> Compiled:
    """Return a mutation on boards as a function with the arguments of `mutate_some`."""

    @numba.njit(nogil=True)
    def mutation(
        rng: Any, lattice: Any, variation: Any, weights: Any, mutations: Any, population: Any, individual: int,
        times: int,
    ) -> None:  # fmt: skip
        board = population.cells[individual][:-1].reshape((lattice.rows, lattice.cols))
        for _ in range(times):
            mutate_board(rng, board)
        if not is_whole(lattice, population, individual):
            raise OperatorError(BROKEN_BOARD)
        evaluate_anew(lattice, weights, population, individual)

    return mutation
