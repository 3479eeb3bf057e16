"""Generation of puzzles with a known solution, in two styles.

- "eternity": like Eternity II. Border colours lie only between frame pieces, colours are spread as evenly as
  possible, all pieces differ (also when rotated), and no piece has rotational symmetry.
- "benoist": as in Benoist and Bourreau's experiments (section 6): every inner edge has a uniformly random colour.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from puzzles.board import Board
from puzzles.checks import check_shape
from puzzles.errors import PuzzleError
from puzzles.hints import Hint
from puzzles.puzzle import Puzzle
from puzzles.tiles import DOWN, GREY, LEFT, MAX_COLOUR, RIGHT, UP, needed_kinds

STYLES = ("eternity", "benoist")
_PATIENCE = 100  # rounds of swaps without progress before the search for distinct pieces fails

Edge = tuple[str, int, int]  # "h": below row r at column c; "v": right of column c in row r


def generate(
    rows: int,
    cols: int,
    border_colours: int,
    inner_colours: int,
    seed: int | np.random.Generator,
    *,
    style: str = "eternity",
    hints: int = 0,
    name: str | None = None,
) -> tuple[Puzzle, Board]:
    """Return a random puzzle and its known solution.

    Args:
        rows: Number of rows of the board.
        cols: Number of columns of the board.
        border_colours: Number of colours on the edges between frame pieces. In the style "eternity" they are
            1..border_colours and used nowhere else; in "benoist" frame edges draw from 1..border_colours and the
            others from 1..inner_colours, so two equal numbers K give Benoist's uniform choice in 1..K.
        inner_colours: Number of colours on the other edges.
        seed: The same seed gives the same puzzle.
        style: "eternity" or "benoist".
        hints: Number of cells of the solution, chosen at random, to give as hints.
        name: The puzzle's name; by default derived from the other arguments.

    Raises:
        PuzzleError: The numbers are out of range, or no set of distinct pieces was found.
    """
    check_shape(rows, cols)
    _check_arguments(rows * cols, border_colours, inner_colours, seed, style, hints)
    rng = np.random.default_rng(seed)  # a generator passes through
    along, inside = _edges(rows, cols)
    if style == "eternity":
        _check_enough_pieces(rows, cols, border_colours, inner_colours)
        frame = _even(len(along), border_colours, rng)
        inner = _even(len(inside), inner_colours, rng) + border_colours
    else:
        frame = rng.integers(1, border_colours + 1, len(along))
        inner = rng.integers(1, inner_colours + 1, len(inside))
    solution = np.zeros((rows, cols, 4), dtype=np.int64)
    for edge, colour in zip(along + inside, [*frame.tolist(), *inner.tolist()], strict=True):
        _paint(solution, edge, colour)
    if style == "eternity":
        _make_distinct(solution, along, inside, rng)
    label = f"{style}-{rows}x{cols}-{border_colours}-{inner_colours}" if name is None else name
    if name is None and isinstance(seed, int):
        label += f"-{seed}"
    return _scrambled(solution, label, hints, rng, by_kind=style == "eternity")


def _check_arguments(
    cells: int, border_colours: int, inner_colours: int, seed: int | np.random.Generator, style: str, hints: int
) -> None:
    if style not in STYLES:
        raise PuzzleError(f"style {style!r} is not one of {', '.join(STYLES)}")
    if border_colours < 1 or inner_colours < 1:
        raise PuzzleError(
            f"expected at least one border and one inner colour; got {border_colours} and {inner_colours}"
        )
    used = border_colours + inner_colours if style == "eternity" else max(border_colours, inner_colours)
    if used > MAX_COLOUR:
        raise PuzzleError(f"{used} colours requested; at most {MAX_COLOUR} are supported")
    if isinstance(seed, int) and seed < 0:
        raise PuzzleError(f"seed must be 0 or more; got {seed}")
    if not 0 <= hints <= cells:
        raise PuzzleError(f"hints must be 0 to {cells} on a board of {cells} cells; got {hints}")


def _check_enough_pieces(rows: int, cols: int, border_colours: int, inner_colours: int) -> None:
    """Check that these colours allow as many different pieces as the board needs."""
    b, k = border_colours, inner_colours
    possible = {
        "corner": b * b,
        "border": b * b * k,
        "inner": (k**4 - k * k) // 4,
    }  # inner pieces without the symmetric ones
    for kind, count in needed_kinds(rows, cols).items():
        if count > possible.get(kind, count):
            raise PuzzleError(
                f"a {rows}x{cols} board needs {count} different {kind} pieces; {b} border and {k} inner colours make "
                f"{possible[kind]}: use more colours, or the style 'benoist'"
            )


def _edges(rows: int, cols: int) -> tuple[list[Edge], list[Edge]]:
    """Return the inner edges of a board: those along the frame, and the others."""
    across = [("h", row, col) for row in range(rows - 1) for col in range(cols)]
    along = [edge for edge in across if edge[2] in (0, cols - 1)]
    inside = [edge for edge in across if edge[2] not in (0, cols - 1)]
    upright = [("v", row, col) for row in range(rows) for col in range(cols - 1)]
    along += [edge for edge in upright if edge[1] in (0, rows - 1)]
    inside += [edge for edge in upright if edge[1] not in (0, rows - 1)]
    return along, inside


def _even(count: int, colours: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return colours 1..colours in random order; how often any two of them occur differs by at most one."""
    return rng.permutation(np.resize(rng.permutation(colours) + 1, count))


def _ends(edge: Edge) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Return the two sides (row, column, side) that meet at an edge."""
    kind, row, col = edge
    if kind == "h":
        return (row, col, DOWN), (row + 1, col, UP)
    return (row, col, RIGHT), (row, col + 1, LEFT)


def _paint(solution: NDArray[np.int64], edge: Edge, colour: int) -> None:
    for end in _ends(edge):
        solution[end] = colour


def _canonical(tile: NDArray[np.int64]) -> tuple[int, ...]:
    """Return the lexicographically smallest rotation of a tile's colours, which is equal for equal tiles."""
    sides = tile.tolist()
    return min(tuple(sides[turn:] + sides[:turn]) for turn in range(4))


def _faults(tile: tuple[int, ...], count: Counter[tuple[int, ...]]) -> int:
    """Return the number of faults of a tile: it is symmetric, or equal to another tile."""
    return int(tile[:2] == tile[2:]) + int(count[tile] > 1)


def _make_distinct(
    solution: NDArray[np.int64], along: list[Edge], inside: list[Edge], rng: np.random.Generator
) -> None:
    """Swap colours between edges of the same kind until all tiles differ and none is symmetric.

    Swaps keep the colours evenly spread. Each step takes an edge of a faulty tile and any other edge, and keeps
    the swap unless it makes more faults.
    """
    rows, cols, _ = solution.shape
    edges_of: dict[tuple[int, int], list[tuple[Edge, list[Edge]]]] = {}
    for group in (along, inside):
        for edge in group:
            for row, col, _ in _ends(edge):
                edges_of.setdefault((row, col), []).append((edge, group))
    tile_at = {(row, col): _canonical(solution[row, col]) for row in range(rows) for col in range(cols)}
    count = Counter(tile_at.values())
    fewest, patience = len(tile_at) + 1, _PATIENCE
    while patience:
        faulty = [cell for cell, tile in tile_at.items() if _faults(tile, count) and cell in edges_of]
        patience = _PATIENCE if len(faulty) < fewest else patience - 1
        fewest = min(fewest, len(faulty))
        if not faulty:
            break
        for at in rng.permutation(len(faulty)).tolist():
            choices = edges_of[faulty[at]]
            edge, group = choices[int(rng.integers(len(choices)))]
            _try_swap(solution, edge, group[int(rng.integers(len(group)))], tile_at, count)
    if any(_faults(tile, count) for tile in tile_at.values()):
        raise PuzzleError(
            f"found no {rows}x{cols} puzzle with distinct, asymmetric pieces: use more colours, or the style 'benoist'"
        )


def _try_swap(
    solution: NDArray[np.int64],
    one: Edge,
    other: Edge,
    tile_at: dict[tuple[int, int], tuple[int, ...]],
    count: Counter[tuple[int, ...]],
) -> None:
    """Swap the colours of two edges, unless the tiles at these edges then have more faults."""
    cells = {(row, col) for edge in (one, other) for row, col, _ in _ends(edge)}
    colours = int(solution[_ends(one)[0]]), int(solution[_ends(other)[0]])

    def repaint(first: int, second: int) -> int:
        _paint(solution, one, first)
        _paint(solution, other, second)
        for cell in cells:
            count[tile_at[cell]] -= 1
            tile_at[cell] = _canonical(solution[cell])
            count[tile_at[cell]] += 1
        return sum(_faults(tile_at[cell], count) for cell in cells)

    before = sum(_faults(tile_at[cell], count) for cell in cells)
    if repaint(colours[1], colours[0]) > before:
        repaint(*colours)


def _scrambled(
    solution: NDArray[np.int64], name: str, hints: int, rng: np.random.Generator, by_kind: bool
) -> tuple[Puzzle, Board]:
    """Number the tiles in random order, rotated at random; `by_kind` puts corners first and inner tiles last."""
    rows, cols, _ = solution.shape
    flat = solution.reshape(-1, 4)
    order = rng.permutation(len(flat))
    if by_kind:
        grey = (flat == GREY).sum(axis=1)
        order = order[np.argsort(-grey[order], kind="stable")]
    rotation = rng.integers(0, 4, len(flat))  # of each tile in the solution
    shown = flat[order]
    tiles = np.stack([shown[np.arange(len(flat)), (side + rotation) % 4] for side in range(4)], axis=1)
    cells = np.empty(len(flat), dtype=np.uint16)
    cells[order] = np.arange(len(flat)) * 4 + rotation
    given = []
    for cell in rng.choice(len(flat), hints, replace=False).tolist():
        tile, turn = divmod(int(cells[cell]), 4)
        given.append(Hint(tile, cell // cols, cell % cols, turn))
    puzzle = Puzzle(rows, cols, tiles, tuple(given), name)
    return puzzle, Board(puzzle, cells.reshape(rows, cols), f"{name} solved")
