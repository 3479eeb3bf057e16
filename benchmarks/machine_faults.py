"""Faults of a single machine: killed processes, power cuts, full disks, clock steps, two drivers."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil

from benchmarks.disturbed import REFUSED, Campaign
from benchmarks.power_cut import cut_back, note_fsyncs, sizes
from evo.experiments import store

_BALLAST = 16 * 1024
"""The most bytes that a full disk still has."""


class MachineFaults(Campaign):
    """Disturbs experiments on a single machine; the arguments are those of `Campaign`.

    Args:
        folder: An empty folder for them.
        seed: The seed of the disturbances.
        only: The algorithms; all if empty.
        is_small: Whether the folder is a small file system of its own, which may be filled.
    """

    def __init__(self, folder: Path, seed: int, only: Sequence[str] = (), *, is_small: bool = False) -> None:
        super().__init__(folder, seed, only)
        kinds: dict[str, tuple[float, Callable[[Path, float], None]]] = {
            "kill -9": (1.0, self.kill),
            "kill -9 of a worker": (0.05, self.kill_worker),
            "SIGTERM": (1.0, self.terminate),
            "power cut": (1.0, self.cut_power),
            "file size limit": (1.0, self.limit_files),
            "clock step": (0.5, self.step_clock),
            "second driver": (0.5, self.start_second),
        }
        if is_small:
            kinds["full disk"] = (1.0, self.fill_disk)
        self._kinds = kinds

    def disturb_once(self, directory: Path, needed: float) -> None:
        """Carry out an experiment for some time, with one fault."""
        shares = [share for share, _ in self._kinds.values()]
        name = list(self._kinds)[self.rng.choice(len(shares), p=[share / sum(shares) for share in shares])]
        self.faults[name] += 1
        self._kinds[name][1](directory, self.rng.uniform(0, 0.5 * needed))

    def kill(self, directory: Path, moment: float) -> None:
        """Kill the driver."""
        self._signalled(directory, moment, signal.SIGKILL)

    def terminate(self, directory: Path, moment: float) -> None:
        """Ask the driver to stop."""
        self._signalled(directory, moment, signal.SIGTERM)

    def _signalled(
        self, directory: Path, moment: float, number: int, prepare: Callable[[], None] = lambda: None
    ) -> None:
        child = self.begin(directory, prepare)
        time.sleep(moment)
        os.kill(child, number)  # it exists until it is waited for
        self.end(child, directory, (0, -number))

    def kill_worker(self, directory: Path, moment: float) -> None:
        """Kill a worker process of a driver that has two; it is replaced, and the driver goes on for some time."""
        child = self.begin(directory, jobs=2)
        killed = False
        end = time.monotonic() + 120
        while not killed and time.monotonic() < end:
            time.sleep(moment / 4)
            with contextlib.suppress(psutil.NoSuchProcess):
                found = [one for one in psutil.Process(child).children() if "spawn_main" in " ".join(one.cmdline())]
                if len(found) == 2:
                    found[int(self.rng.integers(2))].kill()
                    killed = True
                elif psutil.Process(child).status() == psutil.STATUS_ZOMBIE:
                    break  # it has ended
        time.sleep(moment)
        os.kill(child, signal.SIGTERM)
        self.end(child, directory, (0, -signal.SIGTERM))

    def cut_power(self, directory: Path, moment: float) -> None:
        """Kill the driver, and take away what had not reached the disk."""
        before, log = sizes(directory), self.folder / "fsyncs"
        self._signalled(directory, moment, signal.SIGKILL, lambda: note_fsyncs(log))
        cut_back(directory, before, log)

    def limit_files(self, directory: Path, moment: float) -> None:
        """Let writing fail once a file has a certain length."""
        most = int(self.rng.integers(0, 1 + max(sizes(directory).values(), default=0)))
        child = self.begin(directory, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY)))
        self.end(child, directory, (0, REFUSED))

    def fill_disk(self, directory: Path, moment: float) -> None:
        """Fill the disk while the driver works, and make room again when it has stopped."""
        child = self.begin(directory)
        time.sleep(moment)
        ballast, about = self.folder / "ballast", os.statvfs(self.folder)
        free = about.f_bavail * about.f_bsize - int(self.rng.integers(_BALLAST))
        with contextlib.suppress(OSError), open(ballast, "wb") as stream:  # the driver may have been faster
            os.posix_fallocate(stream.fileno(), 0, max(1, free))
        time.sleep(moment)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGTERM)
        self.end(child, directory, (0, REFUSED))
        ballast.unlink()

    def step_clock(self, directory: Path, moment: float) -> None:
        """Set the clock to another day, and kill the driver."""
        day = f"{int(self.rng.integers(1970, 2100))}-01-01T00:00:00+00:00"

        def step() -> None:
            store.now = lambda: day

        self._signalled(directory, moment, signal.SIGKILL, step)

    def start_second(self, directory: Path, moment: float) -> None:
        """Start a second driver, which must not disturb the first, and kill both."""
        first = self.begin(directory)
        time.sleep(moment)
        second = self.begin(directory)
        time.sleep(moment / 4)
        for child in (first, second):
            os.kill(child, signal.SIGKILL)
            self.end(child, directory, (0, REFUSED, -signal.SIGKILL))
