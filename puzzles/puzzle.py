"""`Puzzle`: the set of tiles, the shape of the board and the hints. Immutable, and checked when it is made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from puzzles.checks import check_colour_totals, check_frame, check_shape, checked_tiles, clean_name
from puzzles.errors import PuzzleError
from puzzles.hints import Hint, check_hints, checked_hint, rotated_hint
from puzzles.tiles import GREY, border_sides, tile_kinds

if TYPE_CHECKING:
    from puzzles.board import Board


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Puzzle:
    """An edge-matching puzzle: `rows * cols` square tiles, each side a colour, 0 being the grey frame.

    Args:
        rows: Number of rows of the board.
        cols: Number of columns of the board.
        tiles: One row per tile: the colours of its up, right, down and left side at rotation 0.
        hints: Tiles whose cell and rotation are known.
        name: A label for people; it does not take part in comparisons.
        strict: Whether to check that the tiles can fill the board: the right number of corner, border and inner
            tiles, and an even number of sides of each colour. If False, sets without a frame are allowed.
        notes: Assumptions that the reader of a file had to make.

    Raises:
        PuzzleError: The tiles or hints do not fit the board.
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
            "tiles": frozen(checked_tiles(tiles, rows, cols)),
            "hints": tuple(checked_hint(hint) for hint in hints),
            "name": clean_name(name),
            "strict": strict,
            "notes": notes,
        }
        for field, value in fields.items():
            object.__setattr__(self, field, value)
        if strict:
            check_frame(self.tiles, rows, cols)
            check_colour_totals(self.tiles)
        check_hints(self.hints, rows, cols)

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
        """The side table: `sides[side, tile * 4 + rotation]` is the colour of that side of an oriented tile."""
        table = np.empty((4, self.size, 4), dtype=np.uint8)
        for side in range(4):
            for rotation in range(4):  # r clockwise turns bring side (s - r) to side s
                table[side, :, rotation] = self.tiles[:, (side - rotation) % 4]
        return frozen(table.reshape(4, self.size * 4))

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
        """The kind of each tile: "corner", "border" or "inner"; if one cell wide also "end", "strip", "single"."""
        return tile_kinds(self.tiles)

    @property
    def framed(self) -> bool:
        """Whether the tiles have grey sides for the rim of the board."""
        return bool((self.tiles == GREY).any())

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.cols

    def rotated(self, quarter_turns: int = 1) -> Puzzle:
        """Return the same tiles on the board turned clockwise; the hints turn with it."""
        turns = quarter_turns % 4
        rows, cols = (self.rows, self.cols) if turns % 2 == 0 else (self.cols, self.rows)
        hints = [rotated_hint(hint, self.rows, self.cols, turns) for hint in self.hints]
        return Puzzle(rows, cols, self.tiles, tuple(hints), self.name, self.strict, notes=self.notes)

    def pinned_hints(self, pins: str) -> tuple[Hint, ...]:
        """Return the hints whose tiles a search must keep in place.

        Args:
            pins: Which hints: "none", "mandatory" or "all".

        Raises:
            PuzzleError: The puzzle has no such hint.
        """
        if pins == "none":
            return ()
        hints = tuple(hint for hint in self.hints if hint.mandatory or pins == "all")
        if not hints:
            raise PuzzleError(f"pins: {self.name} has no {'hints' if pins == 'all' else 'mandatory hint'} to pin")
        return hints

    def board(self, cells: ArrayLike) -> Board:
        """Return a board of this puzzle."""
        from puzzles.board import Board

        return Board(self, cells)

    def read_board(self, text: str) -> Board:
        """Read a board from the project's own JSON."""
        from puzzles.board import Board

        return Board.from_json(text)

    def to_json(self) -> str:
        """Return the puzzle in the project's own JSON."""
        from puzzles.formats.jsons import write_puzzle

        return write_puzzle(self)

    def with_hints(self, hints: Iterable[Hint]) -> Puzzle:
        """Return the same puzzle with other hints."""
        return Puzzle(self.rows, self.cols, self.tiles, tuple(hints), self.name, self.strict, notes=self.notes)

    def __eq__(self, other: object) -> bool:
        """Compare shape, tiles and hints; the name is only a label."""
        if not isinstance(other, Puzzle):
            return NotImplemented
        return self.shape == other.shape and self.hints == other.hints and bool((self.tiles == other.tiles).all())

    def __hash__(self) -> int:
        return hash((self.rows, self.cols, self.tiles.tobytes(), self.hints))

    def __repr__(self) -> str:
        colours = f"{len(self.border_colours)} border and {len(self.inner_colours)} inner colours"
        return f"<Puzzle {self.name!r} {self.rows}x{self.cols}, {colours}, {len(self.hints)} hints>"

    def __reduce__(self) -> tuple[Any, ...]:
        # A pickled numpy array is writeable again: run the constructor in the other process.
        arguments = (self.rows, self.cols, np.array(self.tiles), self.hints, self.name, self.strict)
        return partial(Puzzle, notes=self.notes), arguments


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Make an array read-only, and return it."""
    array.flags.writeable = False
    return array


def _colours(sides: NDArray[np.uint8]) -> tuple[int, ...]:
    return tuple(int(colour) for colour in np.unique(sides) if colour != GREY)
