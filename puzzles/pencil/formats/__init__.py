"""Readers and writers of pencil puzzles and of their solutions: one module a puzzle, all with the same functions."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from puzzles.errors import PuzzleError
from puzzles.pencil.formats import battleship, circuit, hashi, sudoku, zebra

_MODULES: dict[str, ModuleType] = {
    "sudoku": sudoku,
    "battleship": battleship,
    "circuit": circuit,
    "hashi": hashi,
    "zebra": zebra,
}


def writers(kind: str) -> tuple[str, ...]:
    """Return the names of the formats in which puzzles of a kind can be written; the first one is the usual one."""
    names: tuple[str, ...] = _MODULES[kind].WRITERS
    return names


def write(puzzle: Any, format: str | None = None) -> str:
    """Return a puzzle as text.

    Args:
        puzzle: The puzzle.
        format: One of `writers(puzzle.kind)`; the first one by default.

    Raises:
        PuzzleError: There is no such format, or it cannot hold the puzzle.
    """
    known = writers(puzzle.kind)
    if format is not None and format not in known:
        raise PuzzleError(f"unknown format {format!r} of {puzzle.kind}; expected one of {', '.join(known)}")
    text: str = _MODULES[puzzle.kind].write(puzzle, format or known[0])
    return text


def write_solution(puzzle: Any, solution: Any, format: str | None = None) -> str:
    """Return a solution as text, in the way that belongs to a format of its puzzle."""
    text: str = _MODULES[puzzle.kind].write_solution(puzzle, solution, format or writers(puzzle.kind)[0])
    return text


def read_solution(puzzle: Any, text: str) -> Any:
    """Read a solution of a puzzle; whether it is right is told by `puzzles.pencil.check`.

    Raises:
        PuzzleError: The text does not describe a solution of this puzzle.
    """
    return _MODULES[puzzle.kind].read_solution(puzzle, text)
