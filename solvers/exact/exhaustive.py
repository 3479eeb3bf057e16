"""Exhaustive search (ES, section III-A): backtracking along a spiral from the pinned centre tile outward.

At each dead end that is deeper than all before, the search completes the board: it follows the rest of the path and
places every tile that fits, leaving a blank where none does, as initialisation with knowledge does. The completed board
is scored; then the search backtracks. An evaluation is a dead end.

The paper leaves open how long its search ran, and whether blanks score. Here the budget is a number of dead ends, and
blanks are filled with the remaining tiles if `refill` is set.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators import Lattice, make_lattice, make_path
from operators.initialise import fits, place_along, shuffled_tiles
from operators.lattice import side_code
from puzzles import DOWN, EMPTY, RIGHT, Hint, Puzzle
from puzzles.compiled import jit
from solvers.chunked_search import CHUNK, ChunkedSearch
from solvers.errors import SolverError
from solvers.progress import Progress
from solvers.search import State, matching

_NO_ANCHOR = -1


class SpiralState(NamedTuple):
    """The state of a search, as arrays for compiled code."""

    path: NDArray[np.int64]
    """The cells to fill, in order; pinned ones are not among them."""
    anchor: NDArray[np.int64]
    """Per cell of the path, a side with a known colour when the cell is filled: a neighbour's, or grey on the rim."""
    tiles: NDArray[np.uint16]
    """The tiles that are not pinned, shuffled and rotated at random: the order in which they are tried."""
    order: NDArray[np.uint16]
    """For each side, all oriented tiles sorted by the colour of that side, then by their order in `tiles`."""
    starts: NDArray[np.int64]
    """For each side and colour, where its tiles start in `order`."""
    cells: NDArray[np.uint16]
    used: NDArray[np.bool_]
    """Which tiles are on the board."""
    position: NDArray[np.int64]
    """Per depth, the next candidate to try."""
    best_cells: NDArray[np.uint16]
    numbers: NDArray[np.int64]
    """Depth, deepest dead end, best score; sum, count and worst of the scores since the last report; whether over;
    dead ends visited."""


_DEPTH, _DEEPEST, _BEST, _SUM, _COUNT, _WORST, _OVER, _DONE = range(8)


class ExhaustiveSearch(ChunkedSearch):
    """Exhaustive search: reports the best completed board so far, and ends early when every board was tried.

    Args:
        puzzle: The puzzle to solve.
        rng: Shuffles the tiles; the search itself is deterministic.
        evaluations: Number of dead ends to visit.
        pins: Hints to keep in place; the paper pins the mandatory centre tile.
        refill: Whether blanks of a completed board are filled with the remaining tiles.
        edges: Which inner edges count; see `operators.counting`.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        rng: np.random.Generator,
        evaluations: int,
        *,
        pins: Iterable[Hint] = (),
        refill: bool = False,
        edges: str = "all",
    ) -> None:
        super().__init__(puzzle, rng, evaluations, chunk=CHUNK)
        self._lattice, self._edges = make_lattice(puzzle, pins, edges), edges
        self._refill = refill
        self._spiral = _start(puzzle, self._lattice, shuffled_tiles(rng, self._lattice))

    @property
    def _done(self) -> int:
        return int(self._spiral.numbers[_DONE])

    @property
    def _over(self) -> bool:
        return bool(self._spiral.numbers[_OVER])

    def _advance(self, limit: int) -> Progress:
        puzzle, spiral, numbers = self._puzzle, self._spiral, self._spiral.numbers
        numbers[[_SUM, _COUNT]], numbers[_WORST] = 0, 1 << 40
        numbers[_DONE] += visit_dead_ends(self._lattice, puzzle.sides, puzzle.framed, spiral, limit, self._refill)
        best, count = int(numbers[_BEST]), int(numbers[_COUNT])
        mean, worst = (numbers[_SUM] / count, int(numbers[_WORST])) if count else (float(best), best)
        return self._report(best, spiral.best_cells, float(mean), worst)

    def state(self) -> State:
        """Return the order of the tiles, the board, and the next candidate at each depth, which determine the rest."""
        saved = ("tiles", "cells", "position", "best_cells", "numbers")
        return {name: getattr(self._spiral, name).copy() for name in saved}

    def restore(self, state: State) -> None:
        """Resume from the state of another search."""
        matching(state, self.state())
        # Compiled code does not check bounds: invalid numbers would make it read outside its arrays.
        if (np.sort(state["tiles"] >> 2) != np.sort(self._spiral.tiles >> 2)).any():
            raise SolverError("invalid state: the tiles are not those of the puzzle")
        spiral = _start(self._puzzle, self._lattice, state["tiles"])
        depth, position = int(state["numbers"][_DEPTH]), state["position"]
        if not 0 <= depth <= len(spiral.path) or position.min() < -1 or position.max() > spiral.order.shape[1]:
            raise SolverError("invalid state: the depth or a candidate is out of range")
        filled = spiral.path[:depth]
        laid = state["cells"][filled] >> 2
        spiral.cells[filled] = state["cells"][filled]
        if len(np.unique(laid)) != depth or not np.isin(laid, state["tiles"] >> 2).all():
            raise SolverError("invalid state: tiles that are repeated or pinned are not valid on the board")
        if state["numbers"][_DONE]:
            self._check_best(state["best_cells"], int(state["numbers"][_BEST]), self._edges)
        spiral.used[laid] = True
        for name in ("position", "best_cells", "numbers"):
            getattr(spiral, name)[:] = state[name]
        self._spiral = spiral


def _start(puzzle: Puzzle, lattice: Lattice, tiles: NDArray[np.uint16]) -> SpiralState:
    cells = np.append(lattice.pins, np.uint16(4 * puzzle.size))
    path = make_path("spiral_out", *puzzle.shape)
    path = path[~lattice.pinned[path]]
    known = np.append(lattice.pinned, puzzle.framed)  # the wall counts as known: its colour is grey
    anchor = np.full(len(path), _NO_ANCHOR)
    for depth, cell in enumerate(path):
        sides = np.flatnonzero(known[lattice.near[cell]])
        inner = sides[lattice.near[cell][sides] != puzzle.size]
        if len(sides):
            anchor[depth] = inner[0] if len(inner) else sides[0]
        known[cell] = True
    oriented = np.concatenate([(tiles & 0xFFFC) | ((tiles + turn) & 3) for turn in range(4)])
    oriented = oriented.reshape(4, -1).T.ravel()  # all turns of the first tile, then of the second ...
    colours = int(puzzle.tiles.max()) + 1
    order = np.stack([oriented[np.argsort(puzzle.sides[side, oriented], kind="stable")] for side in range(4)])
    starts = np.stack([np.searchsorted(puzzle.sides[side, order[side]], np.arange(colours + 1)) for side in range(4)])
    numbers = np.array([0, -1, -1, 0, 0, 0, 0, 0])
    best_cells = np.full(puzzle.size, EMPTY, dtype=np.uint16)
    used, position = np.zeros(puzzle.size, dtype=np.bool_), np.full(len(path) + 1, -1)
    return SpiralState(path, anchor, tiles, order, starts, cells, used, position, best_cells, numbers)


@jit
def visit_dead_ends(
    lattice: Lattice, sides: NDArray[np.uint8], framed: bool, spiral: SpiralState, limit: int, refill: bool
) -> int:
    """Search until `limit` dead ends are visited or every board was tried; return the number of dead ends visited."""
    cells, position, numbers = spiral.cells, spiral.position, spiral.numbers
    ends = 0
    while ends < limit:
        depth = numbers[_DEPTH]
        if depth == len(spiral.path):
            _complete(lattice, framed, spiral, refill)
            numbers[_OVER] = 1  # solved
            return ends + 1
        cell = spiral.path[depth]
        first, last = _candidates(lattice, sides, spiral, depth, cell)
        fresh = position[depth] < 0
        if fresh:
            position[depth] = first
        found = False
        while position[depth] < last and not found:
            tile = spiral.order[max(spiral.anchor[depth], 0), position[depth]]
            position[depth] += 1
            found = not spiral.used[tile >> 2] and fits(lattice, cells, cell, tile, framed)
        if found:
            cells[cell] = tile
            spiral.used[tile >> 2] = True
            numbers[_DEPTH] += 1
            position[depth + 1] = -1
            continue
        if fresh:
            ends += 1
            if depth > numbers[_DEEPEST]:
                numbers[_DEEPEST] = depth
                _complete(lattice, framed, spiral, refill)
        if depth == 0:
            numbers[_OVER] = 1  # everything was tried
            return ends
        numbers[_DEPTH] -= 1
        back = spiral.path[depth - 1]
        spiral.used[cells[back] >> 2] = False
        cells[back] = EMPTY
    return ends


@jit
def _candidates(
    lattice: Lattice, sides: NDArray[np.uint8], spiral: SpiralState, depth: int, cell: int
) -> tuple[int, int]:
    """Return where the tiles with the anchor's colour start and end in the order of the anchor's side."""
    anchor = spiral.anchor[depth]
    if anchor == _NO_ANCHOR:
        return 0, spiral.order.shape[1]
    there = lattice.near[cell][anchor]
    colour = 0 if there == lattice.rows * lattice.cols else sides[(anchor + 2) & 3, spiral.cells[there]]
    return spiral.starts[anchor, colour], spiral.starts[anchor, colour + 1]


@jit
def _complete(lattice: Lattice, framed: bool, spiral: SpiralState, refill: bool) -> None:
    """Place tiles that fit on the rest of the path, score the board, and keep it if it is the best."""
    board = spiral.cells.copy()
    left = np.empty_like(spiral.tiles)
    count = 0
    for tile in spiral.tiles:
        if not spiral.used[tile >> 2]:
            left[count] = tile
            count += 1
    count = place_along(lattice, spiral.path, framed, board, left, count)
    if refill:
        for cell in spiral.path:
            if board[cell] == EMPTY:
                count -= 1
                board[cell] = left[count]
    score, numbers = score_cells(lattice, board), spiral.numbers
    numbers[_SUM] += score
    numbers[_COUNT] += 1
    numbers[_WORST] = min(numbers[_WORST], score)
    if score > numbers[_BEST]:
        numbers[_BEST] = score
        spiral.best_cells[:] = board[:-1]


@jit
def score_cells(lattice: Lattice, cells: NDArray[np.uint16]) -> int:
    """Return the number of matching edges that count, of a board that may have empty cells."""
    score, wall = 0, lattice.rows * lattice.cols
    for cell in range(wall):
        for side in (RIGHT, DOWN):
            near = lattice.near[cell][side]
            if near != wall and cells[cell] != EMPTY and cells[near] != EMPTY:
                here, there = lattice.codes[cells[cell]], lattice.codes[cells[near]]
                matches = side_code(here, side) == side_code(there, (side + 2) & 3)
                score += matches and side_code(lattice.uncounted[cell], side) == 0
    return score
