"""`ColourPairs`: enumeration with global filtering in constant time (Benoist and Bourreau, sections 3 to 5).

What is implemented of the paper: clockwise and opposite pairs, contradiction, instantiation, preemption, the bound on
shared edges, the branching patterns 1 to 4, the five heuristics for the most urgent pair, and shaving. Conflict-based
backjumping and the cycle rule of the border are not. What the paper leaves open: a node is a tile placed by a decision;
among equal cells the lowest is chosen, not a random one; shaving is repeated until nothing changes; a cell is shaved if
one of its pairs is offered by at most `shaving` tiles.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import isqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.bits import lowest
from puzzles import EMPTY, Hint, Puzzle
from puzzles.compiled import inlined, jit
from solvers.errors import SolverError
from solvers.exact.coloured_tiles import ColouredTiles
from solvers.exact.enumerator import (
    DEALT,
    DEEPEST,
    DEPTH,
    EXHAUSTED,
    FOUND,
    LIMITED,
    NODES,
    OVER,
    SOLUTIONS,
    WHOLE,
    Division,
    Enumerator,
    Walk,
)
from solvers.exact.pair_filtering import (
    EMPTY_CELLS,
    FREE_SIDE,
    NOT_PREEMPTED,
    PAIRS,
    TRAIL,
    UNKNOWN,
    WORK,
    PairState,
    PairTables,
    cell_pair,
    fits,
    is_first_twin,
    place,
    propagate,
    undo,
)

CHUNK = 50_000
"""The most nodes between two reports: about a tenth of a second."""
HEURISTICS = (
    "MinOffer",
    "MinExpectedOffer",
    "MinExpectedGap",
    "MinExpectedRatio",
    "MaxExpectedFiltering",
)
"""How the most urgent pair is chosen where no pattern applies (section 5.1)."""
_MIN_OFFER, _EXPECTED_OFFER, _EXPECTED_GAP, _EXPECTED_RATIO, _EXPECTED_FILTERING = range(5)
_NO_PATTERN = 5
_ONE, _NONE = np.uint64(1), np.uint64(0)


class PairOptions(NamedTuple):
    """The components of the paper's algorithm; the defaults are its best."""

    opposite: bool = True
    """Whether opposite colours are pairs as well (section 3.2)."""
    preemption: bool = True
    """Whether tiles are reserved for a pair that as many cells demand as tiles offer (section 4.1)."""
    shared_edges: bool = True
    """Whether the bound h(M) on shared edges is checked (section 4.2)."""
    patterns: bool = True
    """Whether cells in highly constrained patterns are chosen first (section 5.1)."""
    heuristic: str = "MinExpectedGap"
    """One of `HEURISTICS`."""
    shaving: int = 3
    """Cells with at most this many tiles are shaved: each is tried, and what fails is excluded. 0 means none."""


_BEST = PairOptions()


class PairLevels(NamedTuple):
    """The decisions from the root to the current node."""

    cell: NDArray[np.int64]
    candidates: NDArray[np.uint16]
    mark: NDArray[np.int64]
    """Per level, the length of the trail of its node."""


class ColourPairs(Enumerator):
    """Enumeration by colour pairs; arguments other than `options` are those of `Enumerator`.

    Raises:
        SolverError: An option is out of range.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        rng: np.random.Generator,
        evaluations: int,
        *,
        options: PairOptions = _BEST,
        pins: Iterable[Hint] = (),
        limit: int = 0,
        division: Division = WHOLE,
    ) -> None:
        super().__init__(puzzle, rng, evaluations, chunk=CHUNK, pins=pins, limit=limit, division=division)
        if options.heuristic not in HEURISTICS:
            raise SolverError(f"heuristic: expected one of {', '.join(HEURISTICS)}; found {options.heuristic!r:.60}")
        if options.shaving < 0:
            raise SolverError(f"shaving: expected 0 or more; found {options.shaving}")
        self._options = options
        self._prepare()

    def _prepare(self) -> None:
        size, options = self._puzzle.size, self._options
        self._tables = make_pair_tables(self._tiles, self._order, options)
        self._state = make_pair_state(self._tiles, self._tables)
        candidates = np.zeros((size + 1, 4 * size), dtype=np.uint16)
        numbers = np.zeros((2, size + 1), dtype=np.int64)
        numbers[1, 0] = -1  # the root is not propagated yet
        self._levels = PairLevels(numbers[0], candidates, numbers[1])
        number = {int(tile): k for k, tile in enumerate(self._order)}
        cols = self._puzzle.cols
        pins = [(pin.row * cols + pin.col, 4 * number[pin.tile] + pin.rotation) for pin in self._tiles.pins]
        self._pins = np.array(pins, dtype=np.int64).reshape(len(pins), 2)

    @property
    def work(self) -> int:
        """The number of set operations made so far, which the paper claims to be constant per placed tile."""
        return int(self._state.counts[WORK])

    def _visit(self, until: int) -> None:
        before, deepest = self._walk.numbers[[FOUND, DEEPEST]].tolist()
        chosen = (HEURISTICS.index(self._options.heuristic), self._options.patterns, self._options.shaving)
        walk(
            self._tables,
            self._state,
            self._levels,
            self._walk,
            self._pins,
            *chosen,
            *self._division,
            self._limit,
            until,
        )
        for cells in self._walk.found[before : int(self._walk.numbers[FOUND])]:
            cells[:] = self._renumbered(cells)
        if self._walk.numbers[DEEPEST] > deepest:
            self._walk.deepest[:] = self._renumbered(self._walk.deepest)

    def _renumbered(self, cells: NDArray[np.uint16]) -> NDArray[np.uint16]:
        """Return a board with the puzzle's own numbers of tiles instead of the order in which they are tried."""
        tiles = self._order[np.minimum(cells >> 2, len(self._order) - 1)]
        own: NDArray[np.uint16] = np.where(cells == EMPTY, EMPTY, 4 * tiles + cells % 4).astype(np.uint16)
        return own

    def _retrace(self, path: NDArray[np.int32], depth: int) -> bool:
        work = self.work
        self._prepare()
        self._walk.numbers[DEPTH] = depth
        chosen = (HEURISTICS.index(self._options.heuristic), self._options.patterns, self._options.shaving)
        found = retrace(self._tables, self._state, self._levels, self._walk, self._pins, *chosen, path, depth)
        self._state.counts[WORK] = work
        return bool(found)


def most_shared_edges(tiles: int) -> int:
    """Return h(M): the largest number of edges that M square tiles can share (section 4.2)."""
    side = isqrt(tiles)
    rest = tiles - side * side
    return 2 * side * (side - 1) + (0 if rest == 0 else 2 * rest - 1 if rest <= side else 2 * rest - 2)


def make_pair_tables(tiles: ColouredTiles, tried: NDArray[np.int32], options: PairOptions) -> PairTables:
    """Return the tables of a puzzle, its tiles numbered in the order in which they are tried."""
    size, order = tiles.puzzle.size, tried.tolist()
    colours = int(tiles.puzzle.tiles.max()) + 1
    sides = tiles.puzzle.sides.T.astype(np.int64).reshape(size, 4, 4)[order].reshape(4 * size, 4)
    pairs = np.full((size, PAIRS), -1, dtype=np.int64)
    for tile in range(size):
        up, right, down, left = sides[4 * tile].tolist()
        found = [one * colours + other for one, other in ((up, right), (right, down), (down, left), (left, up))]
        if options.opposite:
            found += [(colours + min(one)) * colours + max(one) for one in ((up, down), (right, left))]
        distinct = list(dict.fromkeys(found))
        pairs[tile, : len(distinct)] = distinct
    last: dict[int, int] = {}
    twin = np.full(size, -1, dtype=np.int64)
    for number, tile in enumerate(order):
        twin[number] = last.get(int(tiles.classes[tile]), -1)
        last[int(tiles.classes[tile])] = number
    shared = np.array([most_shared_edges(count) for count in range(size + 1)])
    return PairTables(
        sides,
        tiles.turns[order].astype(np.int64),
        pairs,
        tiles.near,
        twin,
        shared,
        colours,
        options.opposite,
        options.preemption,
        options.shared_edges and tiles.puzzle.framed,  # sides on a rim without a frame need not touch anything
    )


def make_pair_state(tiles: ColouredTiles, tables: PairTables) -> PairState:
    """Return the empty board, whose rim is known to its cells; pins are placed later, by compiled code."""
    size, pairs = tiles.puzzle.size, 2 * tables.colours**2
    words = (size + 63) // 64
    rim = tiles.near < 0
    outside = FREE_SIDE if not tiles.puzzle.framed else 0
    known = np.where(rim, outside, UNKNOWN).astype(np.int64)
    state = PairState(
        known,
        (known >= 0).sum(axis=1).astype(np.int64),
        np.full(size, -1, dtype=np.int64),
        np.zeros(pairs, dtype=np.int64),
        np.zeros((pairs, words), dtype=np.uint64),
        np.zeros(pairs, dtype=np.int64),
        np.zeros((pairs, words), dtype=np.uint64),
        np.zeros(pairs, dtype=np.int64),
        np.full(size, NOT_PREEMPTED, dtype=np.int64),
        np.zeros(tables.colours, dtype=np.int64),
        np.zeros(tables.colours, dtype=np.int64),
        np.zeros(tables.colours, dtype=np.int64),
        np.zeros((32 * size + 64, 3), dtype=np.int64),
        np.zeros(8 * size + 64, dtype=np.int64),
        np.zeros(32 * size + 64, dtype=np.int64),
        np.zeros(WORK + 1, dtype=np.int64),
    )
    state.counts[EMPTY_CELLS] = size
    begin(tables, state)
    return state


@jit
def begin(tables: PairTables, state: PairState) -> None:
    """Fill the offers of all tiles, and the demands of the corners."""
    size = len(state.board)
    for tile in range(size):
        for k in range(PAIRS):
            pair = tables.pairs[tile, k]
            if pair >= 0:
                state.offer[pair] += 1
                state.offered[pair, tile >> 6] |= _ONE << np.uint64(tile & 63)
        for side in range(4):
            colour, repeated = tables.sides[4 * tile, side], False
            for before in range(side):
                repeated = repeated or tables.sides[4 * tile, before] == colour
            state.colour_left[colour] += 1
            state.colour_tiles[colour] += 0 if repeated else 1
    for cell in range(size):
        if state.known_count[cell] >= 3:
            state.counts[4] += 1
        for number in range(PAIRS):
            pair = cell_pair(tables, state, cell, number)
            bit = _ONE << np.uint64(cell & 63)
            if pair >= 0 and state.demanded[pair, cell >> 6] & bit == _NONE:
                state.demand[pair] += 1
                state.demanded[pair, cell >> 6] |= bit


@inlined
def _candidates(tables: PairTables, state: PairState, cell: int, found: NDArray[np.uint16]) -> int:
    """List the oriented tiles that fit a cell, of identical tiles only the first; return their number."""
    count = 0
    for word in range(state.offered.shape[1]):
        left = ~_NONE
        paired = False
        for number in range(PAIRS):
            pair = cell_pair(tables, state, cell, number)
            if pair >= 0:
                left &= state.offered[pair, word]
                paired = True
        if not paired:  # a board without a frame begins with a cell of which nothing is known
            left = _NONE
            for bit in range(min(64, len(state.board) - (word << 6))):
                tile = (word << 6) + bit
                if state.offered[tables.pairs[tile, 0], word] >> np.uint64(bit) & _ONE:
                    left |= _ONE << np.uint64(bit)
        while left != _NONE:
            tile = (word << 6) + lowest(left)
            left &= left - _ONE
            if is_first_twin(tables, state, tile):
                for value in range(4 * tile, 4 * tile + tables.turns[tile]):
                    if fits(tables, state, cell, value):
                        found[count] = value
                        count += 1
    return count


@inlined
def _least_offer(tables: PairTables, state: PairState, cell: int) -> int:
    """Return the smallest offer of the pairs that a cell demands."""
    least = 1 << 30
    for number in range(PAIRS):
        pair = cell_pair(tables, state, cell, number)
        if pair >= 0:
            least = min(least, state.offer[pair])
    return least


@inlined
def _pattern_cell(tables: PairTables, state: PairState) -> int:
    """Return the cell of the most constrained pattern, with the least offer among equals; -1 if there is none."""
    best, chosen, least = _NO_PATTERN, -1, 1 << 30
    for cell in range(len(state.board)):
        if state.board[cell] >= 0:
            continue
        known, pattern, target = state.known_count[cell], _NO_PATTERN, cell
        if known >= 3:
            pattern = 5 - known
        elif known >= 1:
            surrounded, first = 0, -1
            for side in range(4):
                near = tables.near[cell, side]
                if near >= 0 and state.board[near] < 0 and state.known_count[near] >= 2:
                    surrounded += 1
                    if first < 0 or _least_offer(tables, state, near) < _least_offer(tables, state, first):
                        first = near
            if known == 2 and surrounded >= 1:
                pattern = 3
            elif known == 1 and surrounded >= 2:
                pattern, target = 4, first
        if pattern < _NO_PATTERN and pattern <= best:
            offer = _least_offer(tables, state, target)
            if pattern < best or offer < least:
                best, chosen, least = pattern, target, offer
    return chosen


@inlined
def _expected_offer(tables: PairTables, state: PairState, pair: int) -> float:
    """Return E(|Offer|): the sum over its tiles of the probability that no other pair uses the tile."""
    expected = 0.0
    for word in range(state.offered.shape[1]):
        left = state.offered[pair, word]
        while left != _NONE:
            tile = (word << 6) + lowest(left)
            left &= left - _ONE
            probability = 1.0
            for k in range(PAIRS):
                other = tables.pairs[tile, k]
                if other >= 0 and other != pair and state.demand[other] > 0:
                    probability *= 1.0 - state.demand[other] / state.offer[other]
            expected += probability
    return expected


@inlined
def _urgent_cell(tables: PairTables, state: PairState, heuristic: int) -> int:
    """Return a cell that demands the most urgent pair; if no pair is demanded, the cell of which most is known."""
    chosen, most = -1, -1
    least = np.inf
    for cell in range(len(state.board)):
        if state.board[cell] >= 0:
            continue
        for number in range(PAIRS):
            pair = cell_pair(tables, state, cell, number)
            if pair < 0:
                continue
            offer, demand = float(state.offer[pair]), float(state.demand[pair])
            urgency = offer
            if heuristic != _MIN_OFFER:
                expected = _expected_offer(tables, state, pair)
                urgency = expected
                if heuristic == _EXPECTED_GAP:
                    urgency = expected - demand
                elif heuristic == _EXPECTED_RATIO:
                    urgency = expected / demand
                elif heuristic == _EXPECTED_FILTERING:
                    urgency = expected - offer
            if urgency < least:
                least, chosen, most = urgency, cell, 4
        if state.known_count[cell] > most:
            chosen, most = cell, state.known_count[cell]
    return chosen


@jit
def _shave(tables: PairTables, state: PairState, limit: int, found: NDArray[np.uint16]) -> bool:
    """Try every tile of each cell with few of them: a cell with none left is a contradiction, one tile is placed."""
    again = True
    while again:
        again = False
        for cell in range(len(state.board)):
            if state.board[cell] >= 0 or state.known_count[cell] < 2 or _least_offer(tables, state, cell) > limit:
                continue
            count = _candidates(tables, state, cell, found)
            possible, last = 0, -1
            for k in range(count):
                mark, value = state.counts[TRAIL], np.int64(found[k])
                if place(tables, state, cell, value) and propagate(tables, state):
                    possible, last = possible + 1, value
                undo(tables, state, mark)
                if possible > 1:
                    break
            if possible == 0:
                return False
            if possible == 1:
                if not place(tables, state, cell, last) or not propagate(tables, state):
                    return False
                again = True
    return True


@jit
def _open(
    tables: PairTables, state: PairState, levels: PairLevels, walk: Walk, heuristic: int, patterns: bool, level: int
) -> None:
    """Choose the cell of a node, and list its children."""
    levels.mark[level] = state.counts[TRAIL]
    walk.path[level] = walk.children[level] = 0
    if state.counts[EMPTY_CELLS] == 0:
        return
    cell = _pattern_cell(tables, state) if patterns else -1
    if cell < 0:
        cell = _urgent_cell(tables, state, heuristic)
    levels.cell[level] = cell
    walk.children[level] = _candidates(tables, state, cell, levels.candidates[level])


@jit
def _begin_root(
    tables: PairTables,
    state: PairState,
    levels: PairLevels,
    walk: Walk,
    pins: NDArray[np.int64],
    heuristic: int,
    patterns: bool,
    shaving: int,
) -> bool:
    """Place the pins, and open the root; return False if they are contradictory."""
    for k in range(len(pins)):
        cell, value = pins[k, 0], pins[k, 1]
        if state.board[cell] == value:
            continue
        if state.board[cell] >= 0 or not fits(tables, state, cell, value) or not place(tables, state, cell, value):
            return False
    if not propagate(tables, state):
        return False
    if shaving > 0 and not _shave(tables, state, shaving, levels.candidates[len(levels.cell) - 1]):
        return False
    _open(tables, state, levels, walk, heuristic, patterns, 0)
    return True


@jit
def walk(
    tables: PairTables,
    state: PairState,
    levels: PairLevels,
    walk: Walk,
    pins: NDArray[np.int64],
    heuristic: int,
    patterns: bool,
    shaving: int,
    part: int,
    parts: int,
    split: int,
    limit: int,
    until: int,
) -> None:
    """Walk until `until` nodes are done, the batch of solutions is full, or the search is over."""
    numbers = walk.numbers
    if levels.mark[0] < 0 and not _begin_root(tables, state, levels, walk, pins, heuristic, patterns, shaving):
        numbers[OVER] = EXHAUSTED
        return
    level, scratch = numbers[DEPTH], levels.candidates[len(levels.cell) - 1]
    while numbers[NODES] < until and numbers[FOUND] < len(walk.found):
        if level > numbers[DEEPEST]:
            numbers[DEEPEST] = level
            for cell in range(len(state.board)):
                walk.deepest[cell] = state.board[cell] if state.board[cell] >= 0 else EMPTY
        if state.counts[EMPTY_CELLS] == 0:
            if level >= split or part == 0:
                for cell in range(len(state.board)):
                    walk.found[numbers[FOUND], cell] = state.board[cell]
                numbers[FOUND] += 1
                numbers[SOLUTIONS] += 1
                if numbers[SOLUTIONS] == limit:
                    numbers[OVER] = LIMITED
                    break
        elif walk.path[level] < walk.children[level]:
            value = np.int64(levels.candidates[level, walk.path[level]])
            walk.path[level] += 1
            numbers[NODES] += 1
            if parts > 1 and level + 1 == split:
                numbers[DEALT] += 1
                if (numbers[DEALT] - 1) % parts != part:
                    continue
            if _enter(tables, state, levels.cell[level], value, shaving, scratch):
                level += 1
                _open(tables, state, levels, walk, heuristic, patterns, level)
            else:
                undo(tables, state, levels.mark[level])
            continue
        if level == 0:
            numbers[OVER] = EXHAUSTED
            break
        level -= 1
        undo(tables, state, levels.mark[level])
    numbers[DEPTH] = level


@inlined
def _enter(
    tables: PairTables, state: PairState, cell: int, value: int, shaving: int, scratch: NDArray[np.uint16]
) -> bool:
    """Place the tile of a child, and draw all consequences; return False on a contradiction."""
    if not place(tables, state, cell, value) or not propagate(tables, state):
        return False
    return shaving == 0 or _shave(tables, state, shaving, scratch)


@jit
def retrace(
    tables: PairTables,
    state: PairState,
    levels: PairLevels,
    walk: Walk,
    pins: NDArray[np.int64],
    heuristic: int,
    patterns: bool,
    shaving: int,
    path: NDArray[np.int32],
    depth: int,
) -> bool:
    """Descend along a path from the root; return whether the tree has such a path."""
    if not _begin_root(tables, state, levels, walk, pins, heuristic, patterns, shaving):
        return False
    scratch = levels.candidates[len(levels.cell) - 1]
    for level in range(depth + 1):
        entered = path[level]
        if entered < (level < depth) or entered > walk.children[level]:
            return False
        walk.path[level] = entered
        if level < depth:
            value = np.int64(levels.candidates[level, entered - 1])
            if not _enter(tables, state, levels.cell[level], value, shaving, scratch):
                return False
            _open(tables, state, levels, walk, heuristic, patterns, level + 1)
            walk.path[level] = entered
    return True
