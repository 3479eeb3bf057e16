"""The two integer programs of Battleship (chapter 4): the Grid Based Model and the Cell Based Model."""

from __future__ import annotations

from collections.abc import Callable

from puzzles.pencil import Battleship
from puzzles.pencil.battleship import BUOY, CELL_NAMES, SHIP, UNKNOWN, WATER, ship_cells
from puzzles.pencil.rules import Cell, Grid, at
from solvers.programs.model import Model, Values, ones

_GBM = [
    ("4.1a", "minimise 0"),
    ("4.1b", "y_a = 0 if ship a contradicts T_ij, and sum_(a: A_ija = k) y_a = 1 if T_ij = k > 0"),
    ("4.1c", "sum_a sum_j y_a X_ija = R_i,  for all i in M"),
    ("4.1d", "sum_a sum_i y_a X_ija = C_j,  for all j in N"),
    (
        "4.1e",
        "sum_a E_ija y_a <= 1,  for all i, j;  E_ija = 1 if a meets the window (i, j), (i+1, j), (i, j+1), (i+1, j+1)",
    ),
    ("4.1f", "sum_(a in P_l) y_a = S_l,  for all l"),
    ("4.1g", "y_a in {0, 1},  for all a in A"),
]
_PRINTED_GBM = {
    "4.1b": "sum_a y_a A_ija = T_ij,  for all i, j with T_ij != 100",
    "4.1e": "sum_a E_ija y_a <= 1,  for all i, j;  E_ija = 1 if a meets (i, j), (i+1, j), (i-1, j) or (i, j+1)",
}


def gbm(puzzle: Battleship, as_printed: bool = False) -> Model:
    """Return the Grid Based Model (4.1): y_a is 1 if ship a, at one place, is in the solution.

    Args:
        puzzle: The puzzle.
        as_printed: Whether to use the printed equations, whose E_ija also forbids ships with one water cell between
            them in a column.
    """
    rows, cols = puzzle.shape
    formulas = [(number, _PRINTED_GBM.get(number, text) if as_printed else text) for number, text in _GBM]
    model = Model("gbm", formulas)
    ships = [dict(cells) for length, _ in puzzle.fleet for cells in _places(puzzle, length)]
    y = [model.binary(f"y_{_ship_name(ship)}") for ship in ships]
    model.key = y
    covering: dict[Cell, list[int]] = {(i, j): [] for i in range(rows) for j in range(cols)}
    for a, ship in enumerate(ships):
        for cell in ship:
            covering[cell].append(a)
    for i in range(rows):
        for j in range(cols):
            hint = puzzle.hints[i][j]
            if hint == UNKNOWN:
                continue
            clue = f"{at((i, j))}: {CELL_NAMES[hint]}"
            here = covering[i, j]
            if as_printed and hint != SHIP:
                model.equal("4.1b", [(y[a], ships[a][i, j]) for a in here], hint, clue)
                continue
            fits = [y[a] for a in here if hint in (SHIP, ships[a][i, j])]
            contradicting = [y[a] for a in here if y[a] not in set(fits)]
            model.at_most("4.1b", ones(contradicting), 0, clue)
            if hint != WATER:
                model.equal("4.1b", ones(fits), 1, clue)
    _counts(model, puzzle, "4.1c", "4.1d", lambda cell: [y[a] for a in covering[cell]])
    near = [(0, 0), (1, 0), (-1, 0), (0, 1)] if as_printed else [(0, 0), (1, 0), (0, 1), (1, 1)]
    for i in range(rows):
        for j in range(cols):
            met = {a for di, dj in near for a in covering.get((i + di, j + dj), [])}
            if len(met) > 1:
                model.at_most("4.1e", ones(y[a] for a in sorted(met)), 1)
    for length, count in puzzle.fleet:
        model.equal("4.1f", ones(y[a] for a, ship in enumerate(ships) if len(ship) == length), count)

    def decode(values: Values) -> Grid:
        sea = [[WATER] * cols for _ in range(rows)]
        for a, ship in enumerate(ships):
            if values[y[a]] > 0.5:
                for (i, j), kind in ship.items():
                    sea[i][j] = kind
        return tuple(map(tuple, sea))

    model.decode = decode
    return model


_CBM = [
    ("4.2a", "minimise 0"),
    ("4.2b", "sum_k x_ijk = 1,  for all i, j"),
    ("4.2c", "x_ijk = T_ijk,  for all i, j, k with T_ijk = 1"),
    ("4.2d", "sum_j sum_(k != 0) x_ijk = R_i,  for all i"),
    ("4.2e", "sum_i sum_(k != 0) x_ijk = C_j,  for all j"),
    ("4.2f", "s_ij1 = x_ij6,  for all i, j"),
    (
        "4.3a",
        "l s^h_ijl <= x_ij1 + x_(i,j+l-1)2 + sum_(c=j+1..j+l-2) x_ic5, and s^v_ijl likewise,  for all i, j, l != 1",
    ),
    ("4.3b", "sum_i sum_j (s^h_ijl + s^v_ijl) = S_l,  for all l"),
    ("4.3c", "sum_(k != 0) (x_ijk + x_(i+1,j+1)k) <= 1,  for all i, j"),
    ("4.3d", "sum_(k != 0) (x_ijk + x_(i-1,j+1)k) <= 1,  for all i, j"),
    ("4.3e", "x_ij1 <= x_(i,j+1)2 + x_(i,j+1)5,  for all i, j"),
    ("4.3f", "x_ij1 <= x_(i,j-1)0,  for all i, j != 1"),
    ("4.3g", "x_ij2 <= x_(i,j+1)0,  for all i, j != n"),
    ("4.3h", "x_ij2 <= x_(i,j-1)1 + x_(i,j-1)5,  for all i, j"),
    ("4.3i", "x_ij3 <= x_(i+1,j)4 + x_(i+1,j)5,  for all i, j"),
    ("4.3j", "x_ij3 <= x_(i-1,j)0,  for all i != 1, j"),
    ("4.3k", "x_ij4 <= x_(i+1,j)0,  for all i != m, j"),
    ("4.3l", "x_ij4 <= x_(i-1,j)3 + x_(i-1,j)5,  for all i, j"),
    ("4.3m", "x_ij5 <= x_(i-1,j)3 + x_(i-1,j)5 + x_(i,j+1)2 + x_(i,j+1)5,  for all i, j"),
    ("4.3n", "x_ij5 <= x_(i-1,j)3 + x_(i-1,j)5 + x_(i,j-1)1 + x_(i,j-1)5,  for all i, j"),
    ("4.3o", "x_ij5 <= x_(i+1,j)4 + x_(i+1,j)5 + x_(i,j-1)1 + x_(i,j-1)5,  for all i, j"),
    ("4.3p", "x_ij5 <= x_(i+1,j)4 + x_(i+1,j)5 + x_(i,j+1)2 + x_(i,j+1)5,  for all i, j"),
    ("4.3q", "x_ij6 <= 1 - x_(i,j-1)6,  for all i, j != 1"),
    ("4.3r", "x_ij6 <= 1 - x_(i-1,j)6,  for all i != 1, j"),
    ("fleet", "sum_i sum_j sum_(k != 0) x_ijk = sum_l l S_l"),
    ("4.3s", "x_ijk in {0, 1},  for all i, j, k"),
    ("4.3t", "s_ijl in {0, 1},  for all i, j, l"),
]
# Cell types are 0 water, 1 left, 2 right, 3 top, 4 bottom, 5 hull, 6 buoy; below: equation, type, then the
# neighbour's offset and types one of which must be there; a neighbour off the grid is 0.
_JOINED: list[tuple[str, int, list[tuple[int, int, tuple[int, ...]]]]] = [
    ("4.3e", 1, [(0, 1, (2, 5))]),
    ("4.3h", 2, [(0, -1, (1, 5))]),
    ("4.3i", 3, [(1, 0, (4, 5))]),
    ("4.3l", 4, [(-1, 0, (3, 5))]),
    ("4.3m", 5, [(-1, 0, (3, 5)), (0, 1, (2, 5))]),
    ("4.3n", 5, [(-1, 0, (3, 5)), (0, -1, (1, 5))]),
    ("4.3o", 5, [(1, 0, (4, 5)), (0, -1, (1, 5))]),
    ("4.3p", 5, [(1, 0, (4, 5)), (0, 1, (2, 5))]),
]
# Equation, type, offset of the neighbour that must be water unless it is off the grid.
_WATER_BESIDE = [("4.3f", 1, (0, -1)), ("4.3g", 2, (0, 1)), ("4.3j", 3, (-1, 0)), ("4.3k", 4, (1, 0))]


def cbm(puzzle: Battleship, as_printed: bool = False) -> Model:
    """Return the Cell Based Model (4.2), (4.3): x_ijk is 1 if cell (i, j) has type k, s_ijl if a ship begins there.

    Args:
        puzzle: The puzzle.
        as_printed: Whether (4.3a) adds both directions in one row, which allows ships that are not there. The other
            misprints would leave no solution at all, or no model, and are corrected in both forms.
    """
    rows, cols = puzzle.shape
    model = Model("cbm", _CBM if not as_printed else _printed_cbm())
    x = {(i, j): [model.binary(f"x_{i + 1},{j + 1},{k}") for k in range(7)] for i in range(rows) for j in range(cols)}
    model.key = [index for kinds in x.values() for index in kinds]
    nothing: list[int] = []
    for (i, j), kinds in x.items():
        model.equal("4.2b", ones(kinds), 1)
        hint = puzzle.hints[i][j]
        if hint != UNKNOWN:
            wanted = [kinds[WATER]] if hint == SHIP else [kinds[hint]]
            model.equal("4.2c", ones(wanted), 0 if hint == SHIP else 1, f"{at((i, j))}: {CELL_NAMES[hint]}")
        for equation, other in (("4.3c", (i + 1, j + 1)), ("4.3d", (i - 1, j + 1))):
            if other in x:
                model.at_most(equation, ones([*kinds[1:], *x[other][1:]]), 1)
        for equation, kind, ways in _JOINED:
            allowed = [index for di, dj, types in ways for index in _some(x.get((i + di, j + dj), nothing), types)]
            model.at_most(equation, [(kinds[kind], 1), *((index, -1) for index in allowed)], 0)
        for equation, kind, (di, dj) in _WATER_BESIDE:
            if (i + di, j + dj) in x:
                model.at_most(equation, [(kinds[kind], 1), (x[i + di, j + dj][WATER], -1)], 0)
        for equation, before in (("4.3q", (i, j - 1)), ("4.3r", (i - 1, j))):
            if before in x:
                model.at_most(equation, ones([kinds[BUOY], x[before][BUOY]]), 1)
    _counts(model, puzzle, "4.2d", "4.2e", lambda cell: x[cell][1:])
    _ship_starts(model, puzzle, x, as_printed)
    model.decode = lambda values: tuple(
        tuple(max(range(7), key=lambda k: values[x[i, j][k]]) for j in range(cols)) for i in range(rows)
    )
    return model


def _ship_starts(model: Model, puzzle: Battleship, x: dict[Cell, list[int]], as_printed: bool) -> None:
    """Add the variables s and the equations (4.2f), (4.3a) and (4.3b)."""
    for length, count in puzzle.fleet:
        starts = []
        for cell in x:
            ways = [_cells_of(x, cell, length, vertical) for vertical in (False, True)]
            if length == 1:
                starts.append(x[cell][BUOY])  # (4.2f): s_ij1 is this variable
            elif as_printed:
                starts.append(model.binary(f"s_{cell[0] + 1},{cell[1] + 1},{length}"))
                together = [(index, -1) for way in ways for index in way]
                model.at_most("4.3a", [(starts[-1], length), *together], 0)
            else:
                for direction, way in zip("hv", ways, strict=True):
                    if len(way) == length:
                        starts.append(model.binary(f"s{direction}_{cell[0] + 1},{cell[1] + 1},{length}"))
                        model.at_most("4.3a", [(starts[-1], length), *((index, -1) for index in way)], 0)
        model.equal("4.3b", ones(starts), count)
    # (4.3b) finds the fleet; that there is nothing else follows from the counts, but only where all of them are given.
    total = sum(length * count for length, count in puzzle.fleet)
    model.equal("fleet", ones(index for kinds in x.values() for index in kinds[1:]), total)


def _cells_of(x: dict[Cell, list[int]], start: Cell, length: int, vertical: bool) -> list[int]:
    """Return the variables of a ship's cells as far as they are on the grid."""
    return [x[cell][kind] for cell, kind in ship_cells(start, length, vertical) if cell in x]


def _some(kinds: list[int], types: tuple[int, ...]) -> list[int]:
    return [kinds[k] for k in types] if kinds else []


def _printed_cbm() -> list[tuple[str, str]]:
    printed = {
        "4.3a": "l s_ijl <= x_ij1 + x_(i,j+l-1)2 + sum_c x_ic5 + x_ij3 + x_(i+l-1,j)4 + sum_r x_rj5,  all i, j, l > 1",
        "4.3b": "sum_i sum_j s_ijl = S_l,  for all l",
    }
    return [(number, printed.get(number, text)) for number, text in _CBM]


def _places(puzzle: Battleship, length: int) -> list[list[tuple[Cell, int]]]:
    """Return all ships of a length that fit on the grid."""
    rows, cols = puzzle.shape
    places = [ship_cells((i, j), length, False) for i in range(rows) for j in range(cols - length + 1)]
    if length > 1:
        places += [ship_cells((i, j), length, True) for i in range(rows - length + 1) for j in range(cols)]
    return places


def _ship_name(ship: dict[Cell, int]) -> str:
    (i, j), (k, m) = min(ship), max(ship)
    return f"{i + 1},{j + 1}..{k + 1},{m + 1}"


def _counts(
    model: Model, puzzle: Battleship, by_row: str, by_column: str, covering: Callable[[Cell], list[int]]
) -> None:
    rows, cols = puzzle.shape
    for i, count in enumerate(puzzle.row_counts):
        if count != UNKNOWN:
            terms = ones(index for j in range(cols) for index in covering((i, j)))
            model.equal(by_row, terms, count, f"row {i + 1}: {count}")
    for j, count in enumerate(puzzle.column_counts):
        if count != UNKNOWN:
            terms = ones(index for i in range(rows) for index in covering((i, j)))
            model.equal(by_column, terms, count, f"column {j + 1}: {count}")
