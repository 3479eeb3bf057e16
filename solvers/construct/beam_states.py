"""What a beam search holds: its states, their children, how they came about, and what a key is made of."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class States(NamedTuple):
    """Partial boards side by side: row i of each array belongs to state i."""

    used: NDArray[np.uint64]
    frontier: NDArray[np.uint8]
    left: NDArray[Any]
    mismatches: NDArray[np.int32]
    gathered: NDArray[np.float32]
    """How concentrated the colours are that are left, relative to the beginning."""
    hashes: NDArray[np.uint64]


class Children(NamedTuple):
    """Children that may be kept."""

    parent: NDArray[np.int32]
    code: NDArray[np.uint16]
    misses: NDArray[np.uint8]
    bin: NDArray[np.uint16]
    """Its key, as the number of a bin."""
    gathered: NDArray[np.float32]


class History(NamedTuple):
    """How the states of all steps came about; those of a step begin where `starts` says."""

    starts: NDArray[np.int64]
    parents: NDArray[np.int32]
    codes: NDArray[np.uint16]


class Scratch(NamedTuple):
    """Working memory."""

    bins: NDArray[np.int64]
    costs: NDArray[np.float32]
    seen: NDArray[np.uint64]
    """Room for hashes, a power of two of them."""
    order: NDArray[np.int32]
    signs: NDArray[np.uint64]
    """Random words: by tile, then by slot and colour; a state's hash is made of those of what it holds."""


class Weights(NamedTuple):
    """What a key is made of."""

    concentration: float
    noise: float
    none_fits: float
    """What it costs that no unused tile fits the next cell."""
    one_fits: float
    """What it costs that only one does."""
    loss: NDArray[np.float32]
    """By colour and count: by how much concentration falls when one of so many sides is spent."""
