"""A beam search as one would write it in plain Python and numpy: what the compiled one is held against."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import EMPTY, GREY, Hint, Puzzle
from puzzles.tiles import kind_counts, needed_kinds
from solvers.construct.beam import BeamOptions
from solvers.construct.beam_levels import BINS, FINENESS, SPARE

_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


class _Partial(NamedTuple):
    """A board that is not full yet."""

    cells: NDArray[np.uint16]
    left: NDArray[np.int64]
    mismatches: int
    gathered: np.float32


def plain_beam(
    puzzle: Puzzle, options: BeamOptions, path: Sequence[int], pins: Sequence[Hint], widths: Sequence[int]
) -> tuple[NDArray[np.uint16], int]:
    """A board and its mismatches; there is no noise."""
    start = np.full(puzzle.shape, EMPTY, dtype=np.uint16)
    for hint in pins:
        start[hint.row, hint.col] = hint.tile * 4 + hint.rotation
    free = np.setdiff1d(np.arange(puzzle.size), [hint.tile for hint in pins])
    left = np.bincount(puzzle.tiles[free].ravel(), minlength=256)
    states = [_Partial(start, left, _mismatches(puzzle, start), np.float32(0))]
    steps = [cell for cell in path if start.ravel()[cell] == EMPTY]
    for step, (cell, width) in enumerate(zip(steps, widths, strict=True)):
        following = steps[step + 1] if step + 1 < len(steps) else None
        states = _level(puzzle, options, states, divmod(cell, puzzle.cols), following, width, _is_framed(puzzle, start))
    best = min(range(len(states)), key=lambda one: states[one].mismatches)
    return states[best].cells, states[best].mismatches


def _level(
    puzzle: Puzzle,
    options: BeamOptions,
    states: list[_Partial],
    place: tuple[int, int],
    following: int | None,
    width: int,
    framed: bool,
) -> list[_Partial]:
    costs = np.array([np.float32(one.mismatches - options.concentration * float(one.gathered)) for one in states])
    children = []
    for at, state in enumerate(states):
        known = _known(puzzle, state.cells, place)
        kept = [which for count in range(len(known), -1, -1) for which in combinations(sorted(known), count)]
        for code in _free(puzzle, state.cells, place, framed):
            matched = tuple(side for side in sorted(known) if puzzle.sides[side, code] == known[side] != GREY)
            misses = len(known) - len(matched)
            lost = _lost(puzzle, options, state.left, code)
            key = float(costs[at] - costs.min()) + misses + options.concentration * float(lost)
            child = state.cells.copy()
            child[place] = code
            key += _outlook(puzzle, options, child, following, framed)
            children.append((int(key * FINENESS), kept.index(matched), at, int(code), misses, lost, child))
    children = [child for child in children if child[0] < BINS]
    children.sort(key=lambda child: child[:4])
    enough = int(SPARE * width) + 10
    bound = children[enough - 1][0] if len(children) >= enough else BINS
    seen = set()
    found: list[_Partial] = []
    for bin_, _, at, code, misses, lost, cells in children:
        sign = (tuple(np.sort(cells[cells != EMPTY] // 4)), _frontier(puzzle, cells))
        if bin_ > bound or sign in seen or len(found) == width:
            continue
        seen.add(sign)
        left = states[at].left - np.bincount(puzzle.sides[:, code], minlength=256)
        found.append(_Partial(cells, left, states[at].mismatches + misses, states[at].gathered - lost))
    return found


def _known(puzzle: Puzzle, cells: NDArray[np.uint16], place: tuple[int, int]) -> dict[int, int]:
    """The colours that a cell's filled neighbours show it, by side."""
    known = {}
    for side, (down, right) in enumerate(_STEPS):
        row, col = place[0] + down, place[1] + right
        if 0 <= row < puzzle.rows and 0 <= col < puzzle.cols and cells[row, col] != EMPTY:
            known[side] = int(puzzle.sides[(side + 2) % 4, cells[row, col]])
    return known


def _free(puzzle: Puzzle, cells: NDArray[np.uint16], place: tuple[int, int], framed: bool) -> NDArray[np.int64]:
    """The oriented tiles that may lie in a cell."""
    tiles = np.setdiff1d(np.arange(puzzle.size), cells[cells != EMPTY] // 4)
    codes = (tiles[:, None] * 4 + np.arange(4)).ravel()
    if not framed:
        return codes
    row, col = place
    rim = np.array([row == 0, col == puzzle.cols - 1, row == puzzle.rows - 1, col == 0])
    may: NDArray[np.bool_] = ((puzzle.sides[:, codes] == GREY) == rim[:, None]).all(axis=0)
    return codes[may]


def _is_framed(puzzle: Puzzle, start: NDArray[np.uint16]) -> bool:
    if needed_kinds(*puzzle.shape) != kind_counts(puzzle.tiles):
        return False
    for row, col in np.argwhere(start != EMPTY).tolist():
        rim = [row == 0, col == puzzle.cols - 1, row == puzzle.rows - 1, col == 0]
        if ((puzzle.sides[:, start[row, col]] == GREY) != rim).any():
            return False
    return True


def _lost(puzzle: Puzzle, options: BeamOptions, left: NDArray[np.int64], code: int) -> np.float32:
    """By how much the concentration of the colours that are left falls with a tile."""
    lost, counts = np.float32(0), left.copy()
    for colour in puzzle.sides[:, code].tolist():
        if colour != GREY:
            weight = options.border if colour in puzzle.border_colours else 1.0
            one = np.float32(counts[colour] ** options.exponent / 100 - (counts[colour] - 1) ** options.exponent / 100)
            lost += np.float32(one * np.float32(weight))
        counts[colour] -= 1
    return lost


def _outlook(
    puzzle: Puzzle, options: BeamOptions, cells: NDArray[np.uint16], following: int | None, framed: bool
) -> float:
    if following is None:
        return 0.0
    place = divmod(following, puzzle.cols)
    known = _known(puzzle, cells, place)
    codes = _free(puzzle, cells, place, framed)
    fitting = sum(all(puzzle.sides[side, code] == known[side] != GREY for side in known) for code in codes)
    return options.none_fits if fitting == 0 else options.one_fits if fitting == 1 else 0.0


def _frontier(puzzle: Puzzle, cells: NDArray[np.uint16]) -> tuple[tuple[int, int, int], ...]:
    """The colours that filled cells show empty ones."""
    shown = []
    for cell in np.flatnonzero(cells == EMPTY).tolist():
        known = _known(puzzle, cells, divmod(cell, puzzle.cols))
        shown += [(cell, side, colour) for side, colour in known.items()]
    return tuple(shown)


def _mismatches(puzzle: Puzzle, cells: NDArray[np.uint16]) -> int:
    """The edges between filled cells that do not match."""
    found = 0
    for row, col in np.argwhere(cells != EMPTY).tolist():
        for side, colour in _known(puzzle, cells, (row, col)).items():
            found += side in (1, 2) and not puzzle.sides[side, cells[row, col]] == colour != GREY
    return found
