"""The painter: draws each picture at most once for each state of the data, in a thread of its own.

matplotlib is not made for several threads, so there is one. A picture that nobody has seen yet is drawn at once. One
that has only become old is drawn again when drawing has rested for long enough, so that a running experiment keeps its
cores; until then the page shows the old one.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from evo.live.pace import Pace

T = TypeVar("T")

_DRAWING_SHARE = 0.01
"""The share of a core that drawing old pictures again may take."""


@dataclass(frozen=True)
class _Painted:
    version: str
    content: bytes


class Painter:
    """Draws pictures, or pages, off the event loop, and keeps the last state of each.

    Args:
        kept_bytes: How many bytes of them are kept at most.
    """

    def __init__(self, kept_bytes: int) -> None:
        self._kept_bytes = kept_bytes
        self._thread = ThreadPoolExecutor(1, "painter")
        self._pace = Pace(_DRAWING_SHARE)
        self._kept: OrderedDict[str, _Painted] = OrderedDict()
        self._drawing: dict[tuple[str, str], asyncio.Task[bytes]] = {}
        self.drawn = 0
        """The number of pictures that were drawn."""

    def version(self, key: str, version: str, *, final: bool) -> str:
        """Return the version of a picture that a page should show: the present one, or an old one for a while.

        Args:
            key: Identifies the picture.
            version: The present version of its data.
            final: Whether the data will not change any more.
        """
        kept = self._kept.get(key)
        return version if kept is None or final or self._pace.ready() else kept.version

    async def paint(self, key: str, version: str, draw: Callable[[], bytes]) -> bytes:
        """Return a picture, drawn now if it has not been drawn in this version yet.

        Args:
            key: Identifies the picture.
            version: The version of its data.
            draw: Draws it.
        """
        kept = self._kept.get(key)
        if kept is not None and kept.version == version:
            self._kept.move_to_end(key)
            return kept.content
        task = self._drawing.get((key, version))
        if task is None:  # of several requests for the same picture, the first draws it for all
            task = asyncio.create_task(self._draw(key, version, draw))
            self._drawing[key, version] = task
            task.add_done_callback(lambda _: self._drawing.pop((key, version), None))
        return await asyncio.shield(task)

    async def work(self, task: Callable[[], T]) -> T:
        """Return the result of a task, run in the thread of the painter."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, task)

    async def _draw(self, key: str, version: str, draw: Callable[[], bytes]) -> bytes:
        again = key in self._kept
        content, seconds = await self.work(lambda: _timed(draw))
        self.drawn += 1
        if again:
            self._pace.spend(seconds)
        self._kept[key] = _Painted(version, content)
        self._kept.move_to_end(key)
        while len(self._kept) > 1 and sum(len(one.content) for one in self._kept.values()) > self._kept_bytes:
            self._kept.popitem(last=False)
        return content

    def close(self) -> None:
        """Stop drawing."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _timed(draw: Callable[[], bytes]) -> tuple[bytes, float]:
    began = time.thread_time()
    content = draw()
    return content, time.thread_time() - began
