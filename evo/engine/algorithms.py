"""The three evolutionary algorithms, as in the paper, and a memetic one.

Each is a generator: it makes the initial population, unless the engine has one already, and yields after it and after
every generation (AIEA: as many steps as there are individuals), when the engine's `population`, `evaluations` and
`rng` are consistent. Logging, progress, checkpoints and stopping are up to the caller. An engine
(`evo.engine.native_engine`, `evo.engine.deap_engine`) does the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from evo.engine.problem import Individuals, Problem
from evo.settings.evolution import MEMETIC, MOEA
from evo.settings.repair import RepairSettings
from operators import dominance_rank
from operators.replacement import without_copies

LEAST_GENERATION, GROWTH = 1_000, 10
"""In the steady-state algorithm, a generation has as many steps as there are individuals, but at least 1,000, because
reporting takes time too. At first it yields whenever the number of evaluations has grown by a tenth."""
_BUILT = 20
"""The number of boards that a steady state has built by beams between two reports."""


class Engine(Protocol):
    """What an algorithm needs from an engine."""

    @property
    def problem(self) -> Problem:
        """The puzzle and the settings."""

    evaluations: int
    """The number of fitness evaluations: one for each individual, and one for each move of a repair."""
    generation: int
    rng: np.random.Generator

    @property
    def population(self) -> Individuals:
        """The individuals, their objectives and their fitness."""

    @property
    def best(self) -> tuple[int, NDArray[np.uint16]]:
        """The score to report, and the first board that has it: the best so far, or of the current population."""

    def initialise(self) -> None:
        """Make and evaluate the initial population."""

    def keep(self, individuals: NDArray[np.int64]) -> None:
        """Copy individuals to the next generation."""

    def cross(self, count: int, rank: NDArray[np.int64]) -> None:
        """Add children of parents selected by tournament to the next generation; the lower rank wins."""

    def mutate(self, count: int, rank: NDArray[np.int64]) -> None:
        """Add mutated individuals selected by tournament to the next generation; the lower rank wins."""

    def turn(self) -> None:
        """Make the next generation the population."""

    def clone(self, steps: int) -> None:
        """Make steps of clonal selection."""

    def repair(self, individuals: NDArray[np.int64]) -> None:
        """Repair individuals of the population."""


class SteadyEngine(Engine, Protocol):
    """What the memetic algorithm needs besides."""

    idle: int
    """The number of children since the last one that was fitter than the whole population."""

    def breed(self, steps: int) -> None:
        """Make children one by one, each of which may replace an individual."""


class LoopSettings(Protocol):
    """What every loop needs to know."""

    @property
    def evaluations(self) -> int:
        """The budget."""

    @property
    def population(self) -> int:
        """The number of individuals."""

    @property
    def repair(self) -> RepairSettings | None:
        """How individuals are repaired, if they are."""


class Generational(LoopSettings, Protocol):
    """What the genetic algorithm needs to know besides."""

    @property
    def elite(self) -> int:
        """The number of individuals that a generation keeps."""

    @property
    def crossover(self) -> int:
        """The number of children of two parents in a generation."""

    @property
    def mutation(self) -> int:
        """The number of mutated copies in a generation."""

    @property
    def apart(self) -> int:
        """The least number of cells in which members of the elite of like score differ; 0 for any."""

    @property
    def like(self) -> int:
        """The greatest difference between like scores."""


def ga(engine: Engine, settings: Generational) -> Iterator[None]:
    """Run the genetic algorithm (section III-B).

        make the initial population
        repeat:
            copy the `elite` fittest individuals
            `crossover` times: add a child of two parents, each the best of a tournament
            `mutation` times: add a mutated copy of the best of a tournament
            repair some, if so configured

    If near copies are kept out of the elite and fewer than `elite` individuals remain, children take the free places as
    in the multiobjective algorithm.
    """
    if not engine.evaluations:
        engine.initialise()
    yield
    cost = settings.population if settings.apart else settings.crossover + settings.mutation
    while engine.evaluations + cost <= settings.evaluations:
        population = engine.population
        order = fittest(population.fitness, settings.population if settings.apart else settings.elite)
        next_generation(engine, settings, elite_of(population, order, settings), population.fitness)
        repair_some(engine, settings, lambda population: population.fitness)
        yield


def moea(engine: Engine, settings: MOEA) -> Iterator[None]:
    """Run the multiobjective algorithm (section III-D): NSGA-II with the paper's three changes.

        make the initial population
        repeat:
            count for each individual how many others dominate it; those with none are the front
            distance of a front member: the sum over the others of the number of objectives that differ
            copy at most `elite` members of the front, most distant first; near copies are left out if so configured
            cross over and mutate as the genetic algorithm does; fewer dominators win a tournament, then more distance
            repair some, if so configured

    If the front has fewer than `elite` members, additional children by crossover take the free places (additional
    mutants if there is no crossover).
    """
    if not engine.evaluations:
        engine.initialise()
    yield
    while engine.evaluations + settings.population <= settings.evaluations:
        population = engine.population
        rank = dominance_rank(population.objectives)
        front = np.flatnonzero(rank <= 0)
        kept = elite_of(population, front[np.argsort(rank[front], kind="stable")], settings)
        if settings.ties == "first":
            rank[front] = 0  # all members of the front are equal in a tournament
        next_generation(engine, settings, kept, rank)
        repair_some(engine, settings, lambda population: dominance_rank(population.objectives))
        yield


def elite_of(population: Individuals, order: NDArray[np.int64], settings: Generational) -> NDArray[np.int64]:
    """Return the first `elite` individuals of an order; near copies of those before them are passed over."""
    if not settings.apart:
        return order[: settings.elite]
    return without_copies(population.cells, population.objectives, order, settings.elite, settings.apart, settings.like)


def next_generation(engine: Engine, settings: Generational, kept: NDArray[np.int64], rank: NDArray[np.int64]) -> None:
    """Make the next generation of the individuals that are kept and of children, which also take free places."""
    missing = settings.elite - len(kept)
    engine.keep(kept)
    engine.cross(settings.crossover + (missing if settings.crossover else 0), rank)
    engine.mutate(settings.mutation + (0 if settings.crossover else missing), rank)
    engine.turn()


def aiea(engine: Engine, settings: LoopSettings) -> Iterator[None]:
    """Run the artificial immune evolutionary algorithm (section III-C, Algorithm 2).

    make the initial population; note its minimum and maximum fitness
    repeat:
        clone the best of a tournament
        mutate the clone in proportion to (fit - minfit) / (maxfit - minfit)
        the clone replaces the worst of a tournament, or a near copy of itself if so configured
        note the minimum and maximum fitness
        repair some at the end of a generation, if so configured
    """
    if not engine.evaluations:
        engine.initialise()
    yield
    generation = max(LEAST_GENERATION, settings.population)
    cost = 1 + settings.repair.moves if settings.repair is not None and settings.repair.when == "offspring" else 1
    while engine.evaluations + cost <= settings.evaluations:
        steps = min(generation, max(1, engine.evaluations // GROWTH // cost))
        engine.clone(min(steps, (settings.evaluations - engine.evaluations) // cost))
        repair_some(engine, settings, lambda population: population.fitness)
        yield


def memetic(engine: SteadyEngine, settings: MEMETIC) -> Iterator[None]:
    """Run the memetic algorithm, a steady state of boards that search has made and mutation rebuilds.

    make the initial population
    repeat:
        choose the best of a tournament
        make a mutated copy of it, or now and then a child of it and of the best of another tournament
        the child replaces the least fit, or a near copy of itself; see `operators.replacement`
        make a new population after many children without one that is fitter than all
    """
    if not engine.evaluations:
        engine.initialise()
    yield
    cost = 1 + settings.repair.moves if settings.repair is not None and settings.repair.when == "offspring" else 1
    most = steps_at_once(settings, max(LEAST_GENERATION, settings.population))
    while engine.evaluations + cost <= settings.evaluations:
        room = settings.evaluations - engine.evaluations
        if settings.patience and engine.idle >= settings.patience * settings.population and settings.population <= room:
            engine.initialise()
        else:
            engine.breed(min(most, max(1, engine.evaluations // GROWTH // cost), room // cost))
            repair_some(engine, settings, lambda population: population.fitness)
        yield


def steps_at_once(settings: MEMETIC, steps: int) -> int:
    """Return how many children to make before a report: fewer if many of them are built by beams, which take longer."""
    share = settings.mixture.prefix
    return min(steps, max(1, round(_BUILT / share))) if share else steps


def repair_some(engine: Engine, settings: LoopSettings, rank: Callable[[Individuals], NDArray[np.int64]]) -> None:
    """Repair the elite, or any individuals, at the end of a generation, as far as the budget allows."""
    engine.generation += 1
    how = settings.repair
    if how is None or how.when == "offspring":
        return
    if how.when == "elite":
        chosen = fittest(rank(engine.population), max(1, round(how.share * settings.population)))
    elif engine.generation % how.every == 0:
        chosen = np.flatnonzero(engine.rng.random(settings.population) < how.share)
    else:
        return
    # In order, so that both engines record the same one of several new best boards.
    engine.repair(np.sort(chosen[: (settings.evaluations - engine.evaluations) // how.moves]))


def fittest(fitness: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return the individuals of lowest fitness; of equals, the first ones."""
    if count <= 1:  # the usual case needs no sorting
        return np.array([np.argmin(fitness)][:count], dtype=np.int64)
    return np.argsort(fitness, kind="stable")[:count]
