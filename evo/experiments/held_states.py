"""What happens in a worker of a cluster: the states of runs stay there between slices.

A state of a population of 10,000 boards is 5 MB; only what is small goes to the driver with each slice. Dask's own
futures would do the same, but the scheduler would keep their whole lineage, and compute a run again from its beginning
when a worker is lost.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import NamedTuple

from evo.experiments import checkpoint
from evo.experiments.slices import Slice, Task, run_slice
from evo.experiments.states import Held, Lost, StateLost

_KEPT_SECONDS = 900.0
"""The time after which a state is given up that its driver has not asked for; it is computed again if it does."""


class _Kept(NamedTuple):
    state: bytes
    fingerprint: str
    best_cells: list[list[int]]
    """The board that the driver has."""
    since: float


_kept: dict[tuple[str, str], _Kept] = {}
"""The states that this worker holds, by driver and run."""
_hurried: set[str] = set()
"""The drivers that want their slices to end."""


def held_slice(driver: str, task: Task, state: bytes | Held | Lost | None, length: float, whole: bool) -> Slice:
    """Run a slice in a worker that keeps the state in which it ends.

    Args:
        driver: A name of the driver that is different from all others.
        task: The run.
        state: The state after the previous slice.
        length: The approximate length of the slice in seconds.
        whole: Whether the state is to be sent as well as kept.

    Returns:
        The outcome; its state is `Held`, and its best board empty if it is the one of the previous slice.

    Raises:
        StateLost: This worker does not hold the state.
    """
    from distributed import get_worker

    name, known = (driver, task.key), None
    if isinstance(state, Held):
        known = _kept.get(name)
        if known is None or known.fingerprint != state.fingerprint:
            raise StateLost
        state = known.state
    outcome = run_slice(task, state, length, hurried=lambda: driver in _hurried)
    if outcome.over:
        _kept.pop(name, None)
        return replace(outcome, state=None)
    assert isinstance(outcome.state, bytes)
    kept = _Kept(outcome.state, checkpoint.fingerprint(outcome.state), outcome.best_cells, time.monotonic())
    _keep(name, kept)
    brought = kept.state if whole or driver in _hurried else None
    held = Held(get_worker().address, kept.fingerprint, len(kept.state), brought)
    same = known is not None and known.best_cells == outcome.best_cells
    return replace(outcome, state=held, best_cells=[] if same else outcome.best_cells)


def _keep(name: tuple[str, str], kept: _Kept) -> None:
    for other in [one for one, found in _kept.items() if found.since < kept.since - _KEPT_SECONDS]:
        _kept.pop(other, None)  # another thread may have been faster
    _kept[name] = kept


def hurry(driver: str) -> None:
    """Let the slices of a driver end at their next report, and bring their states."""
    _hurried.add(driver)
