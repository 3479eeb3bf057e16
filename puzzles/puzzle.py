"""`Puzzle`: the set of tiles, the shape of the board and the hints. Immutable, checked when it is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from operator import index
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from puzzles.errors import PuzzleError

GREY = 0
"""The colour of the frame. It never scores."""
EMPTY = 65535
"""The content of a cell without a tile."""
UP, RIGHT, DOWN, LEFT = range(4)
"""The sides of a tile, clockwise."""
MAX_TILES = EMPTY // 4
"""A cell holds `tile * 4 + rotation` in 16 bits, and one value means empty."""
MAX_COLOUR = 250
"""Colours fit a byte, with a few values left for the scoring kernel's own marks."""
MAX_NAME = 200
"""Longer names are cut."""

_GREY_PATTERNS = {0b0000: "inner", 0b0001: "border", 0b0011: "corner", 0b0101: "strip", 0b0111: "end", 0b1111: "single"}


class Hint(NamedTuple):
    """A tile whose cell and rotation are known beforehand. All numbers count from 0."""

    tile: int
    row: int
    col: int
    rotation: int
    mandatory: bool = False


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Puzzle:
    """An edge-matching puzzle: `rows * cols` square tiles, each side a colour, 0 being the grey frame.

    Args:
        rows: Number of rows of the board.
        cols: Number of columns of the board.
        tiles: One row per tile: the colours of its up, right, down and left side at rotation 0.
        hints: Tiles whose place is known.
        name: What people call it.
        strict: Whether the tiles must be able to fill the board: the right number of corner, border and inner
            tiles, and an even number of sides of each colour. Without it, sets without a frame are allowed.
        notes: What the reader of a file had to assume.

    Raises:
        PuzzleError: The tiles or hints cannot belong to such a board.
    """

    rows: int
    cols: int
    tiles: NDArray[np.uint8]
    hints: tuple[Hint, ...]
    name: str
    strict: bool
    notes: tuple[str, ...]

    def __init__(
        self,
        rows: int,
        cols: int,
        tiles: ArrayLike,
        hints: Iterable[Hint] = (),
        name: str = "puzzle",
        strict: bool = True,
        *,
        notes: tuple[str, ...] = (),
    ) -> None:
        check_shape(rows, cols)
        fields = {
            "rows": rows,
            "cols": cols,
            "tiles": _checked_tiles(tiles, rows, cols),
            "hints": tuple(_checked_hint(hint) for hint in hints),
            "name": clean_name(name),
            "strict": strict,
            "notes": notes,
        }
        for field, value in fields.items():
            object.__setattr__(self, field, value)
        if strict:
            _check_frame(self.tiles, rows, cols)
            _check_colour_totals(self.tiles)
        _check_hints(self.hints, rows, cols)

    @property
    def size(self) -> int:
        """Number of cells, and of tiles."""
        return self.rows * self.cols

    @property
    def max_score(self) -> int:
        """Number of inner edges: the score of a solved board (2n(n-1) on a square board)."""
        return 2 * self.size - self.rows - self.cols

    @property
    def max_blocks(self) -> int:
        """Number of 2x2 blocks: the largest second objective."""
        return (self.rows - 1) * (self.cols - 1)

    @cached_property
    def sides(self) -> NDArray[np.uint8]:
        """The per-rotation side table: `sides[side, tile * 4 + rotation]` is a colour."""
        table = np.empty((4, self.size, 4), dtype=np.uint8)
        for side in range(4):
            for rotation in range(4):  # r clockwise turns bring side (s - r) to side s
                table[side, :, rotation] = self.tiles[:, (side - rotation) % 4]
        return _frozen(table.reshape(4, self.size * 4))

    @cached_property
    def border_colours(self) -> tuple[int, ...]:
        """The colours found between frame tiles, that is, next to a grey side."""
        return _colours(self.tiles[border_sides(self.tiles)])

    @cached_property
    def inner_colours(self) -> tuple[int, ...]:
        """The colours found on all other sides."""
        return _colours(self.tiles[~border_sides(self.tiles)])

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """What each tile is: "corner", "border" or "inner" (on boards one cell wide also "end", "strip", "single")."""
        return _kind_names(self.tiles == GREY)

    @property
    def framed(self) -> bool:
        """Whether the tiles have grey sides for the rim of the board."""
        return bool((self.tiles == GREY).any())

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.cols

    def rotated(self, quarter_turns: int = 1) -> Puzzle:
        """The same tiles on the board turned clockwise; the hints turn with it."""
        turns = quarter_turns % 4
        rows, cols = (self.rows, self.cols) if turns % 2 == 0 else (self.cols, self.rows)
        hints = [_rotated_hint(hint, self.rows, self.cols, turns) for hint in self.hints]
        return Puzzle(rows, cols, self.tiles, tuple(hints), self.name, self.strict, notes=self.notes)

    def pinned_hints(self, pins: str) -> tuple[Hint, ...]:
        """Return the hints that are to stay in their cells.

        Args:
            pins: Which of them: "none", "mandatory" or "all".

        Raises:
            PuzzleError: The puzzle has no such hint.
        """
        if pins == "none":
            return ()
        hints = tuple(hint for hint in self.hints if hint.mandatory or pins == "all")
        if not hints:
            raise PuzzleError(f"pins: {self.name} has no {'hints' if pins == 'all' else 'mandatory hint'} to pin")
        return hints

    def with_hints(self, hints: Iterable[Hint]) -> Puzzle:
        """The same puzzle with other hints."""
        return Puzzle(self.rows, self.cols, self.tiles, tuple(hints), self.name, self.strict, notes=self.notes)

    def __eq__(self, other: object) -> bool:
        """Equal shape, tiles and hints; the name is only a label."""
        if not isinstance(other, Puzzle):
            return NotImplemented
        return self.shape == other.shape and self.hints == other.hints and bool((self.tiles == other.tiles).all())

    def __hash__(self) -> int:
        return hash((self.rows, self.cols, self.tiles.tobytes(), self.hints))

    def __repr__(self) -> str:
        colours = f"{len(self.border_colours)} border and {len(self.inner_colours)} inner colours"
        return f"<Puzzle {self.name!r} {self.rows}x{self.cols}, {colours}, {len(self.hints)} hints>"

    def __reduce__(self) -> tuple[Any, ...]:
        # numpy forgets that an array is read-only when it is copied to another process: build anew there.
        arguments = (self.rows, self.cols, np.array(self.tiles), self.hints, self.name, self.strict)
        return partial(Puzzle, notes=self.notes), arguments


def clean_name(name: str) -> str:
    """A name without what cannot be printed, and not too long: it goes into files, links, pictures and terminals."""
    return "".join(char for char in name if char.isprintable())[:MAX_NAME]


def check_shape(rows: int, cols: int) -> None:
    """Refuse a board without cells or too large for 16-bit cells."""
    if rows < 1 or cols < 1:
        raise PuzzleError(f"a board of {rows} rows and {cols} columns has no cells")
    if rows * cols > MAX_TILES:
        raise PuzzleError(f"a board of {rows}x{cols} has {rows * cols} cells; at most {MAX_TILES} are supported")


def border_sides(tiles: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Marks the coloured sides next to a grey side of the same tile: those that lie along the frame."""
    grey = tiles == GREY
    marked: NDArray[np.bool_] = ~grey & (np.roll(grey, 1, axis=1) | np.roll(grey, -1, axis=1))
    return marked


def kind_counts(tiles: ArrayLike) -> Counter[str]:
    """How many tiles of each kind there are, by their grey sides."""
    return _count_kinds(np.asarray(tiles) == GREY)


def needed_kinds(rows: int, cols: int) -> Counter[str]:
    """How many tiles of each kind a board of this shape needs."""
    outward = np.zeros((rows, cols, 4), dtype=np.bool_)
    outward[0, :, UP] = outward[:, -1, RIGHT] = outward[-1, :, DOWN] = outward[:, 0, LEFT] = True
    return _count_kinds(outward.reshape(-1, 4))


def frozen_cells(cells: ArrayLike) -> NDArray[np.uint16]:
    """A read-only uint16 copy."""
    return _frozen(np.array(cells, dtype=np.uint16, order="C"))


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


def _colours(sides: NDArray[np.uint8]) -> tuple[int, ...]:
    return tuple(int(colour) for colour in np.unique(sides) if colour != GREY)


def _patterns(grey: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Which sides are grey, as four bits, turned so that the number is smallest."""
    bits = grey @ np.array([1, 2, 4, 8])
    turns = [(bits << turn | bits >> (4 - turn)) & 0b1111 for turn in range(4)]
    smallest: NDArray[np.int64] = np.min(turns, axis=0)
    return smallest


def _kind_names(grey: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(_GREY_PATTERNS[pattern] for pattern in _patterns(grey).tolist())


def _count_kinds(grey: NDArray[np.bool_]) -> Counter[str]:
    patterns, counts = np.unique(_patterns(grey), return_counts=True)
    return Counter({_GREY_PATTERNS[int(p)]: int(count) for p, count in zip(patterns, counts, strict=True)})


def whole_numbers(values: ArrayLike, what: str) -> NDArray[Any]:
    """The values as an array of whole numbers."""
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        raise PuzzleError(f"{what} must be a matrix") from None
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise PuzzleError(f"{what} must be whole numbers; got {array.dtype}")
    return array


def _checked_hint(hint: Hint) -> Hint:
    try:
        tile, row, col, rotation = (index(part) for part in hint[:4])
    except (TypeError, ValueError):
        raise PuzzleError(f"a hint is a tile, a row, a column and a rotation, all whole numbers; got {hint}") from None
    return Hint(tile, row, col, rotation, bool(hint[4]) if len(hint) > 4 else False)


def _checked_tiles(tiles: ArrayLike, rows: int, cols: int) -> NDArray[np.uint8]:
    array = whole_numbers(tiles, "side colours")
    if array.ndim != 2 or array.shape[1] != 4:
        raise PuzzleError(f"tiles must be rows of four side colours; got an array of shape {array.shape}")
    if len(array) != rows * cols:
        raise PuzzleError(f"a board of {rows}x{cols} needs {rows * cols} tiles; got {len(array)}")
    wrong = np.argwhere((array < 0) | (array > MAX_COLOUR))
    if len(wrong):
        tile, side = wrong[0]
        raise PuzzleError(f"piece {tile + 1}: colour {array[tile, side]} is not within 0..{MAX_COLOUR}")
    return _frozen(array.astype(np.uint8, order="C"))


def _check_frame(tiles: NDArray[np.uint8], rows: int, cols: int) -> None:
    needed, found = needed_kinds(rows, cols), kind_counts(tiles)
    if needed == found:
        return
    message = f"a board of {rows}x{cols} needs {_listed(needed)} pieces; this set has {_listed(found)}"
    misfit = next((tile for tile, kind in enumerate(_kind_names(tiles == GREY)) if kind not in needed), None)
    if misfit is not None:
        message += f" (piece {misfit + 1}, with the colours {_sides(tiles[misfit])}, fits no cell)"
    raise PuzzleError(message)


def _listed(kinds: Counter[str]) -> str:
    return ", ".join(f"{kinds[kind]} {kind}" for kind in _GREY_PATTERNS.values() if kinds[kind])


def _sides(tile: NDArray[np.uint8]) -> str:
    return ", ".join(str(colour) for colour in tile.tolist())


def _check_colour_totals(tiles: NDArray[np.uint8]) -> None:
    along_frame = border_sides(tiles)
    for zone, marked in (("border", along_frame), ("inner", ~along_frame & (tiles != GREY))):
        totals = np.bincount(tiles[marked], minlength=1)
        for colour in np.flatnonzero(totals % 2):
            pieces = np.flatnonzero(((tiles == colour) & marked).any(axis=1)) + 1
            listed = ", ".join(str(piece) for piece in pieces[:6]) + (", ..." if len(pieces) > 6 else "")
            raise PuzzleError(
                f"colour {colour} is on {totals[colour]} {zone} sides (pieces {listed}); an odd number cannot pair up"
            )


def _check_hints(hints: tuple[Hint, ...], rows: int, cols: int) -> None:
    for number, (tile, row, col, rotation, _) in enumerate(hints, start=1):
        if not 0 <= tile < rows * cols:
            raise PuzzleError(f"hint {number}: there is no piece {tile + 1} among {rows * cols}")
        if not (0 <= row < rows and 0 <= col < cols):
            raise PuzzleError(f"hint {number}: row {row + 1}, column {col + 1} is outside a {rows}x{cols} board")
        if not 0 <= rotation < 4:
            raise PuzzleError(f"hint {number}: rotation {rotation} is not one of 0, 1, 2, 3")
    if len({hint.tile for hint in hints}) < len(hints):
        raise PuzzleError("two hints place the same piece")
    if len({(hint.row, hint.col) for hint in hints}) < len(hints):
        raise PuzzleError("two hints take the same cell")


def _rotated_hint(hint: Hint, rows: int, cols: int, turns: int) -> Hint:
    tile, row, col, rotation, mandatory = hint
    for _ in range(turns):
        row, col = col, rows - 1 - row
        rows, cols = cols, rows
    return Hint(tile, row, col, (rotation + turns) % 4, mandatory)
