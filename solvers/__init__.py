"""How boards are solved without evolution: random and exhaustive search, constraint programming."""

from solvers.cp_sat import cp_sat
from solvers.errors import SolverError
from solvers.exhaustive import ExhaustiveSearch
from solvers.first_fail import FirstFail, first_fail
from solvers.progress import Progress
from solvers.random_search import RandomSearch
from solvers.relaxation import Outcome, complete, relaxed_positions
from solvers.search import Search, State

__all__ = [
    "ExhaustiveSearch",
    "FirstFail",
    "Outcome",
    "Progress",
    "RandomSearch",
    "Search",
    "SolverError",
    "State",
    "complete",
    "cp_sat",
    "first_fail",
    "relaxed_positions",
]
