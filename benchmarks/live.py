"""What watching costs: a running experiment of 300 runs, alone and with fifty open pages.

    python -m benchmarks.live [SECONDS [ALONE [JOBS]]]

The experiment runs all the time. It is left alone for some seconds, watched for longer, and left alone again. Each
reader keeps a stream of events open, and asks for the page and its pictures again whenever the experiment has changed,
as the page's script does. Other work on the machine changes evaluations per second far more than any page, so they are
also given per second of the run's own processor time, together with what the server and the readers have computed.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from html import unescape
from pathlib import Path
from statistics import mean, median, quantiles
from typing import NamedTuple

from evo.experiments.store import Store

READERS = 50
EVO = [sys.executable, "-c", "from evo.cli import main; main()"]


class Speed(NamedTuple):
    """What an experiment has made during some seconds."""

    evaluations: int
    seconds: float
    computed: float
    """The seconds that its processes have computed."""

    def __str__(self) -> str:
        each = self.evaluations / max(self.computed, 0.01)
        share = self.computed / self.seconds
        return (
            f"{self.evaluations / self.seconds:,.0f} per second, {each:,.0f} per second computed, on {share:.2f} cores"
        )


class Reader(threading.Thread):
    """One open page.

    Args:
        address: The address of the server.
        page: The path of the page.
    """

    def __init__(self, address: str, page: str) -> None:
        super().__init__(daemon=True)
        self._address, self._page = address.rstrip("/"), page
        self._seen: set[str] = set()
        self.took: list[float] = []
        """The seconds until each answer with a page."""

    def run(self) -> None:
        """Follow the events until the server is gone."""
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{self._address}/events") as events:
            for line in events:
                if line.startswith(b"data:"):
                    self._look()

    def _look(self) -> None:
        began = time.monotonic()
        with urllib.request.urlopen(self._address + self._page) as answer:
            page = answer.read().decode()
        self.took.append(time.monotonic() - began)
        for source in re.findall(r'data-live src="([^"]+)"', page):
            if source not in self._seen:  # a browser keeps a picture that has not changed
                self._seen.add(source)
                with urllib.request.urlopen(self._address + unescape(source)) as picture:
                    picture.read()


def measure(seconds: float, alone: float, jobs: int) -> None:
    """Print the speed of the experiment alone and watched, the memory of the server and the time of a page.

    Args:
        seconds: How long it is watched.
        alone: How long it is left alone before and after.
        jobs: The worker processes of the experiment.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "runs"
        options = ["--evaluations", "500000000", "--jobs", str(jobs), "--out", str(out), "--quiet"]
        run = subprocess.Popen([*EVO, "run", "table2", *options], start_new_session=True)
        try:
            while not out.exists() or sum(record.evaluations for _, record in Store(out).records()) == 0:
                time.sleep(1)
            print(f"alone: {speed(out, run.pid, alone)}", flush=True)
            watch(out, run.pid, seconds)
            print(f"alone: {speed(out, run.pid, alone)}")
        finally:
            run.terminate()
            run.wait()


def speed(out: Path, session: int, seconds: float) -> Speed:
    """Return what an experiment makes during some seconds.

    Args:
        out: Its directory.
        session: The session of its processes.
        seconds: How long it is measured.
    """
    before, began, computed = Store(out).records(), time.monotonic(), session_seconds(session)
    time.sleep(seconds)
    after, passed = Store(out).records(), time.monotonic() - began
    made = sum(record.evaluations for _, record in after) - sum(record.evaluations for _, record in before)
    return Speed(made, passed, session_seconds(session) - computed)


def watch(out: Path, session: int, seconds: float) -> None:
    """Print the speed of an experiment while fifty pages are open, and what they cost."""
    with subprocess.Popen([*EVO, "serve", str(out), "--port", "0"], stdout=subprocess.PIPE, text=True) as server:
        try:
            _with_readers(server, out, session, seconds)
        finally:
            server.terminate()


def _with_readers(server: subprocess.Popen[str], out: Path, session: int, seconds: float) -> None:
    assert server.stdout is not None
    address = re.findall(r"http://\S+", server.stdout.readline())[0]
    with urllib.request.urlopen(address) as answer:
        page = re.findall(r'href="(/experiments/\w+)"', answer.read().decode())[0]
    readers = [Reader(address, page) for _ in range(READERS)]
    for reader in readers:
        reader.start()
    time.sleep(min(30.0, seconds))  # the first pictures are drawn
    for reader in readers:
        reader.took.clear()
    served, read = _computed(server.pid), time.process_time()
    print(f"watched: {speed(out, session, seconds)}")
    share, readers_share = (_computed(server.pid) - served) / seconds, (time.process_time() - read) / seconds
    took = [one for reader in readers for one in reader.took] or [float("nan")] * 2
    memory = int(re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{server.pid}/status").read_text())[0]) / 1024
    slow = quantiles(took, n=20)[-1] if len(took) > 1 else took[0]
    print(f"server: {100 * share:.1f} % of a core, {memory:.0f} MB at most; readers: {100 * readers_share:.1f} %")
    print(
        f"{len(took)} pages: {median(took):.2f} s in the median, {mean(took):.2f} s on average, "
        f"{slow:.2f} s for the slowest twentieth",
        flush=True,
    )


def session_seconds(session: int) -> float:
    """Return the seconds that the living processes of a session have computed."""
    return sum(
        _computed(int(path.name))
        for path in Path("/proc").iterdir()
        if path.name.isdigit() and _session(int(path.name)) == session
    )


def _session(process: int) -> int:
    with contextlib.suppress(OSError):
        return int(_fields(process)[3])
    return -1


def _computed(process: int) -> float:
    """Return the seconds that a process has computed."""
    with contextlib.suppress(OSError):
        fields = _fields(process)
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _fields(process: int) -> list[str]:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


if __name__ == "__main__":
    given = [float(argument) for argument in sys.argv[1:4]]
    watched_for, alone_for, workers = [*given, *[600.0, 120.0, float(os.cpu_count() or 1)][len(given) :]]
    measure(watched_for, alone_for, int(workers))
