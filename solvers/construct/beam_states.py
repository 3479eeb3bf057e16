"""Arrays of a beam search: states, children, history, working memory, and the weights of a key."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class States(NamedTuple):
    """Partial boards as a structure of arrays: row i of each array belongs to state i."""

    used: NDArray[np.uint64]
    frontier: NDArray[np.uint8]
    left: NDArray[Any]
    mismatches: NDArray[np.int32]
    gathered: NDArray[np.float32]
    """Concentration of the colours left, relative to the beginning."""
    across: NDArray[np.float32]
    """Value of the last chain across the path."""
    hashes: NDArray[np.uint64]


class Children(NamedTuple):
    """Children that are candidates for the next level."""

    parent: NDArray[np.int32]
    code: NDArray[np.uint16]
    misses: NDArray[np.uint8]
    bin: NDArray[np.uint16]
    """The bin of the child's key."""
    gathered: NDArray[np.float32]
    across: NDArray[np.float32]


class History(NamedTuple):
    """Parent and tile of every state of every step; those of a step begin at `starts[step]`."""

    starts: NDArray[np.int64]
    parents: NDArray[np.int32]
    codes: NDArray[np.uint16]


class Scratch(NamedTuple):
    """Working memory. Rows of `spare` and `ways`, which have no rows if there is no late part, belong to states."""

    bins: NDArray[np.int64]
    costs: NDArray[np.float32]
    highest: NDArray[np.float32]
    """By state, the highest value that the chains of a child can have."""
    spare: NDArray[np.int32]
    """By state and colour, sides on unused tiles minus open sides of the frontier."""
    ways: NDArray[np.float32]
    """By state, kind of chain, and colour that the chain is shown: the ways to fill it."""
    chain: NDArray[np.float64]
    """Ways to fill the rest of a chain, by colour; the second row is for the next cell."""
    seen: NDArray[np.uint64]
    """A hash table; its size is a power of two."""
    order: NDArray[np.int32]
    signs: NDArray[np.uint64]
    """Random words, by tile, then by slot and colour; the hash of a state combines the words of its content."""


class Weights(NamedTuple):
    """The weights of a key; see `BeamOptions`."""

    concentration: float
    noise: float
    none_fits: float
    one_fits: float
    completions: float
    along: float
    across: float
    loss: NDArray[np.float32]
    """By colour and number of sides left: the loss of concentration when one side is used."""
    logarithms: NDArray[np.float64]
    """ln n; 0 for n = 0."""
    arrangements: NDArray[np.float64]
    """ln n!."""
    pairings: NDArray[np.float64]
    """By m: -ln((m/2)! 2^(m/2)), or m if it is negative; negative indices count from the end."""
    ranks: NDArray[np.float64]
    """By tile: numbers in [0, 1) that take the place of the random ones in the noise; empty if those are drawn."""
