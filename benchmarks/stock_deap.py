"""GA, MOEA and AIEA as one would write them with DEAP and numpy, for comparison: only the score is compiled."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

import numpy as np
from deap import base, tools
from numpy.typing import NDArray

from puzzles import Puzzle, score_population

Cells = NDArray[np.uint16]


class Minimised(base.Fitness):  # type: ignore[misc]  # deap ships no types
    """One number, to be minimised."""

    weights = (-1.0,)


class Maximised(base.Fitness):  # type: ignore[misc]  # deap ships no types
    """Three numbers, to be maximised."""

    weights = (1.0, 1.0, 1.0)


class Individual:
    """A board with a fitness."""

    def __init__(self, cells: Cells, fitness: base.Fitness) -> None:
        self.cells, self.fitness = cells, fitness


def make_stock_toolbox(puzzle: Puzzle, kind: str) -> base.Toolbox:
    """A toolbox of numpy operators; `kind` is "normal", "combined" or "three"."""
    rows, cols = puzzle.shape
    maxima = np.array([puzzle.max_score, puzzle.max_blocks, puzzle.size])

    def individual() -> Individual:
        tiles = np.random.default_rng(random.getrandbits(32)).permutation(puzzle.size)
        turns = np.array([random.randrange(4) for _ in range(puzzle.size)])
        cells = (tiles * 4 + turns).astype(np.uint16).reshape(rows, cols)
        return Individual(cells, Maximised() if kind == "three" else Minimised())

    def evaluate(one: Individual) -> tuple[float, ...]:
        objectives = score_population(puzzle.sides, one.cells[np.newaxis])[0]
        if kind == "normal":
            return (float(puzzle.max_score - objectives[0]),)
        return tuple(map(float, objectives)) if kind == "three" else (float(1 - (objectives / maxima).mean()),)

    def mate(mother: Individual, father: Individual) -> Individual:
        height, width = random.randint(2, 8), random.randint(2, 8)
        top, left = random.randint(0, rows - height), random.randint(0, cols - width)
        region = (slice(top, top + height), slice(left, left + width))
        child = deepcopy(mother)
        tiles = child.cells // 4
        holes = np.isin(tiles, father.cells[region] // 4)
        holes[region] = False
        spare = mother.cells[region][~np.isin(mother.cells[region] // 4, father.cells[region] // 4)]
        child.cells[region] = father.cells[region]
        random.shuffle(spare)  # type: ignore[arg-type]  # an array can be shuffled in place
        child.cells[holes] = spare // 4 * 4 + np.array([random.randrange(4) for _ in spare], dtype=np.uint16)
        return child

    def mutate(one: Individual) -> Individual:
        if random.random() < 0.5:
            while True:
                height, width = random.randint(1, 10), random.randint(1, 10)
                top, other_top = random.randint(0, rows - height), random.randint(0, rows - height)
                left, other_left = random.randint(0, cols - width), random.randint(0, cols - width)
                if abs(top - other_top) >= height or abs(left - other_left) >= width:
                    break
            here = (slice(top, top + height), slice(left, left + width))
            there = (slice(other_top, other_top + height), slice(other_left, other_left + width))
            one.cells[here], one.cells[there] = one.cells[there].copy(), one.cells[here].copy()
        else:
            size, turns = random.randint(1, 10), random.randint(1, 3)
            top, left = random.randint(0, rows - size), random.randint(0, cols - size)
            square = (slice(top, top + size), slice(left, left + size))
            turned = np.rot90(one.cells[square], -turns)
            one.cells[square] = turned // 4 * 4 + (turned + turns) % 4
        return one

    toolbox = base.Toolbox()
    toolbox.register("individual", individual)
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", mate)
    toolbox.register("mutate", mutate)
    toolbox.register("select", tools.selTournament, k=1, tournsize=3)
    return toolbox


def generation(toolbox: base.Toolbox, population: list[Any], crossover: int, mutation: int) -> list[Any]:
    """The next generation of a GA."""
    parents = [(toolbox.select(population)[0], toolbox.select(population)[0]) for _ in range(crossover)]
    children = [toolbox.mate(mother, father) for mother, father in parents]
    children += [toolbox.mutate(toolbox.clone(toolbox.select(population)[0])) for _ in range(mutation)]
    for child in children:
        child.fitness.values = toolbox.evaluate(child)
    return [*tools.selBest(population, len(population) - len(children)), *children]


def clonal_step(toolbox: base.Toolbox, population: list[Any]) -> None:
    """A step of AIEA with one mutation per clone."""
    clone = toolbox.mutate(toolbox.clone(toolbox.select(population)[0]))
    clone.fitness.values = toolbox.evaluate(clone)
    drawn = [random.randrange(len(population)) for _ in range(3)]
    population[max(drawn, key=lambda k: population[k].fitness.values[0])] = clone
