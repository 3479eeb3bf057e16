"""What experiments are about: boards of tiles, and Sudoku and Battleship puzzles as tasks."""

from __future__ import annotations

import json

from evo.errors import ConfigError
from puzzles import Board, Puzzle, PuzzleError, files
from puzzles.pencil import PencilTask
from puzzles.protocols import AnyBoard, AnyPuzzle


def read_puzzle(text: str) -> AnyPuzzle:
    """Return the puzzle of an experiment from its JSON.

    Raises:
        PuzzleError: It is not one.
    """
    if '"pencil"' in text:  # no other JSON has this key; what looks like it is refused below
        try:
            values = json.loads(text)
        except (ValueError, RecursionError):
            values = None
        if isinstance(values, dict) and "pencil" in values:
            return PencilTask.from_json(text)
    puzzle = files.parse(text.encode(), "puzzle")
    if not isinstance(puzzle, Puzzle):
        raise PuzzleError("this is a board; expected a puzzle")
    return puzzle


def encoded(item: AnyPuzzle | AnyBoard) -> bytes:
    """Return the content of the file of a puzzle or a board."""
    return (item.to_json().rstrip("\n") + "\n").encode()


def tile_puzzle(puzzle: AnyPuzzle) -> Puzzle:
    """Return a puzzle that is an edge-matching puzzle.

    Raises:
        ConfigError: It is not.
    """
    if not isinstance(puzzle, Puzzle):
        raise ConfigError(f"{puzzle.name}: is not an edge-matching puzzle; this works for those only")
    return puzzle


def tile_board(board: AnyBoard) -> Board:
    """Return a candidate that is a board of tiles.

    Raises:
        ConfigError: It is not.
    """
    if not isinstance(board, Board):
        raise ConfigError(f"{board.puzzle.name}: is not an edge-matching puzzle; this works for those only")
    return board
