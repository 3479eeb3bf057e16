"""A puzzle as a graph whose cliques are partial boards without conflicts: nodes, edges, density, and DIMACS files.

A node is an oriented tile in a cell. Two nodes are adjacent unless they conflict: the same cell, the same tile, or
cells that share an edge at which the colours differ. A clique with a node a cell is a solved board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from puzzles import EMPTY, Hint, Puzzle
from solvers.errors import SolverError
from solvers.regions.ground import Ground, checked_cells, checked_region, make_ground

MOST_NODES = 20_000
"""The largest graph: its matrix has a bit for each pair of nodes, and its file a line for each edge."""


@dataclass(frozen=True)
class Clique:
    """The graph of a puzzle or a region."""

    cell: NDArray[np.int64]
    """Per node, its cell."""
    one: NDArray[np.int64]
    """Per node, its oriented tile."""
    adjacent: NDArray[np.bool_]
    """Whether two nodes are adjacent."""
    cells: int
    """The number of cells to fill: the size of a clique that solves the puzzle."""
    beside: NDArray[np.bool_]
    """Whether two cells of the board share an edge."""

    @property
    def nodes(self) -> int:
        """The number of nodes."""
        return len(self.cell)

    @property
    def edges(self) -> int:
        """The number of edges."""
        return int(np.count_nonzero(self.adjacent)) // 2

    @property
    def density(self) -> float:
        """The share of all pairs of nodes that are adjacent."""
        return 2 * self.edges / max(1, self.nodes * (self.nodes - 1))

    def matched(self, clique: ArrayLike) -> int:
        """Return the number of edges of the board between two tiles of a clique."""
        inside = np.sort(np.asarray(clique, dtype=np.int64))
        cells = self.cell[inside]
        return int(np.count_nonzero(self.beside[np.ix_(cells, cells)])) // 2


def first_corner(puzzle: Puzzle) -> tuple[Hint, ...]:
    """Return the hint that puts the first corner tile into the upper left corner, on a square board with a frame.

    It leaves out the rotations of each solution, as in the instances of the paper. It would leave out solutions on
    other boards, which have no rotation that takes each corner to each other: nothing is returned for these.
    """
    ground = make_ground(puzzle)
    if not ground.framed or puzzle.rows != puzzle.cols:
        return ()
    one = int(np.flatnonzero(ground.grey == ground.walls[0])[0])
    return (Hint(one // 4, 0, 0, one % 4),)


def clique_graph(
    puzzle: Puzzle, pins: Iterable[Hint] = (), *, board: ArrayLike | None = None, region: Iterable[int] | None = None
) -> Clique:
    """Return the graph of a puzzle, or of a region given the tiles around it.

    Args:
        puzzle: The puzzle.
        pins: Hints: the tile of each is the only node of its cell.
        board: The cells of a board; nodes that conflict with its tiles outside the region are left out.
        region: The cells to fill; by default all that are empty.

    Raises:
        SolverError: The graph would be too large, the board is invalid, or the region is not on it.
    """
    ground = make_ground(puzzle, pins)
    around = np.full(puzzle.size, EMPTY, dtype=np.uint16)
    if board is not None:
        around = checked_cells(ground, board)
    asked = checked_region(around, region)
    around[asked] = EMPTY
    cell, one = _nodes(ground, around, asked)
    if len(cell) > MOST_NODES:
        raise SolverError(f"{puzzle.name}: the graph would have {len(cell)} nodes; at most {MOST_NODES} are supported")
    beside = np.zeros((puzzle.size, puzzle.size), dtype=np.bool_)
    adjacent = (cell[:, np.newaxis] != cell) & (one[:, np.newaxis] >> 2 != one >> 2)
    for side in range(4):
        near = ground.near[:, side]
        inner = np.flatnonzero(near < puzzle.size)
        beside[inner, near[inner]] = True
        shown, back = ground.sides[side, one], ground.sides[(side + 2) % 4, one]
        for place in np.intersect1d(np.unique(cell), inner):
            here, there = np.flatnonzero(cell == place), np.flatnonzero(cell == near[place])
            fits = (shown[here, np.newaxis] == back[there]) & (shown[here, np.newaxis] != 0)
            adjacent[np.ix_(here, there)] &= fits
    return Clique(cell, one, adjacent, len(asked), beside)


def _nodes(ground: Ground, around: NDArray[np.uint16], asked: list[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the cells and oriented tiles of all nodes, cell by cell."""
    taken = np.zeros(ground.rows * ground.cols, dtype=np.bool_)
    taken[around[around != EMPTY] >> 2] = True
    taken[ground.pins[ground.pins != EMPTY] >> 2] = True
    free = np.flatnonzero(~np.repeat(taken, 4))
    cells, ones = [], []
    for cell in sorted(asked):
        pin = int(ground.pins[cell])
        fits = np.array([pin]) if pin != EMPTY else free
        if ground.framed:
            fits = fits[ground.grey[fits] == ground.walls[cell]]
        for side in range(4):
            near = ground.near[cell, side]
            if near < len(around) and around[near] != EMPTY:
                there = ground.sides[(side + 2) % 4, around[near]]
                fits = fits[(ground.sides[side, fits] == there) & (there != 0)]
        cells.append(np.full(len(fits), cell))
        ones.append(fits)
    if not cells:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    return np.concatenate(cells).astype(np.int64), np.concatenate(ones).astype(np.int64)


def dimacs(adjacent: NDArray[np.bool_], comments: Iterable[str] = ()) -> Iterator[str]:
    """Yield the parts of a graph in the DIMACS format of clique problems; nodes are numbered from 1."""
    yield "".join(f"c {comment}\n" for comment in comments)
    yield f"p edge {len(adjacent)} {np.count_nonzero(adjacent) // 2}\n"
    for node in range(len(adjacent)):
        later = node + 1 + np.flatnonzero(adjacent[node, node + 1 :])
        yield "".join(f"e {node + 1} {other + 1}\n" for other in later.tolist())


def read_dimacs(text: str) -> NDArray[np.bool_]:
    """Return the matrix of a graph in the DIMACS format.

    Raises:
        SolverError: The text is not such a graph; the message names the line.
    """
    adjacent: NDArray[np.bool_] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        try:
            if words[0] == "p" and words[1] in ("edge", "col") and len(words) == 4 and adjacent is None:
                adjacent = np.zeros((_supported(int(words[2])),) * 2, dtype=np.bool_)
                continue
            one, other = (int(word) for word in words[1:])
            if words[0] != "e" or adjacent is None or not 1 <= one <= len(adjacent) or not 1 <= other <= len(adjacent):
                raise ValueError
        except (ValueError, IndexError):
            wanted = "'p edge NODES EDGES' or 'e NODE NODE'"
            raise SolverError(
                f"line {number}: expected {wanted} with at most {MOST_NODES} nodes; found {line!r:.60}"
            ) from None
        adjacent[one - 1, other - 1] = adjacent[other - 1, one - 1] = one != other
    if adjacent is None:
        raise SolverError("expected a line 'p edge NODES EDGES'; found none")
    return adjacent


def _supported(nodes: int) -> int:
    if not 0 <= nodes <= MOST_NODES:
        raise ValueError
    return nodes
