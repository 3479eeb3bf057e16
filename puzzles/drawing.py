"""Pictures of boards as shapes and as SVG; `plots.boards` draws the same shapes with matplotlib.

Each tile is four triangles in the colours of its sides. A mismatched edge is marked by a black bar with a white rim,
which is visible on any colour; hint cells are outlined; empty cells are pale.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from html import escape

import numpy as np

from puzzles.board import Board
from puzzles.palette import EMPTY_CELL, FRAME, colour_hex
from puzzles.puzzle import Puzzle
from puzzles.tiles import EMPTY

Point = tuple[float, float]  # x to the right, y down; a cell is 1 wide
TILE_PIXELS = 40
MARGIN = 0.25  # of grey around the board, in cells
LINE, MARK, MARK_RIM, HINT = 0.025, 0.1, 0.2, 0.07  # widths, in cells
NUMBER_SIZE = 0.3
_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))  # of a cell, clockwise from the top left; side s lies between s and s + 1


@dataclass(frozen=True)
class Shapes:
    """The shapes of a picture; a cell is one unit wide."""

    rows: int
    cols: int
    triangles: dict[str, list[tuple[Point, Point, Point]]]
    """The sides of all tiles, by colour."""
    empty: list[Point]
    """Top left corners of cells without a tile."""
    mismatches: list[tuple[Point, Point]]
    """Bars along the edges that do not match."""
    hints: list[Point]
    """Top left corners of hint cells."""
    numbers: list[tuple[Point, str]]
    """Piece numbers and the positions of their centres."""


def board_shapes(board: Board, *, numbers: bool = False, hints: bool = False, mismatches: bool = True) -> Shapes:
    """Return the shapes of a board.

    Args:
        board: The board to draw.
        numbers: Whether to write each piece's number on it.
        hints: Whether to outline the cells of the puzzle's hints.
        mismatches: Whether to mark the edges that do not match.
    """
    triangles: dict[str, list[tuple[Point, Point, Point]]] = defaultdict(list)
    empty: list[Point] = []
    labels: list[tuple[Point, str]] = []
    for (row, col), cell in np.ndenumerate(board.cells):
        if cell == EMPTY:
            empty.append((col, row))
            continue
        corners = [(col + x, row + y) for x, y in _CORNERS]
        for side in range(4):
            triangle = (corners[side], corners[(side + 1) % 4], (col + 0.5, row + 0.5))
            triangles[colour_hex(int(board.sides[side, row, col]))].append(triangle)
        if numbers:
            labels.append(((col + 0.5, row + 0.5), str(cell // 4 + 1)))
    return Shapes(
        board.puzzle.rows,
        board.puzzle.cols,
        dict(triangles),
        empty,
        [_bar(one, other) for one, other in board.mismatches] if mismatches else [],
        [(hint.col, hint.row) for hint in board.puzzle.hints] if hints else [],
        labels,
    )


def board_svg(
    board: Board, *, numbers: bool = False, hints: bool = False, mismatches: bool = True, title: str | None = None
) -> str:
    """Return a board as an SVG document; the arguments are those of `board_shapes`, and a title."""
    shapes = board_shapes(board, numbers=numbers, hints=hints, mismatches=mismatches)
    width, height = shapes.cols + 2 * MARGIN, shapes.rows + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * TILE_PIXELS:g}" height="{height * TILE_PIXELS:g}" '
        f'viewBox="{-MARGIN} {-MARGIN} {width:g} {height:g}">',
        f"<title>{escape(board.title if title is None else title)}</title>",
        f'<rect x="{-MARGIN}" y="{-MARGIN}" width="{width:g}" height="{height:g}" fill="{FRAME}"/>',
        f'<g stroke="#000" stroke-width="{LINE}" stroke-linejoin="round">',
    ]
    if shapes.empty:
        parts.append(f'<path fill="{EMPTY_CELL}" d="{"".join(f"M{x} {y}h1v1h-1z" for x, y in shapes.empty)}"/>')
    for colour, triangles in shapes.triangles.items():
        outline = "".join(f"M{a:g} {b:g}L{c:g} {d:g} {e:g} {f:g}z" for (a, b), (c, d), (e, f) in triangles)
        parts.append(f'<path fill="{colour}" d="{outline}"/>')
    parts.append("</g>")
    if shapes.hints:
        outline = "".join(f"M{x} {y}h1v1h-1z" for x, y in shapes.hints)
        for colour, line in (("#fff", 2 * HINT), ("#000", HINT)):
            parts.append(f'<path fill="none" stroke="{colour}" stroke-width="{line:g}" d="{outline}"/>')
    if shapes.mismatches:
        bars = "".join(f"M{a:g} {b:g}L{c:g} {d:g}" for (a, b), (c, d) in shapes.mismatches)
        for colour, line in (("#fff", MARK_RIM), ("#000", MARK)):
            parts.append(f'<path stroke="{colour}" stroke-width="{line}" stroke-linecap="round" d="{bars}"/>')
    if shapes.numbers:
        parts.append(
            f'<g font-family="sans-serif" font-size="{NUMBER_SIZE}" font-weight="bold" text-anchor="middle" '
            f'fill="#000" stroke="#fff" stroke-width="0.08" paint-order="stroke" stroke-linejoin="round">'
        )
        parts += [f'<text x="{x:g}" y="{y:g}" dy="0.36em">{number}</text>' for (x, y), number in shapes.numbers]
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def piece_sheet(puzzle: Puzzle) -> Board:
    """Return a board that shows all pieces of a puzzle in order, unrotated. It has no meaning as a solution."""
    cells = np.arange(puzzle.size).reshape(puzzle.shape) * 4
    return Board(puzzle, cells, f"the {puzzle.size} pieces of {puzzle.name}")


def _bar(one: tuple[int, int], other: tuple[int, int]) -> tuple[Point, Point]:
    """Return a bar along the edge between two neighbouring cells (row, column), a little shorter than the edge."""
    row, col = other
    if one[0] == row:
        return (col, row + 0.2), (col, row + 0.8)
    return (col + 0.2, row), (col + 0.8, row)
