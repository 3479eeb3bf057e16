"""Constraint programming as in section 2 of Schaus and Deville: depth-first search with the first-fail heuristic.

The domain of a cell's variable, IO in the paper, is the set of oriented tiles that may still be placed there. The next
variable is one with the smallest domain, ties broken at random, and its value is chosen at random. A node is one such
decision and its propagation. The first branch assigns the value, the other one removes it; after either,
`solvers.exact.propagation` removes inconsistent values. Each level of the search has its own copy of the domains, so
that backtracking costs nothing.

The largest partial assignment is the node with the most tiles among those where every cell still has a value.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from operators.bits import WORD, lowest, popcount
from operators.lattice import make_lattice
from operators.randomness import uniform
from puzzles import EMPTY, Hint, Puzzle
from puzzles.compiled import inlined, jit
from solvers.errors import SolverError
from solvers.exact.propagation import (
    EXHAUSTED,
    LEVEL,
    NODES,
    NONE,
    OVER,
    PLACED,
    SEARCHING,
    SINCE,
    SOLVED,
    PropagationState,
    propagate,
    shrunk,
    start,
)
from solvers.exact.relaxed_instance import Outcome, relaxed_mask

MOST_CELLS = 1024
"""The largest supported board: the levels of the search would need gigabytes for larger ones."""
DEFAULT_NODES = 50_000
CHUNK = 2_000
"""Nodes per compiled call: compiled code cannot be interrupted."""
_ZERO, _ONE = np.uint64(0), np.uint64(1)


class FirstFail:
    """Depth-first search with first fail on a relaxed instance, which can be continued.

    Args:
        puzzle: The puzzle to solve.
        rng: Breaks ties and chooses values.
        relaxed: The cells to leave empty; see `solvers.exact.relaxed_instance`.
        restart_after: Number of nodes after which the search restarts at the root, so that early choices are
            reconsidered; values refuted at the root stay refuted. 0 means never, as in the paper.
        pins: Hints to keep in place.

    Raises:
        SolverError: The board is too large, or an argument is invalid.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        rng: np.random.Generator,
        relaxed: ArrayLike = (),
        *,
        restart_after: int = 0,
        pins: Iterable[Hint] = (),
    ) -> None:
        if puzzle.size > MOST_CELLS:
            raise SolverError(f"first fail supports boards of at most {MOST_CELLS} cells; this one has {puzzle.size}")
        if restart_after < 0:
            raise SolverError(f"restart_after: expected 0 or more nodes; found {restart_after}")
        self._rng, self._restart_after = rng, restart_after
        lattice = make_lattice(puzzle, pins)
        self._state = start(puzzle, lattice, relaxed_mask(lattice, relaxed))
        begin(self._state)

    @property
    def over(self) -> bool:
        """Whether the instance is solved or proved to have no solution."""
        return bool(self._state.numbers[OVER] != SEARCHING)

    def search(self, nodes: int) -> None:
        """Visit up to `nodes` further nodes. The result does not depend on how the nodes are split over calls."""
        last = int(self._state.numbers[NODES]) + nodes
        while self._state.numbers[NODES] < last and not self.over:
            limit = min(last, int(self._state.numbers[NODES]) + CHUNK)
            visit_nodes(self._rng, self._state, limit, self._restart_after)

    def outcome(self) -> Outcome:
        """Return the outcome so far."""
        numbers, cells = self._state.numbers, self._state.best_cells.copy()
        over, placed = int(numbers[OVER]), int((cells != EMPTY).sum())
        return Outcome(cells, over == SOLVED, over == EXHAUSTED, placed, int(numbers[NODES]))


def first_fail(
    puzzle: Puzzle,
    rng: np.random.Generator,
    relaxed: ArrayLike = (),
    *,
    nodes: int = DEFAULT_NODES,
    restart_after: int = 0,
    pins: Iterable[Hint] = (),
) -> Outcome:
    """Search for a solution of a relaxed instance, visiting at most `nodes` nodes; see `FirstFail`."""
    search = FirstFail(puzzle, rng, relaxed, restart_after=restart_after, pins=pins)
    search.search(nodes)
    return search.outcome()


@jit
def begin(state: PropagationState) -> None:
    """Propagate at the root."""
    if state.numbers[OVER] != SEARCHING:
        return
    root = state.numbers[LEVEL]  # not the constant 0, for which numba would compile everything again
    for cell in range(len(state.near)):
        if state.sizes[root, cell] > 0:
            shrunk(state, root, cell, 2)
    if propagate(state, root):
        _keep_if_larger(state, root)
    else:
        state.numbers[OVER] = EXHAUSTED


@jit
def visit_nodes(rng: np.random.Generator, state: PropagationState, limit: int, restart_after: int) -> None:
    """Search until `limit` nodes were visited in total, or the search is over."""
    numbers = state.numbers
    while numbers[NODES] < limit and numbers[OVER] == SEARCHING:
        if restart_after and numbers[SINCE] >= restart_after:
            numbers[LEVEL] = numbers[SINCE] = 0
        level = numbers[LEVEL]
        cell = _smallest_domain(rng, state, level)
        value = _random_value(rng, state.domains[level, cell], state.sizes[level, cell])
        state.chosen[level, 0], state.chosen[level, 1] = cell, value
        numbers[NODES] += 1
        numbers[SINCE] += 1
        _descend(state, level)
        if _take(state, level + 1, cell, value):
            numbers[LEVEL] += 1
            _keep_if_larger(state, level + 1)
            continue
        while not _refute(state, level, state.chosen[level, 0], state.chosen[level, 1]):
            level -= 1
            if level < 0:
                numbers[OVER] = EXHAUSTED
                return
        numbers[LEVEL] = level
        _keep_if_larger(state, level)


@inlined
def _smallest_domain(rng: np.random.Generator, state: PropagationState, level: int) -> int:
    """Return a cell with the fewest values, but more than one: first fail."""
    found, smallest, ties = NONE, 1 << 30, 0
    for cell in range(len(state.near)):
        size = state.sizes[level, cell]
        if size < 2 or size > smallest:
            continue
        ties = 1 if size < smallest else ties + 1
        smallest = size
        if ties == 1 or uniform(rng) * ties < 1:
            found = cell
    return found


@inlined
def _random_value(rng: np.random.Generator, domain: NDArray[np.uint64], size: int) -> int:
    skipped = int(uniform(rng) * size)
    word = 0
    while skipped >= popcount(domain[word]):
        skipped -= popcount(domain[word])
        word += 1
    bits = domain[word]
    for _ in range(skipped):
        bits &= bits - _ONE
    return WORD * word + lowest(bits)


@inlined
def _descend(state: PropagationState, level: int) -> None:
    """Copy a level to the next one."""
    for cell in range(len(state.near)):
        state.cells[level + 1, cell] = state.cells[level, cell]
        state.sizes[level + 1, cell] = state.sizes[level, cell]
        for part in range(state.colours.shape[2]):
            state.colours[level + 1, cell, part] = state.colours[level, cell, part]
        if state.sizes[level, cell] > 1:
            for word in range(state.domains.shape[2]):
                state.domains[level + 1, cell, word] = state.domains[level, cell, word]


@inlined
def _take(state: PropagationState, level: int, cell: int, value: int) -> bool:
    """Assign a value to a cell, the first branch; return whether it is consistent."""
    for word in range(state.domains.shape[2]):
        state.domains[level, cell, word] = _ZERO
    state.domains[level, cell, value >> 6] = _ONE << np.uint64(value & 63)
    before = state.sizes[level, cell]
    state.sizes[level, cell] = 1
    shrunk(state, level, cell, before)
    return propagate(state, level)


@inlined
def _refute(state: PropagationState, level: int, cell: int, value: int) -> bool:
    """Remove a value from a cell, the other branch; return whether it is consistent."""
    state.domains[level, cell, value >> 6] &= ~(_ONE << np.uint64(value & 63))
    before = state.sizes[level, cell]
    state.sizes[level, cell] -= 1
    shrunk(state, level, cell, before)
    return propagate(state, level)


@inlined
def _keep_if_larger(state: PropagationState, level: int) -> None:
    """Keep a partial assignment with more tiles than all before; the search is over when no cell is left."""
    placed = still_open = 0
    for cell in range(len(state.near)):
        placed += state.cells[level, cell] != EMPTY
        still_open += state.sizes[level, cell] > 1
    if not still_open:
        state.numbers[OVER] = SOLVED
    if placed > state.numbers[PLACED] or not still_open:
        state.numbers[PLACED] = placed
        for cell in range(len(state.near)):
            state.best_cells[cell] = state.cells[level, cell]
