"""The states in which slices begin: here as bytes, held by a worker of a cluster, or lost with one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Held:
    """A state that stays in the memory of the worker that computed it, on a cluster."""

    worker: str
    """The address of the worker."""
    fingerprint: str
    """A hash of the state, without the seconds."""
    size: int
    """The length of the state in bytes."""
    whole: bytes | None = None
    """The state itself, now and then and when everything is to stop."""


@dataclass(frozen=True)
class Lost:
    """A state that was lost with its worker: the run is computed again up to there from an earlier one."""

    earlier: bytes | None
    """The last state that is known; None if the run begins again."""
    evaluations: int
    seconds: float
    fingerprint: str


RunState = bytes | Held | Lost | None
"""What a slice begins with; None at the start of a run."""


class StateLost(Exception):  # noqa: N818 - an event, not a programming error
    """The worker that held a state is gone, or has given it up."""
