"""Solvers without evolution: beams, backtracking, regions, local search, constraint programming, brute force."""

from solvers.construct.backtrack import Backtrack, BacktrackOptions
from solvers.construct.backtracking_regions import BacktrackingRegions
from solvers.construct.beam import Beam, BeamOptions, Construction
from solvers.construct.greedy_regions import BeamOverRegions, GreedyRegions
from solvers.construct.random_search import RandomSearch
from solvers.construct.region_search import RegionSearch
from solvers.errors import SolverError
from solvers.exact.backtracker import Backtracker
from solvers.exact.brute_force import Optimum, brute_force
from solvers.exact.colour_pairs import ColourPairs
from solvers.exact.cp_sat import cp_sat
from solvers.exact.edge_filtering import EdgeFiltering
from solvers.exact.enumerator import Division, Enumeration, Enumerator, Tally
from solvers.exact.exhaustive import ExhaustiveSearch
from solvers.exact.first_fail import FirstFail, first_fail
from solvers.exact.library_enumeration import cp_sat_solutions, sat_solutions
from solvers.exact.pair_tables import PairOptions
from solvers.exact.portfolio import Portfolio
from solvers.exact.region_filling import Filling, Region, fill_region
from solvers.exact.relaxed_instance import Outcome, complete, relaxed_positions
from solvers.local.local_search import Start
from solvers.local.multi_neighbourhood import MnlsOptions, MultiNeighbourhood
from solvers.local.swap_tabu import SwapTabu
from solvers.local.vlns_tabu import VlnsOptions, VlnsTabu
from solvers.progress import Progress
from solvers.search import PopulationSearch, Search, State

__all__ = [
    "Backtrack",
    "BacktrackOptions",
    "Backtracker",
    "BacktrackingRegions",
    "Beam",
    "BeamOptions",
    "BeamOverRegions",
    "ColourPairs",
    "Construction",
    "Division",
    "EdgeFiltering",
    "Enumeration",
    "Enumerator",
    "ExhaustiveSearch",
    "Filling",
    "FirstFail",
    "GreedyRegions",
    "MnlsOptions",
    "MultiNeighbourhood",
    "Optimum",
    "Outcome",
    "PairOptions",
    "PopulationSearch",
    "Portfolio",
    "Progress",
    "RandomSearch",
    "Region",
    "RegionSearch",
    "Search",
    "SolverError",
    "Start",
    "State",
    "SwapTabu",
    "Tally",
    "VlnsOptions",
    "VlnsTabu",
    "brute_force",
    "complete",
    "cp_sat",
    "cp_sat_solutions",
    "fill_region",
    "first_fail",
    "relaxed_positions",
    "sat_solutions",
]
