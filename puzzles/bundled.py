"""The puzzles and boards that are bundled with the project."""

from __future__ import annotations

from functools import cache
from importlib import resources

from puzzles.board import Board
from puzzles.errors import PuzzleError
from puzzles.formats import jsons
from puzzles.puzzle import Puzzle

PUZZLES = ("eternity2",)
BOARDS = {"blackwood470": "the record by any method: 470 of 480, Joshua Blackwood"}


@cache
def bundled_puzzles() -> dict[str, Puzzle]:
    """Return the bundled puzzles by name."""
    return {name: jsons.read_puzzle(jsons.parse(_text(f"{name}.json"))) for name in PUZZLES}


def bundled_board(name: str) -> Board:
    """Return a bundled board by name."""
    if name not in BOARDS:
        raise PuzzleError(f"no bundled board is called {name!r}; the bundled boards are {', '.join(BOARDS)}")
    return Board.from_json(_text(f"{name}.json"))


def _text(file_name: str) -> str:
    return resources.files("puzzles").joinpath("data", file_name).read_text(encoding="utf-8")
