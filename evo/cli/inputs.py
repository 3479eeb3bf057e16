"""What the commands share: options, and reading the puzzles and boards that arguments name."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from puzzles import Board, Puzzle
    from puzzles.errors import EvoError

PuzzleOption = Annotated[
    str | None,
    typer.Option(
        "--puzzle", "-p", metavar="PUZZLE", help="The puzzle of the board, if the board does not state it [eternity2]."
    ),
]
ForceOption = Annotated[bool, typer.Option("--force", "-f", help="Overwrite existing files.")]


def load_puzzle(source: str | None, *, strict: bool = True) -> Puzzle | None:
    """Return the puzzle that an option names, if any; assumptions made in reading it go to standard error."""
    from puzzles import load

    if source is None:
        return None
    puzzle = load(source, strict=strict)
    say(puzzle.notes)
    return puzzle


def each_board(source: str, puzzle: Puzzle | None) -> Iterator[Board | EvoError]:
    """Yield the boards that an argument names, and an error in place of each that cannot be read."""
    from puzzles import Board, files
    from puzzles.errors import EvoError
    from puzzles.file_io import naming

    try:
        links = files.links_in(source) if source != files.STDIN else []
        if not links:
            yield from files.load_boards(source, puzzle)
    except EvoError as error:
        yield error
        return
    for number, link in enumerate(links, start=1):
        try:
            with naming(f"{source}, link {number}"):
                yield Board.from_url(link, puzzle)
        except EvoError as error:
            yield error


def say(notes: Iterable[str]) -> None:
    """Print notes to standard error."""
    for note in notes:
        print(f"evo: note: {note}", file=sys.stderr)


def write_out(content: bytes) -> None:
    """Write bytes to standard output."""
    if sys.stdout is not None:
        sys.stdout.buffer.write(content)
