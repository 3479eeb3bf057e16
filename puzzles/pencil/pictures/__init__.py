"""Pictures of pencil puzzles and their solutions, as SVG and for a terminal: one module a puzzle."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from rich.text import Text

from puzzles.pencil.pictures import battleship, circuit, hashi, sudoku, zebra

_MODULES: dict[str, ModuleType] = {
    "sudoku": sudoku,
    "battleship": battleship,
    "circuit": circuit,
    "hashi": hashi,
    "zebra": zebra,
}


def svg(puzzle: Any, solution: Any = None, title: str | None = None) -> str:
    """Return a picture of a puzzle as an SVG document.

    Args:
        puzzle: The puzzle.
        solution: Its solution, drawn in another colour; by default the picture shows what is given.
        title: A one-line description; the kind and name of the puzzle by default.
    """
    name = f"{puzzle.kind}: {puzzle.name}" if puzzle.name else puzzle.kind
    document: str = _MODULES[puzzle.kind].svg(puzzle, solution, name if title is None else title)
    return document


def text(puzzle: Any, solution: Any = None) -> Text:
    """Return a picture of a puzzle for a terminal; its `plain` attribute is the picture without colours."""
    picture: Text = _MODULES[puzzle.kind].text(puzzle, solution)
    return picture
