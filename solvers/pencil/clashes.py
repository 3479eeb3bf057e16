"""Which clues of a puzzle without solution contradict each other: a smallest set of them, where that is quick."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from time import perf_counter
from typing import NamedTuple

from puzzles.pencil import PencilPuzzle, Sudoku
from solvers.pencil.hitting_sets import smallest_hitting_set
from solvers.pencil.search import Search
from solvers.pencil.solving import make_model, solve, usual_engine
from solvers.pencil.sudoku_models import clue_name
from solvers.programs.engines import INFEASIBLE, SOLVED, load
from solvers.programs.model import Model

_POSSIBLE = {SOLVED: True, INFEASIBLE: False}


class Clash(NamedTuple):
    """Clues that contradict each other, such that any of them less leaves a solution.

    Attributes:
        clues: What the clues say and where.
        smallest: Whether it is proved that no fewer clues of the puzzle contradict each other.
    """

    clues: tuple[str, ...]
    smallest: bool


def clash(puzzle: PencilPuzzle, *, engine: str | None = None, seconds: float = inf) -> Clash | None:
    """Return clues that contradict each other, or None if there are none, or if the time is over before any is known.

    Args:
        puzzle: The puzzle.
        engine: The name of an engine; the fastest one by default.
        seconds: Limit of time for the smallest set; what was found by then is returned.
    """
    model = make_model(puzzle)
    clues = list(dict.fromkeys(row.clue for row in model.rows if row.clue))
    deadline = perf_counter() + seconds
    test: _Test
    if isinstance(puzzle, Sudoku) and engine is None:
        test = _SudokuTest(deadline, puzzle)
    else:
        test = _ModelTest(deadline, model, engine or usual_engine(puzzle, model))
    if test.possible(clues) is not False:
        return None
    return _smallest(test, clues, _irreducible(test, clues))


def _irreducible(test: _Test, clues: list[str]) -> list[str]:
    """Return clues that contradict each other without those that can be spared: first many at once, then each."""
    needed, size = list(clues), len(clues)
    while size > 1:
        size, k = size // 2, 0
        while k < len(needed):
            fewer = needed[:k] + needed[k + size :]
            if test.possible(fewer) is False:
                needed = fewer
            else:
                k += size
    return needed


def _smallest(test: _Test, clues: list[str], needed: list[str]) -> Clash:
    """Return a smallest clash: clues that hit every set of clues without which a solution appears."""
    number = {clue: k for k, clue in enumerate(clues)}
    left_out: list[set[int]] = []
    while not test.over:
        chosen = [clues[k] for k in smallest_hitting_set(left_out, len(clues))]
        if len(chosen) == len(needed):
            return Clash(tuple(needed), True)
        if test.possible(chosen) is False:
            return Clash(tuple(chosen), True)
        for clue in clues:
            if clue not in chosen and test.possible([*chosen, clue]):
                chosen.append(clue)
        left_out.append({number[clue] for clue in clues if clue not in chosen})
    return Clash(tuple(needed), False)


class _Test:
    """Tells whether some of a puzzle's clues leave a solution."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline

    @property
    def over(self) -> bool:
        return perf_counter() > self._deadline

    def possible(self, clues: list[str]) -> bool | None:
        """Return whether there is a solution, or None if the time is over."""
        raise NotImplementedError


class _ModelTest(_Test):
    """Leaves rows of an integer program out."""

    def __init__(self, deadline: float, model: Model, engine: str) -> None:
        super().__init__(deadline)
        load(engine)
        self._model, self._engine = replace(model, objective=()), engine

    def possible(self, clues: list[str]) -> bool | None:
        rows = [row for row in self._model.rows if not row.clue or row.clue in clues]
        search = Search(replace(self._model, rows=rows), self._engine, self._deadline - perf_counter())
        search.feasible()
        return _POSSIBLE.get(search.status)


class _SudokuTest(_Test):
    """Leaves given numbers out, and uses the compiled solver."""

    def __init__(self, deadline: float, puzzle: Sudoku) -> None:
        super().__init__(deadline)
        self._puzzle = puzzle

    def possible(self, clues: list[str]) -> bool | None:
        chosen = set(clues)
        shown = tuple(
            tuple(number if clue_name((i, j), number) in chosen else 0 for j, number in enumerate(row))
            for i, row in enumerate(self._puzzle.clues)
        )
        left = self._deadline - perf_counter()
        return _POSSIBLE.get(solve(replace(self._puzzle, clues=shown), solutions=1, seconds=left).status)
