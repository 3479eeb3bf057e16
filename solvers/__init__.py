"""Solvers without evolution: beams, backtracking, regions, local search, constraint programming, brute force."""

from typing import TYPE_CHECKING

from puzzles.lazy_names import lazy_names

if TYPE_CHECKING:  # the one list of public names; `lazy_names` reads it from this file
    from solvers.construct.backtrack import Backtrack as Backtrack
    from solvers.construct.backtrack import BacktrackOptions as BacktrackOptions
    from solvers.construct.backtracking_regions import BacktrackingRegions as BacktrackingRegions
    from solvers.construct.beam import Beam as Beam
    from solvers.construct.beam import BeamOptions as BeamOptions
    from solvers.construct.beam import Construction as Construction
    from solvers.construct.greedy_regions import BeamOverRegions as BeamOverRegions
    from solvers.construct.greedy_regions import GreedyRegions as GreedyRegions
    from solvers.construct.random_search import RandomSearch as RandomSearch
    from solvers.construct.region_search import RegionSearch as RegionSearch
    from solvers.errors import SolverError as SolverError
    from solvers.exact.backtracker import Backtracker as Backtracker
    from solvers.exact.brute_force import Optimum as Optimum
    from solvers.exact.brute_force import brute_force as brute_force
    from solvers.exact.colour_pairs import ColourPairs as ColourPairs
    from solvers.exact.cp_sat import cp_sat as cp_sat
    from solvers.exact.edge_filtering import EdgeFiltering as EdgeFiltering
    from solvers.exact.enumerator import Division as Division
    from solvers.exact.enumerator import Enumeration as Enumeration
    from solvers.exact.enumerator import Enumerator as Enumerator
    from solvers.exact.enumerator import Tally as Tally
    from solvers.exact.exhaustive import ExhaustiveSearch as ExhaustiveSearch
    from solvers.exact.first_fail import FirstFail as FirstFail
    from solvers.exact.first_fail import first_fail as first_fail
    from solvers.exact.library_enumeration import cp_sat_solutions as cp_sat_solutions
    from solvers.exact.library_enumeration import sat_solutions as sat_solutions
    from solvers.exact.pair_tables import PairOptions as PairOptions
    from solvers.exact.portfolio import Portfolio as Portfolio
    from solvers.exact.region_filling import Filling as Filling
    from solvers.exact.region_filling import Region as Region
    from solvers.exact.region_filling import fill_region as fill_region
    from solvers.exact.relaxed_instance import Outcome as Outcome
    from solvers.exact.relaxed_instance import complete as complete
    from solvers.exact.relaxed_instance import relaxed_positions as relaxed_positions
    from solvers.local.local_search import Start as Start
    from solvers.local.multi_neighbourhood import MnlsOptions as MnlsOptions
    from solvers.local.multi_neighbourhood import MultiNeighbourhood as MultiNeighbourhood
    from solvers.local.swap_tabu import SwapTabu as SwapTabu
    from solvers.local.vlns_tabu import VlnsOptions as VlnsOptions
    from solvers.local.vlns_tabu import VlnsTabu as VlnsTabu
    from solvers.progress import Progress as Progress
    from solvers.search import PopulationSearch as PopulationSearch
    from solvers.search import Search as Search
    from solvers.search import State as State

if not TYPE_CHECKING:  # type checkers would take any name for one that exists
    __all__, __getattr__, __dir__ = lazy_names(__name__)
