"""Loading and saving: whatever the file is, find its format by looking at it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from puzzles.board import Board
from puzzles.bundled import BOARDS, bundled_board, bundled_puzzles
from puzzles.disk import read_bytes, write_bytes
from puzzles.errors import PuzzleError
from puzzles.formats import grids, jsons, links, npz, pieces, reading
from puzzles.puzzle import Puzzle

T = TypeVar("T")

_PUZZLE_WRITERS: dict[str, Callable[[Puzzle], str]] = {
    "json": jsons.write_puzzle,
    "csv": pieces.write_csv,
    "benoist": pieces.write_benoist,
    "e2pieces": pieces.write_e2pieces,
    **{f"e2pieces-{order}": partial(pieces.write_e2pieces, order=order) for order in pieces.COLUMN_ORDERS},
}
_BOARD_WRITERS: dict[str, Callable[[Board], str | bytes]] = {
    "json": Board.to_json,
    "csv": Board.to_csv,
    "text": Board.to_text,
    "npz": Board.to_npz,
    "url": Board.to_url,
    **{f"url-{order}": partial(Board.to_url, motifs_order=order) for order in links.MOTIFS},
}
PUZZLE_FORMATS, BOARD_FORMATS = tuple(_PUZZLE_WRITERS), tuple(_BOARD_WRITERS)


def load(
    name_or_path: str | Path,
    *,
    strict: bool = True,
    order: str | None = None,
    shape: tuple[int, int] | None = None,
    hints: str | Path | None = None,
) -> Puzzle:
    """A bundled puzzle by name, or a puzzle file in any supported format.

    Args:
        name_or_path: "eternity2", or the path of a JSON, CSV, `e2pieces.txt` or Benoist file.
        strict: Whether the pieces must be able to fill the board; see `Puzzle`.
        order: Column order of an `e2pieces.txt`: "trbl", "bltr", "tlbr" or "nswe"; found out when it is not given.
        shape: Rows and columns, for a CSV or `e2pieces.txt` whose pieces do not tell.
        hints: A CSV table of hints to take in place of those in the file.

    Raises:
        PuzzleError: The file is missing, damaged, or holds no such puzzle.
    """
    puzzle = read(name_or_path, strict=strict, order=order, shape=shape)
    if not isinstance(puzzle, Puzzle):
        raise PuzzleError(f"{_shown(name_or_path)}: this is a board; expected a puzzle")
    return puzzle if hints is None else with_hints(puzzle, hints)


def with_hints(puzzle: Puzzle, path: str | Path) -> Puzzle:
    """The puzzle with the hints of a CSV table: piece, row, col and rotation, and perhaps mandatory and instance."""
    with naming(path):
        return puzzle.with_hints(pieces.read_hints(reading.decode(read_bytes(path)), puzzle.name))


def load_board(source: str | Path, puzzle: Puzzle | None = None) -> Board:
    """One board: a link, a bundled board's name, or a file in any supported format.

    Args:
        source: The link, name or path.
        puzzle: What the board is of, where the source does not tell; Eternity II unless it is given.
    """
    boards = load_boards(source, puzzle)
    if len(boards) != 1:
        raise PuzzleError(f"{_shown(source)}: holds {len(boards)} boards where one is expected")
    return boards[0]


def load_boards(source: str | Path, puzzle: Puzzle | None = None) -> list[Board]:
    """All boards of a source; a text file may hold many links."""
    boards = read(source, puzzle=puzzle)
    if isinstance(boards, Puzzle):
        raise PuzzleError(f"{_shown(source)}: this is a puzzle; expected a board")
    return boards


def read(
    source: str | Path,
    *,
    puzzle: Puzzle | None = None,
    strict: bool = True,
    order: str | None = None,
    shape: tuple[int, int] | None = None,
) -> Puzzle | list[Board]:
    """The puzzle or the boards behind a link, a bundled name or a path; the arguments are those of the loaders."""
    text = str(source)
    if links.is_link(text):
        return [Board.from_url(text, puzzle)]
    if not os.path.exists(text):
        if text in bundled_puzzles():
            return bundled_puzzles()[text]
        if text in BOARDS:
            return [bundled_board(text)]
    with naming(source):
        return parse(read_bytes(text), Path(text).stem, puzzle=puzzle, strict=strict, order=order, shape=shape)


def parse(
    data: bytes,
    name: str,
    *,
    puzzle: Puzzle | None = None,
    strict: bool = True,
    order: str | None = None,
    shape: tuple[int, int] | None = None,
) -> Puzzle | list[Board]:
    """The puzzle or the boards in the bytes of a file in any supported format; `name` is for a puzzle without one."""
    if data.startswith(npz.MAGIC):
        return [Board.from_npz(data)]
    text = reading.decode(data)
    if text.lstrip().startswith("{"):
        document = jsons.parse(text)
        if document["format"] == jsons.PUZZLE_FORMAT:
            return jsons.read_puzzle(document)
        return [Board.from_json(text, puzzle)]
    if links.is_link(text):
        return [Board.from_url(link, puzzle) for link in links.find_links(text)]
    lines = reading.rows(text)
    if not lines:
        raise PuzzleError("the file is empty")
    head = lines[0].tokens[0].lower()
    if grids.is_grid(lines):
        return [Board.from_text(text, puzzle or bundled_puzzles()["eternity2"])]
    if head.startswith("row,"):
        return [Board.from_csv(text, puzzle or bundled_puzzles()["eternity2"])]
    if head.startswith("piece,"):
        return pieces.read_csv(text, name, shape, strict)
    if not head[0].isdigit():
        raise PuzzleError(f"line {lines[0].line}: no format of a puzzle or board starts with {_shown(head)!r}")
    if len(lines[0].tokens) == 1 and "," not in head:
        return pieces.read_benoist(text, name, strict)
    return pieces.read_e2pieces(text, name, order, shape, strict)


def encode(item: Puzzle | Board, format: str) -> bytes:
    """A puzzle or board as the bytes of a file in this format."""
    if isinstance(item, Puzzle):
        content: str | bytes = _writer(_PUZZLE_WRITERS, format, "puzzle")(item)
    else:
        content = _writer(_BOARD_WRITERS, format, "board")(item)
    return content if isinstance(content, bytes) else (content.rstrip("\n") + "\n").encode()


def save(item: Puzzle | Board, path: str | Path, format: str | None = None, *, force: bool = False) -> Path:
    """Write a puzzle or board to a file, whole or not at all.

    Args:
        item: What to write.
        path: Where to.
        format: One of PUZZLE_FORMATS or BOARD_FORMATS; by default from the file's suffix, and `.txt` is
            "e2pieces" for a puzzle, "text" for a board.
        force: Whether to replace a file that is there already.
    """
    target = Path(path)
    with naming(target):
        return write_bytes(target, encode(item, format or format_of(item, target)), force=force)


def format_of(item: Puzzle | Board, path: Path) -> str:
    """The format that a file's suffix stands for."""
    by_suffix = {".json": "json", ".csv": "csv", ".npz": "npz", ".url": "url"}
    by_suffix[".txt"] = "e2pieces" if isinstance(item, Puzzle) else "text"
    if path.suffix.lower() not in by_suffix:
        raise PuzzleError(f"no format goes by the suffix {path.suffix!r}; known are {', '.join(by_suffix)}")
    return by_suffix[path.suffix.lower()]


def _writer(writers: dict[str, T], format: str, what: str) -> T:
    if format not in writers:
        raise PuzzleError(f"a {what} is not written as {format!r}; its formats are {', '.join(writers)}")
    return writers[format]


@contextmanager
def naming(source: str | Path) -> Iterator[None]:
    """Put the source's name in front of what its reader has to say."""
    try:
        yield
    except PuzzleError as error:
        raise PuzzleError(f"{_shown(source)}: {error}") from None


def _shown(source: str | Path) -> str:
    text = str(source)
    return text if len(text) <= 200 else text[:197] + "..."
