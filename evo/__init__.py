"""A workbench for edge-matching puzzles: settings, algorithms, experiments, analysis; `import evo` is all one needs.

Names are imported on first use, so that the command line starts without DEAP, pandas and the compiler.
"""

from typing import TYPE_CHECKING

from puzzles.lazy_names import lazy_names

__version__ = "0.10.0"

if TYPE_CHECKING:  # the one list of public names: type checkers read it here, and `lazy_names` reads it from this file
    from evo.analysis.comparison import compare as compare
    from evo.analysis.conclusions import conclusions as conclusions
    from evo.analysis.equal_seconds import after_seconds as after_seconds
    from evo.engine.engines import make_engine as make_engine
    from evo.engine.toolbox import make_toolbox as make_toolbox
    from evo.engine.toolbox import use_compiled as use_compiled
    from evo.errors import ConfigError as ConfigError
    from evo.errors import EvoError as EvoError
    from evo.errors import StoreError as StoreError
    from evo.experiments.counted_puzzles import generate_counted as generate_counted
    from evo.experiments.enumerating import EnumerationResult as EnumerationResult
    from evo.experiments.enumerating import enumerate as enumerate
    from evo.experiments.experiment import resume_experiment as resume_experiment
    from evo.experiments.experiment import run_experiment as run_experiment
    from evo.experiments.frames import fronts as fronts
    from evo.experiments.frames import results as results
    from evo.experiments.frames import traces as traces
    from evo.experiments.result import ExperimentResult as ExperimentResult
    from evo.experiments.result import Result as Result
    from evo.experiments.single_run import run as run
    from evo.experiments.solving import solve as solve
    from evo.live.pictures import picture as picture
    from evo.settings.base import RunSettings as RunSettings
    from evo.settings.base import make_search as make_search
    from evo.settings.baselines import ES as ES
    from evo.settings.baselines import RAND as RAND
    from evo.settings.construction import BACKTRACK as BACKTRACK
    from evo.settings.construction import BEAM as BEAM
    from evo.settings.construction import BeamInit as BeamInit
    from evo.settings.construction import KeySettings as KeySettings
    from evo.settings.construction import SearchInit as SearchInit
    from evo.settings.enumeration import BACKTRACKER as BACKTRACKER
    from evo.settings.enumeration import COLOUR_PAIRS as COLOUR_PAIRS
    from evo.settings.enumeration import EDGE_FILTERING as EDGE_FILTERING
    from evo.settings.enumeration import PORTFOLIO as PORTFOLIO
    from evo.settings.evolution import AIEA as AIEA
    from evo.settings.evolution import GA as GA
    from evo.settings.evolution import MEMETIC as MEMETIC
    from evo.settings.evolution import MOEA as MOEA
    from evo.settings.local import MNLS as MNLS
    from evo.settings.local import TABU as TABU
    from evo.settings.local import VLNS as VLNS
    from evo.settings.local import CpSettings as CpSettings
    from evo.settings.mutations import MutationMixture as MutationMixture
    from evo.settings.mutations import PrefixSettings as PrefixSettings
    from evo.settings.mutations import RebuildSettings as RebuildSettings
    from evo.settings.order import ORDER as ORDER
    from evo.settings.paper import TABLE_1 as TABLE_1
    from evo.settings.paper import TABLE_2 as TABLE_2
    from evo.settings.pencil import PENCIL_AIEA as PENCIL_AIEA
    from evo.settings.pencil import PENCIL_EXACT as PENCIL_EXACT
    from evo.settings.pencil import PENCIL_GA as PENCIL_GA
    from evo.settings.pencil import PENCIL_SA as PENCIL_SA
    from evo.settings.pencil import PENCIL_TABU as PENCIL_TABU
    from evo.settings.regions import REGIONS as REGIONS
    from evo.settings.regions import RegionInit as RegionInit
    from evo.settings.regions import RegionSettings as RegionSettings
    from evo.settings.registry import algorithms as algorithms
    from evo.settings.registry import make_settings as make_settings
    from evo.settings.repair import RepairSettings as RepairSettings
    from puzzles import Board as Board
    from puzzles import Puzzle as Puzzle
    from puzzles import generate as generate
    from puzzles import load as load
    from puzzles import load_board as load_board
    from puzzles import save as save
    from puzzles.pencil import PencilTask as PencilTask
    from solvers import Progress as Progress
    from solvers.exact.tree_size import TreeSize as TreeSize
    from solvers.exact.tree_size import tree_size as tree_size


if not TYPE_CHECKING:  # type checkers would take any name for one that exists
    _names, __getattr__, __dir__ = lazy_names(__name__)
    __all__ = ["__version__", *_names]
