"""Reading what the arguments of a command name: a link, a bundled name, a file, or `-` for standard input."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from puzzles import Board, Puzzle

PuzzleOption = Annotated[
    str | None,
    typer.Option("--puzzle", "-p", metavar="PUZZLE", help="What the board is of, where it does not tell [eternity2]."),
]
ForceOption = Annotated[bool, typer.Option("--force", "-f", help="Replace a file that is there already.")]


def load_item(
    source: str,
    puzzle_source: str | None = None,
    *,
    strict: bool = True,
    order: str | None = None,
    shape: tuple[int, int] | None = None,
) -> Puzzle | list[Board]:
    """The puzzle or the boards that an argument names; what had to be assumed goes to standard error."""
    from puzzles import Puzzle, files
    from puzzles.formats.reading import MAX_BYTES

    puzzle = None if puzzle_source is None else load_puzzle(puzzle_source)
    if source == "-":
        with files.naming("standard input"):
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
            item = files.parse(data, "stdin", puzzle=puzzle, strict=strict, order=order, shape=shape)
    else:
        item = files.read(source, puzzle=puzzle, strict=strict, order=order, shape=shape)
    for found in [item] if isinstance(item, Puzzle) else [board.puzzle for board in item]:
        for note in found.notes:
            print(f"evo: note: {note}", file=sys.stderr)
    return item


def load_puzzle(source: str) -> Puzzle:
    """The puzzle that an argument names."""
    from puzzles import Puzzle, PuzzleError

    item = load_item(source)
    if not isinstance(item, Puzzle):
        raise PuzzleError(f"{source[:200]}: this is a board; expected a puzzle")
    return item


def load_boards(source: str, puzzle_source: str | None) -> list[Board]:
    """The boards that an argument names."""
    from puzzles import Puzzle, PuzzleError

    item = load_item(source, puzzle_source)
    if isinstance(item, Puzzle):
        raise PuzzleError(f"{source[:200]}: this is a puzzle; expected a board")
    return item
