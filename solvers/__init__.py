"""How boards are solved without evolution: random search, exhaustive search, tabu search by swaps."""

from solvers.errors import SolverError
from solvers.exhaustive import ExhaustiveSearch
from solvers.progress import Progress
from solvers.random_search import RandomSearch
from solvers.search import Search, State
from solvers.swap_tabu import SwapTabu

__all__ = ["ExhaustiveSearch", "Progress", "RandomSearch", "Search", "SolverError", "State", "SwapTabu"]
