"""Saving of puzzles and boards in any format, and what each format cannot store."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from puzzles.board import Board
from puzzles.bundled import bundled_puzzles
from puzzles.errors import PuzzleError
from puzzles.file_io import naming, write_bytes
from puzzles.formats import jsons, links, pieces
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


def save(item: Puzzle | Board, path: str | Path, format: str | None = None, *, force: bool = False) -> Path:
    """Write a puzzle or board to a file, completely or not at all, and return its path.

    Args:
        item: The puzzle or board to write.
        path: The target file.
        format: One of PUZZLE_FORMATS or BOARD_FORMATS; by default chosen by the file's suffix, where `.txt`
            means "e2pieces" for a puzzle and "text" for a board.
        force: Whether to replace an existing file.

    Raises:
        FileError: The file cannot be written, or exists and `force` is not set.
        PuzzleError: The format is unknown, or cannot hold the item.
    """
    target = Path(path)
    with naming(target):
        return write_bytes(target, encode(item, format or format_of(item, target)), force=force)


def encode(item: Puzzle | Board, format: str) -> bytes:
    """Return a puzzle or board as the bytes of a file in this format."""
    if isinstance(item, Puzzle):
        content: str | bytes = _writer(_PUZZLE_WRITERS, format, "puzzle")(item)
    else:
        content = _writer(_BOARD_WRITERS, format, "board")(item)
    return content if isinstance(content, bytes) else (content.rstrip("\n") + "\n").encode()


def format_of(item: Puzzle | Board, path: Path) -> str:
    """Return the format that a file's suffix stands for."""
    by_suffix = {".json": "json", ".csv": "csv", ".npz": "npz", ".url": "url"}
    by_suffix[".txt"] = "e2pieces" if isinstance(item, Puzzle) else "text"
    if path.suffix.lower() not in by_suffix:
        raise PuzzleError(f"no format has the suffix {path.suffix!r}; known suffixes are {', '.join(by_suffix)}")
    return by_suffix[path.suffix.lower()]


def left_out(item: Puzzle | Board, format: str) -> list[str]:
    """Return what a file in this format would lose of a puzzle or board, as phrases for a message."""
    if format in ("json", "npz"):
        return []
    if isinstance(item, Board):
        known = item.puzzle in bundled_puzzles().values()
        return [] if known else [f"the puzzle {item.puzzle.name}: keep it beside the board"]
    if format == "benoist":
        return ["which hints are mandatory"] if any(hint.mandatory for hint in item.hints) else []
    lost = [f"the {len(item.hints)} hints"] if item.hints else []
    return lost + ([f"the size {item.rows}x{item.cols}"] if item.rows > item.cols else [])


def _writer(writers: dict[str, T], format: str, what: str) -> T:
    if format not in writers:
        raise PuzzleError(f"a {what} cannot be written as {format!r}; its formats are {', '.join(writers)}")
    return writers[format]
