"""The decoders of order chromosomes: what turns a permutation of tiles into a board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evo.settings.order import ORDER
from evo.settings.user_code import is_reference, resolve_function
from puzzles import Hint, Puzzle
from solvers.construct.beam import Beam, BeamOptions
from solvers.construct.order_decoder import OrderDecoder

Decode = Callable[[NDArray[np.uint16], NDArray[np.uint16]], None]
"""Writes the board of an order into an array of cells, which has a further entry for the wall."""


def make_decoder(puzzle: Puzzle, settings: ORDER, pins: Sequence[Hint], rng: np.random.Generator) -> Decode:
    """Return the decoder that settings choose.

    Args:
        puzzle: The puzzle.
        settings: The settings.
        pins: Hints whose tiles stay in their cells.
        rng: The source of randomness of a decoder of the user's own; the others have none.

    Raises:
        EvoError: The user's function cannot be imported, or the path does not fit the board.
    """
    if is_reference(settings.decoder):
        return _own_decoder(puzzle, resolve_function("decoder", settings.decoder), rng)
    if settings.decoder == "beam":
        return _beam_decoder(puzzle, settings, pins)
    nodes = settings.nodes if settings.decoder == "search" else 0
    return OrderDecoder(puzzle, nodes, path=settings.path, pins=pins)


def _beam_decoder(puzzle: Puzzle, settings: ORDER, pins: Sequence[Hint]) -> Decode:
    """Return a beam search in which the order takes the place of the noise: of equal boards, early tiles are kept."""
    beam = Beam(puzzle, options=BeamOptions(width=settings.width), path=settings.path, pins=pins)
    nothing = np.random.default_rng(0)  # a beam with ranks draws no random numbers

    def decode(order: NDArray[np.uint16], cells: NDArray[np.uint16]) -> None:
        ranks = np.empty(len(order))
        ranks[order] = np.arange(len(order)) / len(order)
        cells[:-1] = beam.construct(nothing, ranks=ranks).cells.ravel()

    return decode


def _own_decoder(puzzle: Puzzle, function: Callable[..., Any], rng: np.random.Generator) -> Decode:
    def decode(order: NDArray[np.uint16], cells: NDArray[np.uint16]) -> None:
        function(rng, puzzle.sides, order.copy(), cells[:-1].reshape(puzzle.shape))

    return decode
