"""Integer programs, exact solvers and generators of the puzzles of the daily paper."""

from solvers.pencil.engines import ENGINES, available
from solvers.pencil.model import Model, Row, Variable
from solvers.pencil.model_files import lp, mps
from solvers.pencil.search import Search, relaxation
from solvers.pencil.solving import MODELS, Answer, make_model, solve
from solvers.pencil.sudoku_bands import solve_lines

__all__ = [
    "ENGINES",
    "MODELS",
    "Answer",
    "Model",
    "Row",
    "Search",
    "Variable",
    "available",
    "lp",
    "make_model",
    "mps",
    "relaxation",
    "solve",
    "solve_lines",
]
