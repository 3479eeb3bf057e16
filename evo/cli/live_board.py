"""The progress of `evo solve`: a live picture of the best board in a terminal, plain lines in a pipe."""

from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from evo.experiments.plan import Run
from evo.experiments.store import Record, Store

_PICTURES_A_SECOND = 4


class LiveBoard:
    """Shows the best board so far and the time spent.

    Args:
        store: The experiment that holds the boards.
        seconds: The time for the search.
    """

    def __init__(self, store: Store, seconds: float) -> None:
        self._store, self._seconds, self._begun = store, seconds, time.monotonic()
        self._best, self._found, self._picture = -1, 0.0, Text()
        self._console = Console(stderr=True)
        rows, cols = store.puzzle.shape
        self._live: Live | None = None
        if self._console.is_terminal and self._console.width >= 4 * cols and self._console.height >= 2 * rows + 3:
            self._live = Live(console=self._console, get_renderable=self._shown, refresh_per_second=_PICTURES_A_SECOND)

    def __enter__(self) -> LiveBoard:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Stop updating; the last picture stays on the screen."""
        if self._live is not None:
            self._live.stop()

    def started(self, run: Run, record: Record) -> None:
        """Start the clock with the first job, when the workers are ready."""
        if self._best < 0:
            self._begun = time.monotonic()

    def advanced(self, run: Run, record: Record) -> None:
        """Show a board that is better than all before it."""
        if record.best_score <= self._best:
            return
        self._best, self._found = record.best_score, time.monotonic() - self._begun
        if self._live is None:
            self._say(f"{self._best} of {self._store.puzzle.max_score} after {self._found:.0f} s")
            return
        from evo.experiments.tasks import tile_board
        from plots.terminal import board_text

        board = self._store.board(run)
        if board is not None:
            self._picture = board_text(tile_board(board))

    def ended(self, run: Run, record: Record) -> None:
        """Show the last board of a run, or what went wrong."""
        if record.state == "failed":
            self._say(f"job {run.run} failed: {record.error}")
        self.advanced(run, record)

    def _say(self, text: str) -> None:
        self._console.print(f"evo: {text}", markup=False, highlight=False)

    def _shown(self) -> Group:
        took = min(time.monotonic() - self._begun, self._seconds)
        line = f"{took:.0f} of {self._seconds:.0f} s"
        if self._best >= 0:
            line = f"{self._best} of {self._store.puzzle.max_score} after {self._found:.0f} s; {line}"
        return Group(self._picture, Text(f"evo: {line}"))
