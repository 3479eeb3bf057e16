"""What region settings mean: functions that build boards region by region."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evo.errors import ConfigError
from evo.settings.local import MNLS
from evo.settings.regions import RegionSettings
from evo.settings.repair import RepairSettings
from puzzles import Hint, Puzzle
from solvers import Start
from solvers.construct.backtracking_regions import BacktrackingRegions
from solvers.construct.greedy_regions import BeamOverRegions, GreedyRegions
from solvers.construct.region_search import Construct
from solvers.exact.milp_border import MilpBorder
from solvers.exact.milp_regions import MilpRegions
from solvers.local.neighbourhoods import make_terrain, optimise_region
from solvers.programs.engines import available
from solvers.regions.ground import bands, make_ground
from solvers.regions.region_solver import CompiledRegions, RegionSolver
from solvers.regions.ring import BorderSolver
from solvers.regions.strip_solver import StripOptions


def constructor_of(puzzle: Puzzle, how: RegionSettings, pins: Sequence[Hint]) -> Construct:
    """Return the function that builds boards by these settings.

    Raises:
        SolverError: The settings do not fit the puzzle, or an engine is not installed.
    """
    ground, (height, width) = make_ground(puzzle, pins), how.region
    regions = bands(*puzzle.shape, height, width or puzzle.cols)
    solver: RegionSolver
    perfect: RegionSolver
    if how.engine == "compiled":
        options = StripOptions(limit=how.limit, thrift=how.thrift)
        solver = CompiledRegions(ground, regions, options)
        perfect = CompiledRegions(ground, regions, options._replace(limit=how.backtrack_limit))
    else:
        engine = _engine_of("engine", how.engine)
        solver = perfect = MilpRegions(puzzle, regions, engine=engine, seconds=how.seconds, pins=pins)
    greedy = GreedyRegions(ground, solver, BeamOverRegions(how.width, how.fillings, how.concentration))
    if how.backtracks:
        return BacktrackingRegions(ground, perfect, greedy, how.backtracks).construct
    return greedy.construct


def border_of(puzzle: Puzzle, how: MNLS, pins: Sequence[Hint]) -> BorderSolver | None:
    """Return what rearranges borders by these settings; None stands for compiled code.

    Raises:
        SolverError: The puzzle has no border, or an engine is not installed.
    """
    if how.border == "compiled":
        return None
    return MilpBorder(puzzle, engine=_engine_of("border", how.border), seconds=how.border_seconds, pins=pins)


def _engine_of(key: str, name: str) -> str:
    """Return the name of the engine that a setting means."""
    engine = "scipy" if name == "milp" else name
    if engine not in available():
        raise ConfigError(f"{key}: {name} needs OR-tools: pip install 'evo-edge-matching[exact]'")
    return engine


def start_by_regions(puzzle: Puzzle, how: RegionSettings, pins: Sequence[Hint]) -> Start:
    """Return the function that builds an initial board of a local search by these settings."""
    construct = constructor_of(puzzle, how, pins)

    def start(rng: np.random.Generator) -> NDArray[np.uint16]:
        return construct(rng).cells

    return start


class InitialRegions:
    """Builds the boards of an initial population region by region.

    Args:
        puzzle: The puzzle to solve.
        how: The settings.
        pins: Hints whose tiles stay in their cells.
    """

    def __init__(self, puzzle: Puzzle, how: RegionSettings, pins: Sequence[Hint] = ()) -> None:
        self._construct, self._shape = constructor_of(puzzle, how, pins), puzzle.shape

    def board(self, rng: np.random.Generator) -> NDArray[np.uint16]:
        """Return a new board."""
        return self._construct(rng).cells.reshape(self._shape)


class RegionRepair:
    """Repairs individuals by rearranging random rectangles of them optimally.

    Args:
        puzzle: The puzzle to solve.
        how: The settings.
        pins: Hints whose tiles stay in their cells.
    """

    def __init__(self, puzzle: Puzzle, how: RepairSettings, pins: Sequence[Hint] = ()) -> None:
        self._how, self._terrain = how, make_terrain(puzzle, pins)

    def repair(self, rng: np.random.Generator, cells: NDArray[np.uint16]) -> None:
        """Improve a board, flat and followed by the wall, in place."""
        self._terrain.place(cells[:-1])
        for _ in range(self._how.moves):
            optimise_region(rng, self._terrain, *self._how.region, self._how.limit)
        cells[:-1] = self._terrain.cells
