"""The expected size of a search tree: the number of boards at each depth of a depth-first search, without searching.

A search lays tiles along a path and backtracks when an edge does not match, or when there are more mismatches than a
schedule allows. The expected number of boards with d tiles is the number of ways to lay d tiles, times the probability
that their edges match, which `solvers.exact.edge_odds` gives under the configuration model: the colours of the sides
are shuffled, each within its class. The classes are the sides ahead and behind along the frame (clockwise), those of
frame tiles that face inward, and those of inner tiles, so that a shuffle leaves frame tiles frame tiles.

Without mismatches and pins the result is the exact mean over all shuffles. A mismatch is taken to say nothing about the
sides that are left. What the model leaves out is that sides belong to tiles in fixed combinations; and a puzzle that is
made from a solution has one more solution than chance would give it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.lattice import Lattice, make_lattice
from operators.paths import make_path
from puzzles import DOWN, GREY, RIGHT, Hint, Puzzle
from puzzles.tiles import kind_counts, listed_kinds, needed_kinds, tile_kinds
from solvers.errors import SolverError
from solvers.exact.edge_odds import EdgeOdds

_AHEAD, _BEHIND, _INWARD, _INNER, _NONE = range(5)
"""The classes of sides; a grey side on the rim has none."""


class TreeSize(NamedTuple):
    """The expected number of boards at each depth of a search tree."""

    tiles: NDArray[np.int64]
    """Numbers of tiles on the board, from the pinned ones alone to all."""
    log10_boards: NDArray[np.float64]
    """The decimal logarithm of the expected number of boards with so many tiles; -inf if there can be none."""

    @property
    def log10_nodes(self) -> float:
        """The decimal logarithm of the expected number of nodes; a node is a tile placed."""
        return float(np.logaddexp.reduce(self.log10_boards[1:] * np.log(10)) / np.log(10))

    @property
    def log10_solutions(self) -> float:
        """The decimal logarithm of the expected number of complete boards."""
        return float(self.log10_boards[-1])

    @property
    def widest(self) -> int:
        """The number of tiles at the depth with the most boards."""
        return int(self.tiles[self.log10_boards.argmax()])


def tree_size(
    puzzle: Puzzle,
    path: str | Sequence[int] = "row",
    breaks: Iterable[int] = (),
    *,
    per_tile: int = 1,
    pins: Iterable[Hint] = (),
) -> TreeSize:
    """Estimate the size of a depth-first search tree.

    Boards are labelled: they differ if a cell holds another tile, or the same one in another rotation. Rotations of a
    whole board count as different boards.

    Args:
        puzzle: The puzzle.
        path: A name in `operators.PATHS`, or the cells in order.
        breaks: Numbers of tiles on the board from each of which one more mismatch is allowed.
        per_tile: The most mismatches that a tile may have with the tiles laid before it.
        pins: Hints to keep in place; mismatches among them are not counted.

    Raises:
        OperatorError: The path is invalid.
        SolverError: The pieces cannot frame the board, the board is one cell wide, or a break is out of range.
    """
    if min(puzzle.shape) < 2:
        raise SolverError(f"a {puzzle.rows}x{puzzle.cols} board is too thin for an estimate; expected 2x2 or larger")
    if puzzle.framed and kind_counts(puzzle.tiles) != needed_kinds(*puzzle.shape):
        found, needed = listed_kinds(kind_counts(puzzle.tiles)), listed_kinds(needed_kinds(*puzzle.shape))
        raise SolverError(f"the pieces cannot frame the board: there are {found}; a frame needs {needed}")
    allowed_from = sorted(breaks)
    if allowed_from and not 1 <= allowed_from[0] <= allowed_from[-1] <= puzzle.size:
        raise SolverError(f"breaks from {allowed_from[0]} to {allowed_from[-1]}: expected 1 to {puzzle.size} tiles")
    lattice = make_lattice(puzzle, pins)
    sides = _Sides(puzzle, lattice)
    order = [cell for cell in make_path(path, *puzzle.shape).tolist() if not lattice.pinned[cell]]
    tiles = np.arange(puzzle.size - len(order), puzzle.size + 1)
    boards = np.full(len(allowed_from) + 1, -np.inf)  # logarithms, by mismatches
    boards[0] = 0.0
    by_depth = [boards]
    filled, left = np.append(lattice.pinned, False), dict(sides.tiles_left)
    for cell, laid in zip(order, tiles[1:].tolist(), strict=True):
        kind = sides.kinds[cell]
        boards = by_depth[-1] + (np.log(left[kind] * (4 if kind == "inner" else 1)) if left[kind] else -np.inf)
        left[kind] -= 1
        known = [side for side in range(4) if filled[lattice.near[cell, side]]]
        odds = [sides.odds(cell, side, np.arange(len(boards))) for side in known]
        boards = _with_edges(boards, odds, per_tile)
        boards[sum(start <= laid for start in allowed_from) + 1 :] = -np.inf
        filled[cell] = True
        by_depth.append(boards)
    return TreeSize(tiles, np.logaddexp.reduce(np.array(by_depth), axis=1) / np.log(10))


def _with_edges(boards: NDArray[np.float64], odds: list[NDArray[np.float64]], most: int) -> NDArray[np.float64]:
    """Return the boards by mismatches, as logarithms, after each edge of a tile has matched or not.

    Args:
        boards: The boards by mismatches before.
        odds: For each edge, the logarithm of the probability that it matches, by mismatches before.
        most: The most edges that may not match.
    """
    by_own = [boards]  # by the mismatches of the tile itself
    for matches in odds:
        with np.errstate(divide="ignore"):
            differs = np.log(-np.expm1(matches))
        grown = [np.full_like(boards, -np.inf) for _ in range(min(len(by_own), most) + 1)]
        for own, part in enumerate(by_own):
            # Mismatches of the tile itself are not yet in the index: they are added at the end.
            grown[own] = np.logaddexp(grown[own], part + matches)
            if own < most:
                grown[own + 1] = np.logaddexp(grown[own + 1], part + differs)
        by_own = grown
    after = np.full_like(boards, -np.inf)
    for own, part in enumerate(by_own[: len(boards)]):
        after[own:] = np.logaddexp(after[own:], part[: len(boards) - own])
    return after


class _Sides:
    """The classes of the sides of all cells, and the odds of the edges between them as they come up along a path.

    Args:
        puzzle: The puzzle.
        lattice: The board, with its pins.

    Attributes:
        kinds: The kind of tile that each cell can hold.
        tiles_left: The number of tiles of each kind that are not pinned.
    """

    def __init__(self, puzzle: Puzzle, lattice: Lattice) -> None:
        self._puzzle, self._lattice = puzzle, lattice
        rims = (lattice.near == puzzle.size) & puzzle.framed
        self.kinds = tile_kinds(~rims if puzzle.framed else np.ones_like(rims))  # a side on the rim is grey: 0
        self._classes = _classes(rims)
        taken = set((lattice.pins[lattice.pinned] >> 2).tolist())
        unpinned = [tile for tile in range(puzzle.size) if tile not in taken]
        grey = (puzzle.tiles == GREY) & puzzle.framed
        of_tiles = tile_kinds(~grey)
        self.tiles_left = {kind: sum(of_tiles[tile] == kind for tile in unpinned) for kind in set(self.kinds)}
        length = int(puzzle.tiles.max()) + 1
        shown, classes = puzzle.tiles[unpinned], _classes(grey)[unpinned]
        ahead, behind, inward, inner = (np.bincount(shown[classes == one], minlength=length) for one in range(4))
        self._main = _INNER if _INNER in self._classes else _INWARD  # two rows of tiles have no inner ones
        own, other = (inner, inward) if self._main == _INNER else (inward, np.zeros_like(inward))
        pairs = self._pairs()
        along = pairs.count({_AHEAD, _BEHIND})
        self._frame = EdgeOdds(ahead, behind, 0, along)
        self._inside = EdgeOdds(own, other, pairs.count({self._main}), pairs.count({_INNER, _INWARD}))

    def odds(self, cell: int, side: int, fewer: NDArray[np.int64]) -> NDArray[np.float64]:
        """Add an edge; return the logarithm of the probability that it matches, by the mismatches so far."""
        near = int(self._lattice.near[cell, side])
        one, other = int(self._classes[cell, side]), int(self._classes[near, (side + 2) % 4])
        along = one in (_AHEAD, _BEHIND)
        edges = self._frame if along else self._inside
        if self._lattice.pinned[near]:
            colour = int(self._puzzle.sides[(side + 2) % 4, self._lattice.pins[near]])
            if colour == GREY:
                return np.full(len(fewer), -np.inf)
            return edges.next_asked(colour, one in (_AHEAD, self._main), fewer)
        return edges.next_across(fewer) if one != other else edges.next_within(fewer)

    def _pairs(self) -> list[set[int]]:
        """Return the classes of the two sides of each edge."""
        size = self._puzzle.size
        return [
            {int(self._classes[cell, side]), int(self._classes[near[side], (side + 2) % 4])}
            for cell, near in enumerate(self._lattice.near.tolist())
            for side in (RIGHT, DOWN)
            if near[side] < size
        ]


def _classes(grey: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the class of each side from which sides are grey."""
    after_grey, before_grey, opposite = (np.roll(grey, turns, axis=1) for turns in (1, -1, 2))
    classes = np.select([grey, after_grey, before_grey, opposite], [_NONE, _AHEAD, _BEHIND, _INWARD], _INNER)
    return np.asarray(classes, dtype=np.int64)
