"""How boards are solved without evolution: built by beams, or by backtracking; tabu search, CP, random, brute force."""

from solvers.backtrack import Backtrack, BacktrackSettings
from solvers.beam import Beam, BeamSettings, Construction
from solvers.cp_sat import cp_sat
from solvers.errors import SolverError
from solvers.exhaustive import ExhaustiveSearch
from solvers.first_fail import FirstFail, first_fail
from solvers.halves import Best, halves
from solvers.local_search import Start
from solvers.progress import Progress
from solvers.random_search import RandomSearch
from solvers.relaxation import Outcome, complete, relaxed_positions
from solvers.search import Search, State
from solvers.swap_tabu import SwapTabu
from solvers.vlns_tabu import Vlns, VlnsTabu

__all__ = [
    "Backtrack",
    "BacktrackSettings",
    "Beam",
    "BeamSettings",
    "Best",
    "Construction",
    "ExhaustiveSearch",
    "FirstFail",
    "Outcome",
    "Progress",
    "RandomSearch",
    "Search",
    "SolverError",
    "Start",
    "State",
    "SwapTabu",
    "Vlns",
    "VlnsTabu",
    "complete",
    "cp_sat",
    "first_fail",
    "halves",
    "relaxed_positions",
]
