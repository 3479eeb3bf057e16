"""The pace of repeated work: it takes a share of the time, so that what is watched hardly notices being watched."""

from __future__ import annotations

import time


class Pace:
    """Allows repeated work as long as it takes no more than a share of the time.

    Args:
        share: The share of one core that the work may take in the long run.
    """

    def __init__(self, share: float) -> None:
        self._share, self._rests_until = share, 0.0

    def ready(self) -> bool:
        """Return whether the work may be done again."""
        return time.monotonic() >= self._rests_until

    def spend(self, seconds: float) -> None:
        """Note that the work took some seconds of computing."""
        self._rests_until = max(self._rests_until, time.monotonic()) + seconds / self._share
