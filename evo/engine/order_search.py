"""Evolution of orders: a chromosome is a permutation of tiles, or random keys that sort them; a decoder makes boards.

The paper ends with this wish (section V). Every choice of the loop is a function in a DEAP toolbox. The project's
crossovers and mutation of orders are compiled twins of DEAP's; DEAP's own give the same boards (`operators.orders`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from deap import base
from numpy.typing import NDArray

from evo.engine.engine_state import NOT_WHOLE
from evo.engine.evolution_search import sample_diversity
from evo.engine.native_kernels import copy_individuals
from evo.engine.order_decoders import make_decoder
from evo.settings.order import ORDER
from operators import OperatorError, dominators, fitness_weights, make_lattice, tournament_best
from operators.errors import BROKEN_BOARD
from operators.orders import biased_crossover, ordered_crossover, partially_matched_crossover, shuffle_indexes
from operators.population import (
    Population,
    all_whole,
    copy_individual,
    evaluate_all,
    evaluate_anew,
    is_whole,
    make_population,
)
from puzzles import Puzzle
from solvers import Progress, SolverError, State
from solvers.chunked_search import ChunkedSearch
from solvers.search import matching

Genes = NDArray[Any]
"""A chromosome: the tiles in order, or a random key for each tile."""


class OrderOperators:
    """The operators on chromosomes as DEAP calls them.

    Args:
        puzzle: The puzzle to solve.
        settings: The settings.
        rng: The source of randomness.
    """

    def __init__(self, puzzle: Puzzle, settings: ORDER, rng: np.random.Generator) -> None:
        self.puzzle, self.settings, self.rng = puzzle, settings, rng
        self._crossover = ordered_crossover if settings.mate == "ordered" else partially_matched_crossover

    def individual(self) -> Genes:
        """Return a random chromosome."""
        if self.settings.scheme == "brkga":
            return self.rng.random(self.puzzle.size)
        return self.rng.permutation(self.puzzle.size).astype(np.uint16)

    def mate(self, one: Genes, other: Genes) -> tuple[Genes, Genes]:
        """Turn two chromosomes into their children; of random keys there is one child, in place of the second."""
        if self.settings.scheme == "brkga":
            return one, biased_crossover(self.rng, one, other, self.settings.bias)
        self._crossover(self.rng, one, other)
        return one, other

    def mutate(self, one: Genes) -> tuple[Genes]:
        """Exchange some tiles of an order."""
        shuffle_indexes(self.rng, one, self.settings.shuffle)
        return (one,)


def make_order_toolbox(puzzle: Puzzle, settings: ORDER, rng: np.random.Generator) -> base.Toolbox:
    """Return a DEAP toolbox with `individual`, `clone`, `mate`, `mutate` and `decode`, each of which may be replaced.

    `decode` is called with an order of tiles and an array of cells, which it fills; see `evo.engine.order_decoders`.
    """
    toolbox, operators = base.Toolbox(), OrderOperators(puzzle, settings, rng)
    toolbox.register("individual", operators.individual)
    toolbox.register("clone", np.copy)
    toolbox.register("mate", operators.mate)
    toolbox.register("mutate", operators.mutate)
    toolbox.register("decode", make_decoder(puzzle, settings, puzzle.pinned_hints(settings.pins), rng))
    return toolbox


class OrderSearch(ChunkedSearch):
    """Evolves orders; see `solvers.Search`.

    steady: a child of two parents, each the best of a tournament, is mutated and replaces the worst unless that is
        better.
    brkga (Goncalves and Resende, 2011): the elite of a generation is kept, some individuals are random, and the others
        are children of one parent in the elite and one outside it.
    random: every order is random: what the same decoder finds without evolution.

    Args:
        puzzle: The puzzle to solve.
        settings: The settings.
        rng: The source of randomness.
        toolbox: The operators; by default those of `make_order_toolbox`.
    """

    individuals = ("genes", "cells")

    def __init__(
        self, puzzle: Puzzle, settings: ORDER, rng: np.random.Generator, toolbox: base.Toolbox | None = None
    ) -> None:
        super().__init__(puzzle, rng, settings.evaluations, chunk=settings.population)
        self._settings = settings
        self._toolbox = toolbox or make_order_toolbox(puzzle, settings, rng)
        self._lattice = make_lattice(puzzle, puzzle.pinned_hints(settings.pins))
        self._weights = fitness_weights(puzzle, "normal")
        self._step = {"steady": self._steady, "brkga": self._generational, "random": self._at_random}[settings.scheme]
        keys = np.float64 if settings.scheme == "brkga" else np.uint16
        room = (settings.population, settings.population if settings.scheme == "brkga" else 1)
        self._genes, self._next_genes = (np.zeros((size, puzzle.size), dtype=keys) for size in room)
        self._boards, self._next_boards = (make_population(self._lattice, size) for size in room)
        self._best_cells = np.zeros(puzzle.size, dtype=np.uint16)
        self._made = self._filled = 0
        self._best = -1

    @property
    def _done(self) -> int:
        return self._made

    @property
    def _over(self) -> bool:
        return self._best == self._puzzle.max_score

    def _advance(self, limit: int) -> Progress:
        for _ in range(limit):
            if self._made < self._settings.population:
                self._evaluate(self._toolbox.individual())
                self._take(self._made - 1)
            else:
                self._step()
        scores = self._boards.objectives[: self._made, 0]
        return self._report(self._best, self._best_cells, float(scores.mean()), int(scores.min()))

    def _steady(self) -> None:
        """Make a child; it replaces the worst individual unless that is better."""
        fitness, toolbox = self._boards.fitness, self._toolbox
        mother, father = (tournament_best(self.rng, fitness, self._settings.tournament) for _ in range(2))
        child, _ = toolbox.mate(toolbox.clone(self._genes[mother]), toolbox.clone(self._genes[father]))
        (child,) = toolbox.mutate(child)
        self._evaluate(child)
        worst = int(fitness.argmax())
        if self._next_boards.fitness[0] <= fitness[worst]:
            self._take(worst)

    def _generational(self) -> None:
        """Make an individual of the next generation, which takes over when it is complete."""
        kept, new = self._settings.generation
        size, toolbox = self._settings.population, self._toolbox
        ranked = np.argsort(self._boards.fitness, kind="stable")
        if self._filled == 0:
            copy_individuals(self._boards, ranked[:kept], self._next_boards, 0)
            self._next_genes[:kept] = self._genes[ranked[:kept]]
            self._filled = kept
        if self._filled < kept + new:
            child = toolbox.individual()
        else:
            better, other = int(self.rng.random() * kept), kept + int(self.rng.random() * (size - kept))
            parents = (toolbox.clone(self._genes[ranked[place]]) for place in (better, other))
            _, child = toolbox.mate(*parents)
        self._evaluate(child, self._filled)
        self._filled += 1
        if self._filled == size:
            self._genes, self._next_genes = self._next_genes, self._genes
            self._boards, self._next_boards = self._next_boards, self._boards
            self._filled = 0

    def _at_random(self) -> None:
        """Make a random individual in place of the oldest one."""
        self._evaluate(self._toolbox.individual())
        self._take((self._made - 1) % self._settings.population)

    def _evaluate(self, genes: Genes, place: int = 0) -> None:
        """Decode a chromosome, and note it and its board in a place of the next generation."""
        order = genes if genes.dtype == np.uint16 else np.argsort(genes, kind="stable").astype(np.uint16)
        boards = self._next_boards
        self._toolbox.decode(order, boards.cells[place])
        if not is_whole(self._lattice, boards, place):
            raise OperatorError(BROKEN_BOARD)
        evaluate_anew(self._lattice, self._weights, boards, place)
        self._next_genes[place] = genes
        self._made += 1
        if boards.objectives[place, 0] > self._best:
            self._best = int(boards.objectives[place, 0])
            self._best_cells[:] = boards.cells[place, :-1]

    def _take(self, place: int) -> None:
        """Put the individual that was evaluated last into a place of the population."""
        self._genes[place] = self._next_genes[0]
        copy_individual(self._next_boards, 0, self._boards, place)

    def diversity(self, evaluations: int) -> float:
        """Return the mean share of cells in which two boards differ, estimated from a sample."""
        return sample_diversity(self._boards.cells[:evaluations, :-1], 4 * self._puzzle.size)

    def fitness(self) -> NDArray[np.int64]:
        """Return the number of mismatches of each board."""
        return self._boards.fitness

    def front(self) -> NDArray[np.int32]:
        """Return the objectives of all boards that no other dominates: each triple once, in order."""
        objectives = self._boards.objectives[: self._made]
        return np.unique(objectives[dominators(objectives) == 0], axis=0)

    def state(self) -> State:
        """Return the chromosomes and boards of this and the next generation, the best board, and the counters."""
        return {
            "numbers": np.array([self._made, self._best, self._filled]),
            "genes": self._genes.copy(),
            "cells": self._boards.cells[:, :-1].copy(),
            "next_genes": self._next_genes.copy(),
            "next_cells": self._next_boards.cells[:, :-1].copy(),
            "best_cells": self._best_cells.copy(),
        }

    def restore(self, state: State) -> None:
        """Continue from the state of another search."""
        numbers, genes, cells, next_genes, next_cells, best_cells = matching(state, self.state()).values()
        made, best, filled = numbers.tolist()
        size = self._settings.population
        if made < 0 or not 0 <= filled < size:
            raise SolverError("the numbers of evaluations and individuals do not fit the settings")
        if made:
            self._check_best(best_cells, best)
        if genes.dtype == np.uint16 and (np.sort(genes[:made], axis=1) != np.arange(self._puzzle.size)).any():
            raise SolverError("an order does not have every tile exactly once")
        for boards, found, count in (
            (self._boards, cells, min(made, size)),
            (self._next_boards, next_cells, filled),
        ):
            boards.cells[:, :-1] = found
            arrays: Any = boards
            part = Population(*(array[:count] for array in arrays))
            if not all_whole(self._lattice, part):
                raise SolverError(NOT_WHOLE)
            evaluate_all(self._lattice, self._weights, part)
        self._genes[:], self._next_genes[:], self._best_cells[:] = genes, next_genes, best_cells
        self._made, self._best, self._filled = made, best, filled
