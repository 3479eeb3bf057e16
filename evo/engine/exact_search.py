"""`ExactSearch`: an exact solver of pencil puzzles as a search, beside the evolutionary ones in an experiment."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from puzzles.pencil import PencilTask, Sudoku
from puzzles.pencil.battleship import SHIP
from solvers import Progress, SolverError, State, Tally
from solvers.pencil import ENGINES, MODELS, solve
from solvers.search import matching

_WANTED = 2  # solutions: one, and the answer to whether there are others


class ExactSearch:
    """Looks for a solution and for a second one; see `solvers.Search` and `solvers.Enumeration`.

    Args:
        puzzle: The puzzle.
        rng: Not used; every search has one.
        model: The model, or None for the fastest.
        engine: The engine, or None for the fastest that is installed.
        seconds: The time limit.

    Raises:
        SolverError: The model or the engine is unknown.
    """

    def __init__(
        self, puzzle: PencilTask, rng: np.random.Generator, model: str | None, engine: str | None, seconds: float
    ) -> None:
        kind = puzzle.puzzle.kind
        if model is not None and model not in MODELS[kind]:
            raise SolverError(f"model: {model!r} is not one of {', '.join(MODELS[kind])}")
        if engine is not None and engine not in ENGINES:
            raise SolverError(f"engine: {engine!r} is not one of {', '.join(ENGINES)}")
        self.rng = rng
        self._puzzle, self._model, self._engine, self._seconds = puzzle, model, engine, seconds
        self._found = np.zeros((0, puzzle.size), dtype=np.uint16)
        self._complete, self._over = False, False

    def reports(self) -> Iterator[Progress]:
        """Report on the clues alone, then solve, and report on the solution."""
        clues = self._puzzle.board(_clues(self._puzzle))
        if not self._over:
            yield Progress(1, clues.score, clues.cells, float(clues.score), clues.score, self._puzzle)
            puzzle = self._puzzle.puzzle
            answer = solve(puzzle, model=self._model, engine=self._engine, solutions=_WANTED, seconds=self._seconds)
            if answer.interrupted:
                raise KeyboardInterrupt
            self._found = np.array(answer.solutions, dtype=np.uint16).reshape(-1, self._puzzle.size)
            self._complete, self._over = answer.complete, True
        best = self._puzzle.board(self._found[0].reshape(self._puzzle.shape)) if len(self._found) else clues
        yield Progress(2, best.score, best.cells, float(best.score), best.score, self._puzzle)

    def solutions(self) -> list[NDArray[np.uint16]]:
        """Return the solutions found so far, at most two."""
        return list(self._found)

    def tally(self) -> Tally:
        """Return what was found: with one solution or none, and the proof, it is unique or there is none."""
        count = len(self._found)
        return Tally(count, count, self._complete, 1 + self._over, float(self._over))

    def state(self) -> State:
        """Return the solutions, and whether the search is over."""
        found = np.zeros((_WANTED, self._puzzle.size), dtype=np.uint16)
        found[: len(self._found)] = self._found
        return {"numbers": np.array([len(self._found), self._complete, self._over]), "found": found}

    def restore(self, state: State) -> None:
        """Continue from the state of another search.

        Raises:
            SolverError: It is not one of such a search.
        """
        numbers, found = matching(state, self.state()).values()
        count = int(numbers[0])
        if not 0 <= count <= _WANTED or not set(numbers[1:].tolist()) <= {0, 1}:
            raise SolverError("the state does not say how many solutions were found")
        for cells in found[:count]:
            if self._puzzle.board(cells.reshape(self._puzzle.shape)).fault is not None:
                raise SolverError("a solution of the state is not one")
        self._found, self._complete, self._over = found[:count].copy(), bool(numbers[1]), bool(numbers[2])


def _clues(puzzle: PencilTask) -> NDArray[np.int64]:
    """Return the cells that are given, without parts of ships whose type is unknown."""
    if isinstance(puzzle.puzzle, Sudoku):
        return np.array(puzzle.puzzle.clues)
    hints = np.array(puzzle.puzzle.hints)
    return np.where((hints < 0) | (hints == SHIP), 0, hints)
