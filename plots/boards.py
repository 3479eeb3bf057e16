"""Boards drawn with matplotlib, on given axes or to a PNG or PDF file."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from plots.errors import PlotError
from plots.layout import PAD, fitted, inches_wide
from plots.style import picture_bytes, printed
from puzzles import Board
from puzzles.drawing import HINT, LINE, MARGIN, MARK, MARK_RIM, NUMBER_SIZE, Point, board_shapes
from puzzles.file_io import write_bytes
from puzzles.palette import EMPTY_CELL, FRAME

TILE_INCHES = 0.4
DPI = 160
_POINTS_PER_INCH = 72
_TITLE, _TITLE_ROOM, _TITLE_MOST = 10.0, 0.3, 6.6  # font size in points; height and maximum width in inches


def draw_board(
    board: Board, axes: Axes, *, numbers: bool = False, hints: bool = False, mismatches: bool = True
) -> None:
    """Draw a board on matplotlib axes.

    Args:
        board: The board.
        axes: The axes to draw on; their ticks and frame are switched off.
        numbers: Whether to write the number of each piece on it.
        hints: Whether to outline the cells of the puzzle's hints.
        mismatches: Whether to mark the edges that do not match.
    """
    shapes = board_shapes(board, numbers=numbers, hints=hints, mismatches=mismatches)
    axes.set(xlim=(-MARGIN, shapes.cols + MARGIN), ylim=(shapes.rows + MARGIN, -MARGIN), aspect="equal")
    axes.axis("off")
    box = axes.get_window_extent()
    cell = min(box.width / (shapes.cols + 2 * MARGIN), box.height / (shapes.rows + 2 * MARGIN))
    point = cell * _POINTS_PER_INCH / axes.get_figure(root=True).dpi  # type: ignore[union-attr]  # axes have a figure
    right, bottom = shapes.cols + MARGIN, shapes.rows + MARGIN
    frame = [(-MARGIN, -MARGIN), (right, -MARGIN), (right, bottom), (-MARGIN, bottom)]
    axes.add_collection(PolyCollection([frame], facecolors=FRAME))
    if shapes.empty:
        squares = [_square(at) for at in shapes.empty]
        axes.add_collection(PolyCollection(squares, facecolors=EMPTY_CELL, edgecolors="black", linewidths=LINE * point))
    for colour, triangles in shapes.triangles.items():
        axes.add_collection(PolyCollection(triangles, facecolors=colour, edgecolors="black", linewidths=LINE * point))
    for colour, line in (("white", 2 * HINT), ("black", HINT)):
        squares = [_square(at) for at in shapes.hints]
        axes.add_collection(PolyCollection(squares, facecolors="none", edgecolors=colour, linewidths=line * point))
    for colour, line in (("white", MARK_RIM), ("black", MARK)):
        axes.add_collection(LineCollection(shapes.mismatches, colors=colour, linewidths=line * point, capstyle="round"))
    for (x, y), number in shapes.numbers:
        effects = [withStroke(linewidth=0.08 * point, foreground="white")]
        size = NUMBER_SIZE * point
        axes.text(x, y, number, size=size, weight="bold", ha="center", va="center_baseline", path_effects=effects)


def save_board(
    board: Board,
    path: str | Path,
    *,
    numbers: bool = False,
    hints: bool = False,
    mismatches: bool = True,
    force: bool = False,
    title: str = "",
) -> Path:
    """Draw a board to a PNG or PDF file, depending on the suffix; equal boards give equal bytes.

    Args:
        board: The board.
        path: The file to write.
        numbers: Whether to write the number of each piece on it.
        hints: Whether to outline the cells of the puzzle's hints.
        mismatches: Whether to mark the edges that do not match.
        force: Whether to replace an existing file.
        title: The title above the board.

    Returns:
        The path of the file.

    Raises:
        PlotError: The suffix is neither .png nor .pdf.
        FileError: The file cannot be written, or already exists.
    """
    kind = Path(path).suffix.lower().lstrip(".")
    if kind not in ("png", "pdf"):
        raise PlotError(f"{path}: expected a .png or .pdf file; use `Board.to_svg` for SVG")
    figure = _board_figure(board, title, numbers=numbers, hints=hints, mismatches=mismatches)
    return write_bytes(Path(path), picture_bytes(figure, kind, dpi=DPI), force=force)


@printed
def _board_figure(board: Board, title: str, *, numbers: bool, hints: bool, mismatches: bool) -> Figure:
    """Draw a board with its title above it; the figure is widened if the title is wider than the board."""
    wide, high = (TILE_INCHES * (cells + 2 * MARGIN) for cells in (board.puzzle.cols, board.puzzle.rows))
    text = fitted(title, max(wide, _TITLE_MOST) - 2 * PAD, _TITLE)
    width = max(wide, inches_wide(text, _TITLE) + 2 * PAD) if text else wide
    height = high + _TITLE_ROOM if text else high
    figure = Figure(figsize=(width, height), dpi=DPI)
    axes = figure.add_axes(((width - wide) / 2 / width, 0, wide / width, high / height))
    draw_board(board, axes, numbers=numbers, hints=hints, mismatches=mismatches)
    figure.text(0.5, 1 - _TITLE_ROOM / 2 / height, text, size=_TITLE, ha="center", va="center")
    return figure


def _square(corner: Point) -> list[Point]:
    x, y = corner
    return [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
