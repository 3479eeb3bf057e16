"""The project's own JSON, which stores puzzles and boards without loss. `docs/formats.md` describes it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.checks import check_shape
from puzzles.errors import PuzzleError
from puzzles.formats.reading import shortened
from puzzles.hints import Hint
from puzzles.puzzle import Puzzle
from puzzles.tiles import EMPTY, MAX_COLOUR, MAX_TILES

PUZZLE_FORMAT = "evo-puzzle"
BOARD_FORMAT = "evo-board"
_MISSING = object()


def parse(text: str) -> dict[str, Any]:
    """Parse a JSON object whose `format` says whether it is a puzzle or a board."""
    try:
        document = json.loads(text, object_pairs_hook=_object_once)
    except json.JSONDecodeError as error:
        raise PuzzleError(f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}") from None
    except PuzzleError:
        raise
    except (ValueError, RecursionError):  # a number of thousands of digits; brackets nested thousands deep
        raise PuzzleError(
            "not valid JSON for a puzzle or board: a number is too long, or brackets are nested too deeply"
        ) from None
    if not isinstance(document, dict) or document.get("format") not in (PUZZLE_FORMAT, BOARD_FORMAT):
        raise PuzzleError(f'expected an object with "format": "{PUZZLE_FORMAT}" or "{BOARD_FORMAT}"')
    return document


def read_puzzle(document: dict[str, Any], name: str = "", strict: bool = True) -> Puzzle:
    """Read a puzzle from its JSON object.

    Args:
        document: The object.
        name: The name of a puzzle without one.
        strict: If False, the puzzle is not checked strictly even if the object says so.
    """
    _known_keys(document, ("format", "name", "rows", "cols", "strict", "tiles", "hints"))
    rows, cols = _whole(document, "rows", 1, MAX_TILES), _whole(document, "cols", 1, MAX_TILES)
    check_shape(rows, cols)
    tiles = _matrix(document, "tiles", rows * cols, 4, MAX_COLOUR)
    own_strict = document.get("strict", True)
    if not isinstance(own_strict, bool):
        raise PuzzleError(f'"strict" must be true or false; found {_shown(own_strict)}')
    hints = document.get("hints", [])
    if not isinstance(hints, list) or not all(isinstance(hint, dict) for hint in hints):
        raise PuzzleError('"hints" must be a list of objects')
    read = [_read_hint(hint, f"hint {number}: ") for number, hint in enumerate(hints, start=1)]
    return Puzzle(rows, cols, tiles, read, _name(document) or name, strict and own_strict)


def write_puzzle(puzzle: Puzzle) -> str:
    """Return a puzzle as JSON, with eight tiles per line."""
    tiles = [json.dumps(tile, separators=(",", ":")) for tile in puzzle.tiles.tolist()]
    hints = [json.dumps(_write_hint(hint)) for hint in puzzle.hints]
    parts = [f'"format": "{PUZZLE_FORMAT}"', f'"name": {json.dumps(puzzle.name)}']
    parts += [f'"rows": {puzzle.rows}', f'"cols": {puzzle.cols}', f'"strict": {json.dumps(puzzle.strict)}']
    parts.append(f'"tiles": {_listed([", ".join(tiles[at : at + 8]) for at in range(0, len(tiles), 8)])}')
    parts.append(f'"hints": {_listed(hints)}')
    return _object(parts)


def read_board(document: dict[str, Any], bundled: dict[str, Puzzle]) -> tuple[Puzzle, NDArray[np.uint16], str]:
    """Return the puzzle, the cells and the name of a board, whose JSON object names or contains its puzzle."""
    if document["format"] != BOARD_FORMAT:
        raise PuzzleError("this is a puzzle; expected a board")
    _known_keys(document, ("format", "name", "puzzle", "pieces", "rotations"))
    puzzle = _board_puzzle(document.get("puzzle", _MISSING), bundled)
    pieces = _matrix(document, "pieces", puzzle.rows, puzzle.cols, puzzle.size)
    rotations = _matrix(document, "rotations", puzzle.rows, puzzle.cols, 3)
    cells = np.where(pieces > 0, (pieces - 1) * 4 + rotations, EMPTY).astype(np.uint16)
    return puzzle, cells, _name(document)


def write_board(puzzle: Puzzle, cells: NDArray[np.uint16], name: str, bundled: dict[str, Puzzle]) -> str:
    """Return a board as JSON, with its puzzle unless that is a bundled one."""
    known = next((key for key, other in bundled.items() if other == puzzle and other.name == puzzle.name), None)
    placed = cells != EMPTY
    pieces, rotations = np.where(placed, cells // 4 + 1, 0), np.where(placed, cells % 4, 0)
    parts = [f'"format": "{BOARD_FORMAT}"', f'"name": {json.dumps(name)}']
    parts.append(f'"puzzle": {json.dumps(known) if known else write_puzzle(puzzle).rstrip()}')
    for key, matrix in (("pieces", pieces), ("rotations", rotations)):
        parts.append(f'"{key}": {_listed([json.dumps(row, separators=(",", ":")) for row in matrix.tolist()])}')
    return _object(parts)


def _object(parts: list[str]) -> str:
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def _listed(lines: list[str]) -> str:
    return "[\n  " + ",\n  ".join(lines) + "\n ]" if lines else "[]"


def _board_puzzle(value: Any, bundled: dict[str, Puzzle]) -> Puzzle:
    if isinstance(value, dict):
        return read_puzzle(value)
    if isinstance(value, str) and value in bundled:
        return bundled[value]
    raise PuzzleError(f'"puzzle" must be a puzzle object or one of {", ".join(bundled)}; found {_shown(value)}')


def _read_hint(hint: dict[str, Any], where: str) -> Hint:
    _known_keys(hint, ("piece", "row", "col", "rotation", "mandatory"), where)
    mandatory = hint.get("mandatory", False)
    if not isinstance(mandatory, bool):
        raise PuzzleError(f'{where}"mandatory" must be true or false; found {_shown(mandatory)}')
    piece, row, col = (_whole(hint, key, 1, MAX_TILES, where) - 1 for key in ("piece", "row", "col"))
    return Hint(piece, row, col, _whole(hint, "rotation", 0, 3, where), mandatory)


def _write_hint(hint: Hint) -> dict[str, int | bool]:
    places: dict[str, int | bool] = {"piece": hint.tile + 1, "row": hint.row + 1, "col": hint.col + 1}
    return places | {"rotation": hint.rotation, "mandatory": hint.mandatory}


def _object_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, whose keys must be unique."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise PuzzleError("a JSON object has the same key twice")
    return found


def _known_keys(document: dict[str, Any], keys: tuple[str, ...], where: str = "") -> None:
    for key in document:
        if key not in keys:
            raise PuzzleError(f"{where}unknown key {_shown(key)}; expected {', '.join(keys)}")


def _name(document: dict[str, Any]) -> str:
    name = document.get("name", "")
    if not isinstance(name, str):
        raise PuzzleError(f'"name" must be a string; found {_shown(name)}')
    return name


def _whole(document: dict[str, Any], key: str, low: int, high: int, where: str = "") -> int:
    value = document.get(key, _MISSING)
    if type(value) is not int or not low <= value <= high:
        raise PuzzleError(f'{where}"{key}" must be an integer within {low}..{high}; found {_shown(value)}')
    return value


def _matrix(document: dict[str, Any], key: str, rows: int, cols: int, high: int) -> NDArray[np.int64]:
    """Return a list of lists of integers, of exactly this shape, as an array."""
    matrix = document.get(key, _MISSING)
    if not isinstance(matrix, list) or len(matrix) != rows:
        found = f"{len(matrix)} rows" if isinstance(matrix, list) else _shown(matrix)
        raise PuzzleError(f'"{key}" must be a list of {rows} rows; found {found}')
    for number, row in enumerate(matrix, start=1):
        if not isinstance(row, list) or len(row) != cols:
            raise PuzzleError(f'"{key}" row {number} must be a list of {cols} numbers; found {_shown(row)}')
        for value in row:
            if type(value) is not int or not 0 <= value <= high:
                raise PuzzleError(f'"{key}" row {number}: {_shown(value)} is not an integer within 0..{high}')
    return np.array(matrix, dtype=np.int64)


def _shown(value: Any) -> str:
    return "nothing" if value is _MISSING else shortened(repr(value), 60)
