"""`Enumerator`: the base class of searches that find every solution of a puzzle, and prove that there are no others.

A search tree is walked depth first. At each level, `path` says how many children of the node there were entered, so
that the path determines the state of a search: a resumed search descends along it and goes on. A node is a tile
placed by a decision; what follows from it by propagation is not counted. An evaluation is a node.

A tree can be divided among jobs: all of them walk the first levels, and the nodes of the level `split` are dealt to the
parts in turn. So every solution is found by exactly one part, and a part can be put down and taken up on its own.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from puzzles import EMPTY, Board, Hint, Puzzle
from solvers.chunked_search import ChunkedSearch
from solvers.errors import SolverError
from solvers.exact.coloured_tiles import ColouredTiles
from solvers.progress import Progress
from solvers.search import State, matching

DEPTH, NODES, SOLUTIONS, FOUND, DEEPEST, OVER, DEALT = range(7)
"""Indices of the counters: the level, nodes, all solutions, those not collected yet, the deepest level, whether the
search is over, and the nodes dealt to parts."""
EXHAUSTED, LIMITED = 1, 2
"""Why a search is over: every node was visited, or as many solutions were found as were wanted."""
MOST_KEPT = 100_000
"""The largest number of solutions that are kept as boards; any further ones are only counted."""
_BATCH = 256
"""The number of solutions that compiled code finds before it returns."""


class Division(NamedTuple):
    """A part of a search tree."""

    part: int = 0
    parts: int = 1
    split: int = 0
    """The level whose nodes are dealt to the parts in turn."""


WHOLE = Division()


class Walk(NamedTuple):
    """The state of a walk through a tree, as arrays that compiled code changes."""

    path: NDArray[np.int32]
    """At each level, the number of children entered so far."""
    children: NDArray[np.int32]
    """At each level up to the current one, the number of children; an engine may leave this to its `_retrace`."""
    numbers: NDArray[np.int64]
    found: NDArray[np.uint16]
    """The solutions found since the last report."""
    deepest: NDArray[np.uint16]
    """The board of the deepest level so far, with empty cells."""


class Tally(NamedTuple):
    """What an enumeration has found so far."""

    solutions: int
    """Coloured boards; identical tiles are interchangeable."""
    labelled: int
    """Boards that differ in the number or the rotation of a tile."""
    proved: bool
    """Whether there are no other solutions."""
    nodes: int
    share: float
    """An estimate of the share of the tree that is done, which assumes that all children of a node are equally big."""


@runtime_checkable
class Enumeration(Protocol):
    """What a search for all solutions can tell besides; a search with such methods has its solutions stored."""

    def solutions(self) -> list[NDArray[np.uint16]]:
        """Return the solutions found so far, in the order in which they were found, as flat arrays of cells."""

    def tally(self) -> Tally:
        """Return what was found so far."""


class Enumerator(ChunkedSearch):
    """A search for all solutions. It ends when there are no more, or when `limit` solutions were found.

    Args:
        puzzle: The puzzle to solve.
        rng: Shuffles the order in which tiles are tried; the search itself is deterministic.
        evaluations: The largest number of nodes.
        chunk: The most nodes between two reports.
        pins: Hints to keep in place.
        limit: The number of solutions after which the search ends; 0 means all.
        division: The part of the tree to search.

    Raises:
        SolverError: An argument is out of range.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        rng: np.random.Generator,
        evaluations: int,
        *,
        chunk: int,
        pins: Iterable[Hint] = (),
        limit: int = 0,
        division: Division = WHOLE,
    ) -> None:
        super().__init__(puzzle, rng, evaluations, chunk=chunk)
        if limit < 0:
            raise SolverError(f"limit: expected 0 or more; found {limit}")
        if not 0 <= division.part < division.parts or division.split < (division.parts > 1):
            raise SolverError(f"expected a part below the parts, dealt at level 1 or later; found {division}")
        self._tiles, self._limit, self._division = ColouredTiles(puzzle, pins), limit, division
        self._order = rng.permutation(puzzle.size).astype(np.int32)
        size = puzzle.size
        self._walk = Walk(
            np.zeros(size + 1, dtype=np.int32),
            np.zeros(size + 1, dtype=np.int32),
            np.zeros(DEALT + 1, dtype=np.int64),
            np.zeros((_BATCH, size), dtype=np.uint16),
            np.full(size, EMPTY, dtype=np.uint16),
        )
        self._walk.numbers[DEEPEST] = -1
        self._solutions: list[NDArray[np.uint16]] = []
        self._best, self._best_score = np.full(size, EMPTY, dtype=np.uint16), -1

    @abstractmethod
    def _prepare(self) -> None:
        """Make the tables of the engine, with the tiles in the order in which they are tried, and go to the root."""

    @abstractmethod
    def _visit(self, until: int) -> None:
        """Walk until `until` nodes are done, the batch of solutions is full, or the search is over."""

    @abstractmethod
    def _retrace(self, path: NDArray[np.int32], depth: int) -> bool:
        """Descend along a path from the root, filling `children`; return whether the tree has such a path.

        The last level's entry is the number of its children that were entered before.
        """

    @property
    def _done(self) -> int:
        return int(self._walk.numbers[NODES])

    @property
    def _over(self) -> bool:
        return bool(self._walk.numbers[OVER])

    def _advance(self, limit: int) -> Progress:
        numbers, until = self._walk.numbers, self._done + limit
        if not self._tiles.can_frame:
            numbers[OVER] = EXHAUSTED
        while self._done < until and not self._over:
            self._visit(until)
            self._collect()
        self._note_deepest()
        score = max(self._best_score, 0)
        return self._report(score, self._best, float(score), score)

    def _collect(self) -> None:
        """Keep the solutions that were found, in their standard labelling."""
        found = int(self._walk.numbers[FOUND])
        for cells in self._walk.found[: min(found, MOST_KEPT - len(self._solutions))]:
            self._solutions.append(self._tiles.labelled(cells))
        self._walk.numbers[FOUND] = 0
        if found and self._best_score < self._puzzle.max_score:
            self._best, self._best_score = self._solutions[0], self._puzzle.max_score

    def _note_deepest(self) -> None:
        """Let the deepest board be the best one if it has more matching edges. Its pins are in place."""
        cells = self._walk.deepest.copy()
        for pin in self._tiles.pins:
            value = 4 * pin.tile + pin.rotation
            cells[cells >> 2 == pin.tile] = EMPTY  # a twin of the pinned tile lies in its cell
            cells[pin.row * self._puzzle.cols + pin.col] = value
        score = Board(self._puzzle, cells.reshape(self._puzzle.shape)).score
        if score > self._best_score:
            self._best, self._best_score = cells, score

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to search, or as many solutions were found as were wanted."""
        return self._over

    def begin_with_best(self, other: Enumerator) -> None:
        """Take over the best board of another search for the same puzzle."""
        self._best, self._best_score = other._best.copy(), other._best_score

    def solutions(self) -> list[NDArray[np.uint16]]:
        """Return the solutions found so far as flat arrays of cells: all of them, or the first `MOST_KEPT`."""
        return list(self._solutions)

    def tally(self) -> Tally:
        """Return what was found so far. It may only be called between two reports."""
        numbers = self._walk.numbers
        solutions = int(numbers[SOLUTIONS])
        proved = bool(numbers[OVER] == EXHAUSTED)
        share = 1.0 if self._over else self._share()
        return Tally(solutions, solutions * self._tiles.labelled_per_solution, proved, self._done, share)

    def _share(self) -> float:
        path, depth = self._current_path(), int(self._walk.numbers[DEPTH])
        self._retrace(path, depth)
        share, weight = 0.0, 1.0
        for level in range(depth + 1):
            weight /= max(1, int(self._walk.children[level]))
            share += weight * (int(path[level]) - (level < depth))
        return min(share, 1.0)

    def _current_path(self) -> NDArray[np.int32]:
        """Return the path of the walk."""
        return self._walk.path.copy()

    def state(self) -> State:
        """Return the order of the tiles, the path, the counters, the solutions and the best board."""
        kept = np.array(self._solutions, dtype=np.uint16).reshape(len(self._solutions), self._puzzle.size)
        scores = np.array([self._best_score], dtype=np.int64)
        path = self._current_path()
        path[int(self._walk.numbers[DEPTH]) + 1 :] = 0
        return {
            "order": self._order.copy(),
            "path": path,
            "numbers": self._walk.numbers.copy(),
            "solutions": kept,
            "best": self._best.copy(),
            "best_score": scores,
        }

    def restore(self, state: State) -> None:
        """Resume from the state of another search with the same arguments."""
        like = self.state()
        if "solutions" in state and state["solutions"].shape[1:] == like["solutions"].shape[1:]:
            like["solutions"] = np.zeros((len(state["solutions"]), self._puzzle.size), dtype=np.uint16)
        matching(state, like)
        numbers, depth = state["numbers"], int(state["numbers"][DEPTH])
        if (numbers[[NODES, SOLUTIONS, DEALT]] < 0).any() or numbers[FOUND] != 0 or numbers[OVER] not in (0, 1, 2):
            raise SolverError("invalid state: a counter is out of range")
        if len(state["solutions"]) != min(numbers[SOLUTIONS], MOST_KEPT):
            raise SolverError(f"invalid state: {len(state['solutions'])} solutions are kept of {numbers[SOLUTIONS]}")
        for cells in state["solutions"]:
            self._check_best(cells, self._puzzle.max_score)
        if state["best_score"][0] >= 0:
            self._check_best(state["best"], int(state["best_score"][0]))
        if sorted(state["order"].tolist()) != list(range(self._puzzle.size)):
            raise SolverError("invalid state: the order does not contain every tile once")
        self._order = state["order"].copy()
        self._prepare()
        self._walk.numbers[:] = numbers
        if not 0 <= depth <= self._puzzle.size or (numbers[NODES] and not self._retrace(state["path"], depth)):
            raise SolverError("invalid state: the search tree has no such path")
        self._walk.path[:] = state["path"]
        self._solutions = [cells.copy() for cells in state["solutions"]]
        self._best, self._best_score = state["best"].copy(), int(state["best_score"][0])
