"""The integer program of Sudoku (chapter 3)."""

from __future__ import annotations

from puzzles.pencil import Sudoku
from puzzles.pencil.rules import Cell, Grid, at
from solvers.programs.model import Model, Values, ones

_FORMULAS = [
    ("3.1a", "minimise 0"),
    ("3.1b", "sum_i x_ijk = 1,  for all j, k in D"),
    ("3.1c", "sum_j x_ijk = 1,  for all i, k in D"),
    ("3.1d", "sum_(i, j in a box) x_ijk = 1,  for all k in D and all boxes"),
    ("3.1e", "sum_k x_ijk = 1,  for all i, j in D"),
    ("3.1f", "x_ijc = 1 with c = c_ij,  for all i, j in D with c_ij != 0"),
    ("3.1g", "x_ijk in {0, 1},  for all i, j, k in D"),
]


def sudoku_ip(puzzle: Sudoku) -> Model:
    """Return the model (3.1): x_ijk is 1 if cell (i, j) contains k."""
    side, (high, wide) = puzzle.side, puzzle.box
    model = Model("ip", _FORMULAS)
    count = range(side)
    x = [[[model.binary(f"x_{i + 1},{j + 1},{k + 1}") for k in count] for j in count] for i in count]
    model.key = list(range(len(model.variables)))
    for a in count:
        for k in count:
            model.equal("3.1b", ones(x[i][a][k] for i in count), 1)
            model.equal("3.1c", ones(x[a][j][k] for j in count), 1)
            p, q = a // high * high, a % high * wide
            model.equal("3.1d", ones(x[p + i][q + j][k] for i in range(high) for j in range(wide)), 1)
            model.equal("3.1e", ones(x[a][k]), 1)
    for i in count:
        for j in count:
            clue = puzzle.clues[i][j]
            if clue:
                model.equal("3.1f", [(x[i][j][clue - 1], 1)], 1, clue_name((i, j), clue))

    def decode(values: Values) -> Grid:
        cells = ((max(count, key=lambda k: values[x[i][j][k]]) + 1 for j in count) for i in count)
        return tuple(tuple(row) for row in cells)

    model.decode = decode
    return model


def clue_name(cell: Cell, number: int) -> str:
    """Return what a given number is called where clues are listed."""
    return f"{at(cell)}: {number}"
