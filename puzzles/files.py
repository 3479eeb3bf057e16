"""Loading of puzzles and boards: the format is detected from the content."""

from __future__ import annotations

from pathlib import Path

from puzzles.board import Board
from puzzles.bundled import BOARDS, bundled_board, bundled_puzzles
from puzzles.errors import PuzzleError
from puzzles.file_io import naming, read_bytes
from puzzles.formats import grids, jsons, links, npz, pieces, reading
from puzzles.puzzle import Puzzle

STDIN = "-"


def load(
    name_or_path: str | Path,
    *,
    strict: bool = True,
    order: str | None = None,
    shape: tuple[int, int] | None = None,
    hints: str | Path | None = None,
) -> Puzzle:
    """Load a bundled puzzle by name, or a puzzle file in any supported format.

    Args:
        name_or_path: "eternity2", the path of a JSON, CSV, `e2pieces.txt` or Benoist file, or "-" for standard input.
        strict: Whether the pieces must be able to fill the board; see `Puzzle`.
        order: Column order of an `e2pieces.txt`: "trbl", "bltr", "tlbr" or "nswe"; detected if not given.
        shape: Rows and columns, for a CSV or `e2pieces.txt` file whose shape cannot be inferred from its pieces.
        hints: A CSV table of hints that replace those in the file.

    Raises:
        FileError: The file cannot be read, or is too large.
        PuzzleError: The file is damaged, or does not hold a puzzle.
    """
    puzzle = read(name_or_path, strict=strict, order=order, shape=shape)
    if not isinstance(puzzle, Puzzle):
        raise PuzzleError(f"{reading.shortened(name_or_path)}: this is a board; expected a puzzle")
    return puzzle if hints is None else with_hints(puzzle, hints)


def with_hints(puzzle: Puzzle, path: str | Path) -> Puzzle:
    """Return the puzzle with the hints of a CSV table; `puzzles.formats.pieces.read_hints` describes the columns."""
    with naming(path):
        return puzzle.with_hints(pieces.read_hints(reading.decode(read_bytes(path)), puzzle.name))


def load_board(source: str | Path, puzzle: Puzzle | None = None) -> Board:
    """Load one board from a link, a bundled board's name, or a file in any supported format.

    Args:
        source: The link, name or path, or "-" for standard input.
        puzzle: The puzzle of the board, for sources that do not contain it; Eternity II by default.

    Raises:
        FileError: The file cannot be read, or is too large.
        PuzzleError: The source is damaged, or does not hold exactly one board.
    """
    boards = load_boards(source, puzzle)
    if len(boards) != 1:
        raise PuzzleError(f"{reading.shortened(source)}: contains {len(boards)} boards; expected one")
    return boards[0]


def load_boards(source: str | Path, puzzle: Puzzle | None = None) -> list[Board]:
    """Load all boards of a source; a text file may contain several links."""
    boards = read(source, puzzle=puzzle)
    if isinstance(boards, Puzzle):
        raise PuzzleError(f"{reading.shortened(source)}: this is a puzzle; expected a board")
    return boards


def read(
    source: str | Path,
    *,
    puzzle: Puzzle | None = None,
    strict: bool = True,
    order: str | None = None,
    shape: tuple[int, int] | None = None,
) -> Puzzle | list[Board]:
    """Load a puzzle or boards from a link, a bundled name, a path or "-"; the arguments are those of the loaders."""
    text = str(source)
    with naming(source):
        if links.is_link(text):
            return [Board.from_url(text, puzzle)]
        if text in bundled_puzzles() or text in BOARDS:
            _refuse(order, shape, "a bundled puzzle or board")
            return bundled_puzzles()[text] if text in bundled_puzzles() else [_checked(bundled_board(text), puzzle)]
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
    """Parse the bytes of a file in any supported format; `name` is used for a puzzle without a name."""
    kind = _kind(data)
    if kind != "e2pieces":
        _refuse(order, shape if kind != "piece table" else None, f"a {kind} file")
    if kind == "npz":
        return [_checked(Board.from_npz(data), puzzle)]
    text = reading.decode(data)
    if kind == "json":
        document = jsons.parse(text)
        if document["format"] == jsons.PUZZLE_FORMAT:
            return jsons.read_puzzle(document, name, strict)
        return [_checked(Board.from_json(text), puzzle)]
    if kind == "link":
        return _linked_boards(text, puzzle)
    if kind == "grid":
        return [Board.from_text(text, puzzle or bundled_puzzles()["eternity2"])]
    if kind == "board table":
        return [Board.from_csv(text, puzzle or bundled_puzzles()["eternity2"])]
    if kind == "piece table":
        return pieces.read_csv(text, name, shape, strict)
    if kind == "benoist":
        return pieces.read_benoist(text, name, strict)
    return pieces.read_e2pieces(text, name, order, shape, strict)


def links_in(source: str | Path) -> list[str]:
    """Return the links in a text file or standard input; none if it has another format."""
    if links.is_link(str(source)) or str(source) in bundled_puzzles() or str(source) in BOARDS:
        return []
    with naming(source):
        data = read_bytes(source)
        return links.find_links(reading.decode(data)) if _kind(data) == "link" else []


def _kind(data: bytes) -> str:
    """Return the format of some bytes, judged by their beginning."""
    if data.startswith(npz.MAGIC):
        return "npz"
    text = reading.decode(data)
    if text.lstrip().startswith("{"):
        return "json"
    if links.is_link(text):
        return "link"
    lines = reading.rows(text)
    if not lines:
        raise PuzzleError("the file is empty")
    if grids.is_grid(lines):
        return "grid"
    head = reading.shortened(lines[0].tokens[0].lower())
    columns = set("".join(lines[0].tokens).lower().split(","))
    if columns >= set(grids.CSV_COLUMNS):
        return "board table"
    if "piece" in columns:
        return "piece table"
    if not head[0].isdigit():
        raise PuzzleError(f"line {lines[0].line}: unknown format: no puzzle or board file starts with {head!r}")
    return "benoist" if len(lines[0].tokens) == 1 and "," not in head else "e2pieces"


def _linked_boards(text: str, puzzle: Puzzle | None) -> list[Board]:
    found = links.find_links(text)
    boards = []
    for number, link in enumerate(found, start=1):
        try:
            boards.append(Board.from_url(link, puzzle))
        except PuzzleError as error:
            which = f"link {number} of {len(found)}: " if len(found) > 1 else ""
            raise PuzzleError(f"{which}{error}") from None
    return boards


def _checked(board: Board, puzzle: Puzzle | None) -> Board:
    """Return a board whose source contains its puzzle, which must equal the requested one, if any."""
    if puzzle is not None and board.puzzle != puzzle:
        raise PuzzleError(f"this is a board of {board.puzzle.name}, not of {puzzle.name}")
    return board


def _refuse(order: str | None, shape: tuple[int, int] | None, what: str) -> None:
    if order is not None:
        raise PuzzleError(f"a column order applies to e2pieces.txt only; this is {what}")
    if shape is not None:
        raise PuzzleError(f"a size applies to piece files without one; this is {what}")
