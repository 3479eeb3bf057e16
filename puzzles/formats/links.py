"""Links of the e2.bucas.name viewer: `...#puzzle=NAME&board_w=16&board_h=16&board_edges=...&board_pieces=...`.

`board_edges` has four letters per cell (up, right, down, left; `aaaa` is an empty cell), `board_pieces` three digits
(the piece number; 000 is an empty cell) and is often absent: the letters determine the piece and its rotation.
`motifs_order` is the assignment of letters to colours.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray

from puzzles.checks import check_shape
from puzzles.errors import PuzzleError
from puzzles.formats.reading import number, shortened
from puzzles.puzzle import Puzzle
from puzzles.tiles import EMPTY, GREY, MAX_TILES

VIEWER = "https://e2.bucas.name/#"
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_BLACKWOOD = "abjrfncksgodlthpemuiqvwxyz"
MOTIFS = {
    "default": _ALPHABET,
    "jblackwood": _BLACKWOOD,
    "marie": _BLACKWOOD,
    "jef": "aiqwemhpvdlgouckfntbjsrxyz",
}
"""The letters of the colours for each `motifs_order`."""
_KEYS = ("puzzle", "board_w", "board_h", "board_edges", "board_pieces", "motifs_order")


def is_link(text: str) -> bool:
    """Return whether a text contains a board link, or is a web address."""
    return "board_edges=" in text or text.lstrip().startswith(("http://", "https://"))


def find_links(text: str) -> list[str]:
    """Return all links in a text, such as a mail, a table of records or a solver's log."""
    words = re.split(r"[\s\"'<>()\[\]]+", text)
    return [word.rstrip(".,;:!").replace("&amp;", "&") for word in words if "board_edges=" in word] or [text.strip()]


def read_link(link: str, puzzle: Puzzle | None, eternity2: Puzzle) -> tuple[Puzzle, NDArray[np.uint16], str]:
    """Return the puzzle, the cells and the name in a link.

    Without a puzzle, a 16x16 link is assumed to be Eternity II unless most of its tiles are not from that set. For any
    other complete board, the puzzle is made of the tiles in the link.
    """
    parameters = _parameters(link)
    name = parameters.get("puzzle", "")
    rows, cols = _size(parameters, puzzle)
    check_shape(rows, cols)
    colours = _colours(parameters["board_edges"], parameters.get("motifs_order", "default"), rows, cols)
    pieces = _pieces(parameters["board_pieces"], rows, cols) if "board_pieces" in parameters else None
    if puzzle is None:
        is_known = (rows, cols) == eternity2.shape and _is_of(eternity2, parameters["board_edges"])
        puzzle = eternity2 if is_known else _own_puzzle(colours, pieces, rows, cols, name)
    if (rows, cols) != puzzle.shape:
        raise PuzzleError(f"the link's board is {rows}x{cols}; {puzzle.name} is {puzzle.rows}x{puzzle.cols}")
    try:
        cells = _placed(puzzle, colours, pieces)
    except PuzzleError as error:
        raise PuzzleError(f"{error}{_other_order(puzzle, parameters, rows, cols, pieces)}") from None
    return puzzle, cells.reshape(rows, cols), name


def write_link(puzzle: Puzzle, cells: NDArray[np.uint16], name: str, motifs_order: str, pieces: bool) -> str:
    """Return the viewer's link to a board."""
    letters = _letters(motifs_order)
    used = int(puzzle.tiles.max())
    if used >= len(letters):
        raise PuzzleError(f"viewer links support {len(letters) - 1} colours; this puzzle uses colour {used}")
    if pieces and puzzle.size > 999:
        raise PuzzleError(f"viewer links have three digits per piece; this puzzle has {puzzle.size} pieces")
    flat = cells.ravel()
    placed = flat != EMPTY
    sides = np.zeros((len(flat), 4), dtype=np.uint8)
    sides[placed] = puzzle.sides[:, flat[placed]].T
    edges = "".join(letters[colour] for colour in sides.ravel().tolist())
    parts = [
        f"puzzle={quote(name, safe='+')}",
        f"board_w={puzzle.cols}",
        f"board_h={puzzle.rows}",
        f"board_edges={edges}",
    ]
    if pieces:
        numbers = np.where(placed, flat // 4 + 1, 0)
        parts.append("board_pieces=" + "".join(f"{piece:03d}" for piece in numbers.tolist()))
    if motifs_order != "default":
        parts.append(f"motifs_order={motifs_order}")
    return VIEWER + "&".join(parts)


def _parameters(link: str) -> dict[str, str]:
    """Return the parameters after `#`, else after `?`, else of a bare `key=value&...` text."""
    text = link.strip().replace("&amp;", "&")
    address, _, fragment = text.partition("#")
    query = fragment if "board_edges=" in fragment else address.partition("?")[2] or text
    found: dict[str, str] = {}
    for part in query.split("&"):
        key, _, value = part.partition("=")
        if key in _KEYS:
            if key in found:
                raise PuzzleError(f"the link has {key} twice")
            found[key] = unquote(value)
    if "board_edges" not in found:
        raise PuzzleError("the link has no board_edges")
    return found


def _size(parameters: dict[str, str], puzzle: Puzzle | None) -> tuple[int, int]:
    rows, cols = puzzle.shape if puzzle else (16, 16)
    if "board_h" in parameters:
        rows = number(parameters["board_h"], "board_h", "the number of rows", 1, MAX_TILES)
    if "board_w" in parameters:
        cols = number(parameters["board_w"], "board_w", "the number of columns", 1, MAX_TILES)
    return rows, cols


def _letters(motifs_order: str) -> str:
    if motifs_order not in MOTIFS:
        raise PuzzleError(f"motifs_order {shortened(motifs_order, 40)!r} is not one of {', '.join(MOTIFS)}")
    return MOTIFS[motifs_order]


def _colours(edges: str, motifs_order: str, rows: int, cols: int) -> NDArray[np.uint8]:
    """Return the four colours of each cell; all zero for an empty cell."""
    letters = _letters(motifs_order)
    if len(edges) != 4 * rows * cols:
        raise PuzzleError(
            f"board_edges has {len(edges)} letters; a {rows}x{cols} board needs {4 * rows * cols}, four per cell"
        )
    wrong = re.search(r"[^a-z]", edges)
    if wrong:
        at = wrong.start()
        raise PuzzleError(
            f"board_edges position {at + 1} ({_place(at // 4, cols)}): {edges[at]!r} is not a letter a to z"
        )
    colour_of = {letter: colour for colour, letter in enumerate(letters)}
    return np.array([colour_of[letter] for letter in edges], dtype=np.uint8).reshape(-1, 4)


def _pieces(digits: str, rows: int, cols: int) -> list[int]:
    if len(digits) != 3 * rows * cols:
        raise PuzzleError(
            f"board_pieces has {len(digits)} digits; a {rows}x{cols} board needs {3 * rows * cols}, three per cell"
        )
    groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    return [
        number(group, f"board_pieces ({_place(cell, cols)})", "piece", 0, rows * cols)
        for cell, group in enumerate(groups)
    ]


def _placed(puzzle: Puzzle, colours: NDArray[np.uint8], pieces: list[int] | None) -> NDArray[np.uint16]:
    """Return the cells that show these colours."""
    showing = _showing(puzzle)
    cells = np.full(puzzle.size, EMPTY, dtype=np.uint16)
    used: set[int] = set()
    for cell, sides in enumerate(map(tuple, colours.tolist())):
        number = None if pieces is None else pieces[cell]
        if number == 0 or (number is None and not any(sides)):
            if any(sides):
                raise PuzzleError(
                    f"{_place(cell, puzzle.cols)}: board_pieces has no piece, but board_edges has the colours {sides}"
                )
            continue
        candidates = showing.get(sides, [])
        if number is not None:
            candidates = [oriented for oriented in candidates if oriented // 4 + 1 == number]
        if not candidates:
            which = "no piece with" if number is None else f"no piece {number} with"
            raise PuzzleError(f"{_place(cell, puzzle.cols)}: {puzzle.name} has {which} the colours {sides}")
        # Identical pieces are used one after the other; a real duplicate remains a duplicate.
        cells[cell] = next((oriented for oriented in candidates if oriented // 4 not in used), candidates[0])
        used.add(int(cells[cell]) // 4)
    return cells


@lru_cache(maxsize=2)
def _showing(puzzle: Puzzle) -> dict[tuple[int, ...], list[int]]:
    """Return the oriented tiles that show four colours; files of boards have hundreds of the same puzzle."""
    showing: dict[tuple[int, ...], list[int]] = {}
    for oriented, sides in enumerate(map(tuple, puzzle.sides.T.tolist())):
        showing.setdefault(sides, []).append(oriented)
    return showing


def _is_of(puzzle: Puzzle, edges: str) -> bool:
    """Return whether at least half of the tiles in a link belong to a puzzle, under any `motifs_order`."""
    known = set(map(tuple, puzzle.sides.T.tolist()))
    for order in MOTIFS:
        colours = _colours(edges, order, *puzzle.shape).tolist()
        shown = [tuple(sides) for sides in colours if any(sides)]
        if 2 * sum(sides in known for sides in shown) >= len(shown):
            return True
    return False


def _own_puzzle(colours: NDArray[np.uint8], pieces: list[int] | None, rows: int, cols: int, name: str) -> Puzzle:
    """Return the puzzle whose tiles are those of a complete board."""
    order = np.arange(rows * cols) if pieces is None else np.argsort(pieces)
    if (colours == GREY).all(axis=1).any() or (
        pieces is not None and sorted(pieces) != list(range(1, rows * cols + 1))
    ):
        raise PuzzleError(
            f"a {rows}x{cols} board with empty cells or repeated pieces does not define its puzzle: specify the puzzle"
        )
    notes = (f"assumed that the {rows}x{cols} link shows all pieces of its puzzle",)
    return Puzzle(rows, cols, colours[order], (), name or "link", strict=False, notes=notes)


def _other_order(puzzle: Puzzle, parameters: dict[str, str], rows: int, cols: int, pieces: list[int] | None) -> str:
    """Return a suffix for an error message that names a `motifs_order` under which the link is valid, if any."""
    for order in MOTIFS:
        try:
            _placed(puzzle, _colours(parameters["board_edges"], order, rows, cols), pieces)
        except PuzzleError:
            continue
        return f" (the link is valid with motifs_order={order})"
    return ""


def _place(cell: int, cols: int) -> str:
    return f"row {cell // cols + 1}, column {cell % cols + 1}"
