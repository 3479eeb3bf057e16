"""Piece files: the CSV table, `e2pieces.txt` in its four column orders, and Benoist's instances; and hint tables."""

from __future__ import annotations

from math import isqrt

import numpy as np
from numpy.typing import NDArray

from puzzles.errors import PuzzleError
from puzzles.formats.reading import flag, number, rows, table
from puzzles.hints import Hint
from puzzles.puzzle import Puzzle
from puzzles.tiles import MAX_COLOUR, MAX_TILES, kind_counts, needed_kinds

CSV_SIDES = ("top", "right", "bottom", "left")
COLUMN_ORDERS = {"trbl": (0, 1, 2, 3), "bltr": (2, 3, 0, 1), "tlbr": (0, 3, 2, 1), "nswe": (0, 3, 1, 2)}
"""The columns of top, right, bottom and left in a line of `e2pieces.txt`, by the name of the order."""


def read_csv(text: str, name: str, shape: tuple[int, int] | None = None, strict: bool = True) -> Puzzle:
    """Read a table `piece,top,right,bottom,left`; the shape is inferred from the frame pieces unless it is given."""
    header, lines = table(text, ("piece", *CSV_SIDES))
    _check_count(len(lines))
    tiles = np.zeros((len(lines), 4), dtype=np.int64)
    seen: dict[int, int] = {}
    for row in lines:
        values = dict(zip(header, row.tokens, strict=True))
        piece = number(values["piece"], f"line {row.line}", "piece", 1, len(lines))
        if piece in seen:
            raise PuzzleError(f"line {row.line}: piece {piece} is also on line {seen[piece]}")
        seen[piece] = row.line
        tiles[piece - 1] = [_colour(values[side], row.line) for side in CSV_SIDES]
    return _shaped(tiles, name, shape, strict, [])


def write_csv(puzzle: Puzzle) -> str:
    """Return the table `piece,top,right,bottom,left`, which cannot hold hints."""
    lines = [",".join(("piece", *CSV_SIDES))]
    lines += [f"{piece},{','.join(map(str, sides))}" for piece, sides in enumerate(puzzle.tiles.tolist(), start=1)]
    return "\n".join(lines) + "\n"


def read_e2pieces(
    text: str, name: str, order: str | None = None, shape: tuple[int, int] | None = None, strict: bool = True
) -> Puzzle:
    """Read lines of four numbers.

    Tools use different column orders; unless given, the order is inferred from the frame pieces. Corner pieces and
    colour totals distinguish `nswe` from the other three. Those differ from each other by a half turn or a reflection
    of every piece, which no check can detect; the puzzle's notes state the assumed order.
    """
    lines = rows(text.replace(",", " "))
    _check_count(len(lines))
    for row in lines:
        if len(row.tokens) != 4:
            raise PuzzleError(f"line {row.line}: expected four numbers; found {len(row.tokens)}")
    columns = np.array([[_colour(token, row.line) for token in row.tokens] for row in lines])
    fitting = [name for name, places in COLUMN_ORDERS.items() if _fits(columns[:, places], shape)]
    if order is not None:
        if order not in COLUMN_ORDERS:
            raise PuzzleError(f"column order {order!r} is not one of {', '.join(COLUMN_ORDERS)}")
        if strict and order not in fitting:
            hint = f"; {' or '.join(fitting)} would fit" if fitting else ""
            raise PuzzleError(f"the column order {order} gives a set that cannot fill a board{hint}")
        notes = []
    else:
        order = fitting[0] if fitting else "trbl"
        others = [other for other in fitting if other != order]
        also = f"; the pieces also fit {', '.join(others)}" if others else ""
        notes = [f"assumed columns in the order {order}{also}"]
    return _shaped(columns[:, COLUMN_ORDERS[order]], name, shape, strict, notes)


def write_e2pieces(puzzle: Puzzle, order: str = "trbl") -> str:
    """Return lines of four numbers, which cannot hold hints."""
    if order not in COLUMN_ORDERS:
        raise PuzzleError(f"column order {order!r} is not one of {', '.join(COLUMN_ORDERS)}")
    columns = puzzle.tiles[:, np.argsort(COLUMN_ORDERS[order])]
    return "".join(" ".join(map(str, line)) + "\n" for line in columns.tolist())


def read_benoist(text: str, name: str, strict: bool = True) -> Puzzle:
    """Read Benoist's format.

    The file has the size, the number of colours, the number of hints, `row column tile rotation` for each hint, and
    `top right bottom left` for each tile.
    """
    tokens = [(token, row.line) for row in rows(text) for token in row.tokens]
    position = 0

    def take(what: str, low: int, high: int) -> int:
        nonlocal position
        if position == len(tokens):
            raise PuzzleError(f"the file ends where {what} is expected")
        token, line = tokens[position]
        position += 1
        return number(token, f"line {line}", what, low, high)

    size = take("the size of the board", 1, isqrt(MAX_TILES))
    colours = take("the number of colours", 0, MAX_COLOUR)
    hints = []
    for _ in range(take("the number of hints", 0, size * size)):
        row, col, piece = (
            take("a hint's row", 1, size),
            take("a hint's column", 1, size),
            take("a hint's tile", 1, size**2),
        )
        hints.append(Hint(piece - 1, row - 1, col - 1, take("a hint's rotation", 0, 3)))
    tiles = [[take(f"the {side} of tile {t}", 0, colours) for side in CSV_SIDES] for t in range(1, size * size + 1)]
    if position < len(tokens):
        raise PuzzleError(f"line {tokens[position][1]}: unexpected {tokens[position][0]!r} after the last tile")
    return Puzzle(size, size, np.array(tiles), tuple(hints), name, strict)


def write_benoist(puzzle: Puzzle) -> str:
    """Return a puzzle with a square board in Benoist's format."""
    if puzzle.rows != puzzle.cols:
        raise PuzzleError(f"Benoist's format holds square boards only; this one is {puzzle.rows}x{puzzle.cols}")
    lines = [f"{puzzle.rows}", f"{int(puzzle.tiles.max())}", f"{len(puzzle.hints)}"]
    lines += [f"{hint.row + 1} {hint.col + 1} {hint.tile + 1} {hint.rotation}" for hint in puzzle.hints]
    lines += [" ".join(map(str, sides)) for sides in puzzle.tiles.tolist()]
    return "\n".join(lines) + "\n"


def read_hints(text: str, name: str) -> tuple[Hint, ...]:
    """Read a table of hints: piece, row, col, rotation (or rotation_cw), and optionally mandatory and instance.

    With an instance column, only the hints of the puzzle with this name are read.
    """
    header, lines = table(text, ("piece", "row", "col"))
    rotation = "rotation_cw" if "rotation_cw" in header else "rotation"
    if rotation not in header:
        raise PuzzleError("the header needs a column 'rotation' or 'rotation_cw'")
    hints = []
    for line in lines:
        values, where = dict(zip(header, line.tokens, strict=True)), f"line {line.line}"
        if values.get("instance", name) != name:
            continue
        piece = number(values["piece"], where, "piece", 1, MAX_TILES)
        row = number(values["row"], where, "row", 1, MAX_TILES)
        col = number(values["col"], where, "col", 1, MAX_TILES)
        turn = number(values[rotation], where, "rotation", 0, 3)
        hints.append(Hint(piece - 1, row - 1, col - 1, turn, flag(values.get("mandatory", "0"), where, "mandatory")))
    if not hints:
        raise PuzzleError(f"the table has no hints for {name!r}")
    return tuple(hints)


def _colour(token: str, line: int) -> int:
    return number(token, f"line {line}", "a colour", 0, MAX_COLOUR)


def _check_count(count: int) -> None:
    if not 1 <= count <= MAX_TILES:
        raise PuzzleError(f"found {count} pieces; expected 1 to {MAX_TILES}")


def _fits(tiles: NDArray[np.int64], shape: tuple[int, int] | None) -> bool:
    """Return whether the tiles can fill a board, by their frame pieces and colour totals."""
    try:
        _shaped(tiles, "", shape, strict=True, notes=[])
    except PuzzleError:
        return False
    return True


def _frame_shape(tiles: NDArray[np.int64]) -> tuple[int, int] | None:
    """Return the shape, unique up to a quarter turn, that needs just these corner, border and inner tiles."""
    found = kind_counts(tiles)
    for low in range(1, isqrt(len(tiles)) + 1):
        if len(tiles) % low == 0 and needed_kinds(low, len(tiles) // low) == found:
            return low, len(tiles) // low
    return None


def _shaped(
    tiles: NDArray[np.int64], name: str, shape: tuple[int, int] | None, strict: bool, notes: list[str]
) -> Puzzle:
    if shape is None:
        side = isqrt(len(tiles))
        shape = _frame_shape(tiles) or ((side, side) if side * side == len(tiles) else None)
        if shape is None:
            raise PuzzleError(
                f"{len(tiles)} pieces do not fill a square board, and no other shape can be inferred: specify the size"
            )
        if shape[0] != shape[1]:
            notes = [*notes, f"assumed {shape[0]} rows and {shape[1]} columns"]
    return Puzzle(*shape, tiles, (), name, strict, notes=tuple(notes))
