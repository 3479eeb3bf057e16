"""How boards are solved without evolution: random search, exhaustive search."""

from solvers.exhaustive import exhaustive
from solvers.progress import Progress
from solvers.random_search import random_search

__all__ = ["Progress", "exhaustive", "random_search"]
