"""Integer programs, exact solvers and generators of the puzzles of the daily paper."""

from solvers.pencil.batches import solve_many
from solvers.pencil.clashes import Clash, clash
from solvers.pencil.forced import forced
from solvers.pencil.generating import GENERATORS, generate
from solvers.pencil.min_clues import MinClues, improving_bounds, min_clues
from solvers.pencil.search import Search, relaxation
from solvers.pencil.solving import MODELS, Answer, make_model, solve
from solvers.pencil.sudoku_bands import solve_lines
from solvers.pencil.tables import TABLES
from solvers.programs.engines import ENGINES, available
from solvers.programs.model import Model, Row, Variable
from solvers.programs.model_files import lp, mps

__all__ = [
    "ENGINES",
    "GENERATORS",
    "MODELS",
    "TABLES",
    "Answer",
    "Clash",
    "MinClues",
    "Model",
    "Row",
    "Search",
    "Variable",
    "available",
    "clash",
    "forced",
    "generate",
    "improving_bounds",
    "lp",
    "make_model",
    "min_clues",
    "mps",
    "relaxation",
    "solve",
    "solve_lines",
    "solve_many",
]
