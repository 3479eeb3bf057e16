"""Population search over constructions: individuals are boards with the order in which they were built.

A board built by a beam search does not survive a region crossover: its quality lies in the tiles that it left for the
end. But its beginning can be inherited. So variation keeps the first cells of a board and rebuilds the rest, or
rebuilds a region; selection is by tournament, and a child replaces the worst board unless that is better.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

import numpy as np
from deap import base
from numpy.typing import NDArray

from evo.engine.individual import Minimised
from evo.settings.construction import BEAM
from puzzles import Board, Hint, Puzzle
from solvers import Progress, SolverError, State
from solvers.construct.beam import Beam
from solvers.search import matching


@dataclass
class BuiltBoard:
    """A board, the order in which it was built, and its DEAP fitness, the number of mismatches."""

    cells: NDArray[np.uint16]
    order: int
    fitness: base.Fitness


class Builder:
    """Builds boards, completely or in part, along the orders of some settings.

    Args:
        puzzle: The puzzle to solve.
        settings: The settings.
        rng: The source of randomness.
    """

    def __init__(self, puzzle: Puzzle, settings: BEAM, rng: np.random.Generator) -> None:
        self.puzzle, self.settings, self.rng = puzzle, settings, rng
        self.pins = puzzle.pinned_hints(settings.pins)
        self.beams = [Beam(puzzle, options=settings.beam, path=order, pins=self.pins) for order in settings.orders]

    def individual(self) -> BuiltBoard:
        """Return a board built from scratch."""
        order = int(self.rng.integers(len(self.beams)))
        built = self.beams[order].construct(self.rng)
        return BuiltBoard(built.cells, order, Minimised((float(built.mismatches),)))

    def rebuild(self, board: BuiltBoard) -> tuple[BuiltBoard]:
        """Rebuild a part of a board."""
        if self.settings.region and self.rng.random() < self.settings.region:
            return (self._region(board),)
        return (self._rest(board),)

    def _rest(self, board: BuiltBoard) -> BuiltBoard:
        """Keep the first cells of a board, and rebuild the rest."""
        beam = self.beams[board.order]
        least, most = (round(share * len(beam.route.cells)) for share in self.settings.cut)
        prefix = board.cells.ravel()[beam.route.cells[: int(self.rng.integers(least, most + 1))]]
        return self._changed(board, beam, prefix)

    def _region(self, board: BuiltBoard) -> BuiltBoard:
        """Keep everything around a rectangle, and rebuild the rectangle."""
        rows, cols = self.puzzle.shape
        least, most = self.settings.region_cells
        size = int(self.rng.integers(least, most + 1))
        height = int(self.rng.integers(max(1, -(-size // cols)), min(rows, size) + 1))
        width = min(cols, max(1, size // height))
        top, left = int(self.rng.integers(rows - height + 1)), int(self.rng.integers(cols - width + 1))
        inside = np.zeros(self.puzzle.shape, dtype=bool)
        inside[top : top + height, left : left + width] = True
        kept = [
            Hint(int(board.cells[row, col]) >> 2, row, col, int(board.cells[row, col]) & 3)
            for row, col in np.argwhere(~inside).tolist()
        ]
        fixed = {(hint.row, hint.col) for hint in kept}
        pins = [*kept, *(hint for hint in self.pins if (hint.row, hint.col) not in fixed)]
        beam = Beam(self.puzzle, options=self.settings.beam, path=self.settings.orders[board.order], pins=pins)
        return self._changed(board, beam, None)

    def _changed(self, board: BuiltBoard, beam: Beam, prefix: NDArray[np.uint16] | None) -> BuiltBoard:
        built = beam.construct(self.rng, prefix=prefix)
        board.cells, board.fitness.values = built.cells, (float(built.mismatches),)
        return board

    def select(self, population: list[BuiltBoard]) -> BuiltBoard:
        """Return the best of a tournament."""
        numbers: list[int] = self.rng.integers(len(population), size=self.settings.tournament).tolist()
        return min((population[number] for number in numbers), key=mismatches)


def mismatches(board: BuiltBoard) -> int:
    """Return the number of edges of a board that do not match."""
    return int(board.fitness.values[0])


def make_construction_toolbox(puzzle: Puzzle, settings: BEAM, rng: np.random.Generator) -> base.Toolbox:
    """Return a DEAP toolbox with `individual`, `rebuild`, `select` and `clone`, each of which may be replaced."""
    toolbox, builder = base.Toolbox(), Builder(puzzle, settings, rng)
    toolbox.register("individual", builder.individual)
    toolbox.register("rebuild", builder.rebuild)
    toolbox.register("select", builder.select)
    toolbox.register("clone", deepcopy)
    return toolbox


def constructions(
    toolbox: base.Toolbox, population: list[BuiltBoard], settings: BEAM, rng: np.random.Generator
) -> Iterator[BuiltBoard]:
    """The algorithm: yields each board once it is in the population, or has failed to get there.

    repeat:
        while the population is not full, or now and then, build a board from nothing
        otherwise clone the best of a tournament, and build a part of it again
        the child takes the place of the worst, unless that is better
    """
    while True:
        if rng.random() < settings.fresh or len(population) < settings.population:
            child = toolbox.individual()
        else:
            (child,) = toolbox.rebuild(toolbox.clone(toolbox.select(population)))
        if len(population) < settings.population:
            population.append(child)
        else:
            worst = max(range(len(population)), key=lambda number: mismatches(population[number]))
            if mismatches(child) <= mismatches(population[worst]):
                population[worst] = child
        yield child


class BeamPopulationSearch:
    """The algorithm as a search that can be suspended and resumed; see `solvers.Search`.

    Args:
        puzzle: The puzzle to solve.
        settings: The settings.
        rng: The source of randomness.
        toolbox: The toolbox that builds boards; by default that of `make_construction_toolbox`.
    """

    individuals = ("cells", "orders")

    def __init__(
        self,
        puzzle: Puzzle,
        settings: BEAM,
        rng: np.random.Generator,
        toolbox: base.Toolbox | None = None,
    ) -> None:
        self.rng = rng
        self._puzzle, self._settings = puzzle, settings
        self._toolbox = toolbox or make_construction_toolbox(puzzle, settings, rng)
        self._population: list[BuiltBoard] = []
        self._done, self._best = 0, -1
        self._best_cells = np.zeros(puzzle.shape, dtype=np.uint16)

    def reports(self) -> Iterator[Progress]:
        """Continue building boards, and report on each, until one is solved or the budget is spent."""
        boards = constructions(self._toolbox, self._population, self._settings, self.rng)
        while self._done < self._settings.evaluations and self._best < self._puzzle.max_score:
            board = next(boards)
            self._done += 1
            score = self._score(board)
            if score > self._best:
                self._best, self._best_cells = score, board.cells.copy()
            scores = [self._score(one) for one in self._population]
            mean, worst = float(np.mean(scores)), min(scores)
            yield Progress(self._done, self._best, self._best_cells.copy(), mean, worst, self._puzzle)

    def fitness(self) -> NDArray[np.int64]:
        """Return the number of mismatches of each board."""
        return np.array([mismatches(board) for board in self._population])

    def state(self) -> State:
        """Return the boards of the population with their orders, the best board, and the number of boards built."""
        room, size = self._settings.population, self._puzzle.size
        cells, orders = np.zeros((room, size), dtype=np.uint16), np.zeros(room, dtype=np.int64)
        for number, board in enumerate(self._population):
            cells[number], orders[number] = board.cells.ravel(), board.order
        numbers = np.array([self._done, self._best, len(self._population)])
        return {"numbers": numbers, "cells": cells, "orders": orders, "best_cells": self._best_cells.ravel().copy()}

    def restore(self, state: State) -> None:
        """Continue from the state of another search."""
        numbers, cells, orders, best_cells = matching(state, self.state()).values()
        done, best, count = numbers.tolist()
        if not 0 <= count <= min(done, len(cells)) or orders.min() < 0 or orders.max() >= len(self._settings.orders):
            raise SolverError("the state has more boards than were built, or an order that does not exist")
        boards = [self._whole(one) for one in cells[:count]]
        if done:
            self._best_cells = self._whole(best_cells).cells.copy()
        self._done, self._best = done, best
        self._population = [
            BuiltBoard(board.cells.copy(), int(order), Minimised((float(self._puzzle.max_score - board.score),)))
            for board, order in zip(boards, orders, strict=False)
        ]

    def _whole(self, cells: NDArray[np.uint16]) -> Board:
        board = Board(self._puzzle, cells.reshape(self._puzzle.shape))
        report = board.verify()
        if report.duplicates or report.placed < self._puzzle.size:
            raise SolverError("a board does not have every tile exactly once")
        return board

    def _score(self, board: BuiltBoard) -> int:
        return self._puzzle.max_score - mismatches(board)
