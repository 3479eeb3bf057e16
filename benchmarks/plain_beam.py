"""A beam search as one would write it in plain Python and numpy: what the compiled one is held against."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import exp, lgamma, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles import EMPTY, GREY, Hint, Puzzle
from puzzles.tiles import kind_counts, needed_kinds
from solvers.construct.beam import BeamOptions
from solvers.construct.beam_levels import BINS, FINENESS, LOWEST, SPARE
from solvers.construct.late_part import REACH

_STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
_NOTHING = 255
"""A colour that no tile has."""


class _Partial(NamedTuple):
    """A board that is not full yet."""

    cells: NDArray[np.uint16]
    left: NDArray[np.int64]
    mismatches: int
    gathered: np.float32
    across: np.float32


class _Chains(NamedTuple):
    """The chains of a step: straight lines of empty cells, each given by its direction and its cells."""

    along: tuple[int, list[tuple[int, int]]] | None
    across: tuple[int, list[tuple[int, int]]] | None


def plain_beam(
    puzzle: Puzzle, options: BeamOptions, path: Sequence[int], pins: Sequence[Hint], widths: Sequence[int]
) -> tuple[NDArray[np.uint16], int]:
    """A board and its mismatches; there is no noise."""
    start = np.full(puzzle.shape, EMPTY, dtype=np.uint16)
    for hint in pins:
        start[hint.row, hint.col] = hint.tile * 4 + hint.rotation
    free = np.setdiff1d(np.arange(puzzle.size), [hint.tile for hint in pins])
    left = np.bincount(puzzle.tiles[free].ravel(), minlength=256)
    states = [_Partial(start, left, _mismatches(puzzle, start), np.float32(0), np.float32(0))]
    steps = [cell for cell in path if start.ravel()[cell] == EMPTY]
    late = path[max(0, puzzle.size - int(options.late_rows * puzzle.cols)) :]
    waiting = None  # the first cell of the last chain across
    for step, (cell, width) in enumerate(zip(steps, widths, strict=True)):
        place = divmod(cell, puzzle.cols)
        following = steps[step + 1] if step + 1 < len(steps) else None
        chains = _chains(puzzle, states[0].cells, place, following) if cell in late else None
        if waiting == place or (chains and chains.across):
            states = [one._replace(across=np.float32(0)) for one in states]
        if chains and chains.across:
            waiting = chains.across[1][0]
        states = _level(puzzle, options, states, place, following, chains, width, _is_framed(puzzle, start))
    best = min(range(len(states)), key=lambda one: states[one].mismatches)
    return states[best].cells, states[best].mismatches


def _level(
    puzzle: Puzzle,
    options: BeamOptions,
    states: list[_Partial],
    place: tuple[int, int],
    following: int | None,
    chains: _Chains | None,
    width: int,
    framed: bool,
) -> list[_Partial]:
    counts = chains is not None and options.completions > 0
    costs = np.array([np.float32(_cost(puzzle, options, one, counts)) for one in states])
    children = []
    for at, state in enumerate(states):
        known = _known(puzzle, state.cells, place)
        ways = _chain_ways(puzzle, options, state.cells, chains, framed)
        kept = [which for count in range(len(known), -1, -1) for which in combinations(sorted(known), count)]
        for code in _free(puzzle, state.cells, place, framed):
            matched = tuple(side for side in sorted(known) if puzzle.sides[side, code] == known[side] != GREY)
            misses = len(known) - len(matched)
            lost = _lost(puzzle, options, state.left, code)
            child = state.cells.copy()
            child[place] = code
            key = float(costs[at] - costs.min()) + misses
            if counts:
                lost = np.float32(0)
                key += options.completions * (_completions(puzzle, state.cells) - _completions(puzzle, child))
            key += options.concentration * float(lost)
            across = state.across
            for kind, (side, by_colour) in ways.items():
                value = log(by_colour[_shown(int(puzzle.sides[side, code]))])
                across = np.float32(value) if kind == "across" else across
                key -= options.along * value if kind == "along" else options.across * float(across)
            key += _outlook(puzzle, options, child, following, framed)
            bin_ = int(min(max((key - LOWEST) * FINENESS + 0.5, 0), BINS - 1))
            children.append((bin_, kept.index(matched), at, int(code), misses, lost, across, child))
    children.sort(key=lambda child: child[:4])
    enough = int(SPARE * width) + 10
    bound = children[enough - 1][0] if len(children) >= enough else BINS
    seen = set()
    found: list[_Partial] = []
    for bin_, _, at, code, misses, lost, across, cells in children:
        sign = (tuple(np.sort(cells[cells != EMPTY] // 4)), _frontier(puzzle, cells))
        if bin_ > bound or sign in seen or len(found) == width:
            continue
        seen.add(sign)
        left = states[at].left - np.bincount(puzzle.sides[:, code], minlength=256)
        found.append(_Partial(cells, left, states[at].mismatches + misses, states[at].gathered - lost, across))
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


def _cost(puzzle: Puzzle, options: BeamOptions, state: _Partial, counts: bool) -> float:
    """The cost of a state; the value of a chain across counts until its first cell is filled."""
    cost = float(state.mismatches)
    if counts:
        cost -= options.completions * _completions(puzzle, state.cells)
    else:
        cost -= options.concentration * float(state.gathered)
    return cost - options.across * float(state.across)


def _completions(puzzle: Puzzle, cells: NDArray[np.uint16]) -> float:
    """The logarithm of the number of ways to pair all open sides so that they match, up to a constant of the step."""
    unused = np.setdiff1d(np.arange(puzzle.size), cells[cells != EMPTY] // 4)
    have = np.bincount(puzzle.tiles[unused].ravel(), minlength=256)
    need = np.bincount([colour for _, _, colour in _frontier(puzzle, cells)], minlength=256)
    total = 0.0
    for colour in range(1, int(puzzle.tiles.max()) + 1):
        n, m = int(have[colour]), int(have[colour] - need[colour])
        total += lgamma(n + 1) + (-lgamma(m / 2 + 1) - m / 2 * log(2) if m >= 0 else m)
    return total


def _chains(puzzle: Puzzle, cells: NDArray[np.uint16], place: tuple[int, int], following: int | None) -> _Chains:
    """The chain towards the next cell of the path, and the longest in another direction."""
    along, across = None, None
    for side, (down, right) in enumerate(_STEPS):
        line: list[tuple[int, int]] = []
        row, col = place[0] + down, place[1] + right
        while 0 <= row < puzzle.rows and 0 <= col < puzzle.cols and cells[row, col] == EMPTY and len(line) < REACH:
            if not _beside(puzzle, cells, (row, col), side):
                break
            line.append((row, col))
            row, col = row + down, col + right
        if not line:
            continue
        if following is not None and line[0] == divmod(following, puzzle.cols):
            along = side, line
        elif across is None or len(line) > len(across[1]):
            across = side, line
    return _Chains(along, across)


def _beside(puzzle: Puzzle, cells: NDArray[np.uint16], place: tuple[int, int], way: int) -> dict[int, int]:
    """The known colours of a cell on the two sides that are not along a line."""
    return {side: colour for side, colour in _known(puzzle, cells, place).items() if (side - way) % 2}


def _chain_ways(
    puzzle: Puzzle, options: BeamOptions, cells: NDArray[np.uint16], chains: _Chains | None, framed: bool
) -> dict[str, tuple[int, NDArray[np.float32]]]:
    """For each kind of chain, its direction, and the number of ways to fill it by the colour that it is shown."""
    found = {}
    if chains is not None and chains.along is not None and options.along > 0:
        side, line = chains.along
        found["along"] = side, _ways(puzzle, cells, line, side, framed).astype(np.float32)
    if chains is not None and chains.across is not None and options.across > 0:
        side, line = chains.across
        found["across"] = side, _ways(puzzle, cells, line, side, framed).astype(np.float32)
    return found


def _ways(
    puzzle: Puzzle, cells: NDArray[np.uint16], line: list[tuple[int, int]], way: int, framed: bool
) -> NDArray[np.float64]:
    """The number of ways to fill a line of cells, each with any unused tile; a mismatch makes a way worth exp(-4)."""
    known = _known(puzzle, cells, line[0])
    if len(line) > 1:
        rest = _ways(puzzle, cells, line[1:], way, framed)
    elif way in known:  # the line ends at a tile
        rest = np.full(256, exp(-4))
        rest[known[way]] = 1.0 if known[way] != GREY else exp(-4)
    else:
        rest = np.ones(256)
    ways, total = np.zeros(256), 0.0
    beside = _beside(puzzle, cells, line[0], way)
    for code in _free(puzzle, cells, line[0], framed):
        if all(puzzle.sides[side, code] == colour != GREY for side, colour in beside.items()):
            enters, leaves = int(puzzle.sides[(way + 2) % 4, code]), int(puzzle.sides[way, code])
            total += rest[_shown(leaves)]
            if enters != GREY:
                ways[enters] += rest[_shown(leaves)]
    result: NDArray[np.float64] = ways + exp(-4) * (total + rest.max())
    return result


def _shown(colour: int) -> int:
    """What a side shows its neighbour: grey matches nothing."""
    return colour if colour != GREY else _NOTHING


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
