"""`Problem`: what engines need to know of a puzzle and settings; `TileProblem`: that of boards of tiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from deap import base
from numpy.typing import NDArray

from evo.engine.individual import Individual, Minimised, ThreeObjectives, stacked
from evo.engine.initial_boards import InitialBeams
from evo.engine.mutations import Mutations, make_mutations
from evo.engine.prefix import make_prefix
from evo.engine.region_boards import InitialRegions, RegionRepair
from evo.engine.sizes import check_sizes
from evo.errors import ConfigError
from evo.settings.construction import BeamInit, SearchInit
from evo.settings.evolution import AIEA, GA, MEMETIC, MOEA, EvolutionSettings
from evo.settings.regions import RegionInit
from evo.settings.user_code import is_reference, resolve_function
from operators import (
    Lattice,
    OperatorError,
    Population,
    Variation,
    fitness_weights,
    make_lattice,
    make_path,
    make_variation,
)
from operators.errors import BROKEN_BOARD
from operators.population import evaluate_anew, is_whole
from operators.rebuild import make_rebuild
from operators.repair import Repair
from operators.replacement import Replacement
from operators.search import Search, make_search
from operators.well_formed_parts import WellFormed, make_well_formed
from puzzles import Hint, Puzzle, PuzzleError
from puzzles.protocols import AnyPuzzle
from solvers import SolverError


class OwnOperators(NamedTuple):
    """The functions of the user's own that take the place of the paper's operators; None where there is none."""

    init: Callable[..., Any] | None
    """Fills a board: (rng, sides, board)."""
    mate: Callable[..., Any] | None
    """Makes a child of two parents: (rng, mother, father, child)."""
    mutate: Callable[..., Any] | None
    """Changes a board: (rng, board)."""

    @property
    def plain(self) -> list[str]:
        """The names of those that are plain Python, which the native engine cannot run; it can call any `init`."""
        return [name for name in ("mate", "mutate") if getattr(self, name) and not is_compiled(getattr(self, name))]


def is_compiled(function: object) -> bool:
    """Return whether a function is compiled by numba."""
    return hasattr(function, "py_func")


class Individuals(Protocol):
    """A population as a structure of arrays, in the part that loops and reports read: row i belongs to individual i."""

    @property
    def cells(self) -> NDArray[np.uint16]:
        """The cells of each individual, row by row; entries after those of the board are the engine's own."""

    @property
    def objectives(self) -> NDArray[np.int32]:
        """The objectives; the first one is the score."""

    @property
    def fitness(self) -> NDArray[np.int64]:
        """To be minimised."""

    @property
    def size(self) -> int:
        """The number of individuals."""


class Problem(Protocol):
    """A puzzle and settings, checked against each other: what evolution is about, boards of tiles or anything else."""

    @property
    def puzzle(self) -> AnyPuzzle:
        """The puzzle."""

    @property
    def settings(self) -> Any:
        """The settings: those of one of the loops of `evo.engine.algorithms`."""

    @property
    def repair(self) -> Repair:
        """How individuals are repaired; zero moves if they are not."""

    @property
    def own(self) -> OwnOperators:
        """The user's own functions that take the place of operators."""

    @property
    def repairs_offspring(self) -> bool:
        """Whether children are repaired."""

    @property
    def mutant_tournament(self) -> int:
        """The size of the tournament that selects the individuals to mutate."""

    @property
    def partner_tournament(self) -> int:
        """The size of the tournament that selects the second parent of a child."""

    @property
    def mutation_names(self) -> list[str]:
        """The names of the mutations of a mixture, each of them in a toolbox; none if there is no mixture."""

    def operators(self, rng: np.random.Generator, toolbox: base.Toolbox) -> Any:
        """Return the operators as DEAP calls them; their names are those in a toolbox.

        Args:
            rng: The source of randomness.
            toolbox: The toolbox that they are for, whose mutations a mixture calls.
        """

    def blank(self) -> Any:
        """Return a DEAP individual whose board is not filled yet."""

    def recount(self, individual: Any) -> None:
        """Recompute everything about a DEAP individual from its cells.

        Raises:
            OperatorError: An operator has broken its board.
        """

    def stacked(self, individuals: list[Any]) -> Individuals:
        """Return a copy of DEAP individuals as one population."""


@dataclass(frozen=True)
class TileProblem:
    """A puzzle of tiles and settings, checked against each other, as tables for compiled code."""

    puzzle: Puzzle
    settings: EvolutionSettings
    lattice: Lattice
    variation: Variation
    weights: NDArray[np.int64]
    path: NDArray[np.int64]
    framed: bool
    """Whether initialisation with knowledge keeps grey on the rim: the setting, if the puzzle has grey sides at all."""

    repair: Repair
    """How individuals are repaired; zero moves if they are not."""
    beams: InitialBeams | InitialRegions | None
    """What builds initial boards, if beams or solvers of regions do."""
    search: Search | None
    """What builds initial boards, if a depth-first search does."""
    regions: RegionRepair | None
    """What repairs individuals by regions, if they are repaired so."""
    own: OwnOperators
    mutations: Mutations

    @property
    def replacement(self) -> Replacement:
        """Whom children replace, in a steady state."""
        settings = self.settings
        parent_only = isinstance(settings, MEMETIC) and settings.replaces == "parent"
        return Replacement(settings.apart, settings.like, parent_only)

    @property
    def repairs_offspring(self) -> bool:
        """Whether children are repaired."""
        return self.settings.repair is not None and self.settings.repair.when == "offspring"

    @property
    def mutant_tournament(self) -> int:
        """The size of the tournament that selects the individuals to mutate."""
        settings = self.settings
        return settings.mutant_tournament if isinstance(settings, GA | MOEA) else settings.tournament

    @property
    def partner_tournament(self) -> int:
        """The size of the tournament that selects the second parent of a child."""
        settings = self.settings
        return (settings.partner_tournament if isinstance(settings, GA | MOEA) else None) or settings.tournament

    @property
    def mutation_names(self) -> list[str]:
        """The names of the mutations of the mixture."""
        return [name for name, share in self.settings.mixture.shares.items() if share]

    def operators(self, rng: np.random.Generator, toolbox: base.Toolbox) -> Any:
        """Return the operators as DEAP calls them."""
        from evo.engine.toolbox import TileOperators

        return TileOperators(self, rng, toolbox)

    def blank(self) -> Individual:
        """Return an individual whose board is not filled yet."""
        return Individual(self.lattice, ThreeObjectives() if isinstance(self.settings, MOEA) else Minimised())

    def recount(self, individual: Individual) -> None:
        """Recompute everything about an individual from its cells."""
        if not is_whole(self.lattice, individual.row, 0):
            raise OperatorError(BROKEN_BOARD)
        evaluate_anew(self.lattice, self.weights, individual.row, 0)

    def stacked(self, individuals: list[Individual]) -> Population:
        """Return a copy of individuals as one population."""
        return stacked(individuals)


def make_problem(puzzle: Puzzle, settings: EvolutionSettings) -> TileProblem:
    """Return a puzzle and settings, checked against each other and prepared for both engines.

    Raises:
        ConfigError: The settings do not fit the puzzle.
    """
    if not isinstance(settings, EvolutionSettings):
        raise ConfigError(f"algorithm: {settings.algorithm} has no DEAP toolbox; GA, AIEA, MOEA and MEMETIC have one")
    try:
        lattice = make_lattice(puzzle, puzzle.pinned_hints(settings.pins), settings.edges)
        check_sizes(lattice, settings)
        crossover_sizes = settings.crossover_sizes if not isinstance(settings, AIEA) else (2, 8)
        refill = isinstance(settings, AIEA | MEMETIC) or settings.refill == "random"
        variation = make_variation(
            lattice,
            crossover_sizes,
            settings.mutation_sizes,
            random_refill=refill,
            any_turn=settings.turns == "any",
            size_first=settings.exchange == "size_first",
            keep_frame=settings.keep_frame and puzzle.framed,
            well_formed=_well_formed(lattice, settings),
        )
        fitness = "combined" if isinstance(settings, MOEA) else settings.fitness
        path = make_path(settings.path, *puzzle.shape)
        pins = puzzle.pinned_hints(settings.pins)
        framed = settings.framed and puzzle.framed
        beams = _builder(puzzle, settings, pins)
        search = _searcher(lattice, settings, path, framed)
        regions = _region_repair(puzzle, settings, pins)
        mutations = _mutations(puzzle, lattice, settings, pins)
    except (OperatorError, PuzzleError, SolverError) as error:
        raise ConfigError(f"{puzzle.name}: {error}") from None
    weights = fitness_weights(puzzle, fitness)
    own = own_operators(settings)
    return TileProblem(
        puzzle,
        settings,
        lattice,
        variation,
        weights,
        path,
        framed,
        _repair(settings),
        beams,
        search,
        regions,
        own,
        mutations,
    )


def own_operators(settings: EvolutionSettings) -> OwnOperators:
    """Return the functions that settings refer to.

    Raises:
        ConfigError: One cannot be imported.
    """
    references = {name: getattr(settings, name, None) for name in OwnOperators._fields}
    found = {name: resolve_function(name, str(one)) for name, one in references.items() if is_reference(one)}
    return OwnOperators(*(found.get(name) for name in OwnOperators._fields))


def _builder(puzzle: Puzzle, settings: EvolutionSettings, pins: Sequence[Hint]) -> InitialBeams | InitialRegions | None:
    if isinstance(settings.init, BeamInit):
        return InitialBeams(puzzle, settings.init, pins)
    return InitialRegions(puzzle, settings.init, pins) if isinstance(settings.init, RegionInit) else None


def _searcher(lattice: Lattice, settings: EvolutionSettings, path: NDArray[np.int64], framed: bool) -> Search | None:
    how = SearchInit() if settings.init == "search" else settings.init
    return make_search(lattice, path, framed, how.nodes) if isinstance(how, SearchInit) else None


def _mutations(puzzle: Puzzle, lattice: Lattice, settings: EvolutionSettings, pins: Sequence[Hint]) -> Mutations:
    mixture, misfits, rebuild, prefix = settings.mixture, None, None, None
    if mixture.directed_exchange or mixture.directed_rotation:
        misfits = np.zeros(puzzle.size + 1, dtype=np.int32)
    if mixture.rebuild:
        how = settings.rebuild
        try:
            rebuild = make_rebuild(lattice, how.cells, how.width, how.rectangles)
        except OperatorError as error:
            raise ConfigError(f"rebuild.cells: {error}") from None
    if mixture.prefix:
        prefix = make_prefix(puzzle, settings.prefix, pins)
    return make_mutations(mixture, misfits, rebuild, prefix)


def _well_formed(lattice: Lattice, settings: EvolutionSettings) -> WellFormed | None:
    if isinstance(settings, AIEA) or settings.mate != "well_formed":
        return None
    return make_well_formed(lattice, settings.well_formed.components, settings.well_formed.tries)


def _region_repair(puzzle: Puzzle, settings: EvolutionSettings, pins: Sequence[Hint]) -> RegionRepair | None:
    if settings.repair is None or settings.repair.kind != "regions":
        return None
    if settings.edges != "all":
        raise ConfigError(f"repair.kind: regions are solved for all edges; found edges = {settings.edges!r}")
    return RegionRepair(puzzle, settings.repair, pins)


def _repair(settings: EvolutionSettings) -> Repair:
    how = settings.repair
    if how is None:
        return Repair(0.0, 0, 1, 0.0, False)
    return Repair(how.share, how.moves, how.size, how.violated, how.cells == "checkerboard")
