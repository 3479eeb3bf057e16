"""DEAP toolboxes: every choice of a setting is a registered function, which a user can replace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from deap import base, tools

from evo.engine.individual import Individual
from evo.engine.mutations import drawn_mutation, mutate_one_by
from evo.engine.problem import Problem, TileProblem, is_compiled, make_problem
from evo.errors import ConfigError
from evo.settings.base import check_kind
from evo.settings.evolution import AIEA, MEMETIC, MOEA, EvolutionSettings
from evo.settings.mutations import MUTATIONS
from evo.settings.pencil import PencilEvolution
from operators import OperatorError, knowledge_board, make_scratch, random_board
from operators.errors import BROKEN_BOARD
from operators.lattice import Lattice, set_all_edges
from operators.lexicase import lexicase_best, make_lexicase
from operators.population import evaluate_anew, is_whole
from operators.repair import make_repair_scratch, repair
from operators.replacement import ANYBODY, NOBODY, replaced_by, replaced_copy
from operators.search import search_board
from operators.well_formed import cross_over
from puzzles import Puzzle
from puzzles.pencil import PencilTask

Function = Callable[..., Any]
REGISTERED = (
    "clone",
    "individual",
    "population",
    "evaluate",
    "mate",
    "mutate",
    "select",
    "select_partner",
    "select_mutant",
    "select_removed",
    "replace",
    "repair",
)
"""The names in a toolbox, besides one for each mutation of a mixture. Only MEMETIC's has `replace`, and AIEA's with the
setting `apart`."""


def make_toolbox(
    puzzle: Puzzle | PencilTask, settings: EvolutionSettings | PencilEvolution, rng: np.random.Generator | None = None
) -> base.Toolbox:
    """Return a toolbox for a puzzle and settings.

    It has `individual`, `population`, `evaluate`, `mate`, `mutate`, `select` (parents), `select_partner` (second
    parents), `select_mutant` (individuals to mutate), `select_removed` (individuals that clones replace), `repair` (by
    default it does nothing) and `clone`; and `mutate_exchange`, `mutate_rotation` and so on, which `mutate` calls by
    their shares, for each mutation of the settings' mixture. All follow DEAP's conventions, so that DEAP's own
    algorithms can use them. (Those compare MOEA's individuals by score first: dominance is implemented in this
    project's loop.) MEMETIC's, and AIEA's if near copies are kept out, has `replace` besides, which chooses the
    individual that a child replaces.

    Args:
        puzzle: The puzzle to solve.
        settings: The settings of GA, AIEA or MOEA, or of PENCIL_GA or PENCIL_AIEA for a `puzzles.pencil.PencilTask`.
        rng: The source of randomness; by default a new generator with the setting `seed`.
    """
    rng = np.random.default_rng(settings.seed) if rng is None else rng
    check_kind(puzzle, settings)
    if isinstance(settings, PencilEvolution):
        from evo.engine.grid_problem import make_grid_problem

        assert isinstance(puzzle, PencilTask)  # its kind was checked
        return toolbox_of(make_grid_problem(puzzle, settings), rng)
    assert isinstance(puzzle, Puzzle)
    return toolbox_of(make_problem(puzzle, settings), rng)


def toolbox_of(problem: Problem, rng: np.random.Generator) -> base.Toolbox:
    """Return a toolbox for a problem; see `make_toolbox`."""
    toolbox = base.Toolbox()
    settings, operators = problem.settings, problem.operators(rng, toolbox)
    tournament = settings.tournament
    toolbox.problem, toolbox.rng = problem, rng
    toolbox.register("clone", deepcopy)
    toolbox.register("individual", operators.individual)
    toolbox.register("population", tools.initRepeat, list, toolbox.individual, n=settings.population)
    toolbox.register("evaluate", operators.evaluate)
    toolbox.register("mate", operators.mate)
    toolbox.register("mutate", operators.mutate)
    for name in problem.mutation_names:
        toolbox.register(f"mutate_{name}", operators.mutate_by, MUTATIONS.index(name))
    if isinstance(settings, EvolutionSettings) and settings.selection == "lexicase":
        for name in ("select", "select_partner", "select_mutant"):
            toolbox.register(name, operators.select_by_regions)
    else:
        toolbox.register("select", operators.select, tournament=tournament)
        toolbox.register("select_partner", operators.select, tournament=problem.partner_tournament)
        toolbox.register("select_mutant", operators.select, tournament=problem.mutant_tournament)
    toolbox.register("select_removed", operators.select, tournament=tournament, worst=True)
    if isinstance(settings, MEMETIC):
        toolbox.register("replace", operators.replace)
    elif isinstance(settings, AIEA) and settings.apart:
        toolbox.register("replace", operators.replace_copy)
    toolbox.register("repair", _no_repair if settings.repair is None else operators.repair)
    _register_own(toolbox, problem.own.mate, problem.own.mutate)
    return toolbox


def use_compiled(toolbox: base.Toolbox, *, mate: Function | None = None, mutate: Function | None = None) -> None:
    """Put compiled operators of your own into a toolbox; both engines can run them.

    Args:
        toolbox: A toolbox made by `make_toolbox`.
        mate: A numba function (rng, mother, father, child) that fills the board `child` with every tile once.
        mutate: A numba function (rng, board) that changes the board and keeps every tile.

    Raises:
        ConfigError: A function is not compiled.
    """
    for name, function in (("mate", mate), ("mutate", mutate)):
        if function is not None and not is_compiled(function):
            raise ConfigError(f"{name}: {function!r} is not compiled; register plain Python with toolbox.register")
    _register_own(toolbox, mate, mutate)


def _register_own(toolbox: base.Toolbox, mate: Function | None, mutate: Function | None) -> None:
    if mate is not None:
        toolbox.register("mate", OwnMate(mate, toolbox.rng))
    if mutate is not None:
        toolbox.register("mutate", OwnMutation(mutate, toolbox.rng))


class OwnMate:
    """A crossover of the user's own, on boards, as DEAP calls it."""

    def __init__(self, function: Function, rng: np.random.Generator) -> None:
        self.function, self.rng = function, rng

    def __call__(self, one: Individual, other: Individual) -> tuple[Individual, Individual]:
        """Turn the first individual into the child of both."""
        self.function(self.rng, one.board.copy(), other.board, one.board)
        return _changed(one), other


class OwnMutation:
    """A mutation of the user's own, on boards, as DEAP calls it."""

    def __init__(self, function: Function, rng: np.random.Generator) -> None:
        self.function, self.rng = function, rng

    def __call__(self, individual: Individual, times: int = 1) -> tuple[Individual]:
        """Mutate an individual a number of times."""
        for _ in range(times):
            self.function(self.rng, individual.board)
        return (_changed(individual),)


class Selection:
    """Tournaments, as DEAP calls them, of the individuals of any problem."""

    def __init__(self, problem: Any, rng: np.random.Generator) -> None:
        self.problem, self.rng = problem, rng

    def select(self, individuals: Sequence[Any], k: int, tournament: int, worst: bool = False) -> list[Any]:
        """Return the winners of k tournaments: the fittest, or the least fit; of equals, the first one drawn."""
        return [self._winner(individuals, tournament, worst) for _ in range(k)]

    def _winner(self, individuals: Sequence[Any], tournament: int, worst: bool) -> Any:
        drawn: list[int] = []
        if not self.problem.settings.replacement and tournament > len(individuals):
            raise OperatorError(f"{tournament} cannot be drawn from {len(individuals)} without replacement")
        for _ in range(tournament):
            number = int(self.rng.random() * len(individuals))
            while number in drawn and not self.problem.settings.replacement:
                number = int(self.rng.random() * len(individuals))
            drawn.append(number)
        winner = individuals[drawn[0]]
        for number in drawn[1:]:
            other = individuals[number]
            if _better(winner, other) if worst else _better(other, winner):
                winner = other
        return winner


class TileOperators(Selection):
    """The project's operators on boards as DEAP calls them; they call the native engine's compiled functions."""

    def __init__(self, problem: TileProblem, rng: np.random.Generator, toolbox: base.Toolbox) -> None:
        super().__init__(problem, rng)
        self.toolbox = toolbox
        self.scratch = make_scratch(problem.lattice)
        self.neighbourhood = make_repair_scratch(problem.lattice, problem.repair)

    def individual(self) -> Individual:
        """Return an initial individual."""
        problem: TileProblem = self.problem
        individual = problem.blank()
        if problem.own.init is not None:
            problem.own.init(self.rng, problem.puzzle.sides, individual.board)
        elif problem.beams is not None:
            individual.board[:] = problem.beams.board(self.rng)
        elif problem.search is not None:
            search_board(self.rng, problem.lattice, problem.search, individual.row.cells[0])
        elif problem.settings.init == "random":
            random_board(self.rng, problem.lattice, individual.row.cells[0])
        else:
            knowledge_board(self.rng, problem.lattice, problem.path, problem.framed, individual.row.cells[0])
        return individual

    def evaluate(self, individual: Individual) -> tuple[float, ...]:
        """Return the fitness of an individual, computed from its cells alone."""
        _check(self.problem.lattice, individual)
        evaluate_anew(self.problem.lattice, self.problem.weights, individual.row, 0)
        if isinstance(self.problem.settings, MOEA):
            return tuple(float(objective) for objective in individual.row.objectives[0])
        return (float(individual.row.fitness[0]),)

    def mate(self, one: Individual, other: Individual) -> tuple[Individual, Individual]:
        """Turn the first individual into the child of both (Algorithm 1); the second is not changed."""
        problem, mother = self.problem, deepcopy(one)
        for parent in (mother, other):
            _check(problem.lattice, parent)  # its board may have been changed since it was evaluated
        cross_over(
            self.rng, problem.lattice, problem.variation, problem.weights, mother.row, 0, other.row, 0, one.row, 0,
            self.scratch,
        )  # fmt: skip
        return _changed(one), other

    def select_by_regions(self, individuals: Sequence[Individual], k: int) -> list[Individual]:
        """Return k individuals by lexicase selection over the scores of regions; see `operators.lexicase`."""
        population, lexicase = self.problem.stacked(individuals), make_lexicase(self.problem.lattice, len(individuals))
        return [individuals[lexicase_best(self.rng, population, lexicase)] for _ in range(k)]

    def mutate(self, individual: Individual, times: int = 1) -> tuple[Individual]:
        """Mutate an individual a number of times, each time by a mutation of the toolbox, drawn from the mixture."""
        for _ in range(times):
            name = MUTATIONS[drawn_mutation(self.rng, self.problem.mutations)]
            [individual] = getattr(self.toolbox, f"mutate_{name}")(individual)
        return (individual,)

    def mutate_by(self, kind: int, individual: Individual) -> tuple[Individual]:
        """Mutate an individual by the mutation of a given number."""
        problem = self.problem
        mutate_one_by(
            self.rng, problem.lattice, problem.variation, problem.weights, problem.mutations, kind, individual.row, 0
        )
        return (_changed(individual),)

    def replace(self, individuals: Sequence[Individual], parent: Individual, child: Individual) -> Individual | None:
        """Return the individual that a child replaces, or None if the child is rejected."""
        population = self.problem.stacked(individuals)
        number = next(k for k, one in enumerate(individuals) if one is parent)
        place = replaced_by(population, number, child.row, self.problem.replacement)
        return None if place == NOBODY else individuals[place]

    def replace_copy(
        self, individuals: Sequence[Individual], parent: Individual, child: Individual
    ) -> Individual | None:
        """Return the individual that a clone replaces if it is a near copy, or None if it is rejected.

        Any other clone replaces the individual that `select_removed` chooses.
        """
        place = replaced_copy(self.problem.stacked(individuals), child.row, self.problem.replacement)
        if place == ANYBODY:
            removed: Individual = self.toolbox.select_removed(individuals, 1)[0]
            return removed
        return None if place == NOBODY else individuals[place]

    def repair(self, individual: Individual) -> Individual:
        """Repair an individual by moves in the very large neighbourhood, or of regions."""
        problem = self.problem
        _check(problem.lattice, individual)
        if problem.regions is not None:
            problem.regions.repair(self.rng, individual.row.cells[0])
            evaluate_anew(problem.lattice, problem.weights, individual.row, 0)
        else:
            repair(self.rng, problem.lattice, problem.weights, problem.repair, individual.row, 0, self.neighbourhood)
        return _changed(individual)


def _better(one: Any, other: Any) -> bool:
    if one.rank is not None and other.rank is not None:
        return bool(one.rank < other.rank)
    return bool(one.fitness > other.fitness)


def _check(lattice: Lattice, individual: Individual) -> None:
    """Update the places of the tiles, and refuse a board that an operator has broken."""
    if not is_whole(lattice, individual.row, 0):
        raise OperatorError(BROKEN_BOARD)
    set_all_edges(lattice, individual.row.cells[0], individual.row.edges[0])


def _changed(individual: Individual) -> Individual:
    individual.rank = None
    return individual


def _no_repair(individual: Individual) -> Individual:
    return individual
