"""A heuristic for large cliques in the manner of Grosso, Locatelli and Pullan, compiled on bit-sliced counters.

    repeat for q selections:
        add a random node that is adjacent to the whole clique, if there is one
        else swap in a random node that conflicts with one node of the clique, which may not come back for a while
        else begin again: with a random node and those of the clique that are adjacent to it

For each node the number of its conflicts with the clique is kept in binary, bit k of all nodes side by side in words:
adding a row of conflicts to all counters is a few operations on words. A selection is what the heuristic counts; the
paper's program may count differently.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from operators.bits import WORD, lowest, popcount
from operators.randomness import below
from puzzles.compiled import inlined, jit

_ONE, _ZERO = np.uint64(1), np.uint64(0)


class Found(NamedTuple):
    """The best clique of a search."""

    clique: NDArray[np.int64]
    selections: int
    """The selections made; fewer than allowed if a clique of the size sought was found."""


def find_clique(
    rng: np.random.Generator, adjacent: NDArray[np.bool_], selections: int, enough: int | None = None
) -> Found:
    """Return the largest clique found in a number of selections.

    Args:
        rng: Source of randomness.
        adjacent: The matrix of the graph.
        selections: The number of nodes to choose.
        enough: A size at which to stop.
    """
    nodes = len(adjacent)
    if nodes == 0:
        return Found(np.zeros(0, dtype=np.int64), 0)
    words = -(-nodes // WORD)
    bits = np.zeros((nodes, words * WORD), dtype=np.uint8)
    bits[:, :nodes] = ~adjacent
    bits[np.arange(nodes), np.arange(nodes)] = 0
    conflicts = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
    planes = int(nodes).bit_length()
    best, made = search_clique(rng, np.ascontiguousarray(conflicts), nodes, planes, selections, enough or nodes)
    inside = np.unpackbits(best.view(np.uint8), bitorder="little")[:nodes]
    return Found(np.flatnonzero(inside), int(made))


@jit
def search_clique(
    rng: np.random.Generator, conflicts: NDArray[np.uint64], nodes: int, planes: int, selections: int, enough: int
) -> tuple[NDArray[np.uint64], int]:
    """Compute what `find_clique` returns, as a set of bits.

    Counters need as many bits as the largest clique so far has; planes above are not touched.
    """
    words = conflicts.shape[1]
    counters, carry = np.zeros((planes + 1, words), dtype=np.uint64), np.zeros(words, dtype=np.uint64)
    inside, tabu = np.zeros(words, dtype=np.uint64), np.zeros(words, dtype=np.uint64)
    best, chosen = np.zeros(words, dtype=np.uint64), np.zeros(words, dtype=np.uint64)
    real = np.zeros(words, dtype=np.uint64)
    for node in range(nodes):
        real[node >> 6] |= _ONE << np.uint64(node & 63)
    size = most = 0
    for made in range(selections):
        used = 1
        while (size >> used) > 0:
            used += 1
        many = _open(counters, used, inside, real, tabu, chosen, 0)
        swapping = many == 0
        if swapping:
            many = _open(counters, used, inside, real, tabu, chosen, 1)
        if many == 0:  # begin again
            for word in range(words):
                tabu[word] = _ZERO
                chosen[word] = real[word] & ~inside[word]
            many = nodes - size
            if many == 0:
                return best, made
        node = _nth(chosen, below(rng, many))
        if swapping:
            for word in range(words):
                out = conflicts[node, word] & inside[word]
                while out:
                    member = WORD * word + lowest(out)
                    out &= out - _ONE
                    _take_out(counters, conflicts[member], carry)
                    inside[word] ^= _ONE << np.uint64(member & 63)
                    tabu[word] |= _ONE << np.uint64(member & 63)
                    size -= 1
        _put_in(counters, conflicts[node], carry)
        inside[node >> 6] |= _ONE << np.uint64(node & 63)
        size += 1
        if size > most:
            most = size
            for word in range(words):
                best[word] = inside[word]
            if most >= enough:
                return best, made + 1
    return best, selections


@inlined
def _open(
    counters: NDArray[np.uint64],
    used: int,
    inside: NDArray[np.uint64],
    real: NDArray[np.uint64],
    tabu: NDArray[np.uint64],
    chosen: NDArray[np.uint64],
    conflicting: int,
) -> int:
    """Collect the nodes outside the clique with no conflict, or those with one that are not tabu; return how many."""
    many = 0
    for word in range(len(chosen)):
        above = _ZERO
        for plane in range(1, used):
            above |= counters[plane, word]
        free = real[word] & ~inside[word] & ~above
        chosen[word] = free & counters[0, word] & ~tabu[word] if conflicting else free & ~counters[0, word]
        many += popcount(chosen[word])
    return many


@inlined
def _nth(words: NDArray[np.uint64], number: int) -> int:
    """Return the position of the bit that has `number` set bits before it."""
    for word in range(len(words)):
        count = popcount(words[word])
        if number < count:
            bits = words[word]
            for _ in range(number):
                bits &= bits - _ONE
            return WORD * word + lowest(bits)
        number -= count
    return 0


@inlined
def _put_in(counters: NDArray[np.uint64], row: NDArray[np.uint64], carry: NDArray[np.uint64]) -> None:
    """Add one to the counters of the nodes in a row."""
    for word in range(len(row)):
        carry[word] = row[word]
    for plane in range(len(counters)):
        some = _ZERO
        for word in range(len(row)):
            before = counters[plane, word]
            counters[plane, word] = before ^ carry[word]
            carry[word] &= before
            some |= carry[word]
        if some == _ZERO:
            break


@inlined
def _take_out(counters: NDArray[np.uint64], row: NDArray[np.uint64], carry: NDArray[np.uint64]) -> None:
    """Subtract one from the counters of the nodes in a row."""
    for word in range(len(row)):
        carry[word] = row[word]
    for plane in range(len(counters)):
        some = _ZERO
        for word in range(len(row)):
            after = counters[plane, word] ^ carry[word]
            counters[plane, word] = after
            carry[word] &= after
            some |= carry[word]
        if some == _ZERO:
            break
