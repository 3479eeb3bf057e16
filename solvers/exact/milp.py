"""The integer program of Salassa et al. as data: a whole board, or a region given the tiles around it.

`printed` is the model of the paper with its errors corrected: (5) is the negative of (4), and the ranges of (8) to (11)
begin at 1 like all others. `strong` leaves out the tiles that would break the frame, and has a variable for each edge
and colour instead of one for each edge: fewer rows and tighter bounds. Both have the same optima on boards with a
frame. In a region, tiles that would break the frame are left out of both models, and on boards without a frame grey
sides match grey ones in the printed model, as in the paper; they do not in the strong one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from puzzles import DOWN, EMPTY, LEFT, RIGHT, UP, Hint, Puzzle
from solvers.errors import SolverError
from solvers.programs.model import Model, Values, ones
from solvers.regions.ground import Ground, checked_cells, checked_region, make_ground

Kind = Literal["printed", "strong"]
FORMULAS = [
    ("1", "min sum of h[r,c] + sum of v[r,c]    (15) in a region: of its edges and those with tiles around it"),
    ("2", "sum over r, c, a of x[t,r,c,a] = 1    for each tile t, where all tiles are needed"),
    ("16", "sum over r, c, a of x[t,r,c,a] <= 1    for each unused tile t, where there are more tiles than cells"),
    ("3", "sum over t, a of x[t,r,c,a] = 1    for each cell r, c"),
    ("4", "sum of CR[t,a,l] x[t,r,c,a] - sum of CL[t,a,l] x[t,r,c+1,a] <= h[r,c]    for each colour l"),
    ("5", "-sum of CR[t,a,l] x[t,r,c,a] + sum of CL[t,a,l] x[t,r,c+1,a] <= h[r,c]"),
    ("6", "sum of CB[t,a,l] x[t,r,c,a] - sum of CT[t,a,l] x[t,r+1,c,a] <= v[r,c]"),
    ("7", "-sum of CB[t,a,l] x[t,r,c,a] + sum of CT[t,a,l] x[t,r+1,c,a] <= v[r,c]"),
    ("8", "sum of CT[t,a,0] x[t,1,c,a] = 1    for each column c"),
    ("9", "sum of CB[t,a,0] x[t,n,c,a] = 1"),
    ("10", "sum of CL[t,a,0] x[t,r,1,a] = 1    for each row r"),
    ("11", "sum of CR[t,a,0] x[t,r,n,a] = 1"),
    ("12", "x[t,r,c,a] is 0 or 1"),
    ("13", "0 <= h[r,c] <= 1;    (14) 0 <= v[r,c] <= 1"),
    ("17", "sum over x in X of x <= |X| - 1    for each solution X that is excluded"),
]
_STRONG = ("strong", "left shows l - right shows l <= z[edge,l]; an edge costs the sum of its z")


class BoardProgram(NamedTuple):
    """An integer program and the meaning of its variables."""

    model: Model
    x: dict[int, dict[int, int]]
    """The variable of each cell of the region and oriented tile."""

    def exclude(self, board: ArrayLike) -> None:
        """Add the cut (17), which excludes the filling that a board has in the region.

        Raises:
            SolverError: The model has no such solution.
        """
        flat = np.asarray(board).ravel()
        chosen = [of_cell.get(int(flat[cell]), -1) for cell, of_cell in self.x.items()]
        if -1 in chosen:
            raise SolverError("the board to exclude is not a solution of the model")
        self.model.row("17", ones(chosen), -inf, len(chosen) - 1)


def milp_model(
    puzzle: Puzzle,
    *,
    kind: Kind = "strong",
    board: ArrayLike | None = None,
    region: Sequence[int] | None = None,
    pins: Iterable[Hint] = (),
    perfect: bool = False,
    binary: bool = False,
) -> BoardProgram:
    """Return the integer program of a board or a region; its solutions decode to the whole board, as a flat array.

    Args:
        puzzle: The puzzle.
        kind: The model.
        board: The cells of a board; those outside the region stay. By default all cells are empty.
        region: The cells to fill; by default all that are empty.
        pins: Hints to keep in place.
        perfect: Whether to ask for a filling without unmatched edges, and have no objective (backtracking).
        binary: Whether the variables of edges are whole numbers as well, which some engines need. They take such values
            in any case.

    Raises:
        SolverError: The board is invalid, which includes tiles in cells of another kind, so that there would be more
            cells than tiles of a kind; or the region is not on it.
    """
    ground = make_ground(puzzle, pins)
    cells = checked_cells(ground, np.full(puzzle.size, EMPTY) if board is None else board)
    asked = [cell for cell in checked_region(cells, region) if ground.pins[cell] == EMPTY]
    cells[asked] = EMPTY
    tiles = np.setdiff1d(np.arange(puzzle.size), cells[cells != EMPTY] >> 2).tolist()
    built = _Builder(puzzle, ground, cells, asked, tiles, kind, perfect, binary)
    return BoardProgram(built.model, built.x)


class _Builder:
    def __init__(
        self,
        puzzle: Puzzle,
        ground: Ground,
        cells: NDArray[np.uint16],
        region: list[int],
        tiles: list[int],
        kind: Kind,
        perfect: bool,
        binary: bool,
    ) -> None:
        self.puzzle, self.ground, self.cells, self.binary = puzzle, ground, cells, binary
        self.model = Model(f"{puzzle.name} {kind}", [*FORMULAS, _STRONG] if kind == "strong" else list(FORMULAS))
        whole = len(region) == puzzle.size
        self.all = kind == "printed" and whole
        self.x: dict[int, dict[int, int]] = {cell: self._choices(cell, tiles) for cell in region}
        self.model.key = [index for of_cell in self.x.values() for index in of_cell.values()]
        self.model.decode = self._decode
        self._tiles_once(tiles)
        for cell in region:
            self.model.equal("3", ones(self.x[cell].values()), 1)
        self.costs: dict[int, int] = {}
        for cell in region:
            for side in (UP, RIGHT, DOWN, LEFT):
                near = int(ground.near[cell, side])
                if near == puzzle.size:
                    if self.all:
                        grey = self._shown(cell, side).get(0, [])
                        self.model.equal(("8", "11", "9", "10")[side], ones(grey), 1)
                elif near not in self.x:
                    self._outside(cell, side, near, perfect)
                elif side in (RIGHT, DOWN):
                    self._edge(cell, side, near, kind, perfect)
        self.model.objective = tuple(self.costs.items())
        self.model.floor = 0

    def _choices(self, cell: int, tiles: list[int]) -> dict[int, int]:
        """Add the variables of a cell; return them by oriented tile."""
        row, col = divmod(cell, self.puzzle.cols)
        ground = self.ground
        fits = [
            4 * tile + turn
            for tile in tiles
            for turn in range(4)
            if self.all or not ground.framed or ground.grey[4 * tile + turn] == ground.walls[cell]
        ]
        return {one: self.model.binary(f"x[{one // 4 + 1},{row + 1},{col + 1},{one % 4}]") for one in fits}

    def _tiles_once(self, tiles: list[int]) -> None:
        of_tile: dict[int, list[int]] = {tile: [] for tile in tiles}
        for of_cell in self.x.values():
            for one, index in of_cell.items():
                of_tile[one >> 2].append(index)
        for indices in of_tile.values():
            if len(self.x) == len(tiles):
                self.model.equal("2", ones(indices), 1)
            elif indices:
                self.model.at_most("16", ones(indices), 1)

    def _shown(self, cell: int, side: int) -> dict[int, list[int]]:
        """Return the variables of a cell by the colour that their tiles show on a side."""
        found: dict[int, list[int]] = {}
        for one, index in self.x[cell].items():
            found.setdefault(int(self.ground.sides[side, one]), []).append(index)
        return found

    def _outside(self, cell: int, side: int, near: int, perfect: bool) -> None:
        """Add an edge with a tile that stays: what a choice costs there is known."""
        if self.cells[near] == EMPTY:
            return
        there = int(self.ground.sides[(side + 2) % 4, self.cells[near]])
        for colour, indices in self._shown(cell, side).items():
            if colour != there or colour == 0:
                for index in indices:
                    self.costs[index] = self.costs.get(index, 0) + 1
                if perfect:
                    self.model.equal("15", ones(indices), 0)

    def _edge(self, cell: int, side: int, near: int, kind: Kind, perfect: bool) -> None:
        here, there = self._shown(cell, side), self._shown(near, (side + 2) % 4)
        numbers, letter = (("4", "5"), "h") if side == RIGHT else (("6", "7"), "v")
        row, col = divmod(cell, self.puzzle.cols)
        name = f"{letter}[{row + 1},{col + 1}]"
        colours = range(1, self.ground.colours) if kind == "printed" else sorted(here.keys() | there.keys())
        shared = self._edge_variable(name) if kind == "printed" and not perfect else -1
        for colour in colours:
            one, other = here.get(colour, []), there.get(colour, [])
            if colour == 0:  # grey matches nothing
                one, other = one + other if perfect else one, []
            terms = [*((index, 1) for index in one), *((index, -1) for index in other)]
            if perfect:
                self.model.equal(numbers[0], terms, 0)
            elif kind == "printed":
                self.model.at_most(numbers[0], [*terms, (shared, -1)], 0)
                self.model.at_most(numbers[1], [*((index, -sign) for index, sign in terms), (shared, -1)], 0)
            elif one:
                z = self._edge_variable(f"z{name[1:]}{colour}")
                self.model.at_most("strong", [*terms, (z, -1)], 0)

    def _edge_variable(self, name: str) -> int:
        index = self.model.binary(name) if self.binary else self.model.flow(name, 1)
        self.costs[index] = 1
        return index

    def _decode(self, values: Values) -> NDArray[np.uint16]:
        board = self.cells.copy()
        for cell, of_cell in self.x.items():
            board[cell] = next(one for one, index in of_cell.items() if values[index] > 0.5)
        return board
