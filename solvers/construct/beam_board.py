"""A beam search as one compiled call, for operators that build the rest of a board in compiled loops."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzles.compiled import inlined, jit
from solvers.construct.beam import Beam
from solvers.construct.beam_keep import put
from solvers.construct.beam_levels import climb
from solvers.construct.beam_states import Children, History, Scratch, States, Weights
from solvers.construct.late_part import Late
from solvers.construct.route import Route

_UNLIMITED = np.iinfo(np.int64).max


class BoardBuilder(NamedTuple):
    """The tables and the memory of a `Beam`, as compiled code takes them."""

    route: Route
    late: Late
    widths: NDArray[np.int64]
    weights: Weights
    start: States
    """The state before the first step."""
    states: States
    following: States
    children: Children
    history: History
    scratch: Scratch


def make_builder(beam: Beam) -> BoardBuilder:
    """Return the tables of a beam for compiled code; builder and beam share their memory."""
    room = beam.room
    beam.begin()
    start = States._make(array[:1].copy() for array in room.states[0])
    return BoardBuilder(
        beam.route, beam.late, beam.widths, beam.weights, start, *room.states, room.children, room.history, room.scratch
    )


@jit
def build_rest(rng: np.random.Generator, builder: BoardBuilder, kept: int, cells: NDArray[np.uint16]) -> bool:
    """Keep the tiles in the first `kept` cells of the route and build the rest of a board by beam search.

    The board is the one that `Beam.construct` builds with these tiles as its prefix.

    Returns:
        Whether a board could be built; if not, `cells` is unchanged.
    """
    route, now, then = builder.route, builder.states, builder.following
    _copy_first(builder.start, now)
    for step in range(kept):
        put(route, step, now, cells[route.cells[step]], then, builder.history, builder.scratch.signs)
        now, then = then, now
    step, count, _ = climb(
        rng, route, builder.late, kept, _UNLIMITED, now, then, 1, builder.widths, builder.weights, builder.children,
        builder.history, builder.scratch,
    )  # fmt: skip
    if not count:
        return False
    last = then if (step - kept) % 2 else now
    state = int(last.mismatches[:count].argmin())
    for at in range(step - 1, kept - 1, -1):
        place = builder.history.starts[at] + state
        cells[route.cells[at]] = builder.history.codes[place]
        state = int(builder.history.parents[place])
    return True


@jit
def _copy_first(source: States, target: States) -> None:
    """Copy the first state, entry by entry: callers that count no references cannot copy arrays."""
    _copy(source.used[0], target.used[0])
    _copy(source.frontier[0], target.frontier[0])
    _copy(source.left[0], target.left[0])
    target.mismatches[0], target.hashes[0] = source.mismatches[0], source.hashes[0]
    target.gathered[0], target.across[0] = source.gathered[0], source.across[0]


@inlined
def _copy(source: NDArray[Any], target: NDArray[Any]) -> None:
    for k in range(len(source)):
        target[k] = source[k]
