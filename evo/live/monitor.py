"""The monitor: looks at all experiments now and then, and tells the open pages what has changed."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor

from evo.live.exhibits import Exhibits

_SECONDS, _SECONDS_A_PAGE = 2.0, 0.3
"""The time between two events of a page, at least and for each open page."""
_FRESH = 1.0
"""How old a look may be that answers a request, at least."""
_SPREAD = 0.618
"""The part of their period by which each page is told later than the one before: as good as evenly spread."""
_SIGN_OF_LIFE = 15.0
EVERYTHING = "*"
"""The key of the state of the whole list among the versions."""


class Monitor:
    """Watches exhibits while pages are open.

    Args:
        exhibits: The exhibits.
    """

    def __init__(self, exhibits: Exhibits) -> None:
        self.exhibits = exhibits
        self._thread = ThreadPoolExecutor(1, "monitor")
        self._looked = -_FRESH
        self._looking = asyncio.Lock()
        self._pages = self._opened = 0

    @property
    def _period(self) -> float:
        """The time between two events of a page."""
        return max(_SECONDS, _SECONDS_A_PAGE * self._pages)

    @property
    def state(self) -> str:
        """A text that changes when anything does."""
        return hashlib.sha256(repr(sorted(self.exhibits.versions().items())).encode()).hexdigest()[:12]

    async def look(self) -> None:
        """Look at all exhibits, unless that has just been done.

        If many pages are open, it is done once for all of them: they show the same state, and are rendered once.
        """
        async with self._looking:
            if time.monotonic() - self._looked >= max(_FRESH, _SECONDS_A_PAGE * self._pages):
                await asyncio.get_running_loop().run_in_executor(self._thread, self.exhibits.refresh)
                self._looked = time.monotonic()

    async def events(self) -> AsyncIterator[str]:
        """Yield server-sent events for one page: the version of every exhibit, at once and whenever one changes."""
        self._pages += 1
        self._opened += 1
        told, spoke = "", time.monotonic()
        pause = self._period * (0.5 + _SPREAD * self._opened % 1)  # at first; pages that were opened together part
        try:
            while True:
                await self.look()
                versions = json.dumps({EVERYTHING: self.state, **self.exhibits.versions()})
                if versions != told:
                    told, spoke = versions, time.monotonic()
                    yield f"retry: 2000\ndata: {versions}\n\n"
                elif time.monotonic() - spoke >= _SIGN_OF_LIFE:
                    spoke = time.monotonic()
                    yield ": nothing has changed\n\n"
                await asyncio.sleep(pause)
                pause = self._period
        finally:
            self._pages -= 1

    def close(self) -> None:
        """Stop looking."""
        self._thread.shutdown(wait=False, cancel_futures=True)
