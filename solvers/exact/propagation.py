"""Constraint propagation for `solvers.exact.first_fail`, on bit sets.

- Matching: an oriented tile remains only while each of its sides has a colour that the neighbour can still show.
- All different: a tile that is placed is removed everywhere else, and the last value of a cell is placed at once.

Both run until nothing changes. The result does not depend on the order, but the time does: first in, first out is 1.5
times as fast as last in, first out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.bits import WORD, lowest, popcount
from operators.lattice import Lattice
from puzzles import EMPTY, Puzzle
from puzzles.compiled import inlined, jit
from solvers.exact.relaxed_instance import domains

NONE = -1
LEVEL, NODES, SINCE, PLACED, OVER, FIXED, HEAD, LENGTH = range(8)
"""Indices of the counters of a `PropagationState`."""
SEARCHING, SOLVED, EXHAUSTED = range(3)
_ZERO, _ONE, _TURNS = np.uint64(0), np.uint64(1), np.uint64(15)


class PropagationState(NamedTuple):
    """The state of a search, as arrays for compiled code. The first axis of arrays per level is the level."""

    near: NDArray[np.int64]
    """The cells around each cell whose colours must match; NONE at the wall or a relaxed position."""
    sides: NDArray[np.uint8]
    """The colour of each side of each oriented tile."""
    coloured: NDArray[np.uint64]
    """Per side and colour, the oriented tiles that have it there."""
    shows: NDArray[np.uint64]
    """Per oriented tile and side, its colour as a bit set of a few words."""
    domains: NDArray[np.uint64]
    """Per level and cell, the oriented tiles that may be placed there. Not maintained where a tile was placed."""
    colours: NDArray[np.uint64]
    """Per level, cell and side, the colours that the domain can show there."""
    sizes: NDArray[np.int32]
    """Per level and cell, the size of the domain; 0 where the position is relaxed."""
    cells: NDArray[np.uint16]
    """Per level and cell, the tile that was placed."""
    chosen: NDArray[np.int64]
    """Per level, the cell that was decided on, and its value."""
    queue: NDArray[np.int64]
    """A ring buffer of the cells whose domains changed, and whose neighbours must be revised."""
    queued: NDArray[np.bool_]
    fixed: NDArray[np.int64]
    """The cells whose domain has one value that is still to be placed."""
    spare: NDArray[np.uint64]
    best_cells: NDArray[np.uint16]
    """The largest partial assignment."""
    numbers: NDArray[np.int64]
    """Level, nodes, nodes since the last restart, most cells placed, whether over, the length of `fixed`, and the head
    and the length of the queue."""


def start(puzzle: Puzzle, lattice: Lattice, relaxed: NDArray[np.bool_]) -> PropagationState:
    """Return the root of the search before propagation."""
    size, possible = puzzle.size, domains(puzzle, lattice)
    possible[relaxed] = False
    colours = int(puzzle.tiles.max()) + 1
    words, parts, levels = -(-4 * size // WORD), -(-colours // WORD), size + 1
    shown = puzzle.sides.T[:, :, np.newaxis] == np.arange(parts * WORD)
    near = np.where(np.append(relaxed, True)[lattice.near], NONE, lattice.near.astype(np.int64))
    state = PropagationState(
        near,
        np.array(puzzle.sides),
        np.stack([_bit_sets(puzzle.sides[side] == np.arange(colours)[:, np.newaxis], words) for side in range(4)]),
        _bit_sets(shown.reshape(4 * size, -1), 4 * parts),
        np.empty((levels, size, words), dtype=np.uint64),
        np.empty((levels, size, 4 * parts), dtype=np.uint64),
        np.empty((levels, size), dtype=np.int32),
        np.full((levels, size), EMPTY, dtype=np.uint16),
        np.zeros((levels, 2), dtype=np.int64),
        np.zeros(size, dtype=np.int64),
        np.zeros(size, dtype=np.bool_),
        np.zeros(size, dtype=np.int64),
        np.zeros(max(words, 4 * parts), dtype=np.uint64),
        lattice.pins.copy(),
        np.zeros(8, dtype=np.int64),
    )
    state.domains[0] = _bit_sets(possible, words)
    state.colours[0] = np.bitwise_or.reduce(state.shows, axis=0)
    state.sizes[0] = possible.sum(axis=1)
    state.numbers[OVER] = EXHAUSTED if (state.sizes[0][~relaxed] == 0).any() else SEARCHING
    return state


def _bit_sets(masks: NDArray[np.bool_], words: int) -> NDArray[np.uint64]:
    """Return rows of Booleans as bit sets."""
    padded = np.zeros((len(masks), words * WORD), dtype=np.bool_)
    padded[:, : masks.shape[1]] = masks
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)


@inlined
def shrunk(state: PropagationState, level: int, cell: int, before: int) -> None:
    """Record that a domain, which had size `before`, has lost values and has some left."""
    numbers = state.numbers
    if state.sizes[level, cell] == 1 and before > 1:
        state.fixed[numbers[FIXED]] = cell
        numbers[FIXED] += 1
    if not state.queued[cell]:
        state.queued[cell] = True
        state.queue[(numbers[HEAD] + numbers[LENGTH]) % len(state.queue)] = cell
        numbers[LENGTH] += 1


@jit
def propagate(state: PropagationState, level: int) -> bool:
    """Remove inconsistent values until nothing changes; return whether every domain has a value left."""
    numbers, possible = state.numbers, True
    while possible and numbers[FIXED] + numbers[LENGTH] > 0:
        if numbers[FIXED]:
            numbers[FIXED] -= 1
            possible = _place(state, level, state.fixed[numbers[FIXED]])
            continue
        cell = state.queue[numbers[HEAD]]
        numbers[HEAD] = (numbers[HEAD] + 1) % len(state.queue)
        numbers[LENGTH] -= 1
        state.queued[cell] = False
        if state.cells[level, cell] == EMPTY:
            _show_colours(state, level, cell)
        for side in range(4):
            near = state.near[cell, side]
            possible = possible and (near == NONE or _match(state, level, cell, side, near))
    for k in range(numbers[LENGTH]):  # empty the queue after a failure
        state.queued[state.queue[(numbers[HEAD] + k) % len(state.queue)]] = False
    numbers[LENGTH] = numbers[FIXED] = 0
    return possible


@inlined
def _place(state: PropagationState, level: int, cell: int) -> bool:
    """Place the last value of a cell, and remove its tile everywhere else; return whether that is consistent."""
    word = 0
    while not state.domains[level, cell, word]:
        word += 1
    value = WORD * word + lowest(state.domains[level, cell, word])
    state.cells[level, cell] = value
    for part in range(state.colours.shape[2]):
        state.colours[level, cell, part] = state.shows[value, part]
    turned = _TURNS << np.uint64(value & 60)
    for other in range(len(state.near)):
        before = state.sizes[level, other]
        if before == 0 or state.cells[level, other] != EMPTY:
            continue
        lost = state.domains[level, other, word] & turned
        if not lost:
            continue
        state.domains[level, other, word] ^= lost
        state.sizes[level, other] -= popcount(lost)
        if state.sizes[level, other] == 0:
            return False
        if state.sizes[level, other] == 1 or _lacks_support(state, level, other, word, lost):
            shrunk(state, level, other, before)
    return True


@inlined
def _lacks_support(state: PropagationState, level: int, cell: int, word: int, lost: np.uint64) -> bool:
    """Return whether a cell can no longer show some colour of the values removed from this word."""
    while lost:
        value = WORD * word + lowest(lost)
        lost &= lost - _ONE
        for side in range(4):
            if state.near[cell, side] == NONE:
                continue
            having = state.coloured[side, state.sides[side, value]]
            if (
                state.domains[level, cell, word] & having[word]
            ):  # the usual case: tiles with the same colour are in the same word
                continue
            found = False
            for other in range(state.domains.shape[2]):
                if state.domains[level, cell, other] & having[other]:
                    found = True
                    break
            if not found:
                return True
    return False


@inlined
def _show_colours(state: PropagationState, level: int, cell: int) -> None:
    """Compute which colours the domain of a cell can show on each side."""
    before, shown, domain = state.colours[level, cell], state.spare, state.domains[level, cell]
    for part in range(len(before)):
        shown[part] = _ZERO
    for word in range(len(domain)):
        bits = domain[word]
        if not bits:
            continue
        while bits:
            colours = state.shows[WORD * word + lowest(bits)]
            bits &= bits - _ONE
            for part in range(len(before)):
                shown[part] |= colours[part]
        lost = _ZERO
        for part in range(len(before)):
            lost |= before[part] ^ shown[part]
        if not lost:
            return  # all colours are still possible
    for part in range(len(before)):
        before[part] = shown[part]


@inlined
def _match(state: PropagationState, level: int, cell: int, side: int, near: int) -> bool:
    """Remove the values of a neighbour that do not match a cell; return whether any are left."""
    parts = state.colours.shape[2] >> 2
    facing = (side + 2) & 3
    here, there = state.colours[level, cell], state.colours[level, near]
    gone, few = _ZERO, 0
    for part in range(parts):
        lost = there[facing * parts + part] & ~here[side * parts + part]
        gone |= lost
        few += popcount(there[facing * parts + part]) - 2 * popcount(lost)
    if not gone:
        return True
    if state.cells[level, near] != EMPTY:
        return False
    domain, other = state.domains[level, near], state.spare
    for word in range(len(domain)):
        other[word] = _ZERO
    for part in range(parts):  # iterate over the colours that stay or those that go, whichever are fewer
        bits = there[facing * parts + part] & here[side * parts + part]
        if few > 0:
            bits ^= there[facing * parts + part]
        while bits:
            having = state.coloured[facing, WORD * part + lowest(bits)]
            bits &= bits - _ONE
            for word in range(len(domain)):
                other[word] |= having[word]
        there[facing * parts + part] &= here[side * parts + part]
    flip = ~_ZERO if few > 0 else _ZERO
    before, size = state.sizes[level, near], 0
    for word in range(len(domain)):
        left = domain[word] & (other[word] ^ flip)
        domain[word] = left
        size += popcount(left)
    state.sizes[level, near] = size
    if size == 0:
        return False
    shrunk(state, level, near, before)
    return True
