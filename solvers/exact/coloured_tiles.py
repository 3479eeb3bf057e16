"""What every enumerator knows of a puzzle: tiles by kind and by colours, and the colours that each cell must show.

A *solution* is a coloured board: which colours every cell shows. Identical tiles are interchangeable, and a tile that
looks the same after a half turn does not count twice. So a solution stands for several *labelled* boards, which say for
each cell which tile lies there and how it is turned; `ColouredTiles.labelled_per_solution` is how many. A pinned tile
is a constraint on colours like any other: a coloured board that shows the colours of the pins can be labelled so that
every pinned tile lies in its cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import factorial

import numpy as np
from numpy.typing import NDArray

from puzzles import DOWN, GREY, LEFT, RIGHT, UP, Hint, Puzzle
from puzzles.tiles import border_sides, kind_counts, needed_kinds, tile_kinds
from solvers.errors import SolverError

FREE, ANY = -1, -2
"""What a side must show: anything, on the rim of a board without a frame; or a colour that is not known yet."""
MOST = 64
"""The largest number of tiles of one kind, and of colours of one zone: their sets are 64-bit words."""
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""Row and column from a cell to its neighbour at each side."""


class ColouredTiles:
    """The tiles of a puzzle in groups, one a kind of tile; cells belong to the group whose tiles they can hold.

    Args:
        puzzle: The puzzle.
        pins: Hints to keep in place.

    Attributes:
        groups: The tiles of each group, in ascending order.
        group_of_cell: The group of each cell.
        classes: The class of each tile: the lowest tile with the same colours in the same order.
        turns: The number of rotations of each tile that look different: 4, 2 or 1.
        wanted: Per cell and side, the colour that it must show: grey on the rim, a pin's colour, `ANY` or `FREE`.
        near: Per cell and side, the neighbour; -1 on the rim.
        along: Per cell and side, whether the edge lies along the frame, between two frame tiles.
        zones: The colours of the other edges, and those of the edges along the frame.
    """

    def __init__(self, puzzle: Puzzle, pins: Iterable[Hint] = ()) -> None:
        self.puzzle, self.pins = puzzle, tuple(pins)
        kinds = tile_kinds(puzzle.tiles) if puzzle.framed else ("inner",) * puzzle.size
        rims = self._rims()
        of_cell = tile_kinds(~rims) if puzzle.framed else kinds  # a side on the rim is grey: 0
        names = sorted(set(of_cell))
        self.groups = [[tile for tile, kind in enumerate(kinds) if kind == name] for name in names]
        self.group_of_cell = np.array([names.index(kind) for kind in of_cell])
        self.can_frame = not puzzle.framed or kind_counts(puzzle.tiles) == needed_kinds(*puzzle.shape)
        self.classes, self.turns = _classes(puzzle)
        self.near = self._neighbours()
        self.along = self._along(rims)
        self.wanted = self._wanted(rims)
        marked = border_sides(puzzle.tiles) & puzzle.framed
        inner, border = puzzle.tiles[~marked], puzzle.tiles[marked]
        self.zones = tuple([int(colour) for colour in np.unique(sides) if colour != GREY] for sides in (inner, border))

    def check_small(self, engine: str) -> None:
        """Refuse a puzzle with more tiles of a kind, or more colours, than a 64-bit set can hold.

        Raises:
            SolverError: It has; the message names the engine.
        """
        tiles, colours = max(map(len, self.groups)), max(map(len, self.zones))
        if tiles > MOST:
            raise SolverError(
                f"{engine} can handle {MOST} pieces of a kind, as on 10x10; this puzzle has {tiles}: use colour pairs"
            )
        if colours > MOST:
            raise SolverError(f"{engine} can handle {MOST} colours; this puzzle has {colours}: use colour pairs")

    @property
    def labelled_per_solution(self) -> int:
        """The number of labelled boards, with the pins in place, that one coloured board stands for."""
        free = sorted(set(range(self.puzzle.size)) - {pin.tile for pin in self.pins})
        _, counts = np.unique(self.classes[free], return_counts=True)
        found = 1
        for count in counts.tolist():
            found *= factorial(count)
        for tile in free:
            found *= 4 // int(self.turns[tile])
        return found

    def ordered_groups(self, tried: NDArray[np.int32]) -> list[list[int]]:
        """Return the tiles of each group in the order in which they are tried."""
        return [[tile for tile in tried.tolist() if tile in set(group)] for group in self.groups]

    def values(self, cell: int) -> list[int]:
        """Return the oriented tiles that may lie in a cell; of rotations that look the same, only the first."""
        sides = self.puzzle.sides
        members = self.groups[self.group_of_cell[cell]]
        values = (value for tile in members for value in range(4 * tile, 4 * tile + int(self.turns[tile])))
        wanted = self.wanted[cell].tolist()
        return [v for v in values if all(_shows(int(sides[side, v]), wanted[side]) for side in range(4))]

    def labelled(self, cells: NDArray[np.uint16]) -> NDArray[np.uint16]:
        """Return a board with the same colours in its standard labelling, which is the same for every engine.

        The pins are in place, identical tiles lie in ascending order, and of rotations that look the same the first is
        used.
        """
        sides, board = self.puzzle.sides, cells.astype(np.uint16)
        pinned = {pin.row * self.puzzle.cols + pin.col: 4 * pin.tile + pin.rotation for pin in self.pins}
        taken = {value >> 2 for value in pinned.values()}
        left: dict[int, list[int]] = {}
        for tile in range(self.puzzle.size - 1, -1, -1):
            if tile not in taken:
                left.setdefault(int(self.classes[tile]), []).append(tile)
        for cell, value in enumerate(cells.tolist()):
            if cell in pinned:
                board[cell] = pinned[cell]
                continue
            tile = left[int(self.classes[value >> 2])].pop()
            shown = sides[:, value]
            board[cell] = next(v for v in range(4 * tile, 4 * tile + 4) if (sides[:, v] == shown).all())
        return board

    def _rims(self) -> NDArray[np.bool_]:
        rims = np.zeros((*self.puzzle.shape, 4), dtype=np.bool_)
        rims[0, :, UP] = rims[:, -1, RIGHT] = rims[-1, :, DOWN] = rims[:, 0, LEFT] = True
        return rims.reshape(-1, 4)

    def _neighbours(self) -> NDArray[np.int64]:
        rows, cols = self.puzzle.shape
        near = np.full((rows * cols, 4), -1, dtype=np.int64)
        for cell in range(rows * cols):
            for side, (down, right) in enumerate(STEPS):
                row, col = cell // cols + down, cell % cols + right
                if 0 <= row < rows and 0 <= col < cols:
                    near[cell, side] = row * cols + col
        return near

    def _along(self, rims: NDArray[np.bool_]) -> NDArray[np.bool_]:
        beside = np.roll(rims, 1, axis=1) | np.roll(rims, -1, axis=1)
        along: NDArray[np.bool_] = ~rims & beside & self.puzzle.framed
        return along

    def _wanted(self, rims: NDArray[np.bool_]) -> NDArray[np.int64]:
        wanted = np.where(rims, GREY if self.puzzle.framed else FREE, ANY)
        for pin in self.pins:
            cell = pin.row * self.puzzle.cols + pin.col
            for side in range(4):
                colour = int(self.puzzle.sides[side, 4 * pin.tile + pin.rotation])
                wanted[cell, side] = _agreed(int(wanted[cell, side]), colour)
                near = int(self.near[cell, side])
                if near >= 0:
                    opposite = (side + 2) % 4
                    wanted[near, opposite] = _agreed(int(wanted[near, opposite]), colour)
        return wanted


_NEVER = -3
"""A side that two pins want in different colours."""


def _agreed(wanted: int, colour: int) -> int:
    """Return what a side must show if it must also show a colour."""
    if wanted == FREE or (wanted == ANY and colour != GREY):
        return colour
    return colour if wanted == colour else _NEVER


def _shows(colour: int, wanted: int) -> bool:
    return wanted == FREE or colour == wanted or (wanted == ANY and colour != GREY)


def _classes(puzzle: Puzzle) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the class of each tile, and its number of different rotations."""
    first: dict[tuple[int, ...], int] = {}
    classes, turns = [], []
    for number, tile in enumerate(puzzle.tiles.tolist()):
        rotated = [tuple(tile[turn:] + tile[:turn]) for turn in range(4)]
        classes.append(first.setdefault(min(rotated), number))
        turns.append(len(set(rotated)))
    return np.array(classes), np.array(turns)
