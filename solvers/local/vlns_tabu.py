"""Tabu search in the very large neighbourhood: Algorithm 1 of Schaus and Deville.

    repeat:
        if the score has not risen for `plateau` iterations: make `shake` random swap and rotate moves (diversify)
        1. select `size` cells that do not touch and are not in the first tabu list, violated ones preferably
        2. add them to the first list for some iterations
        3. put their tiles back optimally, moves in the second tabu list being penalised
        4. add the reverse of each move to the second list for some iterations
        if the best has not risen for `patience` plateaus in a row: restore it (intensify)

A tile may always stay, so no iteration lowers the score; diversification does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators import Lattice, Population, make_population
from operators.assignment import MOST_LEVELS
from operators.bits import popcount
from operators.neighbourhood import MATCHES, NeighbourhoodScratch, choose_scattered, make_neighbourhood_scratch
from operators.population import copy_individual, evaluate_anew
from operators.randomness import below
from operators.repair import MoveTabu, replace_optimally
from operators.swap import swap_randomly
from puzzles import Hint, Puzzle
from puzzles.compiled import inlined, jit
from solvers.chunked_search import CHUNK
from solvers.errors import SolverError
from solvers.local.local_search import (
    BEST,
    DONE,
    FRAMED,
    SCORE,
    LocalSearch,
    Moves,
    Start,
    Tenure,
    check_least,
    check_share,
)

MOST_PENALTY = MOST_LEVELS - MATCHES
_USUAL = 16 * 256  # size times cells; chunks are smaller for larger moves or boards
_SINCE, _PLATEAUS, _INTENSIFIED = range(4, 7)


class VlnsOptions(NamedTuple):
    """Options of `VlnsTabu`. The paper gives no numbers; docs/vlns.md describes how the defaults were found."""

    size: int = 32
    """Number of tiles that a move takes out."""
    violated: float = 0.9
    """Probability with which each of them is chosen for its unmatched edges."""
    cell_tenure: Tenure = (0, 2)
    """Least and greatest number of iterations for which a cell is not chosen again; 0 disables the first list."""
    move_tenure: Tenure = (1, 10)
    """Least and greatest number of iterations for which a move is not undone; 0 disables the second list."""
    penalty: int = 4
    """Number of edges by which a tabu move must beat the other moves."""
    plateau: int = 300
    """Number of iterations without a rise of the score after which the search diversifies; 0 means never."""
    shake: int = 6
    """Number of random swap and rotate moves of a diversification."""
    patience: int = 10
    """Number of consecutive plateaus without a rise of the best score after which the best board is restored; 0 means
    never."""
    intensifications: int = 0
    """Number of times that the best board is restored before the search ends; 0 means no limit."""


_DEFAULTS = VlnsOptions()


class VlnsTabu(LocalSearch):
    """Tabu search in the very large neighbourhood.

    The search ends early when the board is solved, or after a given number of intensifications.

    Args:
        puzzle: The puzzle to solve.
        rng: Source of randomness.
        evaluations: Number of boards to visit, including the initial one; random swaps are not counted.
        start: Returns the initial board.
        options: Sizes of moves, tenures, and when to diversify and to intensify.
        pins: Hints to keep in place.

    Raises:
        SolverError: An option is out of range.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        rng: np.random.Generator,
        evaluations: int,
        *,
        start: Start,
        options: VlnsOptions = _DEFAULTS,
        pins: Iterable[Hint] = (),
    ) -> None:
        _check(options)
        cells = puzzle.size
        tabu = {
            "cells_until": (options.cell_tenure, (cells if options.cell_tenure[1] else 0,)),
            "moves_until": (options.move_tenure, (cells, cells) if options.move_tenure[1] else (0, 0)),
        }
        chunk = CHUNK * _USUAL // max(_USUAL, options.size * cells)
        super().__init__(puzzle, rng, evaluations, start=start, pins=pins, tabu=tabu, counters=3, chunk=chunk)
        self._options = options
        self._board, self._best = make_population(self._lattice, 1), make_population(self._lattice, 1)
        self._moves = MoveTabu(self._tabu["moves_until"], *options.move_tenure)
        penalty = options.penalty if options.move_tenure[1] else 0
        self._scratch = make_neighbourhood_scratch(self._lattice, options.size, penalty)

    def _prepare(self) -> None:
        for board, cells in ((self._board, self._cells), (self._best, self._best_cells)):
            board.cells[0, :-1] = cells
            evaluate_anew(self._lattice, _WEIGHTS, board, 0)

    def _move(self, limit: int) -> Moves:
        moves = search_on(
            self.rng, self._lattice, self._options, self._board, self._best, self._tabu["cells_until"], self._moves,
            self._numbers, self._puzzle.max_score, limit, self._scratch,
        )  # fmt: skip
        self._cells[:], self._best_cells[:] = self._board.cells[0, :-1], self._best.cells[0, :-1]
        return Moves(*moves)


_WEIGHTS = np.zeros(4, dtype=np.int64)  # fitness is not used here


def _check(options: VlnsOptions) -> None:
    """Raise an error if an option is out of range."""
    if not 0 <= options.penalty <= MOST_PENALTY:
        raise SolverError(f"penalty: expected 0 to {MOST_PENALTY} edges; found {options.penalty}")
    check_share("violated", options.violated)
    check_least(options, 1, "size", "shake")
    check_least(options, 0, "plateau", "patience", "intensifications")


@jit
def search_on(
    rng: np.random.Generator,
    lattice: Lattice,
    how: VlnsOptions,
    board: Population,
    best: Population,
    cells_until: NDArray[np.int64],
    moves: MoveTabu,
    numbers: NDArray[np.int64],
    solved: int,
    limit: int,
    scratch: NeighbourhoodScratch,
) -> tuple[int, int, int]:
    """Make up to `limit` iterations; return their number, and the sum and the lowest of the scores."""
    cells, places, edges = board.cells[0], board.places[0], board.edges[0]
    total, worst, framed = 0, 1 << 40, numbers[FRAMED] != 0
    for made in range(limit):
        if numbers[BEST] == solved or (how.intensifications and numbers[_INTENSIFIED] >= how.intensifications):
            return made, total, worst
        if how.plateau and numbers[_SINCE] >= how.plateau:
            swap_randomly(rng, lattice, framed, cells, places, edges, how.shake)
            numbers[SCORE] = _score(lattice, edges)
            numbers[_SINCE] = 0
            numbers[_PLATEAUS] += 1
        now = numbers[DONE]
        count = choose_scattered(rng, lattice, edges, how.size, how.violated, cells_until, now, scratch)
        for k in range(count if len(cells_until) else 0):
            least, most = how.cell_tenure
            cells_until[scratch.chosen[k]] = now + least + below(rng, most - least + 1)
        gained = replace_optimally(rng, lattice, framed, cells, places, edges, count, moves, now, scratch)
        numbers[DONE], numbers[SCORE] = now + 1, numbers[SCORE] + gained
        numbers[_SINCE] = 0 if gained else numbers[_SINCE] + 1
        total += numbers[SCORE]
        worst = min(worst, numbers[SCORE])
        if numbers[SCORE] > numbers[BEST]:
            numbers[BEST], numbers[_PLATEAUS] = numbers[SCORE], 0
            copy_individual(board, 0, best, 0)
        if how.patience and numbers[_PLATEAUS] >= how.patience:
            copy_individual(best, 0, board, 0)
            numbers[SCORE], numbers[_SINCE], numbers[_PLATEAUS] = numbers[BEST], 0, 0
            numbers[_INTENSIFIED] += 1
    return limit, total, worst


@inlined
def _score(lattice: Lattice, edges: NDArray[np.uint64]) -> int:
    """Return the score, counted from the edges that match."""
    score = 0
    for way in range(2):
        for word in range(edges.shape[1]):
            score += popcount(edges[way, word] & lattice.counted[way, word])
    return score
